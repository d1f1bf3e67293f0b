// Threads that work together round after round and sleep in between. The caller is the first of them.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tesuji {

class Team {
 public:
  explicit Team(std::size_t size);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // Everybody calls work(index), the caller with 0; the caller then calls wait() about once a millisecond until all are
  // done. Throws what was thrown first; `on_failure` is called at once wherever something is thrown.
  void run(const std::function<void(std::size_t)>& work, const std::function<void()>& wait,
           const std::function<void()>& on_failure);

 private:
  void live(std::size_t index);
  void guarded(const std::function<void()>& part);

  std::mutex lock_;  // of all below
  std::condition_variable changed_;
  const std::function<void(std::size_t)>* work_ = nullptr;
  const std::function<void()>* on_failure_ = nullptr;
  std::uint64_t round_ = 0;
  std::size_t num_working_ = 0;
  bool is_over_ = false;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

}  // namespace tesuji
