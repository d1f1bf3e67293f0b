#include "search/report.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "search/group_biases.hpp"

namespace tesuji {

namespace {

int for_mover(int mover, Proof proof) {
  return proof == Proof::None || mover == 0 ? static_cast<int>(proof) : 4 - static_cast<int>(proof);
}
int rank_of_proof(int proof) { return proof == 3 ? 2 : proof == 1 ? 0 : 1; }

void add_amaf(const Graph& graph, const Edges& edges, std::uint32_t edge, double one, double& visits, double& value) {
  const auto unit = static_cast<double>(amaf::unit(graph.columns()));
  if (graph.columns().numbers) {
    visits += edges.amaf_visits()[edge].load(std::memory_order_relaxed) * unit;
    value += as_number(edges.amaf_sum()[edge].load(std::memory_order_relaxed));
    return;
  }
  const std::uint64_t packed = edges.amaf()[edge].load(std::memory_order_relaxed);
  visits += amaf::visits(packed) * unit;
  value += static_cast<double>(amaf::value(packed)) * static_cast<double>(amaf::kScale) * one;
}

}  // namespace

// The mover's: a mean in 0..1, or a number of the game.
double Report::read(double mean) const {
  if (numbers_.are_used()) return numbers_.number(mean);
  const double value = mean / static_cast<double>(kOne);
  return mover_ == 0 ? value : 1 - value;
}

Report::Sums Report::sums_of(const Reading& reading, const Edges& edges, std::uint32_t edge) const {
  const Graph& graph = *reading.graph;
  Sums sums;
  EdgeSum own = reading.means.of(edges, edge);
  const NodeId child = edges.child()[edge].load(std::memory_order_acquire);
  if (from_edges_ && child != kNoNode)
    if (const EdgeSum below = reading.means.of_edges(graph.node(child)); below.visits > 0)
      own.sum = below.mean() * own.visits;
  sums.visits = edges.visits()[edge].load(std::memory_order_relaxed);
  sums.value = own.mean() * static_cast<double>(sums.visits);
  if (graph.columns().squares) {
    const std::int64_t squares = edges.squares()[edge].load(std::memory_order_relaxed);
    sums.squares = numbers_.are_used() ? as_number(squares) : static_cast<double>(squares);
  }
  const double one = numbers_.are_used() ? 1 : static_cast<double>(kOne);
  if (graph.columns().amaf) add_amaf(graph, edges, edge, one, sums.amaf_visits, sums.amaf_value);
  if (graph.columns().prior) sums.prior = edges.prior()[edge];
  sums.proof = edges.proof(edge);
  return sums;
}

// Of the results, where the graph keeps squares; else of a coin of that mean.
double Report::deviation(const Sums& sums) const {
  if (sums.visits == 0) return 0;
  const double n = static_cast<double>(sums.visits), mean = sums.value / n;
  const bool are_numbers = numbers_.are_used();
  const double one = are_numbers ? 1 : static_cast<double>(kOne);
  if (sums.squares > 0) return std::sqrt(std::max(0.0, sums.squares / n / one - mean / one * (mean / one)));
  const double p = are_numbers ? numbers_.normal(mean) : mean / one;
  return std::sqrt(std::max(0.0, p * (1 - p))) * (are_numbers ? numbers_.range() : 1);
}

RootEdge Report::root_edge(Move move, const Sums& sums) const {
  RootEdge edge;
  edge.move = move;
  edge.visits = sums.visits;
  edge.value = sums.visits > 0 ? read(sums.value / static_cast<double>(sums.visits)) : 0;
  edge.deviation = deviation(sums);
  edge.amaf_visits = static_cast<std::uint64_t>(std::llround(sums.amaf_visits));
  edge.amaf_value = sums.amaf_visits > 0 ? read(sums.amaf_value / sums.amaf_visits) : 0;
  edge.prior = sums.prior;
  edge.proof = for_mover(mover_, sums.proof);
  return edge;
}

void Report::read_root(SearchResult& result) const {
  double value = 0, visits = 0;
  Proof proof = Proof::None;
  for (const Reading& reading : readings_) {
    const Graph& graph = *reading.graph;
    result.num_nodes += graph.num_nodes();
    result.num_edges += graph.num_edges();
    result.bytes += graph.bytes();
    result.num_collisions += graph.num_collisions();
    if (graph.root() == kNoNode) continue;
    const Node& root = graph.node(graph.root());
    proof = std::max(proof, root.proof.load(std::memory_order_relaxed));
    EdgeSum own{root.visits.load(std::memory_order_relaxed), 0};
    const std::int64_t bits = root.value.load(std::memory_order_relaxed);
    own.sum = numbers_.are_used() ? as_number(bits) : static_cast<double>(bits);
    if (from_edges_) own = reading.means.of_edges(root);
    value += own.sum;
    visits += own.visits;
  }
  result.proof = for_mover(mover_, proof);
  result.value = visits > 0 ? read(value / visits) : numbers_.are_used() ? 0 : 0.5;
}

void Report::read_moves(SearchResult& result) const {
  std::map<Move, Sums> by_move;
  for (const Reading& reading : readings_) {
    if (reading.graph->root() == kNoNode) continue;
    for_each_move(*reading.graph, reading.graph->node(reading.graph->root()), num_moves_,
                  [&](const Edges& edges, std::uint32_t i) {
                    Sums& sums = by_move[edges.move(i)];
                    const Sums more = sums_of(reading, edges, i);
                    sums.visits += more.visits;
                    sums.value += more.value;
                    sums.squares += more.squares;
                    sums.amaf_visits += more.amaf_visits;
                    sums.amaf_value += more.amaf_value;
                    sums.prior = more.prior;
                    sums.proof = std::max(sums.proof, more.proof);
                  });
  }
  for (const auto& [move, sums] : by_move) result.edges.push_back(root_edge(move, sums));
}

// Independent roots find the same groups; their visits are added up.
void Report::read_groups(SearchResult& result) const {
  std::map<Move, Sums> by_code;
  std::map<Move, std::vector<Move>> members;
  for (const Reading& reading : readings_) {
    const Graph& graph = *reading.graph;
    if (graph.root() == kNoNode || !graph.has_edges(graph.node(graph.root()))) continue;
    const Edges edges = graph.edges(graph.node(graph.root()));
    for (std::uint32_t i = 0; i < edges.size && edges.move(i) >= num_moves_; ++i) {
      Sums& sums = by_code[edges.move(i)];
      const Sums more = sums_of(reading, edges, i);
      sums.visits += more.visits;
      sums.value += more.value;
      sums.proof = std::max(sums.proof, more.proof);
      const NodeId group = edges.child()[i].load(std::memory_order_acquire);
      std::vector<Move>& moves = members[edges.move(i)];
      moves.clear();
      if (group == kNoNode || !graph.has_edges(graph.node(group))) continue;
      const Edges below = graph.edges(graph.node(group));
      for (std::uint32_t k = 0; k < below.size; ++k) moves.push_back(below.move(k));
      std::sort(moves.begin(), moves.end());
    }
  }
  for (const auto& [code, sums] : by_code) {
    const RootEdge edge = root_edge(code, sums);
    const auto number = static_cast<std::uint32_t>(code - num_moves_);
    const auto most = static_cast<std::uint32_t>(kMostOfAKind);
    result.groups.push_back({number / most, number % most, edge.visits, edge.value, edge.proof, members[code]});
  }
}

// The most visited moves from a node on, proved ones first or last; groups are walked through unseen.
std::vector<Move> Report::main_line(const Graph& graph, NodeId at) const {
  constexpr std::size_t kLongest = 100;
  std::vector<Move> line;
  while (at != kNoNode && graph.has_edges(graph.node(at)) && line.size() < kLongest) {
    const Node& node = graph.node(at);
    std::map<Move, std::pair<Proof, std::uint64_t>> known;
    for_each_move(graph, node, num_moves_, [&](const Edges& edges, std::uint32_t i) {
      auto& [proof, visits] = known[edges.move(i)];
      visits += edges.visits()[i].load(std::memory_order_relaxed);
      proof = std::max(proof, edges.proof(i));
    });
    Move best = kNoMove;
    std::pair<int, std::uint64_t> best_rank{0, 0};
    for (const auto& [move, facts] : known) {
      const std::pair rank{rank_of_proof(for_mover(node.mover, facts.first)), facts.second};
      if (rank.second == 0 || (best != kNoMove && rank <= best_rank)) continue;
      best = move;
      best_rank = rank;
    }
    if (best == kNoMove) break;
    line.push_back(best);
    NodeId next = kNoNode;
    std::uint32_t most = 0;
    for_each_move(graph, node, num_moves_, [&](const Edges& edges, std::uint32_t i) {
      const std::uint32_t visits = edges.visits()[i].load(std::memory_order_relaxed);
      if (edges.move(i) != best || visits <= most) return;
      most = visits;
      next = edges.child()[i].load(std::memory_order_acquire);
    });
    at = next;
  }
  return line;
}

Report::Behind Report::behind(const Graph& graph, Move move, Move num_moves) {
  Behind found;
  if (graph.root() == kNoNode) return found;
  for_each_move(graph, graph.node(graph.root()), num_moves, [&](const Edges& edges, std::uint32_t i) {
    const std::uint32_t visits = edges.visits()[i].load(std::memory_order_relaxed);
    const NodeId child = edges.child()[i].load(std::memory_order_acquire);
    if (edges.move(i) != move || (found.visits > 0 && visits <= found.visits)) return;
    const EntryId entry = graph.columns().entry ? edges.entry()[i].load(std::memory_order_relaxed) : kNoEntry;
    found = {child, entry, visits, edges.value()[i].load(std::memory_order_relaxed)};
  });
  return found;
}

void Report::fill(SearchResult& result) const {
  result.to_play = mover_;
  read_root(result);
  read_moves(result);
  read_groups(result);
  const Graph& graph = *readings_[0].graph;
  result.bytes_per_edge = graph.bytes_per_edge();
  result.bytes_per_node = sizeof(Node);
  result.main_line = main_line(graph, graph.root());
  for (RootEdge& edge : result.edges) {
    edge.line = main_line(graph, behind(graph, edge.move, num_moves_).node);
    edge.line.insert(edge.line.begin(), edge.move);
  }
}

}  // namespace tesuji
