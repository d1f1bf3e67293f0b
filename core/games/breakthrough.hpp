// Breakthrough on 8x8. Square = 8 * row + column; the first player's pawns fill rows 0 and 1 and go up, the second's
// fill rows 7 and 6 and go down. A pawn steps forward, straight or diagonally, onto an empty square, and takes
// diagonally. Who reaches the far row or takes the last pawn wins. The foremost pawn can always step diagonally, so
// there is always a move and never a draw.
//
// A move is 6 * (where from) + direction: 0 up left, 1 up, 2 up right, 3 down left, 4 down, 5 down right.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bits.hpp"
#include "base/hashing.hpp"
#include "games/game.hpp"

namespace tesuji {

class Breakthrough {
 public:
  static constexpr const char* kName = "breakthrough";

  int num_distinct_moves() const { return 6 * 64; }
  int to_play() const { return to_play_; }
  bool is_over() const { return is_over_; }
  double value() const { return to_play_ == 1 ? 1.0 : 0.0; }  // the last mover has won
  std::uint64_t hash() const { return combine(combine(boards_[0], boards_[1]), static_cast<std::uint64_t>(to_play_)); }
  std::uint64_t board(int player) const { return boards_[static_cast<std::size_t>(player)]; }

  // Planes by player, row (as squares are numbered), column.
  std::vector<std::size_t> array_shape() const { return {2, 8, 8}; }
  void encode(std::span<std::uint8_t> zeros) const {
    std::size_t at = 0;
    for (const std::uint64_t board : boards_)
      for (int square = 0; square < 64; ++square) zeros[at++] = board >> square & 1;
  }

  void legal_moves(MoveList& moves) const {
    if (is_over_) return;
    const std::array<std::uint64_t, 3> origins = origins_by_direction();
    for (int direction = 0; direction < 3; ++direction)
      for (std::uint64_t left = origins[static_cast<std::size_t>(direction)]; left != 0; left &= left - 1)
        moves.push_back(move_from(std::countr_zero(left), direction));
  }

  void play(Move move) {
    std::uint64_t &own = boards_[static_cast<std::size_t>(to_play_)],
                  &other = boards_[static_cast<std::size_t>(to_play_ ^ 1)];
    const int from = move / 6, to = from + kSteps[static_cast<std::size_t>(move % 6)];
    own ^= 1ull << from | 1ull << to;
    other &= ~(1ull << to);
    is_over_ = (1ull << to & kFarRows) != 0 || other == 0;
    to_play_ ^= 1;
  }

  Move random_move(Rng& rng) const {
    const std::array<std::uint64_t, 3> origins = origins_by_direction();
    const std::array<int, 3> counts = {count_bits(origins[0]), count_bits(origins[1]), count_bits(origins[2])};
    int rank = static_cast<int>(rng.below(static_cast<std::uint32_t>(counts[0] + counts[1] + counts[2])));
    std::size_t direction = 0;
    while (rank >= counts[direction]) rank -= counts[direction++];
    return move_from(nth_bit(origins[direction], rank), static_cast<int>(direction));
  }
  using Stepper = RandomMoves<Breakthrough>;

  template <class Record>
  TESUJI_FLATTEN double play_out(Rng& rng, Record* record) {
    return play_out_by_steps(*this, rng, record);
  }

 private:
  static constexpr std::uint64_t kFarRows = 0xFF000000000000FFu;  // no pawn ever goes back to its own
  static constexpr std::uint64_t kLeftColumn = 0x0101010101010101u, kRightColumn = kLeftColumn << 7;
  static constexpr std::array<int, 6> kSteps = {7, 8, 9, -9, -8, -7};

  Move move_from(int square, int direction) const { return 6 * square + 3 * to_play_ + direction; }

  // By direction (left, straight, right): the squares whose pawn may go there.
  std::array<std::uint64_t, 3> origins_by_direction() const {
    const std::uint64_t own = board(to_play_), other = board(to_play_ ^ 1);
    const std::uint64_t left = own & ~kLeftColumn, right = own & ~kRightColumn;
    if (to_play_ == 0) return {left & ~(own >> 7), own & ~((own | other) >> 8), right & ~(own >> 9)};
    return {left & ~(own << 9), own & ~((own | other) << 8), right & ~(own << 7)};
  }

  std::array<std::uint64_t, 2> boards_ = {0xFFFFu, 0xFFFFull << 48};
  int to_play_ = 0;
  bool is_over_ = false;
};

static_assert(Game<Breakthrough> && HasPlayout<Breakthrough> && HasStepper<Breakthrough>);

}  // namespace tesuji
