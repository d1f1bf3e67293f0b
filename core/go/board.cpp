#include "go/board.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tesuji::go {

namespace {
int checked_size(int size) {
  if (size < 1 || size > kMaxSize)
    throw std::invalid_argument("board size " + std::to_string(size) + " is outside 1.." + std::to_string(kMaxSize));
  return size;
}
}  // namespace

Board::Board(int width, int height, const Rules& rules)
    : stones_(checked_size(width), checked_size(height)), rules_(rules) {
  remember_position();
}

void Board::remember_position() {
  past_.push_back(history_key(stones_.key(), to_play_));
  past_num_stones_.push_back(num_points() - stones_.num_empty());
}

Board::Turn Board::turn(int index) const {
  const Record& record = history_[static_cast<std::size_t>(index)];
  return {record.color, record.cell == kPass ? pass_move() : point(record.cell)};
}

// What superko compares: the stones, with the side to move if the rule is situational.
ZobristKey Board::history_key(ZobristKey stones, Color to_play) const {
  if (rules_.ko == KoRule::Situational && to_play == Color::White) stones ^= kWhiteToMoveKey;
  return stones;
}

// The last entry is the position on the board. A move changes it, so comparing with it too forbids nothing, except the
// suicide of one stone under positional superko, which leaves the stones as they were and is indeed forbidden.
bool Board::repeats(const ZobristKey& key) const {
  for (const ZobristKey& past : past_)
    if (past == key) return true;
  return false;
}

// Visits each chain that a move would remove: enemy chains whose last liberty it takes, or, if it is suicide, the own
// chains around it.
template <class Visit>
void Board::for_each_removed_chain(Cell cell, Color color, Visit visit) const {
  const bool suicide = is_suicide(cell, color);
  const Color taken = suicide ? color : opponent(color);
  std::array<Cell, 4> seen{};
  std::size_t num_seen = 0;
  for (const int step : L::kOrthogonal) {
    const auto neighbour = static_cast<Cell>(cell + step);
    if (stones_.color(neighbour) != taken) continue;
    const Cell chain = stones_.chain(neighbour);
    if (std::find(seen.begin(), seen.begin() + num_seen, chain) != seen.begin() + num_seen) continue;
    seen[num_seen++] = chain;
    if (suicide || stones_.atari_liberty(chain) == cell) visit(chain);
  }
}

// The stones' key after a move.
ZobristKey Board::key_after(Cell cell, Color color) const {
  ZobristKey key = stones_.key();
  if (!is_suicide(cell, color)) key ^= kStoneKeys<kMaxSize>.of[index_of(color)][cell];
  for_each_removed_chain(cell, color, [&](Cell chain) {
    Cell stone = chain;
    do {
      key ^= kStoneKeys<kMaxSize>.of[index_of(stones_.color(stone))][stone];
      stone = stones_.next_stone(stone);
    } while (stone != chain);
  });
  return key;
}

// A ko is closed to the side whose stone was just taken; the other side may fill it.
bool Board::closed_by_ko(Cell cell, Color color) const {
  const Color loser = history_.empty() ? to_play_ : opponent(history_.back().color);
  return cell == stones_.ko() && color == loser;
}

Legality Board::legality(int move, Color color) const {
  if (move == pass_move()) return Legality::Legal;
  if (move < 0 || move > pass_move()) return Legality::OffBoard;
  const Cell at = cell(move);
  if (stones_.color(at) != Color::Empty) return Legality::Occupied;
  if (closed_by_ko(at, color)) return Legality::Ko;
  if (!rules_.suicide && is_suicide(at, color)) return Legality::Suicide;
  if (rules_.ko != KoRule::Simple && repeats(history_key(key_after(at, color), opponent(color))))
    return Legality::Repetition;
  return Legality::Legal;
}

void Board::play(int move, Color color) {
  const bool pass = move == pass_move();
  const Cell at = pass ? kPass : cell(move);
  const bool suicide = !pass && is_suicide(at, color);
  history_.push_back({at, color, to_play_, static_cast<std::uint8_t>(passes_), suicide, stones_.ko(),
                      static_cast<std::uint32_t>(removed_.size())});
  if (pass) {
    stones_.pass();
    ++passes_;
    if (rules_.pass_stones) ++captured_[index_of(color)];
  } else {
    for_each_removed_chain(at, color, [&](Cell chain) {
      Cell stone = chain;
      do {
        removed_.push_back(stone);
        stone = stones_.next_stone(stone);
      } while (stone != chain);
    });
    const int removed = static_cast<int>(removed_.size() - history_.back().removed_begin);
    captured_[index_of(suicide ? color : opponent(color))] += removed + suicide;
    stones_.play(at, color);
    passes_ = 0;
  }
  to_play_ = opponent(color);
  remember_position();
}

bool Board::undo() {
  if (history_.empty()) return false;
  const Record record = history_.back();
  const std::span<const Cell> removed(removed_.begin() + record.removed_begin, removed_.end());
  const Color removed_color = record.suicide ? record.color : opponent(record.color);
  if (record.cell == kPass) {
    stones_.set_ko(record.ko_before);
    if (rules_.pass_stones) --captured_[index_of(record.color)];
  } else {
    stones_.take_back(record.cell, removed, removed_color, record.ko_before);
    captured_[index_of(removed_color)] -= static_cast<int>(removed.size()) + record.suicide;
  }
  to_play_ = record.to_play_before;
  passes_ = record.passes_before;
  removed_.resize(record.removed_begin);
  history_.pop_back();
  past_.pop_back();
  past_num_stones_.pop_back();
  return true;
}

bool Board::set_up(const Position& position) {
  if (position.width != width() || position.height != height())
    throw std::invalid_argument("the position has another size than the board");
  AllStones stones(width(), height());
  stones.set_up([&](int row, int column) {
    return static_cast<Color>(position.colors[static_cast<std::size_t>(row * width() + column)]);
  });
  if (!stones.every_chain_has_a_liberty()) return false;
  stones_ = stones;
  if (position.ko >= 0) stones_.set_ko(cell(position.ko));
  passes_ = position.passes;
  captured_ = {};
  history_.clear();
  removed_.clear();
  past_.clear();
  past_num_stones_.clear();
  to_play_ = position.to_play;
  remember_position();
  return true;
}

void Board::set_to_play(Color color) {
  to_play_ = color;
  if (history_.empty()) past_.front() = history_key(stones_.key(), to_play_);
}

ZobristKey Board::key() const {
  ZobristKey key = stones_.key();
  if (ko() >= 0) key ^= ko_key(ko() / width(), ko() % width());
  if (to_play_ == Color::White) key ^= kWhiteToMoveKey;
  return key;
}

Position Board::position() const {
  Position position{
      .width = width(), .height = height(), .colors = {}, .to_play = to_play_, .ko = ko(), .passes = passes_};
  position.colors.reserve(static_cast<std::size_t>(num_points()));
  for (int at = 0; at < num_points(); ++at) position.colors.push_back(static_cast<std::uint8_t>(color_at(at)));
  return position;
}

}  // namespace tesuji::go
