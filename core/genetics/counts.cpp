#include "genetics/counts.hpp"

#include <bit>
#include <cstring>

#include "base/attributes.hpp"

namespace tesuji::genetics {

namespace {

constexpr std::uint64_t kLow = 0x5555555555555555u;
constexpr std::size_t kSamplesPerWord = 32;

// The eight bytes of a row that hold individuals 32 w to 32 w + 31; a row may end within them.
TESUJI_ALWAYS_INLINE std::uint64_t word_of(const std::uint8_t* row, std::size_t row_bytes, std::size_t word) {
  std::uint64_t bits = 0;
  const std::size_t at = word * 8, left = row_bytes - at;
  if (left >= 8)
    std::memcpy(&bits, row + at, 8);
  else
    std::memcpy(&bits, row + at, left);
  if constexpr (std::endian::native == std::endian::big) {
    std::uint64_t swapped = 0;
    for (int i = 0; i < 8; ++i) swapped |= (bits >> (8 * i) & 0xFF) << (8 * (7 - i));
    return swapped;
  }
  return bits;
}

struct BitCounts {
  int low = 0, high = 0, both = 0;
};
TESUJI_CLONED BitCounts count_bits(const std::uint8_t* row, std::size_t row_bytes, std::span<const MaskedWord> parts) {
  BitCounts counts;
  for (const MaskedWord& part : parts) {
    const std::uint64_t bits = word_of(row, row_bytes, part.word);
    const std::uint64_t low = bits & part.mask, high = bits >> 1 & part.mask;
    counts.low += std::popcount(low);
    counts.high += std::popcount(high);
    counts.both += std::popcount(low & high);
  }
  return counts;
}

struct PairSums {
  std::int64_t n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
};

double squared_correlation(const PairSums& s) {
  const auto n = static_cast<double>(s.n);
  const double x = static_cast<double>(s.x), y = static_cast<double>(s.y);
  const double var_x = n * static_cast<double>(s.xx) - x * x, var_y = n * static_cast<double>(s.yy) - y * y;
  if (var_x <= 0 || var_y <= 0) return 0;
  const double covariance = n * static_cast<double>(s.xy) - x * y;
  return covariance * covariance / (var_x * var_y);
}

// With x, y in 0, 1, 2 as the number of set bits among the two of each individual.
TESUJI_CLONED PairSums pair_sums(const std::uint8_t* a, const std::uint8_t* b, std::size_t row_bytes,
                                 std::size_t num_samples) {
  PairSums s;
  const std::size_t num_words = (row_bytes + 7) / 8;
  for (std::size_t w = 0; w < num_words; ++w) {
    const std::uint64_t wa = word_of(a, row_bytes, w), wb = word_of(b, row_bytes, w);
    const std::size_t left = num_samples - w * kSamplesPerWord;
    const std::uint64_t mask = left >= kSamplesPerWord ? kLow : kLow & ((std::uint64_t{1} << (2 * left)) - 1);
    const std::uint64_t a_low = wa & kLow, a_high = wa >> 1 & kLow, b_low = wb & kLow, b_high = wb >> 1 & kLow;
    const std::uint64_t known = ~(a_low & ~a_high) & ~(b_low & ~b_high) & mask;  // missing is 01
    const std::uint64_t a1 = a_high & known, a2 = a_low & known, b1 = b_high & known, b2 = b_low & known;
    const int n_a1 = std::popcount(a1), n_a2 = std::popcount(a2), n_b1 = std::popcount(b1), n_b2 = std::popcount(b2);
    s.n += std::popcount(known);
    s.x += n_a1 + n_a2;
    s.y += n_b1 + n_b2;
    s.xx += n_a1 + 3 * n_a2;  // 1 for one bit, 4 for two
    s.yy += n_b1 + 3 * n_b2;
    s.xy += std::popcount(a1 & b1) + std::popcount(a1 & b2) + std::popcount(a2 & b1) + std::popcount(a2 & b2);
  }
  return s;
}

}  // namespace

GroupMasks::GroupMasks(std::span<const std::int32_t> labels, std::size_t num_groups)
    : num_samples_(labels.size()), num_groups_(num_groups), sizes_(num_groups) {
  const std::size_t num_words = (labels.size() + kSamplesPerWord - 1) / kSamplesPerWord;
  for (std::size_t group = 0; group < num_groups; ++group) {
    first_part_.push_back(parts_.size());
    for (std::size_t word = 0; word < num_words; ++word) {
      std::uint64_t mask = 0;
      for (std::size_t i = word * kSamplesPerWord; i < labels.size() && i < (word + 1) * kSamplesPerWord; ++i)
        if (labels[i] == static_cast<std::int32_t>(group)) mask |= std::uint64_t{1} << (2 * (i % kSamplesPerWord));
      if (mask == 0) continue;
      sizes_[group] += std::popcount(mask);
      parts_.push_back({static_cast<std::uint32_t>(word), mask});
    }
  }
  first_part_.push_back(parts_.size());
}

void GroupMasks::count(std::span<const std::uint8_t> rows, std::size_t num_rows, std::span<std::int32_t> counts) const {
  const std::size_t row_bytes = bed_row_bytes(num_samples_);
  for (std::size_t r = 0; r < num_rows; ++r)
    for (std::size_t group = 0; group < num_groups_; ++group) {
      const std::span parts =
          std::span(parts_).subspan(first_part_[group], first_part_[group + 1] - first_part_[group]);
      const BitCounts bits = count_bits(rows.data() + r * row_bytes, row_bytes, parts);
      std::int32_t* const found = &counts[(r * num_groups_ + group) * kNumCodes];
      found[0] = bits.both;
      found[1] = bits.high - bits.both;
      found[2] = sizes_[group] - bits.low - bits.high + bits.both;
      found[3] = bits.low - bits.both;
    }
}

void squared_correlations(std::span<const std::uint8_t> rows, std::size_t num_samples,
                          std::span<const std::uint32_t> first, std::span<const std::uint32_t> second,
                          std::span<double> r2) {
  const std::size_t row_bytes = bed_row_bytes(num_samples);
  for (std::size_t i = 0; i < first.size(); ++i)
    r2[i] = squared_correlation(
        pair_sums(rows.data() + first[i] * row_bytes, rows.data() + second[i] * row_bytes, row_bytes, num_samples));
}

}  // namespace tesuji::genetics
