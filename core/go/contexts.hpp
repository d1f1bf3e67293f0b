// Local contexts: a hash of what stands on the 4 to 40 points nearest to a point (Basaldúa, 4.3.2 and 6.1.1).
//
// Each neighbour is empty, the mover's, the opponent's or off the board. A context is the XOR of one key for every
// neighbour that is not empty. White's key of a neighbour is black's with its halves exchanged, so that one hash serves
// both players: `swapped` turns what black sees into what white sees. Contexts keeps the hashes of all points while
// stones come and go; it stands beside the stones, so that nobody else pays for it. What a position looks like from
// scratch, and in one form for all eight symmetries: context_reader.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/attributes.hpp"
#include "base/hashing.hpp"
#include "go/points.hpp"

namespace tesuji::go {

inline constexpr std::size_t kNumContextSizes = 8;
inline constexpr std::array<int, kNumContextSizes> kContextSizes = {4, 8, 12, 20, 24, 28, 36, 40};
inline constexpr int kMaxNeighbours = 40;
inline constexpr int kContextReach = 4;  // rows and columns from a point to its farthest neighbour

constexpr bool is_context_size(int size) {
  return std::find(kContextSizes.begin(), kContextSizes.end(), size) != kContextSizes.end();
}

struct Neighbour {
  int row, column;  // relative to the point
  friend constexpr bool operator==(const Neighbour&, const Neighbour&) = default;
};

// One of the eight ways to turn and mirror, numbered as in symmetry.hpp.
constexpr Neighbour turned(Neighbour neighbour, std::size_t turn) {
  const int row = turn & 1u ? -neighbour.row : neighbour.row;
  const int column = turn & 2u ? -neighbour.column : neighbour.column;
  return turn & 4u ? Neighbour{column, row} : Neighbour{row, column};
}

// From near to far. Every size is a set of whole rings, where a ring is a neighbour with its images; forty are all
// points within four steps.
struct Neighbours {
  std::array<Neighbour, kMaxNeighbours> of{};
  constexpr Neighbours() {
    constexpr std::array<Neighbour, kNumContextSizes> kRings = {
        {{0, 1}, {1, 1}, {0, 2}, {1, 2}, {2, 2}, {0, 3}, {1, 3}, {0, 4}}};
    std::size_t size = 0;
    for (const Neighbour& ring : kRings) {
      const std::size_t begin = size;
      for (std::size_t turn = 0; turn < 8; ++turn) {
        const Neighbour image = turned(ring, turn);
        bool is_new = true;
        for (std::size_t i = begin; i < size; ++i) is_new = is_new && !(of[i] == image);
        if (is_new) of[size++] = image;
      }
    }
  }
  constexpr std::size_t index_of(const Neighbour& neighbour) const {
    return static_cast<std::size_t>(std::find(of.begin(), of.end(), neighbour) - of.begin());
  }
};
inline constexpr Neighbours kNeighbours{};

// Black's and white's stones exchanged.
constexpr std::uint64_t swapped(std::uint64_t context) {
  constexpr std::uint64_t kLower = 0x0000FFFF0000FFFFu;
  return (context & kLower) << 16 | (context >> 16 & kLower);
}
constexpr std::uint32_t swapped(std::uint32_t context) { return context << 16 | context >> 16; }

// What a neighbour adds to a context. Files of patterns hold such hashes, so they never change. The edge looks the same
// to both players.
constexpr std::uint64_t context_key(std::size_t neighbour, Color color) {
  constexpr std::uint64_t kBegin = 0x7465737500000000u;
  const std::uint64_t stone = mix64(kBegin + neighbour), edge = mix64(kBegin + 64 + neighbour);
  switch (color) {
    case Color::Empty:
      return 0;
    case Color::Black:
      return stone;
    case Color::White:
      return swapped(stone);
    case Color::OffBoard:
      return (edge & 0x0000FFFF0000FFFFu) * 0x10001u;
  }
  return 0;
}
// Tells the sizes apart where all that is farther is empty.
constexpr std::uint64_t context_of_nothing(int size) {
  return (mix64(0x7465737500000100u + static_cast<std::uint64_t>(size)) & 0x0000FFFF0000FFFFu) * 0x10001u;
}

// Points in rows with so many cells between them that no neighbour of a point lies in another row.
template <int Capacity>
struct WideLayout {
  static constexpr int kStride = Capacity + kContextReach;
  static constexpr int kCells = (Capacity + 2 * kContextReach) * kStride + 2 * kContextReach;
  static constexpr std::size_t at(int row, int column) {
    return static_cast<std::size_t>((row + kContextReach) * kStride + column + kContextReach);
  }

  // Where the cells of the narrow layout lie.
  struct Places {
    std::array<std::uint16_t, Layout<Capacity>::kCells> of{};
    constexpr Places() {
      for (int row = 0; row < Capacity; ++row)
        for (int column = 0; column < Capacity; ++column)
          of[Layout<Capacity>::cell(row, column)] = static_cast<std::uint16_t>(at(row, column));
    }
  };
  static constexpr Places kPlaces{};
};

// A stone's keys as its surroundings see it: the tips four rows and four columns away, and between them rows of eight
// columns from four to the left on. Seen from a neighbour the stone lies on the other side. Keys of neighbours beyond
// the size are zero: a loop of one length without branches is faster than a shorter one.
class ContextKeys {
 public:
  static constexpr std::size_t kColumns = 8;
  struct Seen {
    alignas(32) std::array<std::array<std::uint32_t, kColumns>, 2 * kContextReach - 1> rows{};
    std::uint32_t north = 0, south = 0, east = 0;
  };

  constexpr explicit ContextKeys(int size) : size_(size) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(size); ++i)
      for (const Color color : {Color::Black, Color::White}) {
        Seen& seen = of_[tesuji::go::index_of(color)];
        place(seen, -kNeighbours.of[i].row, -kNeighbours.of[i].column) =
            static_cast<std::uint32_t>(context_key(i, color));
      }
  }

  int size() const { return size_; }
  template <Color C>
  const Seen& of() const {
    return of_[tesuji::go::index_of(C)];
  }

 private:
  static constexpr std::uint32_t& place(Seen& seen, int row, int column) {
    if (row == -kContextReach) return seen.north;
    if (row == kContextReach) return seen.south;
    if (column == kContextReach) return seen.east;
    return seen
        .rows[static_cast<std::size_t>(row + kContextReach - 1)][static_cast<std::size_t>(column + kContextReach)];
  }

  int size_;
  std::array<Seen, 2> of_{};
};

// The contexts of all points of one board after another, as black sees them: the lower 32 bits of context_reader.hpp's.
template <int Capacity>
class Contexts {
 public:
  using W = WideLayout<Capacity>;

  // Of an empty board.
  Contexts(const ContextKeys& keys, int width, int height) : keys_(keys), num_empty_(width * height) {
    const auto is_off = [&](int row, int column) { return row < 0 || row >= height || column < 0 || column >= width; };
    for (int row = 0; row < height; ++row)
      for (int column = 0; column < width; ++column) {
        auto context = static_cast<std::uint32_t>(context_of_nothing(keys.size()));
        for (std::size_t i = 0; i < static_cast<std::size_t>(keys.size()); ++i)
          if (is_off(row + kNeighbours.of[i].row, column + kNeighbours.of[i].column))
            context ^= static_cast<std::uint32_t>(context_key(i, Color::OffBoard));
        of_[W::at(row, column)] = context;
      }
  }

  std::uint32_t of(Cell cell) const { return of_[W::kPlaces.of[cell]]; }
  std::uint32_t at(std::size_t place) const { return of_[place]; }  // of the wide layout
  template <Color C>
  std::uint32_t seen_by(Cell cell) const {
    return C == Color::Black ? of(cell) : swapped(of(cell));
  }

  // A stone comes or goes: both are the same.
  template <Color C>
  TESUJI_ALWAYS_INLINE void toggle(Cell cell) {
    const ContextKeys::Seen& keys = keys_.of<C>();
    std::uint32_t* const middle = of_.data() + W::kPlaces.of[cell];
    middle[-kContextReach * W::kStride] ^= keys.north;
    middle[kContextReach * W::kStride] ^= keys.south;
    middle[kContextReach] ^= keys.east;
#pragma GCC unroll 7
    for (int row = 0; row < 2 * kContextReach - 1; ++row)
      toggle_row(middle + (row - kContextReach + 1) * W::kStride - kContextReach,
                 keys.rows[static_cast<std::size_t>(row)].data());
  }

  // All stones of a board, onto an empty one.
  template <class S>
  void set_up(const S& stones) {
    for (int row = 0; row < stones.height(); ++row)
      for (int column = 0; column < stones.width(); ++column) {
        const Cell cell = S::L::cell(row, column);
        if (stones.color(cell) == Color::Black) toggle<Color::Black>(cell);
        if (stones.color(cell) == Color::White) toggle<Color::White>(cell);
      }
    num_empty_ = stones.num_empty();
  }

  // C has just played on a cell, no pass. What was taken stands last among the empty cells; after suicide that is the
  // stone with its own chain.
  template <Color C, class S>
  TESUJI_ALWAYS_INLINE void follow(const S& stones, Cell cell) {
    toggle<C>(cell);
    const int begin = num_empty_ - 1;
    num_empty_ = stones.num_empty();
    if (begin != num_empty_) [[unlikely]] {
      if (stones.color(cell) == Color::Empty)
        toggle_taken<C>(stones, begin);
      else
        toggle_taken<opponent(C)>(stones, begin);
    }
  }

 private:
  // Restricted pointers: one vector instruction does it.
  static TESUJI_ALWAYS_INLINE void toggle_row(std::uint32_t* TESUJI_RESTRICT at,
                                              const std::uint32_t* TESUJI_RESTRICT keys) {
    for (std::size_t i = 0; i < ContextKeys::kColumns; ++i) at[i] ^= keys[i];
  }
  template <Color C, class S>
  TESUJI_NEVER_INLINE void toggle_taken(const S& stones, int begin) {
    for (int slot = begin; slot < num_empty_; ++slot) toggle<C>(stones.empty(slot));
  }

  ContextKeys keys_;  // by value: close at hand
  int num_empty_;
  std::array<std::uint32_t, W::kCells> of_{};
};

}  // namespace tesuji::go
