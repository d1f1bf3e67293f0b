// Local contexts: kept move by move against from scratch, against a plain reading of the board, turned and recoloured.
#include <doctest/doctest.h>

#include <set>

#include "base/rng.hpp"
#include "go/context_reader.hpp"
#include "go/contexts.hpp"
#include "go/playout.hpp"
#include "go/symmetry.hpp"
#include "tests/picture.hpp"

using namespace tesuji;
using namespace tesuji::go;

namespace {

// All contexts of a board are those of a reader that knows nothing of the past.
template <int Capacity>
bool are_as_from_scratch(const Contexts<Capacity>& contexts, const Stones<Capacity, kTactical>& stones, int size) {
  const ContextReader<Stones<Capacity, kTactical>> black(stones, Color::Black), white(stones, Color::White);
  for (int slot = 0; slot < stones.num_empty(); ++slot) {
    const Cell cell = stones.empty(slot);
    if (contexts.template seen_by<Color::Black>(cell) != static_cast<std::uint32_t>(black.of(cell, size))) return false;
    if (contexts.template seen_by<Color::White>(cell) != static_cast<std::uint32_t>(white.of(cell, size))) return false;
  }
  return true;
}

template <int Capacity>
void follow_a_game(int width, int height, int size, Rng& rng) {
  const ContextKeys keys(size);
  Stones<Capacity, kTactical> stones(width, height);
  Contexts<Capacity> contexts(keys, width, height);
  play_out(stones, Color::Black, 0, standard_limits(width * height), rng, AnyMove{}, [&](Cell cell, Color color) {
    if (cell != kPass && color == Color::Black) contexts.template follow<Color::Black>(stones, cell);
    if (cell != kPass && color == Color::White) contexts.template follow<Color::White>(stones, cell);
    REQUIRE(are_as_from_scratch<Capacity>(contexts, stones, size));
  });
  Contexts<Capacity> anew(keys, width, height);
  anew.set_up(stones);
  REQUIRE(are_as_from_scratch<Capacity>(anew, stones, size));
}

// What the definition says, point by point.
std::uint64_t by_definition(const Picture& rows, int row, int column, int size, Color mover) {
  std::uint64_t context = context_of_nothing(size);
  for (std::size_t i = 0; i < static_cast<std::size_t>(size); ++i) {
    const int r = row + kNeighbours.of[i].row, c = column + kNeighbours.of[i].column;
    Color color = Color::OffBoard;
    if (r >= 0 && r < static_cast<int>(rows.size()) && c >= 0 && c < static_cast<int>(rows[0].size())) {
      const char sign = rows[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)];
      color = sign == '.' ? Color::Empty : (sign == 'X') == (mover == Color::Black) ? Color::Black : Color::White;
    }
    context ^= context_key(i, color);
  }
  return context;
}

}  // namespace

TEST_CASE("contexts kept through a game are those from scratch") {
  Rng rng(1);
  for (const int size : kContextSizes) {
    for (int i = 0; i < 3; ++i) follow_a_game<9>(9, 9, size, rng);
    follow_a_game<9>(7, 3, size, rng);
    follow_a_game<13>(13, 10, size, rng);
  }
  follow_a_game<19>(19, 19, 40, rng);
  follow_a_game<kMaxSize>(kMaxSize, 21, 40, rng);
  follow_a_game<9>(1, 1, 40, rng);
  follow_a_game<9>(2, 1, 40, rng);
}

TEST_CASE("suicide takes the stone and its chain out of the contexts") {
  auto stones = stones_from<Stones<9, kTactical>>({".XO..", "XXO..", "OO...", "....."});
  const ContextKeys keys(40);
  Contexts<9> contexts(keys, 5, 4);
  contexts.set_up(stones);
  stones.play<Color::Black>(Layout<9>::cell(0, 0));
  REQUIRE(stones.color(Layout<9>::cell(0, 1)) == Color::Empty);
  contexts.follow<Color::Black>(stones, Layout<9>::cell(0, 0));
  CHECK(are_as_from_scratch<9>(contexts, stones, 40));
}

TEST_CASE("a context is what its definition says") {
  const Picture rows = {"X.O....", ".XO.X..", "..O.X..", ".......", "O.X...O"};
  const auto stones = stones_from<Stones<9, kLight>>(rows);
  for (const Color mover : {Color::Black, Color::White}) {
    const ContextReader<Stones<9, kLight>> reader(stones, mover);
    for (int row = 0; row < 5; ++row)
      for (int column = 0; column < 7; ++column)
        for (const int size : kContextSizes)
          CHECK(reader.of(Layout<9>::cell(row, column), size) == by_definition(rows, row, column, size, mover));
  }
}

TEST_CASE("sizes are the nearest neighbours, every ring whole") {
  std::set<std::pair<int, int>> seen;
  std::size_t i = 0;
  for (const int size : kContextSizes) {
    for (; i < static_cast<std::size_t>(size); ++i) seen.insert({kNeighbours.of[i].row, kNeighbours.of[i].column});
    CHECK(static_cast<int>(seen.size()) == size);
    for (const auto& [row, column] : seen)
      for (std::size_t turn = 0; turn < 8; ++turn) {
        const Neighbour image = turned({row, column}, turn);
        CHECK(seen.contains({image.row, image.column}));
      }
  }
  for (const auto& [row, column] : seen) CHECK(std::abs(row) + std::abs(column) <= kContextReach);
  CHECK(!is_context_size(16));
}

TEST_CASE("all images of a shape have one symmetric context, and recoloured shapes the other player's") {
  Rng rng(2);
  for (int game = 0; game < 20; ++game) {
    Stones<9, kTactical> stones(9, 9);
    for (int move = 0; move < 30; ++move) {
      if (move % 2 == 0)
        stones.play_uniformly<Color::Black>(rng);
      else
        stones.play_uniformly<Color::White>(rng);
    }
    const ContextReader<Stones<9, kTactical>> reader(stones, Color::Black);
    for (std::size_t turn = 0; turn < 8; ++turn) {
      Stones<9, kTactical> image(9, 9);  // recoloured too
      image.set_up([&](int row, int column) {
        const auto [r, c] = image_of(row, column, 9, turn);
        const Color color = stones.color(Layout<9>::cell(r, c));
        return color == Color::Empty ? color : opponent(color);
      });
      const ContextReader<Stones<9, kTactical>> other(image, Color::White);
      for (int row = 0; row < 9; ++row)
        for (int column = 0; column < 9; ++column) {
          const auto [r, c] = image_of(row, column, 9, turn);
          REQUIRE(other.symmetric(Layout<9>::cell(row, column)) == reader.symmetric(Layout<9>::cell(r, c)));
        }
    }
  }
}

TEST_CASE("different shapes have different contexts") {
  // One stone anywhere on a board of nine lines, either colour, seen from everywhere: as many contexts as shapes.
  std::set<std::uint64_t> contexts;
  std::set<std::vector<int>> shapes;
  for (int at = 0; at < 81; ++at)
    for (const Color color : {Color::Black, Color::White}) {
      Stones<9, kLight> stones(9, 9);
      stones.play(Layout<9>::cell(at / 9, at % 9), color);
      const ContextReader<Stones<9, kLight>> reader(stones, Color::Black);
      for (int slot = 0; slot < stones.num_empty(); ++slot) {
        const Cell cell = stones.empty(slot);
        std::vector<int> shape;
        for (const Neighbour& neighbour : kNeighbours.of) {
          const int r = Layout<9>::row(cell) + neighbour.row, c = Layout<9>::column(cell) + neighbour.column;
          const bool is_on = r >= 0 && r < 9 && c >= 0 && c < 9;
          shape.push_back(static_cast<int>(is_on ? stones.color(Layout<9>::cell(r, c)) : Color::OffBoard));
        }
        contexts.insert(reader.of(cell, 40));
        shapes.insert(shape);
      }
    }
  CHECK(contexts.size() == shapes.size());
}
