// Two searches of one position tell each other what they found.
#include <doctest/doctest.h>

#include <numeric>

#include "games/connect4.hpp"
#include "games/hex.hpp"
#include "games/tictactoe.hpp"
#include "search/search.hpp"

using namespace tesuji;

namespace {

const std::function<bool()> kGoOn = [] { return true; };

SearchConfig with_rave() {
  SearchConfig config;
  config.amaf = AmafSchedule::HandSelected;
  return config;
}

double sum(const std::vector<double>& numbers) { return std::accumulate(numbers.begin(), numbers.end(), 0.0); }

}  // namespace

TEST_CASE("statistics name the root first, then nodes of at least the share, the most visited first") {
  Search<Hex> search(Hex(5), with_rave(), 1);
  search.run({.simulations = 3'000, .seconds = 0, .nodes = 0}, kGoOn);
  const auto all = search.statistics(0.01, 1'000);
  REQUIRE(all.size() > 3);
  CHECK(all[0].path.empty());
  CHECK(sum(all[0].visits) == 3'000);
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(std::is_sorted(all[i].moves.begin(), all[i].moves.end()));
    CHECK(sum(all[i].visits) + 1 >= 30);  // the visit that made the node went no further
    if (i > 1) CHECK(sum(all[i].visits) <= sum(all[i - 1].visits));
  }
  CHECK(search.statistics(0.01, 2).size() == 2);
  CHECK(search.statistics(1.0, 1'000).size() == 1);
}

TEST_CASE("a search that takes in another's statistics knows the sum of both, and goes on from there") {
  Search<Hex> ours(Hex(5), with_rave(), 1), theirs(Hex(5), with_rave(), 2);
  ours.run({.simulations = 2'000, .seconds = 0, .nodes = 0}, kGoOn);
  theirs.run({.simulations = 1'000, .seconds = 0, .nodes = 0}, kGoOn);
  const SearchResult before = ours.result(), other = theirs.result();
  ours.take_in(theirs.statistics(0.05, 100));
  const SearchResult after = ours.result();
  for (std::size_t i = 0; i < after.edges.size(); ++i) {
    const RootEdge &a = before.edges[i], &b = other.edges[i], &both = after.edges[i];
    CHECK(both.visits == a.visits + b.visits);
    CHECK(both.amaf_visits == a.amaf_visits + b.amaf_visits);
    const double visits = static_cast<double>(both.visits);
    const double sum_of_values = a.value * static_cast<double>(a.visits) + b.value * static_cast<double>(b.visits);
    if (both.visits > 0) CHECK(both.value == doctest::Approx(sum_of_values / visits));
  }
  ours.run({.simulations = 500, .seconds = 0, .nodes = 0}, kGoOn);
  std::uint64_t visits = 0;
  for (const RootEdge& edge : ours.result().edges) visits += edge.visits;
  CHECK(visits == 3'500);
}

TEST_CASE("a search that has not run takes in statistics; nodes it does not have are left out") {
  Search<Connect4> empty(Connect4{}, SearchConfig{}, 1), other(Connect4{}, SearchConfig{}, 2);
  other.run({.simulations = 1'000, .seconds = 0, .nodes = 0}, kGoOn);
  const auto found = other.statistics(0.02, 100);
  REQUIRE(found.size() > 2);
  empty.take_in(found);
  const auto known = empty.statistics(0.0, 100);
  REQUIRE(known.size() == 1);
  CHECK(known[0].visits == found[0].visits);
  CHECK(known[0].value == found[0].value);
}

TEST_CASE("what one search has proved, the other knows") {
  SearchConfig config;
  config.solver = true;
  Search<TicTacToe> prover(TicTacToe{}, config, 1), other(TicTacToe{}, config, 2);
  prover.run({.simulations = 200'000, .seconds = 0, .nodes = 0}, kGoOn);
  REQUIRE(prover.result().proof == 2);
  other.take_in(prover.statistics(0.5, 10));
  CHECK(other.result().proof == 2);
}

TEST_CASE("a dag and independent roots exchange nothing") {
  SearchConfig dag, roots;
  dag.graph = GraphMode::Dag;
  roots.parallel = Parallel::Roots;
  roots.num_threads = 2;
  Search<Hex> in_a_dag(Hex(3), dag, 1), apart(Hex(3), roots, 1);
  CHECK_THROWS_AS(in_a_dag.take_in({}), std::invalid_argument);
  CHECK_THROWS_AS(apart.take_in({}), std::invalid_argument);
}
