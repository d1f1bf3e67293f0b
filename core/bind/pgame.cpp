// Binds core/games/pgame.hpp and what is measured on it: the choices of searches, alpha-beta, flat Monte-Carlo.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <span>
#include <stdexcept>
#include <string>

#include "bind/any_search.hpp"
#include "bind/arrays.hpp"
#include "bind/pgame_groups.hpp"
#include "games/pgame.hpp"
#include "search/alpha_beta.hpp"
#include "search/choices.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tesuji;
using tesuji::bind::Array2D;
using tesuji::bind::owning_array;
using tesuji::bind::to_array;

namespace {

PGameSpec make_spec(int breadth, int depth, double combination, std::uint64_t seed, bool mixed_root,
                    bool amounts_in_range, int num_groups, double group_size, double group_bias,
                    std::size_t memory_bytes) {
  return {breadth,          depth,      combination, seed,       mixed_root,
          amounts_in_range, num_groups, group_size,  group_bias, memory_bytes};
}

template <class T>
using View1D = nb::ndarray<nb::numpy, const T, nb::ndim<1>>;

// The game's own numbers, which never change; whoever holds the array holds the game.
template <class T>
auto view_of(const std::vector<T>& (PGame::*column)() const) {
  return [column](const PGame& game) {
    const std::vector<T>& values = (game.*column)();
    return View1D<T>(values.data(), {values.size()}, nb::handle());
  };
}

// By node: 1 if the first player wins it under best play.
auto winners_of(const PGame& game) {
  std::vector<std::uint8_t> winners(game.num_nodes());
  for (std::size_t node = 0; node < winners.size(); ++node)
    winners[node] = game.first_wins(static_cast<PGame::Node>(node)) ? 1 : 0;
  return to_array(std::move(winners));
}

// A row of `breadth` children for each node that is no leaf.
auto children_of(const PGame& game) {
  const PGame::Node num_rows = *(game.level_starts().end() - 2);
  std::vector<PGame::Node> children;
  children.reserve(std::size_t{num_rows} * static_cast<std::size_t>(game.breadth()));
  for (PGame::Node node = 0; node < num_rows; ++node)
    for (Move move = 0; move < game.breadth(); ++move) children.push_back(game.child(node, move));
  return to_array(std::move(children), num_rows);
}

void check_playable(const PGamePosition& position, Move move) {
  if (!position.is_legal(move)) throw std::invalid_argument("move " + std::to_string(move) + " is not legal here");
}

nb::dict groups_of(const PGamePosition& position, bool overlap) {
  nb::dict groups;
  for (const NamedMoves& group : position.groups(overlap)) groups[nb::str(group.name.c_str())] = nb::cast(group.moves);
  return groups;
}

void check_counts(const PGamePosition& position, const std::vector<std::uint64_t>& counts) {
  if (position.is_over()) throw std::invalid_argument("the game is over here: there is nothing to search");
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] <= (i == 0 ? 0 : counts[i - 1]))
      throw std::invalid_argument("counts must be above 0 and ascend; " + std::to_string(counts[i]) + " does not");
}

std::string identity_of(const PGamePosition& position) {
  const PGameSpec& spec = position.game().spec();
  return "P-game " + std::to_string(spec.breadth) + "x" + std::to_string(spec.depth) + ", combination " +
         std::to_string(spec.combination) + ", seed " + std::to_string(spec.seed) + ", " +
         std::to_string(position.game().num_nodes()) + " nodes";
}

// One row for each seed, as (moves, numbers of nodes).
template <class Search>
nb::tuple repeated(const PGamePosition& position, const std::vector<std::uint64_t>& counts,
                   const std::vector<std::uint64_t>& seeds, const Search& search) {
  check_counts(position, counts);
  std::vector<Move> moves;
  std::vector<std::uint64_t> num_nodes;
  for (const std::uint64_t seed : seeds) {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    const nb::gil_scoped_release release;
    for (const Choice& choice : search(seed)) {
      moves.push_back(choice.move);
      num_nodes.push_back(choice.num_nodes);
    }
  }
  const std::initializer_list<std::size_t> shape = {seeds.size(), counts.size()};
  return nb::make_tuple(owning_array<Array2D<Move>>(std::move(moves), shape),
                        owning_array<Array2D<std::uint64_t>>(std::move(num_nodes), shape));
}

}  // namespace

void bind_pgame(nb::module_& m) {
  nb::class_<bind::PGameGroups>(m, "PGameGroups", "The groups that were drawn with a P-game, for a search.")
      .def(nb::init<>());
  nb::class_<PGame>(m, "PGame", "A P-game; tesuji.games.PGame documents it.")
      .def(
          "__init__",
          [](PGame* made, int breadth, int depth, double combination, std::uint64_t seed, bool mixed_root,
             bool amounts_in_range, int num_groups, double group_size, double group_bias, std::size_t memory_bytes) {
            const nb::gil_scoped_release release;
            new (made) PGame(make_spec(breadth, depth, combination, seed, mixed_root, amounts_in_range, num_groups,
                                       group_size, group_bias, memory_bytes));
          },
          nb::kw_only(), "breadth"_a, "depth"_a, "combination"_a, "seed"_a, "mixed_root"_a, "amounts_in_range"_a,
          "num_groups"_a, "group_size"_a, "group_bias"_a, "memory_bytes"_a)
      .def_static(
          "check",
          [](int breadth, int depth, double combination, std::uint64_t seed, bool mixed_root, bool amounts_in_range,
             int num_groups, double group_size, double group_bias, std::size_t memory_bytes) {
            PGame::check(make_spec(breadth, depth, combination, seed, mixed_root, amounts_in_range, num_groups,
                                   group_size, group_bias, memory_bytes));
          },
          nb::kw_only(), "breadth"_a, "depth"_a, "combination"_a, "seed"_a, "mixed_root"_a, "amounts_in_range"_a,
          "num_groups"_a, "group_size"_a, "group_bias"_a, "memory_bytes"_a,
          "ValueError if there is no such game, or if it is larger than its cap; nothing is drawn.")
      .def("unfolded", &PGame::unfolded, "memory_bytes"_a, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("num_nodes", &PGame::num_nodes)
      .def_prop_ro("num_redraws", &PGame::num_redraws)
      .def_prop_ro("num_amounts_out_of_range", &PGame::num_amounts_out_of_range)
      .def_prop_ro("level_starts", view_of(&PGame::level_starts), nb::rv_policy::reference_internal)
      .def_prop_ro("scores", view_of(&PGame::scores), nb::rv_policy::reference_internal)
      .def_prop_ro("groups", view_of(&PGame::groups), nb::rv_policy::reference_internal)
      .def("winners", &winners_of)
      .def("children", &children_of);

  nb::class_<PGamePosition>(m, "PGamePosition", "A place in a P-game; a move is a number from 0 to breadth - 1.")
      .def(nb::init<const PGame&>(), "game"_a, nb::keep_alive<1, 2>())
      .def_prop_ro("num_distinct_moves", &PGamePosition::num_distinct_moves)
      .def_prop_ro("to_play", &PGamePosition::to_play, "0: the first player, 1: the second.")
      .def_prop_ro("is_over", &PGamePosition::is_over)
      .def_prop_ro("value", &PGamePosition::value,
                   "For the first player under best play: 1 or 0. Known everywhere, not only when the game is over.")
      .def_prop_ro("identity", &identity_of, "Which P-game it is of, in words: their keys are all alike.")
      .def_prop_ro("node", &PGamePosition::node, "The number of this place in the arrays of the game.")
      .def("legal_moves",
           [](const PGamePosition& position) {
             MoveList moves;
             position.legal_moves(moves);
             return moves;
           })
      .def(
          "play",
          [](PGamePosition& position, Move move) {
            check_playable(position, move);
            position.play(move);
          },
          "move"_a, "ValueError if the move is not legal.")
      .def(
          "is_winning",
          [](const PGamePosition& position, Move move) {
            check_playable(position, move);
            return position.is_winning(move);
          },
          "move"_a, "Whether the move wins for the player who makes it.")
      .def(
          "copy", [](const PGamePosition& position) { return PGamePosition(position); }, nb::keep_alive<0, 1>())
      .def("key", &PGamePosition::hash, "The node: equal states have equal keys.")
      .def("make_search", &bind::make_search<PGamePosition>, "config"_a, "seed"_a, nb::keep_alive<0, 1>(),
           bind::kMakeSearchDoc)
      .def("groups", &groups_of, nb::kw_only(), "overlap"_a,
           nb::sig("def groups(self, *, overlap: bool) -> dict[str, list[int]]"),
           "Named sets of moves; the last is 'else': all moves, or with overlap=False those in no other group.");
}

void bind_pgame_search(nb::module_& m) {
  m.def(
      "alpha_beta",
      [](const PGamePosition& position) {
        nb::gil_scoped_release release;
        const AlphaBetaResult found = alpha_beta(position);
        nb::gil_scoped_acquire acquire;
        return nb::make_tuple(found.value, found.move, found.leaves);
      },
      "position"_a, nb::sig("def alpha_beta(position: tesuji._core.games.PGamePosition) -> tuple[float, int, int]"),
      "The value for the first player, the first move that reaches it (-1 at the end), and the leaves looked at.");
  m.def(
      "choices_of_flat_monte_carlo",
      [](const PGamePosition& position, const std::vector<std::uint64_t>& counts,
         const std::vector<std::uint64_t>& seeds) {
        return repeated(position, counts, seeds,
                        [&](std::uint64_t seed) { return choices_of_flat_monte_carlo(position, seed, counts); });
      },
      "position"_a, "counts"_a, "seeds"_a,
      nb::sig("def choices_of_flat_monte_carlo(position: tesuji._core.games.PGamePosition, counts: list[int], "
              "seeds: list[int]) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.uint64]]"),
      "As `choices`, for flat Monte-Carlo, which has no nodes.");
  m.def(
      "choices",
      [](const PGamePosition& position, const SearchConfig& config, const std::vector<std::uint64_t>& counts,
         const std::vector<std::uint64_t>& seeds, const GroupingOptions* grouping) {
        const Grouper<PGamePosition> grouper = grouping == nullptr ? nullptr : PGamePosition::find_groups;
        const GroupingOptions options = grouping == nullptr ? GroupingOptions{} : *grouping;
        return repeated(position, counts, seeds, [&](std::uint64_t seed) {
          return choices_of_search(position, config, seed, counts, grouper, options);
        });
      },
      "position"_a, "config"_a, "counts"_a, "seeds"_a, "grouping"_a.none() = nb::none(),
      nb::sig("def choices(position: tesuji._core.games.PGamePosition, config: SearchConfig, counts: list[int], "
              "seeds: list[int], grouping: GroupingOptions | None = None) -> tuple[numpy.typing.NDArray[numpy.int32], "
              "numpy.typing.NDArray[numpy.uint64]]"),
      "The move with the best value and the number of nodes after `counts` simulations; a row for each seed. Moves\n"
      "are grouped as they were drawn with the game if `grouping` is given.");
}
