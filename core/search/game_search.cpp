#include "search/game_search.hpp"

#include <exception>
#include <stdexcept>
#include <utility>

namespace tesuji {

// One simulation: walk the graph, add a leaf, evaluate it, back the value up.
// Values are the first player's; a node's mover flips them when comparing.
void GameSearch::simulate(std::size_t worker) {
  Hand& hand = *hands_[worker];
  if (gatherer_) return begin_simulation(hand);
  try {
    State& state = hand.state;
    state.assign(root().state());
    auto tree = tree_lock();
    descend(state, hand);  // ends at a new leaf, a young one, a proved one, or the end of the game
    if (tree.owns_lock()) tree.unlock();
    std::optional<Outcome> found = exact_outcome(state, hand);
    if (!found) {
      found = outcome(play_out(state.game(), hand), false, hand);
      found->is_news = hand.playouts.is_news();
    }
    if (tree.mutex() != nullptr && !tree.owns_lock()) tree = tree_lock();
    hand.walker.back_up(*found);
  } catch (...) {
    hand.walker.undo(hand.walker.walk());
    throw;
  }
}

void GameSearch::descend(State& state, Hand& hand) {
  Walker& walker = hand.walker;
  walker.begin();
  while (!walker.is_at_end() && !state.is_over()) {
    if (!walker.has_edges() && !expand(state, hand)) return;
    if (walker.is_worth_all_edges() && may_make_nodes()) {
      hand.expander.list(state, walker.rng());
      ask_for_all_edges(walker, hand.expander.moves(), hand.expander.priors());
    }
    if (may_make_nodes()) hand.expander.make_children(walker, state);
    const std::uint32_t edge = choose(state, hand);
    if (edge == kNoEdge) return;
    state.play(walker.take(edge));
    if (!walker.arrive(state.to_play(), state.is_passage(), may_make_nodes(), [&] { return state.key(); })) return;
  }
}

// Gives a node its edges once it is mature; false if it stays a leaf for this simulation. With one player, a state from
// which the best solution cannot be beaten is closed instead.
bool GameSearch::expand(const State& state, Hand& hand) {
  Walker& walker = hand.walker;
  const bool is_young = config().expansion != Expansion::WholePath && walker.visits_here() < config().maturity;
  if ((is_young && !state.is_passage()) || !may_make_nodes()) return false;
  if (plays_alone() && config().solver && !can_beat_best(state.game().bound())) {
    walker.prove(kClosed);
    return false;
  }
  // It gets edges when the evaluator has answered.
  if (gatherer_ && gatherer_->gives_priors() && !state.is_passage()) return false;
  if (hand.expander.expand(walker, state, Width::Narrow)) return true;
  // Nobody can stop at a passage: if another thread is giving it its edges, the walk goes on with those.
  return state.is_passage() && walker.graph().awaits_edges(walker.node());
}

// The selector's edge, or the next best if the game forbids the move on this path.
std::uint32_t GameSearch::choose(const State& state, Hand& hand) {
  hand.excluded.clear();
  for (;;) {
    const std::uint32_t edge = hand.walker.choose(hand.excluded);
    if (!root().forbids() || edge == kNoEdge || !is_forbidden(state, hand.walker.graph(), hand.walker.node(), edge))
      return edge;
    hand.excluded.push_back(edge);
  }
}

// A group is forbidden if all its moves are, which shows once it was walked.
bool GameSearch::is_forbidden(const State& state, const Graph& graph, const Node& node, std::uint32_t edge) const {
  const Edges edges = graph.edges(node);
  if (edges.move(edge) < state.game().num_distinct_moves()) return state.is_forbidden(edges.move(edge));
  const NodeId passage = edges.child()[edge].load(std::memory_order_acquire);
  if (passage == kNoNode || !graph.has_edges(graph.node(passage))) return false;
  const Edges members = graph.edges(graph.node(passage));
  for (std::uint32_t i = 0; i < members.size; ++i)
    if (!state.is_forbidden(members.move(i))) return false;
  return true;
}

// Where something is proved, and at the end of a game.
std::optional<Outcome> GameSearch::exact_outcome(const State& state, Hand& hand) {
  Walker& walker = hand.walker;
  walker.amaf().begin(walker.walk().steps.size());
  hand.playouts.forget_moves();
  if (const Proof proof = walker.walk().proof; proof != Proof::None)
    return plays_alone() ? Outcome{0, walker.mean_at_end()} : Outcome{proven_value(proof), 0};
  if (!state.is_over()) return std::nullopt;
  const double value = state.game().value();
  if (config().solver && plays_alone()) walker.prove(kClosed);
  if (const std::int64_t fixed = plays_alone() ? 1 : to_fixed(value); config().solver && fixed % (kOne / 2) == 0)
    walker.prove(static_cast<Proof>(1 + fixed / (kOne / 2)));
  return outcome(value, true, hand);
}

Outcome GameSearch::outcome(double value, bool is_revisit, Hand& hand) {
  if (!plays_alone()) return {to_fixed(value), 0};
  return outcome_of(value, is_revisit, hand.walker, [&] {
    MoveList moves = hand.walker.moves_of_walk(root().num_moves());
    for (const PlayedMove& one : hand.playouts.moves()) moves.push_back(one.move);
    return moves;
  });
}

double GameSearch::play_out(DynamicGame& game, Hand& hand) {
  Walker& walker = hand.walker;
  hand.walked.clear();
  if (hand.playouts.wants_walk()) walker.read_walk(root().num_moves(), hand.walked);
  return hand.playouts.run(game, hand.walked, walker.rng(), walker.amaf().made());
}

// --- simulations in two halves ---

// The first half. Where the end of the walk is worth something exact, there is no second one. A walk that meets a leaf
// somebody waits at already does not count, and another begins.
void GameSearch::begin_simulation(Hand& hand) {
  Walker& walker = hand.walker;
  for (;;) {
    State state = root().state();
    bool is_first = false, is_young = false;
    try {
      const auto tree = tree_lock();
      descend(state, hand);
      if (const auto exact = exact_outcome(state, hand)) {
        walker.back_up(*exact);
        if (hand.pending.note_idle_walk()) break;
        return;
      }
      is_young = walker.visits_here() < config().evaluator_after;
      is_first = !is_young && walker.claim_leaf();
    } catch (...) {
      walker.undo(walker.walk());
      throw;
    }
    if (is_young) return play_out_young_leaf(state, hand);
    if (is_first) return send_leaf(state, hand);
    hand.pending.block(walker.take_walk());
    if (hand.pending.note_idle_walk()) settle(hand);
  }
  settle(hand);
}

// A leaf that is not worth an evaluation yet.
void GameSearch::play_out_young_leaf(State& state, Hand& hand) {
  try {
    const Outcome found = outcome(play_out(state.game(), hand), false, hand);
    const auto tree = tree_lock();
    hand.walker.back_up(found);
  } catch (...) {
    hand.walker.undo(hand.walker.walk());
    throw;
  }
}

void GameSearch::send_leaf(State& state, Hand& hand) {
  Pending& sent = hand.pending.add({.walk = hand.walker.take_walk(), .state = state});
  // From here on it can be undone, whatever throws.
  if (config().evaluator_weight < 1 || !gatherer_->gives_values()) {
    DynamicGame copy = state.game();
    hand.walker.resume(sent.walk);
    sent.playout = play_out(copy, hand);
    if (plays_alone()) {
      outcome(*sent.playout, false, hand);  // it may be the best solution
    }
    hand.walker.amaf().swap(sent.made);
  }
  sent.place = gatherer_->add(std::move(state.game()));
  if (sent.place.was_known) {  // a leaf whose answer was kept waits for nobody
    finish(hand, hand.pending.take_last());
    if (hand.pending.note_idle_walk()) settle(hand);
    return;
  }
  while (hand.pending.is_first_done()) finish(hand, hand.pending.take_first());
  while (hand.pending.is_full()) {
    gatherer_->wait(hand.pending.first_place());
    finish(hand, hand.pending.take_first());
  }
}

// The second half of a pending simulation: edges with the evaluator's priors, if the leaf is mature.
void GameSearch::finish(Hand& hand, Pending pending) {
  Walker& walker = hand.walker;
  const auto tree = tree_lock();
  hand.pending.release_blocked(walker);
  walker.resume(std::move(pending.walk));
  walker.amaf().begin(walker.walk().steps.size());
  if (pending.playout) walker.amaf().swap(pending.made);
  double value = pending.place.has_value() ? pending.place.value() : *pending.playout;
  if (pending.place.has_value() && pending.playout) {
    const auto weight = static_cast<double>(config().evaluator_weight);
    value = weight * value + (1 - weight) * *pending.playout;
  }
  Outcome found = plays_alone() ? judged(value, walker) : Outcome{to_fixed(value), 0};
  found.visits = config().evaluator_visits;
  walker.back_up(found);
  if (gatherer_->gives_priors() && may_make_nodes() && walker.visits_here() >= config().maturity &&
      walker.node_at_end(pending.state.to_play()) != kNoNode && !walker.has_edges())
    hand.expander.expand(walker, pending.state, pending.place);
  walker.release_leaf(walker.walk());
}

// Everything pending is evaluated and backed up.
void GameSearch::settle(Hand& hand) {
  while (hand.pending.size() > 0) {
    gatherer_->wait(hand.pending.first_place());
    finish(hand, hand.pending.take_first());
  }
  const auto tree = tree_lock();
  hand.pending.release_blocked(hand.walker);
}

// Nothing is pending when a round ends, however it ends.
void GameSearch::leave(std::size_t worker, bool failed) {
  Hand& hand = *hands_[worker];
  hand.walker.hot_nodes().bring_in(hand.walker.graph());
  if (!gatherer_) return;
  std::exception_ptr failure;
  try {
    if (!failed) settle(hand);
  } catch (...) {
    failure = std::current_exception();
  }
  {
    const auto tree = tree_lock();
    hand.pending.undo_all(hand.walker);
  }
  gatherer_->leave();
  if (failure) std::rethrow_exception(failure);
}

// --- around the simulations ---

GameSearch::GameSearch(DynamicGame root, const SearchConfig& config, std::uint64_t seed)
    : GraphSearch(std::move(root), config, seed) {
  make_hands();
}

void GameSearch::make_hands() {
  hands_.clear();
  for (std::size_t i = 0; i < num_workers(); ++i) {
    hands_.push_back(std::make_unique<Hand>(walker(i), root(), config(), stages(), plays_alone()));
    hands_.back()->expander.ask(gatherer_.get());
    hands_.back()->expander.ask(root().policy().get());
  }
}

// Walkers are made anew when a search is restored or gets stages. A new one may lie where an old one lay, so every hand
// is asked.
bool GameSearch::hands_have_walkers() {
  if (hands_.size() != num_workers()) return false;
  for (std::size_t i = 0; i < hands_.size(); ++i)
    if (&hands_[i]->walker != &walker(i)) return false;
  return true;
}

void GameSearch::evaluate_with(Evaluator evaluator) {
  if (has_begun()) throw std::invalid_argument("an evaluator must be given before the first run");
  gatherer_ = std::make_unique<Gatherer>(
      std::move(evaluator), root().game(),
      Gatherer::Settings{static_cast<std::size_t>(config().batch_size), config().batch_timeout_s,
                         columns_for(config()).prior, config().batches_in_flight, config().cache_bytes});
  pend_walks();
  make_hands();
}

void GameSearch::play_out_by(std::shared_ptr<PlayoutPolicy<DynamicGame>> policy) {
  if (has_begun()) throw std::invalid_argument("a policy of playouts must be given before the first run");
  root().play_out_by(std::move(policy));
  make_hands();
}

void GameSearch::group_with(PathGrouper grouper, const GroupingOptions& options) {
  if (has_begun()) throw std::invalid_argument("groups must be given before the first run");
  root().group_by(std::move(grouper), options);
  weigh_groups(options);
  make_hands();
}

void GameSearch::begin_run() {
  root().check_it_has_moves();
  if (!hands_have_walkers()) make_hands();
  if (gatherer_) gatherer_->begin(num_workers());
  if (plays_alone() && !(gatherer_ && config().evaluator_weight == 1)) find_scale();
  if (gatherer_ && !gatherer_->is_known()) gatherer_->ask(root().game());  // what does it give?
}

// One player: a few playouts from the root show what numbers to expect, before the first one enters a sum. The best of
// them is a solution like any other.
void GameSearch::find_scale() {
  constexpr int kNumPlayouts = 16;
  if (has_scale()) return;
  Hand& hand = *hands_[0];
  hand.walker.begin_at_root();
  std::optional<Solution> best;
  for (int i = 0; i < kNumPlayouts; ++i) {
    DynamicGame game = root().game();
    hand.walker.amaf().begin(0);
    const double number = play_out(game, hand);
    judged(number, hand.walker);
    if (best && !is_better(root().game().goal(), number, best->value)) continue;
    best = {number, {}};
    for (const PlayedMove& one : hand.playouts.moves()) best->moves.push_back(one.move);
  }
  offer(*best);
}

void GameSearch::prepare_root(Walker& walker) {
  root().check_it_has_moves();
  if (!hands_have_walkers()) make_hands();
  Expander& expander = hands_[walker.index()]->expander;
  if (walker.has_edges()) {
    if (walker.node().width.load(std::memory_order_relaxed) == Width::Full) return;
    expander.list(root().state(), walker.rng());
    walker.graph().add_edges(walker.node(), expander.moves(), expander.priors());  // if there is no room, it waits
  } else {
    if (!expander.expand(walker, root().state(), Width::Full)) return;
    expander.make_passages(walker, root().state());
  }
}

void GameSearch::read_more(SearchResult& result) const {
  if (!gatherer_) return;
  result.cache_hits = gatherer_->num_cache_hits();
  result.evaluations = gatherer_->num_evaluations();
}

}  // namespace tesuji
