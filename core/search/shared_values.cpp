#include "search/shared_values.hpp"

#include <algorithm>
#include <utility>

#include "search/numbers.hpp"

namespace tesuji {

void SharedValues::enter(std::atomic<EntryId>& entry, StateKey key, WorkerCounts& counts) {
  entering_.push_back({&entry, key});
  table_.prefetch(key.first);
  if (at_once_) finish_entering(counts);
}

void SharedValues::finish_entering(WorkerCounts& counts) {
  for (const Entering& one : entering_) {
    bool was_there = false;
    const EntryId id = table_.find_or_make(one.key, was_there);
    WorkerCounts::add(counts.transposition_hits, was_there);
    if (id != kNoEntry && one.entry->exchange(id, std::memory_order_relaxed) != id)
      add(table_.entry(id).references, 1u, shared_);
  }
  entering_.clear();
}

void SharedValues::update(const Graph& graph, const Walk& walk, std::int64_t value, double merit, std::uint32_t visits,
                          WorkerCounts& counts) {
  finish_entering(counts);
  entries_.assign(1, root_.load(std::memory_order_relaxed));
  for (const Step& step : walk.steps)
    entries_.push_back(graph.edges(graph.node(step.node)).entry()[step.edge].load(std::memory_order_relaxed));
  std::sort(entries_.begin(), entries_.end());
  EntryId last = kNoEntry;
  for (const EntryId id : entries_) {
    if (id == std::exchange(last, id)) continue;
    add(table_.entry(id).visits, visits, shared_);
    if (numbers_)
      add_number(table_.entry(id).value, merit * visits, shared_);
    else
      add(table_.entry(id).value, value * visits, shared_);
  }
}

}  // namespace tesuji
