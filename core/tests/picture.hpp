// Boards drawn in tests: rows of '.', 'X' (black) and 'O' (white).
#pragma once

#include <string>
#include <vector>

#include "go/stones.hpp"

namespace tesuji::go {

using Picture = std::vector<std::string>;

template <class S>
S stones_from(const Picture& rows) {
  S stones(static_cast<int>(rows[0].size()), static_cast<int>(rows.size()));
  stones.set_up([&](int row, int column) {
    const char sign = rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
    return sign == 'X' ? Color::Black : sign == 'O' ? Color::White : Color::Empty;
  });
  return stones;
}

template <class S>
Picture picture_of(const S& stones) {
  Picture rows(static_cast<std::size_t>(stones.height()), std::string(static_cast<std::size_t>(stones.width()), '.'));
  for (int row = 0; row < stones.height(); ++row)
    for (int column = 0; column < stones.width(); ++column)
      rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] =
          ".XO"[static_cast<int>(stones.color(S::L::cell(row, column)))];
  return rows;
}

}  // namespace tesuji::go
