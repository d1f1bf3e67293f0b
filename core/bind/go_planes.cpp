// Binds the planes of recorded games: what a network learns from.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "go/board.hpp"
#include "go/game_planes.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tesuji;

namespace {

bind::Array2D<std::uint8_t> game_planes(int width, int height,
                                        const nb::ndarray<const std::uint16_t, nb::ndim<1>, nb::c_contig>& moves) {
  if (width < 1 || height < 1 || width > go::kMaxSize || height > go::kMaxSize)
    throw std::invalid_argument("a board of " + std::to_string(width) + "x" + std::to_string(height) +
                                " is none; sides lie in 1.." + std::to_string(go::kMaxSize));
  const std::size_t bytes = go::packed_planes_bytes(width, height);
  std::vector<std::uint8_t> packed(moves.size() * bytes);
  std::size_t written = 0;
  {
    const nb::gil_scoped_release release;
    written = go::with_capacity(width, height, [&]<int Capacity>() {
      return go::write_game_planes<Capacity>(width, height, std::span(moves.data(), moves.size()), packed);
    });
  }
  packed.resize(written * bytes);
  return bind::owning_array<bind::Array2D<std::uint8_t>>(std::move(packed), {written, bytes});
}

nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<3>> board_planes(const go::Board& board) {
  go::LastMoves last;
  last.fill(go::kPass);
  for (int back = 1; back <= std::min(board.num_moves(), static_cast<int>(last.size())); ++back)
    if (const int move = board.turn(board.num_moves() - back).move; move != board.pass_move())
      last[static_cast<std::size_t>(back - 1)] = board.cell(move);
  const auto height = static_cast<std::size_t>(board.height()), width = static_cast<std::size_t>(board.width());
  std::vector<std::uint8_t> planes(go::kNumPlanes * height * width);
  go::PlaneWriter<go::Board::AllStones>(board.stones(), planes)
      .write(board.to_play(), last, board.passes() >= 2 ? 0 : board.passes());
  return bind::owning_array<nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<3>>>(std::move(planes),
                                                                               {go::kNumPlanes, height, width});
}

}  // namespace

void bind_go_planes(nb::module_& m) {
  m.attr("NUM_PLANES") = go::kNumPlanes;
  m.def("board_planes", &board_planes, "board"_a,
        "A position as an evaluator sees it: uint8 of shape (planes, height, width).");
  m.def(
      "game_planes", &game_planes, "width"_a, "height"_a, "moves"_a,
      "The positions before each move of a game, black first, as packed planes: uint8 of shape (n, bytes); fewer than "
      "moves where one is played on a stone.");
}
