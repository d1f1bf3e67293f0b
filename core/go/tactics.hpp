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

  bool has(Cell cell) const { return std::find(begin(), end(), cell) != end(); }
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

// Visits each chain of colour `color` that touches a cell, once.
template <class S, class Visit>
void for_each_chain_around(const S& stones, Cell cell, Color color, Visit visit) {
  if ((stones.around(cell) & near::any(color)) == 0) return;
  FewCells<4> seen;
  for (const int step : S::L::kOrthogonal) {
    const auto other = static_cast<Cell>(cell + step);
    if (stones.color(other) != color || seen.has(stones.chain(other))) continue;
    seen.add(stones.chain(other));
    visit(stones.chain(other));
  }
}

// What a move does, as far as playouts care.
struct Outcome {
  int liberties = 0;     // of the stone's chain afterwards, at most three; a captured stone counts where it was
  int chain_size = 1;    // of that chain
  int captured = 0;      // stones
  Cell liberty = kPass;  // one of the liberties
};

template <Color C, class S>
Outcome outcome_of(const S& stones, Cell cell) {
  Outcome outcome;
  FewCells<3> liberties;
  const auto add = [&](Cell liberty) {
    if (liberty != cell) liberties.add(liberty);
  };
  FewCells<4> joined;
  for (const int step : S::L::kOrthogonal) {
    const auto other = static_cast<Cell>(cell + step);
    const Color color = stones.color(other);
    if (color == Color::Empty) {
      add(other);
    } else if (color == opponent(C)) {
      const Cell chain = stones.chain(other);
      if (stones.atari_liberty(chain) != cell) continue;
      add(other);
      if (!joined.has(chain)) outcome.captured += stones.chain_size(chain);
      joined.add(chain);
    } else if (color == C) {
      const Cell chain = stones.chain(other);
      if (joined.has(chain)) continue;
      joined.add(chain);
      outcome.chain_size += stones.chain_size(chain);
      for (const Cell liberty : few_liberties<4>(stones, chain)) add(liberty);
    }
  }
  outcome.liberties = static_cast<int>(liberties.size);
  outcome.liberty = liberties.size > 0 ? liberties.cells[0] : kPass;
  return outcome;
}

// A move that captures nothing and leaves its chain with one liberty, or none. `outcome` receives what it does, if that
// was looked at.
template <Color C, class S>
bool is_self_atari(const S& stones, Cell cell, Outcome& outcome) {
  if (near::num_empty(stones.around(cell)) >= 2) return false;
  outcome = outcome_of<C>(stones, cell);
  return outcome.captured == 0 && outcome.liberties < 2;
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

// --- ladders
// ----------------------------------------------------------------------------------------------------------

namespace detail {

inline constexpr int kLadderDepth = 60;

template <Color Prey, class S>
bool ladder_holds(const S& stones, Cell prey, int depth);

// The hunter is to move and the prey has two liberties: does either move catch it?
template <Color Prey, class S>
bool hunter_catches(const S& stones, Cell prey, int depth) {
  constexpr Color kHunter = opponent(Prey);
  const auto liberties = few_liberties<3>(stones, prey);
  if (liberties.size != 2) return liberties.size < 2;
  for (const Cell move : liberties) {
    if (!is_playable<kHunter>(stones, move)) continue;
    S after = stones;
    after.template play<kHunter>(move);
    if (after.in_atari(after.chain(move))) {  // it can be taken unless that is the prey's only way out
      const Cell taken_at = after.atari_liberty(after.chain(move));
      if (few_liberties<2>(after, prey).cells[0] != taken_at) continue;
    }
    if (ladder_holds<Prey>(after, prey, depth + 1)) return true;
  }
  return false;
}

// The prey is to move and has one liberty: is it lost whatever it does?
template <Color Prey, class S>
bool ladder_holds(const S& stones, Cell prey, int depth) {
  if (depth > kLadderDepth) return false;
  FewCells<6> moves;
  for_each_capture_around<Prey>(stones, prey, [&](Cell liberty, Cell) { moves.add(liberty); });
  moves.add(few_liberties<1>(stones, prey).cells[0]);
  for (const Cell move : moves) {
    if (!is_playable<Prey>(stones, move)) continue;
    S after = stones;
    after.template play<Prey>(move);
    const auto liberties = few_liberties<3>(after, prey);
    if (liberties.size >= 3) return false;
    if (liberties.size == 2 && !hunter_catches<Prey>(after, prey, depth + 1)) return false;
  }
  return true;
}

}  // namespace detail

// A chain of colour Prey in atari, Prey to move: is it caught even if it runs?
template <Color Prey, class S>
bool is_caught_in_ladder(const S& stones, Cell prey) {
  return detail::ladder_holds<Prey>(stones, prey, 0);
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
  return detail::ladder_holds<Prey>(after, prey, 0);
}

// --- eye spaces
// -------------------------------------------------------------------------------------------------------

// The vital point of a shape of three to six cells, if it has one: who plays there first kills or lives. The shapes are
// told apart by how many neighbours of the shape each cell has: three in a row or bent, pyramid four, crossed and bulky
// five, rabbity six. kPass for others.
template <class S>
Cell vital_point(const S&, const Cell* cells, std::size_t size) {
  if (size < 3 || size > 6) return kPass;
  std::array<int, 5> with{};  // cells by number of neighbours
  Cell vital = kPass;
  int most = 0;
  for (std::size_t i = 0; i < size; ++i) {
    int neighbours = 0;
    for (std::size_t j = 0; j < size; ++j)
      for (const int step : S::L::kOrthogonal) neighbours += cells[j] == static_cast<Cell>(cells[i] + step);
    ++with[static_cast<std::size_t>(neighbours)];
    if (neighbours > most) {
      most = neighbours;
      vital = cells[i];
    }
  }
  const bool has_one = (size == 3 && most == 2) || (size == 4 && most == 3) || (size == 5 && most == 4) ||
                       (size == 5 && most == 3 && with[1] == 1 && with[2] == 3) ||
                       (size == 6 && most == 4 && with[1] == 2 && with[2] == 3);
  return has_one ? vital : kPass;
}

// The vital point of the small empty region around a cell that stones of one colour enclose; kPass if there is none.
template <class S>
Cell vital_point_of_region(const S& stones, Cell empty) {
  FewCells<6> region;
  region.add(empty);
  std::uint32_t around = 0;
  for (std::size_t next = 0; next < region.size; ++next) {
    around |= stones.around(region.cells[next]);
    if ((around & near::kAnyBlack) && (around & near::kAnyWhite)) return kPass;
    for (const int step : S::L::kOrthogonal) {
      const auto other = static_cast<Cell>(region.cells[next] + step);
      if (stones.color(other) == Color::Empty && !region.add(other)) return kPass;
    }
  }
  return vital_point(stones, region.cells.data(), region.size);
}

}  // namespace tesuji::go
