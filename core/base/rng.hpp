// The random generator of playouts and searches: a multiply-with-carry generator with 32-bit output (Marsaglia 1991;
// the output mixes both halves of the state, as Thomas's MWC64X does). A light playout draws twice per move, so the
// draw is four instructions; the period is about 2^62. A stream is a pure function of (seed, stream number): one thread
// and one seed repeat exactly on every machine.
#pragma once

#include <cstdint>

#include "base/hashing.hpp"

namespace tesuji {

class Rng {
 public:
  explicit Rng(std::uint64_t seed, std::uint64_t stream = 0)
      : state_(combine(mix64(seed), stream) % (kModulus - 1) + 1) {}

  std::uint32_t next() {
    const std::uint64_t low = static_cast<std::uint32_t>(state_), carry = state_ >> 32;
    state_ = kMultiplier * low + carry;
    return static_cast<std::uint32_t>(low ^ carry);
  }

  // Uniform on 0 .. bound-1: the high half of a 32-bit draw times the bound. No two results differ in probability by
  // more than 2^-32, which no sample we can take would show, and there is no rejection loop.
  std::uint64_t below(std::uint64_t bound) { return (next() * bound) >> 32; }

  // Uniform on [0, 1), 53 bits.
  double unit() {
    const std::uint64_t high = next() >> 5, low = next() >> 6;
    return static_cast<double>((high << 26) | low) * 0x1.0p-53;
  }

  // Where the stream stands, and going on from there.
  std::uint64_t state() const { return state_; }
  static constexpr bool is_state(std::uint64_t state) { return state > 0 && state < kModulus; }
  void resume(std::uint64_t state) { state_ = state; }
  // For generators of the same formula outside this core (tesuji.games.compilation).
  std::uint64_t& state() { return state_; }

 private:
  // kModulus = kMultiplier * 2^32 - 1 is a safe prime, so every state but 0 lies on a cycle of length (kModulus - 1)
  // / 2.
  static constexpr std::uint64_t kMultiplier = 0x7FFFFDCD;
  static constexpr std::uint64_t kModulus = (kMultiplier << 32) - 1;

  std::uint64_t state_;
};

}  // namespace tesuji
