// The positions of recorded games under one number each, whichever way the board is turned and whoever has which
// colour: what a database of games searches by. See docs/algorithms/game-database.md.
//
// A position's key is the least of the hashes of its sixteen forms: eight turns and mirrors, each with both colours.
// Stones and the side to move count, ko and passes do not. On a rectangle there are four turns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tesuji::go {

// A game as a file has it: stones before the first move, then moves as recorded.
struct RecordedGame {
  // A move: a point, or width * height for a pass, and this bit for White.
  static constexpr std::uint16_t kWhite = 0x8000;
  static constexpr std::uint16_t kNone = 0xFFFF;

  int width, height;
  std::vector<int> black, white;  // points of the set-up
  std::vector<std::uint16_t> moves;
};

struct PositionKeys {
  std::vector<std::uint64_t> keys;  // before the first move and after each
  std::vector<std::uint8_t> forms;  // by position, the form that has the key: the turn, and 8 for exchanged colours
  std::vector<bool> is_form;        // of the last position, the forms that have it: more than one if it is symmetric
  int first_impossible = -1;        // a move that no rule allows ends the line; else -1
};

// Retaking a ko and suicide are played as recorded; a stone on another one, or off the board, is impossible.
PositionKeys position_keys(const RecordedGame& game);

// A pattern: a picture of points that must look so somewhere.
struct LocalPattern {
  enum Sign : std::uint8_t { kEmpty = 0, kBlack = 1, kWhite = 2, kOffBoard = 3, kAny = 4 };
  int width, height;
  std::vector<std::uint8_t> signs;  // row after row
};

// Where a pattern was first seen in a game.
struct PatternFound {
  int number;       // of moves before it
  int form;         // how the pattern was turned, and 8 for exchanged colours
  int row, column;  // where its upper left corner, so turned, lies; it may lie off the board
};

// The first place of a pattern in a game with the whole game replayed; false if there is none.
bool find_pattern(const RecordedGame& game, const LocalPattern& pattern, bool exchanges_colors, PatternFound& found);

}  // namespace tesuji::go
