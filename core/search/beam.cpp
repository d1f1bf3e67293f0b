#include "search/beam.hpp"

#include <algorithm>
#include <vector>

namespace tesuji {

namespace {

struct OpenEdge {
  NodeId parent;
  std::uint32_t edge;
};

bool is_open(const Edges& edges, std::uint32_t edge) { return edges.proof(edge) == Proof::None; }

std::vector<OpenEdge> open_edges_of(const Graph& graph, const std::vector<NodeId>& level) {
  std::vector<OpenEdge> found;
  for (const NodeId id : level) {
    const Node& node = graph.node(id);
    if (!graph.has_edges(node)) continue;
    const Edges edges = graph.edges(node);
    for (std::uint32_t i = 0; i < edges.size; ++i)
      if (is_open(edges, i)) found.push_back({id, i});
  }
  return found;
}

// The nodes of each depth from the root's on, through open edges only.
std::vector<std::vector<NodeId>> levels_of(const Graph& graph, int depth) {
  std::vector<std::vector<NodeId>> levels{{graph.root()}};
  while (static_cast<int>(levels.size()) < depth) {
    std::vector<NodeId> next;
    for (const OpenEdge& open : open_edges_of(graph, levels.back())) {
      const NodeId child = graph.edges(graph.node(open.parent)).child()[open.edge].load(std::memory_order_relaxed);
      if (child != kNoNode) next.push_back(child);
    }
    levels.push_back(std::move(next));
  }
  return levels;
}

// The node behind is forgotten, so that recycling finds its memory.
void close(Graph& graph, const OpenEdge& open) {
  const Edges edges = graph.edges(graph.node(open.parent));
  edges.word()[open.edge].fetch_or(static_cast<std::uint32_t>(kClosed) << Edges::kProofShift,
                                   std::memory_order_relaxed);
  edges.child()[open.edge].store(kNoNode, std::memory_order_relaxed);
}

bool is_finished(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  if (!graph.has_edges(node)) return false;
  const Edges edges = graph.edges(node);
  for (std::uint32_t i = 0; i < edges.size; ++i)
    if (is_open(edges, i)) return false;
  return true;
}

}  // namespace

bool keep_most_visited(Graph& graph, int depth, std::size_t width) {
  std::vector<std::vector<NodeId>> levels = levels_of(graph, depth);
  std::vector<OpenEdge> candidates = open_edges_of(graph, levels.back());
  const auto visits = [&](const OpenEdge& open) {
    return graph.edges(graph.node(open.parent)).visits()[open.edge].load(std::memory_order_relaxed);
  };
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](const OpenEdge& a, const OpenEdge& b) { return visits(a) > visits(b); });
  bool is_any_closed = false;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (i < width && visits(candidates[i]) > 0) continue;
    close(graph, candidates[i]);
    is_any_closed = true;
  }
  // What never got edges at the depth above leads nowhere any more.
  for (const NodeId id : levels.back())
    if (!graph.has_edges(graph.node(id)) && id != graph.root()) {
      graph.node(id).proof.store(kClosed, std::memory_order_relaxed);
      is_any_closed = true;
    }
  if (levels.size() > 1)
    for (const OpenEdge& open : open_edges_of(graph, levels[levels.size() - 2]))
      if (graph.edges(graph.node(open.parent)).child()[open.edge].load(std::memory_order_relaxed) == kNoNode) {
        close(graph, open);
        is_any_closed = true;
      }
  for (std::size_t level = levels.size(); level-- > 0;) {
    for (const NodeId id : levels[level])
      if (is_finished(graph, id)) graph.node(id).proof.store(kClosed, std::memory_order_relaxed);
    if (level == 0) break;
    for (const OpenEdge& open : open_edges_of(graph, levels[level - 1])) {
      const NodeId child = graph.edges(graph.node(open.parent)).child()[open.edge].load(std::memory_order_relaxed);
      if (child != kNoNode && graph.node(child).proof.load(std::memory_order_relaxed) != Proof::None)
        close(graph, open);
    }
  }
  return is_any_closed;
}

}  // namespace tesuji
