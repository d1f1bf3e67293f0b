// Questions about chains and moves that need exact liberties; for playouts and knowledge that ask them.
//
// A chain is named by any of its stones. Where a function takes a colour C, C is about to move.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "go/stones.hpp"

namespace tesuji::go {

// Up to `Limit` cells; one more is not kept, only known to exist.
template <std::size_t Limit>
struct FewCells {
  std::array<Cell, Limit> cells{};
  std::size_t size = 0;

  bool has(Cell cell) const {
    for (std::size_t i = 0; i < size; ++i)  // std::find() takes more instructions for so few
      if (cells[i] == cell) return true;
    return false;
  }
  // False if there was no room.
  bool add(Cell cell) {
    if (has(cell)) return true;
    if (size == Limit) return false;
    cells[size++] = cell;
    return true;
  }
  const Cell* begin() const { return cells.data(); }
  const Cell* end() const { return cells.data() + size; }
};

// The liberties of a chain, at most `Limit` of them. The walk ends as soon as they are found, so asking whether a large
// chain has two is cheap.
template <std::size_t Limit, class S>
FewCells<Limit> few_liberties(const S& stones, Cell chain) {
  FewCells<Limit> found;
  Cell stone = chain;
  do {
    if (stones.around(stone) & near::kAnyEmpty)
      for (const int step : S::L::kOrthogonal) {
        const auto cell = static_cast<Cell>(stone + step);
        if (stones.color(cell) != Color::Empty) continue;
        found.add(cell);
        if (found.size == Limit) return found;
      }
    stone = stones.next_stone(stone);
  } while (stone != chain);
  return found;
}

// How many liberties a chain has, up to three; and which, if no more than two. Walks to the first stone that has one.
struct ChainLiberties {
  int number = 0;
  std::array<Cell, 2> cells{};
};
template <class S>
ChainLiberties liberties_of(const S& stones, Cell stone) {
  const Cell chain = stones.chain(stone);
  if (stones.num_pairs(chain) > 8) return {.number = 3};
  while ((stones.around(stone) & near::kAnyEmpty) == 0) stone = stones.next_stone(stone);
  const auto direction = static_cast<std::size_t>(near::first_empty(stones.around(stone)));
  const auto first = static_cast<Cell>(stone + S::L::kOrthogonal[direction]);
  const auto besides = stones.liberties_besides(chain, first);
  return {.number = 1 + besides.number, .cells = {first, besides.cell}};
}

// Visits each chain of colour `color` that touches a cell, once.
template <class S, class Visit>
void for_each_chain_around(const S& stones, Cell cell, Color color, Visit visit) {
  if ((stones.around(cell) & near::any(color)) == 0) return;
  FewCells<4> seen;
  for (const int step : S::L::kOrthogonal) {
    const auto other = static_cast<Cell>(cell + step);
    if (stones.color(other) != color || seen.has(stones.chain(other))) continue;
    seen.cells[seen.size++] = stones.chain(other);
    visit(stones.chain(other));
  }
}

// --- what a move of C on an empty cell does ---

// The stones that it captures.
template <Color C, class S>
int num_captured_by(const S& stones, Cell cell) {
  int captured = 0;
  for_each_chain_around(stones, cell, opponent(C), [&](Cell chain) {
    if (stones.atari_liberty(chain) == cell) captured += stones.chain_size(chain);
  });
  return captured;
}

// The size of the chain that it makes.
template <Color C, class S>
int chain_size_after(const S& stones, Cell cell) {
  int size = 1;
  for_each_chain_around(stones, cell, C, [&](Cell chain) { size += stones.chain_size(chain); });
  return size;
}

// The liberties of that chain, counted up to `Enough`; a captured stone counts where it was.
template <Color C, std::size_t Enough, class S>
int liberties_after(const S& stones, Cell cell) {
  static_assert(Enough >= 2);
  const std::uint32_t word = stones.around(cell);
  if (near::num_empty(word) >= static_cast<int>(Enough)) return Enough;
  FewCells<Enough> found;
  for (std::size_t direction = 0; direction < 4 && found.size < Enough; ++direction) {
    const auto other = static_cast<Cell>(cell + S::L::kOrthogonal[direction]);
    if (near::is(Color::Empty, word, static_cast<int>(direction))) {
      found.add(other);
    } else if (near::is(opponent(C), word, static_cast<int>(direction))) {
      if (stones.atari_liberty(stones.chain(other)) == cell) found.add(other);
    } else if (near::is(C, word, static_cast<int>(direction))) {
      const Cell chain = stones.chain(other);
      if (stones.num_pairs(chain) > 4 * Enough) return Enough;
      const auto besides = stones.liberties_besides(chain, cell);
      if (besides.number == 1) found.add(besides.cell);
      if (besides.number < 2) continue;
      if (Enough == 2) return Enough;
      for (const Cell liberty : few_liberties<Enough + 1>(stones, chain))
        if (liberty != cell) found.add(liberty);
    }
  }
  return static_cast<int>(found.size);
}

// All of that, as far as playouts care.
struct Outcome {
  int liberties = 0;  // up to three
  int chain_size = 1;
  int captured = 0;
};
template <Color C, class S>
Outcome outcome_of(const S& stones, Cell cell) {
  return {liberties_after<C, 3>(stones, cell), chain_size_after<C>(stones, cell), num_captured_by<C>(stones, cell)};
}

// Does it capture nothing and leave its chain with one liberty, or none? `liberty` receives that one, or kPass.
template <Color C, class S>
bool is_self_atari(const S& stones, Cell cell, Cell& liberty) {
  const std::uint32_t word = stones.around(cell);
  if (near::num_empty(word) >= 2) return false;
  liberty = kPass;
  for (std::size_t direction = 0; direction < 4; ++direction) {
    const auto other = static_cast<Cell>(cell + S::L::kOrthogonal[direction]);
    Cell found = kPass;
    if (near::is(Color::Empty, word, static_cast<int>(direction))) {
      found = other;
    } else if (near::is(opponent(C), word, static_cast<int>(direction))) {
      if (stones.atari_liberty(stones.chain(other)) == cell) return false;
    } else if (near::is(C, word, static_cast<int>(direction))) {
      const Cell chain = stones.chain(other);
      if (stones.num_pairs(chain) > 8) return false;
      const auto besides = stones.liberties_besides(chain, cell);
      if (besides.number > 1) return false;
      found = besides.cell;
    }
    if (found == kPass || found == liberty) continue;
    if (liberty != kPass) return false;
    liberty = found;
  }
  return true;
}

// The only liberties of enemy chains around a chain, each chain once (up to eight of them): moves that capture them
// give the chain air.
template <Color C, class S, class Visit>
void for_each_capture_around(const S& stones, Cell chain, Visit visit) {
  FewCells<8> seen;
  Cell stone = chain;
  do {
    if (stones.around(stone) & near::any(opponent(C)))
      for (const int step : S::L::kOrthogonal) {
        const auto other = static_cast<Cell>(stone + step);
        if (stones.color(other) != opponent(C)) continue;
        const Cell attacker = stones.chain(other), liberty = stones.atari_liberty(attacker);
        if (liberty == kPass || seen.has(attacker)) continue;
        if (seen.add(attacker)) visit(liberty, attacker);
      }
    stone = stones.next_stone(stone);
  } while (stone != chain);
}

// May C play here at all? Not where a stone stands, on the ko, or without a liberty left.
template <Color C, class S>
bool is_playable(const S& stones, Cell cell) {
  return stones.color(cell) == Color::Empty && cell != stones.ko() && !stones.template is_suicide<C>(cell);
}

// An eye whose empty diagonals are eyes themselves, not only points that may become friends: EyePotential off in
// Basaldúa, 4.3.1. The cell must be an eye with them counted as friends.
template <Color C, class S>
bool is_complete_eye(const S& stones, Cell cell) {
  int strangers = 0, off_board = 0;
  for (const int step : S::L::kDiagonal) {
    const auto diagonal = static_cast<Cell>(cell + step);
    const Color color = stones.color(diagonal);
    off_board += color == Color::OffBoard;
    strangers += color == opponent(C) || (color == Color::Empty && !stones.template is_eye<C>(diagonal));
  }
  return strangers + (off_board > 0) < 2;
}

// --- ladders
// ----------------------------------------------------------------------------------------------------------

namespace detail {

// Moves tried in one ladder. From corner to corner of the largest board and back takes about 300; what needs more
// branches, and counts as an escape.
inline constexpr int kLadderMoves = 600;

template <Color Prey, class S>
bool ladder_holds(const S& stones, Cell prey, int& moves_left);

// The hunter is to move and the prey has two liberties: does either move catch it?
template <Color Prey, class S>
bool hunter_catches(const S& stones, Cell prey, int& moves_left) {
  constexpr Color kHunter = opponent(Prey);
  const ChainLiberties liberties = liberties_of(stones, prey);
  if (liberties.number != 2) return liberties.number < 2;
  for (const Cell move : liberties.cells) {
    if (!is_playable<kHunter>(stones, move)) continue;
    S after = stones;
    after.template play<kHunter>(move);
    if (after.in_atari(after.chain(move))) {  // it can be taken unless that is the prey's only way out
      const Cell taken_at = after.atari_liberty(after.chain(move));
      if (liberties_of(after, prey).cells[0] != taken_at) continue;
    }
    if (ladder_holds<Prey>(after, prey, moves_left)) return true;
  }
  return false;
}

// The prey is to move and has one liberty: is it lost whatever it does?
template <Color Prey, class S>
bool ladder_holds(const S& stones, Cell prey, int& moves_left) {
  FewCells<6> moves;
  for_each_capture_around<Prey>(stones, prey, [&](Cell liberty, Cell) { moves.add(liberty); });
  moves.add(liberties_of(stones, prey).cells[0]);
  for (const Cell move : moves) {
    if (!is_playable<Prey>(stones, move)) continue;
    if (--moves_left < 0) return false;
    S after = stones;
    after.template play<Prey>(move);
    const ChainLiberties liberties = liberties_of(after, prey);
    if (liberties.number >= 3) return false;
    if (liberties.number == 2 && !hunter_catches<Prey>(after, prey, moves_left)) return false;
  }
  return true;
}

}  // namespace detail

// A chain of colour Prey in atari, Prey to move: is it caught even if it runs?
template <Color Prey, class S>
bool is_caught_in_ladder(const S& stones, Cell prey) {
  int moves_left = detail::kLadderMoves;
  return detail::ladder_holds<Prey>(stones, prey, moves_left);
}

// A chain with two liberties: does the opponent, to move, catch it by putting it into atari at `move`?
template <Color Prey, class S>
bool is_ladder_move(const S& stones, Cell prey, Cell move) {
  constexpr Color kHunter = opponent(Prey);
  if (!is_playable<kHunter>(stones, move)) return false;
  S after = stones;
  after.template play<kHunter>(move);
  if (!after.in_atari(after.chain(prey))) return false;
  if (after.in_atari(after.chain(move)) &&
      after.atari_liberty(after.chain(move)) != after.atari_liberty(after.chain(prey)))
    return false;
  int moves_left = detail::kLadderMoves;
  return detail::ladder_holds<Prey>(after, prey, moves_left);
}

}  // namespace tesuji::go
