// Leaves of all threads, gathered into batches for an evaluator: a function that says what states are worth, what their
// moves are worth, or both. It is slow and likes many states at once (a neural network, Python).
//
// Whoever fills a batch has it evaluated while the others fill the next; as many batches at a time as the evaluator
// allows. A thread that has enough leaves waiting waits too; a leaf that nobody's company comes to within the time-out
// is evaluated without. Answers are kept (answer_cache.hpp), so a state is judged once. States are read and made arrays
// of by the thread that brings them, outside the lock. With one thread nothing depends on the clock, so one seed and
// one evaluator give one graph. See docs/algorithms/evaluators.md.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "games/dynamic.hpp"
#include "search/answer_cache.hpp"

namespace tesuji {

// What an evaluator is asked: some states, as arrays where the game has them.
struct Leaves {
  std::vector<std::size_t> shape;    // of one state's array
  std::vector<std::uint8_t> arrays;  // one after the other
  std::vector<DynamicGame> states;   // of games without arrays
  std::vector<std::int8_t> to_play;  // one number for each leaf

  std::size_t size() const { return to_play.size(); }
};

// What it answers. Values are the first player's, 0..1; priors stand in rows of one number for every move that exists.
// Either may be left out, in all answers or in none.
struct Evaluations {
  std::vector<float> values, priors;
};

using Evaluator = std::function<Evaluations(Leaves&)>;  // may take the leaves' vectors

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
    Leaves leaves;
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

  Gatherer(Evaluator evaluator, const DynamicGame& root, const Settings& settings);

  std::size_t batch_size() const { return settings_.batch_size; }
  std::size_t num_moves() const { return num_moves_; }
  // Known after the first answer.
  bool is_known() const { return kind_.load(std::memory_order_relaxed) != 0; }
  bool gives_values() const { return (kind_.load(std::memory_order_relaxed) & kValues) != 0; }
  bool gives_priors() const { return (kind_.load(std::memory_order_relaxed) & kPriors) != 0; }
  std::uint64_t num_evaluations() const { return num_evaluations_.load(std::memory_order_relaxed); }  // of states
  std::uint64_t num_cache_hits() const { return cache_.num_hits(); }

  // Before anything is asked, and before threads begin: so many will add leaves, until each has left.
  void begin(std::size_t num_threads);
  void leave();

  // Adds a leaf, and has its batch evaluated if that fills it. A leaf whose answer is known is done at once.
  Place add(DynamicGame&& state);
  // Returns when the leaf is evaluated. Throws what the evaluator threw, on whichever thread.
  void wait(const Place& place);
  // One state, at once and alone.
  Place ask(const DynamicGame& state);

 private:
  static constexpr int kValues = 1, kPriors = 2;
  struct Leaf;
  class InFlight;

  Leaf leaf_of(DynamicGame&& state) const;
  std::optional<Place> known_place(const Leaf& leaf);
  void append(Batch& batch, Leaf&& leaf) const;
  void evaluate(Batch& batch);
  void keep(const Batch& batch);
  void check(const Evaluations& answer, std::size_t size);

  const Evaluator evaluator_;
  const Settings settings_;
  const std::size_t num_moves_;
  const std::vector<std::size_t> shape_;  // of a state's array; empty: the game has none
  const std::size_t array_bytes_;
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
