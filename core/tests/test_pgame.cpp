// P-games and what is measured on them; the slow reading of the description is tests/games/ref_pgame.py.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>

#include "games/pgame.hpp"
#include "games/tictactoe.hpp"
#include "search/alpha_beta.hpp"
#include "search/choices.hpp"

using namespace tesuji;

namespace {

PGameSpec spec_of(int breadth, int depth, double combination, std::uint64_t seed) {
  PGameSpec spec;
  spec.breadth = breadth;
  spec.depth = depth;
  spec.combination = combination;
  spec.seed = seed;
  spec.mixed_root = false;
  return spec;
}

bool brute_force(const PGamePosition& position) {
  if (position.is_over()) return position.game().scores()[position.node()] > 0;
  bool any = false, all = true;
  for (Move move = 0; move < position.num_distinct_moves(); ++move) {
    PGamePosition after = position;
    after.play(move);
    const bool won = brute_force(after);
    any |= won;
    all &= won;
  }
  return position.to_play() == 0 ? any : all;
}

SearchConfig whole_path(GraphMode graph) {
  SearchConfig config;
  config.exploration = 1;
  config.expansion = Expansion::WholePath;
  config.graph = graph;
  config.memory_bytes = std::size_t{1} << 25;
  return config;
}

std::string message_of(const PGameSpec& spec) {
  try {
    const PGame game(spec);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("pgame: exact values are those of trying everything") {
  for (const double combination : {0.0, 0.2, 0.6})
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const PGame game(spec_of(3, 6, combination, seed));
      const PGamePosition root(game);
      CHECK(game.first_wins(0) == brute_force(root));
      for (Move move = 0; move < 3; ++move) {
        PGamePosition after = root;
        after.play(move);
        CHECK(game.first_wins(after.node()) == brute_force(after));
      }
    }
}

TEST_CASE("pgame: every node of a level has parents in the level above and nowhere else") {
  for (const double combination : {0.0, 0.1, 0.5, 0.9}) {
    const PGame game(spec_of(4, 6, combination, 3));
    const auto& starts = game.level_starts();
    REQUIRE(starts.size() == 8);
    CHECK(starts.back() == game.num_nodes());
    for (std::size_t level = 0; level + 1 < 7; ++level) {
      std::set<PGame::Node> reached;
      for (PGame::Node node = starts[level]; node < starts[level + 1]; ++node)
        for (Move move = 0; move < 4; ++move) reached.insert(game.child(node, move));
      CHECK(reached.size() == starts[level + 2] - starts[level + 1]);
      CHECK(*reached.begin() == starts[level + 1]);
      CHECK(*reached.rbegin() == starts[level + 2] - 1);
    }
    CHECK(game.is_tree() == (combination == 0));
    if (combination == 0) CHECK(game.num_amounts_out_of_range() == 0);
    if (combination == 0.5) CHECK(game.num_amounts_out_of_range() > 0);
  }
}

TEST_CASE("pgame: unfolding keeps scores and values along every path") {
  const PGame game(spec_of(2, 10, 0.3, 5));
  const PGame tree = game.unfolded(std::size_t{1} << 20);
  CHECK(tree.num_nodes() == 2047);
  Rng rng(1);
  for (int walk = 0; walk < 200; ++walk) {
    PGamePosition folded(game), unfolded(tree);
    while (!folded.is_over()) {
      const auto move = static_cast<Move>(rng.below(2));
      folded.play(move);
      unfolded.play(move);
      CHECK(game.scores()[folded.node()] == tree.scores()[unfolded.node()]);
      CHECK(folded.value() == unfolded.value());
      CHECK(folded.to_play() == unfolded.to_play());
    }
    CHECK(unfolded.is_over());
  }
}

TEST_CASE("pgame: a mixed root has winning and losing moves") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    PGameSpec spec = spec_of(3, 5, 0.1, seed);
    spec.mixed_root = true;
    const PGame game(spec);
    const PGamePosition root(game);
    int winning = 0;
    for (Move move = 0; move < 3; ++move) winning += root.is_winning(move);
    CHECK(winning > 0);
    CHECK(winning < 3);
  }
}

TEST_CASE("pgame: groups are sets of moves, and the rest is \"else\"") {
  PGameSpec spec = spec_of(5, 4, 0, 2);
  spec.num_groups = 2;
  spec.group_bias = 1;  // whole groups: exactly the winning moves
  const PGame game(spec);
  PGamePosition position(game);
  CHECK(position.groups(true).empty());
  position.play(0);
  MoveList winning, losing;
  for (Move move = 0; move < 5; ++move) (position.is_winning(move) ? winning : losing).push_back(move);
  for (const bool overlap : {true, false}) {
    std::map<std::string, MoveList> found;
    for (const NamedMoves& group : position.groups(overlap)) found[group.name] = group.moves;
    CHECK(found["group 1"] == winning);
    CHECK(found["group 2"] == winning);
    CHECK(found["else"] == (overlap ? MoveList{0, 1, 2, 3, 4} : losing));
  }
}

TEST_CASE("pgame: games that do not exist are refused, each with a reason") {
  CHECK(message_of(spec_of(0, 5, 0, 1)).find("breadth is 0") == 0);
  CHECK(message_of(spec_of(2, 1001, 0, 1)).find("depth is 1001") == 0);
  CHECK(message_of(spec_of(2, 5, 1.5, 1)).find("combination is 1.5") == 0);
  CHECK(message_of(spec_of(2, 5, std::nan(""), 1)).find("combination is") == 0);
  CHECK(message_of(spec_of(10, 12, 0, 1)).find("has 1111111111111 nodes") != std::string::npos);
  PGameSpec small = spec_of(2, 10, 0, 1);
  small.memory_bytes = 2047 * 4;
  CHECK(message_of(small).find("has 2047 nodes") != std::string::npos);
}

TEST_CASE("alpha_beta: agrees with exact values, and with what is known of tic-tac-toe") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const PGame game(spec_of(4, 6, 0.1, seed));
    const AlphaBetaResult found = alpha_beta(PGamePosition(game));
    CHECK(found.value == (game.first_wins(0) ? 1.0 : 0.0));
    CHECK(game.first_wins(game.child(0, found.move)) == game.first_wins(0));
    CHECK(found.leaves < 4096);
  }
  CHECK(alpha_beta(TicTacToe()).value == 0.5);
  TicTacToe open_line;  // two in a row and the move: won at once
  for (const Move move : {0, 3, 1, 4}) open_line.play(move);
  CHECK(alpha_beta(open_line).value == 1.0);
  CHECK(alpha_beta(open_line).move == 2);
}

TEST_CASE("choices: a tree and a DAG without merged nodes answer alike after every simulation") {
  std::vector<std::uint64_t> counts(2000);
  std::iota(counts.begin(), counts.end(), 1);
  const PGame game(spec_of(3, 9, 0, 4));
  const auto tree = choices_of_search(PGamePosition(game), whole_path(GraphMode::Tree), 7, counts);
  const auto dag = choices_of_search(PGamePosition(game), whole_path(GraphMode::Dag), 7, counts);
  REQUIRE(tree.size() == dag.size());
  for (std::size_t i = 0; i < tree.size(); ++i) {
    CHECK(tree[i].move == dag[i].move);
    CHECK(tree[i].num_nodes == dag[i].num_nodes);
  }
}

TEST_CASE("choices: flat Monte-Carlo tries the moves in turn") {
  PGameSpec spec = spec_of(4, 1, 0, 1);  // one move, whose value shows at once
  spec.mixed_root = false;
  for (spec.seed = 0; spec.seed < 40; ++spec.seed) {
    const PGame game(spec);
    const std::vector<std::uint64_t> counts = {1, 4};
    const auto found = choices_of_flat_monte_carlo(PGamePosition(game), 1, counts);
    CHECK(found[0].move == 0);
    Move first_winning = 0;
    while (first_winning < 4 && !PGamePosition(game).is_winning(first_winning)) ++first_winning;
    CHECK(found[1].move == (first_winning < 4 ? first_winning : 0));
  }
}
