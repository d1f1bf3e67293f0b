// The first player: plain UCT with light playouts, one thread. It gives the demo and the GTP engine an honest opponent
// until the search library takes its place, so it has no option that the library would not have.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "go/board.hpp"

namespace tesuji::go {

struct UctConfig {
  int num_simulations = 1000;
  double time_limit_s = 0;   // 0: none
  double exploration = 0.5;  // C of Q + C * sqrt(ln N / n)
  double komi = 7.5;
  std::uint64_t seed = 1;
};

struct UctCandidate {
  int move = 0;
  int visits = 0;
  double winrate = 0;          // for the side to move at the root
  std::vector<int> main_line;  // begins with `move`
};

struct UctAnalysis {
  std::vector<UctCandidate> candidates;  // most visited first
  std::vector<double> ownership;         // per point, -1 white's .. 1 black's, mean over all simulations
  int num_simulations = 0;
};

// `goes_on` is asked a few times a second with what is known so far; false ends the search.
UctAnalysis uct_search(const Board& board, const UctConfig& config,
                       const std::function<bool(const UctAnalysis&)>& goes_on);

}  // namespace tesuji::go
