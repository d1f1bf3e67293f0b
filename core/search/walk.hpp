// One simulation's way through a graph, and what it came to.
#pragma once

#include <cstdint>
#include <vector>

#include "search/graph.hpp"

namespace tesuji {

struct Step {
  NodeId node;
  std::uint32_t edge;
  bool is_marked;  // is it in flight in the graph? (Not where a worker has its own copy of the node.)
};

struct Walk {
  std::vector<Step> steps;
  NodeId end = kNoNode;       // where it stands; kNoNode: behind the last step, where there is no node
  Proof proof = Proof::None;  // of its end, as far as somebody has looked
};

// What a simulation came to: for the first player in fixed point, or a merit of one player (numbers.hpp).
struct Outcome {
  std::int64_t value = 0;
  double merit = 0;
  std::uint32_t visits = 1;  // that it counts
  bool is_news = true;       // if not, the walk is counted and, in a tree, every mean on it stays
};

}  // namespace tesuji
