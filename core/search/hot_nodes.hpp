// The nodes at which all threads meet, as one thread sees them.
//
// A number that two threads add to travels between their processors at every addition; at the root and just below it
// that takes longer than a short playout. So each thread has copies of the nodes that it walks most. It chooses and
// counts there, and brings what it has counted to the graph once in a while: soon enough that the graph is never more
// than about three percent of the node's walks behind. Nothing is lost, for sums do not care who adds first.
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

  // A walk takes the edge, with a virtual loss until its result is in.
  void walk(std::uint32_t edge, std::int64_t loss) {
    ++walks_;
    ++visits_[edge];
    ++added_visits_[edge];
    add_value(edge, loss);
  }
  void back_up(std::uint32_t edge, std::int64_t value, std::int64_t loss) {
    add_value(edge, value - loss);
    ++num_results_;
    sum_of_results_ += value;
  }

  void read(const Graph& graph, NodeId id);
  // Adds to the graph what was counted since it was read. A walk whose result is not in yet is half counted; its other
  // half follows with the next time, or goes to the graph itself.
  void bring_in(Graph& graph);
  void forget() { id_ = kNoNode; }

 private:
  static constexpr std::uint32_t kLongestPeriod = 64, kPeriodsPerWalk = 32;

  void add_value(std::uint32_t edge, std::int64_t value) {
    value_[edge] += value;
    added_value_[edge] += value;
  }

  NodeId id_ = kNoNode;
  std::uint32_t walks_ = 0, walks_read_ = 0, period_ = 1, num_results_ = 0;
  std::int64_t sum_of_results_ = 0;
  std::vector<std::uint32_t> visits_, added_visits_;
  std::vector<std::int64_t> value_, added_value_;
};

inline void HotNode::read(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  const Edges edges = graph.edges(node);
  id_ = id;
  if (visits_.size() < edges.size + Edges::kLanes) {
    visits_.resize(edges.size + Edges::kLanes);
    value_.resize(edges.size + Edges::kLanes);
    added_visits_.resize(edges.size);
    added_value_.resize(edges.size);
  }
  for (std::uint32_t i = 0; i < edges.size; ++i) {
    visits_[i] = edges.visits()[i].load(std::memory_order_relaxed);
    value_[i] = edges.value()[i].load(std::memory_order_relaxed);
  }
  walks_ = walks_read_ = node.walks.load(std::memory_order_relaxed);
  period_ = std::clamp(walks_ / kPeriodsPerWalk, 1u, kLongestPeriod);
}

inline void HotNode::bring_in(Graph& graph) {
  if (id_ == kNoNode) return;
  Node& node = graph.node(id_);
  const Edges edges = graph.edges(node);
  for (std::uint32_t i = 0; i < edges.size; ++i) {
    if (added_visits_[i] != 0) add(edges.visits()[i], std::exchange(added_visits_[i], 0), true);
    if (added_value_[i] != 0) add(edges.value()[i], std::exchange(added_value_[i], 0), true);
  }
  add(node.walks, walks_ - walks_read_, true);
  walks_read_ = walks_;
  add(node.visits, std::exchange(num_results_, 0), true);
  add(node.value, std::exchange(sum_of_results_, 0), true);
}

// The copies of one worker, by node. Two nodes that want the same place take turns in it.
class HotNodes {
 public:
  // The copy to walk through, if the node is walked enough to have one.
  HotNode* take(Graph& graph, NodeId id) {
    HotNode& place = places_[id % kPlaces];
    if (place.id() == id && !place.is_due()) return &place;
    if (place.id() != id && !is_hot(graph.node(id))) return nullptr;
    place.bring_in(graph);
    place.read(graph, id);
    return &place;
  }
  // The copy that there is.
  HotNode* find(NodeId id) {
    HotNode& place = places_[id % kPlaces];
    return place.id() == id ? &place : nullptr;
  }
  void bring_in(Graph& graph) {
    for (HotNode& place : places_) {
      place.bring_in(graph);
      place.forget();
    }
  }

 private:
  static constexpr std::uint32_t kFewestWalks = 128;
  static constexpr std::size_t kPlaces = 64;

  // Not before all edges were tried: which one comes next is seen in the graph itself.
  static bool is_hot(const Node& node) {
    return node.walks.load(std::memory_order_relaxed) >= std::max(kFewestWalks, node.num_edges);
  }

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
