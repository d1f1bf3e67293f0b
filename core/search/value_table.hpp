// The table behind graph="shared-values": equal positions of a tree share one value. See docs/algorithms/uct-dag.md.
//
// An entry belongs to a state: the sum of its results for the first player, its visits, and its references: how many
// nodes of the tree were made to refer to it. References are never taken back, though nodes go. Entries are found by
// open addressing and named by numbers from 1 on, in the order in which they were made; nodes keep the number. There
// are never more than `capacity` of them: first come, first served. A state whose first hash is another's is a
// collision: it is counted and gets no entry. An entry without references is a spare that lost a race of threads;
// nobody finds it.
//
// A slot is one word, half of it a part of the hash and half the entry's number, so that looking up a new state costs
// one miss of the cache. While threads work, entries are only added. A slot is published with release and read with
// acquire, so that whoever sees it sees the entry's hashes; all other numbers are relaxed atomics as in the graph.
// Dropping entries happens between runs.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "games/game.hpp"

namespace tesuji {

using EntryId = std::uint32_t;
inline constexpr EntryId kNoEntry = 0;

struct TableEntry {
  std::atomic<std::int64_t> value{0};  // sum for the first player, in fixed point
  std::atomic<std::uint32_t> visits{0};
  std::atomic<std::uint32_t> references{0};
};
static_assert(sizeof(TableEntry) == 16);

// The entries as columns of plain numbers: what is saved and what a table is made from again.
struct TableSnapshot {
  std::vector<std::uint64_t> key;  // the first hash
  std::vector<std::uint32_t> second;
  std::vector<std::int64_t> value;
  std::vector<std::int64_t> visits, references;
  std::int64_t min_references = 0;   // the threshold as it stands
  std::int64_t num_turned_away = 0;  // since entries were last dropped
};

class ValueTable {
 public:
  // With one thread the slots grow with the entries, so that a small search stays in the cache; with several they have
  // their full number from the start. With numbers, values are sums of one player's (numbers.hpp). Throws
  // std::invalid_argument if the system does not have the memory.
  ValueTable(std::size_t capacity, std::uint32_t min_references, bool has_threads = false, bool has_numbers = false);

  // The entry of a state, made if there is room; `was_there` says which. kNoEntry if the table is full, or if the state
  // collides with another.
  EntryId find_or_make(StateKey key, bool& was_there);
  // The same without making one.
  EntryId find(StateKey key) const;
  // Begins to bring the slot of a state into the cache.
  void prefetch(std::uint64_t hash) const;
  TableEntry& entry(EntryId id) { return entries_[id]; }
  const TableEntry& entry(EntryId id) const { return entries_[id]; }
  const TableEntry* entries() const { return entries_.get(); }

  std::size_t size() const { return num_entries_.load(std::memory_order_relaxed); }
  std::size_t capacity() const { return capacity_; }
  std::size_t bytes() const;
  std::uint32_t min_references() const { return min_references_; }
  // Since the table was made: states that met another's first hash, and states that found no room.
  std::uint64_t num_collisions() const { return num_collisions_.load(std::memory_order_relaxed); }
  std::uint64_t num_turned_away() const { return num_turned_away_.load(std::memory_order_relaxed); }

  // Between moves: drops the entries with fewer references than the threshold, which rises by one if states were turned
  // away since the last time. Returns the new number of every entry by its old one, kNoEntry for those dropped.
  std::vector<EntryId> drop_rare_entries();

  TableSnapshot snapshot() const;
  // Puts saved entries in place of its own. If they are too many, the threshold rises until those that reach it fit.
  // Throws std::invalid_argument, and changes nothing, unless every list has its length, every number its range and no
  // state is there twice.
  void restore(const TableSnapshot& snapshot);

 private:
  struct Name {
    std::uint64_t first;
    std::uint32_t second;
  };
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  template <class T>
  using Column = std::unique_ptr<T[], Free>;

  // Where a slot ends the search for a state: it is free, or it is the state's, or another's with the same hash.
  struct Place {
    std::size_t slot;
    EntryId entry;  // kNoEntry: the slot is free
  };
  Place place_of(std::uint64_t first, std::size_t slot) const;
  std::size_t first_slot(std::uint64_t first) const;
  EntryId make(StateKey key);
  EntryId turn_away();
  static std::size_t num_slots_for(std::size_t num_entries);
  void make_room();
  void put(std::uint64_t first, EntryId id);
  void fill(const TableSnapshot& snapshot);
  void make_slots(std::size_t num_slots);

  std::size_t capacity_;
  bool grows_, has_numbers_;
  std::size_t num_slots_ = 0;  // a power of two, at least a third of them free
  std::uint32_t min_references_;
  std::uint64_t turned_away_before_ = 0;      // when entries were last dropped
  Column<std::atomic<std::uint64_t>> slots_;  // 0: free
  Column<TableEntry> entries_;                // 1 to capacity
  Column<Name> names_;                        // of the entries; written before their slot
  // Written while threads work: on a cache line of their own.
  alignas(64) std::atomic<std::size_t> num_entries_{0};
  std::atomic<std::uint64_t> num_collisions_{0}, num_turned_away_{0};
};

}  // namespace tesuji
