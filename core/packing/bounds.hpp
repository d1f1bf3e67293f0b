// What no packing can beat, known before the first rectangle is placed.
#pragma once

namespace tesuji::packing {

class Problem;

// In the objective's own number, without the kerf. See docs/algorithms/packing.md.
double root_bound(const Problem& problem);

}  // namespace tesuji::packing
