// Light playouts: both sides play uniformly over their legal moves that do not fill an own eye, until two passes.
// Suicide is never played and only the simple ko is observed, whatever the rules of the game: exact repetition belongs
// to the tree, and the length limit ends the rare cycle.
#pragma once

#include "go/stones.hpp"

namespace tesuji::go {

struct PlayoutLimits {
  int max_moves;     // counted with passes; Pividori 2015 uses three times the number of points
  int mercy_margin;  // stop when one side has this many stones more than the other; 0: never
};

constexpr PlayoutLimits standard_limits(int num_points) { return {3 * num_points + 20, 0}; }

// What a playout's players refuse to play, besides filling own eyes: a manner hands out a predicate per colour.
struct AnyMove {
  template <Color C, class Stones>
  RefuseNothing refusals(const Stones&) const {
    return {};
  }
};

// Nobody listens to the moves of a playout.
struct NoRecord {
  constexpr void operator()(Cell, Color) const {}
};

namespace detail {

// One side's step: true while the playout goes on.
template <Color C, bool Mercy, class Stones, class Rng, class Manner, class Record>
TESUJI_ALWAYS_INLINE bool step(Stones& stones, int& passes, int& moves_left, int mercy_margin, Rng& rng,
                               const Manner& manner, const Record& record) {
  --moves_left;
  const Cell cell = stones.template play_uniformly<C>(rng, manner.template refusals<C>(stones));
  record(cell, C);
  if (cell == kPass) return ++passes < 2;
  passes = 0;
  if (Mercy && (C == Color::Black ? stones.stone_margin() : -stones.stone_margin()) >= mercy_margin) return false;
  return moves_left > 0;
}

template <bool Mercy, class Stones, class Rng, class Manner, class Record>
int play_out(Stones& stones, Color to_play, int passes, const PlayoutLimits& limits, Rng& shared_rng,
             const Manner& manner, const Record& record) {
  Rng rng = shared_rng;  // a local copy stays in registers
  int moves_left = limits.max_moves;
  bool goes_on = passes < 2 && moves_left > 0;
  bool skip_black = to_play == Color::White;
  while (goes_on) {
    goes_on =
        skip_black || step<Color::Black, Mercy>(stones, passes, moves_left, limits.mercy_margin, rng, manner, record);
    skip_black = false;
    goes_on =
        goes_on && step<Color::White, Mercy>(stones, passes, moves_left, limits.mercy_margin, rng, manner, record);
  }
  shared_rng = rng;
  return limits.max_moves - moves_left;
}

}  // namespace detail

// Plays on `stones` to the end and returns the number of moves, the passes among them. `passes` is the number of
// consecutive passes just before `to_play` moves; `record` hears every move as (cell, colour).
template <class Stones, class Rng, class Manner = AnyMove, class Record = NoRecord>
int play_out(Stones& stones, Color to_play, int passes, const PlayoutLimits& limits, Rng& rng,
             const Manner& manner = {}, const Record& record = {}) {
  return limits.mercy_margin > 0 ? detail::play_out<true>(stones, to_play, passes, limits, rng, manner, record)
                                 : detail::play_out<false>(stones, to_play, passes, limits, rng, manner, record);
}

// The owner of a point where a playout ended: its stone, or the one colour that surrounds an empty point.
template <class Stones>
Color owner_at_end(const Stones& stones, Cell cell) {
  if (stones.color(cell) != Color::Empty) return stones.color(cell);
  const std::uint32_t word = stones.around(cell);
  if (word & near::kAnyEmpty) return Color::Empty;
  const bool black = word & near::kAnyBlack, white = word & near::kAnyWhite;
  return black == white ? Color::Empty : black ? Color::Black : Color::White;
}

// Area of black minus area of white where a playout ended, without komi.
template <class Stones>
int area_margin_at_end(const Stones& stones) {
  int margin = stones.stone_margin();
  for (int slot = 0; slot < stones.num_empty(); ++slot) {
    const Color owner = owner_at_end(stones, stones.empty(slot));
    margin += (owner == Color::Black) - (owner == Color::White);
  }
  return margin;
}

}  // namespace tesuji::go
