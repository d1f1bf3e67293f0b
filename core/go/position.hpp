// An immutable snapshot: stones, side to move, ko point and consecutive passes, which is what a state's identity is.
#pragma once

#include <cstdint>
#include <vector>

#include "go/points.hpp"

namespace tesuji::go {

struct Position {
  int width = 0, height = 0;
  std::vector<std::uint8_t> colors;  // row-major from the top left, one byte a point
  Color to_play = Color::Black;
  int ko = -1;  // a point, or -1
  int passes = 0;

  friend bool operator==(const Position&, const Position&) = default;

  // Stones, ko point and side to move; the passes are left out, as in Board.
  ZobristKey key() const {
    ZobristKey key;
    for (int point = 0; point < width * height; ++point)
      if (const auto color = static_cast<Color>(colors[static_cast<std::size_t>(point)]); color != Color::Empty)
        key ^= stone_key(point / width, point % width, color);
    if (ko >= 0) key ^= ko_key(ko / width, ko % width);
    if (to_play == Color::White) key ^= kWhiteToMoveKey;
    return key;
  }
};

}  // namespace tesuji::go
