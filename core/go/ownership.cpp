#include "go/ownership.hpp"

#include "base/rng.hpp"
#include "go/playout.hpp"
#include "go/tactics.hpp"

namespace tesuji::go {

namespace {

struct RefuseLargeSelfAtari {
  template <Color C, class S>
  auto refusals(const S& stones) const {
    return [&stones](Cell cell) {
      int size = 0;
      return is_self_atari<C>(stones, cell, size) && size >= 4;
    };
  }
};

// Runs playouts in the smallest board that fits and hands each final position to `visit`.
template <Tracking Track, class Manner, class Visit>
void for_each_playout(const Board& board, int num_playouts, std::uint64_t seed, int mercy_margin, Visit visit) {
  with_capacity(board.width(), board.height(), [&]<int Capacity>() {
    using S = Stones<Capacity, Track>;
    const S root = stones_of<S>(board);
    PlayoutLimits limits = standard_limits(board.num_points());
    limits.mercy_margin = mercy_margin;
    Rng rng(seed);
    for (int playout = 0; playout < num_playouts; ++playout) {
      S stones = root;
      play_out(stones, board.to_play(), 0, limits, rng, Manner{});
      visit(stones);
    }
  });
}

}  // namespace

Ownership ownership(const Board& board, int num_playouts, std::uint64_t seed) {
  const auto num_points = static_cast<std::size_t>(board.num_points());
  Ownership result{std::vector<int>(num_points), std::vector<int>(num_points), num_playouts};
  for_each_playout<kTactical, RefuseLargeSelfAtari>(board, num_playouts, seed, 0, [&](const auto& stones) {
    using L = typename std::remove_cvref_t<decltype(stones)>::L;
    std::size_t point = 0;
    for (int row = 0; row < board.height(); ++row)
      for (int column = 0; column < board.width(); ++column, ++point) {
        const Color owner = owner_at_end(stones, L::cell(row, column));
        result.margins[point] += (owner == Color::Black) - (owner == Color::White);
        result.open[point] += owner == Color::Empty;
      }
  });
  return result;
}

std::vector<int> playout_margins(const Board& board, int num_playouts, std::uint64_t seed, int mercy_margin) {
  std::vector<int> margins;
  margins.reserve(static_cast<std::size_t>(num_playouts));
  for_each_playout<kLight, AnyMove>(board, num_playouts, seed, mercy_margin,
                                    [&](const auto& stones) { margins.push_back(area_margin_at_end(stones)); });
  return margins;
}

void play_randomly(Board& board, std::uint64_t seed) {
  with_capacity(board.width(), board.height(), [&]<int Capacity>() {
    using S = Stones<Capacity, kLight>;
    S stones = stones_of<S>(board);
    Rng rng(seed);
    const int max_moves = standard_limits(board.num_points()).max_moves;
    for (int moves = 0; moves < max_moves && board.passes() < 2; ++moves) {
      const Color color = board.to_play();
      const Cell cell = color == Color::Black ? stones.template play_uniformly<Color::Black>(rng)
                                              : stones.template play_uniformly<Color::White>(rng);
      const int move = cell == kPass ? board.pass_move() : S::L::row(cell) * board.width() + S::L::column(cell);
      if (board.legality(move, color) == Legality::Legal) {
        board.play(move, color);
      } else {
        stones = stones_of<S>(board);  // a superko that playouts do not see: draw again
      }
    }
  });
}

}  // namespace tesuji::go
