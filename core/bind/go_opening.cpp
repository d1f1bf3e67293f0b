// Binds core/go/opening_inputs: positions in, rows of inputs out, without the GIL.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "go/opening_inputs.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tesuji::go;
using tesuji::bind::Array1D;
using tesuji::bind::Array2D;
using tesuji::bind::owning_array;
using tesuji::bind::to_array;

namespace {

Color color_from(int value) {
  if (value != 1 && value != 2) throw std::invalid_argument("a colour is 1 (black) or 2 (white)");
  return static_cast<Color>(value);
}

std::pair<Array1D<int>, Array2D<float>> after_states(const Position& position,
                                                     const std::optional<std::vector<int>>& moves,
                                                     double points_off_board, const OpeningFeatures& features) {
  AfterStates after;
  {
    const nb::gil_scoped_release release;
    after = opening_after_states(position, moves.value_or(std::vector<int>{}), !moves, points_off_board, features);
  }
  const std::size_t num_rows = after.moves.size();
  const auto num_inputs = static_cast<std::size_t>(features.num_inputs(position.width * position.height));
  return {to_array(std::move(after.moves)),
          owning_array<Array2D<float>>(std::move(after.inputs), {num_rows, num_inputs})};
}

}  // namespace

void bind_go_opening(nb::module_& m) {
  nb::enum_<Representation>(m, "Representation", "How a feature of the opening is shown to a network.")
      .value("ABSENT", Representation::Absent)
      .value("SCALAR", Representation::Scalar)
      .value("BINARY", Representation::Binary);

  nb::class_<OpeningFeatures>(m, "OpeningFeatures", "Which features of the opening a network sees, and how.")
      .def(
          "__init__",
          [](OpeningFeatures* self, Representation edges, Representation liberties, Representation stones,
             Representation nearby) { new (self) OpeningFeatures{edges, liberties, stones, nearby}; },
          "edges"_a, "liberties"_a, "stones"_a, "nearby"_a)
      .def("num_inputs", &OpeningFeatures::num_inputs, "num_points"_a);

  m.def("opening_after_states", &after_states, "position"_a, "moves"_a.none(), "points_off_board"_a, "features"_a,
        "Moves, and a row of float32 inputs for the position after each, seen by the mover. With None: all moves that "
        "are neither ko nor suicide. The points are the mover's before the move.");
  m.def(
      "opening_inputs",
      [](const Position& position, int friendly, double points_off_board, const OpeningFeatures& features) {
        return to_array(opening_inputs(position, color_from(friendly), points_off_board, features));
      },
      "position"_a, "friendly"_a, "points_off_board"_a, "features"_a,
      "The inputs of a position as it stands, seen by a colour with so many points off the board.");
}
