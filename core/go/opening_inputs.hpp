// What a network that learns the opening sees of a position: the features A to E of Huang, Connell and McQuade (2003),
// "Experiments with Learning Opening Strategy in the Game of Go", section 3.3, one group of inputs for each point.
//
//   A  2 inputs: occupied; by a friendly stone. And one input for the whole board: the points that are not on it
//      (captures and komi), in tens.
//   B  distance to the nearest edge on the left or right, and to the nearest above or below: 0, 1, 2, 3, 4+
//   C  liberties of the block that the stone belongs to: 1, 2, 3, 4, 5+
//   D  stones of that block: 1, 2, 3, 4, 5+
//   E  stones within Manhattan distance 3 of that block, without its own: of its colour, and of the other: 0 .. 4+
//
// Each of B to E is left out, a scalar (the number divided by that of its last bin, without a cap) or binary (one of
// five inputs is 1). Points without a stone have zeros in C, D and E. The position is first turned into the smallest of
// its images under the symmetries of the board, so that images have equal inputs.
//
// Nothing here learns: see tesuji.learning.td.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "go/position.hpp"

namespace tesuji::go {

enum class Representation : std::uint8_t { Absent, Scalar, Binary };

struct OpeningFeatures {
  Representation edges = Representation::Absent;      // B
  Representation liberties = Representation::Absent;  // C
  Representation stones = Representation::Absent;     // D
  Representation nearby = Representation::Absent;     // E

  int num_inputs_per_point() const;
  int num_inputs(int num_points) const { return num_points * num_inputs_per_point() + 1; }
};

// Positions one move later, each seen by whoever has made the move.
struct AfterStates {
  std::vector<int> moves;     // points
  std::vector<float> inputs;  // a row of num_inputs for each move
};

// After each of these moves; with `all`, after each move on an empty point that is neither ko nor suicide, and `moves`
// is not looked at. `points_off_board` are those of the side to move before its move: stones it has captured minus
// stones it has lost, plus or minus komi. Throws std::invalid_argument for a move that is not on an empty point.
AfterStates opening_after_states(const Position& position, std::span<const int> moves, bool all,
                                 double points_off_board, const OpeningFeatures& features);

// The position as it stands, seen by one colour, which has so many points off the board.
std::vector<float> opening_inputs(const Position& position, Color friendly, double points_off_board,
                                  const OpeningFeatures& features);

}  // namespace tesuji::go
