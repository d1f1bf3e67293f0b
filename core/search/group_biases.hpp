// How groups of moves are explored, and what is learned about their kinds. See docs/algorithms/groups.md.
//
// To the graph a group is a move like any other: one numbered from the game's moves on, after which the same player
// moves (grouped.hpp). Kinds follow each other in steps of kMostOfAKind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "search/graph.hpp"

namespace tesuji {

// The group of all moves, or of those in no other group.
inline constexpr std::uint16_t kCatchAll = 0;
inline constexpr Move kMostOfAKind = 4096;

// tesuji.search.Grouping documents the fields.
struct GroupingOptions {
  std::size_t num_kinds = 1;    // the catch-all group is one
  bool overlap = true;          // does the catch-all group hold all moves, or those in no other group?
  bool wants_path = false;      // is the grouper told the moves that led to a state?
  std::vector<float> biases{};  // by kind, 0..1; empty: all alike
  bool learns = false;          // are they learned from the graph after each run?
  double learning_inertia = 20;
  std::uint32_t learning_visits = 100;
};

// A node's moves, or where they are groups, those of its groups: calls function(edges, i) for each edge.
template <class F>
void for_each_move(const Graph& graph, const Node& node, Move num_moves, const F& function) {
  if (!graph.has_edges(node)) return;
  const Edges edges = graph.edges(node);
  for (std::uint32_t i = 0; i < edges.size; ++i) {
    if (edges.move(i) < num_moves) {
      function(edges, i);
      continue;
    }
    const NodeId group = edges.child()[i].load(std::memory_order_acquire);
    if (group == kNoNode || !graph.has_edges(graph.node(group))) continue;
    const Edges members = graph.edges(graph.node(group));
    for (std::uint32_t k = 0; k < members.size; ++k) function(members, k);
  }
}

class GroupBiases {
 public:
  // What is learned stays above this, so that every group goes on being visited.
  static constexpr double kLeastBias = 0.05;

  void set(const GroupingOptions& options);
  const std::vector<float>& by_kind() const { return biases_; }
  bool are_alike() const { return biases_.empty(); }
  bool are_learned() const { return options_.learns; }
  // What was learnt before; throws std::invalid_argument if it does not fit the kinds.
  void restore(std::span<const float> learnt);
  // Moves each bias towards the share of nodes at which the best move was in a group of that kind.
  void learn(std::span<const std::unique_ptr<Graph>> graphs, Move num_moves);

 private:
  GroupingOptions options_;
  std::vector<float> biases_;
};

}  // namespace tesuji
