// What the graph modes shared-values and multipath add to a simulation. Part of search.hpp, which is what to include.
// See docs/algorithms/uct-dag.md.
#pragma once

#include "search/search.hpp"

namespace tesuji {

// Gives a node its entry, if the table has room. With one thread the slot comes into the cache during the playout; with
// several, others may walk through the node in the meantime and must find it complete.
template <Game G>
void Search<G>::enter(std::atomic<EntryId>& entry, const G& state, Worker& worker) {
  worker.entering.push_back({&entry, key_of(state)});
  table_->prefetch(worker.entering.back().key.first);
  if (config_.num_threads > 1 || gatherer_) finish_entering(worker);
}

template <Game G>
void Search<G>::finish_entering(Worker& worker) {
  for (const Entering& one : worker.entering) {
    bool was_there = false;
    const EntryId id = table_->find_or_make(one.key, was_there);
    WorkerCounts::add(worker.counts.transposition_hits, was_there);
    if (id != kNoEntry && one.entry->exchange(id, std::memory_order_relaxed) != id)
      add(table_->entry(id).references, 1u, shared_);
  }
  worker.entering.clear();
}

// The entries of all nodes of the path learn the result, each once though a state may come twice.
template <Game G>
void Search<G>::update_entries(Worker& worker, std::int64_t value) {
  finish_entering(worker);
  std::vector<EntryId>& entries = worker.entries;
  entries.assign(1, root_entry_);
  for (const Step& step : worker.path)
    entries.push_back(
        worker.graph.edges(worker.graph.node(step.node)).entry()[step.edge].load(std::memory_order_relaxed));
  std::sort(entries.begin(), entries.end());
  EntryId last = kNoEntry;
  for (const EntryId id : entries) {
    if (id == std::exchange(last, id)) continue;
    add(table_->entry(id).visits, 1u, shared_);
    add(table_->entry(id).value, value, shared_);
  }
}

// Multipath: every node from which the leaf can be reached learns the result once. The path itself always does; beyond
// it the update is cut at the cap.
template <Game G>
void Search<G>::update_ancestors(Worker& worker, std::int64_t value) {
  std::vector<NodeId>& nodes = worker.path_nodes;
  nodes.clear();
  if (worker.leaf != kNoNode) nodes.push_back(worker.leaf);
  for (std::size_t depth = worker.path.size(); depth-- > 0;) nodes.push_back(worker.path[depth].node);
  const bool is_complete = worker.graph.for_each_ancestor(nodes, config_.max_ancestors, [&](Node& node) {
    add(node.visits, 1u, false);
    add(node.value, value, false);
  });
  WorkerCounts::add(worker.counts.cut_updates, !is_complete);
}

// Nodes whose entries were dropped go on with their own statistics.
template <Game G>
void Search<G>::clean_table() {
  const std::vector<EntryId> renamed = table_->drop_rare_entries();
  root_entry_ = renamed[root_entry_];
  if (graphs_[0]->root() != kNoNode) graphs_[0]->rename_entries(renamed);
}

template <Game G>
std::size_t Search<G>::drop_rare_entries() {
  const OneAtATime hold(running_);
  if (!table_) throw std::invalid_argument("there is no table of shared values; use graph='shared-values'");
  const std::size_t before = table_->size();
  clean_table();
  return before - table_->size();
}

template <Game G>
TableSnapshot Search<G>::table() {
  const OneAtATime hold(running_);
  return table_ ? table_->snapshot() : TableSnapshot{};
}

template <Game G>
void Search<G>::begin_with(const TableSnapshot& table) {
  const OneAtATime hold(running_);
  if (!table_) throw std::invalid_argument("a search takes a table with graph='shared-values' only");
  if (graphs_[0]->root() != kNoNode)
    throw std::invalid_argument("the search has nodes that refer to its table; load a table before the first run");
  table_->restore(table);
}

}  // namespace tesuji
