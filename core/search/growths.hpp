// Narrow nodes that were walked often enough to deserve all their moves. Edges cannot move while others walk them, so
// this is left for when all workers rest.
#pragma once

#include <atomic>
#include <mutex>
#include <span>
#include <vector>

#include "search/graph.hpp"

namespace tesuji {

class Growths {
 public:
  bool are_wanted() const { return are_wanted_.load(std::memory_order_relaxed); }

  // Once for each node; the first to ask is heard.
  void ask(Graph& graph, NodeId id, std::span<const Move> moves, std::span<const float> priors) {
    const std::scoped_lock hold(lock_);
    Width narrow = Width::Narrow;
    if (!graph.node(id).width.compare_exchange_strong(narrow, Width::Growing, std::memory_order_relaxed)) return;
    wanted_.push_back({&graph, id, {moves.begin(), moves.end()}, {priors.begin(), priors.end()}});
    are_wanted_.store(true, std::memory_order_relaxed);
  }

  // A round that failed: its nodes stay narrow and may ask again.
  void forget() {
    for (const Growth& growth : wanted_) growth.graph->node(growth.node).width = Width::Narrow;
    wanted_.clear();
    are_wanted_ = false;
  }

  // A node for which there is no room stays narrow until there is.
  void grow() {
    for (const Growth& growth : wanted_) {
      Node& node = growth.graph->node(growth.node);
      if (!growth.graph->add_edges(node, growth.moves, growth.priors)) node.width = Width::Narrow;
    }
    wanted_.clear();
    are_wanted_ = false;
  }

 private:
  struct Growth {
    Graph* graph;
    NodeId node;
    MoveList moves;
    std::vector<float> priors;
  };
  std::mutex lock_;
  std::vector<Growth> wanted_;
  std::atomic<bool> are_wanted_{false};
};

}  // namespace tesuji
