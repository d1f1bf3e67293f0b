#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>

#include "base/logarithm.hpp"
#include "base/rng.hpp"

using tesuji::log_of;

namespace {

// The table's step adds at most h^2 / 8 with h = 1/1024; rounding to float adds a share of the result.
double allowed(double exact) { return 1.3e-7 + 1.2e-7 * (1 + exact); }

}  // namespace

TEST_CASE("the logarithm of 1 is exactly 0, of a power of two a multiple of ln 2") {
  CHECK(log_of(1) == 0.0f);
  for (int exponent = 0; exponent < 32; ++exponent)
    CHECK(log_of(1u << exponent) == static_cast<float>(exponent) * static_cast<float>(std::log(2.0)));
}

TEST_CASE("logarithms of small numbers agree with the C library's") {
  double worst = 0;
  for (std::uint32_t n = 1; n <= 2'000'000; ++n) {
    const double exact = std::log(static_cast<double>(n));
    worst = std::max(worst, std::abs(log_of(n) - exact) / allowed(exact));
  }
  CHECK(worst < 1);
}

TEST_CASE("logarithms of large numbers agree with the C library's, up to the last 32-bit number") {
  tesuji::Rng rng(1);
  double worst = 0;
  const auto compare = [&](std::uint32_t n) {
    const double exact = std::log(static_cast<double>(n));
    worst = std::max(worst, std::abs(log_of(n) - exact) / allowed(exact));
  };
  for (int i = 0; i < 500'000; ++i) compare(rng.next() | 1u);
  for (std::uint32_t below = 0; below < 1000; ++below) compare(0xFFFFFFFFu - below);
  CHECK(worst < 1);
}

TEST_CASE("logarithms never fall as numbers grow") {
  float last = 0;
  std::uint64_t num_falls = 0;
  for (std::uint32_t n = 1; n <= 3'000'000; ++n) {
    num_falls += log_of(n) < last;
    last = log_of(n);
  }
  CHECK(num_falls == 0);
}

TEST_CASE("a logarithm can be taken while compiling") {
  static_assert(log_of(1) == 0.0f);
  static_assert(log_of(8) > 2.07f && log_of(8) < 2.08f);
}
