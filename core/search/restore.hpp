// A search made again from what was saved of it. Part of search.hpp, which is what to include.
#pragma once

#include "search/search.hpp"

namespace tesuji {

// Plays the moves of a snapshot from the root on. Each must be a move of this game, each node the turn of the player it
// says, and a node with several parents one state. So a graph of another game or position is refused, and no walk meets
// a move that its state does not have.
template <Game G>
class Replay {
 public:
  Replay(const G& root, const GraphSnapshot& snapshot, bool is_dag)
      : snapshot_(snapshot), is_dag_(is_dag), keys_(snapshot.node_mover.size(), 0), seen_(keys_.size(), false) {
    enter(root, 0);
    while (!path_.empty()) advance();
  }

  // The key of every node's state.
  const std::vector<StateKey>& keys() const { return keys_; }

 private:
  struct Step {
    G state;
    std::size_t node;
    int next;  // edge, counted from the node's first
  };

  static void require(bool fits) {
    if (!fits) throw std::invalid_argument("its moves are not those of this position; give the one it was saved at");
  }

  void enter(G state, std::size_t node) {
    seen_[node] = true;
    keys_[node] = key_of(state);
    require(snapshot_.node_mover[node] == state.to_play());
    if (snapshot_.node_num_edges[node] > 0) {
      require(!state.is_over());
      check_moves(state, node);
    }
    path_.push_back({std::move(state), node, 0});
  }

  void check_moves(const G& state, std::size_t node) {
    const auto first = snapshot_.edge_move.begin() + snapshot_.node_first_edge[node];
    own_.assign(first, first + snapshot_.node_num_edges[node]);
    std::sort(own_.begin(), own_.end());
    require(std::adjacent_find(own_.begin(), own_.end()) == own_.end());
    listed_.clear();
    state.legal_moves(listed_);
    std::sort(listed_.begin(), listed_.end());
    for (const Move move : own_) {
      bool is_move = std::binary_search(listed_.begin(), listed_.end(), move);
      if constexpr (HasLegality<G>) is_move = is_move || state.is_legal(move);
      require(is_move);
    }
  }

  void advance() {
    Step& step = path_.back();
    if (step.next == snapshot_.node_num_edges[step.node]) return path_.pop_back();
    const std::size_t edge = edge_at(step.node, step.next++);
    if (snapshot_.edge_child[edge] < 0) return;
    const auto child = static_cast<std::size_t>(snapshot_.edge_child[edge]);
    G after = step.state;
    after.play(snapshot_.edge_move[edge]);
    if (!seen_[child]) return enter(std::move(after), child);
    require(is_dag_ && keys_[child] == key_of(after));
  }

  std::size_t edge_at(std::size_t node, int index) const {
    return static_cast<std::size_t>(snapshot_.node_first_edge[node] + index);
  }

  const GraphSnapshot& snapshot_;
  const bool is_dag_;
  std::vector<StateKey> keys_;
  std::vector<bool> seen_;
  std::vector<Step> path_;
  MoveList own_, listed_;  // of the node that is entered
};

template <Game G>
std::vector<GraphSnapshot> Search<G>::snapshots() {
  const OneAtATime hold(running_);
  refuse_groups("be saved");
  prepare_roots();
  std::vector<GraphSnapshot> found;
  for (const auto& graph : graphs_) found.push_back(snapshot_of(*graph));
  return found;
}

template <Game G>
std::vector<std::uint64_t> Search<G>::streams() const {
  std::vector<std::uint64_t> states;
  for (const auto& worker : workers_) states.push_back(worker->rng.state());
  return states;
}

// Nothing is changed unless all of it is good.
template <Game G>
void Search<G>::restore(std::span<const GraphSnapshot> snapshots, std::span<const std::uint64_t> streams,
                        const TableSnapshot& table) {
  const OneAtATime hold(running_);
  refuse_groups("be loaded");
  if (snapshots.size() != graphs_.size())
    throw std::invalid_argument("the file has " + std::to_string(snapshots.size()) + " graphs, this search " +
                                std::to_string(graphs_.size()) + "; use as many independent roots");
  const bool is_dag = shares_nodes(config_.graph);
  std::unique_ptr<ValueTable> new_table;
  if (table_) {
    if (table.key.size() > config_.table_entries)
      throw std::invalid_argument("the file's table has " + std::to_string(table.key.size()) +
                                  " entries; raise table_entries");
    new_table =
        std::make_unique<ValueTable>(config_.table_entries, config_.table_min_references, config_.num_threads > 1);
    new_table->restore(table);
  }
  std::vector<std::unique_ptr<Graph>> graphs;
  for (const GraphSnapshot& snapshot : snapshots) {
    check_snapshot(snapshot, columns_for(config_), root_state_.num_distinct_moves(), table.key.size());
    const Replay<G> replay(root_state_, snapshot, is_dag);
    graphs.push_back(
        std::make_unique<Graph>(config_.memory_bytes / graphs_.size(), columns_for(config_), config_.graph));
    fill_graph(*graphs.back(), snapshot, is_dag ? replay.keys() : std::vector<StateKey>{});
  }
  for (const std::uint64_t state : streams)
    if (!Rng::is_state(state)) throw std::invalid_argument("the file's random stream is damaged");
  const std::size_t num_workers = workers_.size();
  workers_.clear();
  graphs_ = std::move(graphs);
  table_ = std::move(new_table);
  root_entry_ = table_ ? table_->find(key_of(root_state_)) : kNoEntry;
  make_workers(num_workers);
  for (std::size_t i = 0; i < std::min(num_workers, streams.size()); ++i) workers_[i]->rng.resume(streams[i]);
}

}  // namespace tesuji
