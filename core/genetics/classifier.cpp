#include "genetics/classifier.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "base/attributes.hpp"
#include "genetics/counts.hpp"
#include "genetics/limit.hpp"
#include "genetics/walk.hpp"

namespace tesuji::genetics {

namespace {

void check(bool holds, const std::string& message) {
  if (!holds) throw std::invalid_argument(message);
}

// By lanes, so that vectors add in the same order as plain code.
TESUJI_CLONED double sum_of_probabilities(const std::int32_t* gaps, const float* totals, std::size_t size) {
  constexpr std::size_t kLanes = Classifier::kLanes;
  std::array<float, kLanes> sums{};
  for (std::size_t i = 0; i < size; i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += exp_of_units(gaps[i + lane]) / totals[i + lane];
  double sum = 0;
  for (const float one : sums) sum += one;
  return sum;
}

}  // namespace

// What one thread needs while it judges a model.
struct Classifier::Scratch {
  std::vector<std::int32_t> keys;  // [block][lane]: 2 * confidence + (1 if right); kNobody where there is nobody
  LimitScratch limits;
  std::vector<std::int32_t> gaps;  // [block][lane], log-loss only: see Walk
  std::vector<float> totals;
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
  check(std::isfinite(options.temperature) && options.temperature > 0,
        "temperature is " + std::to_string(options.temperature) + "; it must be a positive number");
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
          const double log = std::log((of[copies] + options_.pseudocount) / total);
          const double units = std::round(log * (kUnitsPerNat / options_.temperature));
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

void Classifier::walk_blocks(const Sums& from, std::span<const Snp> snps, Sums* to, Scratch* scratch) const {
  check(snps.size() <= kMaxModel, "a model has " + std::to_string(snps.size()) + " SNPs; at most " +
                                      std::to_string(kMaxModel) + " can be added up");
  const bool has_losses = scratch != nullptr && is_soft();
  const bool has_keys = scratch != nullptr && !has_losses;
  std::array<const std::uint16_t*, kMaxModel> codes;
  std::array<const std::int32_t*, kMaxModel> tables;
  for (std::size_t d = 0; d < draws_.size(); ++d) {
    const DrawInfo& draw = draws_[d];
    for (std::size_t i = 0; i < snps.size(); ++i) {
      codes[i] = codes_.data() + snps[i] * num_blocks_ + draw.first_block;
      tables[i] = table(snps[i], d);
    }
    const std::size_t lane = draw.first_block * kLanes;
    const Walk walk{num_groups_,
                    draw.num_blocks,
                    std::span(codes.data(), snps.size()),
                    std::span(tables.data(), snps.size()),
                    from.numbers_.data() + lane * num_groups_,
                    to == nullptr ? nullptr : to->numbers_.data() + lane * num_groups_,
                    labels_.data() + lane,
                    has_keys ? scratch->keys.data() + lane : nullptr,
                    has_losses ? scratch->gaps.data() + lane : nullptr,
                    has_losses ? scratch->totals.data() + lane : nullptr};
    uses_vectors_ ? walk_with_vectors(walk) : walk_plainly(walk);
  }
}

void Classifier::add(const Sums& from, Snp snp, Sums& to) const {
  to.numbers_.resize(from.numbers_.size());
  walk_blocks(from, std::span(&snp, 1), &to, nullptr);
}

void Classifier::judge(const Sums& from, std::span<const Snp> snps, Scratch& scratch) const {
  if (is_soft()) {
    scratch.gaps.resize(num_blocks_ * kLanes);
    scratch.totals.resize(num_blocks_ * kLanes);
  } else {
    scratch.keys.resize(num_blocks_ * kLanes);
  }
  walk_blocks(from, snps, nullptr, &scratch);
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
  if (options_.objective == Objective::LogLoss) return minus_log_loss(draw, scratch);
  if (options_.objective == Objective::Expected) return mean_probability(draw, scratch);
  return right_of(draw, index, scratch);
}

// The least confident are not classified. Where several are as confident as the last of them, it is open who is left
// out, so each counts for the share of them that is classified: the order of the individuals does not matter.
double Classifier::right_of(const DrawInfo& draw, std::size_t index, Scratch& scratch) const {
  std::int32_t* const keys = scratch.keys.data() + draw.first_block * kLanes;
  const std::size_t num_keys = draw.num_blocks * kLanes;
  std::fill(keys + draw.num_test, keys + num_keys, kNobody);
  const Limit at = find_limit(keys, num_keys, draw.num_unclassified, index, uses_vectors_, scratch.limits);
  const double share = static_cast<double>(at.num_at - at.num_out) / at.num_at;
  if (options_.objective == Objective::NumRight) return at.right_above + share * at.right_at;
  const double* const weights = weights_.data() + draw.first_block * kLanes;
  double right = 0;
  for (std::size_t i = 0; i < draw.num_test; ++i)
    if ((keys[i] & 1) != 0 && keys[i] >= at.key) right += keys[i] > at.key + 1 ? weights[i] : share * weights[i];
  return right;
}

// The logarithms of many numbers are the logarithm of their product, taken by lanes and before it grows too large: a
// total is at most the number of groups, so that sixteen of them stay below 2^(6 * 16).
double Classifier::minus_log_loss(const DrawInfo& draw, const Scratch& scratch) const {
  constexpr std::size_t kFactors = 16;
  const std::int32_t* const gaps = scratch.gaps.data() + draw.first_block * kLanes;
  const float* const totals = scratch.totals.data() + draw.first_block * kLanes;
  std::int64_t units = 0;
  for (std::size_t i = 0; i < draw.num_blocks * kLanes; ++i) units += gaps[i];
  double logarithms = 0;
  for (std::size_t first = 0; first < draw.num_blocks; first += kFactors) {
    std::array<float, kLanes> products;
    products.fill(1);
    for (std::size_t block = first; block < std::min(first + kFactors, draw.num_blocks); ++block)
      for (std::size_t lane = 0; lane < kLanes; ++lane) products[lane] *= totals[block * kLanes + lane];
    double product = 1;
    for (const float one : products) product *= one;  // of eight: below 2^768
    logarithms += std::log(product);
  }
  return (static_cast<double>(units) / kUnitsPerNat - logarithms) / static_cast<double>(draw.num_test);
}

double Classifier::mean_probability(const DrawInfo& draw, const Scratch& scratch) const {
  const std::size_t first = draw.first_block * kLanes, size = draw.num_blocks * kLanes;
  const double total = sum_of_probabilities(scratch.gaps.data() + first, scratch.totals.data() + first, size);
  const double nobody = static_cast<double>(size - draw.num_test);  // 1 each
  return (total - nobody) / static_cast<double>(draw.num_test);
}

}  // namespace tesuji::genetics
