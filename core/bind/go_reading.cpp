// Binds core/go/life_reading: a problem in, a verdict and a line out, without the GIL.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <tuple>

#include "go/life_reading.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tesuji::go;

namespace {

using Flags = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::vector<std::uint8_t> to_vector(const Flags& flags) { return {flags.data(), flags.data() + flags.shape(0)}; }

Color color_from(int value) {
  if (value != 1 && value != 2) throw std::invalid_argument("a colour is 1 (black) or 2 (white)");
  return static_cast<Color>(value);
}

}  // namespace

void bind_go_reading(nb::module_& module) {
  module.def(
      "read_life",
      [](const Board& board, int anchor, const Flags& region, const Flags& safe, int first, int ko_favours,
         bool needs_eyes, std::int64_t max_nodes) {
        const LifeProblem problem{.anchor = anchor,
                                  .region = to_vector(region),
                                  .safe = to_vector(safe),
                                  .first = color_from(first),
                                  .ko_favours = color_from(ko_favours),
                                  .needs_eyes = needs_eyes};
        nb::gil_scoped_release release;
        LifeAnswer answer = read_life(board, problem, max_nodes);
        return std::tuple(answer.is_captured, std::move(answer.line), answer.num_nodes);
      },
      "board"_a, "anchor"_a, "region"_a, "safe"_a, "first"_a, "ko_favours"_a, "needs_eyes"_a, "max_nodes"_a,
      "Whether a chain can be captured (None: not known within the limit), how it goes, and the positions read.");
}
