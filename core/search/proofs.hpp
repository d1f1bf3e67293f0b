// What the solver has proved spreads upwards: a node is won for its mover if one edge is, and decided if all are. See
// docs/algorithms/solver.md.
#pragma once

#include "search/graph.hpp"
#include "search/walk.hpp"

namespace tesuji {

Proof proof_of(const Graph& graph, const Node& node);

// A proof of the walk's end becomes one of its last edge, and of the nodes above as far as it decides them.
void propagate_proof(Graph& graph, const Walk& walk);

}  // namespace tesuji
