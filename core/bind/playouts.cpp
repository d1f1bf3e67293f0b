// Binds playout policies: descriptions of them, what decorators keep, and playouts without a search.
#include "bind/playouts.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "bind/compiled_game.hpp"
#include "bind/pgame_groups.hpp"
#include "bind/python_game.hpp"
#include "bind/python_playout.hpp"
#include "games/breakthrough.hpp"
#include "games/compiled_playout.hpp"
#include "games/connect4.hpp"
#include "games/gomoku.hpp"
#include "games/havannah.hpp"
#include "games/hex.hpp"
#include "games/knapsack.hpp"
#include "games/othello.hpp"
#include "games/pgame.hpp"
#include "games/playout_runner.hpp"
#include "games/samegame.hpp"
#include "games/tictactoe.hpp"
#include "games/tsp.hpp"
#include "games/y.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tesuji;
using tesuji::bind::EndPlayout;
using tesuji::bind::PythonPlayouts;
using tesuji::bind::RandomStream;
using tesuji::bind::Recorded;
using tesuji::bind::Stopping;
using tesuji::bind::to_array;

namespace {

std::uint64_t draw_below(RandomStream& random, std::int64_t bound) {
  if (bound < 1 || bound > std::int64_t{1} << 32)
    throw std::invalid_argument("below(" + std::to_string(bound) + "): the bound must lie in 1..2**32");
  return random.rng.below(static_cast<std::uint64_t>(bound));
}

nb::object draw_one(RandomStream& random, const nb::sequence& items) {
  const std::size_t number = nb::len(items);
  if (number == 0) throw std::invalid_argument("choice() of nothing: there must be an item");
  return items[random.rng.below(number)];
}

nb::bytes to_bytes(const std::vector<std::byte>& bytes) { return nb::bytes(bytes.data(), bytes.size()); }
std::span<const std::byte> to_span(const nb::bytes& bytes) {
  return {reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()};
}

StateKey key_in(std::uint64_t key, std::uint64_t second_key) { return {key, static_cast<std::uint32_t>(second_key)}; }

using Playouts = std::pair<bind::Array1D<double>, bind::Array1D<std::int64_t>>;

// Values and lengths of so many playouts. Looks for Ctrl-C a few times a second.
Playouts play_out_many(const DynamicGame& root, const bind::GameFace& face, nb::handle given, std::uint64_t number,
                       std::uint64_t seed) {
  if (root.is_over()) throw std::invalid_argument("the game is over: there is nothing to play out");
  const std::shared_ptr<PlayoutPolicy<DynamicGame>> policy = bind::playouts_from(given, face);
  std::vector<double> values;
  std::vector<std::int64_t> lengths;
  {
    const nb::gil_scoped_release release;
    if (policy) policy->new_root(root);
    PlayoutRunner<DynamicGame> runner(policy, true);
    Rng rng(seed);
    auto next_look = std::chrono::steady_clock::now();
    for (std::uint64_t i = 0; i < number; ++i) {
      if (const auto now = std::chrono::steady_clock::now(); now >= next_look) {
        const nb::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        next_look = now + std::chrono::milliseconds(200);
      }
      DynamicGame state = root;
      values.push_back(runner.run(state, {}, rng, nullptr));
      lengths.push_back(static_cast<std::int64_t>(runner.moves().size()));
    }
  }
  return {to_array(std::move(values)), to_array(std::move(lengths))};
}

template <Game G>
void bind_play_out(nb::module_& m) {
  m.def(
      "play_out",
      [](const G& game, nb::handle playouts, std::uint64_t number, std::uint64_t seed) {
        return play_out_many(dynamic(game), bind::face_of<G>(), playouts, number, seed);
      },
      "game"_a, "playouts"_a.none(), "number"_a, "seed"_a, "Values of so many playouts, and how many moves each had.");
}

void bind_values(nb::module_& m) {
  nb::class_<PlayedMove>(m, "PlayedMove", "A move of a simulation.")
      .def_ro("move", &PlayedMove::move)
      .def_ro("player", &PlayedMove::player, "Who made it: 0, the first player, or 1.")
      .def_ro("context", &PlayedMove::context, "What the policy saw around it; 0: nothing.")
      .def("__eq__",
           [](const PlayedMove& a, nb::handle other) {
             PlayedMove b{};
             return nb::try_cast<PlayedMove>(other, b) && a.move == b.move && a.player == b.player &&
                    a.context == b.context;
           })
      .def("__hash__", [](const PlayedMove& a) { return nb::hash(nb::make_tuple(a.move, a.player, a.context)); })
      .def("__repr__", [](const PlayedMove& a) {
        return "PlayedMove(move=" + std::to_string(a.move) + ", player=" + std::to_string(a.player) +
               (a.context != 0 ? ", context=" + std::to_string(a.context) : "") + ")";
      });
  nb::class_<RandomStream>(m, "RandomStream", "Where a playout policy draws from: the stream of its thread.")
      .def(nb::init<std::uint64_t>(), "seed"_a)
      .def("below", &draw_below, "bound"_a, "A whole number from 0 to bound - 1, each as likely.")
      .def(
          "unit", [](RandomStream& random) { return random.rng.unit(); }, "A number from 0 to below 1.")
      .def("choice", &draw_one, "items"_a,
           nb::sig("def choice(self, items: collections.abc.Sequence[typing.Any]) -> typing.Any"),
           "One of the items, each as likely.");
  nb::class_<EndPlayout>(m, "EndPlayout", "What step() returns to end a playout here with a value.")
      .def(nb::init<double>(), "value"_a)
      .def_ro("value", &EndPlayout::value)
      .def("__repr__", [](const EndPlayout& end) { return "EndPlayout(" + std::to_string(end.value) + ")"; });
  nb::class_<RecordedPlayout>(m, "RecordedPlayout", "A playout that was recorded.")
      .def_ro("walk", &RecordedPlayout::walk, "The moves from the root to where it began.")
      .def_ro("moves", &RecordedPlayout::moves, "Its own moves.")
      .def_ro("value", &RecordedPlayout::value);
}

void bind_tables(nb::module_& m) {
  nb::class_<PlayoutHistory>(m, "PlayoutHistory", "The last playouts of all threads.")
      .def(nb::init<std::size_t>(), "capacity"_a)
      .def_prop_ro("capacity", &PlayoutHistory::capacity)
      .def_prop_ro("num_playouts", &PlayoutHistory::num_playouts, "How many there were in all.")
      .def("playouts", &PlayoutHistory::playouts)
      .def("clear", &PlayoutHistory::clear);
  nb::class_<KnownPositions>(m, "KnownPositions", "A bounded table from states to sums of results.")
      .def(nb::init<std::size_t>(), "capacity"_a)
      .def_prop_ro("capacity", &KnownPositions::capacity)
      .def_prop_ro("num_bytes", &KnownPositions::bytes)
      .def("__len__", &KnownPositions::size)
      .def(
          "find",
          [](const KnownPositions& positions, std::uint64_t key, std::uint64_t second_key) {
            const KnownPositions::Known known = positions.find(key_in(key, second_key));
            return std::make_pair(known.sum, known.weight);
          },
          "key"_a, "second_key"_a = 0, nb::sig("def find(self, key: int, second_key: int = 0) -> tuple[float, int]"),
          "Sum of results and weight; (0, 0): unknown.")
      .def(
          "add",
          [](KnownPositions& positions, std::uint64_t key, double value, std::uint32_t weight,
             std::uint64_t second_key) {
            if (!std::isfinite(value)) throw std::invalid_argument("a result must be a finite number");
            positions.add(key_in(key, second_key), value, weight);
          },
          "key"_a, "value"_a, "weight"_a = 1, "second_key"_a = 0)
      .def("clear", &KnownPositions::clear)
      .def("begin_generation", &KnownPositions::begin_generation)
      .def(
          "save",
          [](const KnownPositions& positions, std::uint64_t identity) { return to_bytes(positions.save(identity)); },
          "identity"_a = 0)
      .def(
          "load",
          [](KnownPositions& positions, const nb::bytes& saved, std::uint64_t identity) {
            positions.load(to_span(saved), identity);
          },
          "saved"_a, "identity"_a = 0);
}

void bind_descriptions(nb::module_& m) {
  nb::class_<PythonPlayouts>(m, "PythonPlayouts", "Functions in Python as a playout policy.")
      .def(
          "__init__",
          [](PythonPlayouts* self, nb::object step, nb::object begin, nb::object observe, nb::object new_root) {
            new (self) PythonPlayouts{std::move(step), std::move(begin), std::move(observe), std::move(new_root)};
          },
          "step"_a, "begin"_a.none(), "observe"_a.none(), "new_root"_a.none());
  nb::class_<Recorded>(m, "RecordedPlayouts", "Records what another policy plays.")
      .def(
          "__init__",
          [](Recorded* self, nb::object inner, std::shared_ptr<PlayoutHistory> history) {
            new (self) Recorded{std::move(inner), std::move(history)};
          },
          "inner"_a.none(), "history"_a);
  nb::class_<Stopping>(m, "StopAtKnown", "Stops another policy's playouts at known positions.")
      .def(
          "__init__",
          [](Stopping* self, nb::object inner, std::shared_ptr<KnownPositions> positions, const StopOptions& options) {
            new (self) Stopping{std::move(inner), std::move(positions), options};
          },
          "inner"_a.none(), "positions"_a, "options"_a)
      .def(
          "counts",
          [](const Stopping& stopping) {
            const StopCounts& counts = *stopping.counts;
            return std::make_tuple(counts.playouts.load(), counts.stopped.load(), counts.moves.load());
          },
          "Playouts, those that were stopped, and the moves of all.");
}

void bind_options(nb::module_& m) {
  nb::class_<StopOptions>(m, "StopOptions", "What a table of known positions is used for.")
      .def(nb::init<>())
      .def_rw("min_weight", &StopOptions::min_weight)
      .def_rw("stops", &StopOptions::stops)
      .def_rw("learns", &StopOptions::learns)
      .def_rw("learns_walk", &StopOptions::learns_walk)
      .def_rw("gives_priors", &StopOptions::gives_priors)
      .def_rw("keeps_means", &StopOptions::keeps_means)
      .def_rw("punishment", &StopOptions::punishment)
      .def_rw("least_filling", &StopOptions::least_filling);
}

}  // namespace

namespace tesuji::bind {

std::shared_ptr<PlayoutPolicy<DynamicGame>> playouts_from(nb::handle given, const GameFace& face) {
  if (given.is_none()) return nullptr;
  if (nb::isinstance<PythonPlayouts>(given))
    return std::make_shared<PythonPlayout>(nb::cast<const PythonPlayouts&>(given), face);
  if (nb::isinstance<Recorded>(given)) {
    const auto& recorded = nb::cast<const Recorded&>(given);
    return std::make_shared<RecordedPlayouts<DynamicGame>>(playouts_from(recorded.inner, face), recorded.history);
  }
  if (nb::isinstance<Stopping>(given)) {
    const auto& stopping = nb::cast<const Stopping&>(given);
    return std::make_shared<StopAtKnown<DynamicGame>>(playouts_from(stopping.inner, face), stopping.positions,
                                                      stopping.options, stopping.counts);
  }
  if (nb::isinstance<CompiledSteps>(given)) {
    if (!face.is_compiled)
      throw std::invalid_argument("compiled playouts are for the compiled game that they were made for");
    return dynamic<CompiledGame>(std::make_shared<CompiledPlayout>(nb::cast<std::shared_ptr<CompiledSteps>>(given)));
  }
  throw std::invalid_argument("playouts is " + nb::cast<std::string>(nb::repr(given)) +
                              "; tesuji.search.playouts says what it may be");
}

}  // namespace tesuji::bind

void bind_playouts(nb::module_& m) {
  bind_values(m);
  bind_tables(m);
  bind_options(m);
  bind_descriptions(m);
  bind_play_out<TicTacToe>(m);
  bind_play_out<Connect4>(m);
  bind_play_out<Othello>(m);
  bind_play_out<Breakthrough>(m);
  bind_play_out<Gomoku>(m);
  bind_play_out<Hex>(m);
  bind_play_out<Y>(m);
  bind_play_out<Havannah>(m);
  bind_play_out<SameGame>(m);
  bind_play_out<Knapsack>(m);
  bind_play_out<Tsp>(m);
  bind_play_out<PGamePosition>(m);
  m.def(
      "play_out_compiled",
      [](const bind::HeldCompiledGame& held, nb::handle playouts, std::uint64_t number, std::uint64_t seed) {
        return play_out_many(dynamic(held.game), bind::face_of<CompiledGame>(), playouts, number, seed);
      },
      "game"_a, "playouts"_a.none(), "number"_a, "seed"_a);
  m.def(
      "play_out_object",
      [](const nb::object& game, nb::handle playouts, std::uint64_t number, std::uint64_t seed) {
        return play_out_many(DynamicGame(bind::PythonGame::root(game)), bind::face_of<DynamicGame>(), playouts, number,
                             seed);
      },
      "game"_a, "playouts"_a.none(), "number"_a, "seed"_a);
}
