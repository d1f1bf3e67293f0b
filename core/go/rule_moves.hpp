// The rules of playouts: what each of them would play in a position. Nothing is played here.
// Rules and sources: docs/algorithms/playouts.md.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/rng.hpp"
#include "go/candidates.hpp"
#include "go/eye_spaces.hpp"
#include "go/learner.hpp"
#include "go/playout_memory.hpp"
#include "go/policy.hpp"
#include "go/tactics.hpp"

namespace tesuji::go {

// The moves of one position after another; `S` must track atari.
template <class S>
class RuleMoves {
 public:
  // Without a memory there are no last good replies, without a learner no edge and node moves. Only fill-board draws
  // random numbers.
  RuleMoves(const S& stones, const PlayoutPolicy& policy, Rng& rng, const PlayoutMemory* memory = nullptr,
            Learner<S>* learner = nullptr)
      : stones_(stones), policy_(policy), rng_(rng), memory_(memory), learner_(learner) {}

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

  Candidates& found() { return found_; }
  template <Color C>
  const Candidates& find(Origin rule) {
    found_.clear();
    add_moves_of<C>(rule);
    return found_;
  }

  template <Color C>
  void add_moves_of(Origin rule) {
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
        return last_good_reply<C>();
      case Origin::AtariTactics:
        return atari_tactics<C>();
      case Origin::Edge:
        return edge<C>();
      case Origin::Node:
        return node<C>();
      case Origin::Skipped:
      case Origin::Random:
      case Origin::Mended:
      case Origin::Pass:
        return;
    }
  }

  // May a rule play here? Legal, no own eye filled, no self-atari of the kind that the policy refuses.
  template <Color C>
  bool is_acceptable(Cell cell) const {
    return is_playable<C>(stones_, cell) && !is_own_eye<C>(cell) && !is_refused_self_atari<C>(cell);
  }
  template <Color C>
  bool is_own_eye(Cell cell) const {
    if (!is_enclosed<C>(stones_, cell)) return false;
    if (!stones_.template is_eye<C>(cell)) return is_eye_of_loop<C>(stones_, cell);
    return policy_.eye_potential || is_complete_eye<C>(stones_, cell);
  }

  template <Color C>
  bool is_refused_self_atari(Cell cell) const {
    const std::uint32_t word = stones_.around(cell);
    if (policy_.self_atari == SelfAtari::Allowed || near::num_empty(word) >= 2) return false;
    const bool refuses_small_ones = policy_.self_atari == SelfAtari::Never;
    const int size = chain_size_after<C>(stones_, cell);
    if (size < 3 && !refuses_small_ones) return false;
    Cell liberty = kPass;
    if (!is_self_atari<C>(stones_, cell, liberty)) return false;
    return policy_.self_atari != SelfAtari::Nakade || size > 6 || liberty == kPass ||
           !is_nakade<C>(stones_, cell, liberty) || may_connect_out<C>(liberty);
  }

 private:
  void add(Cell cell, int weight = 1) { found_.add(cell, rule_, static_cast<std::uint32_t>(weight)); }

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
    if (has_escaped_ && stones_.color(last_) == opponent(C)) attack_if_weak<C>(stones_.chain(last_));
    defend<C>();
  }

  // Of what was learnt only the best move is played, not one of several by lot.
  template <Color C>
  void edge() {
    if (learner_ == nullptr || last_ == kPass) return;
    const Cell best =
        learner_->template edge_move<C>(stones_, last_, [&](Cell cell) { return is_acceptable<C>(cell); });
    if (best != kPass) add(best);
  }
  template <Color C>
  void node() {
    if (learner_ == nullptr || last_ == kPass) return;
    const Cell best =
        learner_->template node_move<C>(stones_, last_, [&](Cell cell) { return is_acceptable<C>(cell); });
    if (best != kPass) add(best);
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
    if (stones_.color(last_) == opponent(C)) attack_if_weak<C>(stones_.chain(last_));
    for_each_chain_around(stones_, last_, C, [&](Cell chain) { strengthen_if_weak<C>(chain); });
  }

  // A chain with two liberties, put into atari from the side where it gains least by running.
  template <Color C>
  void attack_if_weak(Cell chain) {
    const ChainLiberties liberties = liberties_of(stones_, chain);
    if (liberties.number != 2) return;
    std::array<int, 2> left{};  // liberties after the atari here and the flight there
    for (std::size_t i = 0; i < 2; ++i) {
      const Cell move = liberties.cells[i], flight = liberties.cells[1 - i];
      left[i] = 4;
      if (!is_acceptable<C>(move) || liberties_after<C, 2>(stones_, move) < 2) continue;
      left[i] = liberties_after_flight<opponent(C)>(flight, move);
    }
    const int least = std::min(left[0], left[1]);
    if (least > 2) return;
    for (std::size_t i = 0; i < 2; ++i)
      if (left[i] == least) add(liberties.cells[i]);
  }

  // How many liberties a chain with the liberties `flight` and `taken` has after the second was taken and it fled to
  // the first; at most three.
  template <Color C>
  int liberties_after_flight(Cell flight, Cell taken) const {
    if (!is_playable<C>(stones_, flight)) return 0;
    FewCells<3> after;
    for (const int step : S::L::kOrthogonal) {
      const auto other = static_cast<Cell>(flight + step);
      if (stones_.color(other) == Color::Empty && other != taken) after.add(other);
      if (stones_.color(other) == C) {
        const Cell chain = stones_.chain(other);
        if (stones_.num_pairs(chain) > 16) return 3;  // five liberties at least, three besides these two
        for (const Cell liberty : few_liberties<5>(stones_, chain))
          if (liberty != flight && liberty != taken) after.add(liberty);
      }
      if (stones_.color(other) == opponent(C) && stones_.atari_liberty(stones_.chain(other)) == flight)
        after.add(other);
    }
    return static_cast<int>(after.size);
  }

  // An own chain with two liberties that an atari would endanger: make it three, or take an attacker.
  template <Color C>
  void strengthen_if_weak(Cell chain) {
    const ChainLiberties liberties = liberties_of(stones_, chain);
    if (liberties.number != 2) return;
    bool is_in_danger = false;
    for (std::size_t i = 0; i < 2; ++i) {
      const Cell attack = liberties.cells[i], flight = liberties.cells[1 - i];
      is_in_danger = is_in_danger || (is_playable<opponent(C)>(stones_, attack) &&
                                      liberties_after<opponent(C), 2>(stones_, attack) >= 2 &&
                                      liberties_after_flight<C>(flight, attack) <= 2);
    }
    if (!is_in_danger) return;
    for_each_capture_around<C>(stones_, chain, [&](Cell at, Cell) {
      if (is_playable<C>(stones_, at)) add(at);
    });
    for (const Cell liberty : liberties.cells)
      if (is_acceptable<C>(liberty) && liberties_after<C, 3>(stones_, liberty) >= 3) add(liberty);
  }

  template <Color C>
  void pattern_beside(Cell at) {
    if (at == kPass) return;
    const auto look = [&](int step) {
      const auto cell = static_cast<Cell>(at + step);
      if (stones_.color(cell) == Color::Empty && policy_.patterns.template matches<C>(stones_.code3x3(cell)) &&
          is_acceptable<C>(cell))
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

  template <Color C>
  void last_good_reply() {
    if (memory_ == nullptr || last_ == kPass) return;
    const std::int16_t reply = memory_->reply(index_of(C), point_of(last_));
    if (reply == PlayoutMemory::kNone) return;
    const Cell cell = S::L::cell(reply / stones_.width(), reply % stones_.width());
    if (is_acceptable<C>(cell)) add(cell);
  }
  std::int16_t point_of(Cell cell) const {
    return static_cast<std::int16_t>(S::L::row(cell) * stones_.width() + S::L::column(cell));
  }

  // --- what is refused ---

  // Would the same stones have two liberties or more if they moved to their last one instead? Then they are not inside.
  template <Color C>
  bool may_connect_out(Cell liberty) const {
    return liberty != kPass && is_playable<C>(stones_, liberty) && liberties_after<C, 3>(stones_, liberty) >= 3;
  }

  const S& stones_;
  const PlayoutPolicy& policy_;
  Rng& rng_;
  const PlayoutMemory* memory_;
  Learner<S>* learner_;
  bool has_escaped_ = false;  // the last move took the only liberty of own stones
  Cell last_ = kPass, before_last_ = kPass;
  Origin rule_ = Origin::Random;  // that is looking for moves
  Candidates found_;
};

}  // namespace tesuji::go
