// One player: how a search evaluates, scales and keeps solutions when its game has a goal. Part of search.hpp, which is
// what to include. See docs/algorithms/one-player.md.
//
// A simulation whose number lies outside the scale ends the round: its worker waits with it, the scale grows while
// nobody walks, and only then the result is backed up. So no result is ever cut off.
#pragma once

#include <cmath>
#include <utility>

#include "search/beam.hpp"
#include "search/search.hpp"

namespace tesuji {

// A walk that ends in the graph at the end of the game has one solution below it: there is nothing more to see there.
template <Game G>
std::int64_t Search<G>::evaluate_alone(G& state, Worker& worker) {
  if (config_.amaf != AmafSchedule::Off) worker.made.clear(static_cast<std::size_t>(root_state_.num_distinct_moves()));
  Node* const leaf = worker.leaf == kNoNode ? nullptr : &worker.graph.node(worker.leaf);
  if (leaf != nullptr && leaf->proof.load(std::memory_order_relaxed) != Proof::None) {
    // Closed by another thread in the meantime, or (DAG) from another parent: as good as it was on average.
    return leaf->value.load(std::memory_order_relaxed) / std::max(1u, leaf->visits.load(std::memory_order_relaxed));
  }
  const bool ends_here = state.is_over();
  const Rng before = worker.rng;
  const double number = ends_here ? state.value() : play_out_alone(state, worker);
  if (!std::isfinite(number))
    throw std::invalid_argument("value is " + std::to_string(number) + "; a solution's value must be a finite number");
  if (ends_here && config_.solver && leaf != nullptr) leaf->proof.store(kClosed, std::memory_order_relaxed);
  if (solutions_.is_news(number)) keep_solution(worker, before, number);
  count_walk(worker);
  worker.number = number;
  worker.is_penalised = ends_here;
  if (scale_.holds(number)) return scaled(worker);
  worker.waits_for_scale = true;
  scale_is_short_.store(true, std::memory_order_relaxed);
  return kWaitsForScale;
}

template <Game G>
double Search<G>::play_out_alone(G& state, Worker& worker) {
  MadeMoves* const record = config_.amaf == AmafSchedule::Off ? nullptr : &worker.made;
  if constexpr (HasPlayout<G>)
    return state.play_out(worker.rng, record);
  else
    return play_out_uniformly(state, worker.rng, record, worker.moves);
}

// A new best is rare, so playouts keep no record: this one is played once more with the same random numbers.
template <Game G>
void Search<G>::keep_solution(Worker& worker, Rng rng, double number) {
  G state = root_state_;
  MoveLog log;
  for (const Step& step : worker.path) {
    const Move move = worker.graph.edges(worker.graph.node(step.node)).move(step.edge);
    log.moves.push_back(move);
    state.play(move);
  }
  if (!state.is_over()) {
    if constexpr (HasPlayout<G>)
      state.play_out(rng, &log);
    else
      play_out_uniformly(state, rng, &log, worker.moves);
  }
  if (const double again = state.value(); again != number)
    throw std::invalid_argument("the same moves were worth " + std::to_string(number) + " and then " +
                                std::to_string(again) + "; a game's value must depend on its moves alone");
  std::uint64_t simulations = 1;
  for (const auto& other : workers_) simulations += other->counts.simulations.load(std::memory_order_relaxed);
  solutions_.offer({number, std::move(log.moves)}, seconds_since_start(Clock::now()), simulations);
}

template <Game G>
void Search<G>::count_walk(Worker& worker) {
  const std::size_t length = worker.path.size();
  if (worker.walks_by_length.size() <= length) worker.walks_by_length.resize(length + 1);
  ++worker.walks_by_length[length];
}

template <Game G>
std::int64_t Search<G>::scaled(const Worker& worker) const {
  const std::int64_t value = scale_.to_fixed(worker.number);
  if (config_.revisit_penalty == 0 || !worker.is_penalised) return value;
  return to_fixed(static_cast<double>(value) / static_cast<double>(kOne) * (1 - config_.revisit_penalty));
}

// The walks of waiting workers are taken back, for their results are not in the sums yet; then all moves to the new
// scale; then they are walked again and backed up.
template <Game G>
void Search<G>::grow_scale() {
  std::vector<Worker*> waiting;
  std::vector<double> numbers;
  for (auto& worker : workers_)
    if (std::exchange(worker->waits_for_scale, false)) {
      waiting.push_back(worker.get());
      numbers.push_back(worker->number);
      mark_walk(*worker, ~0u);
    }
  scale_is_short_ = false;
  if (waiting.empty()) return;
  const ScaleChange change = scale_.grow(numbers);
  for (auto& graph : graphs_) rescale(*graph, change);
  for (Worker* const worker : waiting) {
    mark_walk(*worker, 1u);
    back_up(*worker, scaled(*worker));
  }
}

// Adds to the visits along a worker's walk (~0u takes one away).
template <Game G>
void Search<G>::mark_walk(Worker& worker, std::uint32_t amount) {
  for (const Step& step : worker.path) {
    Node& node = worker.graph.node(step.node);
    add(worker.graph.edges(node).visits()[step.edge], amount, false);
    add(node.walks, amount, false);
  }
}

template <Game G>
void Search<G>::check_goal() const {
  if (!plays_alone_) {
    if (config_.revisit_penalty > 0)
      throw std::invalid_argument("a penalty for solutions seen again is for one player; this game has two");
    return;
  }
  if (root_state_.to_play() != 0) throw std::invalid_argument("a game for one player has to_play() 0");
  if (config_.graph == GraphMode::SharedValues)
    throw std::invalid_argument("a table of shared values outlives the scale of one player; use graph='dag' or 'tree'");
  if (config_.selection == Selection::Bast)
    throw std::invalid_argument("BAST's bounds cannot change their scale; one player needs another selection");
}

template <Game G>
Found Search<G>::found() const {
  Found found = solutions_.found();
  for (const auto& worker : workers_) found.simulations += worker->counts.simulations.load(std::memory_order_relaxed);
  for (const auto& graph : graphs_)
    if (graph->root() != kNoNode && graph->node(graph->root()).proof.load(std::memory_order_relaxed) != Proof::None)
      found.is_exhausted = true;
  found.is_optimal = found.is_exhausted && !is_pruned_ && found.best.has_value();
  return found;
}

// How many simulations walked through at least `depth` edges since the search was made.
template <Game G>
std::uint64_t Search<G>::num_walks_to(std::size_t depth) const {
  std::uint64_t sum = 0;
  for (const auto& worker : workers_)
    for (std::size_t length = depth; length < worker->walks_by_length.size(); ++length)
      sum += worker->walks_by_length[length];
  return sum;
}

template <Game G>
void Search<G>::keep_most_visited(int depth, std::size_t width) {
  const OneAtATime hold(running_);
  if (!plays_alone_ || config_.graph != GraphMode::Tree || !config_.solver)
    throw std::invalid_argument("a beam needs a game for one player, graph='tree' and revisit='close'");
  prepare_roots();
  for (auto& graph : graphs_) is_pruned_ |= tesuji::keep_most_visited(*graph, depth, width);
}

// Means of 0..1 become numbers of the game.
template <Game G>
void Search<G>::to_numbers(SearchResult& result) const {
  for (RootEdge& edge : result.edges) {
    edge.value = edge.visits > 0 ? scale_.to_number(edge.value) : 0;
    edge.amaf_value = edge.amaf_visits > 0 ? scale_.to_number(edge.amaf_value) : 0;
    edge.deviation *= scale_.range();
  }
  result.value = scale_.to_number(result.value);
}

}  // namespace tesuji
