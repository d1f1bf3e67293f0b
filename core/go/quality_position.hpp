// A 19x19 position with what M-eval measures of it: the eight qualities of Basaldúa, table 3.2, for each player, never
// negative. See docs/algorithms/m-eval.md. Small enough to copy for every move of a short search; not for playouts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "go/priors.hpp"
#include "go/region_patterns.hpp"

namespace tesuji::go {

enum class Quality : std::uint8_t {
  TerriCorner,  // points that patterns of the corners promise
  TerriInSide,  // and of the sides
  StrenStones,
  StrenLibert,  // sum over chains
  StrenAdjLib,  // over touching chains of both colours, (own - other) / (own + other) where own has more liberties
  StrenUrgent,  // weights of the points that are urgent for the *other*: its bad shape
  SpeedRows34,  // empty points of lines 3 and 4 within a Manhattan distance of four of own stones
  SpeedHigher,  // the same above line 4
};
inline constexpr std::size_t kNumQualities = 8;
using Qualities = std::array<double, kNumQualities>;

class QualityPosition {
 public:
  // `colors` has a colour for each of the 361 points. Both tables must outlive it.
  QualityPosition(const RegionPatterns& patterns, const Strengths& strengths, std::span<const Color> colors);

  // Puts a stone and takes what it captures; false, with the position spoilt, where a stone stands or for suicide.
  bool play(int point, Color color);
  Color color(int point) const { return colors_[padded(point)]; }

  // Regions with stones whose pattern is not known now count for nothing from here on; those that are known and cease
  // to be keep their territory. So what is not understood stays constant while moves are tried.
  void hold_unknown();

  // Calls f(point) for the moves of a colour that followed known patterns, a point perhaps twice: around a point, or
  // everywhere.
  template <class F>
  void for_each_move(Color color, int around, F f) const {
    const auto at_place = [&](std::size_t place) {
      if (is_place_known(place) && !is_hidden(place))
        patterns_->for_each_move(known_[place].pattern, place, known_[place].form, color, f);
    };
    if (around < 0)
      for (std::size_t place = 0; place < kNumPlaces; ++place) at_place(place);
    else
      for (const auto& where : patterns_->places_of(static_cast<std::size_t>(around))) at_place(where.place);
  }
  // Is a pattern known around a point (or, below 0, anywhere)?
  bool is_known(int around) const;

  // Of both players, Black first. Urgency is measured from what it was when the position was made, unless
  // count_urgency() was called before the first move.
  std::array<Qualities, 2> qualities() const;
  void count_urgency();

  // What a 3x3 code and shape make of an urgency: 0 for strength 1 and below, towards 1 for the strongest; 1024ths.
  static int urgency_weight(float strength) {
    return strength <= 1 ? 0 : static_cast<int>(1024 * (1 - 1 / strength) + 0.5f);
  }

 private:
  static constexpr int kStride = kOpeningSize + 2;
  static constexpr std::size_t kPadded = kStride * kStride;
  static constexpr std::size_t kNumAreas = 8;  // four corners, each with a small and a big place, then four sides
  static constexpr std::array<int, 4> kOrthogonal = {-1, +1, -kStride, +kStride};
  static constexpr std::array<int, 4> kDiagonal = {-kStride - 1, -kStride + 1, kStride - 1, kStride + 1};
  using Rows = std::array<std::uint32_t, kStride>;  // a bit for each point; rows and columns beyond the edge are zero

  struct Known {
    std::int32_t pattern = RegionPatterns::kUnknown;
    std::uint8_t form = 0;
  };

  static constexpr std::size_t padded(int point) {
    return static_cast<std::size_t>((point / kOpeningSize + 1) * kStride + point % kOpeningSize + 1);
  }
  static constexpr std::size_t unpadded(std::size_t cell) {
    return (cell / kStride - 1) * kOpeningSize + cell % kStride - 1;
  }
  static std::size_t moved(std::size_t cell, int step) {
    return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(cell) + step);
  }
  bool is_place_known(std::size_t place) const { return known_[place].pattern != RegionPatterns::kUnknown; }
  // A small corner within a big one that is known.
  bool is_hidden(std::size_t place) const { return place < 4 && is_place_known(place + 4); }
  void set(std::size_t cell, Color color);  // or takes the stone away
  void look_up_changed();
  void estimate(std::size_t area);
  bool has_liberty(std::size_t cell) const;
  void remove_chain(std::size_t cell);
  void add_urgency(std::size_t cell, int sign);         // of one point, for both players
  void add_urgency_around(std::size_t cell, int sign);  // of it and all whose shape has it
  void measure_chains(std::array<Qualities, 2>& found) const;
  void measure_reach(std::array<Qualities, 2>& found) const;

  const RegionPatterns* patterns_;
  const Strengths* strengths_;
  std::array<Color, kPadded> colors_;
  std::array<Rows, 2> stones_{};
  std::array<int, 2> num_stones_{};
  std::array<int, 2> urgent_{};  // 1024ths
  std::array<std::array<std::uint64_t, kNumForms>, kNumPlaces> keys_{};
  std::array<std::uint8_t, kNumPlaces> stones_in_{}, stones_beside_{};
  std::array<Known, kNumPlaces> known_{};
  std::array<RegionPatterns::Territory, kNumAreas> territory_{};
  std::array<bool, kNumAreas> is_constant_{};
  unsigned changed_ = 0;  // places, a bit each
};

}  // namespace tesuji::go
