// Binds core/games/compiled.hpp; tesuji.games.compiled is its public face.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "bind/any_nested.hpp"
#include "bind/any_search.hpp"
#include "bind/compiled_game.hpp"
#include "games/compiled_playout.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tesuji;
using tesuji::bind::AnyNested;
using tesuji::bind::AnySearch;
using tesuji::bind::HeldCompiledGame;

namespace {

std::span<const std::byte> bytes_in(const nb::bytes& record) {
  return {reinterpret_cast<const std::byte*>(record.data()), record.size()};
}

using Addresses = nb::typed<nb::dict, nb::str, nb::int_>;

template <class Function>
void set_address(Function& function, const Addresses& addresses, const char* name) {
  if (addresses.contains(name)) function = reinterpret_cast<Function>(nb::cast<std::uintptr_t>(addresses[name]));
}

std::function<void(const CompiledRules::Failure&)> failing(nb::object explain, nb::object kept) {
  return [explain = std::move(explain), kept = std::move(kept)](const CompiledRules::Failure& failure) {
    const nb::gil_scoped_acquire hold;
    explain(failure.function, failure.status, nb::bytes(failure.record.data(), failure.record.size()), failure.move,
            failure.random);
  };
}

// `explain(function, status, record, move, random)` raises; `addresses` holds C functions by name, `kept` what they are
// part of.
std::shared_ptr<CompiledRules> make_rules(std::size_t record_bytes, int num_distinct_moves, const std::string& goal,
                                          const Addresses& addresses, bool has_own_playout, nb::object explain,
                                          nb::object kept) {
  auto rules = std::make_shared<CompiledRules>();
  rules->record_bytes = record_bytes;
  rules->num_distinct_moves = num_distinct_moves;
  if (!goal.empty()) rules->goal = goal == "minimise" ? Goal::Minimise : Goal::Maximise;
  set_address(rules->to_play, addresses, "to_play");
  set_address(rules->is_over, addresses, "is_over");
  set_address(rules->value, addresses, "value");
  set_address(rules->legal_moves, addresses, "legal_moves");
  set_address(rules->play, addresses, "play");
  set_address(rules->key, addresses, "key");
  set_address(rules->playout, addresses, "playout");
  set_address(rules->logged_playout, addresses, "logged_playout");
  set_address(rules->priors, addresses, "priors");
  set_address(rules->bound, addresses, "bound");
  rules->has_own_playout = has_own_playout;
  rules->fail = failing(std::move(explain), std::move(kept));
  return rules;
}

// The functions of a playout policy for states of these rules; `explain` and `kept` as above.
std::shared_ptr<CompiledSteps> make_steps(const HeldCompiledGame& game, const Addresses& addresses, nb::object explain,
                                          nb::object kept) {
  auto steps = std::make_shared<CompiledSteps>();
  steps->rules = game.rules;
  set_address(steps->step, addresses, "step");
  set_address(steps->playout, addresses, "playout");
  steps->fail = failing(std::move(explain), std::move(kept));
  return steps;
}

std::vector<Move> sorted_moves(const HeldCompiledGame& held) {
  MoveList moves;
  if (!held.game.is_over()) held.game.legal_moves(moves);
  std::sort(moves.begin(), moves.end());
  return moves;
}

void play_checked(HeldCompiledGame& held, Move move) {
  if (!is_legal_move(held.game, move))
    throw std::invalid_argument("move " + std::to_string(move) + " is not legal here");
  held.game.play(move);
}

std::vector<float> priors_of(const HeldCompiledGame& held, const std::vector<Move>& moves) {
  std::vector<float> priors(moves.size());
  held.game.priors(moves, priors);
  return priors;
}

std::unique_ptr<AnyNested> nested_over(const HeldCompiledGame& held, int level, int num_threads, std::uint64_t seed) {
  return std::make_unique<bind::NestedOver<CompiledGame, CompiledRules>>(held.rules, held.game, level, num_threads,
                                                                         seed);
}

std::unique_ptr<AnySearch> search_over(const HeldCompiledGame& held, const SearchConfig& config, std::uint64_t seed) {
  return bind::search_over(held.game, config, seed, held.rules);
}

}  // namespace

void bind_compiled_games(nb::module_& m) {
  nb::class_<CompiledRules>(m, "CompiledRules", "C functions over a record; made by tesuji.games.compilation.")
      .def(nb::new_(&make_rules), "record_bytes"_a, "num_distinct_moves"_a, "goal"_a, "addresses"_a,
           "has_own_playout"_a, "explain"_a, "kept"_a);
  nb::class_<HeldCompiledGame>(m, "CompiledGame", "A state of a compiled game.")
      .def(
          "__init__",
          [](HeldCompiledGame* held, std::shared_ptr<CompiledRules> rules, const nb::bytes& record) {
            new (held) HeldCompiledGame(std::move(rules), bytes_in(record));
          },
          "rules"_a, "record"_a)
      .def_prop_ro("num_distinct_moves", [](const HeldCompiledGame& held) { return held.game.num_distinct_moves(); })
      .def_prop_ro("to_play", [](const HeldCompiledGame& held) { return held.game.to_play(); })
      .def_prop_ro("is_over", [](const HeldCompiledGame& held) { return held.game.is_over(); })
      .def_prop_ro("value", [](const HeldCompiledGame& held) { return held.game.value(); })
      .def("legal_moves", &sorted_moves)
      .def("play", &play_checked, "move"_a)
      .def("copy", [](const HeldCompiledGame& held) { return HeldCompiledGame(held); })
      .def("key", [](const HeldCompiledGame& held) { return held.game.hash(); })
      .def("bound", [](const HeldCompiledGame& held) { return held.game.bound(); })
      .def("priors", &priors_of, "moves"_a)
      .def("make_nested", &nested_over, "level"_a, "num_threads"_a, "seed"_a, bind::kMakeNestedDoc)
      .def("make_search", &search_over, "config"_a, "seed"_a, bind::kMakeSearchDoc)
      .def_prop_ro(
          "record",
          [](HeldCompiledGame& held) {
            const auto bytes = held.game.record();
            return nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>>(reinterpret_cast<std::uint8_t*>(bytes.data()),
                                                                     {bytes.size()}, nb::find(held));
          },
          nb::rv_policy::reference_internal, "The record's bytes; writing to them changes the state.");
  nb::class_<CompiledSteps>(m, "CompiledSteps",
                            "C functions of a playout policy; made by tesuji.games.CompiledPlayouts.")
      .def(nb::new_(&make_steps), "game"_a, "addresses"_a, "explain"_a, "kept"_a);
}
