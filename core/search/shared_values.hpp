// What the graph mode shared-values adds to a walk: the states it meets get entries in a table, and the entries learn
// the result. See docs/algorithms/uct-dag.md.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "search/graph.hpp"
#include "search/result.hpp"
#include "search/value_table.hpp"
#include "search/walk.hpp"

namespace tesuji {

// One worker's dealings with the table.
class SharedValues {
 public:
  // `at_once`: others may walk through a state while its simulation goes on, and must find its entry complete.
  SharedValues(ValueTable& table, std::atomic<EntryId>& root, bool at_once, bool shared, bool numbers)
      : table_(table), root_(root), at_once_(at_once), shared_(shared), numbers_(numbers) {}

  const ValueTable& table() const { return table_; }
  // Gives a state its entry, if the table has room. With one thread the slot comes into the cache during the playout.
  void enter(std::atomic<EntryId>& entry, StateKey key, WorkerCounts& counts);
  void finish_entering(WorkerCounts& counts);
  // The entries of all states of the walk learn the result as so many visits, each once though a state may come twice.
  void update(const Graph& graph, const Walk& walk, std::int64_t value, double merit, std::uint32_t visits,
              WorkerCounts& counts);
  // A walk that never was.
  void forget() { entering_.clear(); }

 private:
  struct Entering {
    std::atomic<EntryId>* entry;  // of its edge
    StateKey key;
  };

  ValueTable& table_;
  std::atomic<EntryId>& root_;
  const bool at_once_, shared_, numbers_;
  std::vector<Entering> entering_;
  std::vector<EntryId> entries_;  // of a walk's states
};

}  // namespace tesuji
