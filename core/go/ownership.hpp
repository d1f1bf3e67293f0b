// Who owns each point at the end of playouts: the raw material for dead stones, sekis and pictures.
//
// The playouts follow a policy, but forget the moves that led to the position: the game counts as over.
#pragma once

#include <cstdint>
#include <vector>

#include "go/board.hpp"
#include "go/policy.hpp"

namespace tesuji::go {

struct Ownership {
  std::vector<int> margins;  // per point: playouts that black ended owning it, minus those that white did
  std::vector<int> open;     // per point: playouts that ended with it empty between both colours
  int num_playouts = 0;
};

Ownership ownership(const Board& board, const PlayoutPolicy& policy, int num_playouts, std::uint64_t seed);

// Light playouts from a board: per playout black's area minus white's, without komi.
std::vector<int> playout_margins(const Board& board, int num_playouts, std::uint64_t seed, int mercy_margin);

// Plays one light playout on the board itself, to its two passes.
void play_randomly(Board& board, std::uint64_t seed);

}  // namespace tesuji::go
