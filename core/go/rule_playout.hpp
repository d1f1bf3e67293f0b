// One playout by a PlayoutPolicy: which of the moves that rules find is played. RuleChoice chooses, RulePlayout plays.
#pragma once

#include <cstddef>

#include "base/rng.hpp"
#include "go/playout.hpp"
#include "go/rule_moves.hpp"

namespace tesuji::go {

// How many moves a playout may have from here.
template <class S>
int longest_playout(const S& stones, const PlayoutPolicy& policy) {
  return static_cast<int>(policy.length_coefficient * static_cast<float>(stones.num_points()));
}

// Has `color`, who just moved, so many stones more that nobody need look further?
template <class S>
bool shows_mercy(const S& stones, const PlayoutPolicy& policy, Color color) {
  const int margin = color == Color::Black ? stones.stone_margin() : -stones.stone_margin();
  return policy.mercy_margin > 0 && margin >= policy.mercy_margin;
}

// The players of one playout. `S` must track atari.
template <class S>
class RuleChoice {
 public:
  // Without a memory there are no last good replies, without a learner nothing that was learnt.
  RuleChoice(S& stones, const PlayoutPolicy& policy, Rng& rng, const PlayoutMemory* memory = nullptr,
             Learner<S>* learner = nullptr)
      : stones_(stones), policy_(policy), rng_(rng), rules_(stones, policy, rng, memory, learner) {}

  void come_after(Cell last, Cell before_last) { rules_.come_after(last, before_last); }
  Cell last() const { return rules_.last(); }
  Origin origin() const { return origin_; }  // of the move just chosen

  // What a colour plays; kPass if nothing is left.
  template <Color C>
  Cell choose();

 private:
  bool happens(float probability) { return probability >= 1 || rng_.unit() < static_cast<double>(probability); }

  // --- methods ---

  template <Color C>
  Cell choose_in_order() {
    const bool is_found = policy_.rules.try_rules(rng_, [&](Origin rule) {
      found().clear();
      rules_.template add_moves_of<C>(rule);
      return !found().is_empty();
    });
    return is_found ? drawn() : kPass;
  }

  // Pividori 2015, section 9. Escapes come first; fill-board and patterns only while the list is short, patterns only
  // if no fill-board point was found; captures always.
  template <Color C>
  Cell choose_by_weight() {
    found().clear();
    rules_.template add_moves_of<C>(Origin::Escape);
    if (found().weight() < static_cast<std::uint32_t>(policy_.list_limit)) {
      const std::size_t before = found().size();
      rules_.template add_moves_of<C>(Origin::FillBoard);
      if (found().size() == before) rules_.template add_moves_of<C>(Origin::Pattern);
    }
    rules_.template add_moves_of<C>(Origin::Capture);
    return found().is_empty() ? kPass : drawn();
  }

  // Bouzy: the urgency of a move is what it captures and saves, plus a bonus for a pattern, plus one.
  template <Color C>
  Cell choose_by_urgency() {
    found().clear();
    for (int slot = 0; slot < stones_.num_empty(); ++slot) {
      const Cell cell = stones_.empty(slot);
      if (!rules_.acceptance().template is_acceptable<C>(cell)) continue;
      const Outcome outcome = outcome_of<C>(stones_, cell);
      int saved = 0;
      for_each_chain_around(stones_, cell, C, [&](Cell chain) {
        if (stones_.in_atari(chain) && outcome.liberties >= 2) saved += stones_.chain_size(chain);
      });
      const bool pattern = policy_.patterns.template matches<C>(stones_.code3x3(cell));
      const Origin origin = outcome.captured > 0 ? Origin::Capture
                            : saved > 0          ? Origin::Escape
                            : pattern            ? Origin::Pattern
                                                 : Origin::Random;
      found().add(cell, origin,
                  static_cast<std::uint32_t>(1 + 10 * (outcome.captured + saved) +
                                             (pattern ? static_cast<int>(policy_.pattern_urgency) : 0)));
    }
    return found().is_empty() ? kPass : drawn();
  }

  // Basaldúa, 4.6: each rule that finds moves draws whether it plays one; what they did not play comes before random
  // moves. Atari tactics are the surer the longer a ladder runs.
  template <Color C>
  Cell choose_by_skipping() {
    num_ataris_ = rules_.template is_after_atari<C>() ? num_ataris_ + 1 : 0;
    skipped_.clear();
    Cell cell = kPass;
    for (const RuleUse& use : policy_.rules.uses()) {
      rules_.template find<C>(use.rule);
      if (found().is_empty()) continue;
      const float share = use.rule == Origin::AtariTactics ? policy_.atari_probability(num_ataris_) : 1;
      if (happens(share * use.probability)) {
        cell = drawn();
        break;
      }
      found().move_to(skipped_, Origin::Skipped);
    }
    if (cell == kPass && !skipped_.is_empty()) cell = drawn_from(skipped_);
    if (cell == kPass) cell = choose_randomly<C>();
    if (cell == kPass) origin_ = Origin::Pass;
    rules_.template note_escape<C>(cell);
    return cell;
  }

  Cell drawn() { return drawn_from(found()); }
  Cell drawn_from(const Candidates& candidates) {
    const Candidates::Candidate& chosen = candidates.draw(rng_);
    origin_ = chosen.origin;
    return chosen.cell;
  }

  template <Color C>
  Cell choose_randomly() {
    origin_ = Origin::Random;
    const bool refuses = policy_.self_atari != SelfAtari::Allowed && happens(policy_.self_atari_probability);
    // A draw leaves out eyes; what looks like a false one is looked at again.
    const auto is_refused = [&](Cell c) {
      return is_eye_of_loop<C>(stones_, c) || (refuses && rules_.acceptance().template is_refused_self_atari<C>(c));
    };
    const Cell cell = policy_.eye_potential ? stones_.template draw_uniformly<C>(rng_, is_refused)
                                            : draw_with_complete_eyes<C>(is_refused);
    if (cell == kPass || !policy_.mends_eyes) return cell;
    const Cell better = mended<C>(cell);
    if (better != cell) origin_ = Origin::Mended;
    return better;
  }

  // The same where an eye with an empty diagonal may be filled. Rare, so it is not made fast.
  template <Color C, class Refuses>
  Cell draw_with_complete_eyes(const Refuses& is_refused) {
    found().clear();
    for (int slot = 0; slot < stones_.num_empty(); ++slot) {
      const Cell cell = stones_.empty(slot);
      if (is_playable<C>(stones_, cell) && !rules_.acceptance().template is_own_eye<C>(cell) && !is_refused(cell))
        found().add(cell, Origin::Random);
    }
    return found().is_empty() ? kPass : drawn();
  }

  // A random move with one empty neighbour, which itself has more: that one is better for shape and against it. Not if
  // the move captures.
  template <Color C>
  Cell mended(Cell cell) const {
    if (near::num_empty(stones_.around(cell)) != 1 || num_captured_by<C>(stones_, cell) > 0) return cell;
    for (const int step : S::L::kOrthogonal) {
      const auto other = static_cast<Cell>(cell + step);
      if (stones_.color(other) != Color::Empty) continue;
      const bool is_better = near::num_empty(stones_.around(other)) > 1 && other != stones_.ko();
      return is_better ? other : cell;
    }
    return cell;
  }

  Candidates& found() { return rules_.found(); }

  S& stones_;  // drawing reorders its empty points, and changes nothing else
  const PlayoutPolicy& policy_;
  Rng& rng_;
  RuleMoves<S> rules_;
  Origin origin_ = Origin::Random;
  Candidates skipped_;  // Skipping: found and not played
  int num_ataris_ = 0;  // Skipping: atari events in a row
};

template <class S>
template <Color C>
Cell RuleChoice<S>::choose() {
  Cell cell = kPass;
  switch (policy_.method) {
    case Method::Ordered:
      cell = choose_in_order<C>();
      break;
    case Method::Weighted:
      cell = choose_by_weight<C>();
      break;
    case Method::Urgency:
      cell = choose_by_urgency<C>();
      break;
    case Method::Skipping:
      return choose_by_skipping<C>();
  }
  if (cell == kPass) cell = choose_randomly<C>();
  if (cell == kPass) origin_ = Origin::Pass;
  return cell;
}

// Compiled once for each size of board (rule_playout.cpp): it is the largest part of what Go's searches are made of.
extern template Cell RuleChoice<Stones<9, kTactical>>::choose<Color::Black>();
extern template Cell RuleChoice<Stones<9, kTactical>>::choose<Color::White>();
extern template Cell RuleChoice<Stones<13, kTactical>>::choose<Color::Black>();
extern template Cell RuleChoice<Stones<13, kTactical>>::choose<Color::White>();
extern template Cell RuleChoice<Stones<19, kTactical>>::choose<Color::Black>();
extern template Cell RuleChoice<Stones<19, kTactical>>::choose<Color::White>();
extern template Cell RuleChoice<Stones<kMaxSize, kTactical>>::choose<Color::Black>();
extern template Cell RuleChoice<Stones<kMaxSize, kTactical>>::choose<Color::White>();

template <class S>
class RulePlayout {
 public:
  RulePlayout(S& stones, const PlayoutPolicy& policy, Rng& rng, const PlayoutMemory* memory = nullptr)
      : stones_(stones), policy_(policy), choice_(stones, policy, rng, memory) {}

  // Plays to the end; `last` and `before_last` are the moves that led here, `record` hears (cell, colour, origin).
  template <class Record>
  void run(Color to_play, int passes, Cell last, Cell before_last, const Record& record) {
    int moves_left = longest_playout(stones_, policy_);
    choice_.come_after(last, before_last);
    for (Color color = to_play; passes < 2 && moves_left > 0; color = opponent(color), --moves_left) {
      const Cell cell = color == Color::Black ? step<Color::Black>() : step<Color::White>();
      record(cell, color, choice_.origin());
      passes = cell == kPass ? passes + 1 : 0;
      choice_.come_after(cell, choice_.last());
      if (shows_mercy(stones_, policy_, color)) return;
    }
  }

 private:
  template <Color C>
  Cell step() {
    const Cell cell = choice_.template choose<C>();
    if (cell == kPass)
      stones_.pass();
    else
      stones_.template play<C>(cell);
    return cell;
  }

  S& stones_;
  const PlayoutPolicy& policy_;
  RuleChoice<S> choice_;
};

}  // namespace tesuji::go
