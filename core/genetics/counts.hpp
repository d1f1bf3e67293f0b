// Counting genotypes by group in rows of PLINK's bed format: what every statistic of a SNP is made of. And r^2, the
// squared correlation of two rows.
//
// A row holds four individuals a byte, the first in the lowest bits: 00 two copies of A1, 10 one copy, 11 none, 01
// missing. Files are not read here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tesuji::genetics {

inline constexpr std::size_t kNumCodes = 4;  // copies of A1: 2, 1, 0, and missing

constexpr std::size_t bed_row_bytes(std::size_t num_samples) { return (num_samples + 3) / 4; }

// A word of a row in which a group has individuals, and the low bit of each.
struct MaskedWord {
  std::uint32_t word;
  std::uint64_t mask;
};

// Which individuals belong to which group, as masks over the words of a row. An individual may belong to none.
class GroupMasks {
 public:
  // `labels` has a group for each individual, or -1.
  GroupMasks(std::span<const std::int32_t> labels, std::size_t num_groups);

  std::size_t num_samples() const { return num_samples_; }
  std::size_t num_groups() const { return num_groups_; }

  // counts[(row * num_groups + group) * 4 + c]: individuals with c = 0, 1, 2 copies of A1, and (3) missing.
  void count(std::span<const std::uint8_t> rows, std::size_t num_rows, std::span<std::int32_t> counts) const;

 private:
  std::size_t num_samples_, num_groups_;
  std::vector<MaskedWord> parts_;
  std::vector<std::size_t> first_part_;  // of each group, and the end
  std::vector<std::int32_t> sizes_;      // of the groups
};

// r^2 of pairs of rows over the individuals for whom both are known; 0 where either does not vary among them.
void squared_correlations(std::span<const std::uint8_t> rows, std::size_t num_samples,
                          std::span<const std::uint32_t> first, std::span<const std::uint32_t> second,
                          std::span<double> r2);

}  // namespace tesuji::genetics
