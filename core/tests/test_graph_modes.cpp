// Figure 2.3 of the UCT-DAG report, walked by a script, in all graph modes; what a second hash is for.
#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "games/connect4.hpp"
#include "games/game.hpp"
#include "search/search.hpp"
#include "tests/selecting.hpp"

using namespace tesuji;
using tesuji::testing::mean_of;
using tesuji::testing::selector_of;

namespace {

// What the next simulation does: all other moves are forbidden on its path, and the game ends with this result.
struct Script {
  std::string path;  // the nodes below A
  double result = 0;
};

//        A             A moves first, B and C are the second player's; D, E and F are ends
//       / \            a move is the letter that it leads to
//      B   C
//     / \ / \          .
//    D   E   F
class Figure {
 public:
  explicit Figure(const Script& script) : script_(&script) {}

  int num_distinct_moves() const { return 'F' + 1; }
  int to_play() const { return at_ == 'A' ? 0 : 1; }
  bool is_over() const { return at_ > 'C'; }
  double value() const { return script_->result; }
  std::uint64_t hash() const { return static_cast<std::uint64_t>(at_); }
  void legal_moves(MoveList& moves) const {
    if (at_ == 'A') moves.insert(moves.end(), {'B', 'C'});
    if (at_ == 'B') moves.insert(moves.end(), {'D', 'E'});
    if (at_ == 'C') moves.insert(moves.end(), {'E', 'F'});
  }
  bool is_forbidden(Move move) const { return move != script_->path[depth_]; }
  void play(Move move) {
    at_ = static_cast<char>(move);
    ++depth_;
  }

 private:
  const Script* script_;
  char at_ = 'A';
  std::size_t depth_ = 0;
};

// The counts of the drawing: D is visited three times, E twice from B and three times from C, F twice. (The text speaks
// of three visits from B; the drawing agrees with figure 2.1, and with the five visits of E that both name.)
const std::vector<Script> kScript = {{"BD", 1}, {"BE", 0}, {"CE", 1}, {"CF", 0}, {"BD", 1},
                                     {"CE", 1}, {"BD", 0}, {"CE", 1}, {"BE", 1}, {"CF", 0}};

struct Counts {
  std::uint32_t visits = 0;
  double value = 0;
  bool operator==(const Counts&) const = default;
};

template <class T>
Counts counts_of(const T& visits, const std::atomic<std::int64_t>& value) {
  return {visits, static_cast<double>(value) / static_cast<double>(kOne)};
}

class Walked {
 public:
  explicit Walked(GraphMode mode, std::uint32_t max_ancestors = 1000)
      : search_(Figure(script_), config_of(mode, max_ancestors), 1) {
    for (const Script& script : kScript) {
      script_ = script;
      search_.run({.simulations = 1}, {});
      num_cut += search_.result().counts.cut_updates;
    }
    table = search_.table();
  }

  // The node that some letters lead to from A.
  const Node& node(const std::string& path) const {
    NodeId id = graph().root();
    for (const char letter : path) id = edges(graph().node(id)).child()[edge_of(graph().node(id), letter)];
    return graph().node(id);
  }
  // In a tree what is known of a node stands on the edge to it.
  Counts at(const std::string& path) const {
    if (!graph().shares_nodes() && !path.empty()) return edge(path.substr(0, path.size() - 1), path.back());
    return counts_of(node(path).visits.load(), node(path).value);
  }
  Counts edge(const std::string& path, char letter) const {
    const std::uint32_t i = edge_of(node(path), letter);
    return counts_of(edges(node(path)).visits()[i].load(), edges(node(path)).value()[i]);
  }
  // What UCB1 would take at a node if nothing were forbidden.
  char choice(const std::string& path, float c) const {
    SearchConfig config = search_.config();
    config.exploration = c;
    ValueTable values(10, 2);
    values.restore(table);
    Rng rng(1);
    EdgeScores scratch;
    const std::uint32_t edge =
        selector_of(config, graph(), &values).choose(node(path), nullptr, mean_of(node(path)), {}, rng, scratch);
    return static_cast<char>(edges(node(path)).move(edge));
  }
  const Search<Figure>& search() const { return search_; }
  std::uint64_t num_cut = 0;
  TableSnapshot table;

 private:
  static SearchConfig config_of(GraphMode mode, std::uint32_t max_ancestors) {
    SearchConfig config;
    config.expansion = Expansion::WholePath;
    config.graph = mode;
    config.table_entries = 10;
    config.max_ancestors = max_ancestors;
    config.memory_bytes = 1 << 20;
    return config;
  }
  const Graph& graph() const { return search_.graph(); }
  Edges edges(const Node& node) const { return graph().edges(node); }
  std::uint32_t edge_of(const Node& node, char letter) const {
    for (std::uint32_t i = 0; i < edges(node).size; ++i)
      if (edges(node).move(i) == letter) return i;
    FAIL("no edge to ", letter);
    return 0;
  }

  Script script_;
  Search<Figure> search_;
};

// By hand, from the script: D 1 + 1 + 0, E from B 0 + 1, E from C 1 + 1 + 1, F 0 + 0.
void check_edges(const Walked& walked) {
  CHECK(walked.edge("B", 'D') == Counts{3, 2});
  CHECK(walked.edge("B", 'E') == Counts{2, 1});
  CHECK(walked.edge("C", 'E') == Counts{3, 3});
  CHECK(walked.edge("C", 'F') == Counts{2, 0});
  CHECK(walked.edge("", 'B') == Counts{5, 3});
  CHECK(walked.edge("", 'C') == Counts{5, 3});
}

}  // namespace

TEST_CASE("figure 2.3: in a tree E is two nodes") {
  const Walked tree(GraphMode::Tree);
  check_edges(tree);
  CHECK(tree.at("BE") == Counts{2, 1});
  CHECK(tree.at("CE") == Counts{3, 3});
  CHECK(tree.search().graph().num_nodes() == 7);
}

TEST_CASE("figure 2.3: in a DAG E is one node, and its visits belong to its parents") {
  const Walked dag(GraphMode::Dag);
  check_edges(dag);
  CHECK(&dag.node("BE") == &dag.node("CE"));
  CHECK(dag.at("BE") == Counts{5, 4});
  CHECK(dag.at("BD") == Counts{3, 2});
  CHECK(dag.at("CF") == Counts{2, 0});
  CHECK(dag.at("B") == Counts{5, 3});
  CHECK(dag.at("C") == Counts{5, 3});
  CHECK(dag.at("") == Counts{10, 6});
  CHECK(dag.node("B").walks == 5);
  CHECK(dag.node("C").walks == 5);
  CHECK(dag.search().graph().num_nodes() == 6);
  // B is the second player's: Q(D) = 1 - 2/3, Q(E) = 1 - 4/5; the bonus is 0.73 c for D (3 visits) and 0.90 c for E
  // (2), so that E is better from c = 0.81 on.
  CHECK(dag.choice("B", 0.7f) == 'D');
  CHECK(dag.choice("B", 0.9f) == 'E');
}

TEST_CASE("figure 2.3: shared values keep the tree, and E has one entry") {
  const Walked shared(GraphMode::SharedValues);
  check_edges(shared);
  CHECK(shared.at("BE") == Counts{2, 1});
  CHECK(shared.at("CE") == Counts{3, 3});
  CHECK(shared.search().graph().num_nodes() == 7);
  const TableSnapshot& table = shared.table;
  std::map<char, std::vector<std::int64_t>> entries;
  for (std::size_t i = 0; i < table.key.size(); ++i)
    entries[static_cast<char>(table.key[i])] = {table.visits[i], table.value[i] / kOne, table.references[i]};
  CHECK(
      entries ==
      std::map<char, std::vector<std::int64_t>>{
          {'A', {10, 6, 1}}, {'B', {5, 3, 1}}, {'C', {5, 3, 1}}, {'D', {3, 2, 1}}, {'E', {5, 4, 2}}, {'F', {2, 0, 1}}});
  // As in a DAG.
  CHECK(shared.choice("B", 0.7f) == 'D');
  CHECK(shared.choice("B", 0.9f) == 'E');
}

TEST_CASE("figure 2.3: with shared counts E has five visits for both parents") {
  const Walked naive(GraphMode::SharedCounts);
  check_edges(naive);
  CHECK(naive.at("BE") == Counts{5, 4});
  CHECK(naive.at("B") == Counts{5, 3});
  // 3 + 5 visits below a node of 5: the numbers do not belong together. The bonus is 0.73 c for D and 0.57 c for E, so
  // that E is never better.
  CHECK(naive.choice("B", 0.7f) == 'D');
  CHECK(naive.choice("B", 5.0f) == 'D');
}

TEST_CASE("shared counts: an edge never walked counts as visited if its state was") {
  Script script{"CE", 1};
  SearchConfig config;
  config.expansion = Expansion::WholePath;
  config.graph = GraphMode::SharedCounts;
  config.memory_bytes = 1 << 20;
  Search<Figure> search(Figure(script), config, 1);
  search.run({.simulations = 1}, {});
  script = {"BD", 1};
  search.run({.simulations = 1}, {});
  const Graph& graph = search.graph();
  const Edges at_root = graph.edges(graph.node(graph.root()));
  const std::uint32_t to_b = at_root.move(0) == 'B' ? 0 : 1;
  const Node& b = graph.node(at_root.child()[to_b]);
  const Edges edges = graph.edges(b);
  const std::uint32_t to_e = edges.move(0) == 'E' ? 0 : 1;
  CHECK(edges.visits()[to_e] == 0);
  CHECK(graph.node(edges.child()[to_e]).visits == 1);
  // Both have one visit and lost for B's player, so the first edge is taken; an unvisited one would come before.
  Rng rng(1);
  EdgeScores scratch;
  CHECK(selector_of(config, graph).choose(b, nullptr, mean_of(b), {}, rng, scratch) == 0);
  config.graph = GraphMode::Dag;
  CHECK(selector_of(config, graph).choose(b, nullptr, mean_of(b), {}, rng, scratch) == to_e);
}

TEST_CASE("figure 2.3: multipath tells B of C's visits to E and C of B's, once each, and the edges of none") {
  const Walked all(GraphMode::Multipath);
  check_edges(all);
  CHECK(all.at("BE") == Counts{5, 4});
  // B: three to D (1 + 1 + 0), two to E of its own (0 + 1), and C's three (1 + 1 + 1), for B had met E before.
  CHECK(all.at("B") == Counts{8, 6});
  // C: three to E, two to F (0 + 0), and of B's two to E the last (1): the first came before C was there.
  CHECK(all.at("C") == Counts{6, 4});
  CHECK(all.at("") == Counts{10, 6});
  CHECK(all.node("B").walks == 5);
  CHECK(all.num_cut == 0);
}

TEST_CASE("figure 2.3: multipath without room for ancestors is a DAG, and says how often it was cut") {
  const Walked cut(GraphMode::Multipath, 0);
  check_edges(cut);
  CHECK(cut.at("B") == Counts{5, 3});
  CHECK(cut.at("C") == Counts{5, 3});
  CHECK(cut.at("BE") == Counts{5, 4});
  CHECK(cut.num_cut == 4);  // C's three visits to E, and B's second
}

namespace {

// Connect Four whose first hash is that of the column last played; the second is a good one.
class Colliding : public Connect4 {
 public:
  std::uint64_t hash() const { return last_; }
  std::uint32_t second_hash() const { return static_cast<std::uint32_t>(mix64(Connect4::hash()) >> 32); }
  void play(Move move) {
    Connect4::play(move);
    last_ = static_cast<std::uint64_t>(move) + 1;
  }

 private:
  std::uint64_t last_ = 0;
};
static_assert(HasSecondHash<Colliding> && !HasSecondHash<Connect4>);

template <Game G>
SearchResult searched(GraphMode mode, int threads) {
  SearchConfig config;
  config.graph = mode;
  config.num_threads = threads;
  config.memory_bytes = 1 << 22;
  Search<G> search(G(), config, 3);
  search.run({.simulations = 3'000}, {});
  return search.result();
}

}  // namespace

TEST_CASE("collisions: a state whose first hash is another's shares nothing with it") {
  const SearchResult tree = searched<Connect4>(GraphMode::Tree, 1);
  CHECK(tree.num_collisions == 0);
  for (const GraphMode mode :
       {GraphMode::Dag, GraphMode::SharedValues, GraphMode::SharedCounts, GraphMode::Multipath}) {
    CAPTURE(static_cast<int>(mode));
    CHECK(searched<Connect4>(mode, 1).num_collisions == 0);
    const SearchResult result = searched<Colliding>(mode, 1);
    CHECK(result.num_collisions > 1'000);
    if (mode == GraphMode::SharedCounts) continue;  // its N is another
    // Eight states were first with their hash; hardly any of them is met twice, so this is a tree.
    CHECK(result.counts.transposition_hits < 10);
    for (std::size_t i = 0; i < tree.edges.size(); ++i) CHECK(result.edges[i].visits == tree.edges[i].visits);
  }
  CHECK(searched<Colliding>(GraphMode::Dag, 3).num_collisions > 1'000);
  CHECK(searched<Colliding>(GraphMode::SharedValues, 3).num_collisions > 1'000);
}
