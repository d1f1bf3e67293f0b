// What is to be packed: kinds of equal rectangles, the sheets they go on, and what counts. It never changes during a
// search; every state of the game in game.hpp points to one.
//
// All sides are whole numbers (tesuji.packing makes them so). A kerf is dealt with here once: every rectangle and every
// sheet is made wider and higher by it, so that two neighbours touch when they are a kerf apart.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace tesuji::packing {

using Length = std::int32_t;
using Area = std::int64_t;

inline constexpr Length kEndless = std::numeric_limits<Length>::max();

// Equal rectangles are one kind.
struct Kind {
  Length width = 0, height = 0;
  std::int32_t count = 1;
  bool may_turn = true;
  double worth = 0;  // of each; where worth is what counts
};

// A strip is a sheet without end.
struct Sheet {
  Length width = 0, height = kEndless;
  std::int32_t count = 1;
  std::int64_t cost = 0;
};

enum class Objective {
  Height,  // of one endless strip, as small as can be
  Worth,   // of what is packed on the sheets, as large as can be
  Cost,    // of the sheets that are used, as small as can be
};

struct Options {
  Objective objective = Objective::Height;
  Length kerf = 0;
  bool guillotine = false;       // only patterns that cuts from edge to edge can make
  bool takes_taller = true;      // a rectangle goes beside the taller neighbour of its gap, not always to the left
  bool fits_in_playouts = true;  // playouts choose what fits; else any rectangle that has room
};

// A kind in one of its orientations.
struct Shape {
  Length width = 0, height = 0;  // with the kerf
  std::int32_t kind = 0;
  bool is_turned = false;
};

class Problem {
 public:
  static constexpr std::size_t kMaxKinds = 10'000;
  static constexpr std::int64_t kMaxItems = 10'000;
  static constexpr Length kMaxSide = 10'000'000;
  static constexpr std::int64_t kMaxTotal = 2'000'000'000;  // of the longer sides of all: every height is a Length

  // Throws std::invalid_argument for whatever cannot be packed or counted.
  Problem(std::vector<Kind> kinds, std::vector<Sheet> sheets, const Options& options);

  std::span<const Kind> kinds() const { return kinds_; }
  std::span<const Sheet> sheets() const { return sheets_; }  // with the kerf
  std::span<const Shape> shapes() const { return shapes_; }
  const Options& options() const { return options_; }
  std::int32_t num_items() const { return num_items_; }
  Area area() const { return area_; }  // of all rectangles, with the kerf

  // Shapes are moves: a kind's upright shape is number 2 * kind, its turned one the next; a guillotine game has each
  // twice, once for either first cut. A shape that does not exist has width 0.
  const Shape& shape(std::int32_t number) const { return shapes_[static_cast<std::size_t>(number)]; }
  std::int32_t num_shapes() const { return static_cast<std::int32_t>(shapes_.size()); }

  // Existing shapes, the narrowest first, and kinds, the one that is tallest when it lies on its side first.
  std::span<const std::int32_t> by_width() const { return by_width_; }
  std::span<const std::int32_t> by_lying_height() const { return by_lying_height_; }
  Length lying_height(std::int32_t kind) const { return lying_[static_cast<std::size_t>(kind)]; }
  Area kind_area(std::int32_t kind) const { return areas_[static_cast<std::size_t>(kind)]; }

  // No packing is better than this: see bounds.hpp.
  double bound() const { return bound_; }

 private:
  void check() const;
  void add_kerf();
  void make_shapes();
  bool fits_some_sheet(Length width, Length height) const;

  std::vector<Kind> kinds_;
  std::vector<Sheet> sheets_;
  Options options_;
  std::vector<Shape> shapes_;
  std::vector<std::int32_t> by_width_, by_lying_height_;
  std::vector<Length> lying_;
  std::vector<Area> areas_;
  std::int32_t num_items_ = 0;
  Area area_ = 0;
  double bound_ = 0;
};

}  // namespace tesuji::packing
