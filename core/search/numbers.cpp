#include "search/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace tesuji {

bool EvenSample::add(double number) {
  constexpr std::uint64_t kFirst = 16;
  if (seen_++ % stride_ == 0) {
    if (kept_.size() == kMost) {
      for (std::size_t i = 0; 2 * i < kMost; ++i) kept_[i] = kept_[2 * i];
      kept_.resize(kMost / 2);
      stride_ *= 2;
    }
    kept_.push_back(number);
  }
  return seen_ < kFirst || std::has_single_bit(seen_);
}

std::vector<double> EvenSample::save() const {
  std::vector<double> saved{static_cast<double>(seen_), static_cast<double>(stride_)};
  saved.insert(saved.end(), kept_.begin(), kept_.end());
  return saved;
}

void EvenSample::restore(std::span<const double> saved) {
  constexpr double kMostSeen = 1e15;
  const auto is_count = [](double number) {
    return number >= 1 && number <= kMostSeen && number == std::floor(number);
  };
  const bool is_good = saved.size() >= 3 && saved.size() - 2 <= kMost && is_count(saved[0]) && is_count(saved[1]) &&
                       saved[0] >= static_cast<double>(saved.size() - 2);
  if (!is_good) throw std::invalid_argument("the file's scale of numbers is damaged");
  seen_ = static_cast<std::uint64_t>(saved[0]);
  stride_ = static_cast<std::uint64_t>(saved[1]);
  kept_.assign(saved.begin() + 2, saved.end());
}

void Numbers::note(double number, bool is_sampled) {
  if (!std::isfinite(number))
    throw std::invalid_argument("value is " + std::to_string(number) + "; a solution's value must be a finite number");
  const double merit = sign_ * number;
  double high = high_.load(std::memory_order_relaxed);
  while (merit > high && !high_.compare_exchange_weak(high, merit, std::memory_order_relaxed)) {
  }
  if (is_sampled && sample_.add(merit)) find_low();
}

void Numbers::find_low() {
  std::vector<double> sorted(sample_.numbers().begin(), sample_.numbers().end());
  std::sort(sorted.begin(), sorted.end());
  const double tenth = sorted[(sorted.size() + 9) / 10 - (sorted.size() < 10 ? 1 : 0)],
               median = sorted[sorted.size() / 2];
  low_.store(std::max(sorted.front(), tenth - 2 * (median - tenth)), std::memory_order_relaxed);
}

std::vector<double> Numbers::save() const {
  if (sample_.numbers().empty()) return {};
  std::vector<double> saved{low_.load(), high_.load()};
  const std::vector<double> sample = sample_.save();
  saved.insert(saved.end(), sample.begin(), sample.end());
  return saved;
}

void Numbers::restore(std::span<const double> saved) {
  if (saved.empty()) return;
  const bool is_finite = std::all_of(saved.begin(), saved.end(), [](double number) { return std::isfinite(number); });
  if (saved.size() < 3 || !is_finite || saved[0] > saved[1])
    throw std::invalid_argument("the file's scale of numbers is damaged");
  sample_.restore(saved.subspan(2));
  low_ = saved[0];
  high_ = saved[1];
}

}  // namespace tesuji
