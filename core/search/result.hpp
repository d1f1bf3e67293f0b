// What a search knows at some moment: the root's edges and the counts of the whole graph.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "games/game.hpp"

namespace tesuji {

struct SearchCounts {
  static constexpr std::size_t kDepths = 64;  // the last one holds all deeper walks

  std::uint64_t simulations = 0;
  std::uint64_t transposition_hits = 0;
  std::uint64_t cut_updates = 0;  // simulations whose result did not reach all ancestors (multipath)
  std::uint64_t lost_races = 0;   // leaves that another thread was expanding, or moves that were skipped as forbidden
  std::array<std::uint64_t, kDepths> depths{};

  SearchCounts& operator+=(const SearchCounts& other) {
    simulations += other.simulations;
    transposition_hits += other.transposition_hits;
    cut_updates += other.cut_updates;
    lost_races += other.lost_races;
    for (std::size_t i = 0; i < kDepths; ++i) depths[i] += other.depths[i];
    return *this;
  }
};

// The counts of one worker while it works: one writer, and readers who may look at any time.
struct WorkerCounts {
  using Count = std::atomic<std::uint64_t>;

  Count simulations{0}, transposition_hits{0}, cut_updates{0}, lost_races{0};
  std::array<Count, SearchCounts::kDepths> depths{};

  static void add(Count& count, std::uint64_t amount = 1) {
    count.store(count.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }
  void clear() {
    simulations = transposition_hits = cut_updates = lost_races = 0;
    for (Count& count : depths) count = 0;
  }
  SearchCounts snapshot() const {
    SearchCounts counts{simulations, transposition_hits, cut_updates, lost_races, {}};
    for (std::size_t i = 0; i < depths.size(); ++i) counts.depths[i] = depths[i];
    return counts;
  }
};

struct RootEdge {
  Move move = kNoMove;
  std::uint64_t visits = 0;
  double value = 0;  // mean for the side to move, 0..1; 0 if never tried
  double deviation =
      0;  // standard deviation of its results, where the graph keeps squares; else of a coin of that value
  std::uint64_t amaf_visits = 0;
  double amaf_value = 0;  // likewise
  double prior = 0;
  int proof = 0;           // for the side to move: 0 nothing proved, 1 lost, 2 drawn, 3 won
  std::vector<Move> line;  // the main line that begins with this move
};

// A group of the root's moves.
struct RootGroup {
  std::uint32_t kind = 0, ordinal = 0;
  std::uint64_t visits = 0;
  double value = 0;  // mean for the side to move, 0..1; 0 if never tried
  int proof = 0;     // for the side to move, as an edge's
  std::vector<Move> moves;
};

struct SearchResult {
  int to_play = 0;
  std::vector<RootEdge> edges;    // in the order of their moves
  std::vector<RootGroup> groups;  // by kind and ordinal; none where the root has no groups. Edges are sums over them.
  std::vector<Move> main_line;    // most visits at every step
  int proof = 0;                  // of the root, for the side to move
  double value = 0.5;             // of the root, for the side to move
  std::size_t num_nodes = 0, num_edges = 0, bytes = 0;
  std::size_t bytes_per_edge = 0, bytes_per_node = 0;
  std::uint64_t num_collisions = 0;  // states whose first hash was another's, since the search was made
  // The table of shared values: its entries, its threshold, and states that found no room since the search was made.
  std::size_t table_entries = 0, table_bytes = 0;
  std::uint32_t table_min_references = 0;
  std::uint64_t table_turned_away = 0;
  // Answers of an evaluator since it was given: those that were kept, and those that it made.
  std::uint64_t cache_hits = 0, evaluations = 0;
  SearchCounts counts;
  double seconds = 0;
};

}  // namespace tesuji
