// What stands around a point, in one word: two bits per orthogonal neighbour in the low byte (W, E, N, S), and above it
// how many of them are empty, black and white. And two tables over such bits: false eyes, sums of steps.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "go/points.hpp"

namespace tesuji::go {

namespace near {  // the fields of a point's word
inline constexpr std::uint32_t kOneEmpty = 1u << 8;
inline constexpr std::uint32_t kOneBlack = 1u << 12;
inline constexpr std::uint32_t kOneWhite = 1u << 16;
inline constexpr std::uint32_t kAnyEmpty = 7u << 8;
inline constexpr std::uint32_t kAnyBlack = 7u << 12;
inline constexpr std::uint32_t kAnyWhite = 7u << 16;

constexpr std::uint32_t one(Color color) { return color == Color::Black ? kOneBlack : kOneWhite; }
constexpr std::uint32_t any(Color color) { return color == Color::Black ? kAnyBlack : kAnyWhite; }
constexpr std::uint32_t is_toward(Color color, int direction) {
  return static_cast<std::uint32_t>(color) << (2 * direction);
}
constexpr bool is(Color color, std::uint32_t word, int direction) {
  return (word & is_toward(Color::OffBoard, direction)) == is_toward(color, direction);
}
// What an empty neighbour in `direction` adds to a word when it becomes a stone of `color`.
constexpr std::uint32_t turned(Color color, int direction) {
  return is_toward(color, direction) + one(color) - kOneEmpty;
}
constexpr int num_empty(std::uint32_t word) { return static_cast<int>((word >> 8) & 7u); }
// The first direction in which there is an empty neighbour; there must be one.
constexpr int first_empty(std::uint32_t word) { return std::countr_zero(~(word | word >> 1) & 0x55u) / 2; }
}  // namespace near

// kFalseEye[colour][diagonals]: the four diagonal fields of a 3x3 code that spoil an eye of that colour: two enemies,
// or one where the board ends. An empty diagonal may still become a friend, so it does no harm.
struct FalseEyes {
  std::array<std::array<bool, 256>, 2> of{};
  constexpr FalseEyes() {
    for (int code = 0; code < 256; ++code)
      for (const Color color : {Color::Black, Color::White}) {
        int enemies = 0, off_board = 0;
        for (int field = 0; field < 4; ++field) {
          const Color diagonal = static_cast<Color>((code >> (2 * field)) & 3);
          enemies += diagonal == opponent(color);
          off_board += diagonal == Color::OffBoard;
        }
        of[index_of(color)][static_cast<std::size_t>(code)] = enemies + (off_board > 0) >= 2;
      }
  }
};
inline constexpr FalseEyes kFalseEyes{};

// The sum of the steps toward the empty neighbours, by the eight orthogonal bits of a word.
template <int Capacity>
struct EmptySteps {
  std::array<std::uint32_t, 256> of{};
  constexpr EmptySteps() {
    for (std::uint32_t code = 0; code < 256; ++code)
      for (int direction = 0; direction < 4; ++direction)
        if (near::is(Color::Empty, code, direction))
          of[code] += static_cast<std::uint32_t>(Layout<Capacity>::kOrthogonal[static_cast<std::size_t>(direction)]);
  }
};
template <int Capacity>
inline constexpr EmptySteps<Capacity> kEmptySteps{};

}  // namespace tesuji::go
