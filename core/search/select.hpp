// Which edge a walk takes from a node. Formulas and sources: docs/algorithms/selection.md, amaf.md, priors-widening.md.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/rng.hpp"
#include "search/graph.hpp"
#include "search/hot_nodes.hpp"

namespace tesuji {

inline constexpr std::uint32_t kNoEdge = 0xFFFFFFFF;

// The numbers of a node's edges side by side, as the graph stores them: its own columns where no other thread writes
// them, copies elsewhere. Up to a multiple of Edges::kLanes they can be read, though what stands there means nothing.
struct EdgeNumbers {
  std::uint32_t size;
  std::uint32_t visits_at_node;  // N, at least 1
  const std::uint32_t* visits;
  const std::int64_t* value;
  const std::uint64_t* amaf;
};

// Scratch space of one worker.
struct EdgeScores {
  std::vector<std::uint32_t> copied_visits;
  std::vector<std::int64_t> copied_value;
  std::vector<std::uint64_t> copied_amaf;
  std::vector<float> visits;  // n, with virtual visits
  std::vector<float> score;

  void make_room(std::size_t num_edges) {
    if (score.size() >= num_edges) return;
    const std::size_t size = num_edges + Edges::kLanes;
    copied_visits.resize(size);
    copied_value.resize(size);
    copied_amaf.resize(size);
    visits.resize(size);
    score.resize(size);
  }
};

class Selector {
 public:
  // `table` is what the edges' entries belong to, if values are shared.
  Selector(const SearchConfig& config, const Graph& graph, const ValueTable* table = nullptr);

  // The edge to follow, or kNoEdge if every edge is excluded. `hot` is the worker's copy of the node, if it has one.
  std::uint32_t choose(const Node& node, const HotNode* hot, std::span<const std::uint32_t> excluded, Rng& rng,
                       EdgeScores& scratch) const;

  // Unlocks edges up to the number that the node's visits allow; ordered by prior and AMAF as they stand now.
  void widen(const Node& node) const;

  // Groups are explored in proportion to the biases of their kinds from now on; nullptr: alike.
  void weigh_groups_by(const std::vector<float>* biases) { biases_ = biases; }

  // The mover's bounds of an edge after its statistics changed (BAST).
  void update_bounds(const Node& node, std::uint32_t edge, int depth) const;

 private:
  EdgeNumbers numbers_of(const Node& node, const Edges& edges, const HotNode* hot, EdgeScores& e) const;
  void take_means_of_children(const Edges& edges, EdgeScores& e) const;
  void take_counts_of_children(const Edges& edges, EdgeScores& e) const;
  void take_means_of_entries(const Edges& edges, EdgeScores& e) const;
  std::uint32_t visits_at(const Node& node) const;
  template <std::uint32_t Lanes>
  void score_stroke(const EdgeNumbers& numbers, std::uint32_t first, const Node& node, float scale,
                    EdgeScores& e) const;
  std::uint32_t best_of_few(const Node& node, const EdgeNumbers& numbers, EdgeScores& e) const;
  std::uint32_t best_of_many(const Node& node, const Edges& edges, const EdgeNumbers& numbers,
                             std::span<const std::uint32_t> excluded, EdgeScores& e) const;
  void set_scores(const Node& node, const Edges& edges, const EdgeNumbers& numbers, EdgeScores& e) const;
  void set_means(const Node& node, const EdgeNumbers& numbers, EdgeScores& e) const;
  void add_virtual_visits(const Edges& edges, EdgeScores& e) const;
  void mix_in_amaf(const Node& node, const EdgeNumbers& numbers, EdgeScores& e) const;
  template <AmafSchedule Schedule, bool Bonus>
  void mix_in_amaf_by(const Node& node, const EdgeNumbers& numbers, EdgeScores& e) const;
  void mix_in_priors(const Edges& edges, EdgeScores& e) const;
  void weigh_groups(const Edges& edges, EdgeScores& e) const;
  void add_bonus(const Edges& edges, const EdgeNumbers& numbers, EdgeScores& e) const;
  bool is_barred(const Edges& edges, std::uint32_t edge, std::span<const std::uint32_t> excluded) const;

  SearchConfig config_;
  const Graph& graph_;
  const ValueTable* const table_;
  const bool copies_;    // are the graph's columns written by others, or (but in a tree) not what is wanted?
  const bool is_plain_;  // is the score plain UCB1, with no edge ever barred?
  const std::vector<float>* biases_ = nullptr;  // by kind of group
  const bool tries_all_first_;                  // and does no edge get a second visit before all had their first?
};

}  // namespace tesuji
