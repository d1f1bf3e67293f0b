#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "games/knapsack.hpp"
#include "games/samegame.hpp"
#include "games/tictactoe.hpp"
#include "games/tsp.hpp"
#include "search/nested.hpp"
#include "search/search.hpp"

using namespace tesuji;

namespace {

const auto kGoOn = [] { return true; };

SearchConfig closing(int num_threads = 1) {
  SearchConfig config;
  config.solver = true;
  config.num_threads = num_threads;
  return config;
}

// The best value, by looking at every solution.
template <class G>
double optimum(const G& game) {
  if (game.is_over()) return game.value();
  MoveList moves;
  game.legal_moves(moves);
  double best = worst_value(game.goal());
  for (const Move move : moves) {
    G after = game;
    after.play(move);
    if (const double value = optimum(after); is_better(game.goal(), value, best)) best = value;
  }
  return best;
}

template <class G>
void check_replay(const G& root, const Solution& solution) {
  G state = root;
  for (const Move move : solution.moves) {
    CHECK(is_legal_move(state, move));
    state.play(move);
  }
  CHECK(state.is_over());
  CHECK(state.value() == solution.value);
}

}  // namespace

TEST_CASE("scale: the worst number seen is 0, the best 1, for either goal") {
  for (const Goal goal : {Goal::Maximise, Goal::Minimise}) {
    Numbers numbers(goal);
    for (const double number : {5.0, 9.0, 1.0}) numbers.note(number, true);
    const auto normal = [&](double number) { return numbers.normal(numbers.merit(number)); };
    CHECK(normal(1) == (goal == Goal::Maximise ? 0 : 1));
    CHECK(normal(9) == (goal == Goal::Maximise ? 1 : 0));
    CHECK(normal(3) == (goal == Goal::Maximise ? 0.25 : 0.75));
    CHECK(numbers.number(numbers.merit(3)) == 3);
  }
}

TEST_CASE("scale: one number far below the others counts as the low end") {
  Numbers numbers(Goal::Maximise);
  for (int i = 0; i < 1000; ++i) numbers.note(i == 500 ? -1e9 : 100 + i % 10, true);
  CHECK(numbers.range() < 100);
  CHECK(numbers.merit(-1e9) > 0);
  CHECK(numbers.normal(numbers.merit(-1e9)) == 0);
  CHECK(numbers.normal(109) == 1);
}

TEST_CASE("scale: numbers that many solutions have are no outliers") {
  Numbers numbers(Goal::Maximise);
  for (int i = 0; i < 1000; ++i) numbers.note(i % 2 == 0 ? -1000 : 100, true);
  CHECK(numbers.merit(-1000) == -1000);
}

TEST_CASE("scale: it is saved and restored") {
  Numbers numbers(Goal::Minimise), other(Goal::Minimise);
  for (int i = 0; i < 3000; ++i) numbers.note(i % 97, true);
  other.restore(numbers.save());
  CHECK(other.normal(-40) == numbers.normal(-40));
  CHECK(other.save() == numbers.save());
  CHECK_THROWS_AS(other.restore(std::vector<double>{1, 0, 0}), std::invalid_argument);
}

TEST_CASE("one player: a problem that is explored completely ends with its optimum proved") {
  for (const int num_threads : {1, 2, 4})
    for (const GraphMode mode : {GraphMode::Tree, GraphMode::Dag})
      for (std::uint64_t seed = 0; seed < 3; ++seed) {
        SearchConfig config = closing(num_threads);
        config.graph = mode;
        const Knapsack sack = Knapsack::random(9, seed);
        Search<Knapsack> packing(sack, config, seed);
        packing.run({.simulations = 100'000}, kGoOn);
        CHECK(packing.found().is_optimal);
        CHECK(packing.found().best->value == optimum(sack));
        check_replay(sack, *packing.found().best);

        const Tsp trip = Tsp::random(6, seed);
        Search<Tsp> touring(trip, config, seed);
        touring.run({.simulations = 100'000}, kGoOn);
        CHECK(touring.found().is_optimal);
        CHECK(touring.found().best->value == optimum(trip));
        check_replay(trip, *touring.found().best);
      }
}

TEST_CASE("one player: visits add up when the scale grows under several threads") {
  for (const Parallel parallel : {Parallel::LockFree, Parallel::GlobalLock, Parallel::Roots}) {
    SearchConfig config = closing(3);
    config.solver = false;
    config.parallel = parallel;
    Search<SameGame> search(SameGame::random(10, 10, 4, 1, SameGame::Playout::Uniform), config, 1);
    search.run({.simulations = 3'000}, kGoOn);
    const SearchResult result = search.result();
    CHECK(result.counts.simulations == 3'000);
    std::uint64_t visits = 0;
    for (const RootEdge& edge : result.edges) visits += edge.visits;
    CHECK(visits == 3'000);
    check_replay(search.root_state(), *search.found().best);
  }
}

TEST_CASE("one player: memory that runs out ends nothing") {
  SearchConfig config = closing(2);
  config.memory_bytes = 200'000;
  Search<SameGame> search(SameGame::random(15, 15, 5, 1, SameGame::Playout::Uniform), config, 1);
  search.run({.simulations = 5'000}, kGoOn);
  CHECK(search.found().simulations == 5'000);
  CHECK_FALSE(search.found().is_optimal);
  check_replay(search.root_state(), *search.found().best);
}

TEST_CASE("beam: nothing but the kept nodes is walked any more, and the end is no proof") {
  Search<Tsp> search(Tsp::random(9, 1), closing(), 1);
  for (int depth = 1; depth <= 9 && !search.found().is_exhausted; ++depth) {
    search.run({.simulations = 200}, kGoOn);
    if (search.found().is_exhausted) break;
    search.keep_most_visited(depth, 2);
    const Edges edges = search.graph().edges(search.graph().node(search.graph().root()));
    std::uint32_t num_open = 0;
    for (std::uint32_t i = 0; i < edges.size; ++i) num_open += edges.proof(i) == Proof::None;
    CHECK(num_open <= 2);
  }
  CHECK(search.found().is_exhausted);
  CHECK_FALSE(search.found().is_optimal);
  CHECK_THROWS_AS(Search<TicTacToe>(TicTacToe(), closing(), 1).keep_most_visited(1, 1), std::invalid_argument);
}

TEST_CASE("nested: threads share the best solution and the budget") {
  const SameGame board = SameGame::random(10, 10, 4, 1, SameGame::Playout::TabuColor);
  for (const int num_threads : {1, 3}) {
    NestedSearch<SameGame> search(board, 1, num_threads, 1);
    search.run({.simulations = 2'000}, kGoOn);
    const Found found = search.found();
    CHECK(found.simulations == 2'000);
    check_replay(board, *found.best);
    CHECK(found.improvements.back().value == found.best->value);
    CHECK(std::is_sorted(found.improvements.begin(), found.improvements.end(),
                         [](const auto& a, const auto& b) { return a.value < b.value; }));
  }
}
