// The inner loop of the classifier: adds SNPs to the log-likelihoods of eight individuals at a time, and says how
// confident the classification of each is. In vectors of AVX2 where the processor has them, plainly elsewhere; the
// numbers are the same.
//
// A log-likelihood has the group's own number in its lowest bits, so that the larger of two says which group it is of,
// and the earlier group wins where two are equal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tesuji::genetics {

inline constexpr int kIndexBits = 6;
inline constexpr std::int32_t kLastIndex = (1 << kIndexBits) - 1;  // the low bits of group 0; those of group k: less k

struct Walk {
  std::size_t num_groups, num_blocks;
  std::span<const std::uint16_t* const> codes;  // [snp][block]: eight genotypes, two bits each
  std::span<const std::int32_t* const> tables;  // [snp][group][genotype]: what is added
  const std::int32_t* from;                     // [block][group][eight]
  std::int32_t* to;                             // the same; may be null
  const std::int32_t* labels;                   // [block][eight]
  std::int32_t* keys;  // [block][eight]: 2 * (best - second, in units) + (is the best the label?); may be null
};

bool has_vectors();
void walk_with_vectors(const Walk& walk);  // only where has_vectors()
void walk_plainly(const Walk& walk);

}  // namespace tesuji::genetics
