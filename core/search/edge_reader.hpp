// What is known of a node's edges, as selection reads it: numbers side by side, whoever is writing them meanwhile.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/copy_words.hpp"
#include "search/graph.hpp"
#include "search/hot_nodes.hpp"
#include "search/means.hpp"

namespace tesuji {

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

class EdgeReader {
 public:
  EdgeReader(const SearchConfig& config, const Graph& graph, const Means& means)
      : graph_(graph),
        means_(means),
        has_amaf_(config.amaf != AmafSchedule::Off),
        shares_counts_(config.graph == GraphMode::SharedCounts),
        copies_(graph.columns().in_flight || !means.are_own()),
        amaf_unit_(amaf::unit(graph.columns())) {}

  // N: the walks that went on through an edge; where counts are shared, all visits of the state.
  std::uint32_t visits_at(const Node& node) const {
    return std::max(1u, (shares_counts_ ? node.visits : node.walks).load(std::memory_order_relaxed));
  }
  // `hot` is the worker's copy of the node, if it has one. The numbers may lie in the scratch space.
  EdgeNumbers numbers_of(const Node& node, const Edges& edges, const HotNode* hot, EdgeScores& e) const;

  // What one count of AMAF stands for.
  float amaf_unit() const { return amaf_unit_; }
  struct AmafMean {
    float visits = 0, mean = 0;  // the mean is the first player's, or one player's in 0..1
  };
  AmafMean amaf_of(const Edges& edges, std::uint32_t edge) const;
  // Of an edge's own results, on the scale of 0..1.
  float variance_of(const Edges& edges, std::uint32_t edge) const;

 private:
  EdgeNumbers copied(const Node& node, const Edges& edges, EdgeScores& e) const;
  void copy_amaf(const Edges& edges, EdgeScores& e) const;
  std::uint32_t add_walks_in_flight(const Node& node, const Edges& edges, EdgeScores& e) const;

  const Graph& graph_;
  const Means means_;
  const bool has_amaf_;
  const bool shares_counts_;
  const bool copies_;      // are the graph's columns written by others, or not what is wanted?
  const float amaf_unit_;  // what one count of AMAF stands for
};

// Numbers that other threads may be changing are copied to where nobody else sees them, and numbers that are not an
// edge's own are looked up there.
inline EdgeNumbers EdgeReader::numbers_of(const Node& node, const Edges& edges, const HotNode* hot,
                                          EdgeScores& e) const {
  if (!copies_)
    return {edges.size, visits_at(node), plain(edges.visits()), plain(edges.value()),
            has_amaf_ ? plain(edges.amaf()) : nullptr};
  if (has_amaf_) copy_amaf(edges, e);
  if (hot != nullptr) return {edges.size, hot->walks(), hot->visits(), hot->value(), e.copied_amaf.data()};
  return copied(node, edges, e);
}

}  // namespace tesuji
