#include "go/score.hpp"

#include <algorithm>
#include <stdexcept>

namespace tesuji::go {

Tally tally(const Board& board, std::span<const std::uint8_t> dead, std::span<const std::uint8_t> seki) {
  Tally tally;
  Board::AllStones stones(board.width(), board.height());
  stones.set_up([&](int row, int column) {
    const int point = row * board.width() + column;
    const Color color = board.color_at(point);
    if (color == Color::Empty) return Color::Empty;
    const bool is_dead = dead[static_cast<std::size_t>(point)] != 0;
    ++(is_dead ? tally.dead : tally.stones)[static_cast<std::size_t>(index_of(color))];
    return is_dead ? Color::Empty : color;
  });
  const auto touches_seki = [&](Cell cell) {
    return std::any_of(Board::L::kOrthogonal.begin(), Board::L::kOrthogonal.end(), [&](int step) {
      const auto other = static_cast<Cell>(cell + step);
      const Color color = stones.color(other);
      return (color == Color::Black || color == Color::White) &&
             seki[static_cast<std::size_t>(board.point(other))] != 0;
    });
  };
  for_each_empty_region(stones, [&](std::span<const Cell> region, Color owner) {
    if (owner == Color::Empty) return;
    const auto side = static_cast<std::size_t>(index_of(owner));
    tally.surrounded[side] += static_cast<int>(region.size());
    if (std::any_of(region.begin(), region.end(), touches_seki)) tally.in_seki[side] += static_cast<int>(region.size());
  });
  return tally;
}

long long count_legal_positions(int width, int height) {
  const int num_points = width * height;
  if (width < 1 || height < 1 || width > 9 || height > 9 || num_points > 16)
    throw std::invalid_argument("positions can be counted on boards of at most 16 points and 9 lines");
  const Stones<9, kLight> empty(width, height);
  std::array<Color, 16> colors{};
  long long legal = 0;
  for (;;) {
    Stones<9, kLight> stones = empty;
    stones.set_up([&](int row, int column) { return colors[static_cast<std::size_t>(row * width + column)]; });
    legal += stones.every_chain_has_a_liberty();
    int point = 0;  // counts up in base three
    while (point < num_points) {
      Color& color = colors[static_cast<std::size_t>(point)];
      color = static_cast<Color>((static_cast<int>(color) + 1) % 3);
      if (color != Color::Empty) break;
      ++point;
    }
    if (point == num_points) return legal;
  }
}

}  // namespace tesuji::go
