// Binds playouts that learn: their tables, and playouts without a search; a search with them is go_search.cpp's. Names
// and defaults are those of tesuji.go.knowledge.learning.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "go/learning_playouts.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tesuji;
using go::Board;
using go::LearningOptions;
using go::LearningTables;
using tesuji::bind::to_array;

namespace {

std::vector<std::uint64_t> origins_of(const LearningTables& tables) {
  std::vector<std::uint64_t> counts;
  for (std::size_t origin = 0; origin < go::kNumOrigins; ++origin) counts.push_back(tables.num_moves_from(origin));
  return counts;
}

using Points = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Keys = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void teach_from_tree(LearningTables& tables, int color, int to, std::uint32_t to_context, const Points& moves,
                     const Keys& contexts, const Numbers& rates, const Numbers& trials) {
  LearningTables* const layer = tables.tree_layer();
  const auto num_points = static_cast<int>(tables.num_points());
  if (layer == nullptr) throw std::invalid_argument("these tables have no second layer");
  if (color < 0 || color > 1 || to < -1 || to >= num_points) throw std::invalid_argument("no such colour or point");
  const std::size_t size = moves.shape(0);
  if (contexts.shape(0) != size || rates.shape(0) != size || trials.shape(0) != size)
    throw std::invalid_argument("the arrays must have one length");
  for (std::size_t i = 0; i < size; ++i) {
    if (moves(i) < 0 || moves(i) >= num_points) throw std::invalid_argument("a move lies off the board");
    const LearningTables::Taught taught{color, static_cast<std::size_t>(moves(i)), contexts(i), rates(i), trials(i)};
    layer->teach(taught);
    if (to >= 0) layer->teach_answer(static_cast<std::size_t>(to), to_context, taught);
  }
}

void bind_options(nb::module_& m) {
  nb::class_<LearningOptions>(m, "LearningOptions",
                              "Filled in by tesuji.go.knowledge.learning, which documents the fields.")
      .def(nb::init<>())
      .def_rw("context_size", &LearningOptions::context_size)
      .def_rw("num_neighbours", &LearningOptions::num_neighbours)
      .def_rw("num_best", &LearningOptions::num_best)
      .def_rw("num_updates", &LearningOptions::num_updates)
      .def_rw("illegal_limit", &LearningOptions::illegal_limit)
      .def_rw("node_threshold", &LearningOptions::node_threshold)
      .def_rw("edge_threshold", &LearningOptions::edge_threshold)
      .def_rw("z", &LearningOptions::z)
      .def_rw("is_relative", &LearningOptions::is_relative)
      .def_rw("balances", &LearningOptions::balances)
      .def_rw("is_kept", &LearningOptions::is_kept)
      .def_rw("fate_limit", &LearningOptions::fate_limit)
      .def_rw("has_tree_layer", &LearningOptions::has_tree_layer)
      .def_rw("memory", &LearningOptions::memory);
}

}  // namespace

void bind_go_learning(nb::module_& m) {
  bind_options(m);
  nb::class_<LearningTables>(m, "LearningTables", "What playouts that learn remember, for all threads of a search.")
      .def(nb::init<int, int, const LearningOptions&>(), "width"_a, "height"_a, "options"_a)
      .def_prop_ro("node_bits", &LearningTables::node_bits)
      .def_prop_ro("edge_bits", &LearningTables::edge_bits)
      .def_prop_ro("num_bytes", &LearningTables::bytes)
      .def_prop_ro("num_playouts", &LearningTables::num_playouts)
      .def("origins", &origins_of, "Moves of all playouts by origin.")
      .def("forget_counts", &LearningTables::forget_counts)
      .def(
          "offsets",
          [](const LearningTables& tables) {
            return std::pair(tables.thresholds().offset(go::LearningThresholds::kNodes),
                             tables.thresholds().offset(go::LearningThresholds::kEdges));
          },
          "By how many states black's thresholds lie above the middle, of nodes and of edges.")
      .def("teach_from_tree", &teach_from_tree, "color"_a, "to"_a, "to_context"_a, "moves"_a, "contexts"_a, "rates"_a,
           "trials"_a, "The second layer hears what a node of the tree knows; `to` is -1 where no move led to it.")
      .def("clear", &LearningTables::clear)
      .def("save",
           [](const LearningTables& tables) {
             const std::vector<std::byte> saved = tables.save();
             return nb::bytes(saved.data(), saved.size());
           })
      .def(
          "load",
          [](LearningTables& tables, const nb::bytes& saved) {
            tables.load({reinterpret_cast<const std::byte*>(saved.data()), saved.size()});
          },
          "saved"_a)
      .def_static(
          "least_memory",
          [](int num_points, int num_best) {
            return LearningTables::least_memory(static_cast<std::size_t>(num_points), num_best);
          },
          "num_points"_a, "num_best"_a, "The smallest budget in bytes that holds one bit of context.");
  m.def(
      "run_learning_playouts",
      [](const Board& board, const go::PlayoutPolicy& policy, const std::shared_ptr<LearningTables>& tables,
         int num_playouts, std::uint64_t seed) {
        std::vector<int> wins;
        {
          const nb::gil_scoped_release release;
          wins = go::run_learning(board, policy, tables, num_playouts, seed);
        }
        return to_array(std::move(wins));
      },
      "board"_a, "policy"_a, "tables"_a, "num_playouts"_a, "seed"_a,
      nb::sig("def run_learning_playouts(board: Board, policy: PlayoutPolicy, tables: LearningTables, num_playouts: "
              "int, seed: int) -> numpy.typing.NDArray[numpy.int32]"),
      "Per playout whether black won, without komi; the tables learn and count.");
}
