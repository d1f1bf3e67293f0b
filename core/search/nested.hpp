// Nested Monte-Carlo search (Cazenave 2009) for games of one player. See docs/algorithms/one-player.md.
//
// A search of level 0 is a playout. A search of level n tries each move with a search of level n - 1, remembers the
// best line that it has ever seen, plays that line's next move, and so on to the end. It keeps no graph and proves
// nothing; when a search of the highest level has ended, the next one begins with other random numbers.
#pragma once

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/rng.hpp"
#include "games/game.hpp"
#include "search/budget.hpp"
#include "search/solutions.hpp"

namespace tesuji {

template <Game G>
  requires HasGoal<G>
class NestedSearch {
 public:
  using Progress = std::function<bool()>;

  // Threads search independently of each other; the best solution is that of all.
  NestedSearch(const G& root, int level, int num_threads, std::uint64_t seed)
      : root_(root), level_(level), num_threads_(num_threads), seed_(seed), solutions_(root.goal()) {
    if (root.goal() == Goal::TwoPlayers)
      throw std::invalid_argument("nested search is for one player; this game has two");
    if (root.is_over()) throw std::invalid_argument("the game is over at the root: there is nothing to search");
  }

  void run(const Budget& budget, const Progress& progress);
  void stop() { stopping_.store(true, std::memory_order_relaxed); }
  Found found() const {
    Found found = solutions_.found();
    found.simulations = num_playouts_.load(std::memory_order_relaxed);
    return found;
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Line {
    double value;
    MoveList moves;
  };
  struct Worker {
    Rng rng;
    MoveList path;  // from the root to where the deepest search stands
    const Progress* progress = nullptr;
  };

  void work(Worker& worker, const Budget& budget);
  Line search(G state, int level, Worker& worker, const Budget& budget);
  Line play_out(G state, Worker& worker, const Budget& budget);
  bool take_ticket(Worker& worker, const Budget& budget);
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  const G root_;
  const int level_, num_threads_;
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

template <Game G>
  requires HasGoal<G>
typename NestedSearch<G>::Line NestedSearch<G>::search(G state, int level, Worker& worker, const Budget& budget) {
  if (level == 0 || state.is_over()) return play_out(std::move(state), worker, budget);
  Line best{worst_value(solutions_.goal()), {}};
  const std::size_t root_length = worker.path.size();
  for (std::size_t ply = 0; !state.is_over(); ++ply) {
    MoveList moves;
    state.legal_moves(moves);
    if (moves.empty()) throw std::logic_error("a game that is not over lists no legal move");
    for (const Move move : moves) {
      G next = state;
      next.play(move);
      worker.path.push_back(move);
      Line found = search(std::move(next), level - 1, worker, budget);
      worker.path.pop_back();
      if (is_better(solutions_.goal(), found.value, best.value)) {
        best.value = found.value;
        best.moves.assign(worker.path.begin() + static_cast<std::ptrdiff_t>(root_length), worker.path.end());
        best.moves.push_back(move);
        best.moves.insert(best.moves.end(), found.moves.begin(), found.moves.end());
      }
      if (stopping_.load(std::memory_order_relaxed)) break;
    }
    if (stopping_.load(std::memory_order_relaxed)) break;
    if (ply >= kMaxPlayoutMoves) throw std::runtime_error("the game did not end; check_game() shows what it does");
    worker.path.push_back(best.moves[ply]);
    state.play(best.moves[ply]);
  }
  worker.path.resize(root_length);
  return best;
}

template <Game G>
  requires HasGoal<G>
typename NestedSearch<G>::Line NestedSearch<G>::play_out(G state, Worker& worker, const Budget& budget) {
  if (!take_ticket(worker, budget)) return {worst_value(solutions_.goal()), {}};
  MoveLog log;
  if (!state.is_over()) {
    MoveList scratch;
    if constexpr (HasPlayout<G>)
      state.play_out(worker.rng, &log);
    else
      play_out_uniformly(state, worker.rng, &log, scratch);
  }
  const double value = state.value();
  if (!std::isfinite(value))
    throw std::invalid_argument("value is " + std::to_string(value) + "; a solution's value must be a finite number");
  if (solutions_.is_news(value)) {
    MoveList moves = worker.path;
    moves.insert(moves.end(), log.moves.begin(), log.moves.end());
    solutions_.offer({value, std::move(moves)}, seconds(), num_playouts_.load(std::memory_order_relaxed));
  }
  return {value, std::move(log.moves)};
}

// May one more playout begin? Looks at the clock each time: a playout takes a hundred times as long.
template <Game G>
  requires HasGoal<G>
bool NestedSearch<G>::take_ticket(Worker& worker, const Budget& budget) {
  if (stopping_.load(std::memory_order_relaxed)) return false;
  const double now = seconds();
  if (budget.seconds > 0 && now >= budget.seconds) stop();
  if (worker.progress != nullptr && now >= next_report_s_) {
    next_report_s_ = now + budget.report_s;
    if (*worker.progress && !(*worker.progress)()) stop();
  }
  if (stopping_.load(std::memory_order_relaxed)) return false;
  const std::uint64_t before = num_playouts_.fetch_add(1, std::memory_order_relaxed);
  if (budget.simulations == 0 || before < budget.simulations) return true;
  num_playouts_.fetch_sub(1, std::memory_order_relaxed);
  stop();
  return false;
}

template <Game G>
  requires HasGoal<G>
void NestedSearch<G>::work(Worker& worker, const Budget& budget) {
  try {
    while (!stopping_.load(std::memory_order_relaxed)) search(root_, level_, worker, budget);
  } catch (...) {
    const std::scoped_lock hold(failure_lock_);
    if (!failure_) failure_ = std::current_exception();
    stop();
  }
}

template <Game G>
  requires HasGoal<G>
void NestedSearch<G>::run(const Budget& budget, const Progress& progress) {
  start_ = Clock::now();
  next_report_s_ = budget.report_s;
  stopping_ = false;
  num_playouts_ = 0;
  failure_ = nullptr;
  solutions_.begin_run();
  const auto stream = [&](int thread) { return (num_runs_ << 16) + static_cast<std::uint64_t>(thread); };
  std::vector<std::thread> threads;
  for (int i = 1; i < num_threads_; ++i)
    threads.emplace_back([&, i] {
      Worker worker{Rng(seed_, stream(i)), {}, nullptr};
      work(worker, budget);
    });
  Worker worker{Rng(seed_, stream(0)), {}, &progress};
  work(worker, budget);
  for (std::thread& thread : threads) thread.join();
  ++num_runs_;
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace tesuji
