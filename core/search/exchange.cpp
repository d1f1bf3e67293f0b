#include "search/exchange.hpp"

#include <algorithm>
#include <numeric>

namespace tesuji {

namespace {

struct Found {
  NodeId node;
  std::vector<Move> path;
};

std::vector<std::uint32_t> in_order_of_moves(const Edges& edges) {
  std::vector<std::uint32_t> order(edges.size);
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return edges.move(a) < edges.move(b); });
  return order;
}

NodeStatistics statistics_at(const Graph& graph, const Found& found) {
  const Edges edges = graph.edges(graph.node(found.node));
  NodeStatistics statistics;
  statistics.path = found.path;
  for (const std::uint32_t i : in_order_of_moves(edges)) {
    const std::uint64_t packed = graph.columns().amaf ? edges.amaf()[i].load() : 0;
    statistics.moves.push_back(edges.move(i));
    statistics.visits.push_back(edges.visits()[i].load());
    statistics.value.push_back(edges.value()[i].load());
    statistics.amaf_visits.push_back(amaf::visits(packed));
    statistics.amaf_value.push_back(amaf::value(packed));
    statistics.proof.push_back(static_cast<std::int64_t>(edges.proof(i)));
  }
  return statistics;
}

NodeId child_along(const Graph& graph, NodeId from, Move move) {
  const Node& node = graph.node(from);
  if (!graph.has_edges(node)) return kNoNode;
  const Edges edges = graph.edges(node);
  for (std::uint32_t i = 0; i < edges.size; ++i)
    if (edges.move(i) == move) return edges.child()[i].load();
  return kNoNode;
}

// AMAF visits and sums stay within their halves of the word.
std::uint64_t amaf_sum(std::uint64_t packed, std::int64_t visits, std::int64_t value) {
  const std::int64_t sum_visits = amaf::visits(packed) + visits, sum_value = amaf::value(packed) + value;
  if (sum_visits < 0 || sum_visits >= amaf::kSaturated || sum_value < 0) return packed;
  return static_cast<std::uint64_t>(sum_value) << 32 | static_cast<std::uint64_t>(sum_visits);
}

void add_to_node(Graph& graph, Node& node, const NodeStatistics& found) {
  const Edges edges = graph.edges(node);
  std::int64_t visits = 0, value = 0;
  for (const std::uint32_t i : in_order_of_moves(edges)) {
    const auto at = std::lower_bound(found.moves.begin(), found.moves.end(), edges.move(i));
    if (at == found.moves.end() || *at != edges.move(i)) continue;
    const auto k = static_cast<std::size_t>(at - found.moves.begin());
    edges.visits()[i] += static_cast<std::uint32_t>(found.visits[k]);
    edges.value()[i] += found.value[k];
    edges.word()[i] |= static_cast<std::uint32_t>(found.proof[k]) << Edges::kProofShift;
    if (graph.columns().amaf) edges.amaf()[i] = amaf_sum(edges.amaf()[i], found.amaf_visits[k], found.amaf_value[k]);
    visits += found.visits[k];
    value += found.value[k];
  }
  node.walks += static_cast<std::uint32_t>(visits);
  node.visits += static_cast<std::uint32_t>(visits);
  node.value += value;
}

}  // namespace

std::vector<NodeStatistics> statistics_of(const Graph& graph, double share, std::size_t max_nodes) {
  std::vector<NodeStatistics> statistics;
  if (graph.root() == kNoNode || !graph.has_edges(graph.node(graph.root()))) return statistics;
  const double least = std::max(1.0, share * graph.node(graph.root()).visits.load());
  const auto is_less_visited = [&](const Found& a, const Found& b) {
    return graph.node(a.node).visits.load() < graph.node(b.node).visits.load();
  };
  std::vector<Found> open{{graph.root(), {}}};  // a heap
  while (!open.empty() && statistics.size() < max_nodes) {
    std::pop_heap(open.begin(), open.end(), is_less_visited);
    const Found found = std::move(open.back());
    open.pop_back();
    statistics.push_back(statistics_at(graph, found));
    const Edges edges = graph.edges(graph.node(found.node));
    for (std::uint32_t i = 0; i < edges.size; ++i) {
      const NodeId child = edges.child()[i].load();
      if (child == kNoNode || !graph.has_edges(graph.node(child)) || graph.node(child).visits.load() < least) continue;
      open.push_back({child, found.path});
      open.back().path.push_back(edges.move(i));
      std::push_heap(open.begin(), open.end(), is_less_visited);
    }
  }
  return statistics;
}

void add_statistics(Graph& graph, std::span<const NodeStatistics> found) {
  for (const NodeStatistics& statistics : found) {
    NodeId at = graph.root();
    for (const Move move : statistics.path)
      if (at != kNoNode) at = child_along(graph, at, move);
    if (at != kNoNode && graph.has_edges(graph.node(at))) add_to_node(graph, graph.node(at), statistics);
  }
}

}  // namespace tesuji
