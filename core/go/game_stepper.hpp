// A playout of Go move by move, for whoever looks at it between two moves: a table of known positions, a record. From
// the same random numbers its moves and its worth are those of GoGame::play_out(), which is the faster.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>

#include "base/rng.hpp"
#include "games/game.hpp"
#include "go/played_moves.hpp"
#include "go/playout.hpp"
#include "go/rule_playout.hpp"
#include "go/score.hpp"

namespace tesuji::go {

template <class G>
class GoStepper {
 public:
  explicit GoStepper(const G& state) : moves_left_(longest(state)), played_(last_point(state), learns(state)) {
    if constexpr (kHasRules)
      moves_noted_ = static_cast<int>(policy(state).amaf_share * static_cast<float>(state.stones_.num_empty()));
  }

  // Two passes, too many moves, or mercy; what the playout has taught is then remembered.
  std::optional<double> end(const G& state) {
    bool is_over = state.passes_ >= 2 || moves_left_ <= 0;
    if constexpr (kHasRules) {
      is_over |= has_moved_ && shows_mercy(state.stones_, policy(state), opponent(state.to_play_));
      if (is_over) return state.judged(played_);
    } else {
      if (is_over) return state.value_of(area_margin_at_end(state.stones_));
    }
    return std::nullopt;
  }

  Move next(G& state, Rng& rng) {
    const Cell cell =
        state.to_play_ == Color::Black ? choose<Color::Black>(state, rng) : choose<Color::White>(state, rng);
    has_moved_ = true;
    --moves_left_;
    --moves_noted_;
    const Move move = cell == kPass ? state.pass_move() : state.point_of(cell);
    if constexpr (kHasRules)
      played_.add(cell == kPass ? PlayoutMemory::kNone : static_cast<std::int16_t>(move), state.to_play_);
    return move;
  }

  bool is_noted() const { return !kHasRules || moves_noted_ >= 0; }

 private:
  using S = typename G::S;
  static constexpr bool kHasRules = HasPriors<G>;
  struct NoChoice {};
  using Choice = std::conditional_t<kHasRules, RuleChoice<S>, NoChoice>;

  static const PlayoutPolicy& policy(const G& state) { return state.context_->knowledge.policy; }
  static bool learns(const G& state) { return kHasRules && policy(state).learns_replies(); }
  static int longest(const G& state) {
    return kHasRules ? longest_playout(state.stones_, policy(state))
                     : standard_limits(state.stones_.num_points()).max_moves;
  }
  static std::int16_t last_point(const G& state) {
    return state.last() == kPass ? PlayoutMemory::kNone : static_cast<std::int16_t>(state.point_of(state.last()));
  }

  template <Color C>
  Cell choose(G& state, Rng& rng) {
    if constexpr (kHasRules) {
      if (!choice_ || chosen_for_ != &state) {  // a decorator may ask about a copy of the state
        choice_.emplace(state.stones_, policy(state), rng, state.context_->memory.get());
        chosen_for_ = &state;
      }
      choice_->come_after(state.last(), state.before_last());
      return choice_->template choose<C>();
    } else {
      return state.stones_.template draw_uniformly<C>(rng, RefuseNothing{});
    }
  }

  int moves_left_, moves_noted_ = 0;
  bool has_moved_ = false;
  PlayedMoves played_;
  std::optional<Choice> choice_;   // of a state and the random numbers of the playout
  const G* chosen_for_ = nullptr;  // that state
};

}  // namespace tesuji::go
