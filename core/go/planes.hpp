// What an evaluator sees of a Go position: planes of zeros and ones by row and column, for the side to move.
//
//    0        own stones                              1        the opponent's
//    2 .. 5   own chains with 1, 2, 3, 4 or more liberties
//    6 .. 9   the opponent's, likewise
//   10 .. 13  where the last move was, the one before, and so on; nothing for a pass
//   14        the point that the simple ko forbids
//   15        ones if black is to move                16       ones after a pass
//
// They are those of AlphaGo's first networks (Silver et al. 2016) as far as they cost no reading. What superko forbids
// is not shown.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "go/points.hpp"

namespace tesuji::go {

inline constexpr std::size_t kNumLastMoves = 4;
using LastMoves = std::array<Cell, kNumLastMoves>;  // the latest first; kPass for a pass and for none

inline constexpr std::size_t kNumPlanes = 17;

template <class S>
class PlaneWriter {
 public:
  // `zeros` has kNumPlanes times the points.
  PlaneWriter(const S& stones, std::span<std::uint8_t> zeros)
      : stones_(stones), planes_(zeros), num_points_(static_cast<std::size_t>(stones.num_points())) {}

  void write(Color to_play, const LastMoves& last, int passes) {
    for (int row = 0; row < stones_.height(); ++row)
      for (int column = 0; column < stones_.width(); ++column) {
        const Cell cell = S::L::cell(row, column);
        const Color color = stones_.color(cell);
        if (color != Color::Empty) write_stone(cell, color == to_play);
        if (cell == stones_.ko()) set(kKo, cell);
      }
    for (std::size_t i = 0; i < last.size(); ++i)
      if (last[i] != kPass) set(kLast + i, last[i]);
    if (to_play == Color::Black) fill(kBlackToMove);
    if (passes > 0) fill(kAfterPass);
  }

 private:
  static constexpr std::size_t kStones = 0, kLiberties = 2, kLast = 10, kKo = 14, kBlackToMove = 15, kAfterPass = 16;
  static constexpr int kMostLiberties = 4;

  void write_stone(Cell cell, bool is_own) {
    set(kStones + (is_own ? 0 : 1), cell);
    set(kLiberties + (is_own ? 0 : kMostLiberties) + static_cast<std::size_t>(num_liberties(cell) - 1), cell);
  }
  // Of the chain at a cell, at most four; every chain is counted once.
  int num_liberties(Cell cell) {
    std::uint8_t& known = counts_[stones_.chain(cell)];
    if (known == 0) {
      found_.clear();
      known = static_cast<std::uint8_t>(stones_.liberties(stones_.chain(cell), found_, kMostLiberties));
    }
    return known;
  }
  void set(std::size_t plane, Cell cell) {
    const int point = S::L::row(cell) * stones_.width() + S::L::column(cell);
    planes_[plane * num_points_ + static_cast<std::size_t>(point)] = 1;
  }
  void fill(std::size_t plane) {
    for (std::uint8_t& byte : planes_.subspan(plane * num_points_, num_points_)) byte = 1;
  }

  const S& stones_;
  std::span<std::uint8_t> planes_;
  std::size_t num_points_;
  std::array<std::uint8_t, S::L::kCells> counts_{};  // by the cell that stands for a chain; 0: not counted yet
  std::vector<Cell> found_;
};

}  // namespace tesuji::go
