#include "search/grouping.hpp"

namespace tesuji {

namespace {

Move most_visited_move(const Graph& graph, const Node& node) {
  Move best = kNoMove;
  std::uint64_t most = 0;
  for (const auto& [move, sum] : sums_by_move(graph, node)) {
    if (sum.visits <= most) continue;
    best = move;
    most = sum.visits;
  }
  return best;
}

bool has_move(const Edges& edges, Move move) {
  for (std::uint32_t i = 0; i < edges.size; ++i)
    if (edges.move(i) == move) return true;
  return false;
}

}  // namespace

void KindCounts::count(const Graph& graph, std::uint32_t min_visits) {
  if (graph.root() == kNoNode) return;
  std::vector<bool> seen(graph.end_of_nodes(), false);
  std::vector<NodeId> open{graph.root()};
  seen[graph.root()] = true;
  while (!open.empty()) {
    const Node& node = graph.node(open.back());
    open.pop_back();
    if (!graph.has_edges(node) || node.visits.load(std::memory_order_relaxed) < min_visits) continue;
    if (graph.edges(node).is_group(0)) count_node(graph, node);
    for_each_move(graph, node, [&](const Edges& edges, std::uint32_t i) {
      const NodeId child = edges.child()[i].load(std::memory_order_relaxed);
      if (child == kNoNode || seen[child]) return;
      seen[child] = true;
      open.push_back(child);
    });
  }
}

// The catch-all group has a merit of its own only where the best move is in no other one.
void KindCounts::count_node(const Graph& graph, const Node& node) {
  const Move best = most_visited_move(graph, node);
  if (best == kNoMove) return;
  const Edges edges = graph.edges(node);
  std::vector<std::uint8_t> is_present(present_.size()), is_best(present_.size());
  bool in_none = true;
  for (std::uint32_t i = 0; i < edges.size; ++i) {
    const std::size_t kind = edges.kind(i);
    is_present[kind] = 1;
    if (kind == kCatchAll || !has_move(graph.edges(graph.node(edges.child()[i].load())), best)) continue;
    is_best[kind] = 1;
    in_none = false;
  }
  is_best[kCatchAll] = is_present[kCatchAll] != 0 && in_none ? 1 : 0;
  for (std::size_t kind = 0; kind < present_.size(); ++kind) {
    present_[kind] += is_present[kind];
    best_[kind] += is_best[kind];
  }
}

void KindCounts::teach(std::vector<float>& biases, double inertia) const {
  for (std::size_t kind = 0; kind < biases.size(); ++kind) {
    if (present_[kind] == 0) continue;
    const double before = static_cast<double>(biases[kind]) * inertia;
    const double share = (before + static_cast<double>(best_[kind])) / (inertia + static_cast<double>(present_[kind]));
    biases[kind] = static_cast<float>(std::max(share, kLeastBias));
  }
}

}  // namespace tesuji
