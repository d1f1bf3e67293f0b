// A panel to be found: so many of the candidates, which must go together, with the best value. What all searches share:
// the classifier, the constraints, and the list of the best panels found so far.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "genetics/classifier.hpp"

namespace tesuji::genetics {

using Model = std::vector<Snp>;

struct BestPanel {
  double value = 0;
  Model snps;          // ascending
  double seconds = 0;  // when it was found
};

// The best panels so far, each set once. Written by many threads.
class BestPanels {
 public:
  explicit BestPanels(std::size_t capacity) : capacity_(capacity) {}

  void offer(double value, std::span<const Snp> snps);
  std::vector<BestPanel> all() const;  // best first
  // Every new best, in its order.
  std::vector<BestPanel> improvements() const;
  std::uint64_t num_evaluated() const { return num_evaluated_.load(std::memory_order_relaxed); }
  void count(std::uint64_t evaluated) { num_evaluated_.fetch_add(evaluated, std::memory_order_relaxed); }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;

  const std::size_t capacity_;
  const Clock::time_point start_ = Clock::now();
  std::atomic<double> least_{-1e300};  // a value that is not above it is no news
  std::atomic<std::uint64_t> num_evaluated_{0};
  mutable std::mutex lock_;
  std::vector<BestPanel> best_, improvements_;
};

// Pairs of candidates that may not be in one panel.
class Conflicts {
 public:
  Conflicts(std::size_t num_snps, std::span<const Snp> first, std::span<const Snp> second);
  std::span<const Snp> of(Snp snp) const { return {others_.data() + first_[snp], others_.data() + first_[snp + 1]}; }

 private:
  std::vector<std::size_t> first_;
  std::vector<Snp> others_;
};

// Candidates are numbered by rank, the most promising first. A search chooses from a pool of them: all, or a few in an
// order of their own (narrowed).
class Problem {
 public:
  Problem(std::shared_ptr<const Classifier> classifier, std::size_t panel_size, Model included, Conflicts conflicts,
          std::vector<float> priors);

  // The same with more SNPs included and fewer to choose from; nothing is found yet. `priors`: one for each of the
  // pool.
  std::shared_ptr<Problem> narrowed(Model included, Model pool, std::vector<float> priors) const;

  const Classifier& classifier() const { return *classifier_; }
  std::size_t num_snps() const { return classifier_->num_snps(); }
  std::size_t panel_size() const { return panel_size_; }
  const Model& included() const { return included_; }  // in every panel
  const Conflicts& conflicts() const { return *conflicts_; }
  const Model& pool() const { return pool_; }                // the most promising first
  std::span<const float> priors() const { return priors_; }  // of the pool, 0..1
  bool is_included(Snp snp) const { return is_included_[snp]; }
  BestPanels& best() const { return best_; }
  std::uint64_t number() const { return number_; }  // no two problems of a process have the same

  // The value of each candidate added to a model; NaN for those that may not be added.
  std::vector<double> additions(std::span<const Snp> model, int num_threads) const;

 private:
  Problem(std::shared_ptr<const Classifier> classifier, std::size_t panel_size, Model included,
          std::shared_ptr<const Conflicts> conflicts, Model pool, std::vector<float> priors);

  std::shared_ptr<const Classifier> classifier_;
  std::size_t panel_size_;
  Model included_;
  std::vector<bool> is_included_;
  std::shared_ptr<const Conflicts> conflicts_;
  Model pool_;
  std::vector<float> priors_;
  mutable BestPanels best_{16};
  std::uint64_t number_;
};

// Which candidates may not join a model: its members, and whatever conflicts with one of them. A bit each, so that a
// game's state can carry it along.
class Barred {
 public:
  explicit Barred(const Problem& problem) : words_((problem.num_snps() + 63) / 64) {}
  Barred(const Problem& problem, std::span<const Snp> model) : Barred(problem) {
    for (const Snp snp : model) add(problem, snp);
  }
  void add(const Problem& problem, Snp snp) {
    set(snp);
    for (const Snp other : problem.conflicts().of(snp)) set(other);
  }
  bool operator[](Snp snp) const { return (words_[snp / 64] >> (snp % 64) & 1) != 0; }

 private:
  void set(Snp snp) { words_[snp / 64] |= std::uint64_t{1} << (snp % 64); }

  std::vector<std::uint64_t> words_;
};

}  // namespace tesuji::genetics
