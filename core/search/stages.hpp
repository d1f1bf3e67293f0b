// Stages of a search that users write themselves (docs/howto/own-search.md): a selection formula, a back-up rule, an
// order of expansion. The built-in formulas see the same numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "games/game.hpp"

namespace tesuji {

// What is known of a node's edges, as arrays of `size` numbers each. Means are the mover's, 0..1; an edge that was
// never tried has the first-play urgency, infinity unless the config says otherwise. Where the config keeps no AMAF or
// priors, they are zeros. `random` are uniform numbers of 0..1, of this walk alone.
struct NodeView {
  std::int32_t size;
  float visits_at_node;  // N, at least 1
  float log_visits;      // ln N
  float mean_at_node;    // of all results at the node; 0.5 before the first
  const float* visits;
  const float* means;
  const float* amaf_visits;
  const float* amaf_means;
  const float* priors;
  const float* random;
};

// Fills one score for each edge; the highest is walked, the first of equals.
using SelectionFormula = std::function<void(const NodeView&, float* scores)>;
// The node's value for its mover, 0..1: what the edge above is worth from now on.
using BackUpRule = std::function<float(const NodeView&)>;
// One key for each move of a new node: edges stand in the order of falling keys.
using ExpansionOrder = std::function<void(std::span<const Move> moves, std::span<const float> priors, float* keys)>;

struct Stages {
  SelectionFormula selection;
  BackUpRule back_up;
  ExpansionOrder order;
  bool wants_random = false;  // does a formula read `random`?
};

}  // namespace tesuji
