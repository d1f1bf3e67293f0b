// Binds core/games: the native games under the names of tesuji.games.Game.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "bind/any_nested.hpp"
#include "bind/any_search.hpp"
#include "bind/independent.hpp"
#include "games/breakthrough.hpp"
#include "games/connect4.hpp"
#include "games/gomoku.hpp"
#include "games/havannah.hpp"
#include "games/hex.hpp"
#include "games/knapsack.hpp"
#include "games/othello.hpp"
#include "games/samegame.hpp"
#include "games/tictactoe.hpp"
#include "games/tsp.hpp"
#include "games/y.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tesuji;

namespace {

template <Game G>
void play_checked(G& game, Move move) {
  if (is_legal_move(game, move)) return game.play(move);
  throw std::invalid_argument("move " + std::to_string(move) + " is not legal here");
}

void check_place(bool is_on_board) {
  if (!is_on_board) throw std::out_of_range("there is no such place on the board");
}

// A pickle holds a game's bytes: it is for processes of one version of Tesuji, not for keeping.
template <Game G>
nb::bytes bytes_of(const G& game) {
  static_assert(std::is_trivially_copyable_v<G>);
  return nb::bytes(&game, sizeof(G));
}

template <Game G>
void restore(G& game, const nb::bytes& state) {
  if (state.size() != sizeof(G)) throw std::invalid_argument("this pickle of a game is of another version of Tesuji");
  std::array<std::byte, sizeof(G)> bytes;
  std::memcpy(bytes.data(), state.data(), sizeof(G));
  new (&game) G(std::bit_cast<G>(bytes));
}

// What every game has; the caller adds the constructor and what is special.
template <Game G>
nb::class_<G> bind_game(nb::module_& m, const char* name, const char* doc) {
  return nb::class_<G>(m, name, doc)
      .def_prop_ro("num_distinct_moves", &G::num_distinct_moves)
      .def_prop_ro("to_play", &G::to_play, "0: the first player, 1: the second.")
      .def_prop_ro("is_over", &G::is_over)
      .def_prop_ro("value", &G::value,
                   "For the first player, 0..1, or the one player's number; only when the game is over.")
      .def("legal_moves",
           [](const G& game) {
             MoveList moves;
             game.legal_moves(moves);
             std::sort(moves.begin(), moves.end());
             return moves;
           })
      .def("play", &play_checked<G>, "move"_a, "ValueError if the move is not legal.")
      .def("copy", [](const G& game) { return G(game); })
      .def("key", &G::hash, "Equal states have equal keys.")
      .def("make_search", &bind::make_search<G>, "config"_a, "seed"_a, bind::kMakeSearchDoc)
      .def("__getstate__", &bytes_of<G>)
      .def("__setstate__", &restore<G>);
}

// For games whose places are numbered as their moves are.
template <Game G>
int owner_of(const G& game, Move move) {
  check_place(move >= 0 && move < game.num_distinct_moves());
  return game.owner(move);
}

// For games of two bitboards.
template <Game G>
int owner_in(const G& game, int square, int num_squares) {
  check_place(square >= 0 && square < num_squares);
  return (game.board(0) >> square & 1) != 0 ? 0 : (game.board(1) >> square & 1) != 0 ? 1 : -1;
}

constexpr const char* kOwnerDoc = "-1: empty, else the player.";

// What a game for one player has besides.
template <Game G>
nb::class_<G> bind_one_player_game(nb::module_& m, const char* name, const char* doc) {
  auto game = bind_game<G>(m, name, doc);
  game.def_prop_ro(
          "goal", [](const G& state) { return state.goal() == Goal::Maximise ? "maximise" : "minimise"; },
          "'maximise' or 'minimise': what the player wants of the value.")
      .def_prop_ro("bound", &G::bound, "The best value that is still possible; no solution from here is better.")
      .def("make_nested", &bind::nested_over<G>, "level"_a, "num_threads"_a, "seed"_a, bind::kMakeNestedDoc);
  bind::bind_independent_searches(game);
  return game;
}

SameGame::Playout playout_named(const std::string& name) {
  if (name == "uniform") return SameGame::Playout::Uniform;
  if (name == "tabu-color") return SameGame::Playout::TabuColor;
  throw std::invalid_argument("playout is '" + name + "'; it must be 'uniform' or 'tabu-color'");
}

std::string picture_of(const SameGame& game) {
  std::string picture;
  for (int row = game.height() - 1; row >= 0; --row) {
    for (int column = 0; column < game.width(); ++column) {
      const int color = game.color_at(column, row);
      picture.push_back(color == 0 ? '.' : static_cast<char>('0' + color));
    }
    picture.push_back('\n');
  }
  return picture;
}

template <class T>
std::vector<T> listed(std::span<const T> numbers) {
  return {numbers.begin(), numbers.end()};
}

void bind_one_player_games(nb::module_& m) {
  bind_one_player_game<SameGame>(m, "SameGame",
                                 "SameGame on up to 15x15 cells with up to 9 colours; a move is column * height + row "
                                 "of the first stone of a group (leftmost column, lowest row).")
      .def(
          "__init__",
          [](SameGame* self, const std::string& picture, const std::string& playout) {
            new (self) SameGame(picture, playout_named(playout));
          },
          "picture"_a, nb::kw_only(), "playout"_a = "uniform",
          "Rows from the top; digits are colours, dots are empty cells. playout: 'uniform' or 'tabu-color'.")
      .def_static(
          "random",
          [](int width, int height, int colors, std::uint64_t seed, const std::string& playout) {
            return SameGame::random(width, height, colors, seed, playout_named(playout));
          },
          "width"_a = 15, "height"_a = 15, "colors"_a = 5, nb::kw_only(), "seed"_a, "playout"_a = "uniform",
          "A board whose cells have random colours.")
      .def_prop_ro("width", &SameGame::width)
      .def_prop_ro("height", &SameGame::height)
      .def_prop_ro("score", &SameGame::score, "Of the groups taken so far.")
      .def_prop_ro("picture", &picture_of, "The board as the constructor reads it.");
  bind_one_player_game<Knapsack>(m, "Knapsack",
                                 "The 0/1 knapsack problem; a move takes an item, in ascending order of their numbers.")
      .def(
          "__init__",
          [](Knapsack* self, const std::vector<std::int32_t>& weights, const std::vector<std::int32_t>& worths,
             std::int32_t capacity) { new (self) Knapsack(weights, worths, capacity); },
          "weights"_a, "worths"_a, "capacity"_a)
      .def_static("random", &Knapsack::random, "items"_a, nb::kw_only(), "seed"_a,
                  "Weights and worths of 1..100; half of the weight fits.")
      .def_prop_ro("weights", [](const Knapsack& game) { return listed(game.weights()); })
      .def_prop_ro("worths", [](const Knapsack& game) { return listed(game.worths()); })
      .def_prop_ro("room", &Knapsack::room, "The weight that may still be taken.");
  bind_one_player_game<Tsp>(m, "TSP",
                            "The travelling salesman problem in the plane, from city 0; a move is the next city.")
      .def(
          "__init__",
          [](Tsp* self, const std::vector<double>& xs, const std::vector<double>& ys) { new (self) Tsp(xs, ys); },
          "xs"_a, "ys"_a)
      .def_static("random", &Tsp::random, "cities"_a, nb::kw_only(), "seed"_a, "Grid points of a 1000x1000 square.")
      .def_prop_ro("xs", [](const Tsp& game) { return listed(game.xs()); })
      .def_prop_ro("ys", [](const Tsp& game) { return listed(game.ys()); });
}

}  // namespace

void bind_games(nb::module_& m) {
  bind_game<TicTacToe>(m, "TicTacToe", "Tic-tac-toe; a move is 3 * row + column.")
      .def(nb::init<>())
      .def("owner", [](const TicTacToe& g, int square) { return owner_in(g, square, 9); }, "square"_a, kOwnerDoc);
  bind_game<Connect4>(m, "Connect4", "Connect Four on six rows and seven columns; a move is a column.")
      .def(nb::init<>())
      .def(
          "owner",
          [](const Connect4& g, int row, int column) {
            check_place(row >= 0 && row < Connect4::kRows && column >= 0 && column < Connect4::kColumns);
            return owner_in(g, column * 7 + row, 64);
          },
          "row"_a, "column"_a, "-1: empty, else the player; row 0 is the lowest.");
  bind_game<Othello>(m, "Othello", "Othello; a move is 8 * row + column, row 0 at the top, or 64: pass.")
      .def(nb::init<>())
      .def("owner", [](const Othello& g, int square) { return owner_in(g, square, 64); }, "square"_a, kOwnerDoc);
  bind_game<Breakthrough>(m, "Breakthrough",
                          "Breakthrough on 8x8; the first player goes up from rows 0 and 1. A move is 6 * (8 * row + "
                          "column) + direction: up left, up, up right, down left, down, down right.")
      .def(nb::init<>())
      .def("owner", [](const Breakthrough& g, int square) { return owner_in(g, square, 64); }, "square"_a, kOwnerDoc);
  bind_game<Gomoku>(m, "Gomoku", "Gomoku: five or more in a row. A move is row * size + column.")
      .def(nb::init<int>(), "size"_a = 15)
      .def_prop_ro("size", &Gomoku::size)
      .def("owner", &owner_of<Gomoku>, "move"_a, kOwnerDoc);
  bind_game<Hex>(m, "Hex", "Hex; the first player joins top and bottom. A move is row * size + column.")
      .def(nb::init<int>(), "size"_a = 11)
      .def_prop_ro("size", &Hex::size)
      .def("owner", &owner_of<Hex>, "move"_a, kOwnerDoc);
  bind_game<Y>(m, "Y", "Y on a triangle; row r has r + 1 cells, row 0 is the tip. A move is r * (r + 1) / 2 + column.")
      .def(nb::init<int>(), "size"_a = 11)
      .def_prop_ro("size", &Y::size)
      .def("owner", &owner_of<Y>, "move"_a, kOwnerDoc);
  bind_game<Havannah>(m, "Havannah",
                      "Havannah on a hexagon with this many cells a side; moves number the cells row by row.")
      .def(nb::init<int>(), "size"_a = 8)
      .def_prop_ro("size", &Havannah::base, "Cells of a side.")
      .def("owner", &owner_of<Havannah>, "move"_a, kOwnerDoc);
  bind_one_player_games(m);
}
