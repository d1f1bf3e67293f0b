// Gomoku: counts, and what its playouts are; the rules against a slow reading are in tests/games.
#include "games/gomoku.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "tests/game_checks.hpp"

using namespace tesuji;

TEST_CASE("Gomoku: five stones in any of the four directions win, on every size") {
  for (int size = 5; size <= 19; ++size)
    for (const auto& [down, right] : {std::pair{0, 1}, {1, 0}, {1, 1}, {1, -1}}) {
      Gomoku game(size);
      const int first_column = right < 0 ? size - 1 : size - 1 - 4 * right;  // the last five that fit
      for (int i = 0; i < 5; ++i) {
        const int row = size - 1 - 4 * down + i * down, column = first_column + i * right;
        REQUIRE(!game.is_over());
        game.play(row * size + column);
        if (i == 4) break;
        // The opponent plays far from any line: two stones here, two there.
        const MoveList legal = moves_of(game);
        game.play(legal[i < 2 ? static_cast<std::size_t>(i) : static_cast<std::size_t>(i) + 1]);
      }
      CHECK(game.is_over());
      CHECK(game.value() == 1.0);
    }
}

TEST_CASE("Gomoku: lines do not go on from one row to the next") {
  Gomoku game(5);
  for (const Move move : {2, 20, 3, 21, 4, 23, 5, 24}) game.play(move);
  game.play(6);  // 2 to 6 are five numbers in two rows
  CHECK(!game.is_over());
}

TEST_CASE("Gomoku has as many states as its stones can be placed in") {
  // 25, then 25 * 24, then 25 * 24 * 23 / 2 (two equal stones).
  CHECK(count_states(Gomoku(5), 3) == std::vector<std::size_t>{1, 25, 600, 6'900});
}

TEST_CASE("Gomoku: playouts are legal games, uniform in their first move, and silent about being recorded") {
  for (const int size : {5, 6, 15, 19}) check_playouts_are_games(Gomoku(size), size < 10 ? 300 : 30, 1);
  check_first_moves_uniform(Gomoku(5), 2);
  check_record_changes_nothing(Gomoku(7));
}

TEST_CASE("Gomoku sizes outside 5..19 are refused") {
  for (const int size : {-1, 0, 4, 20, 1000}) CHECK_THROWS_AS(Gomoku{size}, std::invalid_argument);
}
