#include "genetics/problem.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>

namespace tesuji::genetics {

namespace {

std::atomic<std::uint64_t> next_number{1};

Model everything(std::size_t num_snps) {
  Model all(num_snps);
  std::iota(all.begin(), all.end(), Snp{0});
  return all;
}

}  // namespace

void BestPanels::offer(double value, std::span<const Snp> snps) {
  if (value <= least_.load(std::memory_order_relaxed)) return;
  const double now = seconds();
  BestPanel panel{value, Model(snps.begin(), snps.end()), now};
  std::sort(panel.snps.begin(), panel.snps.end());
  const std::scoped_lock hold(lock_);
  for (const BestPanel& known : best_)
    if (known.snps == panel.snps) return;
  if (best_.empty() || value > best_.front().value) improvements_.push_back(panel);
  const auto place = std::upper_bound(best_.begin(), best_.end(), value,
                                      [](double v, const BestPanel& other) { return v > other.value; });
  best_.insert(place, std::move(panel));
  if (best_.size() > capacity_) best_.pop_back();
  if (best_.size() == capacity_) least_.store(best_.back().value, std::memory_order_relaxed);
}

std::vector<BestPanel> BestPanels::all() const {
  const std::scoped_lock hold(lock_);
  return best_;
}

std::vector<BestPanel> BestPanels::improvements() const {
  const std::scoped_lock hold(lock_);
  return improvements_;
}

Conflicts::Conflicts(std::size_t num_snps, std::span<const Snp> first, std::span<const Snp> second)
    : first_(num_snps + 1), others_(2 * first.size()) {
  if (first.size() != second.size()) throw std::invalid_argument("conflicts are pairs");
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] >= num_snps || second[i] >= num_snps) throw std::invalid_argument("a conflict names no candidate");
    ++first_[first[i] + 1];
    ++first_[second[i] + 1];
  }
  for (std::size_t i = 0; i < num_snps; ++i) first_[i + 1] += first_[i];
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (std::size_t i = 0; i < first.size(); ++i) {
    others_[next[first[i]]++] = second[i];
    others_[next[second[i]]++] = first[i];
  }
}

Problem::Problem(std::shared_ptr<const Classifier> classifier, std::size_t panel_size, Model included,
                 Conflicts conflicts, std::vector<float> priors)
    : Problem(classifier, panel_size, std::move(included), std::make_shared<const Conflicts>(std::move(conflicts)),
              everything(classifier->num_snps()), std::move(priors)) {}

Problem::Problem(std::shared_ptr<const Classifier> classifier, std::size_t panel_size, Model included,
                 std::shared_ptr<const Conflicts> conflicts, Model pool, std::vector<float> priors)
    : classifier_(std::move(classifier)),
      panel_size_(panel_size),
      included_(std::move(included)),
      is_included_(classifier_->num_snps()),
      conflicts_(std::move(conflicts)),
      pool_(std::move(pool)),
      priors_(std::move(priors)),
      number_(next_number.fetch_add(1)) {
  if (panel_size < 1 || panel_size > Classifier::kMaxModel)
    throw std::invalid_argument("a panel of " + std::to_string(panel_size) + " SNPs is outside 1.." +
                                std::to_string(Classifier::kMaxModel));
  if (panel_size > num_snps())
    throw std::invalid_argument("a panel of " + std::to_string(panel_size) + " SNPs cannot be chosen from " +
                                std::to_string(num_snps()) + " candidates");
  if (included_.size() > panel_size) throw std::invalid_argument("more SNPs must be included than a panel has");
  if (priors_.size() != pool_.size()) throw std::invalid_argument("every candidate needs a prior");
  for (const Snp snp : pool_)
    if (snp >= num_snps()) throw std::invalid_argument("the pool has a SNP that is not a candidate");
  std::sort(included_.begin(), included_.end());
  for (const Snp snp : included_) {
    if (snp >= num_snps()) throw std::invalid_argument("an included SNP is not a candidate");
    is_included_[snp] = true;
  }
}

std::shared_ptr<Problem> Problem::narrowed(Model included, Model pool, std::vector<float> priors) const {
  return std::shared_ptr<Problem>(
      new Problem(classifier_, panel_size_, std::move(included), conflicts_, std::move(pool), std::move(priors)));
}

std::vector<double> Problem::additions(std::span<const Snp> model, int num_threads) const {
  for (const Snp snp : model)
    if (snp >= num_snps()) throw std::invalid_argument("candidate " + std::to_string(snp) + " does not exist");
  std::vector<double> values(num_snps(), std::numeric_limits<double>::quiet_NaN());
  Sums sums = classifier_->begin();
  for (const Snp snp : model) classifier_->add(sums, snp, sums);
  const Barred barred(*this, model);
  const bool is_whole = model.size() + 1 == panel_size_;
  const auto work = [&](std::size_t first) {
    Model whole(model.begin(), model.end());
    whole.push_back(0);
    std::uint64_t evaluated = 0;
    for (std::size_t place = first; place < pool_.size(); place += static_cast<std::size_t>(num_threads)) {
      const Snp snp = pool_[place];
      if (barred[snp]) continue;
      values[snp] = classifier_->value(sums, std::span(&snp, 1));
      ++evaluated;
      whole.back() = snp;
      if (is_whole) best_.offer(values[snp], whole);
    }
    best_.count(evaluated);
  };
  std::vector<std::thread> threads;
  for (int i = 1; i < num_threads; ++i) threads.emplace_back(work, static_cast<std::size_t>(i));
  work(0);
  for (std::thread& thread : threads) thread.join();
  return values;
}

}  // namespace tesuji::genetics
