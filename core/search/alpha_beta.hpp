// Alpha-beta over any game, to the end of it: no depth limit, no evaluation, no table. What UCT is compared with on
// artificial games (the UCT-DAG report, figure 1.2); the cost is counted in leaves.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "games/game.hpp"

namespace tesuji {

struct AlphaBetaResult {
  double value = 0.5;   // of the root, for the first player
  Move move = kNoMove;  // the first that reaches it; kNoMove at the end of a game
  std::uint64_t leaves = 0;
};

namespace detail {

// The value of `state`, exact within alpha..beta. `lists` lends a list of moves to each level.
template <Game G>
double alpha_beta(const G& state, double alpha, double beta, std::size_t level, std::vector<MoveList>& lists,
                  AlphaBetaResult& result) {
  if (state.is_over()) {
    ++result.leaves;
    return state.value();
  }
  if (lists.size() <= level) lists.resize(level + 1);
  lists[level].clear();
  state.legal_moves(lists[level]);
  const bool maximises = state.to_play() == 0;
  double best = maximises ? -1 : 2;
  for (std::size_t i = 0; i < lists[level].size(); ++i) {
    const Move move = lists[level][i];
    G after = state;
    after.play(move);
    const double value = alpha_beta(after, alpha, beta, level + 1, lists, result);
    if (maximises ? value > best : value < best) {
      best = value;
      if (level == 0) result.move = move;
    }
    (maximises ? alpha : beta) = maximises ? std::max(alpha, best) : std::min(beta, best);
    if (alpha >= beta) break;
  }
  return best;
}

}  // namespace detail

// Values lie in 0..1, so the window begins there: nothing is better than a win.
template <Game G>
AlphaBetaResult alpha_beta(const G& root) {
  AlphaBetaResult result;
  std::vector<MoveList> lists;
  result.value = detail::alpha_beta(root, 0.0, 1.0, 0, lists, result);
  return result;
}

}  // namespace tesuji
