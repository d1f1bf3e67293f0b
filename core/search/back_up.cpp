#include "search/back_up.hpp"

#include "search/proofs.hpp"

namespace tesuji {

BackUp::BackUp(const SearchConfig& config, Graph& graph, SharedValues* values, const Means& means, Selector& selector,
               HotNodes* hot_nodes, Move num_moves)
    : config_(config),
      graph_(graph),
      values_(values),
      means_(means),
      selector_(selector),
      hot_nodes_(hot_nodes),
      shared_(config.parallel == Parallel::LockFree && config.num_threads > 1),
      plays_alone_(means.are_numbers()),
      amaf_(config, num_moves) {}

void BackUp::run(const Walk& walk, const Outcome& outcome, WorkerCounts& counts, Rng& rng, EdgeScores& scratch) {
  if (!outcome.is_news && config_.graph == GraphMode::Tree && !plays_alone_) {
    add_visit(walk, outcome);
  } else {
    if (amaf_.is_on()) amaf_.update(graph_, walk, outcome.value, outcome.merit, outcome.visits);
    plays_alone_ ? add_to_steps<true>(walk, outcome) : add_to_steps<false>(walk, outcome);
    if (config_.graph == GraphMode::Multipath) tell_ancestors(walk, outcome, counts);
    if (values_ != nullptr) values_->update(graph_, walk, outcome.value, outcome.merit, outcome.visits, counts);
  }
  if (graph_.columns().bounds) update_bounds(walk);
  if (graph_.columns().backed) apply_rule(walk, rng, scratch);
  if (config_.solver) propagate_proof(graph_, walk);
}

// A walk that brought no news: one visit more, whose value is the mean of those before; of the first one, the outcome.
void BackUp::add_visit(const Walk& walk, const Outcome& outcome) {
  const auto mean_of = [&](const std::atomic<std::int64_t>& sum, const std::atomic<std::uint32_t>& visits) {
    const std::uint32_t n = visits.load(std::memory_order_relaxed);
    return n > 0 ? Outcome{sum.load(std::memory_order_relaxed) / n, 0} : outcome;
  };
  for (std::size_t depth = walk.steps.size(); depth-- > 0;) {
    const Step& step = walk.steps[depth];
    Node& node = graph_.node(step.node);
    const Edges edges = graph_.edges(node);
    const Outcome same = mean_of(edges.value()[step.edge], edges.visits()[step.edge]);
    if (step.is_marked) add(edges.in_flight()[step.edge], ~0u, shared_);
    if (HotNode* const hot = hot_nodes_ != nullptr ? hot_nodes_->find(step.node) : nullptr; hot != nullptr) {
      hot->back_up(step.edge, same.value);
      continue;
    }
    add(edges.value()[step.edge], same.value, shared_);
    add(edges.visits()[step.edge], 1u, shared_);
    add(node.walks, 1u, shared_);
    if (graph_.columns().squares) add(edges.squares()[step.edge], (same.value * same.value) / kOne, shared_);
    if (depth == 0) add_to_node(step.node, mean_of(node.value, node.visits));
  }
}

// Relaxed: a stale mean is tolerable, a lock at the root is not.
template <bool Alone>
void BackUp::add_to_steps(const Walk& walk, const Outcome& outcome) {
  const auto add_to = [&](std::atomic<std::int64_t>& sum) {
    if constexpr (Alone)
      add_number(sum, outcome.merit * outcome.visits, shared_);
    else
      add(sum, outcome.value * outcome.visits, shared_);
  };
  const bool counts_nodes = graph_.shares_nodes() && config_.graph != GraphMode::Multipath;
  if (counts_nodes && walk.end != kNoNode) add_to_node(walk.end, outcome);
  const Columns& columns = graph_.columns();
  for (std::size_t depth = walk.steps.size(); depth-- > 0;) {
    const Step& step = walk.steps[depth];
    Node& node = graph_.node(step.node);
    if (!Alone && hot_nodes_ != nullptr)
      if (HotNode* const hot = hot_nodes_->find(step.node); hot != nullptr) {
        if (step.is_marked) add(graph_.edges(node).in_flight()[step.edge], ~0u, shared_);
        for (std::uint32_t i = 0; i < outcome.visits; ++i) hot->back_up(step.edge, outcome.value);
        continue;
      }
    const Edges edges = graph_.edges(node);
    add_to(edges.value()[step.edge]);
    add(edges.visits()[step.edge], outcome.visits, shared_);
    add(node.walks, outcome.visits, shared_);
    if (step.is_marked) add(edges.in_flight()[step.edge], ~0u, shared_);
    if (columns.squares) {
      if constexpr (Alone)
        add_number(edges.squares()[step.edge], outcome.merit * outcome.merit * outcome.visits, shared_);
      else
        add(edges.squares()[step.edge], (outcome.value * outcome.value) / kOne * outcome.visits, shared_);
    }
    if (counts_nodes || (depth == 0 && !graph_.shares_nodes())) add_to_node(step.node, outcome);
  }
}

// BAST, from the last edge up: once all that a mean is made of has learnt the result.
void BackUp::update_bounds(const Walk& walk) {
  for (std::size_t depth = walk.steps.size(); depth-- > 0;)
    selector_.update_bounds(graph_.node(walk.steps[depth].node), walk.steps[depth].edge, static_cast<int>(depth));
}

void BackUp::add_to_node(NodeId id, const Outcome& outcome) {
  Node& node = graph_.node(id);
  add(node.visits, outcome.visits, shared_);
  if (plays_alone_)
    add_number(node.value, outcome.merit * outcome.visits, shared_);
  else
    add(node.value, outcome.value * outcome.visits, shared_);
}

// The user's rule says what each node of the walk is worth, from the last one up; the edge above remembers it.
void BackUp::apply_rule(const Walk& walk, Rng& rng, EdgeScores& scratch) {
  for (std::size_t depth = walk.steps.size(); depth-- > 1;) {
    const float value =
        selector_.backed_up(graph_.node(walk.steps[depth].node), means_.along(walk, depth), rng, scratch);
    const Step& above = walk.steps[depth - 1];
    const float kept = plays_alone_ ? static_cast<float>(means_.merit_at(static_cast<double>(value))) : value;
    graph_.edges(graph_.node(above.node)).backed()[above.edge].store(kept, std::memory_order_relaxed);
  }
}

// Multipath: every node from which the end can be reached learns the result once. The path itself always does; beyond
// it the update is cut at the cap.
void BackUp::tell_ancestors(const Walk& walk, const Outcome& outcome, WorkerCounts& counts) {
  nodes_.clear();
  if (walk.end != kNoNode) nodes_.push_back(walk.end);
  for (std::size_t depth = walk.steps.size(); depth-- > 0;) nodes_.push_back(walk.steps[depth].node);
  const bool is_complete =
      graph_.lineage().for_each_ancestor(nodes_, config_.max_ancestors, [&](NodeId id) { add_to_node(id, outcome); });
  WorkerCounts::add(counts.cut_updates, !is_complete);
}

void BackUp::undo(const Walk& walk) {
  if (values_ != nullptr) values_->forget();
  for (const Step& step : walk.steps)
    if (step.is_marked) add(graph_.edges(graph_.node(step.node)).in_flight()[step.edge], ~0u, shared_);
}

}  // namespace tesuji
