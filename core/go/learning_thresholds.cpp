#include "go/learning_thresholds.hpp"

#include <cmath>

namespace tesuji::go {

namespace {

constexpr std::uint32_t kPlayoutsPerBalance = 50;

// The first state, in the order of states, whose rate is at least so high.
template <class States>
std::size_t first_above(const States& states, double rate, double z) {
  const auto is_above = [&](learning::Proportion p) {
    const double trials = p.trials + z * z, middle = (p.wins + z * z / 2) / trials;
    return p.wins > 0 && middle - z * std::sqrt(middle * (1 - middle) / trials) >= rate;
  };
  std::size_t state = 1;
  while (state + 1 < states.size() && !is_above(states.proportion(static_cast<std::uint8_t>(state)))) ++state;
  return state;
}

}  // namespace

LearningThresholds::LearningThresholds(const LearningOptions& options, const learning::WinLossStates<State>& states)
    : num_states_(static_cast<int>(states.size())),
      is_relative_(options.is_relative),
      balances_(options.balances),
      fixed_{states.nearest(options.node_threshold), states.nearest(options.edge_threshold)},
      leads_{options.node_threshold - 0.5, options.edge_threshold - 0.5} {
  for (int hundredths = 0; hundredths <= 100; ++hundredths)
    surely_above_.push_back(static_cast<State>(first_above(states, hundredths / 100.0, options.z)));
}

int LearningThresholds::relative(Kind kind, int color) const {
  const double own = color == 0 ? black_rate() : 1 - black_rate();
  return surely_above_[static_cast<std::size_t>(std::clamp(100 * (own + leads_[kind]) + 0.5, 1.0, 99.0))];
}

void LearningThresholds::count_moves(const Moves& moves, std::uint64_t number) {
  for (std::size_t kind = 0; kind < 2; ++kind)
    for (std::size_t color = 0; color < 2; ++color)
      moves_[kind][color].fetch_add(moves[kind][color], std::memory_order_relaxed);
  if (!balances_ || number % kPlayoutsPerBalance != 0) return;
  adjust(kNodes);
  adjust(kEdges);
}

// Were black and white as likely to play such moves, their difference would have the deviation sqrt(black + white).
void LearningThresholds::adjust(Kind kind) {
  const double black = moves_[kind][0].exchange(0, std::memory_order_relaxed);
  const double white = moves_[kind][1].exchange(0, std::memory_order_relaxed);
  if (std::abs(black - white) <= 2 * std::sqrt(black + white)) return;
  const bool is_far_off = black > 2 * white || white > 2 * black;
  const int step = is_far_off ? 4 : 1;
  const int most = num_states_ / 2;
  const int changed = std::clamp(offset(kind) + (black > white ? step : -step), -most, most);
  offsets_[kind].store(changed, std::memory_order_relaxed);
}

LearningThresholds::Balances LearningThresholds::save() const {
  Balances saved{{offset(kNodes), offset(kEdges)}, {}, black_rate_.load(std::memory_order_relaxed)};
  for (std::size_t i = 0; i < 4; ++i) saved.moves[i / 2][i % 2] = moves_[i / 2][i % 2].load(std::memory_order_relaxed);
  return saved;
}

void LearningThresholds::restore(const Balances& balances) {
  const int most = num_states_ / 2;
  for (std::size_t kind = 0; kind < 2; ++kind)
    offsets_[kind].store(std::clamp(balances.offsets[kind], -most, most), std::memory_order_relaxed);
  for (std::size_t i = 0; i < 4; ++i)
    moves_[i / 2][i % 2].store(balances.moves[i / 2][i % 2], std::memory_order_relaxed);
  black_rate_.store(balances.black_rate, std::memory_order_relaxed);
}

}  // namespace tesuji::go
