#include "search/expander.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace tesuji {

void Expander::read_moves(const State& state) {
  moves_.clear();
  state.legal_moves(moves_);
  if (moves_.empty())
    throw std::logic_error("a game that is not over lists no legal move; list one (a pass?) or report the end");
}

void Expander::list(const State& state, Rng& rng) {
  read_moves(state);
  shuffle(rng);
  ask_for_priors(state);
  sort_by_stage();
}

bool Expander::expand(Walker& walker, const State& state, Width wanted) {
  list(state, walker.rng());
  return make_edges(walker, wanted == Width::Full ? wanted : keep_best());
}

bool Expander::expand(Walker& walker, const State& state, const Place& place) {
  read_moves(state);
  shuffle(walker.rng());
  take_priors(state, place);
  sort_by_stage();
  return make_edges(walker, keep_best());
}

// Edges of equal score are taken in order.
void Expander::shuffle(Rng& rng) {
  for (std::size_t i = moves_.size(); i > 1; --i) std::swap(moves_[i - 1], moves_[rng.below(i)]);
}

void Expander::ask_for_priors(const State& state) {
  priors_.clear();
  if (!has_priors()) return;
  if (gatherer_ != nullptr && (gatherer_->gives_priors() || !gatherer_->is_known())) {
    const Place place = gatherer_->ask(state.game());
    if (gatherer_->gives_priors()) return take_priors(state, place);
  }
  const bool game_knows = state.game().game().has_priors();
  if (!game_knows && policy_ == nullptr)
    throw std::invalid_argument("the config uses priors, but this game has none, and no evaluator gives them");
  priors_.resize(moves_.size());
  state.priors(moves_, priors_, [&](std::span<const Move> moves, std::span<float> priors) {
    if (game_knows)
      state.game().priors(moves, priors);
    else
      std::fill(priors.begin(), priors.end(), 0.5f);
    if (policy_ != nullptr) policy_->set_priors(state.game(), moves, priors);
  });
}

// Under PUCT they are probabilities: those of illegal moves are shared out.
void Expander::take_priors(const State& state, const Place& place) {
  const std::span<const float> all = place.priors(gatherer_->num_moves());
  priors_.resize(moves_.size());
  state.priors(moves_, priors_, [&](std::span<const Move> moves, std::span<float> priors) {
    for (std::size_t i = 0; i < moves.size(); ++i) priors[i] = all[static_cast<std::size_t>(moves[i])];
  });
  if (config_.selection != Selection::Puct) return;
  const float sum = std::accumulate(priors_.begin(), priors_.end(), 0.0f);
  for (float& prior : priors_) prior = sum > 0 ? prior / sum : 1 / static_cast<float>(moves_.size());
}

// The user's order: falling keys, equal ones as they stood.
void Expander::sort_by_stage() {
  if (!stages_.order) return;
  keys_.assign(moves_.size(), 0);
  stages_.order(moves_, priors_, keys_.data());
  order_.resize(moves_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) { return keys_[a] > keys_[b]; });
  const MoveList moves = moves_;
  const std::vector<float> priors = priors_;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    moves_[i] = moves[order_[i]];
    if (!priors.empty()) priors_[i] = priors[order_[i]];
  }
}

// Most moves of most nodes are never walked: only the best ones by prior get edges, until the node proves important.
Width Expander::keep_best() {
  const auto width = static_cast<std::size_t>(config_.width);
  if (width == 0 || moves_.size() <= width) return Width::Full;
  order_.resize(moves_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::nth_element(
      order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(width), order_.end(),
      [&](std::size_t a, std::size_t b) { return priors_[a] != priors_[b] ? priors_[a] > priors_[b] : a < b; });
  std::sort(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(width));
  for (std::size_t i = 0; i < width; ++i) {  // order[i] >= i: nothing is overwritten before it is read
    moves_[i] = moves_[order_[i]];
    priors_[i] = priors_[order_[i]];
  }
  moves_.resize(width);
  priors_.resize(width);
  return Width::Narrow;
}

bool Expander::make_edges(Walker& walker, Width width) {
  const bool shared = config_.parallel == Parallel::LockFree && config_.num_threads > 1;
  if (!walker.graph().make_edges(walker.node(), moves_, priors_, width, shared, walker.index())) {
    WorkerCounts::add(walker.counts().lost_races);
    return false;
  }
  return true;
}

// Not only where edges were just made: a narrow node has grown since, and recycling forgets nodes.
void Expander::make_children(Walker& walker, const State& state) {
  if (!makes_all_children(config_) || !walker.graph().shares_nodes()) return;
  const Edges edges = walker.graph().edges(walker.node());
  for (std::uint32_t i = 0; i < edges.size; ++i) {
    if (edges.child()[i].load(std::memory_order_acquire) != kNoNode) continue;
    State after = state;
    after.play(edges.move(i));
    bool was_there = false;
    if (walker.make_child(
            walker.walk().end, edges, i, after.to_play(), [&] { return after.key(); }, was_there) == kNoNode)
      return;
  }
}

void Expander::make_passages(Walker& walker, const State& state) {
  Graph& graph = walker.graph();
  const NodeId root = walker.walk().end;
  const Edges edges = graph.edges(graph.node(root));
  for (std::uint32_t i = 0; i < edges.size; ++i) {
    State after = state;
    after.play(edges.move(i));
    if (!after.is_passage()) return;
    bool was_there = false;
    const NodeId passage = graph.shares_nodes()
                               ? walker.make_child(
                                     root, edges, i, after.to_play(), [&] { return after.key(); }, was_there)
                               : graph.make_node(after.to_play());
    if (passage == kNoNode) return;
    edges.child()[i].store(passage, std::memory_order_release);
    if (graph.has_edges(graph.node(passage))) continue;
    list(after, walker.rng());
    graph.make_edges(graph.node(passage), moves_, priors_, keep_best(), false);
  }
}

}  // namespace tesuji
