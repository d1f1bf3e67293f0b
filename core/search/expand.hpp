// How a leaf gets its edges: in which order, with which priors, the best ones first or all at once. Part of search.hpp,
// which is what to include.
#pragma once

#include "search/search.hpp"

namespace tesuji {

// Gives a node its edges once it is mature; false if it stays a leaf for this simulation.
template <Game G>
bool Search<G>::expand(Node& node, const G& state, Worker& worker) {
  const bool whole_path = config_.expansion == Expansion::WholePath;
  if (!whole_path && node.visits.load(std::memory_order_relaxed) < config_.maturity) return false;
  if (frozen_.load(std::memory_order_relaxed)) return false;
  if (waits_for_priors()) return false;  // it gets edges when the evaluator has answered
  worker.moves.clear();
  state.legal_moves(worker.moves);
  if (worker.moves.empty())
    throw std::logic_error("a game that is not over lists no legal move; list one (a pass?) or report the end");
  order_moves(state, worker);
  const Width width = keep_best_moves(worker);
  if (!make_edges(node, state, worker, width)) {
    WorkerCounts::add(worker.counts.lost_races);
    return false;
  }
  if (makes_all_children(config_)) make_all_children(node, state, worker);
  return true;
}

// Edges of equal score are taken in order.
template <Game G>
void Search<G>::shuffle_moves(Worker& worker) {
  for (std::size_t i = worker.moves.size(); i > 1; --i)
    std::swap(worker.moves[i - 1], worker.moves[worker.rng.below(i)]);
}

// Shuffles the moves and asks for their priors.
template <Game G>
void Search<G>::order_moves(const G& state, Worker& worker) {
  shuffle_moves(worker);
  worker.priors.clear();
  if (!columns_for(config_).prior) return;
  if (gatherer_ && (waits_for_priors() || !gatherer_->is_known())) {
    const auto place = gatherer_->ask(state);
    if (waits_for_priors()) return take_priors(worker, place);
  }
  if constexpr (HasPriors<G>) {
    worker.priors.resize(worker.moves.size());
    state.priors(worker.moves, worker.priors);
  } else {
    throw std::invalid_argument("the config uses priors, but this game has none, and no evaluator gives them");
  }
}

// Most moves of most nodes are never walked: only the best ones by prior get edges, until the node proves important.
template <Game G>
Width Search<G>::keep_best_moves(Worker& worker) const {
  const auto width = static_cast<std::size_t>(config_.width);
  if (width == 0 || worker.moves.size() <= width) return Width::Full;
  std::vector<std::size_t>& order = worker.order;
  order.resize(worker.moves.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(width), order.end(),
                   [&](std::size_t a, std::size_t b) {
                     return worker.priors[a] != worker.priors[b] ? worker.priors[a] > worker.priors[b] : a < b;
                   });
  std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(width));
  for (std::size_t i = 0; i < width; ++i) {  // order[i] >= i: nothing is overwritten before it is read
    worker.moves[i] = worker.moves[order[i]];
    worker.priors[i] = worker.priors[order[i]];
  }
  worker.moves.resize(width);
  worker.priors.resize(width);
  return Width::Narrow;
}

// Edges cannot move while others walk them, so this is left for when all workers have stopped.
template <Game G>
void Search<G>::ask_for_all_edges(NodeId id, const G& state, Worker& worker) {
  worker.moves.clear();
  state.legal_moves(worker.moves);
  order_moves(state, worker);
  const std::scoped_lock hold(growths_lock_);
  Width narrow = Width::Narrow;
  if (!worker.graph.node(id).width.compare_exchange_strong(narrow, Width::Growing, std::memory_order_relaxed)) return;
  growths_.push_back({&worker.graph, id, worker.moves, worker.priors});
  wants_growth_.store(true, std::memory_order_relaxed);
}

template <Game G>
void Search<G>::make_all_children(const Node& node, const G& state, Worker& worker) {
  bool has_room = true;
  for_each_move(worker.graph, node, [&](const Edges& edges, std::uint32_t edge) {
    if (!has_room) return;
    G after = state;
    after.play(edges.move(edge));
    bool is_new = false;
    has_room = child_of(edges, edge, after, worker, is_new) != kNoNode;
  });
}

}  // namespace tesuji
