// Which edge a walk takes from a node. Formulas and sources: docs/algorithms/selection.md, amaf.md, priors-widening.md.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/rng.hpp"
#include "search/graph.hpp"

namespace tesuji {

inline constexpr std::uint32_t kNoEdge = 0xFFFFFFFF;

// Scratch space of one worker: the numbers of a node's edges side by side, so that a score is computed for several
// edges at once.
struct EdgeScores {
  std::vector<std::uint32_t> raw_visits;  // as the graph stores them
  std::vector<std::int64_t> raw_value;
  std::vector<std::uint64_t> raw_amaf;
  std::vector<float> visits;  // n, with virtual visits
  std::vector<float> score;

  void make_room(std::size_t num_edges) {
    if (score.size() >= num_edges) return;
    raw_visits.resize(num_edges);
    raw_value.resize(num_edges);
    raw_amaf.resize(num_edges);
    visits.resize(num_edges);
    score.resize(num_edges);
  }
};

class Selector {
 public:
  Selector(const SearchConfig& config, const Graph& graph) : config_(config), graph_(graph) {}

  // The edge to follow, or kNoEdge if every edge is excluded.
  std::uint32_t choose(const Node& node, std::span<const std::uint32_t> excluded, Rng& rng, EdgeScores& scratch) const;

  // Unlocks edges up to the number that the node's visits allow; ordered by prior and AMAF as they stand now.
  void widen(const Node& node) const;

  // The mover's bounds of an edge after its statistics changed (BAST).
  void update_bounds(const Node& node, std::uint32_t edge, int depth) const;

 private:
  bool is_plain_ucb1() const;
  std::uint32_t best_of_few(const Node& node, const Edges& edges) const;
  void set_scores(const Node& node, const Edges& edges, EdgeScores& e) const;
  void gather(const Edges& edges, EdgeScores& e) const;
  void set_means(const Node& node, const Edges& edges, EdgeScores& e) const;
  void mix_in_amaf(const Node& node, const Edges& edges, EdgeScores& e) const;
  template <AmafSchedule Schedule, bool Bonus>
  void mix_in_amaf_by(const Node& node, const Edges& edges, EdgeScores& e) const;
  void mix_in_priors(const Edges& edges, EdgeScores& e) const;
  void add_bonus(const Node& node, const Edges& edges, EdgeScores& e) const;
  bool is_barred(const Edges& edges, std::uint32_t edge, std::span<const std::uint32_t> excluded) const;

  SearchConfig config_;
  const Graph& graph_;
};

}  // namespace tesuji
