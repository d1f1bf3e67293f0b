// Binds core/packing: the problem, and the game over it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "bind/any_nested.hpp"
#include "bind/any_search.hpp"
#include "bind/independent.hpp"
#include "packing/game.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tesuji;
using namespace tesuji::packing;

namespace {

using KindTuple = std::tuple<Length, Length, std::int32_t, bool, double>;
using SheetTuple = std::tuple<Length, Length, std::int32_t, std::int64_t>;
using GapTuple = std::tuple<Length, Length, Length>;
using PlacementTuple = std::tuple<std::int32_t, Length, Length, bool, std::int32_t, std::int32_t>;

Objective objective_named(const std::string& name) {
  if (name == "height") return Objective::Height;
  if (name == "worth") return Objective::Worth;
  if (name == "cost") return Objective::Cost;
  throw std::invalid_argument("objective is '" + name + "'; it must be 'height', 'worth' or 'cost'");
}

std::shared_ptr<Problem> make_problem(const std::vector<KindTuple>& kinds, const std::vector<SheetTuple>& sheets,
                                      const std::string& objective, Length kerf, bool guillotine,
                                      const std::string& side, const std::string& playout) {
  if (side != "left" && side != "taller")
    throw std::invalid_argument("side is '" + side + "'; it must be 'left' or 'taller'");
  if (playout != "uniform" && playout != "fit")
    throw std::invalid_argument("playout is '" + playout + "'; it must be 'uniform' or 'fit'");
  std::vector<Kind> all_kinds;
  for (const auto& [width, height, count, may_turn, worth] : kinds)
    all_kinds.push_back({width, height, count, may_turn, worth});
  std::vector<Sheet> all_sheets;
  for (const auto& [width, height, count, cost] : sheets)
    all_sheets.push_back({width, height == 0 ? kEndless : height, count, cost});
  return std::make_shared<Problem>(
      std::move(all_kinds), std::move(all_sheets),
      Options{objective_named(objective), kerf, guillotine, side == "taller", playout == "fit"});
}

void play_checked(Packing& game, Move move) {
  if (!game.is_legal(move)) throw std::invalid_argument("move " + std::to_string(move) + " is not legal here");
  game.play(move);
}

MoveList sorted_moves(const Packing& game) {
  MoveList moves;
  game.legal_moves(moves);
  std::sort(moves.begin(), moves.end());
  return moves;
}

std::vector<GapTuple> gaps_of(const Packing& game) {
  std::vector<GapTuple> gaps;
  for (const Gap& gap : game.front().gaps()) gaps.emplace_back(gap.x, gap.y, gap.width);
  return gaps;
}

std::vector<PlacementTuple> placements_of(Packing game, const MoveList& moves) {
  std::vector<PlacementTuple> placements;
  for (const Move move : moves) {
    if (!game.is_legal(move)) throw std::invalid_argument("move " + std::to_string(move) + " is not legal there");
    if (move < game.waste()) {
      const Placement placed = game.placement(move);
      placements.emplace_back(placed.kind, placed.x, placed.y, placed.is_turned, placed.sheet, placed.sheet_kind);
    }
    game.play(move);
  }
  return placements;
}

// Playouts one after another from the same state: what a benchmark and a baseline need.
std::vector<double> values_of_playouts(const Packing& game, int count, std::uint64_t seed) {
  const nb::gil_scoped_release release;
  Rng rng(seed);
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(Packing(game).play_out(rng, static_cast<MoveLog*>(nullptr)));
  return values;
}

MoveList moves_in_order(const Packing& game, const MoveList& order, bool by_fit) {
  MoveLog log;
  Packing(game).play_out_in_order(order, by_fit, &log);
  return log.moves;
}

MoveList first_order(const Packing& game, int number) {
  MoveList order;
  game.first_order(number, order);
  return order;
}

}  // namespace

void bind_packing(nb::module_& m) {
  nb::class_<Problem>(m, "Problem", "What is to be packed; tesuji.packing makes it of people's numbers.")
      .def(nb::new_(&make_problem), "kinds"_a, "sheets"_a, nb::kw_only(), "objective"_a = "height", "kerf"_a = 0,
           "guillotine"_a = false, "side"_a = "taller", "playout"_a = "fit",
           "kinds: (width, height, count, may turn, worth); sheets: (width, height or 0 for a strip, count, cost).")
      .def_prop_ro("bound", &Problem::bound, "No packing is better.")
      .def_prop_ro("num_items", &Problem::num_items);
  auto game = nb::class_<Packing>(m, "Packing", "Packing as a game of one player; see docs/algorithms/packing.md.");
  game.def(
          "__init__", [](Packing* self, const std::shared_ptr<Problem>& problem) { new (self) Packing(problem); },
          "problem"_a)
      .def_prop_ro("num_distinct_moves", &Packing::num_distinct_moves)
      .def_prop_ro("to_play", &Packing::to_play)
      .def_prop_ro("is_over", &Packing::is_over)
      .def_prop_ro("value", &Packing::value, "Height, worth or cost; only when the game is over.")
      .def_prop_ro("bound", &Packing::bound, "No continuation is better.")
      .def_prop_ro("goal", [](const Packing& g) { return g.goal() == Goal::Maximise ? "maximise" : "minimise"; })
      .def_prop_ro("waste", &Packing::waste, "The move that wastes the lowest gap.")
      .def_prop_ro("gaps", &gaps_of, "x, y and width of each, with the kerf.")
      .def_prop_ro("num_left", &Packing::num_left)
      .def_prop_ro("num_sheets", &Packing::num_sheets, "That are used so far.")
      .def_prop_ro("cost", &Packing::cost, "Of these.")
      .def("legal_moves", &sorted_moves)
      .def("play", &play_checked, "move"_a, "ValueError if the move is not legal.")
      .def("copy", [](const Packing& g) { return Packing(g); })
      .def("key", &Packing::hash, "Equal states have equal keys.")
      .def("placements", &placements_of, "moves"_a, "kind, x, y, is turned, sheet, kind of sheet of each rectangle.")
      .def("playout_values", &values_of_playouts, "count"_a, "seed"_a)
      .def("first_order", &first_order, "number"_a, "Moves by decreasing area, width, height or perimeter.")
      .def("moves_in_order", &moves_in_order, "order"_a, "by_fit"_a)
      .def("make_search", &bind::make_search<Packing>, "config"_a, "seed"_a, bind::kMakeSearchDoc)
      .def("make_nested", &bind::nested_over<Packing>, "level"_a, "num_threads"_a, "seed"_a, bind::kMakeNestedDoc);
  bind::bind_independent_searches(game);
}
