#include "go/ownership.hpp"

#include "base/rng.hpp"
#include "go/playout.hpp"
#include "go/rule_playout.hpp"

namespace tesuji::go {

namespace {

// Starts each playout in the smallest board that fits: `play` plays it out with one generator for all of them.
template <Tracking Track, class Play>
void for_each_playout(const Board& board, int num_playouts, std::uint64_t seed, Play play) {
  with_capacity(board.width(), board.height(), [&]<int Capacity>() {
    using S = Stones<Capacity, Track>;
    const S root = stones_of<S>(board);
    Rng rng(seed);
    for (int playout = 0; playout < num_playouts; ++playout) {
      S stones = root;
      play(stones, rng);
    }
  });
}

template <class S>
void add_owners(const S& stones, Ownership& result) {
  std::size_t point = 0;
  for (int row = 0; row < stones.height(); ++row)
    for (int column = 0; column < stones.width(); ++column, ++point) {
      const Color owner = owner_at_end(stones, S::L::cell(row, column));
      result.margins[point] += (owner == Color::Black) - (owner == Color::White);
      result.open[point] += owner == Color::Empty;
    }
}

}  // namespace

Ownership ownership(const Board& board, const PlayoutPolicy& policy, int num_playouts, std::uint64_t seed) {
  const auto num_points = static_cast<std::size_t>(board.num_points());
  Ownership result{std::vector<int>(num_points), std::vector<int>(num_points), num_playouts};
  for_each_playout<kTactical>(board, num_playouts, seed, [&]<class S>(S& stones, Rng& rng) {
    RulePlayout<S> playout(stones, policy, rng);
    playout.run(board.to_play(), 0, kPass, kPass, [](Cell, Color, Origin) {});
    add_owners(stones, result);
  });
  return result;
}

std::vector<int> playout_margins(const Board& board, int num_playouts, std::uint64_t seed, int mercy_margin) {
  std::vector<int> margins;
  margins.reserve(static_cast<std::size_t>(num_playouts));
  PlayoutLimits limits = standard_limits(board.num_points());
  limits.mercy_margin = mercy_margin;
  for_each_playout<kLight>(board, num_playouts, seed, [&](auto& stones, Rng& rng) {
    play_out(stones, board.to_play(), 0, limits, rng);
    margins.push_back(area_margin_at_end(stones));
  });
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
