// The rules of playouts: what each of them would play in a position. Nothing is played here.
// Rules and sources: docs/algorithms/playouts.md.
#pragma once

#include "base/rng.hpp"
#include "go/acceptance.hpp"
#include "go/candidates.hpp"
#include "go/eye_spaces.hpp"
#include "go/learnt_moves.hpp"
#include "go/policy.hpp"
#include "go/tactics.hpp"
#include "go/weak_chains.hpp"

namespace tesuji::go {

// The moves of one position after another; `S` must track atari.
template <class S>
class RuleMoves {
 public:
  // Without a memory there are no last good replies, without a learner no edge and node moves. Only fill-board draws
  // random numbers.
  RuleMoves(const S& stones, const PlayoutPolicy& policy, Rng& rng, const PlayoutMemory* memory = nullptr,
            Learner<S>* learner = nullptr)
      : stones_(stones),
        policy_(policy),
        rng_(rng),
        acceptance_(stones, policy),
        weak_(stones, acceptance_),
        learnt_(stones, acceptance_, memory, learner) {}
  RuleMoves(const RuleMoves&) = delete;
  RuleMoves& operator=(const RuleMoves&) = delete;

  // The moves that led to the position; kPass for a pass and for none.
  void come_after(Cell last, Cell before_last) {
    last_ = last;
    before_last_ = before_last;
  }
  // For atari tactics, before C moves to a cell: is that the only liberty of own stones?
  template <Color C>
  void note_escape(Cell cell) {
    has_escaped_ = false;
    if (cell == kPass) return;
    for_each_chain_around(stones_, cell, C,
                          [&](Cell chain) { has_escaped_ = has_escaped_ || stones_.atari_liberty(chain) == cell; });
  }
  // Did the last move, an opponent's of C, put stones into atari, its own or others, or run from one?
  template <Color C>
  bool is_after_atari() const {
    if (!has_last()) return false;
    if (has_escaped_ || stones_.in_atari(stones_.chain(last_))) return true;
    bool is_any = false;
    for_each_chain_around(stones_, last_, C, [&](Cell chain) { is_any = is_any || stones_.in_atari(chain); });
    return is_any;
  }
  Cell last() const { return last_; }

  const Acceptance<S>& acceptance() const { return acceptance_; }

  Candidates& found() { return found_; }
  template <Color C>
  const Candidates& find(Origin rule) {
    found_.clear();
    add_moves_of<C>(rule);
    return found_;
  }

  template <Color C>
  void add_moves_of(Origin rule);

 private:
  void add(Cell cell, int weight = 1) { found_.add(cell, rule_, static_cast<std::uint32_t>(weight)); }

  void add_if_any(Cell cell) {
    if (cell != kPass) add(cell);
  }

  bool has_last() const { return last_ != kPass && stones_.color(last_) != Color::Empty; }

  template <Color C>
  void capture_last() {
    if (!has_last() || stones_.color(last_) != opponent(C)) return;
    const Cell chain = stones_.chain(last_);
    if (const Cell liberty = stones_.atari_liberty(chain); liberty != kPass)
      if (is_playable<C>(stones_, liberty)) add(liberty, stones_.chain_size(chain));
  }

  template <Color C>
  void defend() {
    if (last_ == kPass) return;
    for_each_chain_around(stones_, last_, C, [&](Cell chain) { save<C>(chain); });
  }

  // After a ladder's last step, whosever it was, this is mostly one move: the next (Basaldúa, 4.4.1). A chain that ran
  // to three liberties cannot be put into atari again, and is let go.
  template <Color C>
  void atari_tactics() {
    if (!is_after_atari<C>()) return;
    capture_last<C>();
    if (has_escaped_ && stones_.color(last_) == opponent(C))
      weak_.template attack<C>(stones_.chain(last_), [this](Cell cell) { add(cell); });
    defend<C>();
  }

  // Ways out for an own chain in atari: take an attacker, or run to where it has two liberties and no ladder waits.
  template <Color C>
  void save(Cell chain) {
    const Cell liberty = stones_.atari_liberty(chain);
    if (liberty == kPass) return;
    const int size = stones_.chain_size(chain);
    FewCells<8> captures;
    for_each_capture_around<C>(stones_, chain, [&](Cell at, Cell) { captures.add(at); });
    for (const Cell at : captures)
      if (is_playable<C>(stones_, at)) add(at, size + num_captured_by<C>(stones_, at));
    if (captures.has(liberty) || !is_playable<C>(stones_, liberty)) return;
    if (liberties_after<C, 2>(stones_, liberty) < 2) return;
    const int num_captured = num_captured_by<C>(stones_, liberty);
    if (policy_.reads_ladders && num_captured == 0 && liberties_after<C, 3>(stones_, liberty) == 2) {
      S after = stones_;
      after.template play<C>(liberty);
      int moves_left = detail::kLadderMoves;
      if (detail::hunter_catches<C>(after, liberty, moves_left)) return;
    }
    add(liberty, size + num_captured);
  }

  template <Color C>
  void nakade() {
    if (last_ == kPass) return;
    for (const int step : S::L::kOrthogonal) {
      const auto cell = static_cast<Cell>(last_ + step);
      if (stones_.color(cell) != Color::Empty) continue;
      const Cell vital = vital_point_of_region(stones_, cell);
      if (vital != kPass && is_playable<C>(stones_, vital)) add(vital);
    }
  }

  template <Color C>
  void low_liberties() {
    if (!has_last()) return;
    const auto add_one = [this](Cell cell) { add(cell); };
    if (stones_.color(last_) == opponent(C)) weak_.template attack<C>(stones_.chain(last_), add_one);
    for_each_chain_around(stones_, last_, C, [&](Cell chain) { weak_.template strengthen<C>(chain, add_one); });
  }

  template <Color C>
  void pattern_beside(Cell at) {
    if (at == kPass) return;
    const auto look = [&](int step) {
      const auto cell = static_cast<Cell>(at + step);
      if (stones_.color(cell) == Color::Empty && policy_.patterns.template matches<C>(stones_.code3x3(cell)) &&
          acceptance_.template is_acceptable<C>(cell))
        add(cell);
    };
    for (const int step : S::L::kOrthogonal) look(step);
    for (const int step : S::L::kDiagonal) look(step);
  }

  // Large chains more often; in an order of rules also those whose capture saves own stones in atari beside them, where
  // a race is won. Pividori 2015's list has its escapes for that.
  template <Color C>
  void capture() {
    stones_.for_each_chain_in_atari(opponent(C), [&](Cell chain, Cell liberty) {
      if (!is_playable<C>(stones_, liberty)) return;
      const int num_saved = policy_.method == Method::Ordered ? num_saved_by_taking<C>(chain) : 0;
      add(liberty, stones_.chain_size(chain) + num_saved);
    });
  }
  template <Color C>
  int num_saved_by_taking(Cell chain) const {
    FewCells<8> saved;
    int num_stones = 0;
    Cell stone = chain;
    do {
      for_each_chain_around(stones_, stone, C, [&](Cell own) {
        if (!stones_.in_atari(own) || saved.has(own) || !saved.add(own)) return;
        num_stones += stones_.chain_size(own);
      });
      stone = stones_.next_stone(stone);
    } while (stone != chain);
    return num_stones;
  }

  template <Color C>
  void escape() {
    stones_.for_each_chain_in_atari(C, [&](Cell chain, Cell) { save<C>(chain); });
  }

  // A point whose eight neighbours are all empty.
  template <Color C>
  void fill_board() {
    for (int attempt = 0; attempt < policy_.fill_board_tries && stones_.num_empty() > 0; ++attempt) {
      const Cell cell = stones_.empty(static_cast<int>(rng_.below(static_cast<std::uint64_t>(stones_.num_empty()))));
      if (stones_.code3x3(cell) != 0) continue;
      add(cell);
      return;
    }
  }

  const S& stones_;
  const PlayoutPolicy& policy_;
  Rng& rng_;
  const Acceptance<S> acceptance_;
  const WeakChains<S> weak_;
  const LearntMoves<S> learnt_;
  bool has_escaped_ = false;  // the last move took the only liberty of own stones
  Cell last_ = kPass, before_last_ = kPass;
  Origin rule_ = Origin::Random;  // that is looking for moves
  Candidates found_;
};

template <class S>
template <Color C>
void RuleMoves<S>::add_moves_of(Origin rule) {
  rule_ = rule;
  switch (rule) {
    case Origin::CaptureLast:
      return capture_last<C>();
    case Origin::Defend:
      return defend<C>();
    case Origin::Nakade:
      return nakade<C>();
    case Origin::LowLiberties:
      return low_liberties<C>();
    case Origin::Pattern:
      return pattern_beside<C>(last_);
    case Origin::PatternOwn:
      return pattern_beside<C>(before_last_);
    case Origin::Capture:
      return capture<C>();
    case Origin::Escape:
      return escape<C>();
    case Origin::FillBoard:
      return fill_board<C>();
    case Origin::LastGoodReply:
      return add_if_any(learnt_.template last_good_reply<C>(last_));
    case Origin::AtariTactics:
      return atari_tactics<C>();
    case Origin::Edge:
      return add_if_any(learnt_.template edge<C>(last_));
    case Origin::Node:
      return add_if_any(learnt_.template node<C>(last_));
    case Origin::Skipped:
    case Origin::Random:
    case Origin::Mended:
    case Origin::Pass:
      return;
  }
}

// Compiled once for each size of board (rule_playout.cpp).
extern template void RuleMoves<Stones<9, kTactical>>::add_moves_of<Color::Black>(Origin);
extern template void RuleMoves<Stones<9, kTactical>>::add_moves_of<Color::White>(Origin);
extern template void RuleMoves<Stones<13, kTactical>>::add_moves_of<Color::Black>(Origin);
extern template void RuleMoves<Stones<13, kTactical>>::add_moves_of<Color::White>(Origin);
extern template void RuleMoves<Stones<19, kTactical>>::add_moves_of<Color::Black>(Origin);
extern template void RuleMoves<Stones<19, kTactical>>::add_moves_of<Color::White>(Origin);
extern template void RuleMoves<Stones<kMaxSize, kTactical>>::add_moves_of<Color::Black>(Origin);
extern template void RuleMoves<Stones<kMaxSize, kTactical>>::add_moves_of<Color::White>(Origin);

}  // namespace tesuji::go
