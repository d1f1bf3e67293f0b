#include <doctest/doctest.h>

#include <utility>

#include "games/samegame.hpp"
#include "search/solutions.hpp"

using namespace tesuji;

TEST_CASE("cells: neighbours do not wrap from one column to the next") {
  Cells all;
  for (int column = 0; column < SameGame::kMaxWidth; ++column)
    for (int row = 0; row < SameGame::kMaxHeight; ++row) all |= Cells::at(column, row);
  CHECK(all.count() == 225);
  CHECK(all.touching(Cells::at(3, 14)).count() == 3);
  CHECK(all.touching(Cells::at(0, 0)).count() == 2);
  CHECK(all.touching(Cells::at(14, 14)).count() == 2);
  CHECK(all.touching(Cells::at(4, 7)).count() == 4);  // the first column of a word
  CHECK_FALSE(all.touching(Cells::at(3, 14)).has(4, 0));
  CHECK(all.group_around(Cells::at(7, 7)) == all);
}

TEST_CASE("cells: the nth cell and closing a column") {
  Cells cells;
  for (const auto& [column, row] : {std::pair{0, 3}, {5, 0}, {5, 14}, {14, 1}}) cells |= Cells::at(column, row);
  CHECK(cells.nth(0) == 3);
  CHECK(cells.nth(2) == 5 * 16 + 14);
  CHECK(cells.nth(3) == 14 * 16 + 1);
  cells.close_column(2);
  CHECK(cells.has(0, 3));
  CHECK(cells.has(4, 0));
  CHECK(cells.has(4, 14));
  CHECK(cells.has(13, 1));
  CHECK(cells.count() == 4);
  cells.close_column(4);
  CHECK(cells.count() == 2);
  CHECK(cells.has(12, 1));
}

TEST_CASE("samegame: a playout's record replays to its value") {
  for (const auto playout : {SameGame::Playout::Uniform, SameGame::Playout::TabuColor})
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const SameGame start = SameGame::random(15, 15, 5, seed, playout);
      Rng rng(seed);
      MoveLog log;
      SameGame played = start, replayed = start;
      const double value = played.play_out(rng, &log);
      for (const Move move : log.moves) {
        CHECK(is_legal_move(replayed, move));
        replayed.play(move);
      }
      CHECK(replayed.is_over());
      CHECK(replayed.value() == value);
      CHECK(replayed.hash() == played.hash());
    }
}

TEST_CASE("samegame: equal boards with different scores are different states") {
  SameGame one("3.\n11\n22"), other("3.\n22\n11");
  one.play(0);
  other.play(0);
  CHECK(one.hash() != other.hash());  // other colours are left
  SameGame cheap("2...\n2111"), dear("2....\n21111");
  cheap.play(2);
  dear.play(2);
  CHECK(cheap.score() == 1);
  CHECK(dear.score() == 4);
  CHECK(cheap.hash() != dear.hash());
}
