// M-eval: a position as qualities, these as an encoding, that as a value along a direction; a short minimax search over
// moves that followed known patterns; and what that gives the moves of a node. See docs/algorithms/m-eval.md (Basaldúa,
// 3.4). On 19x19 only.
//
// Values here are differences of both players. Only differences between moves of one node matter.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "games/game.hpp"
#include "go/quality_position.hpp"

namespace tesuji::go {

inline constexpr std::size_t kEncodingSize = 2;  // d
using Encoding = std::array<double, kEncodingSize>;

inline Encoding operator-(const Encoding& a, const Encoding& b) { return {a[0] - b[0], a[1] - b[1]}; }
inline double operator*(const Encoding& encoding, const Encoding& direction) {
  return encoding[0] * direction[0] + encoding[1] * direction[1];
}

// What was learnt from masters' games.
struct MEvalKnowledge {
  std::shared_ptr<const RegionPatterns> patterns;
  std::shared_ptr<const Strengths> strengths;     // by which points are urgent
  std::array<Encoding, kNumQualities> encoder{};  // the pseudo-inverse, scaled
};

class MEval {
 public:
  static constexpr int kDepth = 4;  // of the short search at the root; one less with each level of the tree

  struct Judged {
    Move move;
    Encoding encoding;  // where the short search ended, for the side that moves
    double value;       // along the direction
  };

  // `share`: how much of a prior the virtual visits make; `intensity`: wins for a value above the average by 1.
  MEval(MEvalKnowledge knowledge, float share, float intensity, int most_moves)
      : knowledge_(std::move(knowledge)), share_(share), intensity_(intensity), most_moves_(most_moves) {}

  QualityPosition position(std::span<const Color> colors) const {
    return {*knowledge_.patterns, *knowledge_.strengths, colors};
  }
  // An encoding of one player's qualities.
  Encoding encoding(const Qualities& qualities) const;

  // The moves of a side that followed known patterns, each judged by a search of `depth` moves, its own included.
  // `around`: only patterns around that point count; below 0, all.
  std::vector<Judged> search(const QualityPosition& root, Color to_play, int around, int depth) const;

  // The prior of a move whose value is above the average by so much: virtual wins only ever raise it.
  float with_wins(float prior, double above) const;

  // Adds virtual wins to the priors of a node: `depth` moves below the root, `last` the last move there, or kNoMove.
  void add_wins(std::span<const Color> colors, Color to_play, Move last, int depth, std::span<const Move> moves,
                std::span<float> priors) const;

  // What may change between searches; a search that runs may see either.
  Encoding direction() const {
    return {direction_[0].load(std::memory_order_relaxed), direction_[1].load(std::memory_order_relaxed)};
  }
  void set_direction(const Encoding& direction) {
    for (std::size_t i = 0; i < kEncodingSize; ++i) direction_[i].store(direction[i], std::memory_order_relaxed);
  }
  int root_move() const { return root_move_.load(std::memory_order_relaxed); }  // moves of the game up to the root
  void set_root_move(int number) { root_move_.store(number, std::memory_order_relaxed); }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  struct Window {
    double low, high;  // for Black
  };
  // Where perfect play by local answers ends, as Black sees it.
  Encoding minimax(const QualityPosition& position, Color to_play, int last, int depth, Window window,
                   const Encoding& direction) const;
  Encoding leaf(const QualityPosition& position) const;
  std::vector<int> candidates(const QualityPosition& position, Color to_play, int around) const;

  MEvalKnowledge knowledge_;
  float share_, intensity_;
  int most_moves_;  // that are looked at around a point
  std::array<std::atomic<double>, kEncodingSize> direction_{0.7071067811865476, 0.7071067811865476};
  std::atomic<int> root_move_{0};
};

}  // namespace tesuji::go
