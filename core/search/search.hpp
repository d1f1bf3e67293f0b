// The search: simulate() tells it all, the rest of the file is its four steps. How a leaf gets its edges is in
// expand.hpp, the threads are in run.hpp, simulations that wait for an evaluator in pending.hpp, what the graph modes
// add in shared_values.hpp.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/rng.hpp"
#include "games/game.hpp"
#include "search/budget.hpp"
#include "search/config.hpp"
#include "search/evaluate.hpp"
#include "search/exchange.hpp"
#include "search/graph.hpp"
#include "search/grouping.hpp"
#include "search/hot_nodes.hpp"
#include "search/result.hpp"
#include "search/scale.hpp"
#include "search/select.hpp"
#include "search/snapshot.hpp"
#include "search/solutions.hpp"
#include "search/value_table.hpp"

namespace tesuji {

// Holds a flag that says "running"; throws if somebody holds it already.
class OneAtATime {
 public:
  explicit OneAtATime(std::atomic<bool>& flag) : flag_(flag) {
    if (flag_.exchange(true)) throw std::runtime_error("the search is running; wait for the run to end, or stop() it");
  }
  ~OneAtATime() { flag_.store(false); }
  OneAtATime(const OneAtATime&) = delete;
  OneAtATime& operator=(const OneAtATime&) = delete;

 private:
  std::atomic<bool>& flag_;
};

// Whose game it is; two players' unless it says otherwise.
template <Game G>
Goal goal_of(const G& game) {
  if constexpr (HasGoal<G>) return game.goal();
  return Goal::TwoPlayers;
}

template <Game G>
class Search {
 public:
  using Progress = std::function<bool()>;  // asked a few times a second by the calling thread; false ends the search

  Search(const G& root, const SearchConfig& config, std::uint64_t seed);

  // Runs until the budget is spent, the root is proved, stop() is called, or `progress` says no. May be called again.
  void run(const Budget& budget, const Progress& progress);
  // Leaves are judged by an evaluator from now on, with playouts or without them. Call it before the first run.
  void evaluate_with(Evaluator<G> evaluator);
  // States have groups of moves from now on (groups.hpp). Call it before the first run.
  void group_with(PathGrouper<G> grouper, const GroupingOptions& options);
  void group_with(const Grouper<G>& grouper, const GroupingOptions& options);
  const std::vector<float>& biases() const { return biases_; }  // by kind; empty: all alike
  void stop() { stopping_.store(true, std::memory_order_relaxed); }

  // Plays a move at the root and keeps what the graph knows below it.
  void advance(Move move);

  // The table of shared values (graph mode SharedValues; shared_values.hpp): dropping what few nodes refer to, as
  // advance() does; saving it; beginning with a saved one, before the first run.
  std::size_t drop_rare_entries();
  TableSnapshot table();
  void begin_with(const TableSnapshot& table);

  // What this search knows of its most visited nodes, and adding what others know of theirs (search/exchange.hpp).
  std::vector<NodeStatistics> statistics(double share, std::size_t max_nodes);
  void take_in(std::span<const NodeStatistics> found);

  // All that must be kept to go on later: every graph and where every worker's random stream stands
  // (search/restore.hpp).
  std::vector<GraphSnapshot> snapshots();
  std::vector<std::uint64_t> streams() const;
  void restore(std::span<const GraphSnapshot> snapshots, std::span<const std::uint64_t> streams,
               const TableSnapshot& table = {});

  SearchResult result() const;
  // One player (one_player.hpp): the best solution; a beam's two questions.
  Found found() const;
  std::uint64_t num_walks_to(std::size_t depth) const;
  void keep_most_visited(int depth, std::size_t width);

  const G& root_state() const { return root_state_; }
  const Graph& graph(std::size_t index = 0) const { return *graphs_[index]; }
  const SearchConfig& config() const { return config_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Step {
    NodeId node;
    std::uint32_t edge;
  };
  // A node whose entry in the table of shared values is looked up while something else is done.
  struct Entering {
    std::atomic<EntryId>* entry;  // of its edge
    StateKey key;
  };
  // A narrow node that was walked often enough to deserve all its moves.
  struct Growth {
    Graph* graph;
    NodeId node;
    MoveList moves;
    std::vector<float> priors;
  };
  // A simulation whose leaf waits for the evaluator.
  struct Pending {
    std::vector<Step> path;
    NodeId leaf = kNoNode;
    typename Gatherer<G>::Place place{};
    MoveList moves{};                       // of the leaf, if it gets its priors with the answer
    std::optional<std::int64_t> playout{};  // if there was one
    MadeMoves made{};                       // in it
  };
  // What one thread needs; nothing in it is shared.
  struct Worker {
    Worker(Graph& graph_of_worker, const ValueTable* table, const SearchConfig& config, std::uint64_t seed,
           std::size_t index_of_worker)
        : graph(graph_of_worker), index(index_of_worker), selector(config, graph_of_worker, table), rng(seed, index) {}

    Graph& graph;
    const std::size_t index;  // among the workers of the search
    Selector selector;
    Rng rng;
    HotNodes hot_nodes;
    EdgeScores scores;
    std::vector<Step> path;
    NodeId leaf = kNoNode;  // kNoNode if the memory had no room for it
    MoveList moves;
    std::vector<float> priors;
    std::vector<std::size_t> order;
    std::vector<std::uint32_t> excluded;
    GroupList found;  // by the grouper
    std::vector<GroupMoves> groups;
    std::vector<std::uint32_t> num_of_kind;
    MoveList others, moves_to_here;
    std::vector<bool> is_grouped;  // by move
    MadeMoves made;
    std::vector<Entering> entering;  // nodes that have no entry yet
    std::vector<EntryId> entries;    // of a path's nodes
    std::vector<NodeId> path_nodes;
    std::deque<Pending> pending;   // in the order of their leaves
    std::vector<Pending> blocked;  // walks to leaves that were waiting already
    std::size_t num_idle_walks = 0;
    WorkerCounts counts;
    // One player.
    double number = 0;  // what the last simulation was worth
    bool is_penalised = false, waits_for_scale = false;
    std::vector<std::uint64_t> walks_by_length;
  };

  void simulate(Worker& worker);
  void descend(G& state, Worker& worker);
  std::int64_t evaluate(G& state, Worker& worker);
  std::optional<std::int64_t> exact_value(const G& state, Worker& worker);
  std::int64_t play_out(G& state, Worker& worker);
  void back_up(Worker& worker, std::int64_t value);

  static constexpr std::int64_t kWaitsForScale = -1;
  std::int64_t evaluate_alone(G& state, Worker& worker);
  double play_out_alone(G& state, Worker& worker);
  void keep_solution(Worker& worker, Rng rng, double number);
  void count_walk(Worker& worker);
  std::int64_t scaled(const Worker& worker) const;
  void grow_scale();
  void mark_walk(Worker& worker, std::uint32_t amount);
  void check_goal() const;
  void to_numbers(SearchResult& result) const;
  double sum_of(const Graph& graph, const Edges& edges, std::uint32_t edge) const;

  bool expand(Node& node, const G& state, Worker& worker);
  bool make_edges(Node& node, const G& state, Worker& worker, Width width);
  bool find_groups(const G& state, Worker& worker);
  void name_groups(Worker& worker);
  void add_catch_all(Worker& worker);
  void note_path(Worker& worker) const;
  bool is_forbidden(const G& state, const Graph& graph, const Edges& edges, std::uint32_t edge) const;
  std::size_t length_of_walk(const Worker& worker) const;
  void learn_biases();
  void refuse_groups(const char* what) const;
  void read_groups(SearchResult& result) const;
  void order_moves(const G& state, Worker& worker);
  void shuffle_moves(Worker& worker);
  Width keep_best_moves(Worker& worker) const;
  void ask_for_all_edges(NodeId id, const G& state, Worker& worker);
  void grow_nodes();
  std::uint32_t choose(const Node& node, const HotNode* hot, const G& state, Worker& worker);
  NodeId child_of(const Edges& edges, std::uint32_t edge, const G& state, Worker& worker, bool& is_new);
  void make_all_children(const Node& node, const G& state, Worker& worker);
  void update_amaf(Worker& worker, std::int64_t value);
  void enter(std::atomic<EntryId>& entry, const G& state, Worker& worker);
  void finish_entering(Worker& worker);
  void update_entries(Worker& worker, std::int64_t value);
  void update_ancestors(Worker& worker, std::int64_t value);
  void clean_table();
  void propagate_proofs(Worker& worker);
  Proof proof_of(const Graph& graph, const Node& node) const;

  void make_workers(std::size_t number);
  void begin_simulation(Worker& worker);
  void note_idle_walk(Worker& worker);
  void send_leaf(G& state, Worker& worker);
  void finish_first(Worker& worker);
  void finish_known(Worker& worker);
  void finish(Worker& worker, Pending pending);
  std::int64_t mixed_value(const Pending& pending) const;
  void give_edges(Worker& worker, Pending& pending);
  void take_priors(Worker& worker, const typename Gatherer<G>::Place& place) const;
  void settle(Worker& worker);
  void release_blocked(Worker& worker);
  void undo(Worker& worker, const Pending& walk);
  std::unique_lock<std::mutex> tree_lock();
  bool waits_for_priors() const { return gatherer_ && gatherer_->gives_priors(); }

  void prepare_roots();
  std::uint64_t take_tickets(const Budget& budget, std::uint64_t wanted);
  bool may_walk(const Graph& graph, const Budget& budget) const;
  void work(Worker& worker, const Budget& budget, const Progress* progress);
  void work_in_batches(Worker& worker, const Budget& budget, const Progress* progress);
  void report(const Progress& progress, Clock::time_point now);
  void run_round(const Budget& budget, const Progress& progress);
  bool is_spent(const Budget& budget) const;

  double seconds_since_start(Clock::time_point now) const {
    return std::chrono::duration<double>(now - start_).count();
  }

  // Read by all, written between runs.
  G root_state_;
  const SearchConfig config_;
  const std::uint64_t seed_;
  const bool shared_;                      // do several threads walk one graph without a lock?
  bool virtual_loss_;                      // do several walks go through one graph at once?
  bool keeps_hot_nodes_;                   // do workers keep copies of the nodes at which they meet?
  const bool plays_alone_;                 // one player?
  std::unique_ptr<Gatherer<G>> gatherer_;  // if there is an evaluator
  PathGrouper<G> grouper_;                 // if moves are grouped
  GroupingOptions grouping_;
  std::vector<float> biases_;
  MoveList played_;  // since the search was made
  NumberScale scale_;
  bool is_pruned_ = false;                      // did a beam close what was not finished?
  std::unique_ptr<ValueTable> table_;           // if values are shared
  std::atomic<EntryId> root_entry_{kNoEntry};   // the root's in it
  std::vector<std::unique_ptr<Graph>> graphs_;  // one, or one per thread if roots are independent
  std::vector<std::unique_ptr<Worker>> workers_;
  std::atomic<bool> stopping_{false};
  std::atomic<bool> frozen_{false};        // recycling gains nothing any more: go on without new nodes
  Clock::time_point start_, next_report_;  // across the rounds between two recyclings
  Clock::duration report_interval_{};
  // Written while threads work, so on cache lines of their own.
  alignas(64) std::atomic<std::uint64_t> started_{0};
  alignas(64) std::mutex lock_;  // of Parallel::GlobalLock
  std::atomic<bool> running_{false};
  std::exception_ptr failure_;
  std::mutex failure_lock_;
  std::vector<Growth> growths_;  // to be done when all workers have stopped
  std::mutex growths_lock_;
  std::atomic<bool> wants_growth_{false};
  std::atomic<bool> scale_is_short_{false};
  Solutions solutions_;
  std::atomic<double> seconds_{0};
};

// One simulation: walk the graph, add a leaf, evaluate it, back the value up.
// Values are the first player's; a node's mover flips them when comparing.
template <Game G>
void Search<G>::simulate(Worker& worker) {
  G state = root_state_;
  std::unique_lock<std::mutex> tree(lock_, std::defer_lock);
  const bool locks = config_.parallel == Parallel::GlobalLock && config_.num_threads > 1;
  if (locks) tree.lock();
  descend(state, worker);  // ends at a new leaf, a young one, a proved one, or the end of the game
  if (locks) tree.unlock();
  const std::int64_t value = evaluate(state, worker);
  if (locks) tree.lock();
  if constexpr (HasGoal<G>)
    if (value == kWaitsForScale) return;
  back_up(worker, value);  // relaxed: a stale mean is tolerable, a lock at the root is not
}

template <Game G>
void Search<G>::descend(G& state, Worker& worker) {
  Graph& graph = worker.graph;
  worker.path.clear();
  worker.entering.clear();
  worker.leaf = graph.root();
  std::size_t num_groups = 0;  // on the path
  while (static_cast<int>(worker.path.size() - num_groups) < config_.max_depth) {
    Node& node = graph.node(worker.leaf);
    if (node.proof.load(std::memory_order_relaxed) != Proof::None || state.is_over()) return;
    if (!graph.has_edges(node) && !expand(node, state, worker)) return;
    if (node.width.load(std::memory_order_relaxed) == Width::Narrow && !frozen_.load(std::memory_order_relaxed) &&
        node.walks.load(std::memory_order_relaxed) >= config_.width_walks)
      ask_for_all_edges(worker.leaf, state, worker);
    HotNode* const hot = keeps_hot_nodes_ ? worker.hot_nodes.take(graph, worker.leaf) : nullptr;
    const std::uint32_t edge = choose(node, hot, state, worker);
    if (edge == kNoEdge) return;
    const Edges edges = graph.edges(node);
    const bool is_group = edges.is_group(edge);
    if (!is_group) state.play(edges.move(edge));
    const std::int64_t loss = virtual_loss_ && node.mover == 1 ? kOne : 0;  // virtual: the mover seems to lose ...
    if (hot != nullptr) {
      hot->walk(edge, loss);
    } else {
      add(edges.visits()[edge], 1u, shared_);
      add(node.walks, 1u, shared_);
      if (loss != 0) add(edges.value()[edge], loss, shared_);
    }
    worker.path.push_back({worker.leaf, edge});
    if (is_group) {  // the same player chooses one of its moves
      worker.leaf = edges.child()[edge].load(std::memory_order_acquire);
      ++num_groups;
      continue;
    }
    bool is_new = false;
    worker.leaf = child_of(edges, edge, state, worker, is_new);
    if (worker.leaf == kNoNode) return;
    if (is_new && config_.expansion != Expansion::WholePath) return;
  }
}

// The selector's edge, or the next best if the game forbids the move on this path.
template <Game G>
std::uint32_t Search<G>::choose(const Node& node, const HotNode* hot, const G& state, Worker& worker) {
  worker.excluded.clear();
  if (config_.widening) worker.selector.widen(node);
  for (;;) {
    const std::uint32_t edge = worker.selector.choose(node, hot, worker.excluded, worker.rng, worker.scores);
    if constexpr (HasForbidden<G>) {
      if (edge != kNoEdge && is_forbidden(state, worker.graph, worker.graph.edges(node), edge)) {
        worker.excluded.push_back(edge);
        continue;
      }
    }
    return edge;
  }
}

// The node behind an edge of worker.leaf whose move was just played on `state`.
template <Game G>
NodeId Search<G>::child_of(const Edges& edges, std::uint32_t edge, const G& state, Worker& worker, bool& is_new) {
  const NodeId known = edges.child()[edge].load(std::memory_order_acquire);
  if (known != kNoNode) return known;
  if (frozen_.load(std::memory_order_relaxed)) return kNoNode;
  bool was_there = false;
  const NodeId made = shares_nodes(config_.graph)
                          ? worker.graph.find_or_make(key_of(state), state.to_play(), was_there, worker.index)
                          : worker.graph.make_node(state.to_play(), worker.index);
  if (made == kNoNode) return kNoNode;
  if (table_) enter(edges.entry()[edge], state, worker);
  WorkerCounts::add(worker.counts.transposition_hits, was_there);
  is_new = !was_there;
  NodeId expected = kNoNode;
  if (!edges.child()[edge].compare_exchange_strong(expected, made, std::memory_order_acq_rel))
    return expected;  // another thread was first; in a tree the spare node is lost until the next recycling
  if (config_.graph == GraphMode::Multipath) worker.graph.add_parent(made, worker.leaf);
  return made;
}

// Exact at the end of a game and where something is proved, a playout elsewhere.
template <Game G>
std::int64_t Search<G>::evaluate(G& state, Worker& worker) {
  if constexpr (HasGoal<G>)
    if (plays_alone_) return evaluate_alone(state, worker);
  const std::optional<std::int64_t> exact = exact_value(state, worker);
  return exact ? *exact : play_out(state, worker);
}

template <Game G>
std::optional<std::int64_t> Search<G>::exact_value(const G& state, Worker& worker) {
  if (config_.amaf != AmafSchedule::Off) worker.made.clear(static_cast<std::size_t>(root_state_.num_distinct_moves()));
  Node* const leaf = worker.leaf == kNoNode ? nullptr : &worker.graph.node(worker.leaf);
  if (leaf != nullptr)
    if (const Proof proof = leaf->proof.load(std::memory_order_relaxed); proof != Proof::None)
      return proven_value(proof);
  if (state.is_over()) {
    const std::int64_t value = to_fixed(state.value());
    if (config_.solver && leaf != nullptr && value % (kOne / 2) == 0)
      leaf->proof.store(static_cast<Proof>(1 + value / (kOne / 2)), std::memory_order_relaxed);
    return value;
  }
  return std::nullopt;
}

template <Game G>
std::int64_t Search<G>::play_out(G& state, Worker& worker) {
  MadeMoves* const record = config_.amaf == AmafSchedule::Off ? nullptr : &worker.made;
  if constexpr (HasPlayout<G>)
    return to_fixed(state.play_out(worker.rng, record));
  else
    return to_fixed(play_out_uniformly(state, worker.rng, record, worker.moves));
}

template <Game G>
void Search<G>::back_up(Worker& worker, std::int64_t value) {
  if (worker.path.empty()) return;  // another thread proved the root in the meantime: nothing was simulated
  Graph& graph = worker.graph;
  if (config_.amaf != AmafSchedule::Off) update_amaf(worker, value);
  const bool is_multipath = config_.graph == GraphMode::Multipath;
  if (worker.leaf != kNoNode && !is_multipath) {
    Node& leaf = graph.node(worker.leaf);
    add(leaf.visits, 1u, shared_);
    add(leaf.value, value, shared_);
  }
  for (std::size_t depth = worker.path.size(); depth-- > 0;) {
    const Step& step = worker.path[depth];
    Node& node = graph.node(step.node);
    const Edges edges = graph.edges(node);
    const std::int64_t loss = virtual_loss_ && node.mover == 1 ? kOne : 0;
    if (HotNode* const hot = keeps_hot_nodes_ ? worker.hot_nodes.find(step.node) : nullptr; hot != nullptr) {
      hot->back_up(step.edge, value, loss);
      continue;
    }
    add(edges.value()[step.edge], value - loss, shared_);  // ... until the result is in
    if (graph.columns().squares) add(edges.squares()[step.edge], (value * value) / kOne, shared_);
    if (!is_multipath) {
      add(node.visits, 1u, shared_);
      add(node.value, value, shared_);
    }
    if (graph.columns().bounds) worker.selector.update_bounds(node, step.edge, static_cast<int>(depth));
  }
  if (is_multipath) update_ancestors(worker, value);
  if (table_) update_entries(worker, value);
  if (config_.solver) propagate_proofs(worker);
  WorkerCounts::add(worker.counts.simulations);
  WorkerCounts::add(worker.counts.depths[std::min(length_of_walk(worker), SearchCounts::kDepths - 1)]);
}

// Every edge whose move the same player made at that node or later, in the tree or in the playout, learns the result.
// Two threads that meet at an edge may lose one of their AMAF updates: a locked addition at half the edges of every
// level would cost more than the second thread brings (docs/decisions/008). Visits and values lose nothing.
template <Game G>
void Search<G>::update_amaf(Worker& worker, std::int64_t value) {
  const std::uint64_t one = amaf::one(value);
  for (std::size_t depth = worker.path.size(); depth-- > 0;) {
    const Step& step = worker.path[depth];
    const Node& node = worker.graph.node(step.node);
    const Edges edges = worker.graph.edges(node);
    if (edges.is_group(step.edge)) continue;
    worker.made.add(edges.move(step.edge), node.mover);
    // No edge has more AMAF visits than walks went through its node.
    if (node.walks.load(std::memory_order_relaxed) >= amaf::kSaturated) continue;
    const std::uint64_t* const made = worker.made.masks(node.mover);
    const auto* const words = edges.word();
    auto* const column = edges.amaf();
#pragma GCC unroll 4
    for (std::uint32_t i = 0; i < edges.size; ++i) {
      const std::uint64_t mask = made[words[i].load(std::memory_order_relaxed) & Edges::kMoveMask];
      column[i].store(column[i].load(std::memory_order_relaxed) + (one & mask), std::memory_order_relaxed);
    }
  }
}

// A node is won for its mover if one edge is, and decided if all are.
template <Game G>
Proof Search<G>::proof_of(const Graph& graph, const Node& node) const {
  const Edges edges = graph.edges(node);
  const bool first = node.mover == 0;
  const Proof won = first ? Proof::Win : Proof::Loss;
  bool all = true, draw = false;
  for (std::uint32_t i = 0; i < edges.size; ++i) {
    const Proof proof = edges.proof(i);
    if (proof == won) return won;
    all &= proof != Proof::None;
    draw |= proof == Proof::Draw;
  }
  all &= node.width.load(std::memory_order_relaxed) == Width::Full;
  return !all ? Proof::None : draw ? Proof::Draw : first ? Proof::Loss : Proof::Win;
}

template <Game G>
void Search<G>::propagate_proofs(Worker& worker) {
  Graph& graph = worker.graph;
  NodeId below = worker.leaf;
  for (std::size_t depth = worker.path.size(); depth-- > 0 && below != kNoNode;) {
    const Proof proof = graph.node(below).proof.load(std::memory_order_relaxed);
    if (proof == Proof::None) return;
    Node& node = graph.node(worker.path[depth].node);
    const Edges edges = graph.edges(node);
    edges.word()[worker.path[depth].edge].fetch_or(static_cast<std::uint32_t>(proof) << Edges::kProofShift,
                                                   std::memory_order_relaxed);
    const Proof above = proof_of(graph, node);
    if (above != Proof::None) node.proof.store(above, std::memory_order_relaxed);
    below = worker.path[depth].node;
  }
}

}  // namespace tesuji

#include "search/expand.hpp"         // IWYU pragma: export - Search::expand()
#include "search/groups.hpp"         // IWYU pragma: export - Search::group_with()
#include "search/one_player.hpp"     // IWYU pragma: export - Search::evaluate_alone(), found()
#include "search/pending.hpp"        // IWYU pragma: export - Search::evaluate_with()
#include "search/report.hpp"         // IWYU pragma: export - Search::result()
#include "search/restore.hpp"        // IWYU pragma: export - Search::snapshots(), restore()
#include "search/run.hpp"            // IWYU pragma: export - Search::run(), advance(), take_in()
#include "search/shared_values.hpp"  // IWYU pragma: export - Search::update_entries(), update_ancestors()
