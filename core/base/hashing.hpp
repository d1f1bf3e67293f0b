// Mixing of integers into well-spread 64-bit words: the source of every Zobrist key and of seeds for random streams.
// The formula is SplitMix64's finaliser; it is part of the file formats and of the bench signature, so it never
// changes.
#pragma once

#include <cstdint>

namespace tesuji {

constexpr std::uint64_t mix64(std::uint64_t z) {
  z += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// Folds one more word into a running hash; the order of the words matters.
constexpr std::uint64_t combine(std::uint64_t hash, std::uint64_t word) { return mix64(hash ^ mix64(word)); }

}  // namespace tesuji
