// Binds core/search over every game. The GIL is released while a search runs.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <unordered_map>

#include "bind/arrays.hpp"
#include "bind/python_game.hpp"
#include "games/connect4.hpp"
#include "games/hex.hpp"
#include "games/pgame.hpp"
#include "games/tictactoe.hpp"
#include "go/game.hpp"
#include "go/knowledge.hpp"
#include "search/search.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace tesuji;
using tesuji::bind::PythonGame;
using tesuji::bind::to_array;

namespace {

// A search over whatever game, as Python holds it.
class AnySearch {
 public:
  virtual ~AnySearch() = default;
  virtual void run(const Budget& budget, const std::function<bool()>& progress) = 0;
  virtual void stop() = 0;
  virtual void advance(Move move) = 0;
  virtual std::vector<NodeStatistics> statistics(double share, std::size_t max_nodes) = 0;
  virtual void take_in(std::span<const NodeStatistics> found) = 0;
  virtual SearchResult result() const = 0;
  virtual const Graph& graph() const = 0;
};

template <Game G, class Keep = std::nullptr_t>
class SearchOver final : public AnySearch {
 public:
  // `keep` is whatever the states point to and must outlive them.
  SearchOver(std::shared_ptr<Keep> keep, const G& root, const SearchConfig& config, std::uint64_t seed)
      : keep_(std::move(keep)), search_(root, config, seed) {}

  void run(const Budget& budget, const std::function<bool()>& progress) override { search_.run(budget, progress); }
  void stop() override { search_.stop(); }
  void advance(Move move) override { search_.advance(move); }
  std::vector<NodeStatistics> statistics(double share, std::size_t max_nodes) override {
    return search_.statistics(share, max_nodes);
  }
  void take_in(std::span<const NodeStatistics> found) override { search_.take_in(found); }
  SearchResult result() const override { return search_.result(); }
  const Graph& graph() const override { return search_.graph(); }

 private:
  std::shared_ptr<Keep> keep_;
  Search<G> search_;
};

template <Game G>
std::unique_ptr<AnySearch> search_over(const G& root, const SearchConfig& config, std::uint64_t seed) {
  return std::make_unique<SearchOver<G>>(nullptr, root, config, seed);
}

void check_go(const go::Board& board, const SearchConfig& config) {
  if (config.solver && board.rules().scoring == go::Scoring::Territory)
    throw std::invalid_argument(
        "the solver proves by area; territory rules agree on dead stones instead: use area rules");
  if (config.solver && config.graph == GraphMode::Dag && board.rules().ko != go::KoRule::Simple)
    throw std::invalid_argument("under superko a proof holds on its path only, and a dag shares it: use graph='tree'");
}

template <go::Tracking Track>
std::unique_ptr<AnySearch> search_in_context(const go::Board& board, const std::shared_ptr<go::GoContext>& context,
                                             const SearchConfig& config, std::uint64_t seed) {
  check_go(board, config);
  return go::with_capacity(board.width(), board.height(), [&]<int Capacity>() -> std::unique_ptr<AnySearch> {
    using G = go::GoGame<Capacity, Track>;
    return std::make_unique<SearchOver<G, go::GoContext>>(context, G(board, *context), config, seed);
  });
}

std::unique_ptr<AnySearch> search_over_go(const go::Board& board, double komi, const SearchConfig& config,
                                          std::uint64_t seed) {
  return search_in_context<go::kHashed>(board, std::make_shared<go::GoContext>(board, komi), config, seed);
}

std::unique_ptr<AnySearch> search_with_knowledge(const go::Board& board, double komi, const go::Knowledge& knowledge,
                                                 std::shared_ptr<go::PlayoutMemory> memory, const SearchConfig& config,
                                                 std::uint64_t seed) {
  if (memory->num_points() != static_cast<std::size_t>(board.num_points()))
    throw std::invalid_argument("the memory of playouts is that of another board");
  auto context = std::make_shared<go::GoContext>(board, komi);
  context->knowledge = knowledge;
  context->memory = std::move(memory);
  return search_in_context<go::kTactical>(board, context, config, seed);
}

std::unique_ptr<AnySearch> search_over_object(nb::object game, const SearchConfig& config, std::uint64_t seed) {
  const DynamicGame root(PythonGame::root(game));
  return std::make_unique<SearchOver<DynamicGame>>(nullptr, root, config, seed);
}

void run(AnySearch& search, std::uint64_t simulations, double seconds, std::size_t nodes,
         const std::optional<std::function<bool()>>& progress, double report_s) {
  const nb::gil_scoped_release release;
  search.run({simulations, seconds, nodes, report_s}, [&] {
    const nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    return !progress || (*progress)();
  });
}

// The whole graph as columns, nodes numbered in breadth-first order from the root (0).
nb::dict export_graph(const AnySearch& search) {
  const Graph& graph = search.graph();
  std::vector<NodeId> order;
  std::unordered_map<NodeId, int> number;
  const auto enter = [&](NodeId id) {
    if (id == kNoNode) return -1;
    const auto [at, is_new] = number.emplace(id, static_cast<int>(order.size()));
    if (is_new) order.push_back(id);
    return at->second;
  };
  enter(graph.root());
  std::vector<int> mover, proof, first_edge, num_edges, move, child, edge_proof;
  std::vector<std::int64_t> visits, edge_visits, amaf_visits;
  std::vector<double> value, edge_value, amaf_value, prior;
  constexpr double kScale = 1.0 / static_cast<double>(kOne);
  for (std::size_t next = 0; next < order.size(); ++next) {
    const Node& node = graph.node(order[next]);
    mover.push_back(node.mover);
    proof.push_back(static_cast<int>(node.proof.load()));
    visits.push_back(node.visits.load());
    value.push_back(static_cast<double>(node.value.load()) * kScale);
    first_edge.push_back(static_cast<int>(move.size()));
    num_edges.push_back(graph.has_edges(node) ? static_cast<int>(node.num_edges) : 0);
    if (!graph.has_edges(node)) continue;
    const Edges edges = graph.edges(node);
    for (std::uint32_t i = 0; i < edges.size; ++i) {
      move.push_back(edges.move(i));
      edge_visits.push_back(edges.visits()[i].load());
      edge_value.push_back(static_cast<double>(edges.value()[i].load()) * kScale);
      edge_proof.push_back(static_cast<int>(edges.proof(i)));
      child.push_back(enter(edges.child()[i].load()));
      if (graph.columns().amaf) {
        const std::uint64_t packed = edges.amaf()[i].load();
        amaf_visits.push_back(amaf::visits(packed));
        amaf_value.push_back(static_cast<double>(amaf::value(packed)) * amaf::kScale);
      }
      if (graph.columns().prior) prior.push_back(edges.prior()[i]);
    }
  }
  nb::dict columns;
  columns["node_mover"] = to_array(std::move(mover));
  columns["node_proof"] = to_array(std::move(proof));
  columns["node_visits"] = to_array(std::move(visits));
  columns["node_value"] = to_array(std::move(value));
  columns["node_first_edge"] = to_array(std::move(first_edge));
  columns["node_num_edges"] = to_array(std::move(num_edges));
  columns["edge_move"] = to_array(std::move(move));
  columns["edge_visits"] = to_array(std::move(edge_visits));
  columns["edge_value"] = to_array(std::move(edge_value));
  columns["edge_proof"] = to_array(std::move(edge_proof));
  columns["edge_child"] = to_array(std::move(child));
  columns["edge_amaf_visits"] = to_array(std::move(amaf_visits));
  columns["edge_amaf_value"] = to_array(std::move(amaf_value));
  columns["edge_prior"] = to_array(std::move(prior));
  return columns;
}

// Statistics travel as one array per node, with a row for each of these.
constexpr std::size_t kRows = 6;
template <class S>
std::array<decltype(&std::declval<S&>().visits), kRows - 1> rows_after_moves(S& at) {
  return {&at.visits, &at.value, &at.amaf_visits, &at.amaf_value, &at.proof};
}

nb::dict export_statistics(AnySearch& search, double share, std::size_t max_nodes) {
  nb::dict by_path;
  for (const NodeStatistics& at : search.statistics(share, max_nodes)) {
    std::vector<std::int64_t> rows(at.moves.begin(), at.moves.end());
    for (const auto* row : rows_after_moves(at)) rows.insert(rows.end(), row->begin(), row->end());
    nb::list path;
    for (const Move move : at.path) path.append(move);
    by_path[nb::tuple(path)] = to_array(std::move(rows), kRows);
  }
  return by_path;
}

void take_in_statistics(AnySearch& search, const nb::dict& by_path) {
  using Rows = nb::ndarray<const std::int64_t, nb::shape<kRows, -1>, nb::c_contig, nb::device::cpu>;
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
  search.take_in(found);
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
  nb::enum_<GraphMode>(m, "GraphMode").value("TREE", GraphMode::Tree).value("DAG", GraphMode::Dag);
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
      .def_rw("solver", &SearchConfig::solver)
      .def_rw("parallel", &SearchConfig::parallel)
      .def_rw("num_threads", &SearchConfig::num_threads)
      .def_rw("memory_bytes", &SearchConfig::memory_bytes)
      .def_rw("max_depth", &SearchConfig::max_depth);
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
  bind_result(m);
  nb::class_<AnySearch>(m, "Search", "A search over some game; tesuji.search.Search is its public face.")
      .def("run", &run, "simulations"_a, "seconds"_a, "nodes"_a, "progress"_a = nb::none(), "report_s"_a = 0.2,
           "Runs until a limit is reached (0: no such limit); progress() is asked every report_s seconds.")
      .def("stop", &AnySearch::stop, "Ends a run, from any thread.")
      .def("advance", &AnySearch::advance, "move"_a)
      .def("statistics", &export_statistics, "share"_a, "max_nodes"_a,
           nb::sig("def statistics(self, share: float, max_nodes: int) -> "
                   "dict[tuple[int, ...], numpy.typing.NDArray[numpy.int64]]"),
           "Path to a node -> rows of moves (ascending), visits, value, AMAF visits, AMAF value, proof.")
      .def("take_in", &take_in_statistics, "by_path"_a,
           nb::sig("def take_in(self, by_path: dict[tuple[int, ...], numpy.typing.NDArray[numpy.int64]]) -> None"),
           "Adds what another search of the same position found.")
      .def("result", &AnySearch::result)
      .def("graph", &export_graph, nb::sig("def graph(self) -> dict[str, numpy.typing.NDArray[typing.Any]]"));
  m.def("make", &search_over<TicTacToe>, "game"_a, "config"_a, "seed"_a);
  m.def("make", &search_over<Connect4>, "game"_a, "config"_a, "seed"_a);
  m.def("make", &search_over<Hex>, "game"_a, "config"_a, "seed"_a);
  m.def("make", &search_over<PGamePosition>, "game"_a, "config"_a, "seed"_a, nb::keep_alive<0, 1>());
  m.def("make_for_go", &search_over_go, "board"_a, "komi"_a, "config"_a, "seed"_a);
  m.def("make_for_go_with_knowledge", &search_with_knowledge, "board"_a, "komi"_a, "knowledge"_a, "memory"_a,
        "config"_a, "seed"_a);
  m.def("make_for_object", &search_over_object, "game"_a, "config"_a, "seed"_a,
        "For any object with the methods of tesuji.games.Game.");
}
