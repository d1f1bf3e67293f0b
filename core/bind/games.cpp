// Binds core/games: the native games under the names of tesuji.games.Game.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "bind/arrays.hpp"
#include "games/connect4.hpp"
#include "games/hex.hpp"
#include "games/tictactoe.hpp"

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
  G* const made = new (&game) G;
  std::memcpy(static_cast<void*>(made), state.data(), sizeof(G));
}

// What every game has; the caller adds the constructor and what is special.
template <Game G>
nb::class_<G> bind_game(nb::module_& m, const char* name, const char* doc) {
  return nb::class_<G>(m, name, doc)
      .def_prop_ro("num_distinct_moves", &G::num_distinct_moves)
      .def_prop_ro("to_play", &G::to_play, "0: the first player, 1: the second.")
      .def_prop_ro("is_over", &G::is_over)
      .def_prop_ro("value", &G::value, "For the first player, 0..1; only when the game is over.")
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
      .def("__getstate__", &bytes_of<G>)
      .def("__setstate__", &restore<G>);
}

}  // namespace

void bind_games(nb::module_& m) {
  bind_game<TicTacToe>(m, "TicTacToe", "Tic-tac-toe; a move is 3 * row + column.")
      .def(nb::init<>())
      .def(
          "owner",
          [](const TicTacToe& g, int square) {
            check_place(square >= 0 && square < 9);
            return (g.board(0) >> square & 1) != 0 ? 0 : (g.board(1) >> square & 1) != 0 ? 1 : -1;
          },
          "square"_a, "-1: empty, else the player.");
  bind_game<Connect4>(m, "Connect4", "Connect Four on six rows and seven columns; a move is a column.")
      .def(nb::init<>())
      .def(
          "owner",
          [](const Connect4& g, int row, int column) {
            check_place(row >= 0 && row < Connect4::kRows && column >= 0 && column < Connect4::kColumns);
            const int bit = column * 7 + row;
            return (g.board(0) >> bit & 1) != 0 ? 0 : (g.board(1) >> bit & 1) != 0 ? 1 : -1;
          },
          "row"_a, "column"_a, "-1: empty, else the player; row 0 is the lowest.");
  bind_game<Hex>(m, "Hex", "Hex; the first player joins top and bottom. A move is row * size + column.")
      .def(nb::init<int>(), "size"_a = 11)
      .def_prop_ro("size", &Hex::size)
      .def(
          "owner",
          [](const Hex& g, Move move) {
            check_place(move >= 0 && move < g.num_distinct_moves());
            return g.owner(move);
          },
          "move"_a, "-1: empty, else the player.");
}
