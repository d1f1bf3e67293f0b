// The inner loop of the classifier: adds SNPs to the log-likelihoods of eight individuals at a time, and says how
// confident the classification of each is, or what it loses in log-loss. In vectors of AVX2 where the processor has
// them, plainly elsewhere; the numbers are the same.
//
// A log-likelihood has the group's own number in its lowest bits, so that the larger of two says which group it is of,
// and the earlier group wins where two are equal.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tesuji::genetics {

inline constexpr int kIndexBits = 6;
inline constexpr std::int32_t kLastIndex = (1 << kIndexBits) - 1;  // the low bits of group 0; those of group k: less k
inline constexpr float kUnitsPerNat = 4096;

struct Walk {
  std::size_t num_groups, num_blocks;
  std::span<const std::uint16_t* const> codes;  // [snp][block]: eight genotypes, two bits each
  std::span<const std::int32_t* const> tables;  // [snp][group][genotype]: what is added
  const std::int32_t* from;                     // [block][group][eight]
  std::int32_t* to;                             // the same; may be null
  const std::int32_t* labels;                   // [block][eight]; -1 where there is nobody
  std::int32_t* keys;  // [block][eight]: 2 * (best - second, in units) + (is the best the label?); may be null
  std::int32_t* gaps;  // [block][eight]: own - best, in units, 0 where there is nobody; may be null
  float* totals;       // [block][eight], with `gaps`: the likelihoods of all groups added up, the best one's being 1
};

// e^(units / kUnitsPerNat) for units <= 0: 2^(whole + rest), the rest within half of 0 by its Taylor series. Relative
// error below 2e-7. No function of the C library: plain code and vectors do the same operations and get the same bits.
inline constexpr float kPowersPerUnit = 1.44269504088896f / kUnitsPerNat;
inline constexpr float kLeastPower =
    -125;  // of what is less, a float has no normal number; 1e-37 of the best is nothing
inline constexpr std::array<float, 7> kSeries = {1.0f,           0.693147181f,   0.240226507f,   0.0555041087f,
                                                 0.00961812911f, 0.00133335581f, 0.000154035304f};

inline float exp_of_units(std::int32_t units) {
  const float power = std::max(static_cast<float>(units) * kPowersPerUnit, kLeastPower);
  const float whole = std::floor(power + 0.5f), rest = power - whole;
  float value = kSeries[6];
  for (std::size_t i = 6; i-- > 0;) value = value * rest + kSeries[i];
  return std::bit_cast<float>(std::bit_cast<std::int32_t>(value) + static_cast<std::int32_t>(whole) * (1 << 23));
}

bool has_vectors();
void walk_with_vectors(const Walk& walk);  // only where has_vectors()
void walk_plainly(const Walk& walk);

}  // namespace tesuji::genetics
