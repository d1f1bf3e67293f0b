// How a node gets its edges: which moves, in which order, with which priors, the best ones first or all at once. One
// thread's; it asks the game, and an evaluator where there is one.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "games/dynamic.hpp"
#include "games/playout.hpp"
#include "search/evaluate.hpp"
#include "search/grouped.hpp"
#include "search/stages.hpp"
#include "search/walker.hpp"

namespace tesuji {

class Expander {
 public:
  using State = Grouped;
  using Place = Gatherer::Place;

  Expander(const SearchConfig& config, const Stages& stages) : config_(config), stages_(stages) {}
  // Priors come from it if it gives any.
  void ask(Gatherer* gatherer) { gatherer_ = gatherer; }
  // So do those of moves that a policy of playouts knows something about.
  void ask(const PlayoutPolicy<DynamicGame>* policy) {
    policy_ = policy != nullptr && policy->gives_priors() ? policy : nullptr;
  }

  const MoveList& moves() const { return moves_; }
  const std::vector<float>& priors() const { return priors_; }

  // Lists the moves of a state, in the order of its edges to be.
  void list(const State& state, Rng& rng);
  // Gives edges to the node where the walk stands; false if it stays as it is.
  bool expand(Walker& walker, const State& state, Width wanted);
  // The same with an evaluator's answer, for moves that were listed when the leaf was met.
  bool expand(Walker& walker, const State& state, const Place& place);
  // Where edges must know their states before they are walked: nodes for those that have none.
  void make_children(Walker& walker, const State& state);
  // Nodes for all passages from the root, so that a result shows every move.
  void make_passages(Walker& walker, const State& state);

 private:
  bool has_priors() const { return columns_for(config_).prior; }
  void read_moves(const State& state);
  void shuffle(Rng& rng);
  void ask_for_priors(const State& state);
  void take_priors(const State& state, const Place& place);
  void sort_by_stage();
  Width keep_best();
  bool make_edges(Walker& walker, Width width);

  const SearchConfig& config_;
  const Stages& stages_;
  Gatherer* gatherer_ = nullptr;
  const PlayoutPolicy<DynamicGame>* policy_ = nullptr;
  MoveList moves_;
  std::vector<float> priors_, keys_;
  std::vector<std::size_t> order_;
};

}  // namespace tesuji
