// A decorator that records: the last playouts of a search, whole, for whoever wants to look at them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "games/playout_decorator.hpp"

namespace tesuji {

struct RecordedPlayout {
  std::vector<PlayedMove> walk;   // from the root to where the playout began
  std::vector<PlayedMove> moves;  // of the playout
  double value;
};

// The last playouts of all threads, at most `capacity` of them, in the order in which they ended.
class PlayoutHistory {
 public:
  explicit PlayoutHistory(std::size_t capacity) : capacity_(std::max<std::size_t>(capacity, 1)) {}

  std::size_t capacity() const { return capacity_; }
  std::uint64_t num_playouts() const {  // ever
    const std::scoped_lock hold(lock_);
    return num_playouts_;
  }
  std::vector<RecordedPlayout> playouts() const {
    const std::scoped_lock hold(lock_);
    return {playouts_.begin(), playouts_.end()};
  }
  void add(std::span<const PlayedMove> walk, std::span<const PlayedMove> moves, double value) {
    RecordedPlayout playout{{walk.begin(), walk.end()}, {moves.begin(), moves.end()}, value};
    const std::scoped_lock hold(lock_);
    if (playouts_.size() == capacity_) playouts_.pop_front();
    playouts_.push_back(std::move(playout));
    ++num_playouts_;
  }
  void clear() {
    const std::scoped_lock hold(lock_);
    playouts_.clear();
    num_playouts_ = 0;
  }

 private:
  const std::size_t capacity_;
  mutable std::mutex lock_;
  std::deque<RecordedPlayout> playouts_;
  std::uint64_t num_playouts_ = 0;
};

template <Game G>
class RecordedPlayouts final : public PlayoutDecorator<G> {
 public:
  RecordedPlayouts(std::shared_ptr<PlayoutPolicy<G>> inner, std::shared_ptr<PlayoutHistory> history)
      : PlayoutDecorator<G>(std::move(inner)), history_(std::move(history)) {}

  void observe(std::span<const PlayedMove> walk, std::span<const PlayedMove> moves, double value,
               PlayoutScratch* scratch) override {
    history_->add(walk, moves, value);
    PlayoutDecorator<G>::observe(walk, moves, value, scratch);
  }
  bool wants_result() const override { return true; }
  bool wants_moves() const override { return true; }

 private:
  const std::shared_ptr<PlayoutHistory> history_;
};

}  // namespace tesuji
