#include "genetics/queue.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace tesuji::genetics {

QueueSearch::QueueSearch(std::shared_ptr<const Problem> problem, std::vector<double> slopes, std::size_t max_models)
    : problem_(std::move(problem)),
      given_slopes_(std::move(slopes)),
      max_models_(std::max<std::size_t>(max_models, 16)),
      depths_(problem_->panel_size()) {
  if (!given_slopes_.empty() && given_slopes_.size() != problem_->panel_size())
    throw std::invalid_argument("there are " + std::to_string(given_slopes_.size()) + " slopes; a panel of " +
                                std::to_string(problem_->panel_size()) + " SNPs needs one for each of its places");
  auto root = std::make_unique<Parent>();
  root->snps = problem_->included();
  root->next = 0;
  root->value = root->snps.empty() ? 0 : problem_->classifier().value(root->snps);
  const std::size_t depth = root->snps.size();
  if (depth < problem_->panel_size()) push(depth, std::move(root));
}

double QueueSearch::slope(std::size_t depth) const {
  if (!given_slopes_.empty()) return given_slopes_[depth];
  const Depth& d = depths_[depth];
  const double spread = d.n * d.xx - d.x * d.x;
  return d.n < 10 || spread <= 1e-12 ? 0 : std::max(0.0, (d.n * d.xy - d.x * d.y) / spread);
}

std::vector<double> QueueSearch::slopes() const {
  const std::scoped_lock hold(lock_);
  std::vector<double> found;
  for (std::size_t depth = 0; depth < depths_.size(); ++depth) found.push_back(slope(depth));
  return found;
}

bool QueueSearch::is_exhausted() const {
  const std::scoped_lock hold(lock_);
  for (const Depth& depth : depths_)
    if (!depth.heap.empty()) return false;
  return in_flight_ == 0;
}

// Moves on to the next child that may join; false if there is none.
bool QueueSearch::skip_to_legal(Parent& parent) const {
  const std::size_t missing = problem_->panel_size() - parent.snps.size();
  for (; parent.next + missing <= problem_->pool().size(); ++parent.next) {
    const Snp snp = problem_->pool()[parent.next];
    if (problem_->is_included(snp)) continue;
    const std::span<const Snp> others = problem_->conflicts().of(snp);
    const bool is_free = others.empty() || std::none_of(parent.snps.begin(), parent.snps.end(), [&](Snp member) {
                           return std::find(others.begin(), others.end(), member) != others.end();
                         });
    if (is_free) return true;
  }
  return false;
}

void QueueSearch::push(std::size_t depth, std::unique_ptr<Parent> parent) {
  if (!skip_to_legal(*parent)) return;
  std::vector<Entry>& heap = depths_[depth].heap;
  const double estimate = parent->value + slope(depth) * problem_->priors()[parent->next];
  heap.push_back({estimate, next_order_++, std::move(parent)});
  std::push_heap(heap.begin(), heap.end(), is_worse);
  if (heap.size() <= max_models_ / depths_.size() + 1) return;
  // Full: the worse half would not have had its turn.
  const auto half = heap.begin() + static_cast<std::ptrdiff_t>(heap.size() / 2);
  std::nth_element(heap.begin(), half, heap.end(), [](const Entry& a, const Entry& b) { return is_worse(b, a); });
  heap.erase(half, heap.end());
  std::make_heap(heap.begin(), heap.end(), is_worse);
}

// Given slopes: the best estimate of all. Tuned: the size that was served least so far.
std::size_t QueueSearch::depth_to_serve() const {
  std::size_t best = depths_.size();
  for (std::size_t depth = 0; depth < depths_.size(); ++depth) {
    if (depths_[depth].heap.empty()) continue;
    if (best == depths_.size()) {
      best = depth;
    } else if (given_slopes_.empty()) {
      if (depths_[depth].num_evaluated < depths_[best].num_evaluated) best = depth;
    } else if (is_worse(depths_[best].heap.front(), depths_[depth].heap.front())) {
      best = depth;
    }
  }
  return best;
}

bool QueueSearch::take(Task& task) {
  const std::scoped_lock hold(lock_);
  task.depth = depth_to_serve();
  if (task.depth == depths_.size()) return false;
  Depth& depth = depths_[task.depth];
  std::pop_heap(depth.heap.begin(), depth.heap.end(), is_worse);
  task.parent = std::move(depth.heap.back().parent);
  depth.heap.pop_back();
  task.child = task.parent->next;
  ++depth.num_evaluated;
  ++in_flight_;
  return true;
}

void QueueSearch::give_back(Task task, double value) {
  const std::scoped_lock hold(lock_);
  --in_flight_;
  Depth& depth = depths_[task.depth];
  const double x = problem_->priors()[task.child], y = value - task.parent->value;
  depth.n += 1;
  depth.x += x;
  depth.y += y;
  depth.xx += x * x;
  depth.xy += x * y;
  if (task.depth + 1 < depths_.size()) {
    auto child = std::make_unique<Parent>();
    child->value = value;
    child->snps = task.parent->snps;
    child->snps.push_back(problem_->pool()[task.child]);
    child->next = task.child + 1;
    push(task.depth + 1, std::move(child));
  }
  ++task.parent->next;
  push(task.depth, std::move(task.parent));
}

void QueueSearch::run(std::uint64_t evaluations, double seconds, double report_s, int num_threads,
                      const Progress& progress) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  std::atomic<bool> stopping{false};
  std::atomic<std::uint64_t> done{0};
  std::exception_ptr failure;
  double next_report_s = report_s;
  const auto work = [&](bool reports) {
    Model whole;
    while (!stopping.load(std::memory_order_relaxed)) {
      const double now = std::chrono::duration<double>(Clock::now() - start).count();
      if (seconds > 0 && now >= seconds) break;
      if (reports && now >= next_report_s) {
        next_report_s = now + report_s;
        if (progress && !progress()) break;
      }
      if (evaluations > 0 && done.fetch_add(1, std::memory_order_relaxed) >= evaluations) break;
      Task task;
      if (!take(task)) {
        const std::scoped_lock hold(lock_);
        if (in_flight_ == 0) break;
        continue;
      }
      whole = task.parent->snps;
      whole.push_back(problem_->pool()[task.child]);
      const double value = problem_->classifier().value(whole);
      problem_->best().count(1);
      if (whole.size() == problem_->panel_size()) problem_->best().offer(value, whole);
      give_back(std::move(task), value);
    }
    if (reports) stopping = true;
  };
  std::vector<std::thread> threads;
  for (int i = 1; i < num_threads; ++i) threads.emplace_back(work, false);
  try {
    work(true);
  } catch (...) {  // the progress function's
    failure = std::current_exception();
    stopping = true;
  }
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace tesuji::genetics
