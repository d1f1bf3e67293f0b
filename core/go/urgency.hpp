// How urgent a move looks to who has seen masters' games: hashes of the shapes around it, and what is near.
// See docs/algorithms/urgency.md.
//
// A move has one feature of each family: the stones on the 4 to 88 points nearest to it, the same with liberties, with
// the place of the last move, and so on. A feature is a key of 64 bits that is the same for all eight turned and
// mirrored forms and for exchanged colours. Which keys count and how strong they are is the table's business
// (urgency_table.hpp). Source: Basaldúa, 6.1.3; the model is Coulom's of 2007.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/hashing.hpp"
#include "go/contexts.hpp"
#include "go/features.hpp"

namespace tesuji::go {

namespace urgency {

// Eight hashes, one for each way to turn the board.
struct alignas(64) Turned {
  std::array<std::uint64_t, 8> by_turn{};

  constexpr Turned& operator^=(const Turned& other) {
    for (std::size_t turn = 0; turn < 8; ++turn) by_turn[turn] ^= other.by_turn[turn];
    return *this;
  }
  // The same number for all turned forms.
  std::uint64_t least() const {
    std::uint64_t low = by_turn[0];
    for (std::size_t turn = 1; turn < 8; ++turn) low = std::min(low, by_turn[turn]);
    return low;
  }
};
// The least of two, joined without a third.
inline std::uint64_t least_of(const Turned& a, const Turned& b) {
  std::uint64_t low = a.by_turn[0] ^ b.by_turn[0];
  for (std::size_t turn = 1; turn < 8; ++turn) low = std::min(low, a.by_turn[turn] ^ b.by_turn[turn]);
  return low;
}

constexpr int distance(int rows, int columns) {
  rows = rows < 0 ? -rows : rows;
  columns = columns < 0 ? -columns : columns;
  return rows + columns + std::max(rows, columns);
}

// A key for a sign at an offset; `kind` tells apart signs of different tables.
constexpr std::uint64_t sign_key(Neighbour offset, std::uint64_t sign, std::uint64_t kind) {
  const auto place = static_cast<std::uint64_t>((offset.row + 32) * 64 + offset.column + 32);
  return mix64(place * 64 + sign + (kind << 32) + 0x51ED270B0000ull);
}
constexpr Turned sign_keys(Neighbour offset, std::uint64_t sign, std::uint64_t kind) {
  Turned keys;
  for (std::size_t turn = 0; turn < 8; ++turn) keys.by_turn[turn] = sign_key(turned(offset, turn), sign, kind);
  return keys;
}

// The points around a move, nearest first: rings of equal distance, then of equal Manhattan distance.
inline constexpr int kReach = 5;
inline constexpr std::size_t kNumNeighbours = 88;
inline constexpr std::array<std::size_t, 8> kShapeSizes = {4, 8, 12, 20, 28, 40, 60, kNumNeighbours};
struct Neighbourhood {
  std::array<Neighbour, kNumNeighbours> offsets{};
  constexpr Neighbourhood() {
    std::size_t size = 0;
    for (int far = 2; far <= 11; ++far)
      for (int steps = 1; steps <= 2 * kReach; ++steps)
        for (int rows = -kReach; rows <= kReach; ++rows)
          for (int columns = -kReach; columns <= kReach; ++columns)
            if (distance(rows, columns) == far &&
                (rows < 0 ? -rows : rows) + (columns < 0 ? -columns : columns) == steps)
              offsets[size++] = {rows, columns};
  }
};
inline constexpr Neighbourhood kNeighbourhood{};

// Keys of what stands on the neighbours: by neighbour and colour; and for the nearest, with liberties.
inline constexpr std::size_t kNumNear = 20;
inline constexpr std::size_t kNumStrong = 10;  // empty; own with 1, 2, 3, 4+ liberties; the opponent's; off the board
inline constexpr int kMarkReach = 7;           // how far a last move may be to be marked
using Marks = std::array<std::array<Turned, 2 * kMarkReach + 1>, 2 * kMarkReach + 1>;
struct Keys {
  std::array<std::array<Turned, 4>, kNumNeighbours> colors;
  std::array<std::array<Turned, kNumStrong>, kNumNear> strong;
  Marks last, own;
  Keys() {
    for (std::size_t i = 0; i < kNumNeighbours; ++i)
      for (std::uint64_t sign = 1; sign < 4; ++sign) colors[i][sign] = sign_keys(kNeighbourhood.offsets[i], sign, 1);
    for (std::size_t i = 0; i < kNumNear; ++i)
      for (std::uint64_t sign = 1; sign < kNumStrong; ++sign)
        strong[i][sign] = sign_keys(kNeighbourhood.offsets[i], sign, 2);
    for (int rows = -kMarkReach; rows <= kMarkReach; ++rows)
      for (int columns = -kMarkReach; columns <= kMarkReach; ++columns) {
        const auto row = static_cast<std::size_t>(rows + kMarkReach);
        const auto column = static_cast<std::size_t>(columns + kMarkReach);
        last[row][column] = sign_keys({rows, columns}, 1, 3);
        own[row][column] = sign_keys({rows, columns}, 1, 4);
      }
  }
};
inline const Keys kKeys;

}  // namespace urgency

// The features of the moves of C in one position.
template <Color C, class S>
class UrgencyFeatures {
 public:
  // The levels must outlive it.
  UrgencyFeatures(const S& stones, const MoveFeatures<C, S>& levels, Cell last, Cell before_last)
      : stones_(stones), levels_(levels), last_(last), before_last_(before_last) {
    copy_stones();
    const int filled = stones.num_points() - stones.num_empty();
    phase_ = static_cast<std::uint64_t>(std::min(7, filled * 12 / stones.num_points()));
    early_ = static_cast<std::uint64_t>(std::min(63, filled / 2));
    board_ = static_cast<std::uint64_t>(stones.width() * 32 + stones.height());
    if (last != kPass) note_last();
  }

  // Shows the keys of a move to `know(key)`, which says whether it knows one. A shape that contains one that is not
  // known is not known either, and is not shown.
  template <class Know>
  void visit(Cell cell, Know know) const {
    visit_shapes(cell, know);
    visit_levels(cell, know);
  }

 private:
  // The families, and where the sizes of each begin.
  enum Family : std::uint64_t {
    kShape = 0,         // stones, by size
    kReply = 8,         // and the last move
    kStrong = 16,       // stones with liberties
    kStrongReply = 20,  // and the last move
    kOwn = 24,          // and the move before it
    kBoth = 25,         // and both
    kAroundLast = 26,   // the stones around the last move
    kDistances = 32,
    kFate,
    kTactics,
    kTacticsByPhase,
    kSpot,
    kLine,
  };
  template <class Know>
  static bool show(Know& know, std::uint64_t family, std::uint64_t hash) {
    return know(mix64(hash + family * 0x9E3779B97F4A7C15ull));
  }

  static constexpr std::size_t kStride = kMaxSize + 2 * urgency::kReach;
  static std::size_t place(Cell cell) {
    return static_cast<std::size_t>(S::L::row(cell) + urgency::kReach) * kStride +
           static_cast<std::size_t>(S::L::column(cell) + urgency::kReach);
  }
  static std::size_t neighbour(std::size_t at, std::size_t i) {
    const Neighbour offset = urgency::kNeighbourhood.offsets[i];
    return at + static_cast<std::size_t>(offset.row * static_cast<int>(kStride) + offset.column);
  }

  // The board with a wide border; as the mover sees it, own stones are 1.
  void copy_stones() {
    colors_.fill(3);
    strong_.fill(urgency::kNumStrong - 1);
    std::array<std::uint8_t, S::L::kCells> strength{};  // by chain
    for (int row = 0; row < stones_.height(); ++row)
      for (int column = 0; column < stones_.width(); ++column) {
        const Cell cell = S::L::cell(row, column);
        const std::size_t at = place(cell);
        const Color color = stones_.color(cell);
        if (color == Color::Empty) {
          colors_[at] = strong_[at] = 0;
          continue;
        }
        const bool is_own = color == C;
        colors_[at] = is_own ? 1 : 2;
        std::uint8_t& liberties = strength[stones_.chain(cell)];
        if (liberties == 0) liberties = count_liberties(cell);
        strong_[at] = static_cast<std::uint8_t>((is_own ? 0 : 4) + liberties);
      }
  }
  std::uint8_t count_liberties(Cell cell) const {
    if (stones_.num_pairs(stones_.chain(cell)) > 12) return 4;
    return static_cast<std::uint8_t>(few_liberties<4>(stones_, cell).size);
  }

  void note_last() {
    const std::size_t at = place(last_);
    urgency::Turned shape;
    for (std::size_t i = 0; i < urgency::kNumNear; ++i) {
      if (i == 8) around_last_[0] = shape;
      if (i == 12) around_last_[1] = shape;
      shape ^= urgency::kKeys.strong[i][strong_[neighbour(at, i)]];
    }
    around_last_[2] = shape;
    last_strength_ = strong_[at];
  }

  // The mark of another move, seen from a cell; null if it is too far away.
  static const urgency::Turned* mark_of(Cell other, Cell cell, const urgency::Marks& marks) {
    if (other == kPass) return nullptr;
    const int rows = S::L::row(other) - S::L::row(cell), columns = S::L::column(other) - S::L::column(cell);
    if (std::max(std::abs(rows), std::abs(columns)) > urgency::kMarkReach) return nullptr;
    return &marks[static_cast<std::size_t>(rows + urgency::kMarkReach)]
                 [static_cast<std::size_t>(columns + urgency::kMarkReach)];
  }

  template <class Know>
  void visit_shapes(Cell cell, Know& know) const {
    const urgency::Turned* last = mark_of(last_, cell, urgency::kKeys.last);
    const urgency::Turned* own = mark_of(before_last_, cell, urgency::kKeys.own);
    const std::size_t at = place(cell);
    urgency::Turned shape, strong;
    bool knows_shape = true, knows_reply = last != nullptr, knows_strong = true, knows_strong_reply = last != nullptr;
    std::size_t i = 0;
    for (std::size_t size = 0; size < urgency::kShapeSizes.size(); ++size) {
      for (; i < urgency::kShapeSizes[size]; ++i) {
        const std::size_t there = neighbour(at, i);
        shape ^= urgency::kKeys.colors[i][colors_[there]];
        if (i < urgency::kNumNear) strong ^= urgency::kKeys.strong[i][strong_[there]];
      }
      if (size > 0 && knows_shape) knows_shape = show(know, kShape + size, shape.least());
      if (size > 0 && size < 6 && knows_reply) knows_reply = show(know, kReply + size, least_of(shape, *last));
      if (size < 4 && knows_strong) knows_strong = show(know, kStrong + size, strong.least());
      if (size < 4 && knows_strong_reply) knows_strong_reply = show(know, kStrongReply + size, least_of(strong, *last));
      if (size == 2 && own != nullptr && show(know, kOwn, least_of(strong, *own)) && last != nullptr) {
        urgency::Turned both = strong;
        both ^= *own;
        show(know, kBoth, least_of(both, *last));
      }
      if (size >= 3 && !knows_shape && !knows_reply) break;
    }
    for (std::size_t size = 0; last != nullptr && size < around_last_.size(); ++size)
      if (!show(know, kAroundLast + size, least_of(around_last_[size], *last) + last_strength_)) break;
  }

  template <class Know>
  void visit_levels(Cell cell, Know& know) const {
    const Features levels = levels_.of(cell);
    std::uint64_t tactics = 0, distances = 0, fate = 0;
    for (std::size_t i = 0; i < levels.size; ++i) {
      const std::uint64_t level = levels.levels[i];
      if (level < first_level(Block::FateDistance))
        distances = distances * 256 + level + 1;
      else if (level < first_level(Block::Line))
        fate = level;
      else if (level >= first_level(Block::Capture))
        tactics = tactics * 256 + level;
    }
    const auto after = static_cast<std::uint64_t>(liberties_after<C, 4>(stones_, cell));
    show(know, kDistances, distances);
    show(know, kFate, fate * 8 + phase_);
    if (tactics != 0 && show(know, kTactics, tactics * 8 + after))
      show(know, kTacticsByPhase, tactics * 1024 + fate * 8 + phase_);
    const int row = S::L::row(cell), column = S::L::column(cell);
    const int up = std::min(row, stones_.height() - 1 - row), aside = std::min(column, stones_.width() - 1 - column);
    const auto spot = static_cast<std::uint64_t>(std::min(up, aside) * 32 + std::max(up, aside));
    show(know, kSpot, (spot * 64 + early_) * 1024 + board_);
    const auto line = static_cast<std::uint64_t>(std::min({up, aside, 5}));
    show(know, kLine, (line * 8 + phase_) * 4096 + after * 256 + (distances & 255));
  }

  const S& stones_;
  const MoveFeatures<C, S>& levels_;
  Cell last_, before_last_;
  std::uint64_t phase_, early_, board_;
  std::uint64_t last_strength_ = 0;
  std::array<urgency::Turned, 3> around_last_{};
  std::array<std::uint8_t, kStride * kStride> colors_, strong_;
};

}  // namespace tesuji::go
