// Havannah on a hexagon of 4 to 10 cells a side. A chain of one player wins if it is
//   a bridge: it joins two of the six corners,
//   a fork:   it joins three of the six sides (corners belong to no side), or
//   a ring:   it surrounds at least one cell, whatever is on that cell.
// A full board without any of them is drawn; that is rare. There is no swap rule.
//
// Rows are numbered from the top and columns run down to the right, as at Hex; row + column lies in
// base - 1 .. 3 * (base - 1). Moves number the cells row by row.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/hashing.hpp"
#include "games/chains.hpp"
#include "games/empty_cells.hpp"
#include "games/game.hpp"

namespace tesuji {

namespace detail {

// By base and move: the place in the padded field, and a mask of what a stone there touches.
struct HavannahCells {
  static constexpr int kMinBase = 4, kMaxBase = 10, kStride = 2 * kMaxBase + 1;
  static constexpr int num_cells(int base) { return 3 * base * (base - 1) + 1; }
  static constexpr std::uint16_t kSides = 0x3F;  // six bits for the sides, six above them for the corners
  struct Cell {
    std::uint16_t at, touches;
  };
  std::array<std::array<Cell, 271>, kMaxBase + 1> of{};

  constexpr HavannahCells() {
    static_assert(num_cells(kMaxBase) == 271);
    for (int base = kMinBase; base <= kMaxBase; ++base) {
      std::size_t move = 0;
      const int last = 2 * base - 2;
      for (int row = 0; row <= last; ++row)
        for (int column = 0; column <= last; ++column)
          if (row + column >= base - 1 && row + column <= 3 * (base - 1))
            of[static_cast<std::size_t>(base)][move++] = {static_cast<std::uint16_t>((row + 1) * kStride + column + 1),
                                                          touches_of(base, row, column)};
    }
  }

  // Clockwise from the top; the corner between two sides follows the first of them.
  static constexpr std::uint16_t touches_of(int base, int row, int column) {
    const int last = 2 * base - 2;
    const std::array<bool, 6> is_on = {row == 0,    column == last, row + column == 3 * (base - 1),
                                       row == last, column == 0,    row + column == base - 1};
    unsigned sides = 0, corners = 0;
    for (std::size_t side = 0; side < 6; ++side) {
      if (is_on[side]) sides |= 1u << side;
      if (is_on[side] && is_on[(side + 1) % 6]) corners |= 1u << side;
    }
    return static_cast<std::uint16_t>(corners != 0 ? corners << 6 : sides);
  }
};
inline constexpr HavannahCells kHavannahCells{};

// By which of the six neighbours are own stones: one direction of every unbroken arc of them, and the directions that
// lie in the middle of three.
struct Arcs {
  struct Arc {
    std::uint8_t count = 0;
    std::array<std::uint8_t, 3> directions{};
    std::uint8_t middles = 0;
  };
  std::array<Arc, 64> of{};

  constexpr Arcs() {
    for (unsigned near = 0; near < 64; ++near) {
      const auto has = [near](unsigned direction) { return (near >> direction % 6 & 1) != 0; };
      Arc& arc = of[near];
      if (near == 63) arc.directions[arc.count++] = 0;
      for (unsigned direction = 0; direction < 6; ++direction) {
        if (has(direction) && !has(direction + 1)) arc.directions[arc.count++] = static_cast<std::uint8_t>(direction);
        if (has(direction + 5) && has(direction) && has(direction + 1))
          arc.middles = static_cast<std::uint8_t>(arc.middles | 1u << direction);
      }
    }
  }
};
inline constexpr Arcs kArcs{};

}  // namespace detail

class Havannah {
 public:
  static constexpr const char* kName = "havannah";
  static constexpr int kMinBase = detail::HavannahCells::kMinBase, kMaxBase = detail::HavannahCells::kMaxBase;

  explicit Havannah(int base = 8) : base_(checked(base)), empty_(detail::HavannahCells::num_cells(base)) {}

  int base() const { return base_; }
  int num_distinct_moves() const { return detail::HavannahCells::num_cells(base_); }
  int to_play() const { return to_play_; }
  bool is_over() const { return winner_ >= 0 || empty_.size() == 0; }
  double value() const { return winner_ < 0 ? 0.5 : winner_ == 0 ? 1.0 : 0.0; }
  std::uint64_t hash() const { return hash_; }
  // -1 empty, else the player.
  int owner(Move move) const { return owner_[cell_of(move).at] - 1; }

  // Planes by player, the cells as moves are numbered.
  std::vector<std::size_t> array_shape() const { return {2, static_cast<std::size_t>(num_distinct_moves())}; }
  void encode(std::span<std::uint8_t> zeros) const {
    const int num_cells = num_distinct_moves();
    for (Move move = 0; move < num_cells; ++move)
      if (const int player = owner(move); player >= 0) zeros[static_cast<std::size_t>(player * num_cells + move)] = 1;
  }

  void legal_moves(MoveList& moves) const {
    if (winner_ < 0) empty_.append_to(moves);
  }

  void play(Move move) {
    hash_ ^= mix64(static_cast<std::uint64_t>(2 * move + to_play_) + 1) ^ kTurnKey;
    empty_.remove(move);
    place(move);
  }

  Move random_move(Rng& rng) const { return empty_.pick(rng); }
  using Stepper = RandomMoves<Havannah>;

  // Keeps neither the hash nor the list of empty cells up, which steps do.
  template <class Record>
  TESUJI_FLATTEN double play_out(Rng& rng, Record* record) {
    while (!is_over()) {
      const Move move = empty_.draw(rng);
      if (record) record->add(move, to_play_);
      place(move);
    }
    return value();
  }

 private:
  using Cell = detail::HavannahCells::Cell;
  static constexpr int kStride = detail::HavannahCells::kStride;
  static constexpr std::array<int, 6> kSteps = {-kStride, -kStride + 1, +1, kStride, kStride - 1, -1};  // clockwise
  static constexpr std::uint64_t kTurnKey = mix64(0x4841564100000000u);

  static int checked(int base) {
    if (base >= kMinBase && base <= kMaxBase) return base;
    throw std::invalid_argument("Havannah base " + std::to_string(base) + " is outside " + std::to_string(kMinBase) +
                                ".." + std::to_string(kMaxBase));
  }
  const Cell& cell_of(Move move) const {
    return detail::kHavannahCells.of[static_cast<std::size_t>(base_)][static_cast<std::size_t>(move)];
  }
  static std::size_t beside(std::size_t at, std::size_t direction) {
    return at + static_cast<std::size_t>(kSteps[direction]);
  }

  // Puts a stone down for the side to move. One that closes a chain upon itself, from two arcs of neighbours that do
  // not touch each other, surrounds a cell that is not its player's. A ring around own stones alone surrounds one whose
  // six neighbours are all own.
  void place(Move move) {
    const Cell& cell = cell_of(move);
    const std::size_t at = cell.at;
    const auto colour = static_cast<std::uint8_t>(to_play_ + 1);
    owner_[at] = colour;
    chains_.start(at, cell.touches);
    const detail::Arcs::Arc& arc = detail::kArcs.of[own_neighbours(at, colour)];
    bool has_ring = false;
    for (std::size_t i = 0; i < arc.count; ++i) has_ring |= !chains_.join(at, beside(at, arc.directions[i]));
    for (unsigned left = arc.middles; left != 0; left &= left - 1)
      has_ring |= own_neighbours(beside(at, static_cast<std::size_t>(std::countr_zero(left))), colour) == 63;
    if (has_ring || wins(chains_.touches(at))) winner_ = to_play_;
    to_play_ ^= 1;
  }

  unsigned own_neighbours(std::size_t at, std::uint8_t colour) const {
    unsigned near = 0;
    for (std::size_t direction = 0; direction < 6; ++direction)
      near |= (owner_[beside(at, direction)] == colour ? 1u : 0u) << direction;
    return near;
  }

  static bool wins(std::uint16_t touches) {
    const unsigned sides = touches & detail::HavannahCells::kSides, corners = touches >> 6;
    const unsigned but_one = sides & (sides - 1);  // a set without its lowest member
    return (corners & (corners - 1)) != 0 || (but_one & (but_one - 1)) != 0;
  }

  int base_;
  int to_play_ = 0;
  int winner_ = -1;
  std::uint64_t hash_ = 0;
  EmptyCells<271> empty_;
  std::array<std::uint8_t, kStride * kStride> owner_{};
  Chains<kStride * kStride> chains_;
};

static_assert(Game<Havannah> && HasPlayout<Havannah> && HasStepper<Havannah>);

}  // namespace tesuji
