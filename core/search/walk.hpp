// One simulation's way through a graph.
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

}  // namespace tesuji
