// Which stones of a Go board belong together, and how many liberties they have. Knows no colours: whether two
// neighbours are of one chain is for the board to say.
//
// Chains are circular lists of cells; a cell knows its chain, named by one of its cells, so that a merge relabels the
// smaller one. Chain 0 is everything that is no stone. Liberties are pseudo-liberties: pairs of a stone and an adjacent
// empty cell. With `Sums` their cells are summed as well, in the higher bits of the same word. On the largest board
// there are 1,200 pairs, and their cells add up to less than 2^20.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/attributes.hpp"
#include "go/points.hpp"

namespace tesuji::go {

template <int Capacity, bool Sums>
class StoneChains {
 public:
  using Index = std::size_t;  // a cell in a register: address arithmetic without conversions
  using Liberties = std::uint32_t;
  static constexpr int kPairBits = 12;
  static constexpr Liberties kPairs = (1u << kPairBits) - 1;

  static constexpr Index step(int direction) {
    return static_cast<Index>(Layout<Capacity>::kOrthogonal[static_cast<Index>(direction)]);
  }
  // One pair at an empty cell.
  static constexpr Liberties pair(Index cell) { return Sums ? 1u + (static_cast<Liberties>(cell) << kPairBits) : 1u; }

  StoneChains() { liberties_[0] = kEndless; }

  Index of(Index cell) const { return chain_[cell]; }
  Index next(Index stone) const { return next_[stone]; }
  int size(Index chain) const { return size_[chain]; }
  Liberties liberties(Index chain) const { return liberties_[chain]; }
  std::uint32_t num_pairs(Index chain) const { return Sums ? liberties_[chain] & kPairs : liberties_[chain]; }
  // How many of a cell's neighbours belong to a chain.
  std::uint32_t num_touching(Index cell, Index chain) const {
    return 0u + (chain_[cell + step(0)] == chain) + (chain_[cell + step(1)] == chain) +
           (chain_[cell + step(2)] == chain) + (chain_[cell + step(3)] == chain);
  }

  // A chain of one stone.
  TESUJI_ALWAYS_INLINE void begin(Index cell, Liberties liberties) {
    chain_[cell] = static_cast<Cell>(cell);
    next_[cell] = static_cast<Cell>(cell);
    size_[cell] = 1;
    liberties_[cell] = liberties;
  }
  // Adds a stone to the chain of another; returns it.
  TESUJI_ALWAYS_INLINE Index join(Index cell, Index stone, Liberties liberties) {
    const Index chain = chain_[stone];
    chain_[cell] = static_cast<Cell>(chain);
    next_[cell] = next_[stone];
    next_[stone] = static_cast<Cell>(cell);
    ++size_[chain];
    liberties_[chain] += liberties;
    return chain;
  }
  // Makes one of two chains; returns it.
  Index merge(Index a, Index b);
  // A cell that is no stone any more. The others of its chain are not told.
  void leave(Index cell) { chain_[cell] = 0; }

  void add(Index chain, Liberties liberties) { liberties_[chain] += liberties; }
  // Returns what is left.
  Liberties take(Index chain, Liberties liberties) { return liberties_[chain] -= liberties; }
  // Chain 0 gains and loses liberties with its neighbours; it must never run out.
  void refill() { liberties_[0] = kEndless; }

  // For finding chains anew: of stones whose chain is not known.
  void forget(Index stone) { chain_[stone] = kUnknown; }
  bool is_known(Index stone) const { return chain_[stone] != kUnknown; }

 private:
  static constexpr Liberties kEndless = (1u << 30) + 0x800;
  static constexpr Cell kUnknown = Layout<Capacity>::kCells;

  std::array<Liberties, Layout<Capacity>::kCells> liberties_{};
  std::array<Cell, Layout<Capacity>::kCells> chain_{};
  std::array<Cell, Layout<Capacity>::kCells> next_{};
  std::array<Cell, Layout<Capacity>::kCells> size_{};
};

template <int Capacity, bool Sums>
inline auto StoneChains<Capacity, Sums>::merge(Index a, Index b) -> Index {
  if (size_[a] > size_[b]) std::swap(a, b);
  Index stone = a;
  do {
    chain_[stone] = static_cast<Cell>(b);
    stone = next_[stone];
  } while (stone != a);
  std::swap(next_[a], next_[b]);
  size_[b] = static_cast<Cell>(size_[b] + size_[a]);
  liberties_[b] += liberties_[a];
  return b;
}

}  // namespace tesuji::go
