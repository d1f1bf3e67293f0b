// The free space of a sheet as pictures, the game's rules, and its playouts.
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "packing/game.hpp"
#include "search/nrpa.hpp"
#include "search/orders.hpp"
#include "search/search.hpp"
#include "tests/game_checks.hpp"

using namespace tesuji;
using namespace tesuji::packing;

namespace {

// The skyline from above: '#' below it, '.' free; the lowest gap is '_'.
std::string picture(const Front& front, int width, int height) {
  std::string rows;
  for (int row = height - 1; row >= 0; --row) {
    for (int x = 0; x < width; ++x) {
      char cell = '?';
      for (const Gap& gap : front.gaps())
        if (x >= gap.x && x < gap.x + gap.width) {
          const bool is_low = gap.x == front.low().x && gap.y == front.low().y;
          cell = row < gap.y ? '#' : row == gap.y && is_low ? '_' : '.';
        }
      rows.push_back(cell);
    }
    rows.push_back('\n');
  }
  return rows;
}

Packing game_of(std::vector<Kind> kinds, Length width, Options options = {}) {
  return Packing(std::make_shared<Problem>(std::move(kinds), std::vector<Sheet>{{width}}, options));
}

Packing random_game(std::uint64_t seed, Options options) {
  Rng rng(seed);
  std::vector<Kind> kinds;
  const int count = 2 + static_cast<int>(rng.below(12));
  for (int i = 0; i < count; ++i)
    kinds.push_back({1 + static_cast<Length>(rng.below(9)), 1 + static_cast<Length>(rng.below(9)),
                     1 + static_cast<std::int32_t>(rng.below(3)), rng.below(2) == 0,
                     static_cast<double>(rng.below(20))});
  std::vector<Sheet> sheets{{12}};
  if (options.objective == Objective::Worth) sheets = {{12, 10, 1, 0}};
  if (options.objective == Objective::Cost) sheets = {{12, 10, 9, 120}, {9, 15, 2, 100}};
  return Packing(std::make_shared<Problem>(std::move(kinds), std::move(sheets), options));
}

std::vector<Options> all_options() {
  std::vector<Options> all;
  for (const Objective objective : {Objective::Height, Objective::Worth, Objective::Cost})
    for (const Length kerf : {0, 1})
      for (const bool guillotine : {false, true})
        for (const bool taller : {false, true}) all.push_back({objective, kerf, guillotine, taller, taller});
  return all;
}

}  // namespace

TEST_CASE("A skyline rises where a rectangle is placed, and its gaps of one height are one") {
  Front front({10}, false);
  CHECK(picture(front, 10, 3) == "..........\n..........\n__________\n");
  CHECK(front.place(4, 2, false, false) == 0);
  CHECK(picture(front, 10, 3) == "..........\n####......\n####______\n");
  CHECK(front.place(3, 1, true, false) == 7);
  CHECK(picture(front, 10, 3) == "..........\n####......\n####___###\n");
  CHECK(front.left_wall() == 2);
  CHECK(front.right_wall() == 1);
  front.place(3, 2, false, false);
  CHECK(picture(front, 10, 3) == "..........\n#######___\n##########\n");
  CHECK(front.gaps().size() == 2);
  CHECK(front.covered() == 8 + 3 + 6);
}

TEST_CASE("A gap that is wasted rises to its lower neighbour") {
  Front front({6}, false);
  front.place(2, 3, false, false);
  front.place(2, 1, true, false);
  CHECK(picture(front, 6, 4) == "......\n##....\n##....\n##__##\n");
  front.waste();
  CHECK(picture(front, 6, 4) == "......\n##....\n##____\n######\n");
  CHECK(front.covered() == 6 + 2 + 2);
  CHECK(!front.is_whole());
  front.waste();
  CHECK(picture(front, 6, 4) == "______\n######\n######\n######\n");
  CHECK(front.is_whole());
}

TEST_CASE("The lowest gap comes first, the leftmost of several") {
  Front front({9}, false);
  front.place(3, 2, false, false);
  front.place(3, 2, true, false);
  front.place(3, 5, false, false);
  CHECK(picture(front, 9, 6) == ".........\n...###...\n...###...\n___###...\n#########\n#########\n");
}

TEST_CASE("A guillotine cut leaves two pieces, by the direction of the first cut") {
  Front across({10}, true), upright({10}, true);
  across.place(4, 3, false, false);
  REQUIRE(across.gaps().size() == 2);
  CHECK(across.low().x == 4);
  CHECK(across.low().width == 6);
  CHECK(across.low().ceiling == 3);
  across.waste();
  CHECK(across.low().width == 10);
  CHECK(across.low().y == 3);
  upright.place(4, 3, false, true);
  CHECK(upright.low().ceiling == kEndless);
  upright.waste();
  CHECK(upright.low().width == 4);
  upright.waste();  // nothing is left: a cut above all makes a new piece
  CHECK(upright.is_whole());
  CHECK(upright.low().y == 3);
}

TEST_CASE("Equal rectangles are one move, a square has one orientation") {
  const Packing game = game_of({{3, 2, 5, true, 0}, {4, 4, 1, true, 0}}, 10);
  CHECK(moves_of(game) == MoveList{0, 1, 2});
  CHECK(moves_of(game_of({{3, 2, 5, false, 0}}, 10)) == MoveList{0});
}

TEST_CASE("Two neighbours of one height are searched in one order") {
  Packing game = game_of({{3, 2, 1, false, 0}, {4, 2, 1, false, 0}, {2, 5, 1, false, 0}}, 12, {.takes_taller = false});
  game.play(2);
  const MoveList moves = moves_of(game);
  CHECK(std::find(moves.begin(), moves.end(), 0) == moves.end());
  CHECK(game.is_legal(0));  // a playout may
  Packing a = game_of({{3, 2, 1, false, 0}, {4, 2, 1, false, 0}}, 12, {.takes_taller = false}), b = a;
  a.play(0), a.play(2), b.play(2), b.play(0);
  CHECK(a.value() == b.value());
}

TEST_CASE("A gap that nothing fits is wasted without a move") {
  Packing game = game_of({{4, 3, 1, false, 0}, {3, 1, 2, false, 0}}, 6);
  game.play(0);
  CHECK(game.front().is_whole());
  CHECK(game.front().low().y == 3);
}

TEST_CASE("Playouts are games, with every objective, cut and kerf") {
  for (const Options& options : all_options())
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const Packing game = random_game(seed, options);
      if (game.is_over()) continue;
      Rng rng(seed);
      for (int i = 0; i < 5; ++i) {
        Packing played = game, replayed = game;
        MoveLog log;
        const double value = played.play_out(rng, &log);
        for (const Move move : log.moves) {
          REQUIRE(replayed.is_legal(move));
          const double bound = replayed.bound();
          REQUIRE(!is_better(game.goal(), value, bound));
          replayed.play(move);
        }
        REQUIRE(replayed.is_over());
        REQUIRE(replayed.value() == value);
      }
    }
}

TEST_CASE("A list of moves is never empty before the end, and lists only legal moves") {
  for (const Options& options : all_options())
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      Packing game = random_game(seed, options);
      Rng rng(seed);
      for (int ply = 0; !game.is_over(); ++ply) {
        REQUIRE(ply < 500);
        const MoveList moves = moves_of(game);
        REQUIRE(!moves.empty());
        for (const Move move : moves) REQUIRE(game.is_legal(move));
        game.play(moves[rng.below(moves.size())]);
      }
    }
}

TEST_CASE("Orders, policies and the tree find the same optimum of a small strip") {
  const Packing game = game_of({{6, 4, 1, true, 0}, {4, 4, 1, true, 0}, {5, 3, 2, true, 0}}, 10);
  OrderSearch<Packing> orders(game, 100, 1, 1);
  orders.run({1000}, {});
  NrpaSearch<Packing> nrpa(game, {2, 20, 1.0, 1.0}, 1, 1);
  nrpa.run({1000}, {});
  Search<Packing> tree(game, {}, 1);
  tree.run({2000}, {});
  CHECK(orders.found().best->value == 7);
  CHECK(nrpa.found().best->value == 7);
  CHECK(tree.found().best->value == 7);
  CHECK(orders.found().is_optimal);
}

TEST_CASE("An order search repeats itself with one thread and one seed") {
  const Packing game = random_game(3, {});
  const auto moves = [&](std::uint64_t seed) {
    OrderSearch<Packing> search(game, 50, 1, seed);
    search.run({500}, {});
    return search.found().best->moves;
  };
  CHECK(moves(1) == moves(1));
}

TEST_CASE("An order search that begins with a packing is no worse than it") {
  const Packing game = game_of({{3, 7, 1, false, 0}, {5, 2, 1, false, 0}, {2, 2, 1, false, 0}, {4, 3, 1, false, 0}}, 8);
  const MoveList order{6, 2, 0, 4, 1, 3, 5, 7, 8, 9};
  MoveLog log;
  const double value = Packing(game).play_out_in_order(order, false, &log);
  OrderSearch<Packing> search(game, 1, 1, 1);
  search.begin_with(log.moves);
  search.run({3}, {});  // the third is the first that reads the order plainly
  CHECK(search.found().best->value <= value);
}
