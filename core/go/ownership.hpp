// Who owns each point at the end of playouts: the raw material for dead stones, sekis and pictures.
//
// The playouts here are light but for one refusal: nobody puts four or more own stones into atari. Without it nobody
// can hold a seki. Up to three stones may be given up, because that is how a group with one large eye is killed; a
// larger sacrifice inside an eye nearly always gives the group two.
#pragma once

#include <cstdint>
#include <vector>

#include "go/board.hpp"

namespace tesuji::go {

struct Ownership {
  std::vector<int> margins;  // per point: playouts that black ended owning it, minus those that white did
  std::vector<int> open;     // per point: playouts that ended with it empty between both colours
  int num_playouts = 0;
};

Ownership ownership(const Board& board, int num_playouts, std::uint64_t seed);

// Light playouts from a board: per playout black's area minus white's, without komi.
std::vector<int> playout_margins(const Board& board, int num_playouts, std::uint64_t seed, int mercy_margin);

// Plays one light playout on the board itself, to its two passes.
void play_randomly(Board& board, std::uint64_t seed);

}  // namespace tesuji::go
