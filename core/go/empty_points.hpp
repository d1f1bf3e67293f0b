// The empty points of a Go board, in no order: a list to draw from without replacement, and where each point stands in
// it.
#pragma once

#include <array>
#include <cstddef>

#include "go/points.hpp"

namespace tesuji::go {

template <int Capacity>
class EmptyPoints {
 public:
  using Index = std::size_t;

  Index size() const { return size_; }
  Cell at(Index slot) const { return cells_[slot]; }
  Index slot_of(Index cell) const { return slot_[cell]; }

  void add(Index cell) { add_at(cell, size_++); }
  // For loops that keep the number in a register: the same for a number that is set when they end.
  void add_at(Index cell, Index slot) {
    slot_[cell] = static_cast<Cell>(slot);
    cells_[slot] = static_cast<Cell>(cell);
  }
  void set_size(Index size) { size_ = size; }

  void remove_at(Index slot) {
    const Index last = cells_[--size_];
    cells_[slot] = static_cast<Cell>(last);
    slot_[last] = static_cast<Cell>(slot);
  }
  void swap(Index a, Index b) {
    const Index at_a = cells_[a], at_b = cells_[b];
    cells_[a] = static_cast<Cell>(at_b);
    cells_[b] = static_cast<Cell>(at_a);
    slot_[at_a] = static_cast<Cell>(b);
    slot_[at_b] = static_cast<Cell>(a);
  }

 private:
  std::array<Cell, Layout<Capacity>::kCells> slot_{};
  std::array<Cell, Layout<Capacity>::kPoints> cells_{};
  Index size_ = 0;
};

}  // namespace tesuji::go
