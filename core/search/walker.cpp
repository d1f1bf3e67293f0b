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
      rng_(seed, index),
      means_(config.graph, graph, values != nullptr ? &values->table() : nullptr, numbers),
      selector_(config, graph, means_),
      hot_nodes_(static_cast<std::size_t>(config.num_threads)),
      back_up_(config, graph, values, means_, selector_, keeps_hot_nodes_ ? &hot_nodes_ : nullptr, num_moves) {}

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
  const std::size_t length = walk_.steps.size();
  if (length == 0) return;  // another thread proved the root in the meantime: nothing was simulated
  back_up_.run(walk_, outcome, counts_, rng_, scores_);
  WorkerCounts::add(counts_.simulations);
  WorkerCounts::add(counts_.depths[std::min(length, SearchCounts::kDepths - 1)]);
  if (!means_.are_numbers()) return;
  if (walks_by_length_.size() <= length) walks_by_length_.resize(length + 1);
  ++walks_by_length_[length];
}

}  // namespace tesuji
