#include <doctest/doctest.h>

#include <set>
#include <stdexcept>
#include <vector>

#include "games/connect4.hpp"
#include "games/pgame.hpp"
#include "games/tictactoe.hpp"
#include "search/search.hpp"

using namespace tesuji;

namespace {

constexpr Columns kColumns{.amaf = true};
const std::vector<Move> kLow{0, 1}, kHigh{1, 2, 3};

// A root with two groups, each move of which has a leaf behind it.
void add_groups(Graph& graph) {
  graph.set_root(graph.make_node(1));
  const std::vector<GroupMoves> groups{{Edges::group_word(1, 0), kLow}, {Edges::group_word(2, 5), kHigh}};
  REQUIRE(graph.make_groups(graph.node(graph.root()), groups, false));
  for_each_move(graph, graph.node(graph.root()), [&](const Edges& edges, std::uint32_t i) {
    const NodeId child = graph.make_node(0);
    graph.node(child).visits = edges.visits()[i] = static_cast<std::uint32_t>(1 + edges.move(i));
    edges.child()[i] = child;
  });
}

Grouper<TicTacToe> corners() {
  return [](const TicTacToe&, std::span<const Move> moves, GroupList& groups) {
    for (const std::uint16_t kind : {std::uint16_t{1}, std::uint16_t{2}}) {
      MoveList& members = groups.add(kind);
      for (const Move move : moves)
        if ((move % 2 == 0 && move != 4) == (kind == 1)) members.push_back(move);
    }
  };
}

GroupingOptions with_kinds(std::size_t num_kinds, bool overlap = true) {
  GroupingOptions options;
  options.num_kinds = num_kinds;
  options.overlap = overlap;
  return options;
}

}  // namespace

TEST_CASE("a group word keeps its kind and is no move") {
  Graph graph(1 << 16, kColumns, GraphMode::Tree);
  add_groups(graph);
  const Edges edges = graph.edges(graph.node(graph.root()));
  REQUIRE(edges.size == 2);
  CHECK(edges.is_group(0));
  CHECK(edges.kind(0) == 1);
  CHECK(edges.kind(1) == 2);
  CHECK(edges.proof(1) == Proof::None);
  CHECK(edges.is_unlocked(1));
  const Node& group = graph.node(edges.child()[1]);
  CHECK(group.mover == 1);
  const Edges members = graph.edges(group);
  CHECK_FALSE(members.is_group(0));
  CHECK(members.size == 3);
  CHECK(members.move(2) == 3);
  CHECK(graph.num_nodes() == 1 + 2 + 5);
  CHECK(graph.num_edges() == 2 + 5);
}

TEST_CASE("the largest kind and ordinal fit into a word") {
  Graph graph(1 << 16, Columns{}, GraphMode::Tree);
  graph.set_root(graph.make_node(0));
  const std::vector<GroupMoves> groups{{Edges::group_word(0xFFFF, Edges::kMostOfAKind - 1), kLow}};
  REQUIRE(graph.make_groups(graph.node(graph.root()), groups, true));
  const Edges edges = graph.edges(graph.node(graph.root()));
  CHECK(edges.kind(0) == 0xFFFF);
  CHECK(edges.is_group(0));
  CHECK(edges.proof(0) == Proof::None);
}

TEST_CASE("the sum of a move goes over its groups, and its child is behind the most visited edge") {
  Graph graph(1 << 16, kColumns, GraphMode::Tree);
  add_groups(graph);
  const Node& root = graph.node(graph.root());
  const auto sums = sums_by_move(graph, root);
  CHECK(sums.size() == 4);
  CHECK(sums.at(1).visits == 4);
  CHECK(sums.at(1).most_visits == 2);
  CHECK(sums.at(3).visits == 4);
}

TEST_CASE("recycling keeps the groups of a node whatever their visits") {
  Graph graph(1 << 16, kColumns, GraphMode::Tree);
  add_groups(graph);
  graph.recycle(0.0);
  CHECK(graph.num_nodes() == 3);  // the root and its groups
  const Edges edges = graph.edges(graph.node(graph.root()));
  for (std::uint32_t i = 0; i < edges.size; ++i) {
    REQUIRE(edges.child()[i] != kNoNode);
    const Edges members = graph.edges(graph.node(edges.child()[i]));
    CHECK(members.size == 2 + i);
    CHECK(members.child()[0] == kNoNode);
    CHECK(members.visits()[0] > 0);
  }
}

TEST_CASE("a graph that has no room for a group has none of its state's") {
  Graph graph(200, Columns{}, GraphMode::Tree);
  graph.set_root(graph.make_node(0));
  const std::size_t before = graph.bytes();
  const std::vector<GroupMoves> groups{{Edges::group_word(1, 0), kLow}, {Edges::group_word(2, 0), kHigh}};
  CHECK_FALSE(graph.make_groups(graph.node(graph.root()), groups, true));
  CHECK_FALSE(graph.has_edges(graph.node(graph.root())));
  CHECK(graph.bytes() == before);
  CHECK(graph.is_full());
}

TEST_CASE("every thread's walks go through the groups of the root") {
  for (const bool overlap : {true, false}) {
    SearchConfig config;
    config.num_threads = 3;
    Search<TicTacToe> search(TicTacToe{}, config, 1);
    search.group_with(corners(), with_kinds(3, overlap));
    search.run({.simulations = 20'000}, {});
    const SearchResult result = search.result();
    REQUIRE(result.groups.size() == (overlap ? 3 : 2));  // without overlap nothing is left for the catch-all group
    std::uint64_t by_group = 0, by_move = 0;
    for (const RootGroup& group : result.groups) by_group += group.visits;
    for (const RootEdge& edge : result.edges) by_move += edge.visits;
    CHECK(by_group == 20'000);
    CHECK(by_move == 20'000);
    CHECK(result.edges.size() == 9);
  }
}

TEST_CASE("threads that make and recycle groups lose nothing") {
  SearchConfig config;
  config.num_threads = 4;
  config.memory_bytes = 100'000;
  Search<TicTacToe> search(TicTacToe{}, config, 1);
  search.group_with(corners(), with_kinds(3));
  search.run({.simulations = 30'000}, {});
  CHECK(search.result().counts.simulations == 30'000);
  CHECK(search.result().bytes <= 100'000);
}

TEST_CASE("groups do not change what the solver proves") {
  for (const GraphMode mode : {GraphMode::Tree, GraphMode::Dag}) {
    SearchConfig config;
    config.solver = true;
    config.graph = mode;
    config.memory_bytes = 1 << 27;
    const bool overlap = mode == GraphMode::Dag;  // in a tree every move would be there twice, at every depth
    Search<TicTacToe> search(TicTacToe{}, config, 1);
    search.group_with(corners(), with_kinds(3, overlap));
    search.run({.simulations = 3'000'000}, {});
    CAPTURE(mode);
    CHECK(search.result().proof == 2);
  }
}

TEST_CASE("a grouping must keep to its kinds, and come before the first run") {
  Search<TicTacToe> search(TicTacToe{}, SearchConfig{}, 1);
  search.group_with(corners(), with_kinds(2));
  CHECK_THROWS_WITH_AS(search.run({.simulations = 10}, {}), "a grouping named kind 2; its kinds are 1..1",
                       std::invalid_argument);
  Search<TicTacToe> other(TicTacToe{}, SearchConfig{}, 1);
  other.run({.simulations = 10}, {});
  CHECK_THROWS_AS(other.group_with(corners(), with_kinds(3)), std::invalid_argument);
}
