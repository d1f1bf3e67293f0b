#include "search/group_biases.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>

namespace tesuji {

namespace {

// How often the best move was in a group of each kind.
class KindCounts {
 public:
  KindCounts(std::size_t num_kinds, Move num_moves) : num_moves_(num_moves), present_(num_kinds), best_(num_kinds) {}

  // Counts all nodes with groups and at least so many visits that are reached from the root through such nodes.
  void count(const Graph& graph, std::uint32_t min_visits);
  void teach(std::vector<float>& biases, double inertia) const;

 private:
  void count_node(const Graph& graph, const Node& node);
  Move most_visited_move(const Graph& graph, const Node& node) const;

  const Move num_moves_;
  std::vector<std::uint64_t> present_, best_;
};

bool has_move(const Graph& graph, NodeId group, Move move) {
  if (group == kNoNode || !graph.has_edges(graph.node(group))) return false;
  const Edges edges = graph.edges(graph.node(group));
  for (std::uint32_t i = 0; i < edges.size; ++i)
    if (edges.move(i) == move) return true;
  return false;
}

Move KindCounts::most_visited_move(const Graph& graph, const Node& node) const {
  std::map<Move, std::uint64_t> visits;
  for_each_move(graph, node, num_moves_,
                [&](const Edges& edges, std::uint32_t i) { visits[edges.move(i)] += edges.visits()[i].load(); });
  Move best = kNoMove;
  std::uint64_t most = 0;
  for (const auto& [move, number] : visits) {
    if (number <= most) continue;
    best = move;
    most = number;
  }
  return best;
}

void KindCounts::count(const Graph& graph, std::uint32_t min_visits) {
  if (graph.root() == kNoNode) return;
  std::vector<bool> seen(graph.end_of_nodes(), false);
  std::vector<NodeId> open{graph.root()};
  seen[graph.root()] = true;
  while (!open.empty()) {
    const Node& node = graph.node(open.back());
    open.pop_back();
    if (!graph.has_edges(node) || node.walks.load(std::memory_order_relaxed) < min_visits) continue;
    const Edges edges = graph.edges(node);
    if (edges.move(0) >= num_moves_) count_node(graph, node);
    for (std::uint32_t i = 0; i < edges.size; ++i) {
      const NodeId child = edges.child()[i].load(std::memory_order_relaxed);
      if (child == kNoNode || seen[child]) continue;
      seen[child] = true;
      open.push_back(child);
    }
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
    const auto kind = static_cast<std::size_t>((edges.move(i) - num_moves_) / kMostOfAKind);
    is_present[kind] = 1;
    if (kind == kCatchAll || !has_move(graph, edges.child()[i].load(), best)) continue;
    is_best[kind] = 1;
    in_none = false;
  }
  is_best[kCatchAll] = is_present[kCatchAll] != 0 && in_none ? 1 : 0;
  for (std::size_t kind = 0; kind < present_.size(); ++kind) {
    present_[kind] += is_present[kind];
    best_[kind] += is_best[kind];
  }
}

// `inertia` is the number of nodes that a bias stands for.
void KindCounts::teach(std::vector<float>& biases, double inertia) const {
  for (std::size_t kind = 0; kind < biases.size(); ++kind) {
    if (present_[kind] == 0) continue;
    const double before = static_cast<double>(biases[kind]) * inertia;
    const double share = (before + static_cast<double>(best_[kind])) / (inertia + static_cast<double>(present_[kind]));
    biases[kind] = static_cast<float>(std::max(share, GroupBiases::kLeastBias));
  }
}

}  // namespace

void GroupBiases::set(const GroupingOptions& options) {
  options_ = options;
  biases_ = options.biases;
  if (options.learns) biases_.resize(options.num_kinds, 0.5f);
}

void GroupBiases::restore(std::span<const float> learnt) {
  if (!are_learned() || learnt.empty()) return;
  if (learnt.size() != biases_.size())
    throw std::invalid_argument("it has biases of " + std::to_string(learnt.size()) + " kinds of groups, yours are " +
                                std::to_string(biases_.size()) + "; give the grouping it was searched with");
  for (const float bias : learnt)
    if (!(bias >= 0 && bias <= 1)) throw std::invalid_argument("its biases of groups are damaged");
  biases_.assign(learnt.begin(), learnt.end());
}

void GroupBiases::learn(std::span<const std::unique_ptr<Graph>> graphs, Move num_moves) {
  KindCounts counts(options_.num_kinds, num_moves);
  for (const auto& graph : graphs) counts.count(*graph, options_.learning_visits);
  counts.teach(biases_, options_.learning_inertia);
}

}  // namespace tesuji
