// Nested rollout policy adaptation (Rosin 2011, "Nested rollout policy adaptation for Monte Carlo tree search"), for
// games of one player; with the bias of Cazenave 2020 ("Generalized nested rollout policy adaptation") where a game has
// priors. See docs/algorithms/one-player.md.
//
// A policy is a weight for every move of the game. Level 0 is a playout that draws moves with probability
// exp(weight + bias). Level n calls level n - 1 so many times with its own copy of the policy, and after each call
// makes the moves of the best line so far likelier. It keeps no graph and proves nothing, unless the game's bound is
// met.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "search/independent.hpp"

namespace tesuji {

struct NrpaConfig {
  int level = 3;
  int iterations = 100;  // of each level
  double alpha = 1.0;    // how much likelier
  double bias = 1.0;     // times the logarithm of a move's prior
};

template <Game G>
  requires HasGoal<G>
class NrpaSearch final : public IndependentSearch {
 public:
  NrpaSearch(const G& root, const NrpaConfig& config, int num_threads, std::uint64_t seed)
      : IndependentSearch(root.goal(), bound_of(root), num_threads, seed),
        root_(checked_for_one(root)),
        config_(config) {}

 protected:
  void search_round(Worker& worker, int) override {
    Policy policy(static_cast<std::size_t>(root_.num_distinct_moves()));
    search(config_.level, std::move(policy), worker);
  }

 private:
  using Policy = std::vector<double>;
  struct Line {
    double value;
    MoveList moves;
  };
  struct Choices {
    MoveList moves;
    std::vector<double> weights;  // exp(weight + bias)
    double sum = 0;
  };

  Line search(int level, Policy policy, Worker& worker);
  Line play_out(const Policy& policy, Worker& worker);
  void adapt(Policy& policy, const MoveList& line) const;
  void list_choices(const G& state, const Policy& policy, Choices& choices) const;
  static std::size_t draw(const Choices& choices, Rng& rng);

  const G root_;
  const NrpaConfig config_;
};

template <Game G>
  requires HasGoal<G>
typename NrpaSearch<G>::Line NrpaSearch<G>::search(int level, Policy policy, Worker& worker) {
  if (level == 0) return play_out(policy, worker);
  Line best{worst_value(goal()), {}};
  for (int i = 0; i < config_.iterations && !is_stopping(); ++i) {
    Line line = search(level - 1, policy, worker);
    if (!is_better(goal(), best.value, line.value)) best = std::move(line);
    adapt(policy, best.moves);
  }
  return best;
}

template <Game G>
  requires HasGoal<G>
typename NrpaSearch<G>::Line NrpaSearch<G>::play_out(const Policy& policy, Worker& worker) {
  if (!take_ticket(worker)) return {worst_value(goal()), {}};
  G state = root_;
  MoveList line;
  Choices choices;
  while (!state.is_over()) {
    if (line.size() == kMaxPlayoutMoves) throw std::runtime_error("the game did not end; check_game() shows why");
    list_choices(state, policy, choices);
    const Move move = choices.moves[draw(choices, worker.rng)];
    line.push_back(move);
    state.play(move);
  }
  const double value = state.value();
  check_solution_value(value);
  if (is_news(value)) offer(value, line);
  return {value, std::move(line)};
}

template <Game G>
  requires HasGoal<G>
void NrpaSearch<G>::list_choices(const G& state, const Policy& policy, Choices& choices) const {
  choices.moves.clear();
  state.legal_moves(choices.moves);
  if (choices.moves.empty()) throw std::logic_error("a game that is not over lists no legal move");
  std::vector<float> priors(choices.moves.size(), 1.0F);
  if constexpr (HasPriors<G>)
    if (config_.bias != 0) state.priors(choices.moves, priors);
  choices.weights.resize(choices.moves.size());
  choices.sum = 0;
  for (std::size_t i = 0; i < choices.moves.size(); ++i) {
    const double bias = config_.bias * std::log(std::max(1e-6, static_cast<double>(priors[i])));
    choices.weights[i] = std::exp(policy[static_cast<std::size_t>(choices.moves[i])] + bias);
    choices.sum += choices.weights[i];
  }
}

template <Game G>
  requires HasGoal<G>
std::size_t NrpaSearch<G>::draw(const Choices& choices, Rng& rng) {
  double left = rng.unit() * choices.sum;
  for (std::size_t i = 0; i + 1 < choices.weights.size(); ++i)
    if ((left -= choices.weights[i]) < 0) return i;
  return choices.weights.size() - 1;
}

// One step up the gradient of the line's likelihood: its moves gain alpha, all choices lose it by their probability.
template <Game G>
  requires HasGoal<G>
void NrpaSearch<G>::adapt(Policy& policy, const MoveList& line) const {
  const Policy before = policy;
  G state = root_;
  Choices choices;
  for (const Move played : line) {
    list_choices(state, before, choices);
    for (std::size_t i = 0; i < choices.moves.size(); ++i)
      policy[static_cast<std::size_t>(choices.moves[i])] -= config_.alpha * choices.weights[i] / choices.sum;
    policy[static_cast<std::size_t>(played)] += config_.alpha;
    state.play(played);
  }
}

}  // namespace tesuji
