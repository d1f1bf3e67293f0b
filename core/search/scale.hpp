// The scale of a search for one player: which of the numbers seen so far is 0 and which is 1. See
// docs/algorithms/one-player.md.
//
// The worst number seen is 0, the best is 1. When a number falls outside, the scale grows, and all sums in the graph
// are moved to the new scale, so that old and new results can be compared and UCB sees one scale at any moment.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "games/game.hpp"
#include "search/graph.hpp"

namespace tesuji {

// A result v on the old scale is factor * v + offset on the new one.
struct ScaleChange {
  double factor = 1, offset = 0;
  bool is_change() const { return factor != 1 || offset != 0; }
};

class NumberScale {
 public:
  explicit NumberScale(Goal goal) : sign_(goal == Goal::Minimise ? -1.0 : 1.0) {}

  bool holds(double number) const {
    const double merit = sign_ * number;
    return has_numbers_ && merit >= low_.load(std::memory_order_relaxed) &&
           merit <= high_.load(std::memory_order_relaxed);
  }
  // In fixed point; `number` must be held.
  std::int64_t to_fixed(double number) const {
    const double range = high_.load(std::memory_order_relaxed) - low_.load(std::memory_order_relaxed);
    return range > 0 ? tesuji::to_fixed((sign_ * number - low_.load(std::memory_order_relaxed)) / range) : 0;
  }
  // A mean in 0..1 as a number of the game.
  double to_number(double mean) const {
    const double low = low_.load(std::memory_order_relaxed);
    return sign_ * (low + mean * (high_.load(std::memory_order_relaxed) - low));
  }
  double range() const { return high_.load(std::memory_order_relaxed) - low_.load(std::memory_order_relaxed); }

  // Makes room for numbers. Call it only while no worker walks. Throws if the range is beyond a double.
  ScaleChange grow(std::span<const double> numbers);

 private:
  const double sign_;  // merit = sign * number: more is better
  bool has_numbers_ = false;
  std::atomic<double> low_{0}, high_{0};  // merits; atomic, because a report may read them at any time
};

// Moves all results in a graph to a new scale. Call it only while no worker walks.
void rescale(Graph& graph, const ScaleChange& change);

}  // namespace tesuji
