// Binds what only searches for one player have: the solutions found, and nested search.
#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <memory>
#include <optional>

#include "bind/any_nested.hpp"
#include "bind/python_game.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tesuji;
using tesuji::bind::AnyNested;
using tesuji::bind::PythonGame;

namespace {

std::unique_ptr<AnyNested> nested_over_object(const nb::object& game, int level, int num_threads, std::uint64_t seed) {
  return bind::nested_over(DynamicGame(PythonGame::root(game)), level, num_threads, seed);
}

void run(AnyNested& search, std::uint64_t simulations, double seconds,
         const std::optional<std::function<bool()>>& progress, double report_s) {
  const nb::gil_scoped_release release;
  search.run({simulations, seconds, 0, report_s}, [&] {
    const nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    return !progress || (*progress)();
  });
}

}  // namespace

void bind_one_player(nb::module_& m) {
  nb::class_<Solution>(m, "Solution", "Moves from the root to the end, and what they are worth.")
      .def_ro("value", &Solution::value)
      .def_ro("moves", &Solution::moves);
  nb::class_<Improvement>(m, "Improvement", "A new best value, counted from the beginning of the run.")
      .def_ro("seconds", &Improvement::seconds)
      .def_ro("simulations", &Improvement::simulations)
      .def_ro("value", &Improvement::value);
  nb::class_<Found>(m, "Found", "What a search for one player has found; tesuji.search.solve makes it readable.")
      .def_ro("best", &Found::best)
      .def_ro("improvements", &Found::improvements, "Of the last run.")
      .def_ro("simulations", &Found::simulations, "Of the last run.")
      .def_ro("is_optimal", &Found::is_optimal, "Whether no better solution exists.")
      .def_ro("is_exhausted", &Found::is_exhausted, "Whether nothing is left that the search would look at.");
  nb::class_<AnyNested>(m, "NestedSearch", "A nested Monte-Carlo search over some game.")
      .def("run", &run, "simulations"_a, "seconds"_a, "progress"_a = nb::none(), "report_s"_a = 0.2,
           "Runs until a limit is reached (0: no such limit); progress() is asked every report_s seconds.")
      .def("stop", &AnyNested::stop, "Ends a run, from any thread.")
      .def("found", &AnyNested::found);
  m.def("make_nested_for_object", &nested_over_object, "game"_a, "level"_a, "num_threads"_a, "seed"_a,
        "For any object with the methods of tesuji.games.OnePlayerGame.");
}
