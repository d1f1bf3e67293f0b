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

TEST_CASE("a group is a move after which the same player moves") {
  const GroupFinder finder(dynamic<TicTacToe>(corners()), with_kinds(3));
  Grouped state(dynamic(TicTacToe{}));
  state.group_by(&finder);
  MoveList groups;
  state.legal_moves(groups);
  CHECK(groups == MoveList{9 + kMostOfAKind, 9 + 2 * kMostOfAKind, 9});  // the catch-all group comes last
  const StateKey before = state.key();
  state.play(groups[0]);
  CHECK(state.is_passage());
  CHECK(state.to_play() == 0);
  CHECK(state.key() != before);
  MoveList members;
  state.legal_moves(members);
  CHECK(members == MoveList{0, 2, 6, 8});
  state.play(2);
  CHECK_FALSE(state.is_passage());
  CHECK(state.to_play() == 1);
}

TEST_CASE("a group's prior is its best move's") {
  const GroupFinder finder(dynamic<TicTacToe>(corners()), with_kinds(3));
  Grouped state(dynamic(TicTacToe{}));
  state.group_by(&finder);
  MoveList groups;
  state.legal_moves(groups);
  std::vector<float> priors(groups.size());
  state.priors(groups, priors, [](std::span<const Move> moves, std::span<float> out) {
    for (std::size_t i = 0; i < moves.size(); ++i) out[i] = static_cast<float>(moves[i]) / 10;
  });
  CHECK(priors == std::vector<float>{0.8f, 0.7f, 0.8f});
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
