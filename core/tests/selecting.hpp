// A selector for a graph of two players, as tests ask for it.
#pragma once

#include "search/select.hpp"

namespace tesuji::testing {

inline Selector selector_of(const SearchConfig& config, const Graph& graph, const ValueTable* table = nullptr) {
  static const Numbers kTwoPlayers(Goal::TwoPlayers);
  return {config, graph, Means(config.graph, graph, table, kTwoPlayers)};
}

// The mean of a node's own results.
inline float mean_of(const Node& node) {
  return node.visits > 0 ? static_cast<float>(static_cast<double>(node.value) / static_cast<double>(kOne) / node.visits)
                         : 0.5f;
}

}  // namespace tesuji::testing
