// What a player would answer after 1, 2, 5, 10, ... simulations of one run: the curves of the UCT-DAG report cost one
// search each.
//
// The answer is the root's move with the best value (its section 2.1.1), the lowest of equals, as
// final_move="best-value".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/rng.hpp"
#include "search/search.hpp"

namespace tesuji {

struct Choice {
  Move move = kNoMove;
  std::size_t num_nodes = 0;  // of the graph at that moment
};

// After each of `counts` simulations, which ascend. A run may be divided without any effect on the graph, unless biases
// of groups are learned, which happens at the end of a run.
template <Game G>
std::vector<Choice> choices_of_search(const G& root, const SearchConfig& config, std::uint64_t seed,
                                      std::span<const std::uint64_t> counts, const Grouper<G>& grouper = {},
                                      const GroupingOptions& grouping = {}) {
  Search<G> search(root, config, seed);
  if (grouper) search.group_with(grouper, grouping);
  std::vector<Choice> choices;
  std::uint64_t done = 0;
  for (const std::uint64_t count : counts) {
    if (count > done) search.run({.simulations = count - done}, {});
    done = count;
    const SearchResult result = search.result();
    const RootEdge* best = nullptr;
    for (const RootEdge& edge : result.edges)
      if (edge.visits > 0 && (best == nullptr || edge.value > best->value)) best = &edge;
    choices.push_back({best == nullptr ? kNoMove : best->move, result.num_nodes});
  }
  return choices;
}

// Flat Monte-Carlo: the root's moves in turn, each followed by a random playout; no graph.
template <Game G>
std::vector<Choice> choices_of_flat_monte_carlo(const G& root, std::uint64_t seed,
                                                std::span<const std::uint64_t> counts) {
  Rng rng(seed);
  MoveList moves, scratch;
  root.legal_moves(moves);
  std::vector<double> sums(moves.size());
  const auto mean = [&](std::size_t i, std::uint64_t done) {  // for the mover; below any other if never tried
    const std::uint64_t n = done / moves.size() + (i < done % moves.size() ? 1 : 0);
    if (n == 0) return -1.0;
    const double first = sums[i] / static_cast<double>(n);
    return root.to_play() == 0 ? first : 1 - first;
  };
  std::vector<Choice> choices;
  std::uint64_t done = 0;
  for (const std::uint64_t count : counts) {
    for (; done < count; ++done) {
      G state = root;
      state.play(moves[done % moves.size()]);
      sums[done % moves.size()] += play_out_uniformly<G, MadeMoves>(state, rng, nullptr, scratch);
    }
    std::size_t best = 0;
    for (std::size_t i = 1; i < moves.size(); ++i)
      if (mean(i, done) > mean(best, done)) best = i;
    choices.push_back({moves[best], 0});
  }
  return choices;
}

}  // namespace tesuji
