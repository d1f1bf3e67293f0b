// How well a shape fits the lowest gap: the rule by which playouts that are not blind choose.
//
// After the scoring rules of skyline heuristics (Leung, Zhang and Sim 2011; Yang, Han and Ye 2013): a shape that fills
// the gap's width or ends level with a neighbour leaves a smoother skyline, and a rest that nothing fits is waste.
#pragma once

#include "packing/front.hpp"

namespace tesuji::packing {

// What a gap offers, read once for all shapes.
struct Room {
  Length width, height;  // height: up to the ceiling
  Length taller, lower;  // neighbours
  Length narrowest;      // of all shapes that are left

  static Room of(const Front& front, Length narrowest) {
    const Gap& gap = front.low();
    const Length left = front.left_wall(), right = front.right_wall();
    return {gap.width, gap.ceiling - gap.y, std::max(left, right), std::min(left, right), narrowest};
  }
  bool holds(const Shape& shape) const { return shape.width <= width && shape.height <= height; }
};

inline constexpr int kBestFit = 7;

// 0: it has room, and that is all; kBestFit: nothing could fit better.
inline int fit_of(const Shape& shape, const Room& room) {
  if (shape.width == room.width) {
    if (shape.height == room.lower) return room.lower == room.taller ? 7 : 6;
    if (shape.height == room.taller || shape.height == room.height) return 6;
    return shape.height < room.lower ? 4 : 5;
  }
  const bool is_level = shape.height == room.taller || shape.height == room.lower || shape.height == room.height;
  if (room.width - shape.width < room.narrowest) return is_level ? 1 : 0;
  return is_level ? 3 : 2;
}

}  // namespace tesuji::packing
