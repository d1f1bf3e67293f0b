// Breakthrough: counts, and what its playouts are; the rules against a slow reading are in tests/games.
#include "games/breakthrough.hpp"

#include <doctest/doctest.h>

#include "tests/game_checks.hpp"

using namespace tesuji;

TEST_CASE("Breakthrough has as many games of each length as tests/reference counts") {
  const std::uint64_t counts[] = {1, 22, 484, 11'132, 256'036};
  for (int depth = 0; depth < 5; ++depth) CHECK(count_games(Breakthrough{}, depth) == counts[depth]);
}

TEST_CASE("Breakthrough: there is always a move, and every game is won") {
  Rng rng(1);
  int wins[2] = {0, 0};
  for (int number = 0; number < 500; ++number) {
    Breakthrough game;
    while (!game.is_over()) {
      const MoveList legal = moves_of(game);
      REQUIRE(!legal.empty());
      game.play(legal[rng.below(legal.size())]);
    }
    ++wins[game.value() == 1.0 ? 0 : 1];
  }
  CHECK((wins[0] > 150 && wins[1] > 150));
}

TEST_CASE("Breakthrough: playouts are legal games, uniform in their first move, and silent about being recorded") {
  Breakthrough later;  // pawns have met: some moves take, some are blocked
  Rng rng(3);
  for (int turn = 0; turn < 30 && !later.is_over(); ++turn) {
    const MoveList legal = moves_of(later);
    later.play(legal[rng.below(legal.size())]);
  }
  REQUIRE(!later.is_over());
  check_playouts_are_games(Breakthrough{}, 300, 1);
  check_first_moves_uniform(Breakthrough{}, 2);
  check_first_moves_uniform(later, 4);
  check_record_changes_nothing(Breakthrough{});
}
