// Which edge a walk takes from a node. Formulas and sources: docs/algorithms/selection.md, amaf.md, priors-widening.md.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/rng.hpp"
#include "search/graph.hpp"
#include "search/hot_nodes.hpp"
#include "search/means.hpp"
#include "search/stages.hpp"

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
  std::vector<float> means, amaf_visits, amaf_means, random;  // for stages of the user's
  std::vector<float> zeros;

  void make_room(std::size_t num_edges) {
    if (score.size() >= num_edges) return;
    const std::size_t size = num_edges + Edges::kLanes;
    copied_visits.resize(size);
    copied_value.resize(size);
    copied_amaf.resize(size);
    visits.resize(size);
    score.resize(size);
    for (auto* column : {&means, &amaf_visits, &amaf_means, &random, &zeros}) column->resize(size);
  }
};

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

  // Moves from `first` on are explored in proportion to biases from now on; nullptr: alike. Every kind has `per_kind`
  // moves (grouped.hpp).
  void weigh_moves_by(const std::vector<float>* biases, Move first, Move per_kind) {
    biases_ = biases;
    first_weighed_ = first;
    per_kind_ = per_kind;
  }
  // Stages that the user wrote; they must outlive the selector.
  void use(const Stages* stages) { stages_ = stages; }

  // What the node's value would be by the user's back-up rule, for the first player.
  float backed_up(const Node& node, float mean, Rng& rng, EdgeScores& scratch) const;

  // The mover's bounds of an edge after its statistics changed (BAST).
  void update_bounds(const Node& node, std::uint32_t edge, int depth) const;

 private:
  EdgeNumbers numbers_of(const Node& node, const Edges& edges, const HotNode* hot, EdgeScores& e) const;
  std::uint32_t add_walks_in_flight(const Node& node, const Edges& edges, EdgeScores& e) const;
  struct AmafMean {
    float visits = 0, mean = 0;  // the mean is the first player's, or one player's in 0..1
  };
  AmafMean amaf_of(const Edges& edges, std::uint32_t edge) const;
  void read_numbers_of_amaf(const Edges& edges, EdgeScores& e) const;
  NodeView view_of(const Node& node, const Edges& edges, const EdgeNumbers& numbers, float mean, Rng& rng,
                   EdgeScores& e) const;
  std::uint32_t visits_at(const Node& node) const;
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
  void weigh_moves(const Edges& edges, EdgeScores& e) const;
  bool is_weighed(const Edges& edges) const { return biases_ != nullptr && edges.move(0) >= first_weighed_; }
  void add_bonus(const Edges& edges, const EdgeNumbers& numbers, EdgeScores& e) const;
  std::uint32_t best_that_is_open(const Edges& edges, std::span<const std::uint32_t> excluded, EdgeScores& e) const;
  float variance_of(const Edges& edges, std::uint32_t edge) const;
  bool is_barred(const Edges& edges, std::uint32_t edge, std::span<const std::uint32_t> excluded) const;

  SearchConfig config_;
  const Graph& graph_;
  const Means means_;
  const Stages* stages_ = nullptr;
  const std::vector<float>* biases_ = nullptr;
  Move first_weighed_ = 0, per_kind_ = 1;
  const bool copies_;           // are the graph's columns written by others, or not what is wanted?
  const bool is_plain_;         // is the score plain UCB1, with no edge ever barred?
  const float amaf_unit_;       // what one count of AMAF stands for
  const bool tries_all_first_;  // and does no edge get a second visit before all had their first?
};

}  // namespace tesuji
