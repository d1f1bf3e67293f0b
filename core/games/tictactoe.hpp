// Tic-tac-toe: two bitboards of nine bits, square = 3 * row + column.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/hashing.hpp"
#include "games/game.hpp"

namespace tesuji {

namespace detail {

// By bitboard: does it hold three in a row?
struct ThreeInARow {
  std::array<bool, 512> of{};
  constexpr ThreeInARow() {
    for (std::uint32_t board = 0; board < 512; ++board)
      for (const std::uint32_t line : {0007u, 0070u, 0700u, 0111u, 0222u, 0444u, 0421u, 0124u})
        of[board] = of[board] || (board & line) == line;
  }
};
inline constexpr ThreeInARow kThreeInARow{};

}  // namespace detail

class TicTacToe {
 public:
  static constexpr const char* kName = "tictactoe";

  int num_distinct_moves() const { return 9; }
  int to_play() const { return to_play_; }
  bool is_over() const { return has_line_ || (boards_[0] | boards_[1]) == kFull; }
  double value() const { return !has_line_ ? 0.5 : to_play_ == 1 ? 1.0 : 0.0; }  // the last mover made the line
  std::uint64_t hash() const {
    return mix64(boards_[0] | boards_[1] << 9 | static_cast<std::uint64_t>(to_play_) << 18);
  }
  std::uint32_t board(int player) const { return boards_[static_cast<std::size_t>(player)]; }

  // Planes by player, row, column.
  std::vector<std::size_t> array_shape() const { return {2, 3, 3}; }
  void encode(std::span<std::uint8_t> zeros) const {
    for (std::size_t at = 0; at < zeros.size(); ++at) zeros[at] = boards_[at / 9] >> at % 9 & 1;
  }

  void legal_moves(MoveList& moves) const {
    if (has_line_) return;
    for (std::uint32_t free = kFull & ~(boards_[0] | boards_[1]); free != 0; free &= free - 1)
      moves.push_back(std::countr_zero(free));
  }

  void play(Move move) {
    std::uint32_t& own = boards_[static_cast<std::size_t>(to_play_)];
    own |= 1u << move;
    has_line_ = detail::kThreeInARow.of[own];
    to_play_ ^= 1;
  }

  class Stepper {
   public:
    explicit Stepper(const TicTacToe& game) { num_free_ = list_free(game, free_); }
    Move next(const TicTacToe&, Rng& rng) { return draw(free_, num_free_, rng); }

   private:
    std::array<std::uint8_t, 9> free_;
    std::uint32_t num_free_;
  };

  // The steps, with their list in local variables: a stepper's would not be kept in registers.
  template <class Record>
  TESUJI_FLATTEN double play_out(Rng& rng, Record* record) {
    std::array<std::uint8_t, 9> free;
    std::uint32_t num_free = list_free(*this, free);
    while (!has_line_ && num_free > 0) {
      const Move move = draw(free, num_free, rng);
      if (record) record->add(move, to_play_);
      play(move);
    }
    return value();
  }

 private:
  static constexpr std::uint32_t kFull = 0x1FF;

  static std::uint32_t list_free(const TicTacToe& game, std::array<std::uint8_t, 9>& free) {
    std::uint32_t number = 0;
    for (std::uint32_t left = kFull & ~(game.boards_[0] | game.boards_[1]); left != 0; left &= left - 1)
      free[number++] = static_cast<std::uint8_t>(std::countr_zero(left));
    return number;
  }
  static Move draw(std::array<std::uint8_t, 9>& free, std::uint32_t& number, Rng& rng) {
    const auto index = rng.below(number);
    const Move move = free[index];
    free[index] = free[--number];
    return move;
  }

  std::array<std::uint32_t, 2> boards_{};
  int to_play_ = 0;
  bool has_line_ = false;
};

static_assert(Game<TicTacToe> && HasPlayout<TicTacToe> && HasStepper<TicTacToe> && HasArray<TicTacToe>);

}  // namespace tesuji
