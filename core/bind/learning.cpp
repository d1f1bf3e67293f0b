// Binds core/learning: tables of states, and updates of many states in a given order.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <stdexcept>
#include <string>

#include "bind/arrays.hpp"
#include "learning/win_loss_states.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using tesuji::bind::to_array;
using tesuji::learning::Scale;
using tesuji::learning::WinLossTables;

namespace {

template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using InOut = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::tuple tables(std::uint32_t end, double z, double threshold, double jump) {
  WinLossTables made = [&] {
    const nb::gil_scoped_release release;
    return WinLossTables(Scale{end, z, threshold, jump});
  }();
  std::vector<std::uint32_t> wins, trials;
  for (const auto& p : made.proportions) {
    wins.push_back(p.wins);
    trials.push_back(p.trials);
  }
  return nb::make_tuple(to_array(std::move(made.win)), to_array(std::move(made.loss)), to_array(std::move(wins)),
                        to_array(std::move(trials)), made.at_threshold);
}

template <class State>
void learn(const In<State>& win, const In<State>& loss, const InOut<State>& states, const In<std::int64_t>& at,
           const In<bool>& won) {
  const nb::gil_scoped_release release;
  for (std::size_t i = 0; i < at.size(); ++i)
    if (at.data()[i] < 0 || static_cast<std::size_t>(at.data()[i]) >= states.size() ||
        states.data()[at.data()[i]] >= win.size())
      throw std::out_of_range("update " + std::to_string(i) + " is of element " + std::to_string(at.data()[i]));
  State* const own = states.data();
  for (std::size_t i = 0; i < at.size(); ++i) {
    State& state = own[at.data()[i]];
    state = won.data()[i] ? win.data()[state] : loss.data()[state];
  }
}

}  // namespace

void bind_learning(nb::module_& module) {
  module.def("win_loss_tables", &tables, "end"_a, "z"_a, "threshold"_a, "jump"_a,
             nb::sig("def win_loss_tables(end: int, z: float, threshold: float, jump: float) -> tuple["
                     "numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.uint32], "
                     "numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.uint32], int]"),
             "Where a win and a loss lead, the wins and trials of each state, and the lowest state at the threshold.");
  const char* const what = "Update states in the order of the results; an element may come more than once.";
  module.def("learn", &learn<std::uint8_t>, "win"_a, "loss"_a, "states"_a, "at"_a, "won"_a, what);
  module.def("learn", &learn<std::uint16_t>, "win"_a, "loss"_a, "states"_a, "at"_a, "won"_a, what);
  module.def("learn", &learn<std::uint32_t>, "win"_a, "loss"_a, "states"_a, "at"_a, "won"_a, what);
}
