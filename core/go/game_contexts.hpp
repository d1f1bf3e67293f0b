// A game as rows of patterns: for each of its positions the legal moves, with their contexts in the form that all
// symmetries share, and which of them was played. What patterns are learned from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "go/board.hpp"
#include "go/contexts.hpp"

namespace tesuji::go {

struct GameContexts {
  std::vector<std::int64_t> starts;     // by position, its first row; then the number of rows
  std::vector<std::int32_t> points;     // by row
  std::vector<std::int64_t> played;     // by position, the row of the move; -1 for a pass
  std::vector<std::uint64_t> contexts;  // by row, one for each of the sizes
};

// The positions of a game in which a turn was made. `board` is where it begins; `sizes` are indices into kContextSizes.
// Throws std::invalid_argument for a turn that is not legal.
GameContexts contexts_of_game(Board board, std::span<const Board::Turn> turns, std::span<const std::size_t> sizes);

// By point of a board, from the side to move; 0 where a stone stands. With `is_symmetric` the form of all symmetries.
std::vector<std::uint64_t> contexts_of_board(const Board& board, Color mover, std::size_t size, bool is_symmetric);

}  // namespace tesuji::go
