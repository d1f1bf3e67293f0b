// From which win/loss state on a colour plays a learnt move of a kind (Basaldúa, 4.7.4): a fixed state, or one that
// follows what the colour wins on the whole; and the thresholds of black and white part until both play as many moves.
//
// Every number is a relaxed atomic: threads of a search share them. docs/algorithms/learning-playouts.md.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "go/learning_options.hpp"
#include "learning/win_loss_states.hpp"

namespace tesuji::go {

class LearningThresholds {
 public:
  using State = std::uint8_t;
  enum Kind { kNodes = 0, kEdges = 1 };
  using Moves = std::array<std::array<std::uint32_t, 2>, 2>;  // of each kind, black's and white's

  LearningThresholds(const LearningOptions& options, const learning::WinLossStates<State>& states);

  int of(Kind kind, int color) const {
    const int middle = is_relative_ ? relative(kind, color) : fixed_[kind];
    const int own = color == 0 ? offset(kind) : -offset(kind);
    return std::clamp(middle + own, 1, num_states_ - 1);
  }
  // What black needs more than white.
  int offset(Kind kind) const { return offsets_[kind].load(std::memory_order_relaxed); }
  // What black won of the last hundred playouts or so.
  double black_rate() const { return black_rate_.load(std::memory_order_relaxed); }
  void count_result(bool black_won) {
    const float rate = black_rate_.load(std::memory_order_relaxed);
    black_rate_.store(rate + kRateStep * ((black_won ? 1.0f : 0.0f) - rate), std::memory_order_relaxed);
  }
  // Moves of a playout, the `number`-th: after every fifty offsets are adjusted.
  void count_moves(const Moves& moves, std::uint64_t number);

  struct Balances {
    std::array<int, 2> offsets;
    Moves moves;
    float black_rate;
  };
  Balances save() const;
  void restore(const Balances& balances);
  void clear() { restore({{}, {}, 0.5f}); }

 private:
  static constexpr float kRateStep = 1.0f / 64;

  int relative(Kind kind, int color) const;
  void adjust(Kind kind);

  const int num_states_;
  const bool is_relative_, balances_;
  const std::array<int, 2> fixed_;
  const std::array<double, 2> leads_;  // what a rate must be above one half
  std::vector<State> surely_above_;    // by rate in hundredths, the first state whose lower bound is not below it
  std::array<std::atomic<int>, 2> offsets_{};
  std::array<std::array<std::atomic<std::uint32_t>, 2>, 2> moves_{};  // since offsets were last adjusted
  std::atomic<float> black_rate_{0.5f};
};

}  // namespace tesuji::go
