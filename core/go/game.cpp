#include "go/game.hpp"

namespace tesuji::go {

GoContext::GoContext(const Board& board, double komi_points)
    : memory(std::make_shared<PlayoutMemory>(static_cast<std::size_t>(board.num_points()))),
      width(board.width()),
      height(board.height()),
      komi(komi_points),
      ko_rule(board.rules().ko),
      suicide(board.rules().suicide),
      past(board.past()),
      had_stones(static_cast<std::size_t>(board.num_points()) + 2) {
  int before = -1;
  for (const int count : board.past_num_stones()) {
    had_stones[static_cast<std::size_t>(count)] = true;
    had_captures |= count <= before;
    before = count;
  }
}

}  // namespace tesuji::go
