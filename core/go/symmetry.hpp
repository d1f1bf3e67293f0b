// Boards that look the same when they are turned or mirrored: in the opening most moves have images elsewhere.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "go/points.hpp"

namespace tesuji::go {

// Which of the eight ways to turn and mirror a square board leave a position as it is; never asked: only the first.
struct Symmetries {
  std::array<bool, 8> holds = {true};
  bool is_any = false;  // one besides the first
};

constexpr std::pair<int, int> image_of(int row, int column, int size, std::size_t turn) {
  if (turn & 1u) row = size - 1 - row;
  if (turn & 2u) column = size - 1 - column;
  return turn & 4u ? std::pair(column, row) : std::pair(row, column);
}

// Positions with many stones are not symmetric in practice, and are not looked at.
template <class S>
Symmetries symmetries_of(const S& stones) {
  constexpr int kFewStones = 6;
  Symmetries found;
  const int size = stones.width();
  if (stones.num_points() - stones.num_empty() > kFewStones || size != stones.height() || stones.ko() != kPass)
    return found;
  for (std::size_t turn = 1; turn < 8; ++turn) {
    bool holds = true;
    for (int row = 0; row < size && holds; ++row)
      for (int column = 0; column < size && holds; ++column) {
        const auto [r, c] = image_of(row, column, size, turn);
        holds = stones.color(S::L::cell(row, column)) == stones.color(S::L::cell(r, c));
      }
    found.holds[turn] = holds;
    found.is_any |= holds;
  }
  return found;
}

// Of a point and its images, is this the one that comes first, counted from the upper right corner along the rows?
template <class L>
bool is_first_of_its_images(const Symmetries& symmetries, Cell cell, int size) {
  if (!symmetries.is_any) return true;
  const auto rank = [size](int row, int column) { return row * size + (size - 1 - column); };
  const int row = L::row(cell), column = L::column(cell);
  for (std::size_t turn = 1; turn < 8; ++turn) {
    if (!symmetries.holds[turn]) continue;
    const auto [r, c] = image_of(row, column, size, turn);
    if (rank(r, c) < rank(row, column)) return false;
  }
  return true;
}

}  // namespace tesuji::go
