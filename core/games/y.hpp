// The game of Y on a triangle of up to 19 cells a side. Who joins all three sides with one chain wins; a corner belongs
// to two sides. Row r has r + 1 cells, row 0 is the tip; a move is r * (r + 1) / 2 + column, on every size.
//
// A full board has exactly one winner, and it is found by reduction: replace every three cells that touch each other,
// two of them in the lower row, by the colour that most of them have. That is a triangle with one row less and the same
// winner (Schensted and Titus, "Mudcrack Y & Poly-Y", 1975), and with rows as words it is a few operations a row.
#pragma once

#include <array>
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

// By move: its row and column.
struct YCells {
  static constexpr int kMaxSize = 19, kMaxCells = kMaxSize * (kMaxSize + 1) / 2;
  struct Cell {
    std::uint8_t row, column;
  };
  std::array<Cell, kMaxCells> of{};
  constexpr YCells() {
    std::size_t move = 0;
    for (int row = 0; row < kMaxSize; ++row)
      for (int column = 0; column <= row; ++column)
        of[move++] = {static_cast<std::uint8_t>(row), static_cast<std::uint8_t>(column)};
  }
};
inline constexpr YCells kYCells{};

}  // namespace detail

class Y {
 public:
  static constexpr const char* kName = "y";
  static constexpr int kMaxSize = detail::YCells::kMaxSize;

  explicit Y(int size = 11) : size_(checked(size)), empty_(size * (size + 1) / 2) {}

  int size() const { return size_; }
  int num_distinct_moves() const { return size_ * (size_ + 1) / 2; }
  int to_play() const { return to_play_; }
  bool is_over() const { return winner_ >= 0; }
  double value() const { return winner_ == 0 ? 1.0 : 0.0; }
  std::uint64_t hash() const { return hash_; }
  // -1 empty, else the player.
  int owner(Move move) const { return owner_[cell(place_of(move))] - 1; }

  // Planes by player, the cells as moves are numbered.
  std::vector<std::size_t> array_shape() const { return {2, static_cast<std::size_t>(num_distinct_moves())}; }
  void encode(std::span<std::uint8_t> zeros) const {
    const int num_cells = num_distinct_moves();
    for (Move move = 0; move < num_cells; ++move)
      if (const int player = owner(move); player >= 0) zeros[static_cast<std::size_t>(player * num_cells + move)] = 1;
  }

  void legal_moves(MoveList& moves) const {
    if (!is_over()) empty_.append_to(moves);
  }

  void play(Move move) {
    hash_ ^= mix64(static_cast<std::uint64_t>(2 * move + to_play_) + 1) ^ kTurnKey;
    empty_.remove(move);
    const Place place = place_of(move);
    const std::size_t at = cell(place);
    const auto colour = static_cast<std::uint8_t>(to_play_ + 1);
    owner_[at] = colour;
    if (to_play_ == 0) first_rows_[place.row] |= 1u << place.column;
    chains_.start(at, sides_of(place));
    for (const int step : kSteps)
      if (const std::size_t near = at + static_cast<std::size_t>(step); owner_[near] == colour) chains_.join(at, near);
    if (chains_.touches(at) == kAllSides) winner_ = to_play_;
    to_play_ ^= 1;
  }

  Move random_move(Rng& rng) const { return empty_.pick(rng); }
  using Stepper = RandomMoves<Y>;

  // Fills the board in random order: who wins the full board wins the game, whenever the sides were joined. The record
  // therefore holds a move for every empty cell.
  template <class Record>
  TESUJI_FLATTEN double play_out(Rng& rng, Record* record) {
    if (is_over()) return value();
    for (auto player = static_cast<std::uint32_t>(to_play_); empty_.size() > 0; player ^= 1) {
      const Move move = empty_.draw(rng);
      const Place place = place_of(move);
      first_rows_[place.row] |= (player ^ 1) << place.column;
      if (record) record->add(move, static_cast<int>(player));
    }
    return first_wins_full_board() ? 1.0 : 0.0;
  }

 private:
  using Place = detail::YCells::Cell;
  static constexpr int kStride = kMaxSize + 2;
  static constexpr std::array<int, 6> kSteps = {-kStride - 1, -kStride, -1, 1, kStride, kStride + 1};
  static constexpr std::uint16_t kAllSides = 7;
  static constexpr std::uint64_t kTurnKey = mix64(0x5900000000000000u);

  static int checked(int size) {
    if (size >= 1 && size <= kMaxSize) return size;
    throw std::invalid_argument("Y size " + std::to_string(size) + " is outside 1.." + std::to_string(kMaxSize));
  }
  static const Place& place_of(Move move) { return detail::kYCells.of[static_cast<std::size_t>(move)]; }
  static std::size_t cell(Place place) {
    return static_cast<std::size_t>((place.row + 1) * kStride + place.column + 1);
  }
  std::uint16_t sides_of(Place place) const {
    return static_cast<std::uint16_t>((place.column == 0 ? 1 : 0) | (place.column == place.row ? 2 : 0) |
                                      (place.row == size_ - 1 ? 4 : 0));
  }

  bool first_wins_full_board() {
    for (std::size_t num_rows = static_cast<std::size_t>(size_) - 1; num_rows > 0; --num_rows)
      for (std::size_t row = 0; row < num_rows; ++row) {
        const std::uint32_t tip = first_rows_[row], left = first_rows_[row + 1], right = left >> 1;
        first_rows_[row] = (left & right) | (tip & (left | right));
      }
    return first_rows_[0] & 1;
  }

  int size_;
  int to_play_ = 0;
  int winner_ = -1;
  std::uint64_t hash_ = 0;
  std::array<std::uint32_t, kMaxSize> first_rows_{};  // the first player's stones
  EmptyCells<detail::YCells::kMaxCells> empty_;
  std::array<std::uint8_t, kStride * kStride> owner_{};
  Chains<kStride * kStride> chains_;
};

static_assert(Game<Y> && HasPlayout<Y> && HasStepper<Y>);

}  // namespace tesuji
