#include "search/evaluate.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/hashing.hpp"

namespace tesuji {

namespace {

using Clock = std::chrono::steady_clock;

class Waiting {  // counts under the lock, which wait() holds at both ends
 public:
  explicit Waiting(std::size_t& number) : number_(number) { ++number_; }
  ~Waiting() { --number_; }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  std::size_t& number_;
};

// What the evaluator sees, and so all that its answer can depend on: in Go an array shows the last moves, a state's own
// key does not.
StateKey key_of_array(std::span<const std::uint8_t> array, int to_play) {
  std::uint64_t first = mix64(static_cast<std::uint64_t>(to_play)), second = ~first;
  for (std::size_t at = 0; at < array.size(); at += sizeof first) {
    std::uint64_t word = 0;
    std::memcpy(&word, array.data() + at, std::min(sizeof word, array.size() - at));
    first = mix64(first ^ word);
    second = (second ^ word) * 0x9E3779B97F4A7C15u;
    second ^= second >> 29;
  }
  return {first, static_cast<std::uint32_t>(mix64(second))};
}

std::invalid_argument wrong_size(const char* what, std::size_t found, std::size_t wanted) {
  return std::invalid_argument("the evaluator gave " + std::to_string(found) + " " + what + "; " +
                               std::to_string(wanted) + " were asked for");
}

}  // namespace

// A leaf as its batch takes it, made before the lock is held.
struct Gatherer::Leaf {
  std::int8_t to_play = 0;
  StateKey key{0};
  std::vector<std::uint8_t> array;   // of games with arrays
  std::optional<DynamicGame> state;  // of the others
};

// One of the batches that are being evaluated; waits until there may be one more.
class Gatherer::InFlight {
 public:
  explicit InFlight(Gatherer& gatherer) : gatherer_(gatherer) {
    std::unique_lock hold(gatherer_.lock_);
    gatherer_.landed_.wait(hold, [&] {
      return gatherer_.failure_ != nullptr || gatherer_.num_in_flight_ < gatherer_.settings_.max_batches_in_flight;
    });
    if (gatherer_.failure_) std::rethrow_exception(gatherer_.failure_);  // one failure is enough
    ++gatherer_.num_in_flight_;
  }
  ~InFlight() {
    const std::scoped_lock hold(gatherer_.lock_);
    --gatherer_.num_in_flight_;
    gatherer_.landed_.notify_all();
  }
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;

 private:
  Gatherer& gatherer_;
};

Gatherer::Gatherer(Evaluator evaluator, const DynamicGame& root, const Settings& settings)
    : evaluator_(std::move(evaluator)),
      settings_(settings),
      num_moves_(static_cast<std::size_t>(root.num_distinct_moves())),
      shape_(root.array_shape()),
      array_bytes_(std::accumulate(shape_.begin(), shape_.end(), std::size_t{1}, std::multiplies<>())),
      cache_(settings.cache_bytes, num_moves_) {}

void Gatherer::begin(std::size_t num_threads) {
  const std::scoped_lock hold(lock_);
  num_threads_ = num_threads;
  num_waiting_ = 0;
  open_.reset();
  failure_ = nullptr;
}

void Gatherer::leave() {
  const std::scoped_lock hold(lock_);
  --num_threads_;
  changed_.notify_all();
}

Gatherer::Place Gatherer::add(DynamicGame&& state) {
  Leaf leaf = leaf_of(std::move(state));
  if (auto known = known_place(leaf)) return *std::move(known);
  std::unique_lock hold(lock_);
  if (!open_) open_ = std::make_shared<Batch>();
  Place place{open_, open_->leaves.size()};
  append(*open_, std::move(leaf));
  if (open_->leaves.size() < settings_.batch_size) return place;
  open_.reset();
  hold.unlock();
  evaluate(*place.batch);
  return place;
}

void Gatherer::wait(const Place& place) {
  std::unique_lock hold(lock_);
  const auto deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(settings_.timeout_s));
  const Waiting waiting(num_waiting_);
  while (!place.is_done()) {
    if (failure_) std::rethrow_exception(failure_);
    if (place.batch != open_) {
      changed_.wait(hold);
    } else if (num_waiting_ < num_threads_ && Clock::now() < deadline) {
      changed_.wait_until(hold, deadline);
    } else {  // nobody is left to fill it, or nobody does
      open_.reset();
      hold.unlock();
      evaluate(*place.batch);
      hold.lock();
    }
  }
}

Gatherer::Place Gatherer::ask(const DynamicGame& state) {
  Leaf leaf = leaf_of(DynamicGame(state));
  if (auto known = known_place(leaf)) return *std::move(known);
  Place place{std::make_shared<Batch>(), 0};
  append(*place.batch, std::move(leaf));
  evaluate(*place.batch);
  return place;
}

Gatherer::Leaf Gatherer::leaf_of(DynamicGame&& state) const {
  Leaf leaf;
  leaf.to_play = static_cast<std::int8_t>(state.to_play());
  if (!shape_.empty()) {
    leaf.array.resize(array_bytes_);
    state.encode(leaf.array);
    if (settings_.cache_bytes > 0) leaf.key = key_of_array(leaf.array, leaf.to_play);
  } else {
    if (settings_.cache_bytes > 0) leaf.key = key_of(state);
    leaf.state.emplace(std::move(state));
  }
  return leaf;
}

std::optional<Gatherer::Place> Gatherer::known_place(const Leaf& leaf) {
  if (settings_.cache_bytes == 0) return {};
  auto known = cache_.find(leaf.key);
  if (!known) return {};
  Place place{std::make_shared<Batch>(), 0, true};
  place.batch->answer = {std::move(known->values), std::move(known->priors)};
  place.batch->is_done.store(true, std::memory_order_release);
  return place;
}

void Gatherer::append(Batch& batch, Leaf&& leaf) const {
  Leaves& leaves = batch.leaves;
  leaves.shape = shape_;
  leaves.to_play.push_back(leaf.to_play);
  if (settings_.cache_bytes > 0) batch.keys.push_back(leaf.key);
  if (leaf.state) return leaves.states.push_back(*std::move(leaf.state));
  if (leaves.arrays.empty()) leaves.arrays.reserve(settings_.batch_size * array_bytes_);
  leaves.arrays.insert(leaves.arrays.end(), leaf.array.begin(), leaf.array.end());
}

void Gatherer::evaluate(Batch& batch) {
  const std::size_t size = batch.leaves.size();
  const InFlight turn(*this);
  try {
    batch.answer = evaluator_(batch.leaves);
    check(batch.answer, size);
    num_evaluations_.fetch_add(size, std::memory_order_relaxed);
    keep(batch);
  } catch (...) {
    const std::scoped_lock hold(lock_);
    failure_ = std::current_exception();
    changed_.notify_all();
    landed_.notify_all();
    throw;
  }
  const std::scoped_lock hold(lock_);
  batch.is_done.store(true, std::memory_order_release);
  changed_.notify_all();
}

void Gatherer::keep(const Batch& batch) {
  for (std::size_t i = 0; i < batch.keys.size(); ++i) {
    const auto& [values, priors] = batch.answer;
    cache_.keep(batch.keys[i], values.empty() ? std::span<const float>{} : std::span(values).subspan(i, 1),
                priors.empty() ? std::span<const float>{} : std::span(priors).subspan(i * num_moves_, num_moves_));
  }
}

void Gatherer::check(const Evaluations& answer, std::size_t size) {
  const int kind = (answer.values.empty() ? 0 : kValues) | (answer.priors.empty() ? 0 : kPriors);
  if (kind == 0) throw std::invalid_argument("the evaluator answered nothing; it must give values, priors or both");
  if ((kind & kValues) != 0 && answer.values.size() != size) throw wrong_size("values", answer.values.size(), size);
  if ((kind & kPriors) != 0 && answer.priors.size() != size * num_moves_)
    throw wrong_size("priors", answer.priors.size(), size * num_moves_);
  if ((kind & kPriors) != 0 && !settings_.uses_priors)
    throw std::invalid_argument(
        "the evaluator gives priors, but the config uses none; choose PUCT or a prior, or give values alone");
  const int before = kind_.exchange(kind, std::memory_order_relaxed);
  if (before != 0 && before != kind)
    throw std::invalid_argument("the evaluator gives values, priors or both: always the same, not now this, now that");
}

}  // namespace tesuji
