// A result's way up: everything of the graph, and beside it, that learns what a walk came to. Knows nothing of the
// game. See docs/algorithms/graph.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/rng.hpp"
#include "search/amaf.hpp"
#include "search/graph.hpp"
#include "search/hot_nodes.hpp"
#include "search/means.hpp"
#include "search/result.hpp"
#include "search/select.hpp"
#include "search/shared_values.hpp"
#include "search/walk.hpp"

namespace tesuji {

// One thread's.
class BackUp {
 public:
  // `values` is null unless values are shared, `hot_nodes` unless the thread keeps copies of nodes.
  BackUp(const SearchConfig& config, Graph& graph, SharedValues* values, const Means& means, Selector& selector,
         HotNodes* hot_nodes, Move num_moves);

  Amaf& amaf() { return amaf_; }

  // AMAF, then edges and nodes, ancestors, shared values, bounds, the user's rule, proofs. Nothing is in flight then.
  void run(const Walk& walk, const Outcome& outcome, WorkerCounts& counts, Rng& rng, EdgeScores& scratch);
  // As if the walk had never been.
  void undo(const Walk& walk);

 private:
  template <bool Alone>
  void add_to_steps(const Walk& walk, const Outcome& outcome);
  void add_to_node(NodeId id, const Outcome& outcome);
  void add_visit(const Walk& walk, const Outcome& outcome);
  void update_bounds(const Walk& walk);
  void apply_rule(const Walk& walk, Rng& rng, EdgeScores& scratch);
  void tell_ancestors(const Walk& walk, const Outcome& outcome, WorkerCounts& counts);

  const SearchConfig& config_;
  Graph& graph_;
  SharedValues* const values_;
  const Means means_;
  Selector& selector_;
  HotNodes* const hot_nodes_;
  const bool shared_;  // do several threads write to the graph without a lock?
  const bool plays_alone_;
  Amaf amaf_;
  std::vector<NodeId> nodes_;  // of a walk, for its ancestors
};

}  // namespace tesuji
