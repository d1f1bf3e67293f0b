#include "search/replay.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace tesuji {

namespace {

class Replay {
 public:
  Replay(const Grouped& root, const GraphSnapshot& snapshot, bool is_dag)
      : snapshot_(snapshot), is_dag_(is_dag), keys_(snapshot.node_mover.size(), 0), seen_(keys_.size(), false) {
    enter(root, 0);
    while (!path_.empty()) advance();
  }

  // The key of every node's state.
  std::vector<StateKey> keys() && { return std::move(keys_); }

 private:
  struct Step {
    Grouped state;
    std::size_t node;
    int next;  // edge, counted from the node's first
  };

  static void require(bool fits) {
    if (!fits) throw std::invalid_argument("its moves are not those of this position; give the one it was saved at");
  }

  void enter(Grouped state, std::size_t node) {
    seen_[node] = true;
    keys_[node] = state.key();
    require(snapshot_.node_mover[node] == state.to_play());
    if (snapshot_.node_num_edges[node] > 0) {
      require(!state.is_over());
      check_moves(state, node);
    }
    path_.push_back({std::move(state), node, 0});
  }

  void check_moves(const Grouped& state, std::size_t node) {
    const auto first = snapshot_.edge_move.begin() + snapshot_.node_first_edge[node];
    own_.assign(first, first + snapshot_.node_num_edges[node]);
    std::sort(own_.begin(), own_.end());
    require(std::adjacent_find(own_.begin(), own_.end()) == own_.end());
    listed_.clear();
    state.legal_moves(listed_);
    std::sort(listed_.begin(), listed_.end());
    for (const Move move : own_) {
      require(std::binary_search(listed_.begin(), listed_.end(), move) ||
              (!state.is_passage() && state.game().is_legal(move)));
    }
  }

  void advance() {
    Step& step = path_.back();
    if (step.next == snapshot_.node_num_edges[step.node]) return path_.pop_back();
    const auto edge = static_cast<std::size_t>(snapshot_.node_first_edge[step.node] + step.next++);
    if (snapshot_.edge_child[edge] < 0) return;
    const auto child = static_cast<std::size_t>(snapshot_.edge_child[edge]);
    Grouped after = step.state;
    after.play(snapshot_.edge_move[edge]);
    if (!seen_[child]) return enter(std::move(after), child);
    require(is_dag_ && keys_[child] == after.key());
  }

  const GraphSnapshot& snapshot_;
  const bool is_dag_;
  std::vector<StateKey> keys_;
  std::vector<bool> seen_;
  std::vector<Step> path_;
  MoveList own_, listed_;  // of the node that is entered
};

}  // namespace

std::vector<StateKey> replay(const Grouped& root, const GraphSnapshot& snapshot, bool is_dag) {
  return Replay(root, snapshot, is_dag).keys();
}

}  // namespace tesuji
