// What an evaluator has answered, by state: a table of fixed size that a search keeps as long as it lives, so that a
// state met again (on another path, after a move, in the next run) costs no evaluation.
//
// It holds answers whole: a value, the priors of all moves, or both. When it is full, the answer that was not asked for
// the longest goes, as far as one bit per entry can tell (CLOCK: the hand passes over entries that were used since it
// came by). One lock for all threads: an evaluation takes a thousand times as long as a look.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "games/game.hpp"

namespace tesuji {

class AnswerCache {
 public:
  struct Answer {
    std::vector<float> values, priors;  // one value or none; a row of priors or none
  };

  // At most so many bytes; fewer than one answer needs: nothing is kept.
  AnswerCache(std::size_t max_bytes, std::size_t num_moves) : max_bytes_(max_bytes), num_moves_(num_moves) {}

  std::optional<Answer> find(const StateKey& key) {
    if (max_bytes_ == 0) return {};
    const std::scoped_lock hold(lock_);
    const auto found = places_.find(key);
    if (found == places_.end()) {
      ++num_misses_;
      return {};
    }
    ++num_hits_;
    Entry& entry = entries_[found->second];
    entry.is_recent = true;
    Answer answer;
    if (has_values_) answer.values = {entry.value};
    if (has_priors_) {
      const auto row = row_of(found->second);
      answer.priors.assign(row.begin(), row.end());
    }
    return answer;
  }

  // Of one state; all answers of one evaluator have values, priors or both. What is there already stays.
  void keep(const StateKey& key, std::span<const float> value, std::span<const float> priors) {
    if (max_bytes_ == 0) return;
    const std::scoped_lock hold(lock_);
    has_values_ = !value.empty();
    has_priors_ = !priors.empty();
    if (capacity() == 0 || places_.contains(key)) return;
    const std::size_t place = entries_.size() < capacity() ? new_place() : oldest_place();
    entries_[place] = {key, value.empty() ? 0 : value[0], false};
    if (has_priors_) std::copy(priors.begin(), priors.end(), row_of(place).begin());
    places_.emplace(key, static_cast<std::uint32_t>(place));
  }

  std::uint64_t num_hits() const { return counted(num_hits_); }
  std::uint64_t num_misses() const { return counted(num_misses_); }
  std::size_t size() const {
    const std::scoped_lock hold(lock_);
    return entries_.size();
  }

 private:
  struct Entry {
    StateKey key;
    float value;
    bool is_recent;
  };
  struct HashOfKey {
    std::size_t operator()(const StateKey& key) const { return static_cast<std::size_t>(key.first ^ key.second); }
  };
  // What the index takes for an entry, roughly: a node of a hash map with its bucket.
  static constexpr std::size_t kIndexBytes = 56;

  std::size_t capacity() const {
    const std::size_t row = has_priors_ ? num_moves_ * sizeof(float) : 0;
    return std::min<std::size_t>(max_bytes_ / (sizeof(Entry) + row + kIndexBytes), UINT32_MAX);
  }
  std::span<float> row_of(std::size_t place) { return std::span(priors_).subspan(place * num_moves_, num_moves_); }
  std::size_t new_place() {
    entries_.push_back({StateKey(0), 0, false});
    if (has_priors_) priors_.resize(entries_.size() * num_moves_);
    return entries_.size() - 1;
  }
  std::size_t oldest_place() {
    while (std::exchange(entries_[hand_].is_recent, false)) hand_ = (hand_ + 1) % entries_.size();
    const std::size_t place = hand_;
    hand_ = (hand_ + 1) % entries_.size();
    places_.erase(entries_[place].key);
    return place;
  }
  std::uint64_t counted(const std::uint64_t& count) const {
    const std::scoped_lock hold(lock_);
    return count;
  }

  const std::size_t max_bytes_, num_moves_;
  mutable std::mutex lock_;  // of all below
  bool has_values_ = false, has_priors_ = false;
  std::vector<Entry> entries_;
  std::vector<float> priors_;  // rows of num_moves_, in the order of the entries
  std::unordered_map<StateKey, std::uint32_t, HashOfKey> places_;
  std::size_t hand_ = 0;
  std::uint64_t num_hits_ = 0, num_misses_ = 0;
};

}  // namespace tesuji
