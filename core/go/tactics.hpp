// Questions about a move that need exact liberties; for playouts and knowledge that ask them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "go/stones.hpp"

namespace tesuji::go {

// A move that captures nothing and leaves its chain with one liberty, or none. `chain_size` receives the stones that
// chain would have.
template <Color C, class S>
bool is_self_atari(const S& stones, Cell cell, int& chain_size) {
  using L = typename S::L;
  chain_size = 1;
  if (near::num_empty(stones.around(cell)) >= 2) return false;
  std::array<Cell, 4> joined{};
  std::size_t num_joined = 0;
  Cell liberty = kPass;
  bool has_two = false;
  const auto add_liberty = [&](Cell other) {
    if (other == cell || other == liberty) return;
    has_two |= liberty != kPass;
    liberty = other;
  };
  struct Found {  // what Stones::liberties() asks of a container
    std::array<Cell, 3> cells;
    std::size_t size = 0;
    void push_back(Cell found) { cells[size++] = found; }
  };
  for (const int step : L::kOrthogonal) {
    const auto other = static_cast<Cell>(cell + step);
    const Color color = stones.color(other);
    if (color == Color::Empty) {
      add_liberty(other);
    } else if (color == opponent(C)) {
      if (stones.atari_liberty(stones.chain(other)) == cell) return false;
    } else if (color == C) {
      const Cell chain = stones.chain(other);
      if (std::find(joined.begin(), joined.begin() + num_joined, chain) != joined.begin() + num_joined) continue;
      joined[num_joined++] = chain;
      chain_size += stones.chain_size(chain);
      Found found;
      stones.liberties(chain, found, 3);  // one of them is the cell itself, so three show two others
      for (std::size_t i = 0; i < found.size; ++i) add_liberty(found.cells[i]);
    }
  }
  return !has_two;
}

}  // namespace tesuji::go
