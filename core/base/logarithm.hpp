// Natural logarithms of whole numbers, the same on every machine: no call of the C library, whose last digit varies.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace tesuji {

namespace detail {

// ln of a number in [1, 2], by ln x = 2 artanh((x - 1) / (x + 1)); the series ends below 1e-17.
constexpr double log_by_series(double x) {
  const double t = (x - 1) / (x + 1);
  double power = t, sum = 0;
  for (int k = 1; k < 40; k += 2) {
    sum += power / k;
    power *= t * t;
  }
  return 2 * sum;
}

struct LogTable {
  static constexpr int kBits = 10;
  std::array<float, (1 << kBits) + 1> of{};
  constexpr LogTable() {
    for (int i = 0; i <= 1 << kBits; ++i)
      of[static_cast<std::size_t>(i)] = static_cast<float>(log_by_series(1.0 + static_cast<double>(i) / (1 << kBits)));
  }
};
inline constexpr LogTable kLogTable{};
inline constexpr float kLog2 = static_cast<float>(log_by_series(2.0));

}  // namespace detail

// ln n for n >= 1, to seven digits (relative error below 1e-7): exponent times ln 2, plus a table of the mantissa with
// linear interpolation.
constexpr float log_of(std::uint32_t n) {
  const int exponent = std::bit_width(n) - 1;
  const std::uint32_t mantissa = exponent >= 31 ? n : n << (31 - exponent);  // the leading one at bit 31
  const std::uint32_t fraction = mantissa & 0x7FFFFFFFu;
  const std::uint32_t index = fraction >> (31 - detail::LogTable::kBits);
  const float rest = static_cast<float>(fraction & ((1u << (31 - detail::LogTable::kBits)) - 1)) *
                     (1.0f / static_cast<float>(1u << (31 - detail::LogTable::kBits)));
  const float low = detail::kLogTable.of[index], high = detail::kLogTable.of[index + 1];
  return static_cast<float>(exponent) * detail::kLog2 + (low + rest * (high - low));
}

// ln x for any x > 0, in double precision; for constants, not for loops.
constexpr double log_of_number(double x) {
  int exponent = 0;
  for (; x >= 2; x /= 2) ++exponent;
  for (; x < 1; x *= 2) --exponent;
  return exponent * detail::log_by_series(2.0) + detail::log_by_series(x);
}

}  // namespace tesuji
