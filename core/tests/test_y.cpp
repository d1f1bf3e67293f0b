// Y: one winner on every full board, by chains and by reduction; the rules against a slow reading are in tests/games.
#include "games/y.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "tests/game_checks.hpp"

using namespace tesuji;

TEST_CASE("Y: the reduction of a full board and the chains of the game that fills it name the same winner") {
  for (const int size : {1, 2, 3, 5, 8, 11, 19}) check_playouts_are_games(Y(size), size < 10 ? 300 : 30, 5);
  Y half(7);
  Rng rng(6);
  for (int i = 0; i < 20 && !half.is_over(); ++i) {
    check_playouts_are_games(half, 20, static_cast<std::uint64_t>(i));
    const MoveList legal = moves_of(half);
    half.play(legal[rng.below(legal.size())]);
  }
}

TEST_CASE("Y: of all ways to fill a board, each side wins those in which the other loses") {
  // With an odd number of cells the first player has one stone more, and wins more of them.
  Rng rng(1);
  int wins = 0;
  for (int number = 0; number < 2000; ++number) wins += Y(5).play_out(rng, kNoRecord) == 1.0;
  CHECK(wins > 1000);
  CHECK(wins < 1500);
}

TEST_CASE("Y has as many states as its stones can be placed in") {
  CHECK(count_states(Y(4), 3) == std::vector<std::size_t>{1, 10, 90, 360});
}

TEST_CASE("Y: playouts are uniform in their first move and silent about being recorded") {
  check_first_moves_uniform(Y(5), 2);
  check_record_changes_nothing(Y(6));
}

TEST_CASE("Y sizes outside 1..19 are refused") {
  for (const int size : {-1, 0, 20, 1000}) CHECK_THROWS_AS(Y{size}, std::invalid_argument);
}
