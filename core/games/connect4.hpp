// Connect Four, six rows by seven columns. A move is a column. Bitboards with one spare bit above each column, so that
// a line of four is three shifts.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/hashing.hpp"
#include "games/game.hpp"

namespace tesuji {

class Connect4 {
 public:
  static constexpr const char* kName = "connect4";
  static constexpr int kRows = 6, kColumns = 7;

  int num_distinct_moves() const { return kColumns; }
  int to_play() const { return to_play_; }
  bool is_over() const { return has_line_ || num_stones_ == kRows * kColumns; }
  double value() const { return !has_line_ ? 0.5 : to_play_ == 1 ? 1.0 : 0.0; }
  // A stone more in each column marks its height, so one word tells both players' stones apart.
  std::uint64_t hash() const { return mix64(boards_[0] + (boards_[0] | boards_[1]) + kBottom); }
  std::uint64_t board(int player) const { return boards_[static_cast<std::size_t>(player)]; }

  // Planes by player, row (the lowest first), column.
  std::vector<std::size_t> array_shape() const { return {2, kRows, kColumns}; }
  void encode(std::span<std::uint8_t> zeros) const {
    std::size_t at = 0;
    for (const std::uint64_t board : boards_)
      for (int row = 0; row < kRows; ++row)
        for (int column = 0; column < kColumns; ++column) zeros[at++] = board >> (column * kHeight + row) & 1;
  }

  void legal_moves(MoveList& moves) const {
    if (has_line_) return;
    for (int column = 0; column < kColumns; ++column)
      if (!is_full(column)) moves.push_back(column);
  }

  void play(Move column) {
    const std::uint64_t all = boards_[0] | boards_[1];
    std::uint64_t& own = boards_[static_cast<std::size_t>(to_play_)];
    own |= (all + (1ull << (column * kHeight))) & (kColumnMask << (column * kHeight));
    has_line_ = line_in(own);
    ++num_stones_;
    to_play_ ^= 1;
  }

  class Stepper {
   public:
    explicit Stepper(const Connect4& game) {
      for (int column = 0; column < kColumns; ++column)
        if (!game.is_full(column)) open_[num_open_++] = static_cast<std::uint8_t>(column);
    }
    Move next(const Connect4& game, Rng& rng) {
      const auto index = rng.below(num_open_);
      const Move column = open_[index];
      if (game.has_one_place(column)) open_[index] = open_[--num_open_];
      return column;
    }

   private:
    std::array<std::uint8_t, kColumns> open_;
    std::uint32_t num_open_ = 0;
  };

  template <class Record>
  TESUJI_FLATTEN double play_out(Rng& rng, Record* record) {
    return play_out_by_steps(*this, rng, record);
  }

 private:
  static constexpr int kHeight = kRows + 1;
  static constexpr std::uint64_t kColumnMask = (1ull << kHeight) - 1;
  static constexpr std::uint64_t kBottom = [] {
    std::uint64_t bits = 0;
    for (int column = 0; column < kColumns; ++column) bits |= 1ull << (column * kHeight);
    return bits;
  }();

  bool is_full(int column) const { return ((boards_[0] | boards_[1]) >> (column * kHeight + kRows - 1) & 1) != 0; }
  // Of a column that is not full: will it be after the next stone?
  bool has_one_place(int column) const {
    return ((boards_[0] | boards_[1]) >> (column * kHeight + kRows - 2) & 1) != 0;
  }
  static bool line_in(std::uint64_t stones) {
    for (const int step : {1, kHeight, kHeight - 1, kHeight + 1}) {
      const std::uint64_t pairs = stones & (stones >> step);
      if (pairs & (pairs >> (2 * step))) return true;
    }
    return false;
  }

  std::array<std::uint64_t, 2> boards_{};
  int to_play_ = 0;
  int num_stones_ = 0;
  bool has_line_ = false;
};

static_assert(Game<Connect4> && HasPlayout<Connect4> && HasStepper<Connect4> && HasArray<Connect4>);

}  // namespace tesuji
