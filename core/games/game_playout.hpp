// A game's own playout as a policy: in one piece where nobody looks, move by move where somebody does. A game that
// brings none plays every legal move with equal probability.
//
// A game that brings a playout and does not divide it (no Stepper) plays all of it in one step, which ends it: a
// decorator then sees the first state only, and a record by steps has no moves.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "games/game.hpp"
#include "games/playout.hpp"

namespace tesuji {

// The game's own playout without a policy around it: what a search with nothing else to do calls directly.
template <Game G>
double play_out_whole(G& state, Rng& rng, MadeMoves* made, MoveList& scratch) {
  if constexpr (HasPlayout<G>)
    return state.play_out(rng, made);
  else
    return play_out_uniformly(state, rng, made, scratch);
}

// Which playouts in one piece are logged: those for one player, of which all are, and those that have no steps. Where a
// log is rare its steps will do, and a second copy of the playout would cost the first one its inlining.
template <class G>
concept LogsPlayout = (HasGoal<G> || !HasStepper<G>) && requires(G& game, Rng& rng, PlayoutRecord* record) {
  { game.play_out(rng, record) } -> std::convertible_to<double>;
};

template <Game G>
class GamePlayout final : public PlayoutPolicy<G> {
 public:
  std::unique_ptr<PlayoutScratch> make_scratch() const override { return std::make_unique<Scratch>(); }

  void begin(const G& state, std::span<const PlayedMove>, PlayoutScratch* scratch, Rng&) override {
    own(scratch).begin(state);
  }

  PlayoutStep step(G& state, PlayoutScratch* scratch, Rng& rng) override {
    if (const auto value = own(scratch).end(state)) return PlayoutStep::ended(*value);
    const Move move = own(scratch).next(state, rng);
    if (move == kNoMove) return PlayoutStep::ended(play_out_whole(state, rng, nullptr, own(scratch).moves));
    state.play(move);
    PlayoutStep step = PlayoutStep::played(move);
    step.is_noted = own(scratch).is_noted();
    return step;
  }

  double finish(G& state, PlayoutScratch* scratch, Rng& rng, PlayoutRecord& record) override {
    if (record.log() == nullptr) return play_out_whole(state, rng, record.made(), own(scratch).moves);
    if constexpr (LogsPlayout<G>)
      return state.play_out(rng, &record);
    else
      return PlayoutPolicy<G>::finish(state, scratch, rng, record);
  }

 private:
  struct Nothing {};
  template <class T>
  struct StepperOf {
    using Type = Nothing;
  };
  template <HasStepper T>
  struct StepperOf<T> {
    using Type = typename T::Stepper;
  };

  struct Scratch final : PlayoutScratch {
    void begin([[maybe_unused]] const G& state) {
      if constexpr (HasStepper<G>) stepper.emplace(state);
    }
    std::optional<double> end(const G& state) {
      if constexpr (EndsPlayout<G>)
        return stepper->end(state);
      else
        return state.is_over() ? std::optional<double>(state.value()) : std::nullopt;
    }
    bool is_noted() const {
      if constexpr (EndsPlayout<G>)
        return stepper->is_noted();
      else
        return true;
    }
    Move next([[maybe_unused]] G& state, [[maybe_unused]] Rng& rng) {
      if constexpr (HasStepper<G>)
        return stepper->next(state, rng);
      else if constexpr (HasPlayout<G>)
        return kNoMove;
      else
        return uniform_move(state, rng, moves);
    }

    std::optional<typename StepperOf<G>::Type> stepper;
    MoveList moves;
  };

  static Scratch& own(PlayoutScratch* scratch) { return static_cast<Scratch&>(*scratch); }
};

}  // namespace tesuji
