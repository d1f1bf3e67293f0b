// Points, colours and directions of a Go board, and the padded layout that every board shares.
//
// A board of capacity N holds any width and height up to N. Its points lie in rows of N + 1 cells, so that one column
// of off-board cells separates two rows, with a border row above and below: a neighbour is always at a constant
// distance, whatever the size of the board, and no step ever needs a bounds check.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/hashing.hpp"

namespace tesuji::go {

enum class Color : std::uint8_t { Empty = 0, Black = 1, White = 2, OffBoard = 3 };

constexpr Color opponent(Color color) { return static_cast<Color>(3 - static_cast<int>(color)); }
constexpr int index_of(Color color) { return static_cast<int>(color) - 1; }

inline constexpr int kMaxSize = 25;

// A cell of the padded layout. Cell 0 is always off the board and stands for "no point" and for a pass.
using Cell = std::uint16_t;
inline constexpr Cell kPass = 0;

template <int Capacity>
struct Layout {
  static_assert(Capacity >= 1 && Capacity <= kMaxSize);
  static constexpr int kStride = Capacity + 1;
  static constexpr int kCells = (Capacity + 2) * kStride + 1;
  static constexpr int kPoints = Capacity * Capacity;

  // The order of the directions is the order of the two-bit fields of a 3x3 code: W, E, N, S, NW, NE, SW, SE.
  static constexpr std::array<int, 4> kOrthogonal = {-1, +1, -kStride, +kStride};
  static constexpr std::array<int, 4> kDiagonal = {-kStride - 1, -kStride + 1, kStride - 1, kStride + 1};

  static constexpr Cell cell(int row, int column) { return static_cast<Cell>((row + 1) * kStride + column + 1); }
  static constexpr int row(Cell cell) { return (cell - 1) / kStride - 1; }
  static constexpr int column(Cell cell) { return (cell - 1) % kStride; }
};

// Calls f.template operator()<Capacity>() with the smallest of the compiled capacities that holds the board.
template <class F>
auto with_capacity(int width, int height, F f) {
  const int size = width > height ? width : height;
  if (size <= 9) return f.template operator()<9>();
  if (size <= 13) return f.template operator()<13>();
  if (size <= 19) return f.template operator()<19>();
  return f.template operator()<kMaxSize>();
}

// Zobrist keys. They depend on row and column alone, so a position has one key whatever capacity holds it.
// Two independent words side by side: the processor updates both at once.
struct alignas(16) ZobristKey {
  std::uint64_t first = 0;
  std::uint64_t second = 0;

  constexpr std::uint64_t wide() const { return first; }
  // Tells apart what collides in the wide key.
  constexpr std::uint32_t narrow() const { return static_cast<std::uint32_t>(second >> 32); }

  constexpr ZobristKey& operator^=(const ZobristKey& other) {
    first ^= other.first;
    second ^= other.second;
    return *this;
  }
  friend constexpr bool operator==(const ZobristKey&, const ZobristKey&) = default;
};

constexpr ZobristKey zobrist_key(std::uint64_t index) { return {mix64(2 * index), mix64(2 * index + 1)}; }
constexpr ZobristKey stone_key(int row, int column, Color color) {
  return zobrist_key(static_cast<std::uint64_t>((row * 32 + column) * 2 + index_of(color)));
}
constexpr ZobristKey ko_key(int row, int column) {
  return zobrist_key(4096u + static_cast<std::uint64_t>(row * 32 + column));
}
inline constexpr ZobristKey kWhiteToMoveKey = zobrist_key(8192);

// The stone keys of a layout, by colour and cell.
template <int Capacity>
struct StoneKeys {
  std::array<std::array<ZobristKey, Layout<Capacity>::kCells>, 2> of{};

  constexpr StoneKeys() {
    for (int row = 0; row < Capacity; ++row)
      for (int column = 0; column < Capacity; ++column)
        for (const Color color : {Color::Black, Color::White})
          of[index_of(color)][Layout<Capacity>::cell(row, column)] = stone_key(row, column, color);
  }
};

template <int Capacity>
inline constexpr StoneKeys<Capacity> kStoneKeys{};

}  // namespace tesuji::go
