// What a Go engine knows beside the rules: how its playouts move, and what it thinks of moves before trying them.
#pragma once

#include "go/policy.hpp"
#include "go/priors.hpp"

namespace tesuji::go {

struct Knowledge {
  PlayoutPolicy policy;
  PriorWeights priors;
  bool uses_symmetry = false;  // of moves that are mirror images of each other, only one is looked at
};

}  // namespace tesuji::go
