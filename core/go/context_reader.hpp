// The local contexts of one position, from scratch: 64 bits each, as the side to move sees them. Slower than
// contexts.hpp, which follows the moves of a playout; made for patterns, which want one form for all eight symmetries.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "go/contexts.hpp"

namespace tesuji::go {

// The keys of a neighbour in each of the eight turns of the board, by what stands there.
struct TurnedContextKeys {
  using Turns = std::array<std::uint64_t, 8>;
  alignas(32) std::array<std::array<Turns, 4>, kMaxNeighbours> of{};
  constexpr TurnedContextKeys() {
    for (std::size_t i = 0; i < of.size(); ++i)
      for (std::size_t turn = 0; turn < 8; ++turn) {
        const std::size_t image = kNeighbours.index_of(turned(kNeighbours.of[i], turn));
        for (std::size_t color = 0; color < 4; ++color)
          of[i][color][turn] = context_key(image, static_cast<Color>(color));
      }
  }
};
inline constexpr TurnedContextKeys kTurnedContextKeys{};

// `S`: stones of any tracking.
template <class S>
class ContextReader {
 public:
  using W = WideLayout<S::kCapacity>;

  // `mover` sees its own stones as black's.
  ContextReader(const S& stones, Color mover) {
    seen_.fill(static_cast<std::uint8_t>(Color::OffBoard));
    for (int row = 0; row < stones.height(); ++row)
      for (int column = 0; column < stones.width(); ++column) {
        const Color color = stones.color(S::L::cell(row, column));
        const bool turns = mover == Color::White && color != Color::Empty;
        seen_[W::at(row, column)] = static_cast<std::uint8_t>(turns ? opponent(color) : color);
      }
  }

  // The context of a point, with `size` neighbours.
  std::uint64_t of(Cell cell, int size) const {
    std::uint64_t context = context_of_nothing(size);
    for (std::size_t i = 0; i < static_cast<std::size_t>(size); ++i)
      context ^= kTurnedContextKeys.of[i][seen_at(cell, i)][0];
    return context;
  }

  // The least of the contexts that the point has in the eight turns of the board, for every size: equal for shapes that
  // are images of each other.
  std::array<std::uint64_t, kNumContextSizes> symmetric(Cell cell) const {
    std::array<std::uint64_t, kNumContextSizes> least;
    TurnedContextKeys::Turns turns{};
    std::size_t i = 0;
    for (std::size_t s = 0; s < kNumContextSizes; ++s) {
      for (; i < static_cast<std::size_t>(kContextSizes[s]); ++i) {
        const TurnedContextKeys::Turns& keys = kTurnedContextKeys.of[i][seen_at(cell, i)];
        for (std::size_t turn = 0; turn < 8; ++turn) turns[turn] ^= keys[turn];
      }
      least[s] = *std::min_element(turns.begin(), turns.end()) ^ context_of_nothing(kContextSizes[s]);
    }
    return least;
  }

 private:
  struct Steps {
    std::array<int, kMaxNeighbours> of{};
    constexpr Steps() {
      for (std::size_t i = 0; i < of.size(); ++i) of[i] = kNeighbours.of[i].row * W::kStride + kNeighbours.of[i].column;
    }
  };
  static constexpr Steps kSteps{};

  std::size_t seen_at(Cell cell, std::size_t neighbour) const {
    return seen_[static_cast<std::size_t>(W::kPlaces.of[cell] + kSteps.of[neighbour])];
  }

  std::array<std::uint8_t, W::kCells> seen_;
};

}  // namespace tesuji::go
