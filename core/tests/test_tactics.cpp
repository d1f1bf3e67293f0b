// Questions about chains and moves, asked of pictures.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "go/eye_spaces.hpp"
#include "go/tactics.hpp"
#include "tests/picture.hpp"

using namespace tesuji;
using namespace tesuji::go;

namespace {

using Nine = Stones<9, kTactical>;

constexpr Color kBlack = Color::Black, kWhite = Color::White;

Cell at(int row, int column) { return Nine::L::cell(row, column); }

Nine board(const Picture& rows) { return stones_from<Nine>(rows); }

template <std::size_t Limit>
std::vector<Cell> sorted(const FewCells<Limit>& cells) {
  std::vector<Cell> list(cells.begin(), cells.end());
  std::sort(list.begin(), list.end());
  return list;
}

Picture turned(const Picture& rows) {  // a quarter to the right
  Picture result(rows[0].size(), std::string(rows.size(), '.'));
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (std::size_t column = 0; column < rows[0].size(); ++column)
      result[column][rows.size() - 1 - row] = rows[row][column];
  return result;
}

Picture mirrored(Picture rows) {
  for (std::string& row : rows) std::reverse(row.begin(), row.end());
  return rows;
}

std::vector<Picture> all_eight(Picture rows) {
  std::vector<Picture> result;
  for (int i = 0; i < 4; ++i, rows = turned(rows)) {
    result.push_back(rows);
    result.push_back(mirrored(rows));
  }
  return result;
}

// The cell of a sign in a picture; kPass if there is none.
Cell find(const Picture& rows, char sign) {
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (const auto column = rows[row].find(sign); column != std::string::npos)
      return at(static_cast<int>(row), static_cast<int>(column));
  return kPass;
}

}  // namespace

// --- liberties and outcomes ---

TEST_CASE("few_liberties() finds each liberty once and stops at its limit") {
  const Nine stones = board({".....", ".XX..", ".X.X.", "....."});
  CHECK(sorted(few_liberties<9>(stones, at(1, 1))) ==
        std::vector<Cell>{at(0, 1), at(0, 2), at(1, 0), at(1, 3), at(2, 0), at(2, 2), at(3, 1)});
  CHECK(few_liberties<3>(stones, at(1, 1)).size == 3);
  CHECK(few_liberties<2>(stones, at(1, 1)).size == 2);
  CHECK(few_liberties<1>(stones, at(1, 1)).size == 1);
  CHECK(few_liberties<9>(stones, at(2, 3)).size == 4);
}

TEST_CASE("few_liberties() agrees with a walk that keeps no limit, in random games") {
  Rng rng(1);
  for (int game = 0; game < 50; ++game) {
    Nine stones(7, 9);
    for (int move = 0; move < 80; ++move) {
      if (move % 2 == 0)
        stones.play_uniformly<kBlack>(rng);
      else
        stones.play_uniformly<kWhite>(rng);
      for (int row = 0; row < 9; ++row)
        for (int column = 0; column < 7; ++column) {
          const Cell cell = at(row, column);
          if (stones.color(cell) == Color::Empty) continue;
          std::vector<Cell> all;
          stones.liberties(stones.chain(cell), all);
          REQUIRE(few_liberties<3>(stones, cell).size == std::min<std::size_t>(3, all.size()));
        }
    }
  }
}

TEST_CASE("liberties_of() counts to three and names two, in the order of a walk, in random games") {
  Rng rng(11);
  for (int game = 0; game < 50; ++game) {
    Nine stones(9, 7);
    for (int move = 0; move < 90; ++move) {
      if (move % 2 == 0)
        stones.play_uniformly<kBlack>(rng);
      else
        stones.play_uniformly<kWhite>(rng);
      for (int row = 0; row < 7; ++row)
        for (int column = 0; column < 9; ++column) {
          const Cell cell = at(row, column);
          if (stones.color(cell) == Color::Empty) continue;
          const auto walked = few_liberties<3>(stones, cell);
          const ChainLiberties found = liberties_of(stones, cell);
          REQUIRE(found.number == static_cast<int>(walked.size));
          for (std::size_t i = 0; found.number < 3 && i < walked.size; ++i) REQUIRE(found.cells[i] == walked.cells[i]);
        }
    }
  }
}

TEST_CASE("few cells: no cell twice, none beyond the limit") {
  FewCells<2> cells;
  CHECK(cells.add(7));
  CHECK(cells.add(7));
  CHECK(cells.add(8));
  CHECK(!cells.add(9));
  CHECK(cells.add(8));
  CHECK(cells.size == 2);
  CHECK(!cells.has(9));
}

TEST_CASE("the chains around a point are visited once each, of one colour only") {
  const Nine stones = board({".XX..", ".X.O.", ".XX..", "....."});
  std::vector<Cell> chains;
  for_each_chain_around(stones, at(1, 2), kBlack, [&](Cell chain) { chains.push_back(chain); });
  CHECK(chains == std::vector<Cell>{stones.chain(at(1, 1))});
  chains.clear();
  for_each_chain_around(stones, at(1, 2), kWhite, [&](Cell chain) { chains.push_back(chain); });
  CHECK(chains == std::vector<Cell>{stones.chain(at(1, 3))});
}

TEST_CASE("outcome_of(): a lone stone has its empty neighbours as liberties, at most three counted") {
  const Outcome centre = outcome_of<kBlack>(board({"...", "...", "..."}), at(1, 1));
  CHECK(centre.liberties == 3);
  CHECK(centre.chain_size == 1);
  CHECK(centre.captured == 0);
  CHECK(outcome_of<kBlack>(board({"...", "...", "..."}), at(0, 0)).liberties == 2);
  CHECK(outcome_of<kWhite>(board({".X.", "...", "..."}), at(0, 0)).liberties == 1);
  CHECK(outcome_of<kWhite>(board({".X.", "X..", "..."}), at(0, 0)).liberties == 0);
}

TEST_CASE("outcome_of(): a captured stone leaves a liberty where it was") {
  const Outcome one = outcome_of<kBlack>(board({".OX", "O..", "..."}), at(1, 1));
  CHECK(one.captured == 0);
  const Outcome corner = outcome_of<kBlack>(board({".OX", "OX.", "..."}), at(0, 0));
  CHECK(corner.captured == 1);
  CHECK(corner.liberties == 1);
  CHECK(corner.chain_size == 1);
  // One chain that touches the point twice is counted once, two chains are added up.
  const Outcome twice = outcome_of<kBlack>(board({"XXXX.", "XOOX.", "XO.X.", "XX.X.", "....."}), at(2, 2));
  CHECK(twice.captured == 3);
  const Outcome two = outcome_of<kBlack>(board({".X.X.", "XO.OX", ".X.X."}), at(1, 2));
  CHECK(two.captured == 2);
  CHECK(two.liberties == 3);
}

TEST_CASE("outcome_of(): joined chains share their liberties, the point itself is none") {
  const Outcome joined = outcome_of<kBlack>(board({"OXOO", "X.XO", "OXOO", ".OO."}), at(1, 1));
  CHECK(joined.chain_size == 5);
  CHECK(joined.liberties == 0);
  const Outcome bridge = outcome_of<kBlack>(board({"....", "X.X.", "OOO."}), at(1, 1));
  CHECK(bridge.chain_size == 3);
  CHECK(bridge.liberties == 3);
  const Outcome same = outcome_of<kBlack>(board({"XX..", "X...", "...."}), at(1, 1));  // one chain from two sides
  CHECK(same.chain_size == 4);
}

TEST_CASE("outcome_of() foretells what playing does, in random games") {
  Rng rng(2);
  for (int game = 0; game < 60; ++game) {
    Nine stones(6, 6);
    for (int move = 0; move < 70; ++move) {
      for (int slot = 0; slot < stones.num_empty(); ++slot) {
        const Cell cell = stones.empty(slot);
        if (stones.is_suicide<kBlack>(cell)) continue;
        const Outcome outcome = outcome_of<kBlack>(stones, cell);
        Nine after = stones;
        const int captured = after.play<kBlack>(cell);
        REQUIRE(outcome.captured == captured);
        REQUIRE(outcome.chain_size == after.chain_size(after.chain(cell)));
        // Stones captured beside joined chains free more liberties than are counted.
        const auto liberties = static_cast<int>(few_liberties<3>(after, cell).size);
        if (captured == 0)
          REQUIRE(outcome.liberties == liberties);
        else
          REQUIRE(outcome.liberties <= liberties);
        REQUIRE(liberties_after<kBlack, 2>(stones, cell) == std::min(outcome.liberties, 2));
        Cell liberty = kPass;
        const bool is_any = is_self_atari<kBlack>(stones, cell, liberty);
        REQUIRE(is_any == (captured == 0 && liberties < 2));
        if (is_any) REQUIRE(liberty == (liberties == 0 ? kPass : few_liberties<1>(after, cell).cells[0]));
      }
      if (move % 2 == 0)
        stones.play_uniformly<kBlack>(rng);
      else
        stones.play_uniformly<kWhite>(rng);
    }
  }
}

TEST_CASE("captures around a chain are the liberties of its attackers in atari") {
  const Nine stones = board({"..X..", ".XO..", ".OXO.", "..O.."});
  std::vector<Cell> moves;
  for_each_capture_around<kBlack>(stones, at(2, 2), [&](Cell liberty, Cell chain) {
    CHECK(chain == stones.chain(at(1, 2)));
    moves.push_back(liberty);
  });
  CHECK(moves == std::vector<Cell>{at(1, 3)});
}

TEST_CASE("a point is playable unless it is taken, the ko, or suicide") {
  auto stones = board({".XO.", "XO.O", ".XO."});
  CHECK(!is_playable<kBlack>(stones, at(0, 1)));
  CHECK(is_playable<kBlack>(stones, at(1, 2)));
  CHECK(is_playable<kWhite>(stones, at(0, 0)));  // takes a stone
  CHECK(!is_playable<kWhite>(board({".X.", "XX.", "..."}), at(0, 0)));
  stones.play<kBlack>(at(1, 2));
  CHECK(stones.ko() == at(1, 1));
  CHECK(!is_playable<kWhite>(stones, at(1, 1)));
  stones.pass();
  CHECK(is_playable<kWhite>(stones, at(1, 1)));
}

// --- ladders ---

namespace {

const Picture kLadder = {".........", ".........", "..OO.....", ".OX......", "..O......",
                         ".........", ".........", ".........", "........."};

Picture with(Picture rows, int row, int column, char sign) {
  rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] = sign;
  return rows;
}

}  // namespace

TEST_CASE("a ladder that runs across the board to the edge holds") {
  CHECK(is_caught_in_ladder<kBlack>(board(kLadder), at(3, 2)));
}

TEST_CASE("a stone of the prey on the way breaks a ladder, one elsewhere does not") {
  for (const auto& [row, column] : std::vector<std::array<int, 2>>{{4, 4}, {5, 5}, {6, 6}, {7, 7}, {5, 4}, {4, 5}})
    CHECK(!is_caught_in_ladder<kBlack>(board(with(kLadder, row, column, 'X')), at(3, 2)));
  for (const auto& [row, column] : std::vector<std::array<int, 2>>{{0, 0}, {0, 8}, {8, 0}, {7, 2}, {3, 7}})
    CHECK(is_caught_in_ladder<kBlack>(board(with(kLadder, row, column, 'X')), at(3, 2)));
}

TEST_CASE("a stone of the hunter on the way ends a ladder early, but not its success") {
  CHECK(is_caught_in_ladder<kBlack>(board(with(kLadder, 6, 6, 'O')), at(3, 2)));
}

TEST_CASE("a ladder is read from corner to corner of a large board") {
  using Large = Stones<19, kTactical>;
  Picture rows(19, std::string(19, '.'));
  rows[1] = ".OO................";
  rows[2] = "OX.................";
  rows[3] = ".O.................";
  const auto is_caught = [](const Picture& picture) {
    return is_caught_in_ladder<kBlack>(stones_from<Large>(picture), Large::L::cell(2, 1));
  };
  CHECK(is_caught(rows));
  CHECK(!is_caught(with(rows, 17, 16, 'X')));
  CHECK(!is_caught(with(rows, 16, 16, 'X')));
  CHECK(is_caught(with(rows, 16, 2, 'X')));
}

TEST_CASE("a hunter's stone in atari is a way out") {
  Picture rows = with(with(kLadder, 2, 1, 'X'), 3, 0, 'X');
  CHECK(!is_caught_in_ladder<kBlack>(board(rows), at(3, 2)));  // (4, 1) takes one
}

TEST_CASE("three liberties at once are no ladder; on the first line one crawls into the corner") {
  CHECK(!is_caught_in_ladder<kBlack>(board({".....", "..O..", ".OX..", "..O..", "....."}), at(2, 2)));
  CHECK(is_caught_in_ladder<kBlack>(board({"......", ".OO...", "OX...."}), at(2, 1)));
  CHECK(!is_caught_in_ladder<kBlack>(board({"......", ".OOX..", "OX.X.."}), at(2, 1)));
}

TEST_CASE("the prey may be white, and the ladder turned or mirrored") {
  for (Picture rows : all_eight(with(kLadder, 3, 2, 'P'))) {
    const Cell prey = find(rows, 'P');
    for (std::string& row : rows) {
      std::replace(row.begin(), row.end(), 'O', 'X');
      std::replace(row.begin(), row.end(), 'P', 'O');
    }
    CHECK(is_caught_in_ladder<kWhite>(board(rows), prey));
  }
}

TEST_CASE("a ladder move is the atari from the right side") {
  // White to move; the black stone has two liberties, (3, 3) and (4, 2).
  const Nine stones = board({".........", ".........", "..OO.....", ".OX......", ".........", ".........", ".........",
                             ".........", "........."});
  CHECK(is_ladder_move<kBlack>(stones, at(3, 2), at(4, 2)));
  CHECK(!is_ladder_move<kBlack>(stones, at(3, 2), at(3, 3)));
  CHECK(!is_ladder_move<kBlack>(stones, at(3, 2), at(8, 8)));  // no atari
}

TEST_CASE("a ladder move that can be taken at once is none") {
  // White at (2, 2) would give atari, and stand in atari itself at (1, 2).
  const Nine stones = board({"......", ".X.X..", "XO.X..", ".X....", "......"});
  CHECK(!is_ladder_move<kBlack>(stones, at(3, 1), at(2, 2)));
}

// --- vital points ---

namespace {

struct Shape {
  const char* name;
  Picture rows;  // '#' a cell of the shape, '*' its vital point
};

const std::vector<Shape> kShapesWithVitalPoint = {
    {"straight three", {"#*#"}},      {"bent three", {"#*", ".#"}},
    {"pyramid four", {"#*#", ".#."}}, {"crossed five", {".#.", "#*#", ".#."}},
    {"bulky five", {"##.", "#*#"}},   {"rabbity six", {"##.", "#*#", ".#."}},
};
const std::vector<Shape> kShapesWithoutVitalPoint = {
    {"one", {"#"}},
    {"two", {"##"}},
    {"straight four", {"####"}},
    {"square four", {"##", "##"}},
    {"bent four", {"###", "#.."}},
    {"zigzag four", {"##.", ".##"}},
    {"straight five", {"#####"}},
    {"L five", {"####", "#..."}},
    {"T five", {"###", ".#.", ".#."}},
    {"Y five", {"####", ".#.."}},
    {"U five", {"###", "#.#"}},
    {"V five", {"###", "#..", "#.."}},
    {"W five", {"##.", ".##", "..#"}},
    {"Z five", {"##.", ".#.", ".##"}},
    {"N five", {"##..", ".###"}},
    {"F five", {".##", "##.", ".#."}},
    {"straight six", {"######"}},
    {"rectangular six", {"###", "###"}},
    {"long cross", {".#..", "####", ".#.."}},
    {"bulky five and one", {"##..", "####"}},
    {"seven", {"###", "###", "#.."}},
};

std::vector<Cell> cells_of(const Picture& rows) {
  std::vector<Cell> cells;
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (std::size_t column = 0; column < rows[row].size(); ++column)
      if (rows[row][column] != '.') cells.push_back(at(static_cast<int>(row) + 1, static_cast<int>(column) + 1));
  return cells;
}

// The shape as an eye space of white, in the middle of a board that white fills otherwise, or in its corner.
Nine eye_space(const Picture& rows, int margin) {
  Picture whole(9, std::string(9, 'O'));
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (std::size_t column = 0; column < rows[row].size(); ++column)
      if (rows[row][column] != '.')
        whole[row + static_cast<std::size_t>(margin)][column + static_cast<std::size_t>(margin)] = '.';
  whole[8][8] = '.';
  return board(whole);
}

Cell moved(Cell cell, int by) { return cell == kPass ? kPass : static_cast<Cell>(cell + by * (Nine::L::kStride + 1)); }

}  // namespace

TEST_CASE("vital_point() knows the six killing shapes, however they lie and in whatever order their cells come") {
  const Nine empty(9, 9);
  for (const Shape& shape : kShapesWithVitalPoint)
    for (const Picture& rows : all_eight(shape.rows)) {
      CAPTURE(shape.name);
      std::vector<Cell> cells = cells_of(rows);
      const Cell vital = moved(find(rows, '*'), 1);
      CHECK(vital_point(empty, cells.data(), cells.size()) == vital);
      std::reverse(cells.begin(), cells.end());
      CHECK(vital_point(empty, cells.data(), cells.size()) == vital);
    }
}

TEST_CASE("vital_point() of other shapes is nowhere") {
  const Nine empty(9, 9);
  for (const Shape& shape : kShapesWithoutVitalPoint)
    for (const Picture& rows : all_eight(shape.rows)) {
      CAPTURE(shape.name);
      const std::vector<Cell> cells = cells_of(rows);
      CHECK(vital_point(empty, cells.data(), cells.size()) == kPass);
    }
}

TEST_CASE("the vital point of an eye space is found from each of its cells, in the centre and in the corner") {
  for (const auto* shapes : {&kShapesWithVitalPoint, &kShapesWithoutVitalPoint})
    for (const Shape& shape : *shapes)
      for (const Picture& rows : all_eight(shape.rows))
        for (const int margin : {0, 2}) {
          CAPTURE(shape.name);
          const Nine stones = eye_space(rows, margin);
          const Cell vital = moved(find(rows, '*'), margin);
          for (const Cell cell : cells_of(rows)) CHECK(vital_point_of_region(stones, moved(cell, margin - 1)) == vital);
        }
}

TEST_CASE("the vital point of a region is that of a plain flood fill, in random games") {
  Rng rng(12);
  int num_found = 0;
  for (int game = 0; game < 100; ++game) {
    Nine stones(9, 9);
    for (int move = 0; move < 110; ++move) {
      if (move % 2 == 0)
        stones.play_uniformly<kBlack>(rng);
      else
        stones.play_uniformly<kWhite>(rng);
      for (int slot = 0; slot < stones.num_empty(); ++slot) {
        std::vector<Cell> region = {stones.empty(slot)};
        bool black = false, white = false;
        for (std::size_t next = 0; next < region.size(); ++next)
          for (const int step : Nine::L::kOrthogonal) {
            const auto other = static_cast<Cell>(region[next] + step);
            black |= stones.color(other) == kBlack;
            white |= stones.color(other) == kWhite;
            if (stones.color(other) == Color::Empty && std::find(region.begin(), region.end(), other) == region.end())
              region.push_back(other);
          }
        const Cell expected = black && white ? kPass : vital_point(stones, region.data(), region.size());
        REQUIRE(vital_point_of_region(stones, region[0]) == expected);
        num_found += expected != kPass;
      }
    }
  }
  CHECK(num_found > 100);
}

TEST_CASE("a region that both colours touch, or that is too large, has no vital point") {
  CHECK(vital_point_of_region(board({"O...X", "OOOXX"}), at(0, 2)) == kPass);
  CHECK(vital_point_of_region(board({"O...O", "OOOOO"}), at(0, 2)) == at(0, 2));
  CHECK(vital_point_of_region(Nine(9, 9), at(4, 4)) == kPass);
  CHECK(vital_point_of_region(Nine(7, 1), at(0, 3)) == kPass);
  CHECK(vital_point_of_region(Nine(1, 1), at(0, 0)) == kPass);
}
