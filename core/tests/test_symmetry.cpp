// Which turned and mirrored boards are the same, and which of a point's images is looked at.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "go/stones.hpp"
#include "go/symmetry.hpp"
#include "tests/picture.hpp"

using namespace tesuji;
using namespace tesuji::go;

namespace {

using Nine = Stones<9, kTactical>;
using Large = Stones<19, kTactical>;

std::vector<std::size_t> turns_that_hold(const Picture& rows) {
  const Symmetries found = symmetries_of(stones_from<Nine>(rows));
  std::vector<std::size_t> turns;
  for (std::size_t turn = 0; turn < 8; ++turn)
    if (found.holds[turn]) turns.push_back(turn);
  CHECK(found.is_any == (turns.size() > 1));
  return turns;
}

template <class S>
int num_first(const S& stones) {
  const Symmetries symmetries = symmetries_of(stones);
  int count = 0;
  for (int row = 0; row < stones.height(); ++row)
    for (int column = 0; column < stones.width(); ++column)
      count += is_first_of_its_images<typename S::L>(symmetries, S::L::cell(row, column), stones.width());
  return count;
}

const std::vector<std::size_t> kAll = {0, 1, 2, 3, 4, 5, 6, 7}, kFirst = {0};

}  // namespace

TEST_CASE("image_of(): eight ways, each puts the points of a board in another order, the first in none") {
  for (const int size : {1, 2, 5, 6}) {
    std::set<std::vector<std::pair<int, int>>> ways;
    for (std::size_t turn = 0; turn < 8; ++turn) {
      std::vector<std::pair<int, int>> images;
      for (int row = 0; row < size; ++row)
        for (int column = 0; column < size; ++column) {
          images.push_back(image_of(row, column, size, turn));
          if (turn == 0) CHECK(images.back() == std::pair(row, column));
        }
      ways.insert(images);
      CHECK(std::set(images.begin(), images.end()).size() == images.size());
    }
    CHECK(ways.size() == (size == 1 ? 1 : 8));
  }
}

TEST_CASE("an empty board and one with a stone in the centre look the same from all eight sides") {
  CHECK(turns_that_hold({".....", ".....", ".....", ".....", "....."}) == kAll);
  CHECK(turns_that_hold({".....", ".....", "..X..", ".....", "....."}) == kAll);
}

TEST_CASE("a stone on a diagonal leaves its mirror, one on a middle line likewise, any other none") {
  CHECK(turns_that_hold({".....", ".X...", ".....", ".....", "....."}) == std::vector<std::size_t>{0, 4});
  CHECK(turns_that_hold({".....", "...X.", ".....", ".....", "....."}) == std::vector<std::size_t>{0, 7});
  CHECK(turns_that_hold({".....", ".....", "...X.", ".....", "....."}) == std::vector<std::size_t>{0, 1});
  CHECK(turns_that_hold({".....", "..X..", ".....", ".....", "....."}) == std::vector<std::size_t>{0, 2});
  CHECK(turns_that_hold({".....", ".....", ".....", ".X...", "....."}).size() == 2);
  CHECK(turns_that_hold({"..X..", "...O.", ".....", ".....", "....."}) == kFirst);
  CHECK(turns_that_hold({".X...", ".....", ".....", ".....", "....."}) == kFirst);
}

TEST_CASE("images of stones must have the same colour") {
  CHECK(turns_that_hold({"X...X", ".....", ".....", ".....", "X...X"}) == kAll);
  CHECK(turns_that_hold({"X...O", ".....", ".....", ".....", "....."}) == kFirst);
  CHECK(turns_that_hold({"X...O", ".....", ".....", ".....", "O...X"}) == std::vector<std::size_t>{0, 3, 4, 7});
}

TEST_CASE("rectangular boards, boards with more than six stones and boards with a ko are not looked at") {
  CHECK(turns_that_hold({".....", ".....", "....."}) == kFirst);
  CHECK(turns_that_hold({"X.X", "...", "X.X"}) == kAll);
  CHECK(turns_that_hold({"XXX", "...", "XXX"}) == std::vector<std::size_t>{0, 1, 2, 3});
  CHECK(turns_that_hold({"XXX", "X.X", "XXX"}) == kFirst);
  Nine with_ko = stones_from<Nine>({".....", ".....", ".....", ".....", "....."});
  CHECK(symmetries_of(with_ko).is_any);
  with_ko.set_ko(Nine::L::cell(2, 2));
  CHECK(!symmetries_of(with_ko).is_any);
}

TEST_CASE("of a point and its images exactly one is the first, on boards of every size") {
  for (int size = 1; size <= 9; ++size) {
    const Nine stones(size, size);
    const Symmetries symmetries = symmetries_of(stones);
    for (int row = 0; row < size; ++row)
      for (int column = 0; column < size; ++column) {
        std::set<std::pair<int, int>> first;
        for (std::size_t turn = 0; turn < 8; ++turn) {
          const auto [r, c] = image_of(row, column, size, turn);
          if (is_first_of_its_images<Nine::L>(symmetries, Nine::L::cell(r, c), size)) first.emplace(r, c);
        }
        REQUIRE(first.size() == 1);
      }
  }
}

TEST_CASE("how many points are left of an empty board, whatever the capacity") {
  CHECK(num_first(Nine(9, 9)) == 15);
  CHECK(num_first(Large(9, 9)) == 15);
  CHECK(num_first(Large(19, 19)) == 55);
  CHECK(num_first(Nine(6, 6)) == 6);
  CHECK(num_first(Nine(1, 1)) == 1);
  CHECK(num_first(Nine(7, 9)) == 63);
}

TEST_CASE("the upper right of the board is what is left of it") {
  const Nine stones(9, 9);
  const Symmetries symmetries = symmetries_of(stones);
  CHECK(is_first_of_its_images<Nine::L>(symmetries, Nine::L::cell(0, 8), 9));
  CHECK(is_first_of_its_images<Nine::L>(symmetries, Nine::L::cell(2, 6), 9));
  CHECK(!is_first_of_its_images<Nine::L>(symmetries, Nine::L::cell(0, 0), 9));
  CHECK(!is_first_of_its_images<Nine::L>(symmetries, Nine::L::cell(6, 6), 9));
}
