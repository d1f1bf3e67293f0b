// The board of a game: stones with their whole history, under given rules. Exact superko, undo, set-up.
// Points are row-major from the top left (row * width + column) and pass is width * height. For playouts and trees,
// which need neither history nor names, see stones.hpp.
#pragma once

#include <span>
#include <vector>

#include "go/position.hpp"
#include "go/rules.hpp"
#include "go/stones.hpp"

namespace tesuji::go {

enum class Legality { Legal, OffBoard, Occupied, Ko, Suicide, Repetition };

class Board {
 public:
  using AllStones = Stones<kMaxSize, kTactical>;
  using L = AllStones::L;

  struct Turn {
    Color color;
    int move;  // a point or pass
  };

  // Throws std::invalid_argument for a size outside 1..25.
  Board(int width, int height, const Rules& rules);

  int width() const { return stones_.width(); }
  int height() const { return stones_.height(); }
  int num_points() const { return stones_.num_points(); }
  int pass_move() const { return num_points(); }
  const Rules& rules() const { return rules_; }
  Color to_play() const { return to_play_; }
  void set_to_play(Color color);
  int passes() const { return passes_; }
  int ko() const { return stones_.ko() == kPass ? -1 : point(stones_.ko()); }
  const AllStones& stones() const { return stones_; }
  int num_moves() const { return static_cast<int>(history_.size()); }
  Turn turn(int index) const;
  // Stones of this colour that were captured, pass stones included where the rules have them.
  int captured(Color color) const { return captured_[index_of(color)]; }

  Cell cell(int point) const { return L::cell(point / width(), point % width()); }
  int point(Cell cell) const { return L::row(cell) * width() + L::column(cell); }
  Color color_at(int at) const { return stones_.color(cell(at)); }

  Legality legality(int move, Color color) const;
  void play(int move, Color color);  // the move must be legal
  bool undo();                       // false if there is nothing to undo

  // Replaces all that a position holds and forgets the history. False, and nothing is changed, if a chain would have no
  // liberty.
  bool set_up(const Position& position);

  // All positions since the set-up, the present one last: their keys as the ko rule compares them, their numbers of
  // stones.
  const std::vector<ZobristKey>& past() const { return past_; }
  const std::vector<int>& past_num_stones() const { return past_num_stones_; }

  ZobristKey stones_key() const { return stones_.key(); }
  ZobristKey key() const;
  Position position() const;

 private:
  struct Record {
    Cell cell;
    Color color;
    Color to_play_before;
    std::uint8_t passes_before;
    bool suicide;
    Cell ko_before;
    std::uint32_t removed_begin;
  };

  bool is_suicide(Cell cell, Color color) const {
    return color == Color::Black ? stones_.is_suicide<Color::Black>(cell) : stones_.is_suicide<Color::White>(cell);
  }
  bool closed_by_ko(Cell cell, Color color) const;
  template <class Visit>
  void for_each_removed_chain(Cell cell, Color color, Visit visit) const;
  ZobristKey key_after(Cell cell, Color color) const;
  bool repeats(const ZobristKey& key) const;
  ZobristKey history_key(ZobristKey stones, Color to_play) const;
  void remember_position();

  AllStones stones_;
  Rules rules_;
  Color to_play_ = Color::Black;
  int passes_ = 0;
  std::array<int, 2> captured_{};
  std::vector<Record> history_;
  std::vector<Cell> removed_;     // all stones ever removed, in order; a record knows where its own begin
  std::vector<ZobristKey> past_;  // what must not be repeated: one key per position since the set-up
  std::vector<int> past_num_stones_;
};

// The stones of a board, ko point included, in the form that playouts and trees use.
template <class S>
S stones_of(const Board& board) {
  S stones(board.width(), board.height());
  stones.set_up([&](int row, int column) { return board.color_at(row * board.width() + column); });
  if (board.ko() >= 0) stones.set_ko(S::L::cell(board.ko() / board.width(), board.ko() % board.width()));
  return stones;
}

}  // namespace tesuji::go
