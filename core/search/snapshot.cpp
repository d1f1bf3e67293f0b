#include "search/snapshot.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "search/numbers.hpp"

namespace tesuji {

namespace {

constexpr double kUnit = 1.0 / static_cast<double>(kOne);
constexpr double kAnything = 1e6, kLargest = 1e308;  // for numbers that only have to be finite

double to_double(std::int64_t bits, const Columns& columns) {
  return columns.numbers ? as_number(bits) : static_cast<double>(bits) * kUnit;
}
std::int64_t from_double(double value, const Columns& columns) {
  return columns.numbers ? as_bits(value) : std::llround(value * static_cast<double>(kOne));
}

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(std::string("the saved graph is damaged: ") + what);
}

template <class T>
bool all_within(const std::vector<T>& numbers, double low, double high) {
  return std::all_of(numbers.begin(), numbers.end(), [=](T number) {
    const auto value = static_cast<double>(number);
    return value >= low && value <= high;  // false for a NaN
  });
}

// A node, or a leaf of a tree: what stands behind an edge that was walked.
struct Place {
  NodeId node = kNoNode;
  NodeId parent = kNoNode;
  std::uint32_t edge = 0;
};

// Numbers places in the order in which they are met.
class Numbering {
 public:
  explicit Numbering(const Graph& graph) : graph_(graph) {}

  int of(const Place& place) {
    if (place.node == kNoNode) return of_leaf(place);
    const auto [at, is_new] = number_.emplace(place.node, static_cast<int>(order_.size()));
    if (is_new) order_.push_back(place);
    return at->second;
  }
  const std::vector<Place>& order() const { return order_; }

 private:
  int of_leaf(const Place& place) {
    const bool was_walked = graph_.edges(graph_.node(place.parent)).visits()[place.edge].load() > 0;
    if (graph_.shares_nodes() || !was_walked) return -1;
    order_.push_back(place);
    return static_cast<int>(order_.size()) - 1;
  }

  const Graph& graph_;
  std::vector<Place> order_;
  std::unordered_map<NodeId, int> number_;
};

// In a tree what is known of a node stands on the edge to it; the root keeps its own.
void add_node(GraphSnapshot& to, const Graph& graph, const Place& place) {
  const bool is_leaf = place.node == kNoNode, knows_itself = graph.shares_nodes() || place.parent == kNoNode;
  const Node* const node = is_leaf ? nullptr : &graph.node(place.node);
  const bool has_edges = !is_leaf && graph.has_edges(*node);
  std::int64_t visits = 0, value = 0;
  int mover = 0, proof = 0;
  if (!is_leaf) {
    visits = node->visits.load();
    value = node->value.load();
    mover = node->mover;
    proof = static_cast<int>(node->proof.load());
  }
  if (!knows_itself) {
    const Edges edges = graph.edges(graph.node(place.parent));
    visits = edges.visits()[place.edge].load();
    value = edges.value()[place.edge].load();
    if (is_leaf) {
      mover = edges.mover_behind(place.edge);
      proof = static_cast<int>(edges.proof(place.edge));
    }
  }
  to.node_mover.push_back(mover);
  to.node_proof.push_back(proof);
  to.node_visits.push_back(visits);
  to.node_value.push_back(to_double(value, graph.columns()));
  to.node_first_edge.push_back(static_cast<int>(to.edge_move.size()));
  to.node_num_edges.push_back(has_edges ? static_cast<int>(node->num_edges) : 0);
  to.node_width.push_back(is_leaf ? 0 : static_cast<int>(node->width.load()));
}

void add_edge(GraphSnapshot& to, const Columns& columns, const Edges& edges, std::uint32_t i, NodeId parent,
              Numbering& numbering) {
  to.edge_move.push_back(edges.move(i));
  to.edge_visits.push_back(edges.visits()[i].load());
  to.edge_value.push_back(to_double(edges.value()[i].load(), columns));
  to.edge_proof.push_back(static_cast<int>(edges.proof(i)));
  to.edge_child.push_back(numbering.of({edges.child()[i].load(), parent, i}));
  to.edge_is_unlocked.push_back(edges.is_unlocked(i) ? 1 : 0);
  if (columns.amaf && columns.numbers) {
    to.edge_amaf_visits.push_back(edges.amaf_visits()[i].load());
    to.edge_amaf_value.push_back(as_number(edges.amaf_sum()[i].load()));
  } else if (columns.amaf) {
    const std::uint64_t packed = edges.amaf()[i].load();
    to.edge_amaf_visits.push_back(amaf::visits(packed));
    to.edge_amaf_value.push_back(static_cast<double>(amaf::value(packed)) * static_cast<double>(amaf::kScale));
  }
  if (columns.prior) to.edge_prior.push_back(edges.prior()[i]);
  if (columns.squares) to.edge_squares.push_back(to_double(edges.squares()[i].load(), columns));
  if (columns.bounds) {
    to.edge_upper.push_back(edges.upper()[i].load());
    to.edge_lower.push_back(edges.lower()[i].load());
  }
  if (columns.entry) to.edge_entry.push_back(static_cast<int>(edges.entry()[i].load()));
  if (columns.backed) to.edge_backed.push_back(edges.backed()[i].load());
}

void fill_edge(const GraphSnapshot& from, std::size_t at, const Columns& columns, const Edges& edges, std::uint32_t i) {
  edges.visits()[i] = static_cast<std::uint32_t>(from.edge_visits[at]);
  edges.value()[i] = from_double(from.edge_value[at], columns);
  edges.word()[i] |= static_cast<std::uint32_t>(from.edge_proof[at]) << Edges::kProofShift |
                     (from.edge_is_unlocked[at] != 0 ? Edges::kUnlocked : 0u);
  if (columns.amaf && columns.numbers) {
    edges.amaf_visits()[i] = static_cast<std::uint32_t>(from.edge_amaf_visits[at]);
    edges.amaf_sum()[i] = as_bits(from.edge_amaf_value[at]);
  } else if (columns.amaf) {
    edges.amaf()[i] =
        static_cast<std::uint64_t>(std::llround(from.edge_amaf_value[at] / static_cast<double>(amaf::kScale))) << 32 |
        static_cast<std::uint64_t>(from.edge_amaf_visits[at]);
  }
  if (columns.squares) edges.squares()[i] = from_double(from.edge_squares[at], columns);
  if (columns.bounds) {
    edges.upper()[i] = static_cast<float>(from.edge_upper[at]);
    edges.lower()[i] = static_cast<float>(from.edge_lower[at]);
  }
  if (columns.entry) edges.entry()[i] = static_cast<EntryId>(from.edge_entry[at]);
  if (columns.backed) edges.backed()[i] = static_cast<float>(from.edge_backed[at]);
}

// Breadth-first order means that a child is known before it is needed, and that no node is left out.
void check_shape(const GraphSnapshot& snapshot) {
  const std::size_t num_nodes = snapshot.node_mover.size(), num_edges = snapshot.edge_move.size();
  std::size_t next_edge = 0, num_met = 1;
  for (std::size_t node = 0; node < num_nodes; ++node) {
    require(node < num_met, "a node hangs below nothing");
    const auto size = static_cast<std::size_t>(snapshot.node_num_edges[node]);
    require(static_cast<std::size_t>(snapshot.node_first_edge[node]) == next_edge && size <= num_edges - next_edge,
            "the edges of a node lie elsewhere");
    for (const std::size_t last = next_edge + size; next_edge < last; ++next_edge) {
      const int child = snapshot.edge_child[next_edge];
      require(child <= static_cast<int>(num_met), "nodes are out of order");
      if (child == static_cast<int>(num_met)) ++num_met;
    }
  }
  require(next_edge == num_edges && num_met == num_nodes, "nodes and edges do not match");
}

}  // namespace

GraphSnapshot snapshot_of(const Graph& graph) {
  GraphSnapshot snapshot;
  Numbering numbering(graph);
  numbering.of({graph.root()});
  for (std::size_t next = 0; next < numbering.order().size(); ++next) {
    const Place place = numbering.order()[next];
    add_node(snapshot, graph, place);
    if (place.node == kNoNode || !graph.has_edges(graph.node(place.node))) continue;
    const Edges edges = graph.edges(graph.node(place.node));
    for (std::uint32_t i = 0; i < edges.size; ++i) add_edge(snapshot, graph.columns(), edges, i, place.node, numbering);
  }
  return snapshot;
}

void check_snapshot(const GraphSnapshot& snapshot, const Columns& columns, std::size_t num_entries) {
  const std::size_t num_nodes = snapshot.node_mover.size(), num_edges = snapshot.edge_move.size();
  const auto is_per_node = [=](const auto&... lists) { return ((lists.size() == num_nodes) && ...); };
  const auto is_per_edge = [=](bool wanted, const auto&... lists) {
    return ((lists.size() == (wanted ? num_edges : 0)) && ...);
  };
  require(num_nodes > 0 && num_nodes < (1u << 31) && num_edges < (1u << 31), "it has no node, or too many");
  require(is_per_node(snapshot.node_proof, snapshot.node_visits, snapshot.node_value, snapshot.node_first_edge,
                      snapshot.node_num_edges, snapshot.node_width) &&
              is_per_edge(true, snapshot.edge_visits, snapshot.edge_value, snapshot.edge_proof, snapshot.edge_child,
                          snapshot.edge_is_unlocked) &&
              is_per_edge(columns.amaf, snapshot.edge_amaf_visits, snapshot.edge_amaf_value) &&
              is_per_edge(columns.prior, snapshot.edge_prior) && is_per_edge(columns.squares, snapshot.edge_squares) &&
              is_per_edge(columns.bounds, snapshot.edge_upper, snapshot.edge_lower) &&
              is_per_edge(columns.entry, snapshot.edge_entry) && is_per_edge(columns.backed, snapshot.edge_backed),
          "its columns have different lengths");
  const double most = kMostVisits, low = columns.numbers ? -kLargest : 0, high = columns.numbers ? kLargest : most;
  require(all_within(snapshot.node_mover, 0, 1) && all_within(snapshot.node_proof, 0, 3) &&
              all_within(snapshot.node_visits, 0, most) && all_within(snapshot.node_value, low, high) &&
              all_within(snapshot.node_num_edges, 0, static_cast<double>(num_edges)) &&
              all_within(snapshot.node_width, 0, 2) && all_within(snapshot.edge_move, 0, Edges::kMoveMask) &&
              all_within(snapshot.edge_proof, 0, 3) && all_within(snapshot.edge_visits, 0, most) &&
              all_within(snapshot.edge_value, low, high) &&
              all_within(snapshot.edge_child, -1, static_cast<double>(num_nodes) - 1) &&
              all_within(snapshot.edge_amaf_visits, 0, most) &&
              all_within(snapshot.edge_amaf_value, low,
                         columns.numbers ? high : most * static_cast<double>(amaf::kScale)) &&
              all_within(snapshot.edge_squares, 0, high) &&
              all_within(snapshot.edge_entry, 0, static_cast<double>(num_entries)) &&
              all_within(snapshot.edge_prior, -kAnything, kAnything) &&
              all_within(snapshot.edge_upper, -kAnything, kAnything) &&
              all_within(snapshot.edge_lower, -kAnything, kAnything),
          "a number is out of its range");
  check_shape(snapshot);
}

void fill_graph(Graph& graph, const GraphSnapshot& snapshot, std::span<const StateKey> keys) {
  const auto make_room = [](bool made) {
    if (!made) throw std::invalid_argument("the saved graph does not fit into memory_bytes; raise it");
  };
  const auto is_leaf = [&](std::size_t i) { return !graph.shares_nodes() && i > 0 && snapshot.node_num_edges[i] == 0; };
  std::vector<NodeId> ids;
  for (std::size_t i = 0; i < snapshot.node_mover.size(); ++i) {
    bool was_there = false;
    ids.push_back(is_leaf(i)     ? kNoNode
                  : keys.empty() ? graph.make_node(snapshot.node_mover[i])
                                 : graph.find_or_make(keys[i], snapshot.node_mover[i], was_there));
    require(!was_there, "two nodes are of one state");
    make_room(is_leaf(i) || ids.back() != kNoNode);
    if (graph.is_full()) make_room(graph.enlarge_index());
  }
  graph.set_root(ids[0]);
  std::vector<Move> moves;
  std::vector<float> priors;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] == kNoNode) continue;
    Node& node = graph.node(ids[i]);
    node.proof = static_cast<Proof>(snapshot.node_proof[i]);
    if (graph.shares_nodes() || i == 0) {
      node.visits = static_cast<std::uint32_t>(snapshot.node_visits[i]);
      node.value = from_double(snapshot.node_value[i], graph.columns());
    }
    const auto first = static_cast<std::ptrdiff_t>(snapshot.node_first_edge[i]);
    const auto size = static_cast<std::ptrdiff_t>(snapshot.node_num_edges[i]);
    if (size == 0) continue;
    moves.assign(snapshot.edge_move.begin() + first, snapshot.edge_move.begin() + first + size);
    priors.clear();
    for (std::ptrdiff_t at = first; graph.columns().prior && at < first + size; ++at)
      priors.push_back(static_cast<float>(snapshot.edge_prior[static_cast<std::size_t>(at)]));
    make_room(graph.make_edges(node, moves, priors, static_cast<Width>(snapshot.node_width[i]), false));
    const Edges edges = graph.edges(node);
    std::uint64_t walks = 0;
    for (std::uint32_t k = 0; k < edges.size; ++k) {
      const std::size_t at = static_cast<std::size_t>(first) + k;
      fill_edge(snapshot, at, graph.columns(), edges, k);
      if (const int child = snapshot.edge_child[at]; child >= 0) {
        edges.child()[k] = ids[static_cast<std::size_t>(child)];
        if (is_leaf(static_cast<std::size_t>(child)) && snapshot.node_mover[static_cast<std::size_t>(child)] == 1)
          edges.word()[k] |= Edges::kSecondBehind;
      }
      walks += edges.visits()[k];
    }
    require(walks < kMostVisits, "it has more visits than can be counted");
    node.walks = static_cast<std::uint32_t>(walks);
  }
  graph.find_parents();
}

}  // namespace tesuji
