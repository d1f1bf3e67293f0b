// The nodes at which all threads meet, as one thread sees them.
//
// A number that two threads add to travels between their processors at every addition; at the root and just below it
// that takes longer than a short playout. So each thread has copies of the nodes that it walks most. It chooses and
// counts there, and brings what it has counted to the graph once in a while: soon enough that all threads together are
// never more than about three percent of the node's walks behind. Nothing is lost, for sums do not care who adds first.
// Measurements: docs/decisions/012-hot-nodes.md.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "search/graph.hpp"

namespace tesuji {

// One worker's copy of a node: what the graph knew when it was read, and the worker's own walks since.
class HotNode {
 public:
  NodeId id() const { return id_; }
  // Of its edges. Up to a multiple of Edges::kLanes they can be read, though what stands there means nothing.
  const std::uint32_t* visits() const { return visits_.data(); }
  const std::int64_t* value() const { return value_.data(); }
  std::uint32_t walks() const { return walks_; }
  bool is_due() const { return walks_ - walks_read_ >= period_; }

  // The result of a walk through the edge.
  void back_up(std::uint32_t edge, std::int64_t value) {
    ++walks_;
    ++visits_[edge];
    ++added_visits_[edge];
    value_[edge] += value;
    added_value_[edge] += value;
    sum_of_results_ += value;
  }

  // Copies a node as `num_workers` share it; others' walks in flight count as losses, as they do in the graph.
  void read(const Graph& graph, NodeId id, std::size_t num_workers);
  // Adds to the graph what was counted since it was read.
  void bring_in(Graph& graph);
  void forget() { id_ = kNoNode; }

 private:
  static constexpr std::uint32_t kLongestPeriod = 64, kPeriodsPerWalk = 32;

  NodeId id_ = kNoNode;
  std::uint32_t walks_ = 0, walks_read_ = 0, period_ = 1;
  std::int64_t sum_of_results_ = 0;
  std::vector<std::uint32_t> visits_, added_visits_;
  std::vector<std::int64_t> value_, added_value_;
};

inline void HotNode::read(const Graph& graph, NodeId id, std::size_t num_workers) {
  const Node& node = graph.node(id);
  const Edges edges = graph.edges(node);
  id_ = id;
  if (visits_.size() < edges.size + Edges::kLanes) {
    visits_.resize(edges.size + Edges::kLanes);
    value_.resize(edges.size + Edges::kLanes);
    added_visits_.resize(edges.size);
    added_value_.resize(edges.size);
  }
  const std::int64_t loss = node.mover == 1 ? kOne : 0;
  walks_ = node.walks.load(std::memory_order_relaxed);
  for (std::uint32_t i = 0; i < edges.size; ++i) {
    const std::uint32_t in_flight = edges.in_flight()[i].load(std::memory_order_relaxed);
    visits_[i] = edges.visits()[i].load(std::memory_order_relaxed) + in_flight;
    value_[i] = edges.value()[i].load(std::memory_order_relaxed) + in_flight * loss;
    walks_ += in_flight;
  }
  walks_read_ = walks_;
  const auto share = static_cast<std::uint32_t>(kPeriodsPerWalk * num_workers / 2);
  period_ = std::clamp(walks_ / share, 1u, kLongestPeriod);
}

inline void HotNode::bring_in(Graph& graph) {
  if (id_ == kNoNode) return;
  Node& node = graph.node(id_);
  const Edges edges = graph.edges(node);
  for (std::uint32_t i = 0; i < edges.size; ++i) {
    if (added_visits_[i] != 0) add(edges.visits()[i], std::exchange(added_visits_[i], 0), true);
    if (added_value_[i] != 0) add(edges.value()[i], std::exchange(added_value_[i], 0), true);
  }
  const std::uint32_t walks = walks_ - std::exchange(walks_read_, walks_);
  add(node.walks, walks, true);
  const std::int64_t sum = std::exchange(sum_of_results_, 0);
  if (id_ != graph.root()) return;
  add(node.visits, walks, true);
  add(node.value, sum, true);
}

// The copies of one worker, by node. A node has a few places to choose from, and takes another's only if it is walked
// twice as much: two nodes that want the same place do not throw each other out at every walk.
class HotNodes {
 public:
  explicit HotNodes(std::size_t num_workers) : num_workers_(num_workers) {}

  // The copy to walk through, if the node is walked enough to have one.
  HotNode* take(Graph& graph, NodeId id) {
    HotNode* place = find(id);
    if (place != nullptr && !place->is_due()) return place;
    if (place == nullptr) place = place_for(graph, id);
    if (place == nullptr) return nullptr;
    place->bring_in(graph);
    place->read(graph, id, num_workers_);
    return place;
  }
  // The copy that there is.
  HotNode* find(NodeId id) {
    for (std::size_t way = 0; way < kWays; ++way)
      if (HotNode& place = places_[first_of(id) + way]; place.id() == id) return &place;
    return nullptr;
  }
  void bring_in(Graph& graph) {
    for (HotNode& place : places_) {
      place.bring_in(graph);
      place.forget();
    }
  }

 private:
  static constexpr std::uint32_t kFewestWalks = 128;
  static constexpr std::size_t kPlaces = 64, kWays = 4;

  static std::size_t first_of(NodeId id) { return id * kWays % kPlaces; }
  // Not before all edges were tried: which one comes next is seen in the graph itself.
  HotNode* place_for(const Graph& graph, NodeId id) {
    const Node& node = graph.node(id);
    const std::uint32_t walks = node.walks.load(std::memory_order_relaxed);
    if (walks < std::max(kFewestWalks, node.num_edges)) return nullptr;
    HotNode* coldest = &places_[first_of(id)];
    for (std::size_t way = 0; way < kWays; ++way) {
      HotNode& place = places_[first_of(id) + way];
      if (place.id() == kNoNode) return &place;
      if (place.walks() < coldest->walks()) coldest = &place;
    }
    return walks / 2 > coldest->walks() ? coldest : nullptr;
  }

  const std::size_t num_workers_;
  std::array<HotNode, kPlaces> places_;
};

// However a worker ends, what it counted reaches the graph.
class BroughtIn {
 public:
  BroughtIn(HotNodes& nodes, Graph& graph) : nodes_(nodes), graph_(graph) {}
  ~BroughtIn() { nodes_.bring_in(graph_); }
  BroughtIn(const BroughtIn&) = delete;
  BroughtIn& operator=(const BroughtIn&) = delete;

 private:
  HotNodes& nodes_;
  Graph& graph_;
};

}  // namespace tesuji
