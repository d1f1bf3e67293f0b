// Beam Monte-Carlo tree search (Baier and Winands 2012; Basaldúa, 7.3.1): when enough simulations went through a depth
// of the tree, only its most visited nodes stay. The rest is closed, and no node is added at that depth any more.
#pragma once

#include <cstddef>

#include "search/graph.hpp"

namespace tesuji {

// Closes all but the `width` most visited nodes at `depth` (1: the root's children), and what leads to closed nodes
// only. True if anything was open that is closed now. For trees, and only while no worker walks.
bool keep_most_visited(Graph& graph, int depth, std::size_t width);

}  // namespace tesuji
