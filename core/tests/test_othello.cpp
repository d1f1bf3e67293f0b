// Othello against known counts; whole games against a slow reading of the rules are in tests/games.
#include "games/othello.hpp"

#include <doctest/doctest.h>

#include "tests/game_checks.hpp"

using namespace tesuji;

TEST_CASE("Othello has the known number of games of each length") {
  // Aart Bik's perft counts; a pass is a move of its own (the first can come as the ninth).
  const std::uint64_t counts[] = {1, 4, 12, 56, 244, 1'396, 8'200, 55'092, 390'216, 3'005'288};
  for (int depth = 0; depth < 10; ++depth) CHECK(count_games(Othello{}, depth) == counts[depth]);
}

TEST_CASE("Othello: the only move of a side that can turn nothing is to pass") {
  Rng rng(2);
  int num_passes = 0, num_games_with_passes = 0;
  for (int number = 0; number < 200; ++number) {
    Othello game;
    bool passed_before = false, has_pass = false;
    while (!game.is_over()) {
      const MoveList legal = moves_of(game);
      const bool passes = legal == MoveList{Othello::kPass};
      REQUIRE((passes || legal.back() != Othello::kPass));
      REQUIRE(!(passes && passed_before));  // two passes would have been the end
      num_passes += passes;
      has_pass |= passes;
      passed_before = passes;
      const int mover = game.to_play();
      game.play(legal[rng.below(legal.size())]);
      REQUIRE(game.to_play() == 1 - mover);
    }
    num_games_with_passes += has_pass;
    REQUIRE(moves_of(game).empty());
  }
  CHECK(num_passes > 50);
  CHECK(num_games_with_passes > 50);
}

TEST_CASE("Othello: playouts are legal games, uniform in their first move, and silent about being recorded") {
  Othello later;
  for (const Move move : {19, 18, 17, 9, 1}) later.play(move);
  check_playouts_are_games(Othello{}, 300, 1);
  check_first_moves_uniform(Othello{}, 2);
  check_first_moves_uniform(later, 3);
  check_record_changes_nothing(Othello{});
}
