#include "search/means.hpp"

#include <cmath>

namespace tesuji {

template <GraphMode Mode>
EdgeSum Means::read_one(const Edges& edges, std::uint32_t edge) const {
  const std::uint32_t n = edges.visits()[edge].load(std::memory_order_relaxed);
  if (graph_->columns().backed)
    if (const float mean = edges.backed()[edge].load(std::memory_order_relaxed); !std::isnan(mean))
      return {n, static_cast<double>(mean) * n * (numbers_->are_used() ? 1.0 : static_cast<double>(kOne))};
  const auto own = [&] { return EdgeSum{n, raw(edges.value()[edge])}; };
  const auto of_shared = [&](const auto& shared) {
    const std::uint32_t visits = shared.visits.load(std::memory_order_relaxed);
    return n > 0 && visits > n ? EdgeSum{n, raw(shared.value) / visits * n} : own();
  };
  if constexpr (Mode == GraphMode::SharedValues) return of_shared(table_->entry(edges.entry()[edge].load()));
  if constexpr (Mode == GraphMode::Dag || Mode == GraphMode::Multipath || Mode == GraphMode::SharedCounts) {
    const NodeId child = edges.child()[edge].load(std::memory_order_acquire);
    if (child == kNoNode) return own();
    const Node& node = graph_->node(child);
    if constexpr (Mode == GraphMode::SharedCounts)
      return {node.visits.load(std::memory_order_relaxed), raw(node.value)};
    else
      return of_shared(node);
  }
  return own();
}

template <GraphMode Mode>
void Means::read_all(const Edges& edges, std::uint32_t* visits, std::int64_t* sums) const {
  for (std::uint32_t i = 0; i < edges.size; ++i) {
    const EdgeSum found = read_one<Mode>(edges, i);
    visits[i] = found.visits;
    sums[i] = static_cast<std::int64_t>(
        numbers_->are_used() ? numbers_->normal(found.mean()) * found.visits * static_cast<double>(kOne) : found.sum);
  }
}

EdgeSum Means::of(const Edges& edges, std::uint32_t edge) const {
  switch (mode_) {
    case GraphMode::Tree:
      break;
    case GraphMode::Dag:
    case GraphMode::Multipath:
      return read_one<GraphMode::Dag>(edges, edge);
    case GraphMode::SharedCounts:
      return read_one<GraphMode::SharedCounts>(edges, edge);
    case GraphMode::SharedValues:
      return read_one<GraphMode::SharedValues>(edges, edge);
  }
  return read_one<GraphMode::Tree>(edges, edge);
}

void Means::read(const Edges& edges, std::uint32_t* visits, std::int64_t* sums) const {
  switch (mode_) {
    case GraphMode::Tree:
      return read_all<GraphMode::Tree>(edges, visits, sums);
    case GraphMode::Dag:
    case GraphMode::Multipath:
      return read_all<GraphMode::Dag>(edges, visits, sums);
    case GraphMode::SharedCounts:
      return read_all<GraphMode::SharedCounts>(edges, visits, sums);
    case GraphMode::SharedValues:
      return read_all<GraphMode::SharedValues>(edges, visits, sums);
  }
}

EdgeSum Means::of_edges(const Node& node) const {
  EdgeSum all{0, 0};
  if (!graph_->has_edges(node)) return all;
  const Edges edges = graph_->edges(node);
  for (std::uint32_t i = 0; i < edges.size; ++i) {
    const EdgeSum one = of(edges, i);
    all.visits += one.visits;
    all.sum += one.sum;
  }
  return all;
}

float Means::along(const Walk& walk, std::size_t depth) const {
  const auto mean = [this](const std::atomic<std::int64_t>& sum, const std::atomic<std::uint32_t>& visits) {
    const EdgeSum all{visits.load(std::memory_order_relaxed), raw(sum)};
    return all.visits > 0 ? static_cast<float>(normal(all.mean())) : 0.5f;
  };
  if (graph_->shares_nodes() || depth == 0) {
    const Node& node = graph_->node(depth == walk.steps.size() ? walk.end : walk.steps[depth].node);
    return mean(node.value, node.visits);
  }
  const Step& above = walk.steps[depth - 1];
  const Edges edges = graph_->edges(graph_->node(above.node));
  return mean(edges.value()[above.edge], edges.visits()[above.edge]);
}

}  // namespace tesuji
