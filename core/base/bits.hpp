// Sets of up to 64 squares as one word: their number, and one of them by its rank.
#pragma once

#include <bit>
#include <cstdint>

namespace tesuji {

// The number of ones. Processors of the oldest x86-64 have no instruction for it, and a call costs more than this.
constexpr int count_bits(std::uint64_t bits) {
#ifdef __POPCNT__
  return std::popcount(bits);
#else
  bits -= bits >> 1 & 0x5555555555555555u;
  bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
  return static_cast<int>(((bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * 0x0101010101010101u >> 56);
#endif
}

// The place of the one that has `rank` ones below it; there must be one.
constexpr int nth_bit(std::uint64_t bits, int rank) {
  for (; rank > 0; --rank) bits &= bits - 1;
  return std::countr_zero(bits);
}

}  // namespace tesuji
