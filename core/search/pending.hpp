// Simulations in two halves: a walk that ends at a leaf which waits for the evaluator, and what happens when it has
// answered. One thread holds many such walks; each stays in flight, so that the next ones go elsewhere.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "search/evaluate.hpp"
#include "search/grouped.hpp"
#include "search/walker.hpp"

namespace tesuji {

// A simulation whose leaf waits for the evaluator.
struct Pending {
  Walk walk;
  Grouped state;
  Gatherer::Place place{};
  std::optional<double> playout{};  // if there was one
  MadeMoves made{};                 // in it
};

class PendingWalks {
 public:
  explicit PendingWalks(std::size_t batch_size) : batch_size_(batch_size) {}

  std::size_t size() const { return pending_.size(); }
  bool is_full() const { return pending_.size() >= batch_size_; }
  bool is_first_done() const { return !pending_.empty() && pending_.front().place.is_done(); }
  const Gatherer::Place& first_place() const { return pending_.front().place; }
  Pending& add(Pending pending) {
    pending_.push_back(std::move(pending));
    return pending_.back();
  }
  Pending take_last() {
    Pending last = std::move(pending_.back());
    pending_.pop_back();
    return last;
  }
  Pending take_first() {
    Pending first = std::move(pending_.front());
    pending_.pop_front();
    return first;
  }

  // A walk to a leaf that somebody waits at already does not count: it stays in flight for a while, and another begins.
  void block(Walk walk) { blocked_.push_back(std::move(walk)); }
  // Leaves should not wait for company while all walks end elsewhere: true once a batch of walks did.
  bool note_idle_walk() { return ++num_idle_ >= batch_size_; }
  bool has_blocked() const { return !blocked_.empty(); }
  void release_blocked(Walker& walker) {
    num_idle_ = 0;
    for (const Walk& walk : blocked_) walker.undo(walk);
    blocked_.clear();
  }
  // Nothing is under way any more.
  void undo_all(Walker& walker) {
    release_blocked(walker);
    for (const Pending& one : pending_) {
      walker.undo(one.walk);
      walker.release_leaf(one.walk);
    }
    pending_.clear();
  }

 private:
  const std::size_t batch_size_;
  std::deque<Pending> pending_;  // in the order of their leaves
  std::vector<Walk> blocked_;
  std::size_t num_idle_ = 0;
};

}  // namespace tesuji
