#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>

#include "base/rng.hpp"
#include "go/board.hpp"
#include "go/life.hpp"
#include "go/ownership.hpp"
#include "go/score.hpp"
#include "tests/picture.hpp"

using namespace tesuji;
using namespace tesuji::go;

namespace {

Board board_from(const Picture& rows, Color to_play, const Rules& rules) {
  Board board(static_cast<int>(rows[0].size()), static_cast<int>(rows.size()), rules);
  Position position{.width = board.width(), .height = board.height(), .colors = {}, .to_play = to_play};
  for (const auto& row : rows)
    for (const char sign : row) position.colors.push_back(sign == 'X' ? 1 : sign == 'O' ? 2 : 0);
  REQUIRE(board.set_up(position));
  return board;
}

}  // namespace

TEST_CASE("sizes outside 1..25 are refused") {
  CHECK_THROWS_AS(Board(0, 9, {}), std::invalid_argument);
  CHECK_THROWS_AS(Board(9, 26, {}), std::invalid_argument);
  CHECK_NOTHROW(Board(25, 1, {}));
}

TEST_CASE("undoing a whole random game returns to every position on the way") {
  for (const KoRule ko : {KoRule::Simple, KoRule::Positional, KoRule::Situational}) {
    Board board(6, 5, {.ko = ko, .suicide = true});
    Rng rng(3);
    std::vector<Position> positions{board.position()};
    std::vector<int> captured{0};
    while (positions.size() < 300) {
      const int move = static_cast<int>(rng.below(31));
      if (board.legality(move, board.to_play()) != Legality::Legal) continue;
      board.play(move, board.to_play());
      positions.push_back(board.position());
      captured.push_back(board.captured(Color::Black) * 1000 + board.captured(Color::White));
    }
    while (positions.size() > 1) {
      REQUIRE(board.position() == positions.back());
      REQUIRE(board.key() == positions.back().key());
      REQUIRE(captured.back() == board.captured(Color::Black) * 1000 + board.captured(Color::White));
      REQUIRE(board.undo());
      positions.pop_back();
      captured.pop_back();
    }
    REQUIRE(board.position() == positions.back());
    REQUIRE(!board.undo());
  }
}

TEST_CASE("superko: no position of a game is ever repeated") {
  Board board(3, 2, {.ko = KoRule::Positional, .suicide = true});
  Rng rng(4);
  std::vector<ZobristKey> seen{board.stones_key()};
  for (int i = 0; i < 2000; ++i) {
    const int move = static_cast<int>(rng.below(7));
    if (board.legality(move, board.to_play()) != Legality::Legal) continue;
    board.play(move, board.to_play());
    if (move == board.pass_move()) continue;
    REQUIRE(std::find(seen.begin(), seen.end(), board.stones_key()) == seen.end());
    seen.push_back(board.stones_key());
  }
  CHECK(seen.size() > 20);
}

TEST_CASE("Benson: two eyes live, one does not") {
  const auto alive = board_from({".XO..", "XXO..", ".XO..", "XXO..", "OOO.."}, Color::Black, {});
  CHECK(unconditional_life(alive, Color::Black).stones.size() == 6);
  CHECK(unconditional_life(alive, Color::Black).territory == std::vector<int>{0, 10});
  CHECK(unconditional_life(alive, Color::White).stones.empty());
  const auto dead = board_from({".XO..", "XXO..", "XXO..", "XXO..", "OOO.."}, Color::Black, {});
  CHECK(unconditional_life(dead, Color::Black).stones.empty());
}

TEST_CASE("counting: stones, surrounded points, dead stones, seki") {
  const auto board = board_from({".XO.O", "XXOOO", ".XXO.", "XXXOO", "X.XO."}, Color::Black, {});
  const std::vector<std::uint8_t> none(25, 0);
  const Tally t = tally(board, none, none);
  CHECK(t.stones == std::array<int, 2>{10, 9});
  CHECK(t.surrounded == std::array<int, 2>{3, 3});  // A5, A3, B1; D5, E3, E1
  CHECK(area_margin(board.stones()) == 1);

  std::vector<std::uint8_t> dead(25, 0), seki(25, 0);
  for (int point = 0; point < 25; ++point)
    dead[static_cast<std::size_t>(point)] = board.color_at(point) == Color::White;
  const Tally killed = tally(board, dead, none);
  CHECK(killed.dead == std::array<int, 2>{0, 9});
  CHECK(killed.surrounded == std::array<int, 2>{15, 0});
  for (int point = 0; point < 25; ++point)
    seki[static_cast<std::size_t>(point)] = board.color_at(point) == Color::Black;
  CHECK(tally(board, none, seki).in_seki == std::array<int, 2>{3, 0});
}

TEST_CASE("legal positions are as many as published (Tromp and Farneback)") {
  CHECK(count_legal_positions(1, 1) == 1);
  CHECK(count_legal_positions(2, 2) == 57);
  CHECK(count_legal_positions(3, 3) == 12675);
  CHECK_THROWS(count_legal_positions(5, 4));
}

TEST_CASE("a random game played on the board is legal and ends with two passes") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Board board(7, 7, {});
    play_randomly(board, seed);
    CHECK(board.passes() == 2);
  }
}
