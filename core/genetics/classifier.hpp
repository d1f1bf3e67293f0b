// How well a set of SNPs classifies individuals: section 5.5.2 of the source (docs/algorithms/snp-panels.md), on
// cross-validation draws that are fixed beforehand.
//
// For each draw, genotype distributions are learned per group on the learning set, once and for all SNPs. A model's
// log-likelihoods are then sums over its SNPs, and adding a SNP to a model costs one addition per test individual and
// group. Logarithms are kept as whole multiples of 2^-12, so that no sum depends on the order of the SNPs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tesuji::genetics {

using Snp = std::uint32_t;

// What a model is judged by; more is better.
enum class Objective {
  NumRight,  // 5.42: right ones among those who are classified, mean over the draws
  Balanced,  // the same with every group weighing the same: each counts (size of the test set) / (groups * its own)
  Expected,  // the mean probability of the own group, over all test individuals, groups equally likely before
  LogLoss,   // minus the mean of -log P(own group | genotypes) over all test individuals, groups equally likely before
};

struct Draw {
  std::vector<std::uint32_t> learning, test;  // individuals
};

struct ClassifierOptions {
  double pseudocount = 0.5;    // added to each genotype's count, so that a genotype never seen has a probability
  double unclassified = 0.05;  // share of the least confident, who are not classified
  Objective objective = Objective::NumRight;
  double temperature = 1;  // log-likelihoods are divided by it; who is right stays, probabilities grow less certain
};

// Log-likelihoods of all test individuals of all draws under a model, group by group.
class Sums {
 public:
  Sums() = default;

 private:
  friend class Classifier;
  std::vector<std::int32_t> numbers_;  // [block of eight individuals][group][eight]
};

class Classifier {
 public:
  static constexpr std::size_t kMaxGroups = 64;
  static constexpr std::size_t kLanes = 8;
  static constexpr std::size_t kMaxModel = 256;

  // `genotypes` are num_snps rows in bed format. Throws for what does not fit together.
  Classifier(std::span<const std::uint8_t> genotypes, std::size_t num_snps, std::span<const std::int32_t> labels,
             std::size_t num_groups, std::span<const Draw> draws, const ClassifierOptions& options);

  std::size_t num_snps() const { return num_snps_; }
  std::size_t num_groups() const { return num_groups_; }
  std::size_t num_draws() const { return draws_.size(); }
  const ClassifierOptions& options() const { return options_; }

  // Of the empty model.
  Sums begin() const;
  // `to` becomes `from` with one SNP more; they may be the same.
  void add(const Sums& from, Snp snp, Sums& to) const;
  // The value of `from` with SNPs more.
  double value(const Sums& from, std::span<const Snp> snps) const;
  double value(std::span<const Snp> snps) const { return value(begin_, snps); }
  // By draw.
  std::vector<double> values_by_draw(std::span<const Snp> snps) const;
  // Off: the code that runs on any processor.
  void use_vectors(bool wanted);
  bool uses_vectors() const { return uses_vectors_; }

 private:
  struct DrawInfo {
    std::size_t first_block, num_blocks, num_test, num_unclassified;
  };
  struct Scratch;

  void learn(std::span<const std::uint8_t> genotypes, std::span<const std::int32_t> labels,
             std::span<const Draw> draws);
  void judge(const Sums& from, std::span<const Snp> snps, Scratch& scratch) const;
  double value_of_draw(const DrawInfo& draw, std::size_t index, Scratch& scratch) const;
  double right_of(const DrawInfo& draw, std::size_t index, Scratch& scratch) const;
  double minus_log_loss(const DrawInfo& draw, const Scratch& scratch) const;
  double mean_probability(const DrawInfo& draw, const Scratch& scratch) const;
  // Whether models are judged by probabilities, not by who is right.
  bool is_soft() const { return options_.objective == Objective::LogLoss || options_.objective == Objective::Expected; }
  void walk_blocks(const Sums& from, std::span<const Snp> snps, Sums* to, Scratch* scratch) const;
  const std::int32_t* table(Snp snp, std::size_t draw) const {
    return tables_.data() + (snp * draws_.size() + draw) * num_groups_ * 4;
  }

  std::size_t num_snps_, num_groups_, num_blocks_ = 0;
  ClassifierOptions options_;
  std::vector<DrawInfo> draws_;
  std::vector<std::uint16_t> codes_;  // [snp][block]: eight genotypes of two bits
  std::vector<std::int32_t> tables_;  // [snp][draw][group][genotype]: log-probability, in units
  std::vector<std::int32_t> labels_;  // [block][lane]: the test individual's group, -1 where there is none
  std::vector<double> weights_;       // [block][lane]: what it counts for if it is right
  Sums begin_;
  bool uses_vectors_;
};

}  // namespace tesuji::genetics
