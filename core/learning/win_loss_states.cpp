#include "learning/win_loss_states.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace tesuji::learning {
namespace {

// Agresti and Coull's interval (4.28 to 4.30): its lower end where the proportion is at or above the threshold, else
// its upper end. Who is above comes after who is below, which the source gets by shifting one side.
struct Evidence {
  bool is_above;
  double bound;

  Evidence(Proportion p, const Scale& scale) : is_above(p.rate() >= scale.threshold) {
    const double trials = p.trials + scale.z * scale.z;
    const double rate = (p.wins + scale.z * scale.z / 2) / trials;
    const double reach = scale.z * std::sqrt(rate * (1 - rate) / trials);
    bound = is_above ? rate - reach : rate + reach;
  }
  bool operator<(const Evidence& other) const {
    return is_above != other.is_above ? other.is_above : bound < other.bound;
  }
};

std::string text(Proportion p) { return std::to_string(p.wins) + "/" + std::to_string(p.trials); }

class Builder {
 public:
  Builder(const Scale& scale, WinLossTables& tables) : scale_(scale), tables_(tables) {}

  void build() {
    number_states();
    const std::size_t size = tables_.proportions.size();
    tables_.win.resize(size);
    tables_.loss.resize(size);
    tables_.win[0] = state_of({1, 1});
    tables_.loss[0] = state_of({0, 1});
    for (std::size_t state = 1; state < size; ++state) {
      const Proportion p = tables_.proportions[state];
      tables_.win[state] = state_of(after(p, true));
      tables_.loss[state] = state_of(after(p, false));
      check(static_cast<std::uint32_t>(state));
    }
    const auto first = std::find_if(tables_.proportions.begin() + 1, tables_.proportions.end(),
                                    [this](Proportion p) { return p.rate() >= scale_.threshold; });
    tables_.at_threshold = static_cast<std::uint32_t>(first - tables_.proportions.begin());
  }

 private:
  void number_states() {
    auto& all = tables_.proportions;
    all.reserve(num_states(scale_.end));
    for (std::uint32_t trials = 0; trials <= scale_.end; ++trials)
      for (std::uint32_t wins = 0; wins <= trials; ++wins) all.push_back({wins, trials});
    std::stable_sort(all.begin() + 1, all.end(),
                     [this](Proportion a, Proportion b) { return Evidence(a, scale_) < Evidence(b, scale_); });
    states_.resize(all.size());
    for (std::size_t state = 0; state < all.size(); ++state) states_[index_of(all[state])] = state;
  }

  Proportion after(Proportion p, bool is_win) const {
    if (p.trials < scale_.end) return {p.wins + is_win, p.trials + 1};
    // A loss is a win seen from the other side.
    const std::uint32_t good = is_win ? p.wins : p.trials - p.wins;
    if (good == scale_.end) return p;  // the highest state stays, and so does the lowest
    const Proportion past = jump_back(good, [&](Proportion q) { return is_further(p, seen(q, is_win), is_win); });
    return seen(past, is_win);
  }

  // The Jump-to Past State heuristic (4.5.6): a proportion of the same rate with fewer trials; the fewer, the further
  // the rate is from 1/2. Then as many good results more as it takes to go the right way.
  template <class Accepts>
  Proportion jump_back(std::uint32_t good, Accepts accepts) const {
    const double end = scale_.end;
    const auto jump = static_cast<std::uint32_t>(std::floor(scale_.jump * std::abs(good - end / 2) + 0.5));
    const std::uint32_t trials = std::max<std::int64_t>(1, std::int64_t{scale_.end} - jump);
    Proportion past{static_cast<std::uint32_t>(std::floor(good * trials / end + 0.5)), trials};
    while (!accepts(past) && past != Proportion{scale_.end, scale_.end}) {
      if (past.wins == past.trials) ++past.trials;
      ++past.wins;
    }
    return past;
  }

  static Proportion seen(Proportion p, bool is_win) { return is_win ? p : Proportion{p.trials - p.wins, p.trials}; }

  bool is_further(Proportion from, Proportion to, bool is_win) const {
    return is_win ? state_of(to) > state_of(from) : state_of(to) < state_of(from);
  }

  // Condition 2 of the source. An interval that is very wide breaks it before saturation.
  void check(std::uint32_t state) const {
    const std::uint32_t win = tables_.win[state], loss = tables_.loss[state];
    const bool is_last = state + 1 == tables_.proportions.size();
    if ((win > state) == is_last) refuse("win", "raise", state);
    if ((loss < state) == (state == 1)) refuse("loss", "lower", state);
  }
  [[noreturn]] void refuse(const char* result, const char* verb, std::uint32_t state) const {
    throw std::invalid_argument(std::string("a ") + result + " at " + text(tables_.proportions[state]) + " would not " +
                                verb + " the state: the interval is too wide for this threshold");
  }

  static std::size_t index_of(Proportion p) { return std::size_t{p.trials} * (p.trials + 1) / 2 + p.wins; }
  std::uint32_t state_of(Proportion p) const { return states_[index_of(p)]; }

  const Scale& scale_;
  WinLossTables& tables_;
  std::vector<std::uint32_t> states_;  // by proportion
};

void check(const Scale& scale) {
  if (scale.end < 1 || scale.end > kLongestScale)
    throw std::invalid_argument("the end of the scale is " + std::to_string(scale.end) + ": it is 1 to " +
                                std::to_string(kLongestScale));
  if (!(scale.threshold > 0 && scale.threshold < 1)) throw std::invalid_argument("the threshold lies between 0 and 1");
  if (!(scale.z > 0) || !std::isfinite(scale.z)) throw std::invalid_argument("z is a positive number");
  if (!(scale.jump >= 0 && scale.jump <= 2)) throw std::invalid_argument("the jump is 0 to 2");
}

}  // namespace

WinLossTables::WinLossTables(const Scale& scale) {
  check(scale);
  Builder(scale, *this).build();
}

}  // namespace tesuji::learning
