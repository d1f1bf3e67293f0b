// What a search for one player has found: the best solution and when each improvement came. Written by many threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "games/game.hpp"

namespace tesuji {

struct Solution {
  double value = 0;
  MoveList moves;  // from the root to the end
};

// A new best value, so many seconds and simulations after the run began.
struct Improvement {
  double seconds = 0;
  std::uint64_t simulations = 0;
  double value = 0;
};

struct Found {
  std::optional<Solution> best;
  std::vector<Improvement> improvements;  // of the last run
  std::uint64_t simulations = 0;          // of the last run
  bool is_optimal = false;                // is the best solution proved to be as good as any?
  bool is_exhausted = false;              // is there nothing left that the search would look at?
};

constexpr bool is_better(Goal goal, double value, double than) {
  return goal == Goal::Minimise ? value < than : value > than;
}
constexpr double worst_value(Goal goal) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return goal == Goal::Minimise ? kInfinity : -kInfinity;
}

// Keeps a playout's moves in their order.
struct MoveLog {
  MoveList moves;
  void add(Move move, int) { moves.push_back(move); }
};

class Solutions {
 public:
  explicit Solutions(Goal goal) : goal_(goal), best_value_(worst_value(goal)) {}

  Goal goal() const { return goal_; }
  // Asked after every playout, so without the lock: a stale answer costs a needless look, never a solution.
  bool is_news(double value) const { return is_better(goal_, value, best_value_.load(std::memory_order_relaxed)); }

  void offer(Solution solution, double seconds, std::uint64_t simulations) {
    const std::scoped_lock hold(lock_);
    if (!is_news(solution.value)) return;
    best_value_.store(solution.value, std::memory_order_relaxed);
    improvements_.push_back({seconds, simulations, solution.value});
    best_ = std::move(solution);
  }

  bool has_any() const {
    const std::scoped_lock hold(lock_);
    return best_.has_value();
  }

  // A new run: improvements are counted from its beginning.
  void begin_run() {
    const std::scoped_lock hold(lock_);
    improvements_.clear();
  }
  // The root moved: a solution that began with another move is none any more.
  void advance(Move move) {
    const std::scoped_lock hold(lock_);
    improvements_.clear();
    if (best_ && !best_->moves.empty() && best_->moves.front() == move) {
      best_->moves.erase(best_->moves.begin());
    } else {
      best_.reset();
      best_value_.store(worst_value(goal_), std::memory_order_relaxed);
    }
  }

  // Some of what was left to look at is not looked at any more: the best seen may not be the best there is.
  void note_pruning() { is_pruned_ = true; }

  // `is_exhausted`: is there nothing left that the search would look at?
  Found found(bool is_exhausted = false, std::uint64_t simulations = 0) const {
    const std::scoped_lock hold(lock_);
    return {best_, improvements_, simulations, is_exhausted && !is_pruned_ && best_.has_value(), is_exhausted};
  }

 private:
  const Goal goal_;
  std::atomic<double> best_value_;
  mutable std::mutex lock_;
  std::optional<Solution> best_;
  std::vector<Improvement> improvements_;
  bool is_pruned_ = false;
};

}  // namespace tesuji
