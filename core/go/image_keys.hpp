// Keys that the rotations of a position share: the least of the keys of its images. A square board has four, another
// one two. They follow the stones move by move; only where stones were taken is everything read again.
//
// The BTT-Go paper, 4.2, enters every position four times instead; the same positions are found, in a quarter of the
// room.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "go/points.hpp"

namespace tesuji::go {

template <class S>
class ImageKeys {
 public:
  explicit ImageKeys(const S& stones) : num_images_(stones.width() == stones.height() ? 4 : 2) { read(stones); }

  // A stone was put on `cell` (kPass: none was), and what it took is gone.
  void follow(const S& after, Cell cell, Color color) {
    const int before = std::exchange(num_stones_, after.num_points() - after.num_empty());
    if (cell == kPass) return;
    if (num_stones_ == before + 1)
      add(after, cell, color);
    else
      read(after);
  }

  // Stones, side to move and ko point.
  ZobristKey least(const S& stones, Color to_play) const {
    ZobristKey found = image(0, stones);
    for (std::size_t i = 1; i < num_images_; ++i)
      if (const ZobristKey other = image(i, stones);
          other.first != found.first ? other.first < found.first : other.second < found.second)
        found = other;
    if (to_play == Color::White) found ^= kWhiteToMoveKey;
    return found;
  }

 private:
  struct Place {
    int row, column;
  };
  // Where a point comes to lie: the first two images are those of every board.
  static Place turned(Place at, std::size_t image, const S& stones) {
    const int bottom = stones.height() - 1, right = stones.width() - 1;
    switch (image) {
      case 1:
        return {bottom - at.row, right - at.column};
      case 2:
        return {at.column, bottom - at.row};
      case 3:
        return {right - at.column, at.row};
      default:
        return at;
    }
  }

  void read(const S& stones) {
    keys_ = {};
    num_stones_ = stones.num_points() - stones.num_empty();
    for (int row = 0; row < stones.height(); ++row)
      for (int column = 0; column < stones.width(); ++column)
        if (const Cell cell = S::L::cell(row, column); stones.color(cell) != Color::Empty)
          add(stones, cell, stones.color(cell));
  }
  void add(const S& stones, Cell cell, Color color) {
    for (std::size_t i = 0; i < num_images_; ++i) {
      const auto [row, column] = turned({S::L::row(cell), S::L::column(cell)}, i, stones);
      keys_[i] ^= kStoneKeys<S::kCapacity>.of[static_cast<std::size_t>(index_of(color))][S::L::cell(row, column)];
    }
  }
  ZobristKey image(std::size_t i, const S& stones) const {
    ZobristKey key = keys_[i];
    if (stones.ko() != kPass) {
      const auto [row, column] = turned({S::L::row(stones.ko()), S::L::column(stones.ko())}, i, stones);
      key ^= ko_key(row, column);
    }
    return key;
  }

  std::array<ZobristKey, 4> keys_{};
  std::size_t num_images_;
  int num_stones_ = 0;
};

}  // namespace tesuji::go
