#include "search/team.hpp"

#include <chrono>
#include <utility>

namespace tesuji {

Team::Team(std::size_t size) {
  for (std::size_t i = 1; i < size; ++i) threads_.emplace_back([this, i] { live(i); });
}

Team::~Team() {
  {
    const std::scoped_lock hold(lock_);
    is_over_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Team::live(std::size_t index) {
  std::uint64_t seen = 0;
  for (;;) {
    const std::function<void(std::size_t)>* work = nullptr;
    {
      std::unique_lock hold(lock_);
      changed_.wait(hold, [&] { return is_over_ || round_ != seen; });
      if (is_over_) return;
      seen = round_;
      work = work_;
    }
    guarded([&] { (*work)(index); });
    const std::scoped_lock hold(lock_);
    if (--num_working_ == 0) changed_.notify_all();
  }
}

void Team::guarded(const std::function<void()>& part) {
  try {
    part();
  } catch (...) {
    {
      const std::scoped_lock hold(lock_);
      if (!failure_) failure_ = std::current_exception();
    }
    (*on_failure_)();
  }
}

void Team::run(const std::function<void(std::size_t)>& work, const std::function<void()>& wait,
               const std::function<void()>& on_failure) {
  {
    const std::scoped_lock hold(lock_);
    work_ = &work;
    on_failure_ = &on_failure;
    failure_ = nullptr;
    num_working_ = threads_.size();
    ++round_;
  }
  changed_.notify_all();
  guarded([&] { work(0); });
  std::unique_lock hold(lock_);
  while (num_working_ > 0) {
    if (changed_.wait_for(hold, std::chrono::milliseconds(1), [&] { return num_working_ == 0; })) break;
    hold.unlock();
    guarded(wait);
    hold.lock();
  }
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace tesuji
