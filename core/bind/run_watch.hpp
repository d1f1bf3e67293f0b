// What a run of a search asks of Python while it goes on: the progress function, Ctrl-C, and threads that are stuck in
// Python code when Ctrl-C comes.
//
// Python delivers Ctrl-C to its main thread only. A game (an evaluator, a policy) that never comes back on another
// thread of the search would make the run wait for ever: once the run has ended by Ctrl-C, KeyboardInterrupt is raised
// in those that are still inside Python, again and again until all have come home.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "search/budget.hpp"

namespace tesuji::bind {

namespace nb = nanobind;

class RunWatch {
 public:
  // How often signals are looked for, however rarely progress is told.
  static constexpr double kMostSeconds = 0.2;

  RunWatch(const std::optional<std::function<bool()>>& progress, double report_s)
      : progress_(progress), interval_(report_s), next_(Clock::now() + interval_) {}

  RunHooks hooks() {
    return {.thread_begins = [this] { note_thread(); }, .has_failed = [this] { note_failure(); }};
  }

  // Asked by the calling thread about every kMostSeconds; false ends the run.
  bool ask() {
    const nb::gil_scoped_acquire acquire;
    if (is_interrupted_.load()) return interrupt_others();
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!progress_ || Clock::now() < next_) return true;
    next_ = Clock::now() + interval_;
    return (*progress_)();
  }

 private:
  using Clock = std::chrono::steady_clock;

  void note_thread() {
    const std::scoped_lock hold(lock_);
    const unsigned long id = PyThread_get_thread_ident();
    if (std::find(threads_.begin(), threads_.end(), id) == threads_.end()) threads_.push_back(id);
  }
  // Called where the failure is being handled.
  void note_failure() {
    try {
      throw;
    } catch (const nb::python_error& error) {
      const nb::gil_scoped_acquire acquire;
      if (error.matches(PyExc_KeyboardInterrupt)) is_interrupted_ = true;
    } catch (...) {
    }
  }
  // Does nothing to a thread that is not inside Python.
  bool interrupt_others() {
    const std::scoped_lock hold(lock_);
    for (const unsigned long id : threads_)
      if (id != PyThread_get_thread_ident()) PyThreadState_SetAsyncExc(id, PyExc_KeyboardInterrupt);
    return false;
  }

  const std::optional<std::function<bool()>>& progress_;
  const std::chrono::duration<double> interval_;
  std::chrono::time_point<Clock, std::chrono::duration<double>> next_;
  std::atomic<bool> is_interrupted_{false};
  std::mutex lock_;
  std::vector<unsigned long> threads_;  // that ever worked in this run
};

}  // namespace tesuji::bind
