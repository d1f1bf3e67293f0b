// What a move looks like before it is played: the features that priors weigh. See docs/algorithms/go-priors.md.
//
// Features come in blocks, of which a move has at most one level each, and the shape around it: the 3x3 code of its
// neighbours, and the same with the four points two steps away.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "go/fates.hpp"
#include "go/policy.hpp"
#include "go/rule_moves.hpp"
#include "go/tactics.hpp"

namespace tesuji::go {

// The blocks, in the order of their ids.
enum class Block : std::uint8_t {
  LastDistance,  // to the last move: |dx| + |dy| + max(|dx|, |dy|), 2 to 17 and more
  OwnDistance,   // to the move before it, likewise
  FateDistance,  // to the last move in the common fate graph: 0 to 3, and more
  Line,       // 1 to 5 and more; by whether a stone stands within two lines and columns, and by the size of the board
  Capture,    // takes a chain: kind, stones
  Escape,     // runs from an atari: whether it gets away, stones
  Atari,      // gives one: whether the chain gets away, stones
  SelfAtari,  // stones
  Urgent,     // an answer of the playouts to the last move
};
inline constexpr std::size_t kNumBlocks = 9;

inline constexpr std::size_t kDistances = 16, kFates = 5, kLines = 5, kSizes = 3;
enum class CaptureKind : std::uint8_t { Saves, TakesLast, Other, Caught };
enum class UrgentKind : std::uint8_t { Nakade, LowLiberties };
inline constexpr std::array<std::size_t, kNumBlocks> kBlockLevels = {
    kDistances, kDistances, kFates, kLines * 2 * 2, 4 * kSizes, 2 * kSizes, 2 * kSizes, kSizes, 2};

constexpr std::size_t first_level(Block block) {
  std::size_t first = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(block); ++i) first += kBlockLevels[i];
  return first;
}
inline constexpr std::size_t kNumLevels = first_level(Block::Urgent) + kBlockLevels.back();

// A board counts as small up to this many lines: the opening is another one there.
inline constexpr int kSmallBoard = 11;

// What one move has. Shapes are as the mover sees them: its own stones are black.
struct Features {
  std::array<std::uint16_t, kNumBlocks> levels;
  std::size_t size = 0;
  std::uint32_t shape = 0;  // 24 bits: two for each of the eight neighbours as in Stones::code3x3, then WW, EE, NN, SS

  std::uint32_t code3x3() const { return shape & 0xFFFFu; }
  void add(Block block, std::size_t level) { levels[size++] = static_cast<std::uint16_t>(first_level(block) + level); }
};

constexpr std::uint32_t with_colors_exchanged(std::uint32_t shape) {
  return (shape & 0x55555555u) << 1 | (shape & 0xAAAAAAAAu) >> 1;
}

// Features of the moves of C in one position.
template <Color C, class S>
class MoveFeatures {
 public:
  MoveFeatures(const S& stones, Cell last, Cell before_last) : stones_(stones), last_(last), before_last_(before_last) {
    fate_.fill(kFates - 1);
    mark_surroundings();
    if (last == kPass) return;
    spread_fates(stones_, last, kFates - 1, fate_);
    find_urgent_moves();
  }

  Features of(Cell cell) const {
    Features found;
    const std::uint32_t shape = stones_.code3x3(cell) | far_code(cell) << 16;
    found.shape = C == Color::Black ? shape : with_colors_exchanged(shape);
    if (last_ != kPass) {
      found.add(Block::LastDistance, distance(cell, last_));
      found.add(Block::FateDistance, fate_[cell]);
    }
    if (before_last_ != kPass) found.add(Block::OwnDistance, distance(cell, before_last_));
    found.add(Block::Line, line_level(cell));
    add_capture(cell, found);
    add_escape(cell, found);
    Cell liberty = kPass;
    if (is_self_atari<C>(stones_, cell, liberty))
      found.add(Block::SelfAtari, size_level(chain_size_after<C>(stones_, cell)));
    else
      add_atari(cell, found);
    if (nakade_.has(cell))
      found.add(Block::Urgent, static_cast<std::size_t>(UrgentKind::Nakade));
    else if (low_liberties_.has(cell))
      found.add(Block::Urgent, static_cast<std::size_t>(UrgentKind::LowLiberties));
    return found;
  }

 private:
  // The points two steps to the west, east, north and south; behind an edge everything is off the board.
  std::uint32_t far_code(Cell cell) const {
    std::uint32_t code = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const int step = S::L::kOrthogonal[i];
      const bool is_on_board = stones_.color(static_cast<Cell>(cell + step)) != Color::OffBoard;
      const Color color = is_on_board ? stones_.color(static_cast<Cell>(cell + 2 * step)) : Color::OffBoard;
      code |= static_cast<std::uint32_t>(color) << 2 * i;
    }
    return code;
  }

  static std::size_t size_level(int num_stones) { return static_cast<std::size_t>(std::clamp(num_stones, 1, 3) - 1); }

  static std::size_t distance(Cell a, Cell b) {
    const int rows = std::abs(S::L::row(a) - S::L::row(b)), columns = std::abs(S::L::column(a) - S::L::column(b));
    return static_cast<std::size_t>(std::clamp(rows + columns + std::max(rows, columns), 2, 17) - 2);
  }

  std::size_t line_level(Cell cell) const {
    const int row = S::L::row(cell), column = S::L::column(cell);
    const int line = std::min({row, column, stones_.height() - 1 - row, stones_.width() - 1 - column, 4});
    const bool is_small = std::max(stones_.height(), stones_.width()) <= kSmallBoard;
    return static_cast<std::size_t>(line) + kLines * is_open_around(row, column) + 2 * kLines * is_small;
  }
  // Whether no stone stands within two lines and columns.
  bool is_open_around(int row, int column) const {
    return (near_stones_[static_cast<std::size_t>(row)] >> column & 1u) == 0;
  }
  void mark_surroundings() {
    const auto height = static_cast<std::size_t>(stones_.height());
    std::array<std::uint32_t, kMaxSize + 4> rows{};  // columns within two of a stone, with two empty rows at both ends
    for (std::size_t row = 0; row < height; ++row) {
      std::uint32_t stones = 0;
      for (int column = 0; column < stones_.width(); ++column)
        stones |= std::uint32_t{stones_.color(S::L::cell(static_cast<int>(row), column)) != Color::Empty} << column;
      rows[row + 2] = stones | stones << 1 | stones << 2 | stones >> 1 | stones >> 2;
    }
    for (std::size_t row = 0; row < height; ++row)
      near_stones_[row] = rows[row] | rows[row + 1] | rows[row + 2] | rows[row + 3] | rows[row + 4];
  }

  // The most telling capture: the lowest kind, then the largest chain.
  void add_capture(Cell cell, Features& found) const {
    std::size_t best = 4 * kSizes;
    for_each_chain_around(stones_, cell, opponent(C), [&](Cell chain) {
      if (stones_.atari_liberty(chain) != cell) return;
      const auto kind = static_cast<std::size_t>(kind_of(chain));
      best = std::min(best, kind * kSizes + (kSizes - 1 - size_level(stones_.chain_size(chain))));
    });
    if (best == 4 * kSizes) return;
    found.add(Block::Capture, best / kSizes * kSizes + (kSizes - 1 - best % kSizes));
  }
  CaptureKind kind_of(Cell chain) const {
    bool saves = false;
    Cell stone = chain;
    do {
      for_each_chain_around(stones_, stone, C, [&](Cell own) { saves = saves || stones_.in_atari(own); });
      stone = stones_.next_stone(stone);
    } while (stone != chain && !saves);
    if (saves) return CaptureKind::Saves;
    if (last_ != kPass && stones_.color(last_) == opponent(C) && stones_.chain(last_) == chain)
      return CaptureKind::TakesLast;
    return is_caught_in_ladder<opponent(C)>(stones_, chain) ? CaptureKind::Caught : CaptureKind::Other;
  }

  // By the largest chain that runs.
  void add_escape(Cell cell, Features& found) const {
    int size = 0;
    for_each_chain_around(stones_, cell, C, [&](Cell chain) {
      if (stones_.atari_liberty(chain) == cell) size = std::max(size, stones_.chain_size(chain));
    });
    if (size == 0) return;
    found.add(Block::Escape, kSizes * fails_to_escape(cell) + size_level(size));
  }
  bool fails_to_escape(Cell cell) const {
    const int liberties = liberties_after<C, 3>(stones_, cell);
    if (liberties < 2) return true;
    if (liberties > 2 || num_captured_by<C>(stones_, cell) > 0) return false;
    S after = stones_;
    after.template play<C>(cell);
    int moves_left = detail::kLadderMoves;
    return detail::hunter_catches<C>(after, cell, moves_left);
  }

  // By the best catch: a ladder before a mere atari, then the largest chain.
  void add_atari(Cell cell, Features& found) const {
    std::size_t best = 0;
    bool is_any = false;
    for_each_chain_around(stones_, cell, opponent(C), [&](Cell chain) {
      if (stones_.liberties_besides(chain, cell).number != 1) return;
      const bool is_caught = is_ladder_move<opponent(C)>(stones_, chain, cell);
      best = std::max(best, kSizes * is_caught + size_level(stones_.chain_size(chain)));
      is_any = true;
    });
    if (is_any) found.add(Block::Atari, best);
  }

  // What playouts would answer to the last move besides captures, escapes and patterns.
  void find_urgent_moves() {
    static const PlayoutPolicy policy;
    Rng rng(0);  // these rules draw nothing
    RuleMoves<S> rules(stones_, policy, rng);
    rules.come_after(last_, kPass);
    const auto note = [&](Origin rule, FewCells<16>& cells) {
      const Candidates& found = rules.template find<C>(rule);
      for (std::size_t i = 0; i < found.size(); ++i) cells.add(found.cell(i));
    };
    note(Origin::Nakade, nakade_);
    note(Origin::LowLiberties, low_liberties_);
  }

  const S& stones_;
  Cell last_, before_last_;
  Fates<S> fate_;
  std::array<std::uint32_t, kMaxSize> near_stones_{};  // by row, a bit for each column
  FewCells<16> nakade_, low_liberties_;
};

}  // namespace tesuji::go
