#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "base/rng.hpp"
#include "go/stones.hpp"
#include "tests/picture.hpp"

using namespace tesuji;
using namespace tesuji::go;

namespace {

using Nine = Stones<9, kTactical>;

Cell at(int row, int column) { return Nine::L::cell(row, column); }

// The liberties besides each empty cell of the board, one of the chain's liberties or not.
template <class S>
void check_liberties_besides(const S& stones, Cell chain, const std::vector<Cell>& liberties) {
  for (int slot = 0; slot < stones.num_empty(); ++slot) {
    const Cell cell = stones.empty(slot);
    std::vector<Cell> others;
    std::copy_if(liberties.begin(), liberties.end(), std::back_inserter(others), [&](Cell c) { return c != cell; });
    const auto besides = stones.liberties_besides(chain, cell);
    const bool agrees = besides.number == static_cast<int>(std::min<std::size_t>(2, others.size())) &&
                        (others.size() != 1 || besides.cell == others[0]);
    if (!agrees) REQUIRE(agrees);  // doctest takes a microsecond for each
  }
}

template <class S>
void check_chains_in_atari(const S& stones, Color color) {
  std::vector<std::pair<Cell, Cell>> expected, found;
  for (Cell cell = 0; cell < S::L::kCells; ++cell)
    if (stones.color(cell) == color && stones.chain(cell) == cell && stones.in_atari(cell))
      expected.emplace_back(cell, stones.atari_liberty(cell));
  stones.for_each_chain_in_atari(color, [&](Cell chain, Cell liberty) { found.emplace_back(chain, liberty); });
  REQUIRE(found == expected);
}

// Everything that is kept up to date must equal what a fresh board, filled at once, works out.
template <class S>
void check_against_fresh(const S& stones) {
  using L = typename S::L;
  S fresh(stones.width(), stones.height());
  fresh.set_up([&](int row, int column) { return stones.color(L::cell(row, column)); });
  CHECK(stones.key() == fresh.key());
  CHECK(stones.stone_margin() == fresh.stone_margin());
  CHECK(stones.num_empty() == fresh.num_empty());
  std::vector<Cell> empties;
  for (int slot = 0; slot < stones.num_empty(); ++slot) empties.push_back(stones.empty(slot));
  std::sort(empties.begin(), empties.end());
  REQUIRE(std::unique(empties.begin(), empties.end()) == empties.end());
  for (const Cell cell : empties) REQUIRE(stones.color(cell) == Color::Empty);
  for (int row = 0; row < stones.height(); ++row)
    for (int column = 0; column < stones.width(); ++column) {
      const Cell cell = L::cell(row, column);
      REQUIRE(stones.around(cell) == fresh.around(cell));
      REQUIRE(stones.code3x3(cell) == fresh.code3x3(cell));
      if (stones.color(cell) == Color::Empty) continue;
      const Cell chain = stones.chain(cell);
      REQUIRE(stones.chain_size(chain) == fresh.chain_size(fresh.chain(cell)));
      std::vector<Cell> liberties, fresh_liberties;
      stones.liberties(chain, liberties);
      fresh.liberties(fresh.chain(cell), fresh_liberties);
      std::sort(liberties.begin(), liberties.end());
      std::sort(fresh_liberties.begin(), fresh_liberties.end());
      REQUIRE(liberties == fresh_liberties);
      REQUIRE(!liberties.empty());
      REQUIRE(stones.in_atari(chain) == (liberties.size() == 1));
      if (liberties.size() == 1) REQUIRE(stones.atari_liberty(chain) == liberties[0]);
      REQUIRE(stones.num_pairs(chain) <= 4 * liberties.size());
      check_liberties_besides(stones, chain, liberties);
    }
  for (const Color color : {Color::Black, Color::White}) check_chains_in_atari(stones, color);
}

template <int Capacity>
void play_and_check(int width, int height, std::uint64_t seed, int moves) {
  Stones<Capacity, kTactical> stones(width, height);
  Rng rng(seed);
  for (int i = 0; i < moves; ++i) {
    const Cell cell = i % 2 == 0 ? stones.template play_uniformly<Color::Black>(rng)
                                 : stones.template play_uniformly<Color::White>(rng);
    if (i % 7 == 0 || cell == kPass) check_against_fresh(stones);
  }
}

}  // namespace

TEST_CASE("what is kept up to date equals what a fresh board finds, on every capacity and on rectangles") {
  play_and_check<9>(9, 9, 1, 400);
  play_and_check<9>(1, 1, 2, 10);
  play_and_check<9>(1, 7, 3, 60);
  play_and_check<9>(6, 2, 4, 60);
  play_and_check<13>(13, 11, 5, 400);
  play_and_check<19>(19, 19, 6, 1000);
  play_and_check<25>(25, 25, 7, 1500);
  play_and_check<25>(25, 3, 8, 300);
}

TEST_CASE("capture: a chain without liberties leaves the board") {
  auto stones = stones_from<Nine>({"XOO.", "XOOX", ".XX."});
  CHECK(stones.play(at(0, 3), Color::Black) == 4);
  CHECK(picture_of(stones) == Picture{"X..X", "X..X", ".XX."});
  CHECK(stones.ko() == kPass);
  check_against_fresh(stones);
}

TEST_CASE("ko: the single stone just taken cannot be retaken at once") {
  auto stones = stones_from<Nine>({".XO..", "XO.O.", ".XO.."});
  CHECK(stones.play(at(1, 2), Color::Black) == 1);
  CHECK(stones.ko() == at(1, 1));
  stones.play(at(0, 4), Color::White);
  CHECK(stones.ko() == kPass);
}

TEST_CASE("snapback: taking one stone and being retaken is no ko") {
  auto stones = stones_from<Nine>({"....", "OOOO", "OXXO", "XO.O"});
  CHECK(stones.play(at(3, 2), Color::Black) == 1);
  CHECK(picture_of(stones) == Picture{"....", "OOOO", "OXXO", "X.XO"});
  CHECK(stones.ko() == kPass);
  CHECK(stones.play(at(3, 1), Color::White) == 4);
}

TEST_CASE("suicide is recognised, and play() takes the own chain off") {
  auto stones = stones_from<Nine>({".XO", "XXO", "OO."});
  CHECK(!stones.is_suicide<Color::White>(at(0, 0)));  // captures
  CHECK(stones.is_suicide<Color::Black>(at(0, 0)));
  auto filled = stones_from<Nine>({".XO", "XOO", "OO."});
  CHECK(filled.is_suicide<Color::Black>(at(0, 0)));
  filled.play(at(0, 0), Color::Black);
  CHECK(picture_of(filled) == Picture{"..O", ".OO", "OO."});
  check_against_fresh(filled);
}

TEST_CASE("take_back() restores captures, merges, suicide and ko") {
  Rng rng(11);
  for (int game = 0; game < 40; ++game) {
    Nine stones(7, 6);
    for (int move = 0; move < 90; ++move) {
      const Color color = move % 2 == 0 ? Color::Black : Color::White;
      if (stones.num_empty() == 0) break;
      const Cell cell = stones.empty(static_cast<int>(rng.below(static_cast<std::uint64_t>(stones.num_empty()))));
      const Nine before = stones;
      const bool suicide =
          color == Color::Black ? stones.is_suicide<Color::Black>(cell) : stones.is_suicide<Color::White>(cell);
      stones.play(cell, color);
      std::vector<Cell> removed;
      for (int row = 0; row < 6; ++row)
        for (int column = 0; column < 7; ++column)
          if (const Cell c = at(row, column); before.color(c) != Color::Empty && stones.color(c) == Color::Empty)
            removed.push_back(c);
      Nine undone = stones;
      undone.take_back(cell, removed, suicide ? color : opponent(color), before.ko());
      REQUIRE(picture_of(undone) == picture_of(before));
      REQUIRE(undone.ko() == before.ko());
      check_against_fresh(undone);
    }
  }
}

TEST_CASE("eyes: at the edge and in the corner one enemy diagonal spoils them, in the centre two do") {
  const auto centre = stones_from<Nine>({"XXXXX", "XXXXX", "XX.XX", "XXXXX", "XXXXX"});
  CHECK(centre.is_eye<Color::Black>(at(2, 2)));
  CHECK(!centre.is_eye<Color::White>(at(2, 2)));
  CHECK(stones_from<Nine>({"OXX", "X.X", "XXX"}).is_eye<Color::Black>(at(1, 1)));
  CHECK(!stones_from<Nine>({"OXX", "X.X", "XXO"}).is_eye<Color::Black>(at(1, 1)));
  CHECK(stones_from<Nine>({".XX", "X.X", "XX."}).is_eye<Color::Black>(at(1, 1)));  // empty diagonals do no harm
  CHECK(stones_from<Nine>({"X.X", "XXX"}).is_eye<Color::Black>(at(0, 1)));
  CHECK(!stones_from<Nine>({"X.X", "XXO"}).is_eye<Color::Black>(at(0, 1)));
  CHECK(stones_from<Nine>({".X", "XX"}).is_eye<Color::Black>(at(0, 0)));
  CHECK(!stones_from<Nine>({".X", "XO"}).is_eye<Color::Black>(at(0, 0)));
  CHECK(!stones_from<Nine>({".X.", "X.."}).is_eye<Color::Black>(at(1, 1)));
}

TEST_CASE("3x3 codes read W, E, N, S, NW, NE, SW, SE from the low end") {
  const auto stones = stones_from<Nine>({"XO.", "O.X", "..X"});
  // W white 2, E black 1, N white 2, S empty 0, NW black 1, NE empty 0, SW empty 0, SE black 1
  CHECK(stones.code3x3(at(1, 1)) == (2u | 1u << 2 | 2u << 4 | 0u << 6 | 1u << 8 | 0u << 10 | 0u << 12 | 1u << 14));
  // the corner: W, N, NW, NE, SW off the board
  CHECK(stones.code3x3(at(0, 0)) == (3u | 2u << 2 | 3u << 4 | 2u << 6 | 3u << 8 | 3u << 10 | 3u << 12 | 0u << 14));
}

TEST_CASE("the light playout's move is uniform over legal moves that fill no own eye") {
  // Own eyes at the top, a ko that black may not retake, suicide points and free points, among many refused ones.
  auto stones = stones_from<Stones<9, kTactical>>({".X.XO....", "XXXXO.O..", "OOOOOO.OO", ".O.O.O.O.", "OOOOOOOOO",
                                                   "XXXXXXXXX", ".XO......", "XO.O.....", ".XO......"});
  stones.play(at(7, 2), Color::Black);  // takes the ko at (7, 1)
  REQUIRE(stones.ko() == at(7, 1));
  std::vector<Cell> expected;
  for (int slot = 0; slot < stones.num_empty(); ++slot) {
    const Cell cell = stones.empty(slot);
    if (cell != stones.ko() && !stones.is_suicide<Color::White>(cell) && !stones.is_eye<Color::White>(cell))
      expected.push_back(cell);
  }
  REQUIRE(expected.size() > 10);
  REQUIRE(static_cast<int>(expected.size()) < stones.num_empty() - 5);
  std::map<Cell, int> count;
  Rng rng(5);
  constexpr int kPerMove = 20000;
  const int draws = kPerMove * static_cast<int>(expected.size());
  for (int i = 0; i < draws; ++i) {
    auto copy = stones;
    ++count[copy.play_uniformly<Color::White>(rng)];
  }
  REQUIRE(count.size() == expected.size());
  double chi_squared = 0;
  for (const Cell cell : expected) chi_squared += (count[cell] - kPerMove) * double(count[cell] - kPerMove) / kPerMove;
  const double degrees = static_cast<double>(expected.size()) - 1;
  CHECK(chi_squared < degrees + 3.1 * std::sqrt(2 * degrees) + 3);  // about the 99.9 % point
}

TEST_CASE("a position has one key whatever the way to it") {
  Stones<9, kHashed> a(9, 9), b(9, 9);
  using L = Layout<9>;
  a.play(L::cell(1, 1), Color::Black);
  a.play(L::cell(2, 2), Color::White);
  a.play(L::cell(3, 3), Color::Black);
  b.play(L::cell(3, 3), Color::Black);
  b.play(L::cell(2, 2), Color::White);
  b.play(L::cell(1, 1), Color::Black);
  CHECK(a.key() == b.key());
}
