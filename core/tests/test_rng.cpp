#include <doctest/doctest.h>

#include <array>
#include <set>

#include "base/rng.hpp"

using tesuji::Rng;

TEST_CASE("one seed and stream give one sequence, other streams another") {
  Rng a(1, 2), b(1, 2), c(1, 3), d(2, 2);
  const auto first = a.next();
  CHECK(first == b.next());
  CHECK(first != c.next());
  CHECK(first != d.next());
}

TEST_CASE("the sequence is the same on every machine") {
  Rng rng(20260101);
  // By hand from the recurrence, in unbounded integers: x' = 0x7FFFFDCD * low(x) + high(x), output low xor high.
  std::uint64_t state = tesuji::combine(tesuji::mix64(20260101), 0) % ((0x7FFFFDCDull << 32) - 2) + 1;
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t low = state % (1ull << 32), high = state / (1ull << 32);
    CHECK(rng.next() == (low ^ high));
    state = 0x7FFFFDCDull * low + high;
  }
}

// Chi-squared with k - 1 degrees of freedom; the bounds are the 0.1 % and 99.9 % points.
TEST_CASE("below() is uniform") {
  Rng rng(7);
  constexpr int kBins = 81, kDraws = 8'100'000;
  std::array<int, kBins> count{};
  for (int i = 0; i < kDraws; ++i) ++count[rng.below(kBins)];
  double chi_squared = 0;
  for (const int n : count) chi_squared += (n - kDraws / kBins) * (n - kDraws / kBins) / double(kDraws / kBins);
  CHECK(chi_squared > 46.5);  // 80 degrees of freedom
  CHECK(chi_squared < 124.9);
}

TEST_CASE("successive draws are uncorrelated") {
  Rng rng(8);
  constexpr int kBins = 16, kDraws = 2'560'000;
  std::array<int, kBins * kBins> count{};
  std::uint64_t last = rng.below(kBins);
  for (int i = 0; i < kDraws; ++i) {
    const std::uint64_t next = rng.below(kBins);
    ++count[last * kBins + next];
    last = next;
  }
  double chi_squared = 0;
  for (const int n : count) chi_squared += (n - 10000.0) * (n - 10000.0) / 10000.0;
  CHECK(chi_squared > 190);  // 255 degrees of freedom
  CHECK(chi_squared < 330);
}

TEST_CASE("unit() stays in [0, 1) with mean one half") {
  Rng rng(9);
  double sum = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    const double u = rng.unit();
    REQUIRE(u >= 0);
    REQUIRE(u < 1);
    sum += u;
  }
  CHECK(sum / 1e6 == doctest::Approx(0.5).epsilon(0.003));
}
