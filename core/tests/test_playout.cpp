#include <doctest/doctest.h>

#include "base/rng.hpp"
#include "go/playout.hpp"
#include "go/score.hpp"
#include "tests/picture.hpp"

using namespace tesuji;
using namespace tesuji::go;

TEST_CASE("a playout ends with two passes, every empty point an eye or closed to both") {
  Rng rng(1);
  for (int i = 0; i < 500; ++i) {
    Stones<9, kTactical> stones(9, 9);
    const int moves = play_out(stones, Color::Black, 0, standard_limits(81), rng);
    if (moves >= standard_limits(81).max_moves) continue;
    for (int slot = 0; slot < stones.num_empty(); ++slot)
      REQUIRE(near::num_empty(stones.around(stones.empty(slot))) == 0);
    REQUIRE(area_margin_at_end(stones) == area_margin(stones));  // the short count agrees with flood filling
  }
}

TEST_CASE("playouts are as long as uniform play without eye filling is") {
  // Means of a plain flood-fill program (shared experiments): 111.15 moves on 9x9, with both passes.
  double moves = 0;
  Rng rng(2);
  for (int i = 0; i < 20000; ++i) {
    Stones<9, kLight> stones(9, 9);
    moves += play_out(stones, Color::Black, 0, standard_limits(81), rng);
  }
  CHECK(moves / 20000 == doctest::Approx(111.1).epsilon(0.005));
}

TEST_CASE("the three trackings play the same games") {
  Rng a(3), b(3), c(3);
  for (int i = 0; i < 200; ++i) {
    Stones<13, kLight> light(13, 13);
    Stones<13, kHashed> hashed(13, 13);
    Stones<13, kTactical> tactical(13, 13);
    const int moves = play_out(light, Color::White, 0, standard_limits(169), a);
    REQUIRE(moves == play_out(hashed, Color::White, 0, standard_limits(169), b));
    REQUIRE(moves == play_out(tactical, Color::White, 0, standard_limits(169), c));
    REQUIRE(picture_of(light) == picture_of(hashed));
    REQUIRE(picture_of(light) == picture_of(tactical));
  }
}

TEST_CASE("a playout from two passes has no move, from one pass it may end at once") {
  Rng rng(4);
  Stones<9, kLight> stones(1, 1);
  CHECK(play_out(stones, Color::Black, 2, standard_limits(1), rng) == 0);
  CHECK(play_out(stones, Color::Black, 1, standard_limits(1), rng) == 1);
  CHECK(play_out(stones, Color::Black, 0, standard_limits(1), rng) == 2);
}

TEST_CASE("limits: the number of moves, and mercy") {
  Rng rng(5);
  Stones<9, kLight> stones(9, 9);
  CHECK(play_out(stones, Color::Black, 0, {10, 0}, rng) == 10);
  CHECK(stones.num_empty() == 71);

  int short_ones = 0;
  for (int i = 0; i < 200; ++i) {
    Stones<9, kLight> merciful(9, 9);
    const int moves = play_out(merciful, Color::Black, 0, {1000, 20}, rng);
    const int margin = merciful.stone_margin() < 0 ? -merciful.stone_margin() : merciful.stone_margin();
    short_ones += margin >= 20 && moves < 100;
  }
  CHECK(short_ones > 0);
}
