// Simulations in two halves: a walk that ends at a leaf which waits for the evaluator, and what happens when it has
// answered. A worker holds many such walks; each keeps its virtual loss, so that the next ones go elsewhere. Part of
// search.hpp, which is what to include.
#pragma once

#include "search/search.hpp"

namespace tesuji {

template <Game G>
void Search<G>::evaluate_with(Evaluator<G> evaluator) {
  const OneAtATime hold(running_);
  if (plays_alone_) throw std::invalid_argument("an evaluator judges games of two players; this one is for one");
  if (config_.expansion != Expansion::OneChild)
    throw std::invalid_argument("an evaluator judges one leaf of a walk; use expansion='one-child' with it");
  if (config_.graph == GraphMode::SharedCounts)
    throw std::invalid_argument(
        "shared counts need every child at once, an evaluator's edges come later; use "
        "another graph mode");
  gatherer_ = std::make_unique<Gatherer<G>>(
      std::move(evaluator), root_state_,
      typename Gatherer<G>::Settings{static_cast<std::size_t>(config_.batch_size), config_.batch_timeout_s,
                                     columns_for(config_).prior, config_.batches_in_flight, config_.cache_bytes});
  virtual_loss_ = true;
  keeps_hot_nodes_ = false;  // what pending walks lose must be seen at once
}

template <Game G>
std::unique_lock<std::mutex> Search<G>::tree_lock() {
  std::unique_lock<std::mutex> tree(lock_, std::defer_lock);
  if (config_.parallel == Parallel::GlobalLock && config_.num_threads > 1) tree.lock();
  return tree;
}

// The first half. Where the end of the walk is worth something exact, there is no second one. A walk that meets a leaf
// somebody waits at already does not count: it stays as a virtual loss for a while, and another begins.
template <Game G>
void Search<G>::begin_simulation(Worker& worker) {
  for (;;) {
    G state = root_state_;
    auto tree = tree_lock();
    descend(state, worker);
    if (const auto exact = exact_value(state, worker)) {
      back_up(worker, *exact);
      if (tree.owns_lock()) tree.unlock();
      return note_idle_walk(worker);
    }
    const bool is_first =
        worker.leaf == kNoNode || !worker.graph.node(worker.leaf).waits.exchange(true, std::memory_order_relaxed);
    if (tree.owns_lock()) tree.unlock();
    if (is_first) return send_leaf(state, worker);
    worker.blocked.push_back({.path = std::move(worker.path), .leaf = kNoNode});
    note_idle_walk(worker);
  }
}

// Leaves should not wait for company while all walks end elsewhere.
template <Game G>
void Search<G>::note_idle_walk(Worker& worker) {
  if (++worker.num_idle_walks >= gatherer_->batch_size()) settle(worker);
}

template <Game G>
void Search<G>::send_leaf(G& state, Worker& worker) {
  worker.pending.push_back({.path = std::move(worker.path), .leaf = worker.leaf});
  Pending& sent = worker.pending.back();  // from here on it can be undone, whatever throws
  if (gatherer_->gives_priors()) state.legal_moves(sent.moves);
  if (config_.evaluator_weight < 1 || !gatherer_->gives_values()) {
    G copy = state;
    sent.playout = play_out(copy, worker);
    std::swap(sent.made, worker.made);
  }
  sent.place = gatherer_->add(std::move(state));
  if (sent.place.was_known) return finish_known(worker);
  while (!worker.pending.empty() && worker.pending.front().place.is_done()) finish_first(worker);
  while (worker.pending.size() >= gatherer_->batch_size()) {
    gatherer_->wait(worker.pending.front().place);
    finish_first(worker);
  }
}

// A leaf whose answer was kept waits for nobody; those that do should not wait while all walks end at such leaves.
template <Game G>
void Search<G>::finish_known(Worker& worker) {
  Pending known = std::move(worker.pending.back());
  worker.pending.pop_back();
  finish(worker, std::move(known));
  note_idle_walk(worker);
}

template <Game G>
void Search<G>::finish_first(Worker& worker) {
  release_blocked(worker);
  Pending oldest = std::move(worker.pending.front());
  worker.pending.pop_front();
  finish(worker, std::move(oldest));
}

// The second half of a simulation.
template <Game G>
void Search<G>::finish(Worker& worker, Pending pending) {
  worker.path = std::move(pending.path);
  worker.leaf = pending.leaf;
  std::swap(worker.made, pending.made);
  if (config_.amaf != AmafSchedule::Off && !pending.playout)
    worker.made.clear(static_cast<std::size_t>(root_state_.num_distinct_moves()));
  const auto tree = tree_lock();
  back_up(worker, mixed_value(pending));
  if (worker.leaf == kNoNode) return;
  if (gatherer_->gives_priors()) give_edges(worker, pending);
  worker.graph.node(worker.leaf).waits.store(false, std::memory_order_relaxed);
}

template <Game G>
std::int64_t Search<G>::mixed_value(const Pending& pending) const {
  if (!pending.place.has_value()) return *pending.playout;
  if (!pending.playout) return to_fixed(pending.place.value());
  const auto weight = static_cast<double>(config_.evaluator_weight);
  const double playout = static_cast<double>(*pending.playout) / static_cast<double>(kOne);
  return to_fixed(weight * pending.place.value() + (1 - weight) * playout);
}

// Edges with the evaluator's priors, as soon as the leaf is mature.
template <Game G>
void Search<G>::give_edges(Worker& worker, Pending& pending) {
  Node& leaf = worker.graph.node(worker.leaf);
  if (worker.graph.has_edges(leaf) || frozen_.load(std::memory_order_relaxed)) return;
  if (leaf.visits.load(std::memory_order_relaxed) < config_.maturity) return;
  std::swap(worker.moves, pending.moves);
  shuffle_moves(worker);
  take_priors(worker, pending.place);
  const Width width = keep_best_moves(worker);
  if (!worker.graph.make_edges(leaf, worker.moves, worker.priors, width, shared_, worker.index))
    WorkerCounts::add(worker.counts.lost_races);
}

// The answer's priors of the worker's moves. Under PUCT they are probabilities: those of illegal moves are shared out.
template <Game G>
void Search<G>::take_priors(Worker& worker, const typename Gatherer<G>::Place& place) const {
  const std::span<const float> all = place.priors(gatherer_->num_moves());
  worker.priors.clear();
  float sum = 0;
  for (const Move move : worker.moves) {
    worker.priors.push_back(all[static_cast<std::size_t>(move)]);
    sum += worker.priors.back();
  }
  if (config_.selection != Selection::Puct) return;
  const auto number = static_cast<float>(worker.moves.size());
  for (float& prior : worker.priors) prior = sum > 0 ? prior / sum : 1 / number;
}

// Everything pending is evaluated and backed up.
template <Game G>
void Search<G>::settle(Worker& worker) {
  while (!worker.pending.empty()) {
    gatherer_->wait(worker.pending.front().place);
    finish_first(worker);
  }
  release_blocked(worker);
}

template <Game G>
void Search<G>::release_blocked(Worker& worker) {
  worker.num_idle_walks = 0;
  if (worker.blocked.empty()) return;
  const auto tree = tree_lock();
  for (const Pending& walk : worker.blocked) undo(worker, walk);
  worker.blocked.clear();
}

// A walk that never was.
template <Game G>
void Search<G>::undo(Worker& worker, const Pending& walk) {
  for (const Step& step : walk.path) {
    Node& node = worker.graph.node(step.node);
    const Edges edges = worker.graph.edges(node);
    add(edges.visits()[step.edge], ~0u, shared_);  // - 1
    add(node.walks, ~0u, shared_);
    if (node.mover == 1) add(edges.value()[step.edge], -kOne, shared_);
  }
  if (walk.leaf != kNoNode) worker.graph.node(walk.leaf).waits.store(false, std::memory_order_relaxed);
}

// One thread's share of a round. Nothing is pending when it ends, however it ends.
template <Game G>
void Search<G>::work_in_batches(Worker& worker, const Budget& budget, const Progress* progress) {
  const auto leave = [&] {
    release_blocked(worker);
    const auto tree = tree_lock();
    for (const Pending& walk : worker.pending) undo(worker, walk);
    worker.pending.clear();
    gatherer_->leave();
  };
  try {
    work(worker, budget, progress);
    settle(worker);
  } catch (...) {
    leave();
    throw;
  }
  leave();
}

}  // namespace tesuji
