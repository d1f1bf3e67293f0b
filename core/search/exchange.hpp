// What searches of one position on different machines tell each other: the statistics of the most visited nodes, named
// by the moves that lead to them. See docs/algorithms/cluster.md.
//
// Only trees: in a DAG a node's value is shared by parents that the other search may not know.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "games/game.hpp"
#include "search/graph.hpp"

namespace tesuji {

// The edges of one node, in the order of their moves. Values are sums: the first player's, or one player's numbers
// (where less is better, their negatives).
struct NodeStatistics {
  std::vector<Move> path;  // from the root
  std::vector<Move> moves;
  std::vector<double> visits, value, amaf_visits, amaf_value;
  std::vector<double> proof;  // as Proof numbers it
};

// The root and the nodes with at least `share` of its visits, most visited first, at most `max_nodes`.
std::vector<NodeStatistics> statistics_of(const Graph& graph, double share, std::size_t max_nodes);

// Adds what another search found. Nodes and moves that this graph does not have are left out. Not while a worker walks.
// Throws std::invalid_argument, and changes nothing, unless every list has its length and every number its range.
void add_statistics(Graph& graph, std::span<const NodeStatistics> found);

}  // namespace tesuji
