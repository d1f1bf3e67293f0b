// Benson's unconditional life: chains of one colour that stay alive even if their owner always passes.
// D. B. Benson, "Life in the Game of Go", Information Sciences 10 (1976).
#pragma once

#include <vector>

#include "go/board.hpp"

namespace tesuji::go {

struct UnconditionalLife {
  std::vector<int> stones;     // points of the chains that live
  std::vector<int> territory;  // points of the regions that are vital to them and that they enclose
};

UnconditionalLife unconditional_life(const Board& board, Color color);

// Whether two regions are vital to the chain of a stone: without them it is not unconditionally alive. Far cheaper, for
// who asks often.
bool has_two_vital_regions(const Board& board, int point);

}  // namespace tesuji::go
