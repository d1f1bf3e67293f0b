#include "search/shared_table.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace tesuji {

namespace {

std::unique_ptr<ValueTable> make_table(const SearchConfig& config, bool numbers) {
  return std::make_unique<ValueTable>(config.table_entries, config.table_min_references, config.num_threads > 1,
                                      numbers);
}

}  // namespace

SharedTable::SharedTable(const SearchConfig& config, bool numbers) : numbers_(numbers) {
  if (config.graph == GraphMode::SharedValues) table_ = make_table(config, numbers);
}

void SharedTable::make_workers(const SearchConfig& config) {
  const bool shared = config.parallel == Parallel::LockFree && config.num_threads > 1;
  const bool at_once = config.num_threads > 1 || config.pends_walks;
  values_.clear();
  if (!exists()) return;
  for (int i = 0; i < config.num_threads; ++i)
    values_.push_back(std::make_unique<SharedValues>(*table_, root_, at_once, shared, numbers_));
}

void SharedTable::enter_root(std::size_t worker, StateKey key, WorkerCounts& counts) {
  values_[worker]->enter(root_, key, counts);
  values_[worker]->finish_entering(counts);
}

std::size_t SharedTable::drop_rare_entries(Graph& graph) {
  const std::size_t before = table_->size();
  const std::vector<EntryId> renamed = table_->drop_rare_entries();
  root_ = renamed[root_];
  if (graph.root() != kNoNode) graph.rename_entries(renamed);
  return before - table_->size();
}

std::unique_ptr<ValueTable> SharedTable::read(const TableSnapshot& saved, const SearchConfig& config) const {
  if (!exists()) return nullptr;
  if (saved.key.size() > config.table_entries)
    throw std::invalid_argument("the file's table has " + std::to_string(saved.key.size()) +
                                " entries; raise table_entries");
  auto table = make_table(config, numbers_);
  table->restore(saved);
  return table;
}

void SharedTable::replace(std::unique_ptr<ValueTable> table, StateKey root) {
  values_.clear();
  table_ = std::move(table);
  root_ = table_ ? table_->find(root) : kNoEntry;
}

void SharedTable::report(SearchResult& result) const {
  if (!exists()) return;
  result.num_collisions += table_->num_collisions();
  result.table_entries = table_->size();
  result.table_bytes = table_->bytes();
  result.table_min_references = table_->min_references();
  result.table_turned_away = table_->num_turned_away();
}

}  // namespace tesuji
