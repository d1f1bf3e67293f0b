#include "search/exchange.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

#include "search/numbers.hpp"

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

// Sums of a graph as plain numbers, and back.
double sum_in(const Graph& graph, std::int64_t bits) {
  return graph.columns().numbers ? as_number(bits) : static_cast<double>(bits) / static_cast<double>(kOne);
}
void add_sum(const Graph& graph, std::atomic<std::int64_t>& sum, double amount) {
  if (graph.columns().numbers)
    add_number(sum, amount, false);
  else
    add(sum, static_cast<std::int64_t>(std::llround(amount * static_cast<double>(kOne))), false);
}

// Visits may be parts of one, where later moves count less.
struct AmafSum {
  double visits = 0, sum = 0;
};
double unit_of(const Graph& graph) { return static_cast<double>(amaf::unit(graph.columns())); }
AmafSum amaf_of(const Graph& graph, const Edges& edges, std::uint32_t i) {
  if (!graph.columns().amaf) return {};
  if (graph.columns().numbers)
    return {edges.amaf_visits()[i].load() * unit_of(graph), as_number(edges.amaf_sum()[i].load())};
  const std::uint64_t packed = edges.amaf()[i].load();
  return {amaf::visits(packed) * unit_of(graph),
          static_cast<double>(amaf::value(packed)) * static_cast<double>(amaf::kScale)};
}

NodeStatistics statistics_at(const Graph& graph, const Found& found) {
  const Edges edges = graph.edges(graph.node(found.node));
  NodeStatistics statistics;
  statistics.path = found.path;
  for (const std::uint32_t i : in_order_of_moves(edges)) {
    const AmafSum amaf = amaf_of(graph, edges, i);
    statistics.moves.push_back(edges.move(i));
    statistics.visits.push_back(edges.visits()[i].load());
    statistics.value.push_back(sum_in(graph, edges.value()[i].load()));
    statistics.amaf_visits.push_back(amaf.visits);
    statistics.amaf_value.push_back(amaf.sum);
    statistics.proof.push_back(static_cast<double>(edges.proof(i)));
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
void add_amaf(const Graph& graph, const Edges& edges, std::uint32_t i, double visits, double sum) {
  if (!graph.columns().amaf) return;
  const AmafSum before = amaf_of(graph, edges, i);
  const auto counts = static_cast<std::uint64_t>(std::llround((before.visits + visits) / unit_of(graph)));
  if (counts >= amaf::kSaturated) return;
  if (graph.columns().numbers) {
    add_number(edges.amaf_sum()[i], sum, false);
    edges.amaf_visits()[i] = static_cast<std::uint32_t>(counts);
    return;
  }
  const auto scaled = static_cast<std::uint64_t>(std::llround((before.sum + sum) / static_cast<double>(amaf::kScale)));
  edges.amaf()[i] = scaled << 32 | counts;
}

// Nobody tells them. Of wins and losses they are the sum itself; of numbers, the least that they can be.
double squares_of(const Graph& graph, const NodeStatistics& found, std::size_t k) {
  if (!graph.columns().numbers || found.visits[k] == 0) return found.value[k];
  return found.value[k] * found.value[k] / found.visits[k];
}

void add_to_node(Graph& graph, NodeId id, const NodeStatistics& found) {
  Node& node = graph.node(id);
  const Edges edges = graph.edges(node);
  double visits = 0, value = 0;
  for (const std::uint32_t i : in_order_of_moves(edges)) {
    const auto at = std::lower_bound(found.moves.begin(), found.moves.end(), edges.move(i));
    if (at == found.moves.end() || *at != edges.move(i)) continue;
    const auto k = static_cast<std::size_t>(at - found.moves.begin());
    add(edges.visits()[i], static_cast<std::uint32_t>(found.visits[k]), false);
    add_sum(graph, edges.value()[i], found.value[k]);
    edges.word()[i] |= static_cast<std::uint32_t>(found.proof[k]) << Edges::kProofShift;
    if (graph.columns().squares) add_sum(graph, edges.squares()[i], squares_of(graph, found, k));
    add_amaf(graph, edges, i, found.amaf_visits[k], found.amaf_value[k]);
    visits += found.visits[k];
    value += found.value[k];
  }
  node.walks += static_cast<std::uint32_t>(visits);
  if (id != graph.root()) return;
  node.visits += static_cast<std::uint32_t>(visits);
  add_sum(graph, node.value, value);
}

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(std::string("statistics of another search are damaged: ") + what);
}

void check(const Graph& graph, const NodeStatistics& found) {
  const std::size_t size = found.moves.size();
  const auto is_count = [](double number) {
    return number >= 0 && number < kMostVisits && number == std::floor(number);
  };
  const auto is_amaf_count = [&](double number) { return is_count(number / unit_of(graph)); };
  require(found.visits.size() == size && found.value.size() == size && found.amaf_visits.size() == size &&
              found.amaf_value.size() == size && found.proof.size() == size,
          "a row is too short");
  require(std::is_sorted(found.moves.begin(), found.moves.end(), std::less_equal<>()), "its moves do not ascend");
  double visits = 0;
  for (std::size_t i = 0; i < size; ++i) {
    require(is_count(found.visits[i]) && is_amaf_count(found.amaf_visits[i]), "visits are whole numbers from 0 on");
    require(std::isfinite(found.value[i]) && std::isfinite(found.amaf_value[i]), "a sum is not a number");
    if (!graph.columns().numbers)
      require(found.value[i] >= 0 && found.value[i] <= found.visits[i] && found.amaf_value[i] >= 0 &&
                  found.amaf_value[i] <= found.amaf_visits[i],
              "a mean lies outside 0..1");
    require(is_count(found.proof[i]) && found.proof[i] <= 3, "a proof is none");
    visits += found.visits[i];
  }
  require(visits < kMostVisits, "it has more visits than can be counted");
}

}  // namespace

std::vector<NodeStatistics> statistics_of(const Graph& graph, double share, std::size_t max_nodes) {
  std::vector<NodeStatistics> statistics;
  if (graph.root() == kNoNode || !graph.has_edges(graph.node(graph.root()))) return statistics;
  const double least = std::max(1.0, share * graph.node(graph.root()).walks.load());
  const auto is_less_visited = [&](const Found& a, const Found& b) {
    return graph.node(a.node).walks.load() < graph.node(b.node).walks.load();
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
      if (child == kNoNode || !graph.has_edges(graph.node(child)) || graph.node(child).walks.load() < least) continue;
      open.push_back({child, found.path});
      open.back().path.push_back(edges.move(i));
      std::push_heap(open.begin(), open.end(), is_less_visited);
    }
  }
  return statistics;
}

void add_statistics(Graph& graph, std::span<const NodeStatistics> found) {
  std::vector<NodeId> at;
  for (const NodeStatistics& statistics : found) {
    check(graph, statistics);
    NodeId id = graph.root();
    for (const Move move : statistics.path)
      if (id != kNoNode) id = child_along(graph, id, move);
    at.push_back(id != kNoNode && graph.has_edges(graph.node(id)) ? id : kNoNode);
    const double walks = std::accumulate(statistics.visits.begin(), statistics.visits.end(), 0.0);
    if (id != kNoNode) require(graph.node(id).walks + walks < kMostVisits, "it has more visits than can be counted");
  }
  for (std::size_t i = 0; i < found.size(); ++i)
    if (at[i] != kNoNode) add_to_node(graph, at[i], found[i]);
}

}  // namespace tesuji
