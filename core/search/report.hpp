// Reads a SearchResult out of a graph; included by search.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>

#include "search/search.hpp"

namespace tesuji {

namespace detail {

inline double for_mover(int mover, double value) { return mover == 0 ? value : 1 - value; }
inline int for_mover(int mover, Proof proof) {
  return proof == Proof::None || mover == 0 ? static_cast<int>(proof) : 4 - static_cast<int>(proof);
}

inline int rank_of_proof(int proof) { return proof == 3 ? 2 : proof == 1 ? 0 : 1; }

// The most visited edge, proved ones first or last; kNoEdge if none was tried.
inline std::uint32_t main_edge(const Edges& edges, int mover) {
  std::uint32_t best = kNoEdge;
  std::pair<int, std::uint32_t> best_rank{0, 0};
  for (std::uint32_t i = 0; i < edges.size; ++i) {
    const int proof = for_mover(mover, edges.proof(i));
    const std::pair<int, std::uint32_t> rank{rank_of_proof(proof), edges.visits()[i].load(std::memory_order_relaxed)};
    if (rank.second > 0 && (best == kNoEdge || rank > best_rank)) {
      best = i;
      best_rank = rank;
    }
  }
  return best;
}

struct Followed {
  Move move = kNoMove;
  NodeId child = kNoNode;
};

// The most visited move of a node and what lies behind it; visits are summed over groups.
inline Followed main_move(const Graph& graph, const Node& node) {
  const Edges edges = graph.edges(node);
  if (!edges.is_group(0)) {
    const std::uint32_t best = main_edge(edges, node.mover);
    if (best == kNoEdge) return {};
    return {edges.move(best), edges.child()[best].load(std::memory_order_acquire)};
  }
  Followed best;
  std::pair<int, std::uint64_t> best_rank{0, 0};
  for (const auto& [move, sum] : sums_by_move(graph, node)) {
    const std::pair<int, std::uint64_t> rank{rank_of_proof(for_mover(node.mover, sum.proof)), sum.visits};
    if (rank.second == 0 || (best.move != kNoMove && rank <= best_rank)) continue;
    best = {move, sum.child};
    best_rank = rank;
  }
  return best;
}

// The most visited moves from a node on.
inline std::vector<Move> main_line(const Graph& graph, NodeId at) {
  constexpr std::size_t kLongest = 100;
  std::vector<Move> line;
  while (at != kNoNode && graph.has_edges(graph.node(at)) && line.size() < kLongest) {
    const Followed best = main_move(graph, graph.node(at));
    if (best.move == kNoMove) break;
    line.push_back(best.move);
    at = best.child;
  }
  return line;
}

}  // namespace detail

// The results of an edge as the search weighs them: its visits times the mean that it shares, or its own sum. A child
// that made room and came back knows less than its edge.
template <Game G>
double Search<G>::sum_of(const Graph& graph, const Edges& edges, std::uint32_t edge) const {
  const std::uint32_t n = edges.visits()[edge].load(std::memory_order_relaxed);
  const auto times_mean_of = [n](const auto& shared, double own) {
    const std::uint32_t visits = shared.visits.load(std::memory_order_relaxed);
    return n > 0 && visits >= n ? n * static_cast<double>(shared.value.load(std::memory_order_relaxed)) / visits : own;
  };
  const auto own = static_cast<double>(edges.value()[edge].load(std::memory_order_relaxed));
  if (shares_nodes(config_.graph))
    return times_mean_of(graph.node(edges.child()[edge].load(std::memory_order_acquire)), own);
  if (const EntryId id = table_ ? edges.entry()[edge].load(std::memory_order_relaxed) : kNoEntry; id != kNoEntry)
    return times_mean_of(table_->entry(id), own);
  return own;
}

template <Game G>
SearchResult Search<G>::result() const {
  constexpr double kScale = 1.0 / static_cast<double>(kOne);
  SearchResult result;
  result.to_play = root_state_.to_play();
  result.seconds = seconds_;
  for (const auto& worker : workers_) result.counts += worker->counts.snapshot();
  result.bytes_per_edge = graphs_[0]->bytes_per_edge();
  result.bytes_per_node = sizeof(Node);
  if (table_) {
    result.num_collisions = table_->num_collisions();
    result.table_entries = table_->size();
    result.table_bytes = table_->bytes();
    result.table_min_references = table_->min_references();
    result.table_turned_away = table_->num_turned_away();
  }

  struct Sums {
    std::uint64_t visits = 0, amaf_visits = 0;
    double value = 0, amaf_value = 0, squares = 0, prior = 0;
    Proof proof = Proof::None;
  };
  std::map<Move, Sums> by_move;
  double value = 0, visits = 0;
  Proof proof = Proof::None;
  for (const auto& graph : graphs_) {
    result.num_nodes += graph->num_nodes();
    result.num_edges += graph->num_edges();
    result.bytes += graph->bytes();
    result.num_collisions += graph->num_collisions();
    if (graph->root() == kNoNode) continue;
    const Node& root = graph->node(graph->root());
    value += static_cast<double>(root.value.load(std::memory_order_relaxed)) * kScale;
    visits += root.visits.load(std::memory_order_relaxed);
    proof = std::max(proof, root.proof.load(std::memory_order_relaxed));
    for_each_move(*graph, root, [&](const Edges& edges, std::uint32_t i) {
      Sums& sums = by_move[edges.move(i)];
      const auto n = edges.visits()[i].load(std::memory_order_relaxed);
      sums.visits += n;
      sums.value += sum_of(*graph, edges, i) * kScale;
      if (graph->columns().squares)
        sums.squares += static_cast<double>(edges.squares()[i].load(std::memory_order_relaxed)) * kScale;
      if (graph->columns().amaf) {
        const std::uint64_t packed = edges.amaf()[i].load(std::memory_order_relaxed);
        sums.amaf_visits += amaf::visits(packed);
        sums.amaf_value += static_cast<double>(amaf::value(packed)) * amaf::kScale;
      }
      if (graph->columns().prior) sums.prior = edges.prior()[i];
      sums.proof = std::max(sums.proof, edges.proof(i));
    });
  }
  const int mover = result.to_play;
  for (const auto& [move, sums] : by_move) {
    RootEdge edge;
    edge.move = move;
    edge.visits = sums.visits;
    const double n = static_cast<double>(sums.visits), m = static_cast<double>(sums.amaf_visits);
    const double mean = sums.visits > 0 ? sums.value / n : 0;
    edge.value = sums.visits > 0 ? detail::for_mover(mover, mean) : 0;
    edge.deviation = sums.visits == 0   ? 0
                     : sums.squares > 0 ? std::sqrt(std::max(0.0, sums.squares / n - mean * mean))
                                        : std::sqrt(std::max(0.0, mean * (1 - mean)));
    edge.amaf_visits = sums.amaf_visits;
    edge.amaf_value = sums.amaf_visits > 0 ? detail::for_mover(mover, sums.amaf_value / m) : 0;
    edge.prior = sums.prior;
    edge.proof = detail::for_mover(mover, sums.proof);
    result.edges.push_back(edge);
  }
  result.proof = detail::for_mover(mover, proof);
  result.value = visits > 0 ? detail::for_mover(mover, value / visits) : 0.5;
  if (gatherer_) {
    result.cache_hits = gatherer_->num_cache_hits();
    result.evaluations = gatherer_->num_evaluations();
  }
  if (plays_alone_) to_numbers(result);
  if (grouper_) read_groups(result);

  const Graph& graph = *graphs_[0];
  result.main_line = detail::main_line(graph, graph.root());
  if (graph.root() == kNoNode) return result;
  const std::map<Move, MoveSum> moves = sums_by_move(graph, graph.node(graph.root()));
  for (RootEdge& edge : result.edges) {
    const auto at = moves.find(edge.move);
    if (at == moves.end()) continue;
    edge.line = detail::main_line(graph, at->second.child);
    edge.line.insert(edge.line.begin(), edge.move);
  }
  return result;
}

}  // namespace tesuji
