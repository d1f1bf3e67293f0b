// How a search is set up and run: its threads, the rounds between which graphs are recycled and nodes grow, what
// happens at the root. Part of search.hpp, which is what to include.
#pragma once

#include "search/search.hpp"

namespace tesuji {

template <Game G>
Search<G>::Search(const G& root, const SearchConfig& config, std::uint64_t seed)
    : root_state_(root),
      config_(config),
      seed_(seed),
      shared_(config.parallel == Parallel::LockFree && config.num_threads > 1),
      virtual_loss_(config.parallel != Parallel::Roots && config.num_threads > 1),
      keeps_hot_nodes_(shared_ && config.graph == GraphMode::Tree && !columns_for(config).squares &&
                       !columns_for(config).bounds),
      plays_alone_(goal_of(root) != Goal::TwoPlayers),
      scale_(goal_of(root)),
      solutions_(goal_of(root)) {
  check_goal();
  if (config.graph == GraphMode::SharedValues)
    table_ = std::make_unique<ValueTable>(config.table_entries, config.table_min_references, config.num_threads > 1);
  const std::size_t num_graphs =
      config.parallel == Parallel::Roots ? static_cast<std::size_t>(config.num_threads) : std::size_t{1};
  for (std::size_t i = 0; i < num_graphs; ++i)
    graphs_.push_back(std::make_unique<Graph>(config.memory_bytes / num_graphs, columns_for(config), config.graph,
                                              shared_ ? static_cast<std::size_t>(config.num_threads) : 1));
  make_workers(static_cast<std::size_t>(config.num_threads));
}

// Each has a random stream of its own; they share one graph, or have one each.
template <Game G>
void Search<G>::make_workers(std::size_t number) {
  for (std::size_t i = 0; i < number; ++i)
    workers_.push_back(
        std::make_unique<Worker>(*graphs_[graphs_.size() == 1 ? 0 : i], table_.get(), config_, seed_, i));
}

// Every graph gets a root with edges, whatever its maturity.
template <Game G>
void Search<G>::prepare_roots() {
  if (root_state_.is_over()) throw std::invalid_argument("the game is over at the root: there is nothing to search");
  if (gatherer_) gatherer_->begin(workers_.size());
  for (std::size_t i = 0; i < graphs_.size(); ++i) {
    Graph& graph = *graphs_[i];
    Worker& worker = *workers_[i];
    bool was_there = false;
    if (graph.root() == kNoNode) {
      graph.set_root(shares_nodes(config_.graph)
                         ? graph.find_or_make(key_of(root_state_), root_state_.to_play(), was_there)
                         : graph.make_node(root_state_.to_play()));
      if (table_) enter(root_entry_, root_state_, worker);
    }
    const auto too_small = [] {
      return std::invalid_argument("the memory cap is too small for the root and its edges; raise it");
    };
    if (graph.root() == kNoNode) throw too_small();
    Node& root = graph.node(graph.root());
    const bool has_edges = graph.has_edges(root);
    if (has_edges && root.width == Width::Full) continue;
    worker.moves.clear();
    root_state_.legal_moves(worker.moves);
    if (worker.moves.empty()) throw std::invalid_argument("the root has no legal move, yet its game is not over");
    order_moves(root_state_, worker);
    if (has_edges) {
      graph.add_edges(root, worker.moves, worker.priors);  // if there is no room, it stays narrow until there is
      continue;
    }
    worker.path.clear();
    if (!make_edges(root, root_state_, worker, Width::Full)) throw too_small();
    worker.leaf = graph.root();
    if (makes_all_children(config_)) make_all_children(root, root_state_, worker);
    finish_entering(worker);
  }
  if (gatherer_ && !gatherer_->is_known()) gatherer_->ask(root_state_);  // what does it give?
}

template <Game G>
bool Search<G>::is_spent(const Budget& budget) const {
  if (stopping_.load(std::memory_order_relaxed)) return true;
  if (budget.simulations > 0 && started_.load(std::memory_order_relaxed) >= budget.simulations) return true;
  const bool has_begun = started_.load(std::memory_order_relaxed) > 0;
  std::size_t num_nodes = 0;
  for (const auto& graph : graphs_) num_nodes += graph->num_nodes();
  if (budget.nodes > 0 && has_begun && num_nodes >= budget.nodes) return true;
  for (const auto& graph : graphs_)
    if (graph->node(graph->root()).proof.load(std::memory_order_relaxed) != Proof::None) return true;
  return false;
}

// So many simulations of the budget, or as many as are left of it, belong to the caller.
template <Game G>
std::uint64_t Search<G>::take_tickets(const Budget& budget, std::uint64_t wanted) {
  std::uint64_t before = started_.load(std::memory_order_relaxed);
  for (;;) {
    if (budget.simulations > 0) wanted = std::min(wanted, budget.simulations - std::min(before, budget.simulations));
    if (wanted == 0 || started_.compare_exchange_weak(before, before + wanted, std::memory_order_relaxed))
      return wanted;
  }
}

// May a thread go on in this graph? Not when it is full and wants recycling.
template <Game G>
bool Search<G>::may_walk(const Graph& graph, const Budget& budget) const {
  if (stopping_.load(std::memory_order_relaxed)) return false;
  if (graph.is_full() && !frozen_.load(std::memory_order_relaxed)) return false;
  if (wants_growth_.load(std::memory_order_relaxed)) return false;
  if (HasGoal<G> && scale_is_short_.load(std::memory_order_relaxed)) return false;
  if (graph.node(graph.root()).proof.load(std::memory_order_relaxed) != Proof::None) return false;
  return budget.nodes == 0 || graphs_.size() > 1 || graph.num_nodes() < budget.nodes;
}

// One thread's loop, a batch of simulations at a time. Batches are sized so that the clock is read about once in a
// millisecond, however fast or slow the game is.
template <Game G>
void Search<G>::work(Worker& worker, const Budget& budget, const Progress* progress) {
  constexpr std::uint64_t kLargestBatch = 256;
  constexpr auto kBatchTime = std::chrono::milliseconds(1);
  std::uint64_t batch = 1;
  auto before = Clock::now();
  while (!is_spent(budget)) {
    std::uint64_t tickets = take_tickets(budget, batch);
    if (tickets == 0) return;
    do {
      gatherer_ ? begin_simulation(worker) : simulate(worker);
      --tickets;
    } while (tickets > 0 && may_walk(worker.graph, budget));
    started_.fetch_sub(tickets, std::memory_order_relaxed);
    const auto now = Clock::now();
    batch = now - before > kBatchTime ? std::max<std::uint64_t>(batch / 2, 1) : std::min(batch * 2, kLargestBatch);
    before = now;
    if (budget.seconds > 0 && seconds_since_start(now) >= budget.seconds) stop();
    if (progress != nullptr) report(*progress, now);
    if (!may_walk(worker.graph, budget)) return;
  }
}

// Asks the caller's function a few times a second.
template <Game G>
void Search<G>::report(const Progress& progress, Clock::time_point now) {
  if (now < next_report_) return;
  seconds_ = seconds_since_start(now);
  if (progress && !progress()) stop();
  next_report_ = now + report_interval_;
}

template <Game G>
void Search<G>::run_round(const Budget& budget, const Progress& progress) {
  std::atomic<std::size_t> num_others{workers_.size() - 1};
  if (gatherer_) gatherer_->begin(workers_.size());
  const auto take_part = [&](Worker& worker, const Progress* reports) {
    const BroughtIn hot_nodes(worker.hot_nodes, worker.graph);
    gatherer_ ? work_in_batches(worker, budget, reports) : work(worker, budget, reports);
  };
  const auto guarded = [&](const auto& function) {
    try {
      function();
    } catch (...) {
      const std::scoped_lock hold(failure_lock_);
      if (!failure_) failure_ = std::current_exception();
      stop();
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < workers_.size(); ++i)
    threads.emplace_back([&, i] {
      guarded([&] { take_part(*workers_[i], nullptr); });
      --num_others;
    });
  guarded([&] {
    take_part(*workers_[0], &progress);
    while (num_others > 0) {  // with independent roots the others may go on for long
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      report(progress, Clock::now());
    }
  });
  for (std::thread& thread : threads) thread.join();
}

template <Game G>
void Search<G>::grow_nodes() {
  for (const Growth& growth : growths_) {
    Node& node = growth.graph->node(growth.node);
    if (!growth.graph->add_edges(node, growth.moves, growth.priors)) node.width = Width::Narrow;
  }
  growths_.clear();
  wants_growth_ = false;
}

template <Game G>
void Search<G>::run(const Budget& budget, const Progress& progress) {
  const OneAtATime hold(running_);
  start_ = Clock::now();
  report_interval_ = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(budget.report_s));
  next_report_ = start_ + report_interval_;
  started_ = 0;
  stopping_ = false;
  frozen_ = false;
  failure_ = nullptr;
  for (auto& worker : workers_) worker->counts.clear();
  solutions_.begin_run();
  prepare_roots();
  for (;;) {
    run_round(budget, progress);
    if (plays_alone_) grow_scale();
    grow_nodes();
    if (failure_) std::rethrow_exception(failure_);
    if (is_spent(budget)) break;
    for (auto& graph : graphs_) {
      if (!graph->is_full()) continue;
      const std::size_t before = graph->bytes();
      graph->recycle(0.5);
      if (graph->bytes() > before * 9 / 10) frozen_ = true;
    }
  }
  if (grouping_.learns) learn_biases();
  seconds_ = seconds_since_start(Clock::now());
}

template <Game G>
std::vector<NodeStatistics> Search<G>::statistics(double share, std::size_t max_nodes) {
  const OneAtATime hold(running_);
  refuse_groups("exchange statistics");
  prepare_roots();
  return statistics_of(*graphs_[0], share, max_nodes);
}

// Proofs that came along may settle the root.
template <Game G>
void Search<G>::take_in(std::span<const NodeStatistics> found) {
  const OneAtATime hold(running_);
  refuse_groups("exchange statistics");
  if (plays_alone_)
    throw std::invalid_argument("a search for one player has a scale of its own: statistics cannot be taken in");
  if (config_.graph != GraphMode::Tree || graphs_.size() > 1)
    throw std::invalid_argument(
        "statistics are exchanged between trees with one root each; use graph='tree' and not "
        "parallel='roots'");
  prepare_roots();
  Graph& graph = *graphs_[0];
  add_statistics(graph, found);
  Node& root = graph.node(graph.root());
  if (const Proof proof = proof_of(graph, root); proof != Proof::None) root.proof = proof;
}

template <Game G>
void Search<G>::advance(Move move) {
  const OneAtATime hold(running_);
  if (root_state_.is_over()) throw std::invalid_argument("the game is over: there is no move to advance by");
  if (!is_legal_move(root_state_, move))
    throw std::invalid_argument("move " + std::to_string(move) + " is not legal at the root");
  for (auto& graph : graphs_) {
    const auto moves =
        graph->root() == kNoNode ? std::map<Move, MoveSum>{} : sums_by_move(*graph, graph->node(graph->root()));
    const auto at = moves.find(move);
    const NodeId next = at == moves.end() ? kNoNode : at->second.child;
    root_entry_ = at == moves.end() ? kNoEntry : at->second.entry;
    if (next == kNoNode) {
      graph->clear();
    } else {
      graph->set_root(next);
      if (graph->bytes() * 2 > config_.memory_bytes / graphs_.size()) graph->recycle(0.5);
    }
  }
  if (table_) clean_table();
  root_state_.play(move);
  played_.push_back(move);
  for (auto& worker : workers_) worker->walks_by_length.clear();
  solutions_.advance(move);
}

}  // namespace tesuji
