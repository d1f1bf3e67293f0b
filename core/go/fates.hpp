// Distances in the common fate graph: a step to a neighbouring point costs one, within a chain nothing (Basaldúa,
// 3.3.4 and 4.4.4). What is near there shares its fate.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "go/points.hpp"

namespace tesuji::go {

template <class S>
using Fates = std::array<std::uint8_t, S::L::kCells>;

// Lowers to their distances from a point the numbers of all cells that are nearer than `limit`.
template <class S>
void spread_fates(const S& stones, Cell start, std::uint8_t limit, Fates<S>& fates) {
  std::array<Cell, S::L::kPoints> cells;
  std::size_t size = 0;
  const auto reach = [&](Cell cell, std::uint8_t distance) {
    if (stones.color(cell) == Color::OffBoard || fates[cell] <= distance) return;
    if (stones.color(cell) == Color::Empty) {
      fates[cell] = distance;
      cells[size++] = cell;
      return;
    }
    Cell stone = cell;
    do {
      fates[stone] = distance;
      cells[size++] = stone;
      stone = stones.next_stone(stone);
    } while (stone != cell);
  };
  reach(start, 0);
  for (std::size_t next = 0; next < size; ++next) {
    const Cell cell = cells[next];
    if (fates[cell] + 1 >= limit) break;
    for (const int step : S::L::kOrthogonal)
      reach(static_cast<Cell>(cell + step), static_cast<std::uint8_t>(fates[cell] + 1));
  }
}

// From every point to every point, row-major; 255 is as far as it goes.
template <class S>
std::vector<std::uint8_t> fates_of(const S& stones) {
  std::vector<std::uint8_t> all;
  for (int row = 0; row < stones.height(); ++row)
    for (int column = 0; column < stones.width(); ++column) {
      Fates<S> fates;
      fates.fill(255);
      spread_fates(stones, S::L::cell(row, column), 255, fates);
      for (int r = 0; r < stones.height(); ++r)
        for (int c = 0; c < stones.width(); ++c) all.push_back(fates[S::L::cell(r, c)]);
    }
  return all;
}

}  // namespace tesuji::go
