// Copies of a graph for other threads while a run goes on. They are taken while all workers rest, so that they are
// whole: whoever wants one makes the round end.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>

#include "search/snapshot.hpp"

namespace tesuji {

class Copies {
 public:
  void begin_run() {
    const std::scoped_lock hold(lock_);
    runner_ = std::this_thread::get_id();
  }
  void end_run() {
    const std::scoped_lock hold(lock_);
    runner_ = {};
    are_wanted_ = false;
    ended_.notify_all();
  }
  // Is the caller the thread that runs the search, asking from within?
  bool is_runner() const {
    const std::scoped_lock hold(lock_);
    return runner_ == std::this_thread::get_id();
  }

  bool are_wanted() const { return are_wanted_.load(std::memory_order_relaxed); }
  // A copy from the next pause of the run; nothing if there is no run, or none any more.
  std::optional<GraphSnapshot> wait() {
    std::unique_lock hold(lock_);
    if (runner_ == std::thread::id{}) return std::nullopt;
    const std::uint64_t before = number_;
    are_wanted_ = true;
    ended_.wait(hold, [&] { return number_ != before || runner_ == std::thread::id{}; });
    return number_ != before ? last_ : std::nullopt;
  }
  // All workers rest.
  void serve(const Graph& graph) {
    const std::scoped_lock hold(lock_);
    if (!are_wanted_) return;
    last_ = snapshot_of(graph);
    ++number_;
    are_wanted_ = false;
    ended_.notify_all();
  }

 private:
  mutable std::mutex lock_;
  std::condition_variable ended_;
  std::thread::id runner_;
  std::atomic<bool> are_wanted_{false};
  std::optional<GraphSnapshot> last_;
  std::uint64_t number_ = 0;
};

}  // namespace tesuji
