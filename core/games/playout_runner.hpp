// Playouts as one thread of a search runs them: begin, finish, observe. It owns the thread's scratch and the log of the
// last playout's moves; the policy is shared with the other threads.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/attributes.hpp"
#include "games/game_playout.hpp"
#include "games/playout.hpp"

namespace tesuji {

template <Game G>
class PlayoutRunner {
 public:
  // Without a policy it is the game's own playout, called as directly as if there were no policies. `keeps_moves`: is
  // moves() wanted, as a search for one player does?
  explicit PlayoutRunner(std::shared_ptr<PlayoutPolicy<G>> policy = nullptr, bool keeps_moves = false)
      : is_plain_(policy == nullptr && !keeps_moves),
        has_policy_(policy != nullptr),
        policy_(has_policy_ ? std::move(policy) : std::make_shared<GamePlayout<G>>()),
        scratch_(policy_->make_scratch()),
        wants_result_(policy_->wants_result()),
        keeps_moves_(keeps_moves || (wants_result_ && policy_->wants_moves())) {}

  // Does anybody read `walk`? If not, an empty one will do.
  bool wants_walk() const { return has_policy_; }

  // Plays `state`, which is not over, to the end of a playout; `walk` are the simulation's moves from the root to it.
  // AMAF's moves are added to `made` unless it is null.
  double run(G& state, std::span<const PlayedMove> walk, Rng& rng, MadeMoves* made) {
    if (is_plain_) return play_out_whole(state, rng, made, uniform_scratch_);
    return run_policy(state, walk, rng, made);
  }

  // Did the last playout tell anything new?
  bool is_news() const { return is_news_; }
  // The moves of the last playout in their order, if they are kept.
  std::span<const PlayedMove> moves() const { return log_; }
  // There was no playout.
  void forget_moves() { log_.clear(); }

 private:
  TESUJI_NEVER_INLINE double run_policy(G& state, std::span<const PlayedMove> walk, Rng& rng, MadeMoves* made) {
    log_.clear();
    PlayoutRecord record(made, keeps_moves_ ? &log_ : nullptr);
    policy_->begin(state, walk, scratch_.get(), rng);
    const double value = policy_->finish(state, scratch_.get(), rng, record);
    if (wants_result_) {
      const std::span<const PlayedMove> moves = log_;
      policy_->observe(walk, policy_->wants_moves() ? moves : moves.first(0), value, scratch_.get());
    }
    is_news_ = policy_->is_news(scratch_.get());
    return value;
  }

  const bool is_plain_, has_policy_;
  const std::shared_ptr<PlayoutPolicy<G>> policy_;
  const std::unique_ptr<PlayoutScratch> scratch_;
  const bool wants_result_, keeps_moves_;
  bool is_news_ = true;
  std::vector<PlayedMove> log_;
  MoveList uniform_scratch_;
};

}  // namespace tesuji
