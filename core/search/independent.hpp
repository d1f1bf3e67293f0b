// Threads that look for solutions on their own and share two things: the budget, and the best solution of all.
// What they do in a round is the business of the class that derives from this one (orders.hpp, nrpa.hpp).
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>

#include "base/rng.hpp"
#include "games/game.hpp"
#include "search/budget.hpp"
#include "search/solutions.hpp"

namespace tesuji {

class IndependentSearch {
 public:
  using Progress = std::function<bool()>;

  virtual ~IndependentSearch() = default;

  // Rounds until the budget is spent, the bound is met or stop() is called; `progress` is asked in the calling thread.
  void run(const Budget& budget, const Progress& progress);
  void stop() { stopping_.store(true, std::memory_order_relaxed); }
  Found found() const;

 protected:
  struct Worker {
    Rng rng;
    int thread;
    const Budget* budget;
    const Progress* progress;  // null but in the calling thread
  };

  // `bound`: no value is better, where the game knows that.
  IndependentSearch(Goal goal, std::optional<double> bound, int num_threads, std::uint64_t seed);

  virtual void search_round(Worker& worker, int round) = 0;

  Goal goal() const { return solutions_.goal(); }
  int num_threads() const { return num_threads_; }
  bool is_stopping() const { return stopping_.load(std::memory_order_relaxed); }
  bool is_news(double value) const { return solutions_.is_news(value); }
  // May one more playout begin? Looks at the clock each time: a playout takes a hundred times as long.
  bool take_ticket(Worker& worker);
  void offer(double value, MoveList moves);

 private:
  using Clock = std::chrono::steady_clock;

  void work(Worker worker);
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  bool meets_bound(double value) const { return bound_ && !is_better(goal(), *bound_, value); }

  const std::optional<double> bound_;
  const int num_threads_;
  const std::uint64_t seed_;
  Solutions solutions_;
  std::atomic<bool> stopping_{false};
  std::atomic<std::uint64_t> num_playouts_{0};
  Clock::time_point start_;
  double next_report_s_ = 0;  // the calling thread's
  std::uint64_t num_runs_ = 0;
  std::exception_ptr failure_;
  std::mutex failure_lock_;
};

// What no solution from this state beats, if the game knows it.
template <Game G>
std::optional<double> bound_of(const G& game) {
  if constexpr (requires { game.bound(); })
    return game.bound();
  else
    return std::nullopt;
}

// Throws for games that have no solution to look for.
template <Game G>
  requires HasGoal<G>
const G& checked_for_one(const G& root) {
  if (root.goal() == Goal::TwoPlayers) throw std::invalid_argument("this search is for one player; the game has two");
  if (root.is_over()) throw std::invalid_argument("the game is over at the root: there is nothing to search");
  return root;
}

void check_solution_value(double value);

}  // namespace tesuji
