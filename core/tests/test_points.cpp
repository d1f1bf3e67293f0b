#include <doctest/doctest.h>

#include <set>

#include "go/points.hpp"

using namespace tesuji::go;

TEST_CASE("rows and columns survive the padded layout") {
  for (int row = 0; row < 19; ++row)
    for (int column = 0; column < 19; ++column) {
      const Cell cell = Layout<19>::cell(row, column);
      CHECK(Layout<19>::row(cell) == row);
      CHECK(Layout<19>::column(cell) == column);
      CHECK(cell != kPass);
      CHECK(cell + Layout<19>::kStride + 1 < Layout<19>::kCells);
    }
}

TEST_CASE("the stone keys of all points and colours differ, in both words") {
  std::set<std::uint64_t> wide;
  std::set<std::uint32_t> narrow;
  for (int row = 0; row < kMaxSize; ++row)
    for (int column = 0; column < kMaxSize; ++column)
      for (const Color color : {Color::Black, Color::White}) {
        wide.insert(stone_key(row, column, color).wide());
        narrow.insert(stone_key(row, column, color).narrow());
      }
  CHECK(wide.size() == 2 * kMaxSize * kMaxSize);
  CHECK(narrow.size() == 2 * kMaxSize * kMaxSize);
}

TEST_CASE("a point has one key in every capacity") {
  CHECK(kStoneKeys<9>.of[0][Layout<9>::cell(3, 4)] == kStoneKeys<25>.of[0][Layout<25>::cell(3, 4)]);
  CHECK(kStoneKeys<13>.of[1][Layout<13>::cell(8, 8)] == stone_key(8, 8, Color::White));
}

TEST_CASE("with_capacity takes the smallest that holds the longer side") {
  const auto chosen = [](int width, int height) {
    return with_capacity(width, height, []<int Capacity>() { return Capacity; });
  };
  CHECK(chosen(1, 1) == 9);
  CHECK(chosen(9, 9) == 9);
  CHECK(chosen(10, 3) == 13);
  CHECK(chosen(5, 14) == 19);
  CHECK(chosen(20, 19) == 25);
}
