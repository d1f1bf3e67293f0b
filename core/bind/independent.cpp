// Binds searches whose threads look on their own: local search over orders, nested rollout policy adaptation.
#include "bind/independent.hpp"

#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>

#include <functional>
#include <optional>

#include "bind/python_game.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tesuji;
using tesuji::bind::PythonGame;

namespace {

std::unique_ptr<IndependentSearch> orders_over_object(const nb::object& game, std::uint64_t patience, int num_threads,
                                                      std::uint64_t seed, const MoveList& begin_with,
                                                      bool reads_by_fit) {
  return bind::orders_over(DynamicGame(PythonGame::root(game)), patience, num_threads, seed, begin_with, reads_by_fit);
}

std::unique_ptr<IndependentSearch> nrpa_over_object(const nb::object& game, const NrpaConfig& config, int num_threads,
                                                    std::uint64_t seed) {
  return bind::nrpa_over(DynamicGame(PythonGame::root(game)), config, num_threads, seed);
}

void run(IndependentSearch& search, std::uint64_t simulations, double seconds,
         const std::optional<std::function<bool()>>& progress, double report_s) {
  const nb::gil_scoped_release release;
  search.run({simulations, seconds, 0, report_s}, [&] {
    const nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    return !progress || (*progress)();
  });
}

}  // namespace

void bind_independent(nb::module_& m) {
  nb::class_<IndependentSearch>(m, "IndependentSearch", "A search of one player whose threads look on their own.")
      .def("run", &run, "simulations"_a, "seconds"_a, "progress"_a = nb::none(), "report_s"_a = 0.2,
           "Runs until a limit is reached (0: no such limit); progress() is asked every report_s seconds.")
      .def("stop", &IndependentSearch::stop, "Ends a run, from any thread.")
      .def("found", &IndependentSearch::found);
  nb::class_<NrpaConfig>(m, "NrpaConfig", "The values of tesuji.search.NRPA.")
      .def(
          "__init__",
          [](NrpaConfig* self, int level, int iterations, double alpha, double bias) {
            new (self) NrpaConfig{level, iterations, alpha, bias};
          },
          "level"_a, "iterations"_a, "alpha"_a, "bias"_a);
  m.def("make_orders_for_object", &orders_over_object, "game"_a, "patience"_a, "num_threads"_a, "seed"_a,
        "begin_with"_a = MoveList(), "reads_by_fit"_a = true,
        "For any object with the methods of tesuji.games.OnePlayerGame.");
  m.def("make_nrpa_for_object", &nrpa_over_object, "game"_a, "config"_a, "num_threads"_a, "seed"_a,
        "For any object with the methods of tesuji.games.OnePlayerGame.");
}
