// Leaves of all threads, gathered into batches for an evaluator: a function that says what states are worth, what their
// moves are worth, or both. It is slow and likes many states at once (a neural network, Python).
//
// Whoever fills a batch has it evaluated while the others fill the next; as many batches at a time as the evaluator
// allows. A thread that has enough leaves waiting waits too; a leaf that nobody's company comes to within the time-out
// is evaluated without. Answers are kept (answer_cache.hpp), so a state is judged once. States are read and made arrays
// of by the thread that brings them, outside the lock. With one thread nothing depends on the clock, so one seed and
// one evaluator give one graph. See docs/algorithms/evaluators.md.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/hashing.hpp"
#include "games/game.hpp"
#include "search/answer_cache.hpp"

namespace tesuji {

// What an evaluator is asked: some states, as arrays where the game has them.
template <Game G>
struct Leaves {
  std::vector<std::size_t> shape;    // of one state's array
  std::vector<std::uint8_t> arrays;  // one after the other
  std::vector<G> states;             // of games without arrays
  std::vector<std::int8_t> to_play;  // one number for each leaf

  std::size_t size() const { return to_play.size(); }
};

// What it answers. Values are the first player's, 0..1; priors stand in rows of one number for every move that exists.
// Either may be left out, in all answers or in none.
struct Evaluations {
  std::vector<float> values, priors;
};

template <Game G>
using Evaluator = std::function<Evaluations(Leaves<G>&)>;  // may take the leaves' vectors

template <Game G>
class Gatherer {
 public:
  struct Settings {
    std::size_t batch_size = 32;
    double timeout_s = 0.005;
    bool uses_priors = false;       // does the search want them?
    int max_batches_in_flight = 1;  // evaluated at the same time, each on a thread of its own
    std::size_t cache_bytes = 0;    // of answers that are kept; 0: none is
  };
  struct Batch {
    Leaves<G> leaves;
    std::vector<StateKey> keys;  // where answers are kept
    Evaluations answer;
    std::atomic<bool> is_done{false};
  };
  // Where a leaf stands.
  struct Place {
    std::shared_ptr<Batch> batch;
    std::size_t slot = 0;
    bool was_known = false;  // answered from the cache, at once

    bool is_done() const { return batch->is_done.load(std::memory_order_acquire); }
    bool has_value() const { return !batch->answer.values.empty(); }
    double value() const { return static_cast<double>(batch->answer.values[slot]); }
    std::span<const float> priors(std::size_t num_moves) const {
      return std::span<const float>(batch->answer.priors).subspan(slot * num_moves, num_moves);
    }
  };

  Gatherer(Evaluator<G> evaluator, const G& root, const Settings& settings)
      : evaluator_(std::move(evaluator)),
        settings_(settings),
        num_moves_(static_cast<std::size_t>(root.num_distinct_moves())),
        cache_(settings.cache_bytes, num_moves_) {
    if constexpr (HasArray<G>) shape_ = root.array_shape();
    array_bytes_ = std::accumulate(shape_.begin(), shape_.end(), std::size_t{1}, std::multiplies<>());
  }

  std::size_t batch_size() const { return settings_.batch_size; }
  std::size_t num_moves() const { return num_moves_; }
  // Known after the first answer.
  bool is_known() const { return kind_.load(std::memory_order_relaxed) != 0; }
  bool gives_values() const { return (kind_.load(std::memory_order_relaxed) & kValues) != 0; }
  bool gives_priors() const { return (kind_.load(std::memory_order_relaxed) & kPriors) != 0; }
  std::uint64_t num_evaluations() const { return num_evaluations_.load(std::memory_order_relaxed); }  // of states
  std::uint64_t num_cache_hits() const { return cache_.num_hits(); }

  // Before anything is asked, and before threads begin: so many will add leaves, until each has left.
  void begin(std::size_t num_threads) {
    const std::scoped_lock hold(lock_);
    num_threads_ = num_threads;
    num_waiting_ = 0;
    open_.reset();
    failure_ = nullptr;
  }
  void leave() {
    const std::scoped_lock hold(lock_);
    --num_threads_;
    changed_.notify_all();
  }

  // Adds a leaf, and has its batch evaluated if that fills it. A leaf whose answer is known is done at once.
  Place add(G&& state) {
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

  // Returns when the leaf is evaluated. Throws what the evaluator threw, on whichever thread.
  void wait(const Place& place) {
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

  // One state, at once and alone.
  Place ask(const G& state) {
    Leaf leaf = leaf_of(G(state));
    if (auto known = known_place(leaf)) return *std::move(known);
    Place place{std::make_shared<Batch>(), 0};
    append(*place.batch, std::move(leaf));
    evaluate(*place.batch);
    return place;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int kValues = 1, kPriors = 2;

  struct Waiting {  // counts under the lock, which wait() holds at both ends
    explicit Waiting(std::size_t& number) : number_(number) { ++number_; }
    ~Waiting() { --number_; }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;
    std::size_t& number_;
  };

  // A leaf as its batch takes it, made before the lock is held.
  struct Leaf {
    std::int8_t to_play = 0;
    StateKey key{0};
    std::vector<std::uint8_t> array;  // of games with arrays
    std::optional<G> state;           // of the others
  };

  Leaf leaf_of(G&& state) const {
    Leaf leaf;
    leaf.to_play = static_cast<std::int8_t>(state.to_play());
    if constexpr (HasArray<G>) {
      leaf.array.resize(array_bytes_);
      state.encode(leaf.array);
      if (settings_.cache_bytes > 0) leaf.key = key_of_array(leaf);
    } else {
      if (settings_.cache_bytes > 0) leaf.key = key_of(state);
      leaf.state.emplace(std::move(state));
    }
    return leaf;
  }
  // What the evaluator sees, and so all that its answer can depend on: in Go an array shows the last moves, a state's
  // own key does not.
  static StateKey key_of_array(const Leaf& leaf) {
    std::uint64_t first = mix64(static_cast<std::uint64_t>(leaf.to_play)), second = ~first;
    for (std::size_t at = 0; at < leaf.array.size(); at += sizeof first) {
      std::uint64_t word = 0;
      std::memcpy(&word, leaf.array.data() + at, std::min(sizeof word, leaf.array.size() - at));
      first = mix64(first ^ word);
      second = (second ^ word) * 0x9E3779B97F4A7C15u;
      second ^= second >> 29;
    }
    return {first, static_cast<std::uint32_t>(mix64(second))};
  }

  std::optional<Place> known_place(const Leaf& leaf) {
    if (settings_.cache_bytes == 0) return {};
    auto known = cache_.find(leaf.key);
    if (!known) return {};
    Place place{std::make_shared<Batch>(), 0, true};
    place.batch->answer = {std::move(known->values), std::move(known->priors)};
    place.batch->is_done.store(true, std::memory_order_release);
    return place;
  }

  void append(Batch& batch, Leaf&& leaf) const {
    Leaves<G>& leaves = batch.leaves;
    leaves.shape = shape_;
    leaves.to_play.push_back(leaf.to_play);
    if (settings_.cache_bytes > 0) batch.keys.push_back(leaf.key);
    if constexpr (HasArray<G>) {
      if (leaves.arrays.empty()) leaves.arrays.reserve(settings_.batch_size * array_bytes_);
      leaves.arrays.insert(leaves.arrays.end(), leaf.array.begin(), leaf.array.end());
    } else {
      leaves.states.push_back(*std::move(leaf.state));
    }
  }

  void evaluate(Batch& batch) {
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

  // One of the batches that are being evaluated; waits until there may be one more.
  class InFlight {
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

  void keep(const Batch& batch) {
    for (std::size_t i = 0; i < batch.keys.size(); ++i) {
      const auto& [values, priors] = batch.answer;
      cache_.keep(batch.keys[i], values.empty() ? std::span<const float>{} : std::span(values).subspan(i, 1),
                  priors.empty() ? std::span<const float>{} : std::span(priors).subspan(i * num_moves_, num_moves_));
    }
  }

  void check(const Evaluations& answer, std::size_t size) {
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
      throw std::invalid_argument(
          "the evaluator gives values, priors or both: always the same, not now this, now that");
  }
  static std::invalid_argument wrong_size(const char* what, std::size_t found, std::size_t wanted) {
    return std::invalid_argument("the evaluator gave " + std::to_string(found) + " " + what + "; " +
                                 std::to_string(wanted) + " were asked for");
  }

  const Evaluator<G> evaluator_;
  const Settings settings_;
  const std::size_t num_moves_;
  std::vector<std::size_t> shape_;
  std::size_t array_bytes_ = 0;
  std::atomic<int> kind_{0};
  std::atomic<std::uint64_t> num_evaluations_{0};
  AnswerCache cache_;
  std::mutex lock_;  // of all below; nobody holds it while the evaluator runs or a state is read
  std::condition_variable changed_, landed_;
  int num_in_flight_ = 0;
  std::shared_ptr<Batch> open_;
  std::size_t num_threads_ = 1, num_waiting_ = 0;
  std::exception_ptr failure_;
};

}  // namespace tesuji
