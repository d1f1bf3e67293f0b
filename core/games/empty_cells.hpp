// The empty cells of a board whose stones stay: a list to draw from, and where each cell stands in it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/rng.hpp"
#include "games/game.hpp"

namespace tesuji {

template <std::size_t kMaxCells>
class EmptyCells {
 public:
  explicit EmptyCells(int num_cells) : size_(num_cells) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(num_cells); ++i)
      cells_[i] = slot_[i] = static_cast<std::uint16_t>(i);
  }

  int size() const { return size_; }
  void append_to(MoveList& moves) const { moves.insert(moves.end(), cells_.begin(), cells_.begin() + size_); }

  void remove(Move cell) {
    const std::uint16_t slot = slot_[static_cast<std::size_t>(cell)], last = cells_[static_cast<std::size_t>(--size_)];
    cells_[slot] = last;
    slot_[last] = slot;
  }

  // One at random, which stays.
  Move pick(Rng& rng) const { return cells_[rng.below(static_cast<std::uint32_t>(size_))]; }

  // Takes the one that pick() would give. Slots are not kept up: after this only draws may follow, as in a playout.
  Move draw(Rng& rng) {
    const auto index = rng.below(static_cast<std::uint32_t>(size_));
    const std::uint16_t cell = cells_[index];
    cells_[index] = cells_[static_cast<std::size_t>(--size_)];
    return cell;
  }

 private:
  int size_;
  std::array<std::uint16_t, kMaxCells> cells_{};
  std::array<std::uint16_t, kMaxCells> slot_{};
};

}  // namespace tesuji
