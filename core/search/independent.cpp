#include "search/independent.hpp"

#include <cmath>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace tesuji {

IndependentSearch::IndependentSearch(Goal goal, std::optional<double> bound, int num_threads, std::uint64_t seed)
    : bound_(bound), num_threads_(num_threads), seed_(seed), solutions_(goal) {}

Found IndependentSearch::found() const {
  Found found = solutions_.found();
  found.simulations = num_playouts_.load(std::memory_order_relaxed);
  found.is_optimal = found.is_exhausted = found.best && meets_bound(found.best->value);
  return found;
}

bool IndependentSearch::take_ticket(Worker& worker) {
  if (is_stopping()) return false;
  const double now = seconds();
  if (worker.budget->seconds > 0 && now >= worker.budget->seconds) stop();
  if (worker.progress != nullptr && now >= next_report_s_) {
    next_report_s_ = now + worker.budget->report_s;
    if (*worker.progress && !(*worker.progress)()) stop();
  }
  if (is_stopping()) return false;
  const std::uint64_t before = num_playouts_.fetch_add(1, std::memory_order_relaxed);
  if (worker.budget->simulations == 0 || before < worker.budget->simulations) return true;
  num_playouts_.fetch_sub(1, std::memory_order_relaxed);
  stop();
  return false;
}

void IndependentSearch::offer(double value, MoveList moves) {
  solutions_.offer({value, std::move(moves)}, seconds(), num_playouts_.load(std::memory_order_relaxed));
  if (meets_bound(value)) stop();
}

void IndependentSearch::work(Worker worker) {
  try {
    for (int round = 0; !is_stopping(); ++round) search_round(worker, round);
  } catch (...) {
    const std::scoped_lock hold(failure_lock_);
    if (!failure_) failure_ = std::current_exception();
    stop();
  }
}

void IndependentSearch::run(const Budget& budget, const Progress& progress) {
  start_ = Clock::now();
  next_report_s_ = budget.report_s;
  stopping_ = false;
  num_playouts_ = 0;
  failure_ = nullptr;
  solutions_.begin_run();
  const auto stream = [&](int thread) { return (num_runs_ << 16) + static_cast<std::uint64_t>(thread); };
  std::vector<std::thread> threads;
  for (int i = 1; i < num_threads_; ++i)
    threads.emplace_back([&, i] { work({Rng(seed_, stream(i)), i, &budget, nullptr}); });
  work({Rng(seed_, stream(0)), 0, &budget, &progress});
  for (std::thread& thread : threads) thread.join();
  ++num_runs_;
  if (failure_) std::rethrow_exception(failure_);
}

void check_solution_value(double value) {
  if (!std::isfinite(value))
    throw std::invalid_argument("value is " + std::to_string(value) + "; a solution's value must be a finite number");
}

}  // namespace tesuji
