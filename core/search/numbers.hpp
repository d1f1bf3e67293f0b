// One player's values: kept as they are, and read on a scale from 0 to 1. See docs/algorithms/one-player.md.
//
// Sums hold merits: the number itself, or its negative where less is better. The scale's high end is the best merit
// seen, its low end a robust one: the 10 % quantile q10 less twice the way from it to the median, or the worst merit of
// the sample if that is higher. A merit below the low end counts as the low end, so that one infeasible solution among
// millions cannot make all others look alike. Nothing in the graph is ever moved to another scale.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "games/game.hpp"

namespace tesuji {

// Sums of numbers stand where two players have sums in fixed point, as the bits of a double.
inline double as_number(std::int64_t bits) { return std::bit_cast<double>(bits); }
inline std::int64_t as_bits(double number) { return std::bit_cast<std::int64_t>(number); }
inline void add_number(std::atomic<std::int64_t>& sum, double amount, bool shared) {
  std::int64_t bits = sum.load(std::memory_order_relaxed);
  if (!shared) return sum.store(as_bits(as_number(bits) + amount), std::memory_order_relaxed);
  while (!sum.compare_exchange_weak(bits, as_bits(as_number(bits) + amount), std::memory_order_relaxed)) {
  }
}

// Some of the numbers of a stream, evenly spread over it: all, then every second, every fourth ...
class EvenSample {
 public:
  // True when the sample says something new: at 16 numbers, 32, 64 ...
  bool add(double number);
  std::span<const double> numbers() const { return kept_; }
  // The sample and how it came about.
  std::vector<double> save() const;
  void restore(std::span<const double> saved);

 private:
  static constexpr std::size_t kMost = 512;
  std::vector<double> kept_;
  std::uint64_t seen_ = 0, stride_ = 1;
};

class Numbers {
 public:
  explicit Numbers(Goal goal) : goal_(goal), sign_(goal == Goal::Minimise ? -1.0 : 1.0) {}

  Goal goal() const { return goal_; }
  bool are_used() const { return goal_ != Goal::TwoPlayers; }

  // Notes a result; one worker's sample makes the scale. Throws std::invalid_argument if it is not finite.
  void note(double number, bool is_sampled);
  // As a result enters the sums.
  double merit(double number) const {
    const double merit = sign_ * number, low = low_.load(std::memory_order_relaxed);
    return merit < low ? low : merit;
  }
  // A merit with a share of it taken off, counted from the scale's low end.
  double penalised(double merit, double share) const {
    const double low = low_.load(std::memory_order_relaxed);
    return merit > low ? merit - share * (merit - low) : merit;
  }
  // A mean of merits in 0..1, and back to a number of the game.
  double normal(double mean) const {
    const double low = low_.load(std::memory_order_relaxed), range = high_.load(std::memory_order_relaxed) - low;
    const double at = mean - low;
    return !(range > 0) || !(at > 0) ? 0 : at < range ? at / range : 1;
  }
  double number(double merit) const { return sign_ * merit; }
  // The merit at a place of 0..1 on the scale.
  double merit_at(double place) const {
    return low_.load(std::memory_order_relaxed) + place * (high_.load(std::memory_order_relaxed) - low_);
  }
  double range() const {
    const double range = high_.load(std::memory_order_relaxed) - low_.load(std::memory_order_relaxed);
    return range > 0 ? range : 0;
  }

  // The scale, to be saved: its ends and its sample; empty before the first result.
  std::vector<double> save() const;
  void restore(std::span<const double> saved);

 private:
  void find_low();

  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Goal goal_;
  const double sign_;
  EvenSample sample_;
  std::atomic<double> low_{-kInfinity}, high_{-kInfinity};
};

}  // namespace tesuji
