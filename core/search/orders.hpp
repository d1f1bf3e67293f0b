// Local search over orders of moves, for games of one player. See docs/algorithms/one-player.md.
//
// An order of all moves makes a solution (the game's own may have a move several times, each to be used once). Read
// plainly, the first legal move of the order is played in every state; read by fit, the first of those that the game
// likes best. Two moves of the order change places, and what is not worse stays (as Yang, Han and Ye 2013 pack strips).
// When so many tries in a row brought nothing, the next round begins from another order. It keeps no graph and proves
// nothing, unless the game's bound is met.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "search/independent.hpp"

namespace tesuji {

// A game may play by an order itself, faster than by its lists of moves.
template <class G>
concept HasOrderedPlayout = requires(G& game, std::span<const Move> order, bool by_fit, MoveLog* log) {
  { game.play_out_in_order(order, by_fit, log) } -> std::convertible_to<double>;
};
// A game may know orders to begin with: the number says which, 0 being the best and any number allowed.
template <class G>
concept HasFirstOrders = requires(const G& game, int number, MoveList& order) { game.first_order(number, order); };

template <Game G>
  requires HasGoal<G>
class OrderSearch final : public IndependentSearch {
 public:
  // `patience`: how many tries without success end a round. `reads_by_fit`: whether the game likes some moves better.
  OrderSearch(const G& root, std::uint64_t patience, int num_threads, std::uint64_t seed, bool reads_by_fit = true)
      : IndependentSearch(root.goal(), bound_of(root), num_threads, seed),
        root_(checked_for_one(root)),
        patience_(patience),
        reads_by_fit_(reads_by_fit && (HasPriors<G> || HasOrderedPlayout<G>)) {}

  // The first rounds begin with the moves of a solution.
  void begin_with(std::span<const Move> moves) { given_.assign(moves.begin(), moves.end()); }

 protected:
  void search_round(Worker& worker, int round) override;

 private:
  MoveList first_order(Worker& worker, int number) const;
  MoveList given_first(const MoveList& order) const;
  double evaluate(std::span<const Move> order, bool by_fit);
  static double play_out(G state, std::span<const Move> order, bool by_fit, MoveLog* log);
  static std::size_t choice(const G& state, const MoveList& moves, const std::vector<std::size_t>& rank, bool by_fit);

  const G root_;
  const std::uint64_t patience_;
  const bool reads_by_fit_;
  MoveList given_;
};

// Rounds read orders by fit and plainly in turn; the rounds of all threads together go through the game's first orders.
template <Game G>
  requires HasGoal<G>
void OrderSearch<G>::search_round(Worker& worker, int round) {
  const int number = round * num_threads() + worker.thread;
  const bool by_fit = reads_by_fit_ && number % 2 == 0;
  MoveList order = first_order(worker, number / 2);
  if (!take_ticket(worker)) return;
  double value = evaluate(order, by_fit);
  const std::size_t count = order.size();
  for (std::uint64_t failures = 0; failures < patience_; ++failures) {
    const std::size_t a = worker.rng.below(count), b = worker.rng.below(count);
    if (order[a] == order[b]) continue;
    if (!take_ticket(worker)) return;
    std::swap(order[a], order[b]);
    const double changed = evaluate(order, by_fit);
    if (is_better(goal(), value, changed)) {
      std::swap(order[a], order[b]);
    } else {
      if (changed != value) failures = 0;
      value = changed;
    }
  }
}

template <Game G>
  requires HasGoal<G>
MoveList OrderSearch<G>::first_order(Worker& worker, int number) const {
  MoveList order;
  if constexpr (HasFirstOrders<G>) {
    root_.first_order(number, order);
  } else {
    order.resize(static_cast<std::size_t>(root_.num_distinct_moves()));
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[worker.rng.below(i)]);
  }
  return given_.empty() || number >= num_threads() ? order : given_first(order);
}

template <Game G>
  requires HasGoal<G>
MoveList OrderSearch<G>::given_first(const MoveList& order) const {
  std::vector<int> left(static_cast<std::size_t>(root_.num_distinct_moves()));
  for (const Move move : order) ++left[static_cast<std::size_t>(move)];
  MoveList joined;
  for (const MoveList* const moves : {&given_, &order})
    for (const Move move : *moves)
      if (left[static_cast<std::size_t>(move)]-- > 0) joined.push_back(move);
  return joined;
}

template <Game G>
  requires HasGoal<G>
double OrderSearch<G>::evaluate(std::span<const Move> order, bool by_fit) {
  const double value = play_out(root_, order, by_fit, nullptr);
  check_solution_value(value);
  if (is_news(value)) {
    MoveLog log;  // a new best is rare: it is played once more for its moves
    play_out(root_, order, by_fit, &log);
    offer(value, std::move(log.moves));
  }
  return value;
}

template <Game G>
  requires HasGoal<G>
double OrderSearch<G>::play_out(G state, std::span<const Move> order, bool by_fit, MoveLog* log) {
  if constexpr (HasOrderedPlayout<G>) {
    return state.play_out_in_order(order, by_fit, log);
  } else {
    std::vector<std::size_t> rank(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) rank[static_cast<std::size_t>(order[i])] = i;
    MoveList moves;
    for (int ply = 0; !state.is_over(); ++ply) {
      if (ply == kMaxPlayoutMoves) throw std::runtime_error("the game did not end; check_game() shows what it does");
      moves.clear();
      state.legal_moves(moves);
      if (moves.empty()) throw std::logic_error("a game that is not over lists no legal move");
      const Move move = moves[choice(state, moves, rank, by_fit)];
      if (log != nullptr) log->add(move, 0);
      state.play(move);
    }
    return state.value();
  }
}

template <Game G>
  requires HasGoal<G>
std::size_t OrderSearch<G>::choice([[maybe_unused]] const G& state, const MoveList& moves,
                                   const std::vector<std::size_t>& rank, [[maybe_unused]] bool by_fit) {
  std::vector<float> liking(moves.size());
  if constexpr (HasPriors<G>)
    if (by_fit) state.priors(moves, liking);
  const auto rank_of = [&](std::size_t i) { return rank[static_cast<std::size_t>(moves[i])]; };
  std::size_t best = 0;
  for (std::size_t i = 1; i < moves.size(); ++i)
    if (liking[i] > liking[best] || (liking[i] == liking[best] && rank_of(i) < rank_of(best))) best = i;
  return best;
}

}  // namespace tesuji
