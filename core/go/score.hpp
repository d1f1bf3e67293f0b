// Counting: empty regions and who surrounds them. What a count is worth under a rule set is decided in Python.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "go/board.hpp"

namespace tesuji::go {

// Visits each maximal region of empty cells with its cells and what borders it.
template <class S, class Visit>
void for_each_empty_region(const S& stones, Visit visit) {
  using L = typename S::L;
  std::array<bool, L::kCells> seen{};
  std::array<Cell, L::kPoints> region;
  for (int slot = 0; slot < stones.num_empty(); ++slot) {
    if (seen[stones.empty(slot)]) continue;
    std::size_t size = 0, next = 0;
    bool black = false, white = false;
    region[size++] = stones.empty(slot);
    seen[stones.empty(slot)] = true;
    while (next < size) {
      const Cell cell = region[next++];
      black |= (stones.around(cell) & near::kAnyBlack) != 0;
      white |= (stones.around(cell) & near::kAnyWhite) != 0;
      for (const int step : L::kOrthogonal) {
        const auto other = static_cast<Cell>(cell + step);
        if (stones.color(other) != Color::Empty || seen[other]) continue;
        seen[other] = true;
        region[size++] = other;
      }
    }
    visit(std::span<const Cell>(region.data(), size), black == white ? Color::Empty
                                                      : black        ? Color::Black
                                                                     : Color::White);
  }
}

// Black's area minus white's as the stones stand (Tromp-Taylor), without komi.
template <class S>
int area_margin(const S& stones) {
  int margin = stones.stone_margin();
  for_each_empty_region(stones, [&](std::span<const Cell> region, Color owner) {
    if (owner != Color::Empty) margin += (owner == Color::Black ? 1 : -1) * static_cast<int>(region.size());
  });
  return margin;
}

// Counts by colour: [0] black, [1] white.
struct Tally {
  std::array<int, 2> stones{};      // on the board, dead ones taken off
  std::array<int, 2> surrounded{};  // empty points that only this colour surrounds
  std::array<int, 2> in_seki{};     // those of them that touch a stone in seki
  std::array<int, 2> dead{};        // stones of this colour that were taken off
};

// `dead` and `seki` hold one flag per point.
Tally tally(const Board& board, std::span<const std::uint8_t> dead, std::span<const std::uint8_t> seki);

// The number of ways to fill a board so that every chain has a liberty; by enumeration, for boards up to 16 points.
long long count_legal_positions(int width, int height);

}  // namespace tesuji::go
