// Eye spaces: their vital points, stones that kill from inside, eyes that look false and are none the less real.
//
// A *space* is what one colour encloses, with the stones of the other inside it. Where a function takes a colour C, C
// is about to move. docs/algorithms/playouts.md tells the rules.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/attributes.hpp"
#include "go/stones.hpp"
#include "go/tactics.hpp"

namespace tesuji::go {

// The vital point of a shape of three to six cells, if it has one: who plays there first kills or lives. The shapes are
// told apart by how many neighbours in the shape each cell has: three in a row or bent, pyramid four, crossed and bulky
// five, rabbity six. kPass for others.
template <class NumNeighbours>
Cell vital_point_by(const Cell* cells, std::size_t size, NumNeighbours num_neighbours) {
  if (size < 3 || size > 6) return kPass;
  std::array<int, 5> with{};  // cells by number of neighbours
  Cell vital = kPass;
  int most = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const int neighbours = num_neighbours(cells[i]);
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
template <class S>
Cell vital_point(const S&, const Cell* cells, std::size_t size) {
  return vital_point_by(cells, size, [&](Cell cell) {
    int neighbours = 0;
    for (std::size_t i = 0; i < size; ++i)
      for (const int step : S::L::kOrthogonal) neighbours += cells[i] == static_cast<Cell>(cell + step);
    return neighbours;
  });
}

// Does the region of an empty cell show at a glance that it has more than six? The neighbours of two opposite
// neighbours are different cells.
template <class S>
bool has_more_than_six(const S& stones, Cell empty) {
  const std::uint32_t word = stones.around(empty);
  const auto beyond = [&](int direction) {
    if (!near::is(Color::Empty, word, direction)) return 0;
    const int step = S::L::kOrthogonal[static_cast<std::size_t>(direction)];
    return near::num_empty(stones.around(static_cast<Cell>(empty + step))) - 1;
  };
  const int seen = 1 + near::num_empty(word);
  return seen + beyond(0) + beyond(1) > 6 || seen + beyond(2) + beyond(3) > 6;
}

// The vital point of the small empty region around a cell that stones of one colour enclose; kPass if there is none.
// Most regions are open; they are left as soon as that shows.
template <class S>
Cell vital_point_of_region(const S& stones, Cell empty) {
  const auto is_between = [](std::uint32_t around) { return (around & near::kAnyBlack) && (around & near::kAnyWhite); };
  std::uint32_t around = stones.around(empty);
  if (is_between(around) || has_more_than_six(stones, empty)) return kPass;
  FewCells<6> region;
  region.add(empty);
  for (std::size_t next = 0; next < region.size; ++next) {
    const Cell cell = region.cells[next];
    for (std::size_t direction = 0; direction < 4; ++direction) {
      if (!near::is(Color::Empty, stones.around(cell), static_cast<int>(direction))) continue;
      const auto other = static_cast<Cell>(cell + S::L::kOrthogonal[direction]);
      if (!region.add(other)) return kPass;
      around |= stones.around(other);
      if (is_between(around)) return kPass;
    }
  }
  // All empty neighbours of a cell of the region are in it.
  return vital_point_by(region.cells.data(), region.size,
                        [&](Cell cell) { return near::num_empty(stones.around(cell)); });
}

// --- stones that kill from inside ---

// Stones that the opponent would take with one move.
using Doomed = FewCells<6>;

// The chain that a move of C makes. False if it has more than six stones.
template <Color C, class S>
bool find_doomed(const S& stones, Cell cell, Doomed& doomed) {
  bool has_room = doomed.add(cell);
  for_each_chain_around(stones, cell, C, [&](Cell chain) {
    has_room = has_room && stones.chain_size(chain) <= 5;
    if (!has_room) return;
    Cell stone = chain;
    do {
      has_room = has_room && doomed.add(stone);
      stone = stones.next_stone(stone);
    } while (stone != chain);
  });
  return has_room;
}

template <class S>
bool is_square(const Doomed& shape) {
  if (shape.size != 4) return false;
  const Cell corner = *std::min_element(shape.begin(), shape.end());
  return shape.has(static_cast<Cell>(corner + 1)) && shape.has(static_cast<Cell>(corner + S::L::kStride)) &&
         shape.has(static_cast<Cell>(corner + S::L::kStride + 1));
}

// Four stones bent in the corner of the board: the corner, one point beside it, two on the other side. What is taken
// there is attacked again on the point beside the corner, and lives by a ko at best.
template <class S>
bool is_bent_four_in_corner(const S& stones, const Doomed& shape) {
  if (shape.size != 4) return false;
  for (const Cell corner : shape) {
    int num_edges = 0, num_beside = 0, num_beyond = 0;
    for (const int step : S::L::kOrthogonal) {
      const auto beside = static_cast<Cell>(corner + step);
      num_edges += stones.color(beside) == Color::OffBoard;
      if (!shape.has(beside)) continue;
      ++num_beside;
      num_beyond += shape.has(static_cast<Cell>(beside + step));
    }
    if (num_edges == 2 && num_beside == 2 && num_beyond == 1) return true;
  }
  return false;
}

// Does a space of this shape, emptied by a capture, have one eye only if its enemy moves first?
template <class S>
bool leaves_one_eye(const S& stones, const Doomed& shape) {
  return vital_point(stones, shape.cells.data(), shape.size) != kPass || is_square<S>(shape) ||
         is_bent_four_in_corner(stones, shape);
}

// Is an empty cell air that stones of colour C have to themselves: an eye, or room for one, or a way out?
template <Color C, class S>
bool is_own_air(const S& stones, Cell cell) {
  const std::uint32_t word = stones.around(cell);
  if (word & near::any(opponent(C))) return false;
  return near::num_empty(word) > 0 || stones.template is_eye<C>(cell);
}

// Would the opponent of C, having taken `doomed` at `liberty`, live without that space? It does if a chain around it
// has air of its own elsewhere.
template <Color C, class S>
bool captor_has_air(const S& stones, const Doomed& doomed, Cell liberty) {
  constexpr Color kCaptor = opponent(C);
  FewCells<12> seen;
  bool has_air = false;
  const auto look = [&](Cell chain) {
    if (has_air || seen.has(chain)) return;
    seen.add(chain);
    Cell stone = chain;
    do {
      if (stones.around(stone) & near::kAnyEmpty)
        for (const int step : S::L::kOrthogonal) {
          const auto air = static_cast<Cell>(stone + step);
          if (stones.color(air) != Color::Empty || air == liberty || doomed.has(air)) continue;
          has_air = has_air || is_own_air<kCaptor>(stones, air);
        }
      stone = stones.next_stone(stone);
    } while (stone != chain && !has_air);
  };
  for_each_chain_around(stones, liberty, kCaptor, look);
  for (const Cell cell : doomed) for_each_chain_around(stones, cell, kCaptor, look);
  return has_air;
}

// Is `liberty`, the last one after a move on `cell`, the end of the space? Behind an empty point there would be another
// eye or a way out, and behind a friend too: taken with the others, it leaves an eye apart from theirs.
template <Color C, class S>
bool is_last_of_space(const S& stones, Cell cell, Cell liberty) {
  const std::uint32_t word = stones.around(liberty);
  const int distance = std::abs(cell - liberty);
  const bool is_beside = distance == 1 || distance == S::L::kStride;
  return near::num_empty(word) == (is_beside ? 1 : 0);
}
template <Color C, class S>
bool touches_only(const S& stones, Cell liberty, const Doomed& doomed) {
  bool is_any_other = false;
  for_each_chain_around(stones, liberty, C, [&](Cell chain) { is_any_other = is_any_other || !doomed.has(chain); });
  return !is_any_other;
}

// A move of C on `cell` leaves its chain the one liberty `liberty`. Is that a nakade: stones that fill the enemy's
// space but for one point, in a shape that leaves one eye, of an enemy who has no other?
template <Color C, class S>
bool is_nakade(const S& stones, Cell cell, Cell liberty) {
  if (!is_last_of_space<C>(stones, cell, liberty)) return false;
  Doomed doomed;
  return find_doomed<C>(stones, cell, doomed) && leaves_one_eye(stones, doomed) &&
         touches_only<C>(stones, liberty, doomed) && !captor_has_air<C>(stones, doomed, liberty);
}

// --- eyes around a loop ---

// Is an empty cell one that only stones of colour C touch?
template <Color C, class S>
bool is_enclosed(const S& stones, Cell cell) {
  return (stones.around(cell) & (near::kAnyEmpty | near::any(opponent(C)))) == 0;
}

// The chains of a colour around a cell, each once.
template <class S>
FewCells<4> chains_around(const S& stones, Cell cell, Color color) {
  FewCells<4> chains;
  for_each_chain_around(stones, cell, color, [&](Cell chain) { chains.cells[chains.size++] = chain; });
  return chains;
}

// The smallest chain of a loop has at most so many stones: to look around longer ones costs more than it is worth.
inline constexpr int kMostStonesOfLoop = 30;

// Do the chains of C around a cell, and nobody else, also enclose another one? Then each of them has two eyes (Benson).
template <Color C, class S>
bool is_one_of_two_eyes(const S& stones, Cell cell, const FewCells<4>& chains) {
  const Cell smallest = *std::min_element(chains.begin(), chains.end(),
                                          [&](Cell a, Cell b) { return stones.chain_size(a) < stones.chain_size(b); });
  if (stones.chain_size(smallest) > kMostStonesOfLoop) return false;
  const auto is_other_eye = [&](Cell other) {
    if (other == cell || stones.color(other) != Color::Empty || !is_enclosed<C>(stones, other)) return false;
    const FewCells<4> its = chains_around(stones, other, C);
    return its.size == chains.size && std::all_of(its.begin(), its.end(), [&](Cell one) { return chains.has(one); });
  };
  Cell stone = smallest;
  do {
    if (stones.around(stone) & near::kAnyEmpty)
      for (const int step : S::L::kOrthogonal)
        if (is_other_eye(static_cast<Cell>(stone + step))) return true;
    stone = stones.next_stone(stone);
  } while (stone != smallest);
  return false;
}

// Is a cell that only C touches an eye although its diagonals may make it look false? It is where one chain is all
// around it, and where its chains are a loop with two eyes.
template <Color C, class S>
TESUJI_NEVER_INLINE bool is_held_by_chains(const S& stones, Cell cell) {
  const FewCells<4> chains = chains_around(stones, cell, C);
  return chains.size < 2 || is_one_of_two_eyes<C>(stones, cell, chains);
}
template <Color C, class S>
TESUJI_ALWAYS_INLINE bool is_eye_of_loop(const S& stones, Cell cell) {
  return is_enclosed<C>(stones, cell) && is_held_by_chains<C>(stones, cell);
}

}  // namespace tesuji::go
