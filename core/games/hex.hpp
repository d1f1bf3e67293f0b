// Hex, up to 19x19. The first player joins top and bottom, the second left and right; there is no swap rule. A move is
// row * size + column. Cells lie in a padded field whose border belongs to the players, so that "joined?" is one
// union-find question and a full board always has exactly one winner.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/hashing.hpp"
#include "games/empty_cells.hpp"
#include "games/game.hpp"

namespace tesuji {

namespace detail {

// By size and move: a table, because a division costs more than the rest of a playout's step.
struct HexCells {
  static constexpr int kMaxSize = 19, kStride = kMaxSize + 2;
  std::array<std::array<std::uint16_t, kMaxSize * kMaxSize>, kMaxSize + 1> of{};
  constexpr HexCells() {
    for (int size = 1; size <= kMaxSize; ++size)
      for (int move = 0; move < size * size; ++move)
        of[static_cast<std::size_t>(size)][static_cast<std::size_t>(move)] =
            static_cast<std::uint16_t>((move / size + 1) * kStride + move % size + 1);
  }
};
inline constexpr HexCells kHexCells{};

}  // namespace detail

class Hex {
 public:
  static constexpr const char* kName = "hex";
  static constexpr int kMaxSize = detail::HexCells::kMaxSize;

  explicit Hex(int size = 11) : size_(checked(size)), empty_(size * size) {
    weight_.fill(1);
    for (std::size_t at = 0; at < parent_.size(); ++at) parent_[at] = static_cast<std::uint16_t>(at);
    for (int i = -1; i <= size; ++i) {  // the border: top and bottom are the first player's, the sides the second's
      owner_[cell(i, -1)] = kSecond;
      owner_[cell(i, size)] = kSecond | kGoal;
      join(cell(i, -1), cell(0, -1));
      join(cell(i, size), cell(0, size));
    }
    for (int i = 0; i < size; ++i) {
      owner_[cell(-1, i)] = kFirst;
      owner_[cell(size, i)] = kFirst | kGoal;
      join(cell(-1, i), cell(-1, 0));
      join(cell(size, i), cell(size, 0));
    }
  }

  int size() const { return size_; }
  int num_distinct_moves() const { return size_ * size_; }
  int to_play() const { return to_play_; }
  bool is_over() const { return winner_ >= 0; }
  double value() const { return winner_ == 0 ? 1.0 : 0.0; }
  std::uint64_t hash() const { return hash_; }
  // -1 empty, else the player.
  int owner(Move move) const { return owner_[cell_of(move)] - 1; }

  // Planes by player, row, column.
  std::vector<std::size_t> array_shape() const {
    const auto size = static_cast<std::size_t>(size_);
    return {2, size, size};
  }
  void encode(std::span<std::uint8_t> zeros) const {
    const int num_cells = size_ * size_;
    for (Move move = 0; move < num_cells; ++move)
      if (const int player = owner(move); player >= 0) zeros[static_cast<std::size_t>(player * num_cells + move)] = 1;
  }

  void legal_moves(MoveList& moves) const {
    if (!is_over()) empty_.append_to(moves);
  }

  void play(Move move) {
    const std::size_t at = cell_of(move);
    const auto colour = static_cast<std::uint8_t>(to_play_ + 1);
    owner_[at] = colour;
    hash_ ^= mix64(static_cast<std::uint64_t>(2 * move + to_play_) + 1) ^ kTurnKey;
    empty_.remove(move);
    for (const int step : kSteps)
      if (const std::size_t other = at + static_cast<std::size_t>(step); (owner_[other] & kColour) == colour)
        join(at, other);
    const bool joined =
        to_play_ == 0 ? find(cell(-1, 0)) == find(cell(size_, 0)) : find(cell(0, -1)) == find(cell(0, size_));
    if (joined) winner_ = to_play_;
    to_play_ ^= 1;
  }

  Move random_move(Rng& rng) const { return empty_.pick(rng); }
  using Stepper = RandomMoves<Hex>;

  // Fills the board in random order: who wins the full board wins the game, whenever the line was closed. The record
  // therefore holds a move for every empty cell.
  template <class Record>
  TESUJI_FLATTEN double play_out(Rng& rng, Record* record) {
    if (is_over()) return value();
    auto colour = static_cast<std::uint8_t>(to_play_ + 1);
    while (empty_.size() > 0) {
      const Move move = empty_.draw(rng);
      owner_[cell_of(move)] = colour;
      if (record) record->add(move, colour - 1);
      colour = static_cast<std::uint8_t>(kFirst + kSecond - colour);
    }
    return first_reaches_bottom() ? 1.0 : 0.0;
  }

 private:
  static constexpr std::uint8_t kFirst = 1, kSecond = 2, kColour = 3;
  static constexpr std::uint8_t kGoal = 4;  // marks the far border of each player
  static constexpr int kStride = detail::HexCells::kStride;
  static constexpr std::array<int, 6> kSteps = {-kStride, -kStride + 1, +1, kStride, kStride - 1, -1};  // clockwise
  static constexpr std::uint64_t kTurnKey = mix64(0x4845580000000000u);

  static int checked(int size) {
    if (size >= 1 && size <= kMaxSize) return size;
    throw std::invalid_argument("Hex size " + std::to_string(size) + " is outside 1.." + std::to_string(kMaxSize));
  }
  static constexpr std::size_t cell(int row, int column) {
    return static_cast<std::size_t>((row + 1) * kStride + column + 1);
  }
  std::size_t cell_of(Move move) const {
    return detail::kHexCells.of[static_cast<std::size_t>(size_)][static_cast<std::size_t>(move)];
  }

  std::size_t find(std::size_t at) const {
    while (parent_[at] != at) at = parent_[at];
    return at;
  }
  void join(std::size_t a, std::size_t b) {
    a = find(a);
    b = find(b);
    if (a == b) return;
    if (weight_[a] < weight_[b]) std::swap(a, b);
    parent_[b] = static_cast<std::uint16_t>(a);
    weight_[a] = static_cast<std::uint16_t>(weight_[a] + weight_[b]);
  }

  // Walks along the boundary between the colours of a full board, from the top left corner on: `first` and `second` are
  // touching cells of either player, joined to the top and to the left. Of the two cells that touch both, one lies
  // behind; the other takes the place of whichever has its colour. The walk ends at the bottom or at the right.
  bool first_reaches_bottom() const {
    std::size_t second = cell(0, -1);
    int direction = 1;  // from second to first: north east
    for (;;) {
      const int ahead = direction == 5 ? 0 : direction + 1;
      const std::size_t next = second + static_cast<std::size_t>(kSteps[static_cast<std::size_t>(ahead)]);
      const std::uint8_t owner = owner_[next];
      if ((owner & kColour) == kFirst) {
        if (owner & kGoal) return true;
        direction = ahead;
      } else {
        if (owner & kGoal) return false;
        second = next;
        direction = direction == 0 ? 5 : direction - 1;
      }
    }
  }

  int size_;
  int to_play_ = 0;
  int winner_ = -1;
  std::uint64_t hash_ = 0;
  EmptyCells<kMaxSize * kMaxSize> empty_;
  std::array<std::uint8_t, kStride * kStride> owner_{};
  std::array<std::uint16_t, kStride * kStride> parent_{};
  std::array<std::uint16_t, kStride * kStride> weight_{};
};

static_assert(Game<Hex> && HasPlayout<Hex> && HasStepper<Hex> && HasArray<Hex>);

}  // namespace tesuji
