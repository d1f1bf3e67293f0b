// Which edge a walk takes from a node. Formulas and sources: docs/algorithms/selection.md, amaf.md, priors-widening.md.
#pragma once

#include <cstdint>
#include <span>

#include "base/rng.hpp"
#include "search/edge_reader.hpp"
#include "search/graph.hpp"
#include "search/hot_nodes.hpp"
#include "search/means.hpp"
#include "search/move_weights.hpp"
#include "search/stages.hpp"

namespace tesuji {

inline constexpr std::uint32_t kNoEdge = 0xFFFFFFFF;

class Selector {
 public:
  Selector(const SearchConfig& config, const Graph& graph, const Means& means);

  // The edge to follow, or kNoEdge if every edge is excluded. `hot` is the worker's copy of the node, if it has one;
  // `mean` is that of all results at the node, for the first player, if wants_mean().
  std::uint32_t choose(const Node& node, const HotNode* hot, float mean, std::span<const std::uint32_t> excluded,
                       Rng& rng, EdgeScores& scratch) const;
  bool wants_mean() const {
    return config_.selection == Selection::Puct || (stages_ != nullptr && (stages_->selection || stages_->back_up));
  }

  // Unlocks edges up to the number that the node's visits allow; ordered by prior and AMAF as they stand now.
  void widen(const Node& node) const;

  // Moves are explored in proportion to these weights from now on.
  void weigh_moves_by(const MoveWeights& weights) { weights_ = weights; }
  // Stages that the user wrote; they must outlive the selector.
  void use(const Stages* stages) { stages_ = stages; }

  // What the node's value would be by the user's back-up rule, for the first player.
  float backed_up(const Node& node, float mean, Rng& rng, EdgeScores& scratch) const;

  // The mover's bounds of an edge after its statistics changed (BAST).
  void update_bounds(const Node& node, std::uint32_t edge, int depth) const;

 private:
  NodeView view_of(const Node& node, const Edges& edges, const EdgeNumbers& numbers, float mean, Rng& rng,
                   EdgeScores& e) const;
  template <std::uint32_t Lanes>
  void score_stroke(const EdgeNumbers& numbers, std::uint32_t first, const Node& node, float scale,
                    EdgeScores& e) const;
  std::uint32_t best_of_few(const Node& node, const EdgeNumbers& numbers, EdgeScores& e) const;
  std::uint32_t best_of_many(const Node& node, const Edges& edges, const EdgeNumbers& numbers, float mean,
                             std::span<const std::uint32_t> excluded, EdgeScores& e) const;
  void set_scores(const Node& node, const Edges& edges, const EdgeNumbers& numbers, float mean, EdgeScores& e) const;
  void set_means(const Node& node, const EdgeNumbers& numbers, float mean, EdgeScores& e) const;
  void add_virtual_visits(const Edges& edges, EdgeScores& e) const;
  void mix_in_amaf(const Node& node, const EdgeNumbers& numbers, EdgeScores& e) const;
  template <AmafSchedule Schedule, bool Bonus>
  void mix_in_amaf_by(const Node& node, const EdgeNumbers& numbers, EdgeScores& e) const;
  void mix_in_priors(const Edges& edges, EdgeScores& e) const;
  void add_bonus(const Edges& edges, const EdgeNumbers& numbers, EdgeScores& e) const;
  std::uint32_t best_that_is_open(const Edges& edges, std::span<const std::uint32_t> excluded, EdgeScores& e) const;
  bool is_barred(const Edges& edges, std::uint32_t edge, std::span<const std::uint32_t> excluded) const;

  SearchConfig config_;
  const Graph& graph_;
  const Means means_;
  const EdgeReader reader_;
  MoveWeights weights_;
  const Stages* stages_ = nullptr;
  const bool is_plain_;         // is the score plain UCB1, with no edge ever barred?
  const bool tries_all_first_;  // and does no edge get a second visit before all had their first?
};

}  // namespace tesuji
