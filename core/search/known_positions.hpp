// Positions of which something is known: a bounded table from a state's two keys to a sum of results for the first
// player and their weight. See docs/algorithms/playout-policies.md.
//
// All threads read and write at once, without locks and without waiting. An entry is four words; the first is the
// state's first key combined with the other three (Hyatt and Mann, "A lock-less transposition table implementation for
// parallel search", 2002), so that an entry of which a reader saw two halves of two writes belongs to no state: it is
// unknown, and the next write heals it. Two threads that add to one position at the same moment may lose one of the two
// results; nothing else is ever lost or mixed up.
//
// Four entries make a bucket. A new position takes a free place of its bucket, else that of the entry that is worth
// least: its weight counts half for every generation (a move of the game, mostly) since it was last met; of equal ones
// the one that was met furthest from a root goes. So what was met once makes room for what is met now, and what was met
// often stays until it is long past.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "games/game.hpp"

namespace tesuji {

class KnownPositions {
 public:
  struct Known {
    double mean() const { return sum / weight; }

    double sum = 0;
    std::uint32_t weight = 0;  // 0: nothing is known
    std::uint32_t depth = 0;   // the fewest moves from a root at which it was met
  };
  static constexpr std::size_t kMinCapacity = 4, kMaxCapacity = std::size_t{1} << 30;

  // `capacity` is rounded down to a power of two. Throws std::invalid_argument if it is out of range, or if the system
  // does not have the memory.
  explicit KnownPositions(std::size_t capacity);
  KnownPositions(const KnownPositions&) = delete;
  KnownPositions& operator=(const KnownPositions&) = delete;

  Known find(StateKey key) const;
  // A result for the first player, so many times. `value` must be finite. A weight that has reached its largest number
  // stays there, and its sum with it.
  void add(StateKey key, double value, std::uint32_t weight = 1, std::uint32_t depth = 0) {
    add_known(key, {value * weight, weight, depth});
  }

  // Everything that is known is one generation older. Between runs.
  void begin_generation() { generation_.fetch_add(1, std::memory_order_relaxed); }

  std::size_t capacity() const { return words_.size() / kWords; }
  std::size_t bytes() const { return words_.size() * sizeof(Word); }
  std::size_t size() const;  // counts them
  void clear();

  // All that is known, as bytes. Between runs: entries that are written meanwhile may be missing. `identity` is of the
  // game that the positions are of, whatever the caller means by it.
  std::vector<std::byte> save(std::uint64_t identity = 0) const;
  // Adds what was saved to what is known; a smaller table keeps what is heavier. Throws std::invalid_argument, and
  // changes nothing, for anything but bytes that save() gave for the same identity.
  void load(std::span<const std::byte> saved, std::uint64_t identity = 0);
  // The same in place of what is known.
  void restore(std::span<const std::byte> saved);

 private:
  using Word = std::atomic<std::uint64_t>;
  static constexpr std::size_t kWords = 4, kBucket = 4;
  struct Entry {
    Known known;
    StateKey key;
    std::uint16_t met = 0;  // the generation in which it was last met
  };

  std::size_t bucket_of(std::uint64_t first) const;  // where its first entry begins
  // What stands there; nothing if it is free, or torn, or of another bucket.
  Entry read(std::size_t at, std::size_t bucket) const;
  void write(std::size_t at, const Entry& entry);
  void add_known(StateKey key, Known more);
  std::uint16_t generation() const { return static_cast<std::uint16_t>(generation_.load(std::memory_order_relaxed)); }
  std::uint64_t worth(const Entry& entry) const;

  std::vector<Word> words_;
  std::atomic<std::uint32_t> generation_{0};
};

}  // namespace tesuji
