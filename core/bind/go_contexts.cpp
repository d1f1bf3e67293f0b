// Binds local contexts: hashes of what stands around a point, for patterns and for playouts that learn.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bind/arrays.hpp"
#include "go/board.hpp"
#include "go/contexts.hpp"
#include "go/game_contexts.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tesuji::go;
using tesuji::bind::to_array;

namespace {

using Turns = nb::ndarray<const std::int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

std::size_t size_index(int size) {
  const auto* const found = std::find(kContextSizes.begin(), kContextSizes.end(), size);
  if (found == kContextSizes.end()) throw std::invalid_argument("there is no context of this size");
  return static_cast<std::size_t>(found - kContextSizes.begin());
}

Color color_from(int value) {
  if (value != 1 && value != 2) throw std::invalid_argument("a colour is 1 (black) or 2 (white)");
  return static_cast<Color>(value);
}

nb::tuple game_contexts(const Board& board, const Turns& turns, const std::vector<int>& sizes) {
  std::vector<std::size_t> indices;
  for (const int size : sizes) indices.push_back(size_index(size));
  std::vector<Board::Turn> moves;
  for (std::size_t i = 0; i < turns.shape(0); ++i) moves.push_back({color_from(turns(i, 0)), turns(i, 1)});
  GameContexts game;
  {
    const nb::gil_scoped_release release;
    game = contexts_of_game(board, moves, indices);
  }
  return nb::make_tuple(to_array(std::move(game.starts)), to_array(std::move(game.points)),
                        to_array(std::move(game.played)), to_array(std::move(game.contexts)));
}

}  // namespace

void bind_go_contexts(nb::module_& m) {
  m.def(
      "context_sizes", [] { return std::vector<int>(kContextSizes.begin(), kContextSizes.end()); },
      "The numbers of neighbours that a context may have.");
  m.def(
      "context_neighbours",
      [] {
        std::vector<int> rows;
        for (const Neighbour& neighbour : kNeighbours.of) rows.insert(rows.end(), {neighbour.row, neighbour.column});
        return rows;
      },
      "Rows and columns of the neighbours of a point, from near to far.");
  m.def(
      "board_contexts",
      [](const Board& board, int color, int size, bool is_symmetric) {
        return to_array(contexts_of_board(board, color_from(color), size_index(size), is_symmetric));
      },
      "board"_a, "color"_a, "size"_a, "is_symmetric"_a,
      nb::sig("def board_contexts(board: Board, color: int, size: int, is_symmetric: bool) -> "
              "numpy.typing.NDArray[numpy.uint64]"),
      "By point; 0 where a stone stands.");
  m.def("game_contexts", &game_contexts, "board"_a, "turns"_a, "sizes"_a,
        nb::sig("def game_contexts(board: Board, turns: numpy.typing.NDArray[numpy.int32], sizes: "
                "collections.abc.Sequence[int]) -> tuple[numpy.typing.NDArray[numpy.int64], "
                "numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int64], "
                "numpy.typing.NDArray[numpy.uint64]]"),
        "Starts, points, played rows and contexts (flat) of the legal moves of every position of a game.");
}
