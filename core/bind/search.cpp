// Binds core/search: configs, results and what Python may do with a search. The GIL is released while a search runs.
//
// It knows no game: the binding of a native game makes its search (any_search.hpp), here is that of plain Python
// objects.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "bind/any_search.hpp"
#include "bind/arrays.hpp"
#include "bind/python_game.hpp"
#include "bind/run_watch.hpp"
#include "search/game_search.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tesuji;
using tesuji::bind::AnySearch;
using tesuji::bind::PythonGame;
using tesuji::bind::to_array;

namespace {

std::unique_ptr<AnySearch> search_over_object(nb::object game, const SearchConfig& config, std::uint64_t seed) {
  return bind::search_over(DynamicGame(PythonGame::root(game)), config, seed);
}

void run(AnySearch& search, std::uint64_t simulations, double seconds, std::size_t nodes,
         const std::optional<std::function<bool()>>& progress, double report_s) {
  const nb::gil_scoped_release release;
  bind::RunWatch watch(progress, report_s);
  search.search().run(
      {simulations, seconds, nodes, std::min(report_s, bind::RunWatch::kMostSeconds)}, [&] { return watch.ask(); },
      watch.hooks());
}

// The columns of a snapshot under their names: those that everybody may read, then those that only restoring needs.
template <class S, class F>
void for_each_public_column(S& snapshot, const F& function) {
  function("node_mover", snapshot.node_mover);
  function("node_proof", snapshot.node_proof);
  function("node_visits", snapshot.node_visits);
  function("node_value", snapshot.node_value);
  function("node_first_edge", snapshot.node_first_edge);
  function("node_num_edges", snapshot.node_num_edges);
  function("edge_move", snapshot.edge_move);
  function("edge_visits", snapshot.edge_visits);
  function("edge_value", snapshot.edge_value);
  function("edge_proof", snapshot.edge_proof);
  function("edge_child", snapshot.edge_child);
  function("edge_amaf_visits", snapshot.edge_amaf_visits);
  function("edge_amaf_value", snapshot.edge_amaf_value);
  function("edge_prior", snapshot.edge_prior);
}

template <class S, class F>
void for_each_column(S& snapshot, const F& function) {
  for_each_public_column(snapshot, function);
  function("node_width", snapshot.node_width);
  function("edge_is_unlocked", snapshot.edge_is_unlocked);
  function("edge_squares", snapshot.edge_squares);
  function("edge_upper", snapshot.edge_upper);
  function("edge_lower", snapshot.edge_lower);
  function("edge_entry", snapshot.edge_entry);
  function("edge_backed", snapshot.edge_backed);
}

template <class S, class F>
void for_each_table_column(S& table, const F& function) {
  function("key", table.key);
  function("second", table.second);
  function("value", table.value);
  function("visits", table.visits);
  function("references", table.references);
}
constexpr const char* kThreshold = "min_references";
constexpr const char* kTurnedAway = "num_turned_away";

template <class T>
std::vector<T> read_column(nb::handle columns, const char* name) {
  const auto array = nb::cast<nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>>(columns[name]);
  return {array.data(), array.data() + array.size()};
}

nb::dict columns_of(TableSnapshot table) {
  nb::dict columns;
  for_each_table_column(table, [&](const char* name, auto& column) { columns[name] = to_array(std::move(column)); });
  columns[kThreshold] = to_array(std::vector<std::int64_t>{table.min_references});
  columns[kTurnedAway] = to_array(std::vector<std::int64_t>{table.num_turned_away});
  return columns;
}

nb::dict export_table(AnySearch& search) { return columns_of(search.search().table()); }

TableSnapshot import_table(const nb::dict& columns) {
  TableSnapshot table;
  const auto number = [&](const char* name) {
    const std::vector<std::int64_t> numbers = read_column<std::int64_t>(columns, name);
    if (numbers.size() != 1) throw std::invalid_argument(std::string("the table's ") + name + " is not one number");
    return numbers[0];
  };
  for_each_table_column(
      table, [&]<class T>(const char* name, std::vector<T>& column) { column = read_column<T>(columns, name); });
  table.min_references = number(kThreshold);
  table.num_turned_away = number(kTurnedAway);
  return table;
}

void begin_with_table(AnySearch& search, const nb::dict& columns) { search.search().begin_with(import_table(columns)); }

// Groups, whose moves are numbered from the game's on, are shown by their kind.
nb::dict export_graph(AnySearch& search) {
  GraphSnapshot snapshot = [&] {
    const nb::gil_scoped_release release;
    return search.search().graph_copy();
  }();
  const Move num_moves = search.num_moves();
  std::vector<int> kinds(snapshot.edge_move.size(), -1);
  bool has_groups = false;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (snapshot.edge_move[i] < num_moves) continue;
    kinds[i] = (snapshot.edge_move[i] - num_moves) / kMostOfAKind;
    snapshot.edge_move[i] = kNoMove;
    has_groups = true;
  }
  nb::dict columns;
  for_each_public_column(snapshot,
                         [&](const char* name, auto& column) { columns[name] = to_array(std::move(column)); });
  if (has_groups) columns["edge_group"] = to_array(std::move(kinds));
  return columns;
}

std::vector<std::uint8_t> as_numbers(std::span<const std::byte> bytes) {
  std::vector<std::uint8_t> numbers(bytes.size());
  std::transform(bytes.begin(), bytes.end(), numbers.begin(), [](std::byte one) { return std::uint8_t(one); });
  return numbers;
}
std::vector<std::byte> as_bytes_of(const std::vector<std::uint8_t>& numbers) {
  std::vector<std::byte> bytes(numbers.size());
  std::transform(numbers.begin(), numbers.end(), bytes.begin(), [](std::uint8_t one) { return std::byte(one); });
  return bytes;
}

nb::dict export_snapshot(AnySearch& search) {
  SearchSnapshot all = search.search().snapshot();
  nb::list graphs;
  for (GraphSnapshot& snapshot : all.graphs) {
    nb::dict columns;
    for_each_column(snapshot, [&](const char* name, auto& column) { columns[name] = to_array(std::move(column)); });
    graphs.append(columns);
  }
  nb::dict saved;
  saved["graphs"] = graphs;
  saved["streams"] = to_array(std::move(all.streams));
  saved["table"] = columns_of(std::move(all.table));
  nb::dict found;
  found["numbers"] = to_array(std::move(all.numbers));
  found["best_value"] = to_array(std::move(all.best_value));
  found["best_moves"] = to_array(std::move(all.best_moves));
  saved["found"] = found;
  nb::dict learnt;
  learnt["policy"] = to_array(as_numbers(all.policy_memory));
  learnt["game"] = to_array(as_numbers(all.game_memory));
  learnt["biases"] = to_array(std::move(all.biases));
  saved["learnt"] = learnt;
  return saved;
}

void import_snapshot(AnySearch& search, const nb::list& graphs, const std::vector<std::uint64_t>& streams,
                     const nb::dict& table_columns, const nb::dict& found, const nb::dict& learnt) {
  SearchSnapshot all;
  for (const nb::handle graph : graphs) {
    GraphSnapshot& snapshot = all.graphs.emplace_back();
    for_each_column(snapshot,
                    [&]<class T>(const char* name, std::vector<T>& column) { column = read_column<T>(graph, name); });
  }
  all.streams = streams;
  if (table_columns.size() > 0) all.table = import_table(table_columns);
  if (found.size() > 0) {
    all.numbers = read_column<double>(found, "numbers");
    all.best_value = read_column<double>(found, "best_value");
    all.best_moves = read_column<Move>(found, "best_moves");
  }
  if (learnt.size() > 0) {
    all.policy_memory = as_bytes_of(read_column<std::uint8_t>(learnt, "policy"));
    all.game_memory = as_bytes_of(read_column<std::uint8_t>(learnt, "game"));
    all.biases = read_column<float>(learnt, "biases");
  }
  const nb::gil_scoped_release release;
  search.search().restore(all);
}

// Statistics travel as one array per node, with a row for each of these.
constexpr std::size_t kRows = 6;
template <class S>
std::array<decltype(&std::declval<S&>().visits), kRows - 1> rows_after_moves(S& at) {
  return {&at.visits, &at.value, &at.amaf_visits, &at.amaf_value, &at.proof};
}

nb::dict export_statistics(AnySearch& search, double share, std::size_t max_nodes) {
  nb::dict by_path;
  for (const NodeStatistics& at : search.search().statistics(share, max_nodes)) {
    std::vector<double> rows(at.moves.begin(), at.moves.end());
    for (const auto* row : rows_after_moves(at)) rows.insert(rows.end(), row->begin(), row->end());
    nb::list path;
    for (const Move move : at.path) path.append(move);
    by_path[nb::tuple(path)] = to_array(std::move(rows), kRows);
  }
  return by_path;
}

void take_in_statistics(AnySearch& search, const nb::dict& by_path) {
  using Rows = nb::ndarray<const double, nb::shape<kRows, -1>, nb::c_contig, nb::device::cpu>;
  std::vector<NodeStatistics> found;
  for (const auto& [path, array] : by_path) {
    const auto rows = nb::cast<Rows>(array);
    const std::size_t size = rows.shape(1);
    NodeStatistics at;
    for (const nb::handle move : path) at.path.push_back(nb::cast<Move>(move));
    for (std::size_t i = 0; i < size; ++i) at.moves.push_back(static_cast<Move>(rows(0, i)));
    for (std::size_t row = 1; row < kRows; ++row)
      rows_after_moves(at)[row - 1]->assign(&rows(row, 0), &rows(row, 0) + size);
    found.push_back(std::move(at));
  }
  search.search().take_in(found);
}

template <class T>
auto edge_column(T RootEdge::* field) {
  return [field](const SearchResult& result) {
    std::vector<T> column;
    for (const RootEdge& edge : result.edges) column.push_back(edge.*field);
    return to_array(std::move(column));
  };
}

void bind_config(nb::module_& m) {
  nb::enum_<Selection>(m, "Selection")
      .value("UCB1", Selection::Ucb1)
      .value("UCB1_TUNED", Selection::Ucb1Tuned)
      .value("EPSILON_GREEDY", Selection::EpsilonGreedy)
      .value("BAST", Selection::Bast)
      .value("PUCT", Selection::Puct);
  nb::enum_<AmafSchedule>(m, "AmafSchedule")
      .value("OFF", AmafSchedule::Off)
      .value("HAND_SELECTED", AmafSchedule::HandSelected)
      .value("MINIMUM_MSE", AmafSchedule::MinimumMse);
  nb::enum_<PriorUse>(m, "PriorUse")
      .value("OFF", PriorUse::Off)
      .value("VIRTUAL_VISITS", PriorUse::VirtualVisits)
      .value("PROGRESSIVE_BIAS", PriorUse::ProgressiveBias)
      .value("HORIZON", PriorUse::Horizon);
  nb::enum_<Expansion>(m, "Expansion")
      .value("ONE_CHILD", Expansion::OneChild)
      .value("ALL_CHILDREN", Expansion::AllChildren)
      .value("WHOLE_PATH", Expansion::WholePath);
  nb::enum_<GraphMode>(m, "GraphMode")
      .value("TREE", GraphMode::Tree)
      .value("DAG", GraphMode::Dag)
      .value("SHARED_VALUES", GraphMode::SharedValues)
      .value("SHARED_COUNTS", GraphMode::SharedCounts)
      .value("MULTIPATH", GraphMode::Multipath);
  nb::enum_<Parallel>(m, "Parallel")
      .value("LOCK_FREE", Parallel::LockFree)
      .value("GLOBAL_LOCK", Parallel::GlobalLock)
      .value("ROOTS", Parallel::Roots);
  nb::class_<SearchConfig>(m, "SearchConfig", "Filled in by tesuji.search.SearchConfig, which documents the fields.")
      .def(nb::init<>())
      .def_rw("selection", &SearchConfig::selection)
      .def_rw("exploration", &SearchConfig::exploration)
      .def_rw("epsilon", &SearchConfig::epsilon)
      .def_rw("smoothness", &SearchConfig::smoothness)
      .def_rw("first_play_urgency", &SearchConfig::first_play_urgency)
      .def_rw("amaf", &SearchConfig::amaf)
      .def_rw("rave_k", &SearchConfig::rave_k)
      .def_rw("rave_bias", &SearchConfig::rave_bias)
      .def_rw("rave_exploration", &SearchConfig::rave_exploration)
      .def_rw("amaf_fades", &SearchConfig::amaf_fades)
      .def_rw("amaf_horizon", &SearchConfig::amaf_horizon)
      .def_rw("prior_use", &SearchConfig::prior_use)
      .def_rw("prior_weight", &SearchConfig::prior_weight)
      .def_rw("prior_fades", &SearchConfig::prior_fades)
      .def_rw("prior_horizon", &SearchConfig::prior_horizon)
      .def_rw("widening", &SearchConfig::widening)
      .def_rw("widening_scale", &SearchConfig::widening_scale)
      .def_rw("widening_rate", &SearchConfig::widening_rate)
      .def_rw("widening_minimum", &SearchConfig::widening_minimum)
      .def_rw("width", &SearchConfig::width)
      .def_rw("width_walks", &SearchConfig::width_walks)
      .def_rw("expansion", &SearchConfig::expansion)
      .def_rw("maturity", &SearchConfig::maturity)
      .def_rw("graph", &SearchConfig::graph)
      .def_rw("table_entries", &SearchConfig::table_entries)
      .def_rw("table_min_references", &SearchConfig::table_min_references)
      .def_rw("max_ancestors", &SearchConfig::max_ancestors)
      .def_rw("solver", &SearchConfig::solver)
      .def_rw("reads_edges", &SearchConfig::reads_edges)
      .def_rw("revisit_penalty", &SearchConfig::revisit_penalty)
      .def_rw("evaluator_weight", &SearchConfig::evaluator_weight)
      .def_rw("evaluator_after", &SearchConfig::evaluator_after)
      .def_rw("evaluator_visits", &SearchConfig::evaluator_visits)
      .def_rw("batch_size", &SearchConfig::batch_size)
      .def_rw("batch_timeout_s", &SearchConfig::batch_timeout_s)
      .def_rw("batches_in_flight", &SearchConfig::batches_in_flight)
      .def_rw("cache_bytes", &SearchConfig::cache_bytes)
      .def_rw("parallel", &SearchConfig::parallel)
      .def_rw("num_threads", &SearchConfig::num_threads)
      .def_rw("memory_bytes", &SearchConfig::memory_bytes)
      .def_rw("max_depth", &SearchConfig::max_depth);
}

void bind_grouping(nb::module_& m) {
  nb::class_<GroupingOptions>(m, "GroupingOptions", "Filled in by tesuji.search.Grouping, which documents the fields.")
      .def(nb::init<>())
      .def_rw("num_kinds", &GroupingOptions::num_kinds)
      .def_rw("overlap", &GroupingOptions::overlap)
      .def_rw("wants_path", &GroupingOptions::wants_path)
      .def_rw("biases", &GroupingOptions::biases)
      .def_rw("learns", &GroupingOptions::learns)
      .def_rw("learning_inertia", &GroupingOptions::learning_inertia)
      .def_rw("learning_visits", &GroupingOptions::learning_visits);
  nb::class_<RootGroup>(m, "RootGroup", "A group of the root's moves.")
      .def_ro("kind", &RootGroup::kind)
      .def_ro("ordinal", &RootGroup::ordinal, "Which one of its kind, from 0.")
      .def_ro("visits", &RootGroup::visits)
      .def_ro("value", &RootGroup::value, "For the side to move; 0 without visits.")
      .def_ro("proof", &RootGroup::proof, "For the side to move: 0 nothing, 1 lost, 2 drawn, 3 won.")
      .def_ro("moves", &RootGroup::moves);
}

void bind_result(nb::module_& m) {
  nb::class_<SearchResult>(m, "SearchResult", "What a search knows; tesuji.search.SearchResult makes it readable.")
      .def_ro("to_play", &SearchResult::to_play)
      .def_prop_ro("moves", edge_column(&RootEdge::move), nb::rv_policy::automatic)
      .def_prop_ro("visits", edge_column(&RootEdge::visits), nb::rv_policy::automatic)
      .def_prop_ro("values", edge_column(&RootEdge::value), nb::rv_policy::automatic)
      .def_prop_ro("deviations", edge_column(&RootEdge::deviation), nb::rv_policy::automatic)
      .def_prop_ro("amaf_visits", edge_column(&RootEdge::amaf_visits), nb::rv_policy::automatic)
      .def_prop_ro("amaf_values", edge_column(&RootEdge::amaf_value), nb::rv_policy::automatic)
      .def_prop_ro("priors", edge_column(&RootEdge::prior), nb::rv_policy::automatic)
      .def_prop_ro("proofs", edge_column(&RootEdge::proof), nb::rv_policy::automatic)
      .def_ro("groups", &SearchResult::groups,
              "Of the root's moves, if they are grouped; the arrays are sums over them.")
      .def_ro("main_line", &SearchResult::main_line)
      .def(
          "line", [](const SearchResult& r, std::size_t index) { return r.edges.at(index).line; }, "index"_a,
          "The main line that begins with the index-th move.")
      .def_ro("proof", &SearchResult::proof, "Of the root, for the side to move: 0 nothing, 1 lost, 2 drawn, 3 won.")
      .def_ro("value", &SearchResult::value, "Of the root, for the side to move.")
      .def_ro("num_nodes", &SearchResult::num_nodes)
      .def_ro("num_edges", &SearchResult::num_edges)
      .def_ro("num_bytes", &SearchResult::bytes)
      .def_ro("bytes_per_edge", &SearchResult::bytes_per_edge)
      .def_ro("bytes_per_node", &SearchResult::bytes_per_node)
      .def_ro("seconds", &SearchResult::seconds)
      .def_prop_ro("num_simulations", [](const SearchResult& r) { return r.counts.simulations; })
      .def_prop_ro("transposition_hits", [](const SearchResult& r) { return r.counts.transposition_hits; })
      .def_prop_ro("cut_updates", [](const SearchResult& r) { return r.counts.cut_updates; })
      .def_ro("num_collisions", &SearchResult::num_collisions)
      .def_ro("cache_hits", &SearchResult::cache_hits)
      .def_ro("evaluations", &SearchResult::evaluations)
      .def_ro("table_entries", &SearchResult::table_entries)
      .def_ro("table_bytes", &SearchResult::table_bytes)
      .def_ro("table_min_references", &SearchResult::table_min_references)
      .def_ro("table_turned_away", &SearchResult::table_turned_away)
      .def_prop_ro("lost_races", [](const SearchResult& r) { return r.counts.lost_races; })
      .def_prop_ro(
          "depths",
          [](const SearchResult& r) {
            return to_array(std::vector<std::uint64_t>(r.counts.depths.begin(), r.counts.depths.end()));
          },
          nb::rv_policy::automatic, "Simulations by length of their walk; the last number holds all longer ones.");
}

}  // namespace

void bind_search(nb::module_& m) {
  bind_config(m);
  bind_grouping(m);
  bind_result(m);
  nb::class_<AnySearch>(m, "Search", "A search over some game; tesuji.search.Search is its public face.")
      .def("run", &run, "simulations"_a, "seconds"_a, "nodes"_a = 0, "progress"_a = nb::none(), "report_s"_a = 0.2,
           "Runs until a limit is reached (0: no such limit); progress() is asked every report_s seconds.")
      .def("evaluate_with", &AnySearch::evaluate_with, "function"_a,
           "Has leaves judged by function(states, to_play, num_distinct_moves) -> (values or None, priors or None).")
      .def("group_with", &AnySearch::group_with, "grouper"_a, "options"_a,
           "Groups moves by a native grouping, or by function(path, moves) -> list of (kind, moves).")
      .def("play_out_by", &AnySearch::play_out_by, "playouts"_a.none(),
           "Playouts follow what tesuji.search.playouts.native_playouts() has made; None: the game's own.")
      .def_prop_ro(
          "biases", [](AnySearch& s) { return s.search().biases(); }, "Of the kinds of groups; empty: all alike.")
      .def(
          "stop", [](AnySearch& s) { s.search().stop(); }, "Ends a run, from any thread.")
      .def(
          "advance", [](AnySearch& s, Move move) { s.search().advance(move); }, "move"_a)
      .def("statistics", &export_statistics, "share"_a, "max_nodes"_a,
           nb::sig("def statistics(self, share: float, max_nodes: int) -> "
                   "dict[tuple[int, ...], numpy.typing.NDArray[numpy.float64]]"),
           "Path to a node -> rows of moves (ascending), visits, value, AMAF visits, AMAF value, proof.")
      .def("take_in", &take_in_statistics, "by_path"_a,
           nb::sig("def take_in(self, by_path: dict[tuple[int, ...], numpy.typing.NDArray[numpy.float64]]) -> None"),
           "Adds what another search of the same position found.")
      .def("result", [](AnySearch& s) { return s.search().result(); })
      .def(
          "found", [](AnySearch& s) { return s.search().found(); }, "The solutions of a search for one player.")
      .def(
          "num_walks_to", [](AnySearch& s, std::size_t depth) { return s.search().num_walks_to(depth); }, "depth"_a,
          "Simulations that walked so deep in the graph.")
      .def(
          "keep_most_visited",
          [](AnySearch& s, int depth, std::size_t width) { s.search().keep_most_visited(depth, width); }, "depth"_a,
          "width"_a, "Closes the other nodes at a depth (1: the root's children): a beam.")
      .def("snapshot", &export_snapshot, nb::sig("def snapshot(self) -> dict[str, typing.Any]"),
           "All that must be kept to go on later: graphs, streams, table, found, learnt; what restore() takes.")
      .def("restore", &import_snapshot, "graphs"_a, "streams"_a, "table"_a = nb::dict(), "found"_a = nb::dict(),
           "learnt"_a = nb::dict(),
           nb::sig("def restore(self, graphs: list[dict[str, numpy.typing.NDArray[typing.Any]]], "
                   "streams: collections.abc.Sequence[int], "
                   "table: dict[str, numpy.typing.NDArray[typing.Any]] = {}, "
                   "found: dict[str, numpy.typing.NDArray[typing.Any]] = {}, "
                   "learnt: dict[str, numpy.typing.NDArray[typing.Any]] = {}) -> None"),
           "Goes on from the snapshot() of a search of the same position.")
      .def("table", &export_table, nb::sig("def table(self) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
           "The table of shared values as columns; empty ones in other graph modes.")
      .def("begin_with", &begin_with_table, "table"_a,
           nb::sig("def begin_with(self, table: dict[str, numpy.typing.NDArray[typing.Any]]) -> None"),
           "Begins with the table() of another search of the same game.")
      .def(
          "drop_rare_entries", [](AnySearch& s) { return s.search().drop_rare_entries(); },
          "Drops entries of the table that few nodes refer to, as advance() does; says how many.")
      .def_prop_ro("root_key", &AnySearch::root_key, "The root's hash.")
      .def("graph", &export_graph, nb::sig("def graph(self) -> dict[str, numpy.typing.NDArray[typing.Any]]"));
  m.def("make_for_object", &search_over_object, "game"_a, "config"_a, "seed"_a,
        "For any object with the methods of tesuji.games.Game.");
}
