// Gomoku without restrictions, from 5x5 to 19x19: five or more in a row win, a full board is drawn. A move is
// row * size + column. Every row, column and diagonal of each player is a word of bits, so that "five?" is four words.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/hashing.hpp"
#include "games/empty_cells.hpp"
#include "games/game.hpp"

namespace tesuji {

namespace detail {

// By size and move: the four lines of a cell. A table, because a division costs more than the rest of a step.
struct GomokuCells {
  static constexpr int kMinSize = 5, kMaxSize = 19;
  struct Cell {
    std::uint8_t row, column, falling, rising;
  };
  std::array<std::array<Cell, kMaxSize * kMaxSize>, kMaxSize + 1> of{};
  constexpr GomokuCells() {
    for (int size = kMinSize; size <= kMaxSize; ++size)
      for (int move = 0; move < size * size; ++move) {
        const int row = move / size, column = move % size;
        of[static_cast<std::size_t>(size)][static_cast<std::size_t>(move)] = {
            static_cast<std::uint8_t>(row), static_cast<std::uint8_t>(column),
            static_cast<std::uint8_t>(row - column + kMaxSize - 1), static_cast<std::uint8_t>(row + column)};
      }
  }
};
inline constexpr GomokuCells kGomokuCells{};

}  // namespace detail

class Gomoku {
 public:
  static constexpr const char* kName = "gomoku";
  static constexpr int kMinSize = detail::GomokuCells::kMinSize, kMaxSize = detail::GomokuCells::kMaxSize;

  explicit Gomoku(int size = 15) : size_(checked(size)), empty_(size * size) {}

  int size() const { return size_; }
  int num_distinct_moves() const { return size_ * size_; }
  int to_play() const { return to_play_; }
  bool is_over() const { return has_five_ || empty_.size() == 0; }
  double value() const { return !has_five_ ? 0.5 : to_play_ == 1 ? 1.0 : 0.0; }  // the last mover made the five
  std::uint64_t hash() const { return hash_; }
  // -1 empty, else the player.
  int owner(Move move) const {
    const Cell& cell = cell_of(move);
    for (int player = 0; player < 2; ++player)
      if (lines_[static_cast<std::size_t>(player)].rows[cell.row] >> cell.column & 1) return player;
    return -1;
  }

  // Planes by player, row, column.
  std::vector<std::size_t> array_shape() const {
    return {2, static_cast<std::size_t>(size_), static_cast<std::size_t>(size_)};
  }
  void encode(std::span<std::uint8_t> zeros) const {
    const int num_cells = num_distinct_moves();
    for (Move move = 0; move < num_cells; ++move)
      if (const int player = owner(move); player >= 0) zeros[static_cast<std::size_t>(player * num_cells + move)] = 1;
  }

  void legal_moves(MoveList& moves) const {
    if (!has_five_) empty_.append_to(moves);
  }

  void play(Move move) {
    hash_ ^= mix64(static_cast<std::uint64_t>(2 * move + to_play_) + 1) ^ kTurnKey;
    empty_.remove(move);
    place(move);
  }

  Move random_move(Rng& rng) const { return empty_.pick(rng); }
  using Stepper = RandomMoves<Gomoku>;

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
  using Cell = detail::GomokuCells::Cell;
  static constexpr std::uint64_t kTurnKey = mix64(0x474F4D4F4B550000u);

  struct Lines {
    std::array<std::uint32_t, kMaxSize> rows{}, columns{};
    std::array<std::uint32_t, 2 * kMaxSize - 1> falling{}, rising{};
  };

  static int checked(int size) {
    if (size >= kMinSize && size <= kMaxSize) return size;
    throw std::invalid_argument("Gomoku size " + std::to_string(size) + " is outside " + std::to_string(kMinSize) +
                                ".." + std::to_string(kMaxSize));
  }
  const Cell& cell_of(Move move) const {
    return detail::kGomokuCells.of[static_cast<std::size_t>(size_)][static_cast<std::size_t>(move)];
  }

  // Adds a stone to a line; not zero if the line then holds five.
  static std::uint32_t add(std::uint32_t& line, int place) {
    line |= 1u << place;
    const std::uint32_t twos = line & line >> 1, fours = twos & twos >> 2;
    return fours & line >> 4;
  }

  void place(Move move) {
    const Cell& cell = cell_of(move);
    Lines& own = lines_[static_cast<std::size_t>(to_play_)];
    has_five_ = (add(own.rows[cell.row], cell.column) | add(own.columns[cell.column], cell.row) |
                 add(own.falling[cell.falling], cell.column) | add(own.rising[cell.rising], cell.column)) != 0;
    to_play_ ^= 1;
  }

  int size_;
  int to_play_ = 0;
  bool has_five_ = false;
  std::uint64_t hash_ = 0;
  std::array<Lines, 2> lines_{};
  EmptyCells<kMaxSize * kMaxSize> empty_;
};

static_assert(Game<Gomoku> && HasPlayout<Gomoku> && HasStepper<Gomoku>);

}  // namespace tesuji
