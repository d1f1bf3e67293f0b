// Havannah: what a cell touches, how many there are, what playouts are; the rules against a slow reading and pictures
// of every way to win are in tests/games.
#include "games/havannah.hpp"

#include <doctest/doctest.h>

#include <map>
#include <stdexcept>

#include "tests/game_checks.hpp"

using namespace tesuji;

TEST_CASE("Havannah boards have six corners, and six sides without them") {
  for (int base = 4; base <= 10; ++base) {
    std::map<int, int> count;
    for (const Move move : moves_of(Havannah(base)))
      ++count[detail::kHavannahCells.of[static_cast<std::size_t>(base)][static_cast<std::size_t>(move)].touches];
    CHECK(count.size() == 13);
    for (int bit = 0; bit < 12; ++bit) CHECK(count[1 << bit] == (bit < 6 ? base - 2 : 1));
    CHECK(count[0] == 3 * (base - 1) * (base - 2) + 1);  // the board that is one smaller
  }
}

TEST_CASE("Havannah: arcs are told apart") {
  const auto& arcs = detail::kArcs.of;
  CHECK(arcs[0].count == 0);
  CHECK(arcs[0b000001].count == 1);
  CHECK(arcs[0b000101].count == 2);
  CHECK(arcs[0b010101].count == 3);
  CHECK(arcs[0b100001].count == 1);  // the last and the first are neighbours
  CHECK(arcs[0b111111].count == 1);
  CHECK(arcs[0b100011].middles == 0b000001);
  CHECK(arcs[0b000011].middles == 0);
}

TEST_CASE("Havannah has as many states as its stones can be placed in") {
  CHECK(count_states(Havannah(4), 2) == std::vector<std::size_t>{1, 37, 37 * 36});
}

TEST_CASE("Havannah: playouts are legal games, uniform in their first move, and silent about being recorded") {
  for (int base = 4; base <= 10; ++base) check_playouts_are_games(Havannah(base), base < 6 ? 200 : 20, 1);
  check_first_moves_uniform(Havannah(4), 2);
  check_record_changes_nothing(Havannah(5));
}

TEST_CASE("Havannah bases outside 4..10 are refused") {
  for (const int base : {-1, 0, 3, 11, 1000}) CHECK_THROWS_AS(Havannah{base}, std::invalid_argument);
}
