// All positions of a recorded game as an evaluator would see them (planes.hpp), packed to bits: what a network learns
// from. A position takes kNumPlanes * points bits, the first in the highest bit of the first byte, zeros at the end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "go/planes.hpp"
#include "go/stones.hpp"

namespace tesuji::go {

inline std::size_t packed_planes_bytes(int width, int height) {
  return (kNumPlanes * static_cast<std::size_t>(width * height) + 7) / 8;
}

// Writes the position before each move; black begins and the players take turns. Moves are points, row-major from the
// top left, and pass is width * height. Returns how many positions were written: fewer than moves if one is played on a
// stone, where the record ends. `packed` has room for all, and is all zeros.
template <int Capacity>
std::size_t write_game_planes(int width, int height, std::span<const std::uint16_t> moves,
                              std::span<std::uint8_t> packed) {
  using S = Stones<Capacity, kTactical>;
  const auto num_points = static_cast<std::size_t>(width * height);
  const std::size_t bytes = packed_planes_bytes(width, height);
  S stones(width, height);
  LastMoves last;
  last.fill(kPass);
  int passes = 0;
  Color to_play = Color::Black;
  std::vector<std::uint8_t> planes(kNumPlanes * num_points);
  for (std::size_t at = 0; at < moves.size(); ++at) {
    planes.assign(planes.size(), 0);
    PlaneWriter<S>(stones, planes).write(to_play, last, passes);
    std::uint8_t* const row = packed.data() + at * bytes;
    for (std::size_t i = 0; i < planes.size(); ++i) row[i / 8] |= static_cast<std::uint8_t>(planes[i] << (7 - i % 8));

    const int move = moves[at];
    const bool is_pass = move >= width * height;
    const Cell cell = is_pass ? kPass : S::L::cell(move / width, move % width);
    if (!is_pass && stones.color(cell) != Color::Empty) return at;
    std::copy_backward(last.begin(), last.end() - 1, last.end());
    last[0] = cell;
    if (is_pass)
      stones.pass();
    else
      stones.play(cell, to_play);
    passes = is_pass ? passes + 1 : 0;
    to_play = opponent(to_play);
  }
  return moves.size();
}

}  // namespace tesuji::go
