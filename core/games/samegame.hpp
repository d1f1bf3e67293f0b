// SameGame (Kuniaki Moribe 1985, "Bubble Breaker"): take groups of two or more stones of one colour that touch; stones
// fall down, then empty columns close to the left. One player, who maximises the score:
//
//   (n - 2)^2        for taking a group of n stones
//   +1000            for an empty board at the end
//   -(n - 2)^2       for each colour of which n stones are left at the end, as if they were one group
//
// A move is column * height + row of the group's first stone: leftmost column, lowest row; row 0 is the lowest.
//
// The stones of a colour are 16 columns of 16 bits. A neighbour is a shift, so a group is found by a few dozen
// instructions, and the bit above the highest row is never set, so that nothing wraps from one column to the next.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/attributes.hpp"
#include "base/hashing.hpp"
#include "games/game.hpp"

namespace tesuji {

// A set of cells of the board.
struct Cells {
  static constexpr int kWords = 4, kColumnBits = 16, kColumnsPerWord = 64 / kColumnBits;
  std::array<std::uint64_t, kWords> words{};

  static constexpr std::size_t word_of(int column) { return static_cast<std::size_t>(column / kColumnsPerWord); }
  static constexpr int shift_of(int column) { return column % kColumnsPerWord * kColumnBits; }
  static constexpr Cells at(int column, int row) {
    Cells cells;
    cells.words[word_of(column)] = std::uint64_t{1} << (shift_of(column) + row);
    return cells;
  }

  constexpr bool operator==(const Cells&) const = default;
  constexpr bool empty() const { return (words[0] | words[1] | words[2] | words[3]) == 0; }
  constexpr int count() const {
    int count = 0;
    for (const std::uint64_t word : words) count += std::popcount(word);
    return count;
  }
  constexpr bool has(int column, int row) const {
    return (words[word_of(column)] >> (shift_of(column) + row) & 1) != 0;
  }
  constexpr std::uint32_t column(int column) const {
    return static_cast<std::uint32_t>(words[word_of(column)] >> shift_of(column)) & 0xFFFFu;
  }
  constexpr void set_column(int column, std::uint32_t bits) {
    std::uint64_t& word = words[word_of(column)];
    word = (word & ~(std::uint64_t{0xFFFF} << shift_of(column))) | std::uint64_t{bits} << shift_of(column);
  }

  constexpr Cells& operator|=(const Cells& other) {
    for (std::size_t i = 0; i < kWords; ++i) words[i] |= other.words[i];
    return *this;
  }
  constexpr Cells& remove(const Cells& other) {
    for (std::size_t i = 0; i < kWords; ++i) words[i] &= ~other.words[i];
    return *this;
  }
  // The cells of this set that touch one of `others`.
  constexpr Cells touching(const Cells& others) const {
    Cells found;
    for (std::size_t i = 0; i < kWords; ++i) {
      const std::uint64_t own = others.words[i];
      const std::uint64_t from_left = own << kColumnBits | (i > 0 ? others.words[i - 1] >> (64 - kColumnBits) : 0);
      const std::uint64_t from_right =
          own >> kColumnBits | (i + 1 < kWords ? others.words[i + 1] << (64 - kColumnBits) : 0);
      found.words[i] = words[i] & (own << 1 | own >> 1 | from_left | from_right);
    }
    return found;
  }
  // The group of this set that holds `seed`.
  constexpr Cells group_around(Cells seed) const {
    for (;;) {
      Cells grown = touching(seed);
      grown |= seed;
      if (grown == seed) return seed;
      seed = grown;
    }
  }
  // The cell that `index` others precede, by column and then by row; there must be one.
  constexpr int nth(int index) const {
    for (std::size_t i = 0;; ++i) {
      const int here = std::popcount(words[i]);
      if (index >= here) {
        index -= here;
        continue;
      }
      std::uint64_t word = words[i];
      for (; index > 0; --index) word &= word - 1;
      return static_cast<int>(i) * 64 + std::countr_zero(word);
    }
  }
  // The columns right of `column` move one to the left, over it.
  constexpr void close_column(int column) {
    const std::size_t first = word_of(column);
    const std::uint64_t kept = (std::uint64_t{1} << shift_of(column)) - 1;
    const std::uint64_t before = words[first] & kept;
    for (std::size_t i = first; i < kWords; ++i)
      words[i] = words[i] >> kColumnBits | (i + 1 < kWords ? words[i + 1] << (64 - kColumnBits) : 0);
    words[first] = (words[first] & ~kept) | before;
  }
};

class SameGame {
 public:
  static constexpr const char* kName = "samegame";
  static constexpr int kMaxWidth = 15, kMaxHeight = 15, kMaxColors = 9;
  static constexpr int kEmptyBoardBonus = 1000;
  // Which groups a playout takes: any with equal probability, or none of the most frequent colour while there is
  // another (TabuColor: Schadd, Winands, van den Herik, Chaslot and Uiterwijk 2008).
  enum class Playout : std::uint8_t { Uniform, TabuColor };

  // Rows from the top, digits 1..9 for colours and dots for empty cells; blanks at the end of a line do not count.
  explicit SameGame(std::string_view picture, Playout playout = Playout::Uniform) : playout_(playout) {
    const std::vector<std::string_view> rows = rows_of(picture);
    set_size(rows.empty() ? 0 : static_cast<int>(rows[0].size()), static_cast<int>(rows.size()));
    for (int row = 0; row < height_; ++row) {
      const std::string_view line = rows[static_cast<std::size_t>(height_ - 1 - row)];
      if (static_cast<int>(line.size()) != width_)
        throw std::invalid_argument("the row \"" + std::string(line) + "\" has " + std::to_string(line.size()) +
                                    " cells, the first one " + std::to_string(width_) + "; make them equal");
      for (int column = 0; column < width_; ++column) put(column, row, line[static_cast<std::size_t>(column)]);
    }
    settle();
  }

  // Every cell gets a colour with equal probability, row by row from the top.
  static SameGame random(int width, int height, int num_colors, std::uint64_t seed, Playout playout) {
    if (num_colors < 1 || num_colors > kMaxColors)
      throw std::invalid_argument(std::to_string(num_colors) + " colours are outside 1.." + std::to_string(kMaxColors));
    check_size(width, height);
    Rng rng(seed);
    std::string picture;
    for (int row = 0; row < height; ++row) {
      for (int column = 0; column < width; ++column)
        picture.push_back(static_cast<char>('1' + rng.below(static_cast<std::uint64_t>(num_colors))));
      picture.push_back('\n');
    }
    return SameGame(picture, playout);
  }

  int width() const { return width_; }
  int height() const { return height_; }
  int score() const { return score_; }  // of the groups taken so far
  Playout playout() const { return playout_; }
  // 0: empty.
  int color_at(int column, int row) const {
    for (int color = 0; color < num_colors_; ++color)
      if (stones(color).has(column, row)) return color + 1;
    return 0;
  }

  int num_distinct_moves() const { return width_ * height_; }
  Goal goal() const { return Goal::Maximise; }
  int to_play() const { return 0; }
  bool is_over() const { return is_over_; }
  double value() const {
    int penalty = 0;
    bool is_empty = true;
    for (int color = 0; color < num_colors_; ++color) {
      const int left = stones(color).count();
      if (left > 0) penalty += points_for(left);
      is_empty &= left == 0;
    }
    return score_ + (is_empty ? kEmptyBoardBonus : -penalty);
  }
  // As if each colour could still be taken in one group; a single stone stays.
  double bound() const {
    int points = score_;
    bool may_be_emptied = true;
    for (int color = 0; color < num_colors_; ++color) {
      const int left = stones(color).count();
      if (left > 1) points += points_for(left);
      if (left == 1) points -= points_for(left);
      may_be_emptied &= left != 1;
    }
    return points + (may_be_emptied ? kEmptyBoardBonus : 0);
  }
  // The score belongs to the state, because the value counts it.
  std::uint64_t hash() const {
    std::uint64_t hash = mix64(static_cast<std::uint64_t>(score_));
    for (int color = 0; color < num_colors_; ++color)
      for (const std::uint64_t word : stones(color).words) hash = combine(hash, word);
    return hash;
  }

  void legal_moves(MoveList& moves) const {
    for (int color = 0; color < num_colors_; ++color) {
      Cells open = stones(color).touching(stones(color));
      while (!open.empty()) {
        const int first = open.nth(0);
        moves.push_back(move_at(first));
        open.remove(open.group_around(cell(first)));
      }
    }
  }

  void play(Move move) {
    const Cells start = Cells::at(move / height_, move % height_);
    for (int color = 0; color < num_colors_; ++color)
      if (stones(color).has(move / height_, move % height_)) {
        take(stones(color).group_around(start));
        break;
      }
    is_over_ = !has_move();
  }

  // The tabu colour is that of the state where the playout begins.
  class Stepper {
   public:
    explicit Stepper(const SameGame& game) : tabu_(game.tabu_color()) {}
    Move next(const SameGame& game, Rng& rng) {
      Cells open = game.open_cells(tabu_);
      if (open.empty() && tabu_ >= 0) open = game.open_cells_of(tabu_);
      return game.move_at(game.random_group(open, rng).nth(0));
    }

   private:
    int tabu_;
  };

  // A group that was drawn is taken as it is; after a step it must be found again.
  template <class Record>
  double play_out(Rng& rng, Record* record) {
    const int tabu = tabu_color();
    for (;;) {
      Cells open = open_cells(tabu);
      if (open.empty() && tabu >= 0) open = open_cells_of(tabu);
      if (open.empty()) break;
      const Cells group = random_group(open, rng);
      if (record) record->add(move_at(group.nth(0)), 0);
      take(group);
    }
    is_over_ = true;
    return value();
  }

 private:
  static constexpr int points_for(int num_stones) { return (num_stones - 2) * (num_stones - 2); }
  static Cells cell(int index) { return Cells::at(index / Cells::kColumnBits, index % Cells::kColumnBits); }

  static std::vector<std::string_view> rows_of(std::string_view picture) {
    std::vector<std::string_view> rows;
    while (!picture.empty()) {
      const std::size_t end = picture.find('\n');
      std::string_view line = picture.substr(0, end);
      picture.remove_prefix(end == std::string_view::npos ? picture.size() : end + 1);
      while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
      if (!line.empty()) rows.push_back(line);
    }
    return rows;
  }
  static void check_size(int width, int height) {
    if (width < 1 || width > kMaxWidth || height < 1 || height > kMaxHeight)
      throw std::invalid_argument("a board of " + std::to_string(width) + "x" + std::to_string(height) +
                                  " is outside 1x1.." + std::to_string(kMaxWidth) + "x" + std::to_string(kMaxHeight));
  }
  void set_size(int width, int height) {
    check_size(width, height);
    width_ = static_cast<std::uint8_t>(width);
    height_ = static_cast<std::uint8_t>(height);
  }
  void put(int column, int row, char stone) {
    if (stone == '.') return;
    if (stone < '1' || stone > '0' + kMaxColors)
      throw std::invalid_argument(std::string("'") + stone + "' is not a stone; write 1..9 for colours and . for none");
    const int color = stone - '1';
    num_colors_ = std::max(num_colors_, static_cast<std::uint8_t>(color + 1));
    stones_[static_cast<std::size_t>(color)] |= Cells::at(column, row);
  }

  const Cells& stones(int color) const { return stones_[static_cast<std::size_t>(color)]; }
  Cells all_stones() const {
    Cells all;
    for (int color = 0; color < num_colors_; ++color) all |= stones(color);
    return all;
  }
  bool has_move() const {
    for (int color = 0; color < num_colors_; ++color)
      if (!stones(color).touching(stones(color)).empty()) return true;
    return false;
  }
  // The move that takes the group whose first stone lies there.
  Move move_at(int index) const { return index / Cells::kColumnBits * height_ + index % Cells::kColumnBits; }
  // The stones that belong to some group, but for those of one colour.
  TESUJI_ALWAYS_INLINE Cells open_cells(int tabu) const {
    Cells open;
    for (int color = 0; color < num_colors_; ++color)
      if (color != tabu) open |= stones(color).touching(stones(color));
    return open;
  }
  Cells open_cells_of(int color) const { return stones(color).touching(stones(color)); }
  // Which colour this state's playouts spare; -1: none.
  int tabu_color() const { return playout_ == Playout::TabuColor ? most_frequent_color() : -1; }
  int most_frequent_color() const {
    int best = 0, most = 0;
    for (int color = 0; color < num_colors_; ++color)
      if (const int count = stones(color).count(); count > most) {
        best = color;
        most = count;
      }
    return best;
  }

  // A group of n stones is met n times as often as it should and taken in 2 of n cases: every group is as likely.
  TESUJI_ALWAYS_INLINE Cells random_group(const Cells& open, Rng& rng) const {
    const auto num_open = static_cast<std::uint64_t>(open.count());
    for (;;) {
      const int start = open.nth(static_cast<int>(rng.below(num_open)));
      int color = 0;
      while (!stones(color).has(start / Cells::kColumnBits, start % Cells::kColumnBits)) ++color;
      const Cells group = stones(color).group_around(cell(start));
      const auto size = static_cast<std::uint64_t>(group.count());
      if (size == 2 || rng.below(size) < 2) return group;
    }
  }

  TESUJI_ALWAYS_INLINE void take(const Cells& group) {
    score_ += points_for(group.count());
    for (int column = width_ - 1; column >= 0; --column)
      if (const std::uint32_t taken = group.column(column); taken != 0) drop(column, taken);
  }
  // Takes the cells `taken` out of a column; what lies above falls down, and the column closes if nothing is left.
  void drop(int column, std::uint32_t taken) {
    std::uint32_t left = 0;
    for (int color = 0; color < num_colors_; ++color) {
      std::uint32_t bits = stones(color).column(column) & ~taken;
      left |= bits;
      for (std::uint32_t gaps = taken; gaps != 0;) {
        const std::uint32_t gap = std::bit_floor(gaps);
        gaps ^= gap;
        const std::uint32_t below = gap - 1;
        bits = (bits & below) | (bits >> 1 & ~below);
      }
      stones_[static_cast<std::size_t>(color)].set_column(column, bits);
    }
    if (left == 0)
      for (int color = 0; color < num_colors_; ++color) stones_[static_cast<std::size_t>(color)].close_column(column);
  }
  // Lets everything fall: a picture may have holes.
  void settle() {
    const std::uint32_t full = (1u << height_) - 1;
    for (int column = width_ - 1; column >= 0; --column)
      if (const std::uint32_t holes = full & ~all_stones().column(column); holes != 0) drop(column, holes);
    is_over_ = !has_move();
  }

  std::array<Cells, kMaxColors> stones_{};
  std::int32_t score_ = 0;
  std::uint8_t width_ = 0, height_ = 0, num_colors_ = 0;
  Playout playout_ = Playout::Uniform;
  bool is_over_ = false;
};

static_assert(Game<SameGame> && HasPlayout<SameGame> && HasStepper<SameGame> && HasBound<SameGame>);

}  // namespace tesuji
