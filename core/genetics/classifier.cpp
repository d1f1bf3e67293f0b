#include "genetics/classifier.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "base/attributes.hpp"
#include "genetics/counts.hpp"
#include "genetics/walk.hpp"

namespace tesuji::genetics {

namespace {

constexpr double kUnitsPerNat = 4096;

// e^x for x <= 0, the same on every machine: 2^(x / ln 2), the fraction by a polynomial (relative error below 1e-7).
double exp_of_negative(double x) {
  if (x < -700) return 0;
  const double power = x * 1.4426950408889634, whole = std::floor(power), y = (power - whole) * 0.6931471805599453;
  const double e =
      1 + y * (1 + y * (1.0 / 2 + y * (1.0 / 6 + y * (1.0 / 24 + y * (1.0 / 120 + y * (1.0 / 720 + y / 5040))))));
  return std::ldexp(e, static_cast<int>(whole));
}

TESUJI_CLONED std::size_t count_below(const std::int32_t* keys, std::size_t size, std::int32_t limit) {
  std::int32_t count = 0;
  for (std::size_t i = 0; i < size; ++i) count += keys[i] < limit;
  return static_cast<std::size_t>(count);
}

// The least of those that are not below `limit`.
TESUJI_CLONED std::int32_t least_from(const std::int32_t* keys, std::size_t size, std::int32_t limit) {
  std::int32_t least = std::numeric_limits<std::int32_t>::max();
  for (std::size_t i = 0; i < size; ++i)
    least = std::min(least, keys[i] >= limit ? keys[i] : std::numeric_limits<std::int32_t>::max());
  return least;
}

// The confidence that `rank` individuals are below, counting equals as long as there are not more: the rank-th smallest
// from 0. Looked for between two numbers of which the counts are known, where the count would be right if they lay
// evenly; then from one confidence to the next.
std::int32_t limit_of(const std::int32_t* keys, std::size_t size, std::size_t rank, std::int32_t guess) {
  std::int32_t low = 0, high = std::max(guess, 16);
  std::size_t below_low = 0, below_high = count_below(keys, size, 2 * high);
  while (below_high <= rank) {
    low = high;
    below_low = below_high;
    high *= 2;
    below_high = count_below(keys, size, 2 * high);
  }
  for (int step = 0; below_low < rank && high - low > 1 && step < 30; ++step) {
    const double share = (static_cast<double>(rank - below_low) + 0.5) / static_cast<double>(below_high - below_low);
    const double towards = step % 4 == 3 ? 0.5 : share;  // halves now and then: the numbers may not lie evenly at all
    const auto middle = std::clamp(low + static_cast<std::int32_t>((high - low) * towards), low + 1, high - 1);
    const std::size_t below = count_below(keys, size, 2 * middle);
    (below <= rank ? low : high) = middle;
    (below <= rank ? below_low : below_high) = below;
  }
  while (true) {
    const std::int32_t next = least_from(keys, size, 2 * low) / 2;
    if (next + 1 >= high || count_below(keys, size, 2 * (next + 1)) > rank) return next;
    low = next + 1;
  }
}

struct AtLimit {
  std::int32_t right_above = 0, num_at = 0, right_at = 0, num_below = 0;
};
TESUJI_CLONED AtLimit count_at(const std::int32_t* keys, std::size_t size, std::int32_t limit) {
  std::int32_t right_above = 0, num_at = 0, right_at = 0, num_below = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::int32_t key = keys[i], right = key & 1;
    right_above += key > limit + 1 ? right : 0;
    num_at += (key | 1) == limit + 1;
    right_at += key == limit + 1;
    num_below += key < limit;
  }
  return {right_above, num_at, right_at, num_below};
}

void check(bool holds, const std::string& message) {
  if (!holds) throw std::invalid_argument(message);
}

}  // namespace

// What one thread needs while it judges a model.
struct Classifier::Scratch {
  std::vector<std::int32_t> keys;   // [block][lane]: 2 * confidence + (1 if right); the largest number if nobody
  std::vector<std::int32_t> guess;  // [draw]: the confidence below which nobody was classified, last time
  Sums sums;                        // log-loss only
};

Classifier::Classifier(std::span<const std::uint8_t> genotypes, std::size_t num_snps,
                       std::span<const std::int32_t> labels, std::size_t num_groups, std::span<const Draw> draws,
                       const ClassifierOptions& options)
    : num_snps_(num_snps), num_groups_(num_groups), options_(options), uses_vectors_(has_vectors()) {
  check(num_groups >= 2 && num_groups <= kMaxGroups,
        std::to_string(num_groups) + " groups are outside 2.." + std::to_string(kMaxGroups));
  check(genotypes.size() == num_snps * bed_row_bytes(labels.size()), "the genotypes do not fit the individuals");
  check(!draws.empty(), "there are no cross-validation draws");
  check(std::isfinite(options.pseudocount) && options.pseudocount > 0,
        "pseudocount is " + std::to_string(options.pseudocount) + "; it must be a positive number");
  check(options.unclassified >= 0 && options.unclassified < 1,
        "unclassified is " + std::to_string(options.unclassified) + "; it must be a share, 0 to below 1");
  for (const Draw& draw : draws) {
    check(!draw.learning.empty() && !draw.test.empty(), "a draw has nobody to learn from or nobody to test");
    for (const auto& set : {draw.learning, draw.test})
      for (const std::uint32_t i : set)
        check(i < labels.size() && labels[i] >= 0 && labels[i] < static_cast<std::int32_t>(num_groups),
              "a draw names an individual that has no group");
  }
  learn(genotypes, labels, draws);
  begin_ = begin();
}

void Classifier::learn(std::span<const std::uint8_t> genotypes, std::span<const std::int32_t> labels,
                       std::span<const Draw> draws) {
  for (const Draw& draw : draws) {
    const std::size_t num_test = draw.test.size(), blocks = (num_test + kLanes - 1) / kLanes;
    // Half a person cannot stay unclassified: the share is rounded down, but not by what 0.05 is less than 1/20.
    const auto unclassified = static_cast<std::size_t>(options_.unclassified * static_cast<double>(num_test) + 1e-9);
    draws_.push_back({num_blocks_, blocks, num_test, unclassified});
    num_blocks_ += blocks;
    std::vector<double> sizes(num_groups_);
    for (const std::uint32_t i : draw.test) sizes[static_cast<std::size_t>(labels[i])] += 1;
    for (std::size_t j = 0; j < blocks * kLanes; ++j) {
      const std::int32_t label = j < num_test ? labels[draw.test[j]] : -1;
      labels_.push_back(label);
      const double share = label < 0 ? 0 : static_cast<double>(num_test) / sizes[static_cast<std::size_t>(label)];
      weights_.push_back(share / static_cast<double>(num_groups_));
    }
  }
  codes_.resize(num_snps_ * num_blocks_);
  tables_.resize(num_snps_ * draws_.size() * num_groups_ * 4);
  const std::size_t row_bytes = bed_row_bytes(labels.size());
  std::vector<std::int32_t> counts(num_groups_ * 4);
  double largest = 0;
  for (std::size_t d = 0; d < draws.size(); ++d) {
    std::vector<std::int32_t> learned(labels.size(), -1);
    for (const std::uint32_t i : draws[d].learning) learned[i] = labels[i];
    const GroupMasks masks(learned, num_groups_);
    for (std::size_t snp = 0; snp < num_snps_; ++snp) {
      const std::span<const std::uint8_t> row = genotypes.subspan(snp * row_bytes, row_bytes);
      for (std::size_t j = 0; j < draws[d].test.size(); ++j) {
        const std::uint32_t i = draws[d].test[j];
        const unsigned code = row[i / 4] >> (2 * (i % 4)) & 3u;
        codes_[snp * num_blocks_ + draws_[d].first_block + j / kLanes] |=
            static_cast<std::uint16_t>(code << (2 * (j % kLanes)));
      }
      masks.count(row, 1, counts);
      std::int32_t* const entries = tables_.data() + (snp * draws_.size() + d) * num_groups_ * 4;
      for (std::size_t group = 0; group < num_groups_; ++group) {
        const std::int32_t* const of = &counts[group * 4];
        const double total = of[0] + of[1] + of[2] + 3 * options_.pseudocount;
        constexpr std::array<std::size_t, 3> kCodeOfCopies = {3, 2, 0};  // bed's code for 0, 1, 2 copies of A1
        for (std::size_t copies = 0; copies < 3; ++copies) {
          const double units = std::round(std::log((of[copies] + options_.pseudocount) / total) * kUnitsPerNat);
          largest = std::max(largest, -units);
          entries[group * 4 + kCodeOfCopies[copies]] = static_cast<std::int32_t>(units) * (1 << kIndexBits);
        }
        entries[group * 4 + 1] = 0;  // missing tells nothing
      }
    }
  }
  check(largest * (1 << kIndexBits) * kMaxModel < std::numeric_limits<std::int32_t>::max(),
        "pseudocount " + std::to_string(options_.pseudocount) + " is too small for " + std::to_string(kMaxModel) +
            " SNPs to be added up; choose a larger one");
}

void Classifier::use_vectors(bool wanted) { uses_vectors_ = wanted && has_vectors(); }

Sums Classifier::begin() const {
  Sums sums;
  sums.numbers_.resize(num_blocks_ * num_groups_ * kLanes);
  for (std::size_t i = 0; i < sums.numbers_.size(); ++i)
    sums.numbers_[i] = kLastIndex - static_cast<std::int32_t>(i / kLanes % num_groups_);
  return sums;
}

void Classifier::walk_blocks(const Sums& from, std::span<const Snp> snps, Sums* to, std::int32_t* keys) const {
  check(snps.size() <= kMaxModel, "a model has " + std::to_string(snps.size()) + " SNPs; at most " +
                                      std::to_string(kMaxModel) + " can be added up");
  std::array<const std::uint16_t*, kMaxModel> codes;
  std::array<const std::int32_t*, kMaxModel> tables;
  for (std::size_t d = 0; d < draws_.size(); ++d) {
    const DrawInfo& draw = draws_[d];
    for (std::size_t i = 0; i < snps.size(); ++i) {
      codes[i] = codes_.data() + snps[i] * num_blocks_ + draw.first_block;
      tables[i] = table(snps[i], d);
    }
    const std::size_t first = draw.first_block * num_groups_ * kLanes;
    const Walk walk{num_groups_,
                    draw.num_blocks,
                    std::span(codes.data(), snps.size()),
                    std::span(tables.data(), snps.size()),
                    from.numbers_.data() + first,
                    to == nullptr ? nullptr : to->numbers_.data() + first,
                    labels_.data() + draw.first_block * kLanes,
                    keys == nullptr ? nullptr : keys + draw.first_block * kLanes};
    uses_vectors_ ? walk_with_vectors(walk) : walk_plainly(walk);
  }
}

void Classifier::add(const Sums& from, Snp snp, Sums& to) const {
  to.numbers_.resize(from.numbers_.size());
  walk_blocks(from, std::span(&snp, 1), &to, nullptr);
}

void Classifier::judge(const Sums& from, std::span<const Snp> snps, Scratch& scratch) const {
  scratch.guess.resize(std::max(scratch.guess.size(), draws_.size()));
  if (options_.objective == Objective::LogLoss) {
    scratch.sums.numbers_.resize(begin_.numbers_.size());
    walk_blocks(from, snps, &scratch.sums, nullptr);
  } else {
    scratch.keys.resize(num_blocks_ * kLanes);
    walk_blocks(from, snps, nullptr, scratch.keys.data());
  }
}

double Classifier::value(const Sums& from, std::span<const Snp> snps) const {
  static thread_local Scratch scratch;
  judge(from, snps, scratch);
  double sum = 0;
  for (std::size_t d = 0; d < draws_.size(); ++d) sum += value_of_draw(draws_[d], d, scratch);
  return sum / static_cast<double>(draws_.size());
}

std::vector<double> Classifier::values_by_draw(std::span<const Snp> snps) const {
  Scratch scratch;
  judge(begin_, snps, scratch);
  std::vector<double> values;
  for (std::size_t d = 0; d < draws_.size(); ++d) values.push_back(value_of_draw(draws_[d], d, scratch));
  return values;
}

double Classifier::value_of_draw(const DrawInfo& draw, std::size_t index, Scratch& scratch) const {
  return options_.objective == Objective::LogLoss ? minus_log_loss(draw, scratch) : right_of(draw, index, scratch);
}

// The least confident are not classified. Where several are as confident as the last of them, it is open who is left
// out, so each counts for the share of them that is classified: the order of the individuals does not matter.
double Classifier::right_of(const DrawInfo& draw, std::size_t index, Scratch& scratch) const {
  const std::int32_t* const keys = scratch.keys.data() + draw.first_block * kLanes;
  const std::size_t size = draw.num_test;
  std::int32_t limit = 0;  // twice the confidence of the least confident who is classified
  if (draw.num_unclassified > 0) {
    const std::int32_t units = limit_of(keys, size, draw.num_unclassified, scratch.guess[index]);
    scratch.guess[index] = units + units / 4 + 16;
    limit = 2 * units;
  }
  const AtLimit at = count_at(keys, size, limit);
  // At the limit: num_at people, of whom so many are classified.
  const double classified = static_cast<double>(at.num_at + at.num_below) - static_cast<double>(draw.num_unclassified);
  const double share = at.num_at > 0 ? classified / at.num_at : 0;
  if (options_.objective == Objective::NumRight) return at.right_above + share * at.right_at;
  const double* const weights = weights_.data() + draw.first_block * kLanes;
  double right = 0;
  for (std::size_t i = 0; i < size; ++i)
    if ((keys[i] & 1) != 0 && keys[i] >= limit) right += keys[i] > limit + 1 ? weights[i] : share * weights[i];
  return right;
}

double Classifier::minus_log_loss(const DrawInfo& draw, const Scratch& scratch) const {
  constexpr double kNatsPerSum = 1 / (kUnitsPerNat * (1 << kIndexBits));
  double total = 0;
  for (std::size_t j = 0; j < draw.num_test; ++j) {
    const std::size_t block = draw.first_block + j / kLanes, lane = j % kLanes;
    const std::int32_t* const sums = scratch.sums.numbers_.data() + block * num_groups_ * kLanes + lane;
    const auto own = static_cast<std::size_t>(labels_[block * kLanes + lane]);
    std::int32_t best = sums[0];
    for (std::size_t k = 1; k < num_groups_; ++k) best = std::max(best, sums[k * kLanes]);
    double all = 0;
    for (std::size_t k = 0; k < num_groups_; ++k)
      all += exp_of_negative(((sums[k * kLanes] >> kIndexBits) - (best >> kIndexBits)) * (1 / kUnitsPerNat));
    total +=
        ((sums[own * kLanes] >> kIndexBits) - (best >> kIndexBits)) * (kNatsPerSum * (1 << kIndexBits)) - std::log(all);
  }
  return total / static_cast<double>(draw.num_test);
}

}  // namespace tesuji::genetics
