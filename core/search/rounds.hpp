// When simulations begin and end: budgets, the clock, the threads, and the rounds between which a graph may change its
// shape. What a simulation is, its crew knows.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "search/budget.hpp"
#include "search/team.hpp"

namespace tesuji {

// What rounds are made of.
class Crew {
 public:
  virtual ~Crew() = default;
  virtual std::size_t num_workers() const = 0;
  // A worker's one simulation.
  virtual void simulate(std::size_t worker) = 0;
  // A worker's part of a round is over, well or not (`failed`): nothing of it may be left undone.
  virtual void leave(std::size_t worker, bool failed) = 0;
  // May a worker begin another simulation in this round?
  virtual bool may_walk(std::size_t worker) const = 0;
  // Is there nothing left to search?
  virtual bool is_finished() const = 0;
  virtual std::size_t num_nodes() const = 0;
  // All workers rest: what cannot be done while somebody walks.
  virtual void between_rounds() = 0;
};

class Rounds {
 public:
  using Progress = std::function<bool()>;  // asked a few times a second by the calling thread; false ends the search

  // Until the budget is spent, the crew has finished, stop() is called or `progress` says no.
  void run(const Budget& budget, const Progress& progress, const RunHooks& hooks, Crew& crew);
  void stop() { stopping_.store(true, std::memory_order_relaxed); }
  double seconds() const { return seconds_.load(std::memory_order_relaxed); }
  double seconds_since_start() const { return seconds_at(Clock::now()); }

 private:
  using Clock = std::chrono::steady_clock;

  void work(std::size_t worker, const Budget& budget, const Progress* progress, Crew& crew);
  bool is_spent(const Budget& budget, const Crew& crew) const;
  bool may_go_on(std::size_t worker, const Budget& budget, const Crew& crew) const;
  std::uint64_t take_tickets(const Budget& budget, std::uint64_t wanted);
  void report(const Progress& progress, Clock::time_point now);
  double seconds_at(Clock::time_point now) const { return std::chrono::duration<double>(now - start_).count(); }

  Clock::time_point start_{}, next_report_{};
  Clock::duration report_interval_{};
  std::atomic<double> seconds_{0};
  // Written while threads work: on a cache line of its own.
  alignas(64) std::atomic<std::uint64_t> started_{0};
  alignas(64) std::atomic<bool> stopping_{false};
};

}  // namespace tesuji
