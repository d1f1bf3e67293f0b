// Othello on 8x8. Black moves first; square = 8 * row + column, row 0 is the top. A move that turns no stone is not
// legal; who has none passes (move 64), and the game ends when neither has one. More stones win.
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

class Othello {
 public:
  static constexpr const char* kName = "othello";
  static constexpr Move kPass = 64;

  int num_distinct_moves() const { return 65; }
  int to_play() const { return to_play_; }
  bool is_over() const { return is_over_; }
  double value() const {
    const int margin = count_bits(boards_[0]) - count_bits(boards_[1]);
    return margin > 0 ? 1.0 : margin < 0 ? 0.0 : 0.5;
  }
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
    if (targets_ == 0) moves.push_back(kPass);
    for (std::uint64_t left = targets_; left != 0; left &= left - 1) moves.push_back(std::countr_zero(left));
  }

  void play(Move move) {
    std::uint64_t &own = boards_[static_cast<std::size_t>(to_play_)],
                  &other = boards_[static_cast<std::size_t>(to_play_ ^ 1)];
    if (move != kPass) {
      const std::uint64_t stone = 1ull << move, turned = turned_by(stone, own, other);
      own |= stone | turned;
      other ^= turned;
    }
    to_play_ ^= 1;
    targets_ = targets_of(other, own);
    if (targets_ == 0) is_over_ = targets_of(own, other) == 0;
  }

  Move random_move(Rng& rng) const {
    const auto count = static_cast<std::uint32_t>(count_bits(targets_));
    return count == 0 ? kPass : nth_bit(targets_, static_cast<int>(rng.below(count)));
  }
  using Stepper = RandomMoves<Othello>;

  template <class Record>
  TESUJI_FLATTEN double play_out(Rng& rng, Record* record) {
    return play_out_by_steps(*this, rng, record);
  }

 private:
  static constexpr std::uint64_t kNoEdgeColumns = 0x7E7E7E7E7E7E7E7Eu;  // a line along a row stops there
  static constexpr std::array<int, 4> kSteps = {1, 7, 8, 9};

  static constexpr std::uint64_t crossed(std::uint64_t other, int step) {
    return step == 8 ? other : other & kNoEdgeColumns;
  }

  // The empty squares behind a run of the opponent's stones that begins beside an own one. Both directions of a line
  // spread at once: a run that has an own stone at one end can only have an empty square at the other.
  static std::uint64_t targets_of(std::uint64_t own, std::uint64_t other) {
    std::uint64_t targets = 0;
    for (const int step : kSteps) {
      const std::uint64_t path = crossed(other, step);
      std::uint64_t run = path & (own << step | own >> step);
      for (int length = 1; length < 6; ++length) run |= path & (run << step | run >> step);
      targets |= run << step | run >> step;
    }
    return targets & ~(own | other);
  }

  // The opponent's stones between a new stone and own ones, in all eight directions.
  static std::uint64_t turned_by(std::uint64_t stone, std::uint64_t own, std::uint64_t other) {
    std::uint64_t turned = 0;
    for (const int step : kSteps) {
      const std::uint64_t path = crossed(other, step);
      std::uint64_t up = path & stone << step, down = path & stone >> step;
      for (int length = 1; length < 6; ++length) {
        up |= path & up << step;
        down |= path & down >> step;
      }
      if ((up << step & own) != 0) turned |= up;
      if ((down >> step & own) != 0) turned |= down;
    }
    return turned;
  }

  std::array<std::uint64_t, 2> boards_ = {1ull << 28 | 1ull << 35, 1ull << 27 | 1ull << 36};  // e4 d5, d4 e5
  std::uint64_t targets_ = targets_of(boards_[0], boards_[1]);                                // of the side to move
  int to_play_ = 0;
  bool is_over_ = false;
};

static_assert(Game<Othello> && HasPlayout<Othello> && HasStepper<Othello>);

}  // namespace tesuji
