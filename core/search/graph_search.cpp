#include "search/graph_search.hpp"

#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "search/beam.hpp"
#include "search/proofs.hpp"
#include "search/report.hpp"

namespace tesuji {

OneAtATime::OneAtATime(std::atomic<bool>& flag) : flag_(flag) {
  if (flag_.exchange(true)) throw std::runtime_error("the search is running; wait for the run to end, or stop() it");
}

GraphSearch::GraphSearch(DynamicGame root, const SearchConfig& config, std::uint64_t seed)
    : config_(config),
      seed_(seed),
      root_(std::move(root)),
      numbers_(root_.game().goal()),
      solutions_(root_.game().goal()),
      table_(config, numbers_.are_used()) {
  make_graphs();
}

void GraphSearch::make_graphs() {
  const bool are_roots = config_.parallel == Parallel::Roots;
  const std::size_t num_graphs = are_roots ? static_cast<std::size_t>(config_.num_threads) : std::size_t{1};
  const bool shared = config_.parallel == Parallel::LockFree && config_.num_threads > 1;
  Columns columns = columns_for(config_);
  columns.numbers = plays_alone();
  columns.backed = static_cast<bool>(stages_.back_up);
  walkers_.clear();
  graphs_.clear();
  for (std::size_t i = 0; i < num_graphs; ++i)
    graphs_.push_back(std::make_unique<Graph>(config_.memory_bytes / num_graphs, columns, config_.graph,
                                              shared ? static_cast<std::size_t>(config_.num_threads) : 1));
  make_walkers();
}

// Each has a random stream of its own; they share one graph, or have one each.
void GraphSearch::make_walkers() {
  const auto number = static_cast<std::size_t>(config_.num_threads);
  walkers_.clear();
  table_.make_workers(config_);
  for (std::size_t i = 0; i < number; ++i) {
    walkers_.push_back(std::make_unique<Walker>(config_, *graphs_[graphs_.size() == 1 ? 0 : i], table_.of_worker(i),
                                                numbers_, root_.num_moves(), seed_, i));
    Selector& selector = walkers_.back()->selector();
    selector.use(&stages_);
    if (!biases_.are_alike()) selector.weigh_moves_by({biases_.by_kind(), root_.num_moves(), kMostOfAKind});
  }
}

bool GraphSearch::has_begun() const { return graphs_[0]->root() != kNoNode; }

void GraphSearch::pend_walks() {
  config_.pends_walks = true;
  make_graphs();
}

void GraphSearch::use(Stages stages) {
  const OneAtATime hold(running_);
  if (has_begun()) throw std::invalid_argument("stages must be given before the first run");
  stages_ = std::move(stages);
  make_graphs();
}

void GraphSearch::weigh_groups(const GroupingOptions& options) {
  biases_.set(options);
  make_walkers();
}

std::vector<float> GraphSearch::biases() const {
  const std::shared_lock look(shape_);
  return biases_.by_kind();
}

std::unique_lock<std::mutex> GraphSearch::tree_lock() {
  std::unique_lock<std::mutex> tree(tree_lock_, std::defer_lock);
  if (config_.parallel == Parallel::GlobalLock && config_.num_threads > 1) tree.lock();
  return tree;
}

// --- running ---

void GraphSearch::prepare_roots() {
  for (std::size_t i = 0; i < graphs_.size(); ++i) {
    Walker& walker = *walkers_[i];
    Graph& graph = *graphs_[i];
    const bool is_new = graph.root() == kNoNode;
    bool was_there = false;
    if (is_new)
      graph.set_root(graph.shares_nodes() ? graph.find_or_make(root_.state().key(), root_.state().to_play(), was_there)
                                          : graph.make_node(root_.state().to_play()));
    if (graph.root() == kNoNode || (walker.begin(), prepare_root(walker), !walker.has_edges())) {
      graph.clear();
      throw std::invalid_argument("the memory cap is too small for the root and its edges; raise it");
    }
    if (table_.exists() && is_new) table_.enter_root(i, root_.state().key(), walker.counts());
  }
}

void GraphSearch::run(const Budget& budget, const Progress& progress, const RunHooks& hooks) {
  const OneAtATime hold(running_);
  is_frozen_ = false;
  for (auto& walker : walkers_) walker->counts().clear();
  solutions_.begin_run();
  begin_run();
  {
    const std::unique_lock alone(shape_);
    prepare_roots();
  }
  copies_.begin_run();
  try {
    rounds_.run(budget, progress, hooks, *this);
  } catch (...) {
    copies_.end_run();
    growths_.forget();  // their nodes may be gone when the next run begins
    throw;
  }
  copies_.end_run();
  if (!biases_.are_learned()) return;
  const std::unique_lock alone(shape_);
  biases_.learn(graphs_, root_.num_moves());
}

bool GraphSearch::may_walk(std::size_t worker) const {
  const Graph& graph = walkers_[worker]->graph();
  if (graph.is_full() && may_make_nodes()) return false;
  if (growths_.are_wanted() || copies_.are_wanted()) return false;
  const Node& root = graph.node(graph.root());
  return root.proof.load(std::memory_order_relaxed) == Proof::None &&
         root.walks.load(std::memory_order_relaxed) < kMostVisits;
}

bool GraphSearch::is_finished() const {
  for (const auto& graph : graphs_) {
    const Node& root = graph->node(graph->root());
    if (root.proof.load(std::memory_order_relaxed) != Proof::None) return true;
    if (root.walks.load(std::memory_order_relaxed) >= kMostVisits) return true;
  }
  return false;
}

std::size_t GraphSearch::num_nodes() const {
  std::size_t number = 0;
  for (const auto& graph : graphs_) number += graph->num_nodes();
  return number;
}

// Nodes grow, graphs that are full make room: first a larger index, then by forgetting.
void GraphSearch::between_rounds() {
  const std::unique_lock alone(shape_);
  copies_.serve(*graphs_[0]);
  growths_.grow();
  for (auto& graph : graphs_) {
    if (!graph->is_full() || !may_make_nodes() || graph->enlarge_index()) continue;
    const std::size_t before = graph->bytes();
    graph->recycle(0.5);
    if (graph->bytes() > before * 9 / 10) is_frozen_ = true;
  }
}

void GraphSearch::advance(Move move) {
  const OneAtATime hold(running_);
  const std::unique_lock alone(shape_);
  root_.play(move);
  for (auto& graph : graphs_) {
    const Report::Behind next = Report::behind(*graph, move, root_.num_moves());
    table_.set_root(next.entry);
    if (next.node == kNoNode) graph->clear();
    graph->set_root(next.node);
    if (!graph->shares_nodes() && next.visits > 0) {  // from now on it counts for itself
      if (next.node == kNoNode) graph->set_root(graph->make_node(root_.state().to_play()));
      graph->node(graph->root()).visits = next.visits;
      graph->node(graph->root()).value = next.value;
    }
    if (graph->root() == kNoNode) continue;
    if (graph->bytes() * 2 > config_.memory_bytes / graphs_.size()) graph->recycle(0.5);
  }
  if (table_.exists()) table_.drop_rare_entries(*graphs_[0]);
  for (auto& walker : walkers_) walker->forget_lengths();
  solutions_.advance(move);
}

// --- the table of shared values ---

std::size_t GraphSearch::drop_rare_entries() {
  const OneAtATime hold(running_);
  if (!table_.exists()) throw std::invalid_argument("there is no table of shared values; use graph='shared-values'");
  const std::unique_lock alone(shape_);
  return table_.drop_rare_entries(*graphs_[0]);
}

TableSnapshot GraphSearch::table() {
  const OneAtATime hold(running_);
  return table_.exists() ? table_.get()->snapshot() : TableSnapshot{};
}

void GraphSearch::begin_with(const TableSnapshot& table) {
  const OneAtATime hold(running_);
  if (!table_.exists()) throw std::invalid_argument("a search takes a table with graph='shared-values' only");
  if (has_begun())
    throw std::invalid_argument("the search has nodes that refer to its table; load a table before the first run");
  table_.get()->restore(table);
}

// --- what others are told and tell ---

std::vector<NodeStatistics> GraphSearch::statistics(double share, std::size_t max_nodes) {
  const OneAtATime hold(running_);
  const std::unique_lock alone(shape_);
  prepare_roots();
  return statistics_of(*graphs_[0], share, max_nodes);
}

// Proofs that came along may settle the root.
void GraphSearch::take_in(std::span<const NodeStatistics> found) {
  const OneAtATime hold(running_);
  if (config_.graph != GraphMode::Tree || graphs_.size() > 1)
    throw std::invalid_argument(
        "statistics are exchanged between trees with one root each; use graph='tree' and not parallel='roots'");
  const std::unique_lock alone(shape_);
  prepare_roots();
  Graph& graph = *graphs_[0];
  add_statistics(graph, found);
  Node& root = graph.node(graph.root());
  if (const Proof proof = proof_of(graph, root); proof != Proof::None && config_.solver) root.proof = proof;
}

GraphSnapshot GraphSearch::graph_copy() {
  for (;;) {
    if (!running_.exchange(true)) {
      GraphSnapshot copy = has_begun() ? snapshot_of(*graphs_[0]) : GraphSnapshot{};
      running_ = false;
      return copy;
    }
    if (copies_.is_runner()) {
      if (walkers_.size() > 1)
        throw std::runtime_error(
            "the search is running on other threads too; ask for the graph from another thread, or after the run");
      return snapshot_of(*graphs_[0]);
    }
    if (auto copy = copies_.wait()) return std::move(*copy);
    std::this_thread::yield();
  }
}

SearchSnapshot GraphSearch::snapshot() {
  const OneAtATime hold(running_);
  const std::unique_lock alone(shape_);
  prepare_roots();
  SearchSnapshot saved;
  for (const auto& graph : graphs_) saved.graphs.push_back(snapshot_of(*graph));
  for (const auto& walker : walkers_) saved.streams.push_back(walker->rng().state());
  if (table_.exists()) saved.table = table_.get()->snapshot();
  saved.numbers = numbers_.save();
  if (const Found found = solutions_.found(); found.best) {
    saved.best_value.push_back(found.best->value);
    saved.best_moves = found.best->moves;
  }
  if (biases_.are_learned()) saved.biases = biases_.by_kind();
  root_.save_memory(saved);
  return saved;
}

void GraphSearch::restore(const SearchSnapshot& saved) {
  const OneAtATime hold(running_);
  const std::unique_lock alone(shape_);
  if (saved.graphs.size() != graphs_.size())
    throw std::invalid_argument("the file has " + std::to_string(saved.graphs.size()) + " graphs, this search " +
                                std::to_string(graphs_.size()) + "; use as many independent roots");
  std::unique_ptr<ValueTable> table = table_.read(saved.table, config_);
  std::vector<std::unique_ptr<Graph>> graphs;
  const bool shared = config_.parallel == Parallel::LockFree && config_.num_threads > 1;
  for (const GraphSnapshot& one : saved.graphs) {
    check_snapshot(one, graphs_[0]->columns(), saved.table.key.size());
    const std::vector<StateKey> keys = root_.replay(one, tesuji::shares_nodes(config_.graph));
    graphs.push_back(std::make_unique<Graph>(config_.memory_bytes / graphs_.size(), graphs_[0]->columns(),
                                             config_.graph,
                                             shared ? static_cast<std::size_t>(config_.num_threads) : 1));
    fill_graph(*graphs.back(), one, graphs.back()->shares_nodes() ? keys : std::vector<StateKey>{});
  }
  for (const std::uint64_t state : saved.streams)
    if (!Rng::is_state(state)) throw std::invalid_argument("the file's random stream is damaged");
  root_.load_memory(saved);
  biases_.restore(saved.biases);
  numbers_.restore(saved.numbers);
  if (!saved.best_value.empty()) solutions_.offer({saved.best_value[0], saved.best_moves}, 0, 0);
  walkers_.clear();
  graphs_ = std::move(graphs);
  table_.replace(std::move(table), root_.state().key());
  make_walkers();
  for (std::size_t i = 0; i < std::min(walkers_.size(), saved.streams.size()); ++i)
    walkers_[i]->rng().resume(saved.streams[i]);
}

// --- results ---

SearchResult GraphSearch::result() const {
  const std::shared_lock look(shape_);
  SearchResult result;
  std::vector<Reading> readings;
  for (const auto& graph : graphs_) readings.push_back({graph.get(), means_of(*graph)});
  Report(std::move(readings), numbers_, root_.state().to_play(), root_.num_moves(), config_.reads_edges).fill(result);
  read_more(result);
  result.seconds = rounds_.seconds();
  for (const auto& walker : walkers_) result.counts += walker->counts().snapshot();
  table_.report(result);
  return result;
}

Found GraphSearch::found() const {
  const std::shared_lock look(shape_);
  std::uint64_t simulations = 0;
  bool is_exhausted = false;
  for (const auto& walker : walkers_) simulations += walker->counts().simulations.load(std::memory_order_relaxed);
  for (const auto& graph : graphs_)
    is_exhausted |=
        graph->root() != kNoNode && graph->node(graph->root()).proof.load(std::memory_order_relaxed) != Proof::None;
  return solutions_.found(is_exhausted, simulations);
}

// How many simulations walked through at least `depth` edges since the search was made.
std::uint64_t GraphSearch::num_walks_to(std::size_t depth) {
  const OneAtATime hold(running_);
  std::uint64_t sum = 0;
  for (const auto& walker : walkers_)
    for (std::size_t length = depth; length < walker->walks_by_length().size(); ++length)
      sum += walker->walks_by_length()[length];
  return sum;
}

void GraphSearch::keep_most_visited(int depth, std::size_t width) {
  const OneAtATime hold(running_);
  if (!plays_alone() || config_.graph != GraphMode::Tree || !config_.solver)
    throw std::invalid_argument("a beam needs a game for one player, graph='tree' and revisit='close'");
  const std::unique_lock alone(shape_);
  prepare_roots();
  for (auto& graph : graphs_)
    if (tesuji::keep_most_visited(*graph, depth, width)) solutions_.note_pruning();
}

}  // namespace tesuji
