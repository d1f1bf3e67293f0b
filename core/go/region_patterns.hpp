// What masters' games say about the corners and sides of a 19x19 board: patterns with the territory that came of them
// and the moves that followed. See docs/algorithms/m-eval.md (Basaldúa, 3.4.9).
//
// A *place* is a corner or a side: twelve of them, four each of the kinds small corner, big corner and big side. A
// pattern is the stones of a place in one of four forms (mirrored or not, colours exchanged or not), named by the least
// of the four keys; tesuji.go.masters.regions makes and documents the keys.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "go/points.hpp"

namespace tesuji::go {

inline constexpr int kOpeningSize = 19;
inline constexpr std::size_t kOpeningPoints = 361, kNumPlaces = 12, kNumKinds = 3, kNumForms = 4;

// The least of the four keys, and whose it is: bit 0 for the mirrored form, bit 1 for exchanged colours.
struct PatternKey {
  std::uint64_t key = 0;
  std::size_t form = 0;
};

class RegionPatterns {
 public:
  static constexpr std::size_t kWhiteMove = 0x8000;
  static constexpr int kUnknown = -1;

  // A place as a file has it: its points in both mirrored forms, and points that must be empty.
  struct Place {
    std::array<std::vector<std::uint16_t>, 2> points;
    std::vector<std::uint16_t> border;
  };
  // Patterns of one kind, by key: points that each colour can expect, and moves (index of the point; kWhiteMove),
  // starts[i] to starts[i + 1] of them, most frequent first.
  struct Columns {
    std::vector<std::uint8_t> kinds;
    std::vector<std::uint64_t> keys;
    std::vector<float> black, white;
    std::vector<std::uint32_t> starts;
    std::vector<std::uint16_t> moves;
  };
  // By kind, what a stone of a colour at a point of the pattern adds to the key.
  using StoneKeys = std::array<std::array<std::vector<std::uint64_t>, 2>, kNumKinds>;

  // Places are in the order of their kinds, four each. Throws std::invalid_argument for what does not fit together.
  RegionPatterns(std::vector<Place> places, StoneKeys keys, Columns columns);

  static constexpr std::size_t kind_of(std::size_t place) { return place / 4; }
  int find(std::size_t kind, std::uint64_t key) const;  // kUnknown, or which pattern

  // Where a point lies: the place, and its index in both mirrored forms.
  struct Where {
    std::uint8_t place, index, mirrored;
  };
  std::span<const Where> places_of(std::size_t point) const { return where_[point]; }
  std::span<const std::uint8_t> borders_of(std::size_t point) const { return border_of_[point]; }
  std::uint64_t stone_key(std::size_t kind, Color color, std::size_t index) const {
    return keys_[kind][static_cast<std::size_t>(index_of(color))][index];
  }

  // Territory of a pattern on the board, in points of the largest region of a corner or of a side.
  struct Territory {
    float black = 0, white = 0;
  };
  Territory territory(int pattern, std::size_t place, std::size_t form) const;

  // Calls f(point) for each move of that colour that followed a pattern, most frequent first.
  template <class F>
  void for_each_move(int pattern, std::size_t place, std::size_t form, Color color, F f) const {
    const auto at = static_cast<std::size_t>(pattern);
    const Color as_stored = form & 2 ? opponent(color) : color;
    for (std::size_t i = columns_.starts[at]; i < columns_.starts[at + 1]; ++i) {
      const std::size_t move = columns_.moves[i];
      if (((move & kWhiteMove) != 0) != (as_stored == Color::White)) continue;
      f(static_cast<int>(places_[place].points[form & 1][move & ~kWhiteMove]));
    }
  }
  std::size_t size() const { return columns_.keys.size(); }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::int32_t pattern = kUnknown;
  };
  static std::uint64_t mixed(std::size_t kind, std::uint64_t key) { return key + kind * 0x9E3779B97F4A7C15u; }
  void check() const;

  std::vector<Place> places_;
  StoneKeys keys_;
  Columns columns_;
  std::array<float, kNumKinds> scales_{};
  std::vector<Slot> slots_;  // open addressing; at least half of it is free
  std::array<std::vector<Where>, kOpeningPoints> where_;
  std::array<std::vector<std::uint8_t>, kOpeningPoints> border_of_;
};

}  // namespace tesuji::go
