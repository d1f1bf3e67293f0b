#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <stdexcept>
#include <vector>

#include "games/connect4.hpp"
#include "games/hex.hpp"
#include "games/tictactoe.hpp"
#include "search/search.hpp"

using namespace tesuji;

namespace {

const Search<Connect4>::Progress kSilent = [] { return true; };

bool are_equal(const GraphSnapshot& a, const GraphSnapshot& b) {
  return a.node_mover == b.node_mover && a.node_proof == b.node_proof && a.node_visits == b.node_visits &&
         a.node_value == b.node_value && a.node_num_edges == b.node_num_edges && a.node_width == b.node_width &&
         a.edge_move == b.edge_move && a.edge_visits == b.edge_visits && a.edge_value == b.edge_value &&
         a.edge_proof == b.edge_proof && a.edge_child == b.edge_child && a.edge_amaf_visits == b.edge_amaf_visits &&
         a.edge_amaf_value == b.edge_amaf_value && a.edge_prior == b.edge_prior && a.edge_squares == b.edge_squares &&
         a.edge_upper == b.edge_upper && a.edge_lower == b.edge_lower && a.edge_is_unlocked == b.edge_is_unlocked &&
         a.edge_entry == b.edge_entry;
}

GraphSnapshot of_connect4(const SearchConfig& config) {
  Search<Connect4> search(Connect4(), config, 1);
  search.run({.simulations = 300}, kSilent);
  return search.snapshot().graphs[0];
}

template <class Change>
void check_is_refused(const Change& change) {
  GraphSnapshot snapshot = of_connect4({});
  change(snapshot);
  Search<Connect4> search(Connect4(), {}, 1);
  CHECK_THROWS_AS(search.restore({.graphs = {snapshot}}), std::invalid_argument);
}

}  // namespace

TEST_CASE("a restored search has the same graph and goes on as the saved one") {
  std::vector<SearchConfig> configs(11);
  configs[1].graph = GraphMode::Dag;
  configs[1].solver = true;
  configs[2].amaf = AmafSchedule::HandSelected;
  configs[3].selection = Selection::Ucb1Tuned;
  configs[4].selection = Selection::Bast;
  configs[5].widening = true;
  configs[6].expansion = Expansion::AllChildren;
  configs[7].graph = GraphMode::SharedValues;
  configs[8].graph = GraphMode::SharedCounts;
  configs[9].graph = GraphMode::Multipath;
  configs[10].graph = GraphMode::SharedValues;
  configs[10].table_entries = 200;  // it fills
  for (const SearchConfig& config : configs) {
    Search<Hex> saved(Hex(5), config, 7);
    saved.run({.simulations = 500}, kSilent);
    const SearchSnapshot snapshot = saved.snapshot();
    Search<Hex> restored(Hex(5), config, 8);
    restored.restore(snapshot);
    CHECK(are_equal(restored.snapshot().graphs[0], snapshot.graphs[0]));
    CHECK(restored.table().visits == saved.table().visits);
    saved.run({.simulations = 500}, kSilent);
    restored.run({.simulations = 500}, kSilent);
    CHECK(are_equal(restored.snapshot().graphs[0], saved.snapshot().graphs[0]));
  }
}

TEST_CASE("independent roots are all restored") {
  SearchConfig config;
  config.parallel = Parallel::Roots;
  config.num_threads = 2;
  Search<Connect4> saved(Connect4(), config, 3);
  saved.run({.simulations = 1000}, kSilent);
  const SearchSnapshot snapshot = saved.snapshot();
  REQUIRE(snapshot.graphs.size() == 2);
  Search<Connect4> restored(Connect4(), config, 3);
  restored.restore(snapshot);
  for (std::size_t i = 0; i < 2; ++i) CHECK(are_equal(restored.snapshot().graphs[i], snapshot.graphs[i]));
  Search<Connect4> one_root(Connect4(), {}, 3);
  CHECK_THROWS_AS(one_root.restore(snapshot), std::invalid_argument);
}

TEST_CASE("a graph of another position, game or config is refused, and the search is as it was") {
  const SearchSnapshot saved{.graphs = {of_connect4({})}};
  Connect4 later;
  later.play(3);
  Search<Connect4> other(later, {}, 1);
  CHECK_THROWS_AS(other.restore(saved), std::invalid_argument);
  Search<TicTacToe> another_game(TicTacToe(), {}, 1);
  CHECK_THROWS_AS(another_game.restore(saved), std::invalid_argument);
  SearchConfig rave;
  rave.amaf = AmafSchedule::HandSelected;
  Search<Connect4> another_config(Connect4(), rave, 1);
  CHECK_THROWS_AS(another_config.restore(saved), std::invalid_argument);
  other.run({.simulations = 10}, kSilent);
  CHECK(other.result().counts.simulations == 10);
}

TEST_CASE("a graph that does not fit into the memory cap is refused") {
  const GraphSnapshot snapshot = of_connect4({});
  SearchConfig small;
  small.memory_bytes = 4096;
  Search<Connect4> search(Connect4(), small, 1);
  CHECK_THROWS_AS(search.restore({.graphs = {snapshot}}), std::invalid_argument);
}

TEST_CASE("damaged numbers are refused before anything walks over them") {
  check_is_refused([](GraphSnapshot& s) { s.edge_move[0] = 7; });
  check_is_refused([](GraphSnapshot& s) { s.edge_move[0] = -1; });
  check_is_refused([](GraphSnapshot& s) { s.edge_move[0] = s.edge_move[1]; });
  check_is_refused([](GraphSnapshot& s) { s.edge_child[0] = static_cast<int>(s.node_mover.size()); });
  check_is_refused([](GraphSnapshot& s) { s.edge_child.back() = static_cast<int>(s.node_mover.size()) - 1; });
  check_is_refused([](GraphSnapshot& s) { s.edge_child.pop_back(); });
  check_is_refused([](GraphSnapshot& s) { s.node_first_edge[1] = -5; });
  check_is_refused([](GraphSnapshot& s) { s.node_num_edges[0] = 1 << 30; });
  check_is_refused([](GraphSnapshot& s) { s.node_visits[0] = -1; });
  check_is_refused([](GraphSnapshot& s) { s.node_value[0] = std::numeric_limits<double>::quiet_NaN(); });
  check_is_refused([](GraphSnapshot& s) { s.node_mover[0] = 1; });
  check_is_refused([](GraphSnapshot& s) { s.edge_proof[0] = 9; });
  check_is_refused([](GraphSnapshot& s) { s = {}; });
}

TEST_CASE("a random stream that cannot be is refused") {
  const GraphSnapshot snapshot = of_connect4({});
  Search<Connect4> search(Connect4(), {}, 1);
  for (const std::uint64_t state : {std::uint64_t{0}, ~std::uint64_t{0}})
    CHECK_THROWS_AS(search.restore({.graphs = {snapshot}, .streams = {state}}), std::invalid_argument);
}
