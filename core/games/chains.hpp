// Chains of stones as a union-find forest. A chain knows what its stones touch: a mask of sides and corners.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace tesuji {

template <std::size_t kCells>
class Chains {
 public:
  // A stone comes down and is a chain of its own.
  void start(std::size_t cell, std::uint16_t touches) {
    link_[cell] = -1;
    touches_[cell] = touches;
  }

  // Makes two chains one; false if they were one already.
  bool join(std::size_t a, std::size_t b) {
    a = find(a);
    b = find(b);
    if (a == b) return false;
    if (link_[a] > link_[b]) std::swap(a, b);  // the larger one has the lower number
    link_[a] = static_cast<std::int16_t>(link_[a] + link_[b]);
    link_[b] = static_cast<std::int16_t>(a);
    touches_[a] |= touches_[b];
    return true;
  }

  // What the chain of a stone touches.
  std::uint16_t touches(std::size_t cell) const { return touches_[find(cell)]; }

 private:
  std::size_t find(std::size_t cell) const {
    while (link_[cell] >= 0) cell = static_cast<std::size_t>(link_[cell]);
    return cell;
  }

  std::array<std::int16_t, kCells> link_{};  // towards the root; at a root minus the number of stones
  std::array<std::uint16_t, kCells> touches_{};
};

}  // namespace tesuji
