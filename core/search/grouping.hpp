// Groups of moves in a graph: what a search is told about them, and how they are read. See docs/algorithms/groups.md.
//
// A node of a state has edges to its groups, or, where it has none, its moves. A group is a node with the same mover
// whose edges are its moves. It hangs below one node only and is never a leaf.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "games/groups.hpp"
#include "search/graph.hpp"

namespace tesuji {

// The group of all moves, or of those in no other group.
inline constexpr std::uint16_t kCatchAll = 0;

// tesuji.search.Grouping documents the fields.
struct GroupingOptions {
  std::size_t num_kinds = 1;  // the catch-all group is one
  bool overlap = true;        // does the catch-all group hold all moves, or those in no other group?
  bool wants_path = false;    // is the grouper told the moves that led to a state?
  std::vector<float> biases;  // by kind, 0..1; empty: all alike
  bool learns = false;        // are they learned from the graph after each run?
  double learning_inertia = 20;
  std::uint32_t learning_visits = 100;
};

// As Grouper, with the moves that were played since the search was made.
template <Game G>
using PathGrouper =
    std::function<void(const G& state, std::span<const Move> moves, std::span<const Move> path, GroupList& groups)>;

// Calls function(edges, i) for every edge of a node that is a move: its own, or those of its groups.
template <class F>
void for_each_move(const Graph& graph, const Node& node, const F& function) {
  if (!graph.has_edges(node)) return;
  const Edges edges = graph.edges(node);
  for (std::uint32_t i = 0; i < edges.size; ++i) {
    if (!edges.is_group(i)) {
      function(edges, i);
      continue;
    }
    const Edges members = graph.edges(graph.node(edges.child()[i].load(std::memory_order_acquire)));
    for (std::uint32_t k = 0; k < members.size; ++k) function(members, k);
  }
}

// A move of a node with groups, summed over the groups that it is in.
struct MoveSum {
  std::uint64_t visits = 0;
  Proof proof = Proof::None;
  NodeId child = kNoNode;    // behind the most visited of its edges
  EntryId entry = kNoEntry;  // of that child, where values are shared
  std::uint32_t most_visits = 0;
};
inline std::map<Move, MoveSum> sums_by_move(const Graph& graph, const Node& node) {
  std::map<Move, MoveSum> sums;
  for_each_move(graph, node, [&](const Edges& edges, std::uint32_t i) {
    MoveSum& sum = sums[edges.move(i)];
    const std::uint32_t visits = edges.visits()[i].load(std::memory_order_relaxed);
    const NodeId child = edges.child()[i].load(std::memory_order_acquire);
    sum.visits += visits;
    sum.proof = std::max(sum.proof, edges.proof(i));
    if (child == kNoNode || (sum.child != kNoNode && visits <= sum.most_visits)) return;
    sum.child = child;
    if (graph.columns().entry) sum.entry = edges.entry()[i].load(std::memory_order_relaxed);
    sum.most_visits = visits;
  });
  return sums;
}

// How often the best move was in a group of each kind.
class KindCounts {
 public:
  explicit KindCounts(std::size_t num_kinds) : present_(num_kinds), best_(num_kinds) {}

  // Counts all nodes with groups and at least so many visits that are reached from the root through such nodes.
  void count(const Graph& graph, std::uint32_t min_visits);
  // What is learned stays above this, so that every group goes on being visited.
  static constexpr double kLeastBias = 0.05;

  // Moves each bias towards the share that was counted; `inertia` is the number of nodes that a bias stands for.
  void teach(std::vector<float>& biases, double inertia) const;

 private:
  void count_node(const Graph& graph, const Node& node);

  std::vector<std::uint64_t> present_, best_;
};

}  // namespace tesuji
