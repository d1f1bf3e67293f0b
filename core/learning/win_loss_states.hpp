// Proportions of wins as small integers: an update is one look-up, a comparison is one comparison of integers.
//
// A state stands for n wins of m trials, 0 <= n <= m <= e (the end of the scale). States are numbered by the evidence
// that the proportion lies above a threshold; 0 is "never tried". e = 21 fits a byte, e = 360 two. At m = e a state is
// saturated: its next state lies in the past, so that an extreme proportion has to be confirmed again and again. What
// that does to a proportion is docs/algorithms/win-loss-states.md. Nothing here is shared: who lets threads meet in an
// array of states makes its elements atomic.
//
// Source: Basaldúa, 4.5 (WLS, the Jump-to Past State heuristic).
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

namespace tesuji::learning {

struct Proportion {
  std::uint32_t wins = 0, trials = 0;

  double rate() const { return static_cast<double>(wins) / trials; }
  bool operator==(const Proportion&) const = default;
};

struct Scale {
  std::uint32_t end = 21;
  double z = 0.6744897501960817;  // the normal distribution's 1 - alpha/2 quantile; this one is of alpha = 1/2
  double threshold = 0.5;
  double jump = 1.3;  // K of the heuristic; 0: a saturated state is a counter
};

inline constexpr std::uint32_t kLongestScale = 5000;

// What a scale's states are and where wins and losses lead, in 32 bits. Throws std::invalid_argument for a scale on
// which a win would not raise a state or a loss would not lower it.
struct WinLossTables {
  explicit WinLossTables(const Scale& scale);

  std::vector<Proportion> proportions;  // by state
  std::vector<std::uint32_t> win, loss;
  std::uint32_t at_threshold;  // the lowest state of a proportion at or above the threshold
};

inline std::uint64_t num_states(std::uint64_t end) { return (end + 1) * (end + 2) / 2; }

// The same in the type that a program keeps its states in.
template <std::unsigned_integral State>
class WinLossStates {
 public:
  explicit WinLossStates(const Scale& scale = {}) : WinLossStates(WinLossTables(fitting(scale))) {}

  State after_win(State state) const { return win_[state]; }
  State after_loss(State state) const { return loss_[state]; }
  State after(State state, bool is_win) const { return is_win ? win_[state] : loss_[state]; }
  State at_threshold() const { return at_threshold_; }
  Proportion proportion(State state) const { return proportions_[state]; }
  std::size_t size() const { return proportions_.size(); }

  const std::vector<State>& win() const { return win_; }
  const std::vector<State>& loss() const { return loss_; }

  // The state nearest to a rate in (0, 1): of several, the one with the fewest trials.
  State nearest(double rate) const {
    State best = 1;
    for (std::size_t state = 1; state < size(); ++state)
      if (is_nearer(proportions_[state], proportions_[best], rate)) best = static_cast<State>(state);
    return best;
  }

 private:
  explicit WinLossStates(WinLossTables tables)
      : proportions_(std::move(tables.proportions)),
        win_(tables.win.begin(), tables.win.end()),
        loss_(tables.loss.begin(), tables.loss.end()),
        at_threshold_(static_cast<State>(tables.at_threshold)) {}

  static const Scale& fitting(const Scale& scale) {
    if (num_states(scale.end) - 1 > std::numeric_limits<State>::max())
      throw std::invalid_argument("the scale has more states than its type has values");
    return scale;
  }
  static bool is_nearer(Proportion a, Proportion b, double rate) {
    const double from_a = a.rate() < rate ? rate - a.rate() : a.rate() - rate;
    const double from_b = b.rate() < rate ? rate - b.rate() : b.rate() - rate;
    return from_a != from_b ? from_a < from_b : a.trials < b.trials;
  }

  std::vector<Proportion> proportions_;
  std::vector<State> win_, loss_;
  State at_threshold_;
};

}  // namespace tesuji::learning
