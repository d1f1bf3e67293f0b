// The table of shared values as a search holds it: the table, the root's entry in it, and each worker's dealings with
// it. In other graph modes there is none. See docs/algorithms/uct-dag.md.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "search/config.hpp"
#include "search/graph.hpp"
#include "search/result.hpp"
#include "search/shared_values.hpp"
#include "search/value_table.hpp"

namespace tesuji {

class SharedTable {
 public:
  // `numbers`: are values one player's?
  SharedTable(const SearchConfig& config, bool numbers);

  bool exists() const { return table_ != nullptr; }
  // Null if there is none.
  const ValueTable* get() const { return table_.get(); }
  ValueTable* get() { return table_.get(); }
  // A worker's, null if there is none; all are new after make_workers().
  void make_workers(const SearchConfig& config);
  SharedValues* of_worker(std::size_t index) { return exists() ? values_[index].get() : nullptr; }

  // The root gets an entry; or it is an edge's state, whose entry this is.
  void enter_root(std::size_t worker, StateKey key, WorkerCounts& counts);
  void set_root(EntryId entry) { root_ = entry; }

  // Drops what few nodes refer to; such nodes go on with their own statistics. A graph without a root has none. Returns
  // how many entries were dropped.
  std::size_t drop_rare_entries(Graph& graph);

  // A saved table, checked against the config; it changes nothing until it replaces the own one.
  std::unique_ptr<ValueTable> read(const TableSnapshot& saved, const SearchConfig& config) const;
  void replace(std::unique_ptr<ValueTable> table, StateKey root);

  void report(SearchResult& result) const;

 private:
  const bool numbers_;
  std::unique_ptr<ValueTable> table_;
  std::atomic<EntryId> root_{kNoEntry};
  std::vector<std::unique_ptr<SharedValues>> values_;
};

}  // namespace tesuji
