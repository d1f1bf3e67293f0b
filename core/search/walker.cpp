#include "search/walker.hpp"

#include <algorithm>

namespace tesuji {

Walker::Walker(const SearchConfig& config, Graph& graph, SharedValues* values, const Numbers& numbers, Move num_moves,
               std::uint64_t seed, std::size_t index)
    : config_(config),
      graph_(graph),
      values_(values),
      index_(index),
      shared_(config.parallel == Parallel::LockFree && config.num_threads > 1),
      keeps_hot_nodes_(shared_ && config.graph == GraphMode::Tree && !numbers.are_used() && !config.pends_walks &&
                       !graph.columns().squares && !graph.columns().bounds && !graph.columns().backed),
      plays_alone_(numbers.are_used()),
      rng_(seed, index),
      means_(config.graph, graph, values != nullptr ? &values->table() : nullptr, numbers),
      selector_(config, graph, means_),
      amaf_(config, num_moves),
      hot_nodes_(static_cast<std::size_t>(config.num_threads)) {}

// In a tree the spare node of a thread that was second is lost until the next recycling.
NodeId Walker::node_at_end(int mover) {
  if (walk_.end != kNoNode || walk_.steps.empty()) return walk_.end;
  const NodeId made = graph_.make_node(mover, index_);
  if (made == kNoNode) return kNoNode;
  NodeId expected = kNoNode;
  const bool is_first =
      edges_of(last()).child()[last().edge].compare_exchange_strong(expected, made, std::memory_order_acq_rel);
  return walk_.end = is_first ? made : expected;
}

bool Walker::claim_leaf() {
  if (walk_.end != kNoNode) return !node().waits.exchange(true, std::memory_order_relaxed);
  if (walk_.steps.empty()) return true;
  auto& word = edges_of(last()).word()[last().edge];
  return (word.fetch_or(Edges::kWaits, std::memory_order_relaxed) & Edges::kWaits) == 0;
}

void Walker::release_leaf(const Walk& walk) {
  if (walk.end != kNoNode) graph_.node(walk.end).waits.store(false, std::memory_order_relaxed);
  if (walk.steps.empty()) return;
  edges_of(walk.steps.back()).word()[walk.steps.back().edge].fetch_and(~Edges::kWaits, std::memory_order_relaxed);
}

void Walker::prove(Proof proof) {
  walk_.proof = proof;
  if (walk_.end != kNoNode) node().proof.store(proof, std::memory_order_relaxed);
}

double Walker::mean_at_end() const {
  const auto mean = [](const std::atomic<std::int64_t>& sum, const std::atomic<std::uint32_t>& visits) {
    const std::uint32_t n = visits.load(std::memory_order_relaxed);
    return n > 0 ? as_number(sum.load(std::memory_order_relaxed)) / n : 0;
  };
  if (graph_.shares_nodes() && walk_.end != kNoNode)
    return mean(graph_.node(walk_.end).value, graph_.node(walk_.end).visits);
  if (walk_.steps.empty()) return 0;
  const Step& step = walk_.steps.back();
  const Edges edges = graph_.edges(graph_.node(step.node));
  return mean(edges.value()[step.edge], edges.visits()[step.edge]);
}

MoveList Walker::moves_of_walk(Move num_moves) const {
  MoveList moves;
  for (const Step& step : walk_.steps)
    if (const Move move = graph_.edges(graph_.node(step.node)).move(step.edge); move < num_moves) moves.push_back(move);
  return moves;
}

void Walker::read_walk(Move num_moves, std::vector<PlayedMove>& moves) const {
  for (const Step& step : walk_.steps) {
    const Node& node = graph_.node(step.node);
    if (const Move move = graph_.edges(node).move(step.edge); move < num_moves) moves.push_back({move, node.mover});
  }
}

void Walker::back_up(const Outcome& outcome) {
  if (walk_.steps.empty()) return;  // another thread proved the root in the meantime: nothing was simulated
  if (!outcome.is_news && config_.graph == GraphMode::Tree && !plays_alone_) return back_up_visit(outcome);
  if (amaf_.is_on()) amaf_.update(graph_, walk_, outcome.value, outcome.merit, outcome.visits);
  plays_alone_ ? back_up_steps<true>(outcome) : back_up_steps<false>(outcome);
  if (config_.graph == GraphMode::Multipath) tell_ancestors(outcome);
  if (values_ != nullptr) values_->update(graph_, walk_, outcome.value, outcome.merit, outcome.visits, counts_);
  if (graph_.columns().bounds) update_bounds();
  if (graph_.columns().backed) back_up_by_rule();
  if (config_.solver) propagate_proof(graph_, walk_);
  count_walk();
}

void Walker::count_walk() {
  const std::size_t length = walk_.steps.size();
  WorkerCounts::add(counts_.simulations);
  WorkerCounts::add(counts_.depths[std::min(length, SearchCounts::kDepths - 1)]);
  if (!plays_alone_) return;
  if (walks_by_length_.size() <= length) walks_by_length_.resize(length + 1);
  ++walks_by_length_[length];
}

// A walk that brought no news: one visit more, whose value is the mean of those before; of the first one, the outcome.
void Walker::back_up_visit(const Outcome& outcome) {
  const auto mean_of = [&](const std::atomic<std::int64_t>& sum, const std::atomic<std::uint32_t>& visits) {
    const std::uint32_t n = visits.load(std::memory_order_relaxed);
    return n > 0 ? Outcome{sum.load(std::memory_order_relaxed) / n, 0} : outcome;
  };
  for (std::size_t depth = walk_.steps.size(); depth-- > 0;) {
    const Step& step = walk_.steps[depth];
    Node& node = graph_.node(step.node);
    const Edges edges = graph_.edges(node);
    const Outcome same = mean_of(edges.value()[step.edge], edges.visits()[step.edge]);
    if (step.is_marked) add(edges.in_flight()[step.edge], ~0u, shared_);
    if (HotNode* const hot = keeps_hot_nodes_ ? hot_nodes_.find(step.node) : nullptr; hot != nullptr) {
      hot->back_up(step.edge, same.value);
      continue;
    }
    add(edges.value()[step.edge], same.value, shared_);
    add(edges.visits()[step.edge], 1u, shared_);
    add(node.walks, 1u, shared_);
    if (graph_.columns().squares) add(edges.squares()[step.edge], (same.value * same.value) / kOne, shared_);
    if (depth == 0) back_up_node(step.node, mean_of(node.value, node.visits));
  }
  if (graph_.columns().bounds) update_bounds();
  if (graph_.columns().backed) back_up_by_rule();
  if (config_.solver) propagate_proof(graph_, walk_);
  count_walk();
}

// Relaxed: a stale mean is tolerable, a lock at the root is not.
template <bool Alone>
void Walker::back_up_steps(const Outcome& outcome) {
  const auto add_to = [&](std::atomic<std::int64_t>& sum) {
    if constexpr (Alone)
      add_number(sum, outcome.merit * outcome.visits, shared_);
    else
      add(sum, outcome.value * outcome.visits, shared_);
  };
  const bool counts_nodes = graph_.shares_nodes() && config_.graph != GraphMode::Multipath;
  if (counts_nodes && walk_.end != kNoNode) back_up_node(walk_.end, outcome);
  const Columns& columns = graph_.columns();
  for (std::size_t depth = walk_.steps.size(); depth-- > 0;) {
    const Step& step = walk_.steps[depth];
    Node& node = graph_.node(step.node);
    if (!Alone && keeps_hot_nodes_)
      if (HotNode* const hot = hot_nodes_.find(step.node); hot != nullptr) {
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
    if (counts_nodes || (depth == 0 && !graph_.shares_nodes())) back_up_node(step.node, outcome);
  }
}

// BAST, from the last edge up: once all that a mean is made of has learnt the result.
void Walker::update_bounds() {
  for (std::size_t depth = walk_.steps.size(); depth-- > 0;)
    selector_.update_bounds(graph_.node(walk_.steps[depth].node), walk_.steps[depth].edge, static_cast<int>(depth));
}

void Walker::back_up_node(NodeId id, const Outcome& outcome) {
  Node& node = graph_.node(id);
  add(node.visits, outcome.visits, shared_);
  if (plays_alone_)
    add_number(node.value, outcome.merit * outcome.visits, shared_);
  else
    add(node.value, outcome.value * outcome.visits, shared_);
}

// Of all results at the node where the walk stood after so many steps, for the first player and in 0..1: in a tree its
// edge knows them.
float Walker::mean_before(std::size_t depth) const {
  const auto mean = [this](const std::atomic<std::int64_t>& sum, const std::atomic<std::uint32_t>& visits) {
    const std::int64_t bits = sum.load(std::memory_order_relaxed);
    const EdgeSum all{visits.load(std::memory_order_relaxed),
                      plays_alone_ ? as_number(bits) : static_cast<double>(bits)};
    return all.visits > 0 ? static_cast<float>(means_.normal(all.mean())) : 0.5f;
  };
  if (graph_.shares_nodes() || depth == 0) {
    const Node& node = graph_.node(depth == walk_.steps.size() ? walk_.end : walk_.steps[depth].node);
    return mean(node.value, node.visits);
  }
  const Step& above = walk_.steps[depth - 1];
  const Edges edges = graph_.edges(graph_.node(above.node));
  return mean(edges.value()[above.edge], edges.visits()[above.edge]);
}

// The user's rule says what each node of the walk is worth, from the last one up; the edge above remembers it.
void Walker::back_up_by_rule() {
  for (std::size_t depth = walk_.steps.size(); depth-- > 1;) {
    const float value = selector_.backed_up(graph_.node(walk_.steps[depth].node), mean_before(depth), rng_, scores_);
    const Step& above = walk_.steps[depth - 1];
    const float kept = plays_alone_ ? static_cast<float>(means_.merit_at(static_cast<double>(value))) : value;
    edges_of(above).backed()[above.edge].store(kept, std::memory_order_relaxed);
  }
}

// Multipath: every node from which the end can be reached learns the result once. The path itself always does; beyond
// it the update is cut at the cap.
void Walker::tell_ancestors(const Outcome& outcome) {
  nodes_.clear();
  if (walk_.end != kNoNode) nodes_.push_back(walk_.end);
  for (std::size_t depth = walk_.steps.size(); depth-- > 0;) nodes_.push_back(walk_.steps[depth].node);
  const bool is_complete =
      graph_.lineage().for_each_ancestor(nodes_, config_.max_ancestors, [&](NodeId id) { back_up_node(id, outcome); });
  WorkerCounts::add(counts_.cut_updates, !is_complete);
}

void Walker::undo(const Walk& walk) {
  if (values_ != nullptr) values_->forget();
  for (const Step& step : walk.steps)
    if (step.is_marked) add(edges_of(step).in_flight()[step.edge], ~0u, shared_);
}

}  // namespace tesuji
