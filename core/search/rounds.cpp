#include "search/rounds.hpp"

#include <algorithm>

namespace tesuji {

void Rounds::run(const Budget& budget, const Progress& progress, const RunHooks& hooks, Crew& crew) {
  start_ = Clock::now();
  report_interval_ = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(budget.report_s));
  next_report_ = start_ + report_interval_;
  started_ = 0;
  stopping_ = false;
  Team team(crew.num_workers());
  const auto part = [&](std::size_t worker) {
    try {
      if (hooks.thread_begins) hooks.thread_begins();
      work(worker, budget, worker == 0 ? &progress : nullptr, crew);
    } catch (...) {
      crew.leave(worker, true);
      throw;
    }
    crew.leave(worker, false);
  };
  const auto fail = [&] {
    stop();
    if (hooks.has_failed) hooks.has_failed();
  };
  do {
    team.run(part, [&] { report(progress, Clock::now()); }, fail);
    crew.between_rounds();
  } while (!is_spent(budget, crew));
  seconds_ = seconds_since_start();
}

bool Rounds::is_spent(const Budget& budget, const Crew& crew) const {
  if (stopping_.load(std::memory_order_relaxed)) return true;
  const std::uint64_t started = started_.load(std::memory_order_relaxed);
  if (budget.simulations > 0 && started >= budget.simulations) return true;
  if (budget.nodes > 0 && started > 0 && crew.num_nodes() >= budget.nodes) return true;
  return crew.is_finished();
}

bool Rounds::may_go_on(std::size_t worker, const Budget& budget, const Crew& crew) const {
  if (stopping_.load(std::memory_order_relaxed) || !crew.may_walk(worker)) return false;
  return budget.nodes == 0 || crew.num_nodes() < budget.nodes;
}

// So many simulations of the budget, or as many as are left of it, belong to the caller.
std::uint64_t Rounds::take_tickets(const Budget& budget, std::uint64_t wanted) {
  std::uint64_t before = started_.load(std::memory_order_relaxed);
  for (;;) {
    if (budget.simulations > 0) wanted = std::min(wanted, budget.simulations - std::min(before, budget.simulations));
    if (wanted == 0 || started_.compare_exchange_weak(before, before + wanted, std::memory_order_relaxed))
      return wanted;
  }
}

// One thread's loop, a batch of simulations at a time. Batches are sized so that the clock is read about once in a
// millisecond, however fast or slow the game is.
void Rounds::work(std::size_t worker, const Budget& budget, const Progress* progress, Crew& crew) {
  constexpr std::uint64_t kLargestBatch = 256;
  constexpr auto kBatchTime = std::chrono::milliseconds(1);
  std::uint64_t batch = 1;
  auto before = Clock::now();
  while (!is_spent(budget, crew)) {
    std::uint64_t tickets = take_tickets(budget, batch);
    if (tickets == 0) return;
    do {
      crew.simulate(worker);
      --tickets;
    } while (tickets > 0 && may_go_on(worker, budget, crew));
    started_.fetch_sub(tickets, std::memory_order_relaxed);
    const auto now = Clock::now();
    batch = now - before > kBatchTime ? std::max<std::uint64_t>(batch / 2, 1) : std::min(batch * 2, kLargestBatch);
    before = now;
    if (budget.seconds > 0 && seconds_at(now) >= budget.seconds) stop();
    if (progress != nullptr) report(*progress, now);
    if (!may_go_on(worker, budget, crew)) return;
  }
}

// Asks the caller's function a few times a second.
void Rounds::report(const Progress& progress, Clock::time_point now) {
  if (now < next_report_) return;
  seconds_ = seconds_at(now);
  if (progress && !progress()) stop();
  next_report_ = now + report_interval_;
}

}  // namespace tesuji
