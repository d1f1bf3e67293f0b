// Playouts that learn, on the seam of playout policies: the moves of a go::PlayoutPolicy whose rules look into tables
// of what won before, and the tables taught when a playout has ended (Basaldúa, 4.7). Tables are shared by all threads;
// each thread has a board, a learner and a chooser of its own.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "games/playout.hpp"
#include "go/fates.hpp"
#include "go/game.hpp"
#include "go/learner.hpp"
#include "go/rule_playout.hpp"

namespace tesuji::go {

template <int Capacity>
class LearningPlayout final : public tesuji::PlayoutPolicy<GoGame<Capacity, kTactical>> {
 public:
  using G = GoGame<Capacity, kTactical>;
  using S = typename G::S;

  LearningPlayout(std::shared_ptr<LearningTables> tables, const PlayoutPolicy& policy)
      : tables_(std::move(tables)), policy_(policy) {}

  std::unique_ptr<PlayoutScratch> make_scratch() const override { return std::make_unique<Players>(*tables_, policy_); }

  void begin(const G& state, std::span<const PlayedMove>, PlayoutScratch* scratch, Rng&) override {
    players(scratch).begin(state);
  }

  PlayoutStep step(G& state, PlayoutScratch* scratch, Rng& rng) override {
    Players& players = this->players(scratch);
    if (players.is_over()) return PlayoutStep::ended(players.value(state));
    const Cell cell = players.step(rng);
    const Move move = cell == kPass ? state.pass_move() : state.point_of(cell);
    state.play(move);
    PlayoutStep step = PlayoutStep::played(move, cell == kPass ? 0 : players.last_context());
    step.is_noted = players.is_noted();
    return step;
  }

  double finish(G& state, PlayoutScratch* scratch, Rng& rng, PlayoutRecord& record) override {
    Players& players = this->players(scratch);
    while (!players.is_over()) {
      const int player = index_of(players.to_play());
      const Cell cell = players.step(rng);
      if (record.wants_moves())
        record.add(cell == kPass ? state.pass_move() : state.point_of(cell), player,
                   cell == kPass ? 0 : players.last_context(), players.is_noted());
    }
    return players.value(state);
  }

  void observe(std::span<const PlayedMove>, std::span<const PlayedMove>, double value,
               PlayoutScratch* scratch) override {
    players(scratch).end(value);
  }
  bool wants_result() const override { return true; }

  void new_root(const G& state) override {
    if (!tables_->options().is_kept) tables_->clear();
    if (tables_->options().fate_limit > 0) tables_->set_fates(fates_of(state.stones()));
  }
  std::vector<std::byte> save() const override { return tables_->save(); }
  void load(std::span<const std::byte> saved) override { tables_->load(saved); }

 private:
  // One thread's board and what plays on it.
  class Players final : public PlayoutScratch {
   public:
    Players(LearningTables& tables, const PlayoutPolicy& policy)
        : tables_(tables), policy_(policy), stones_(tables.width(), tables.height()), rng_(0), learner_(tables) {}

    void begin(const G& state) {
      stones_ = state.stones();
      to_play_ = state.to_play() == 0 ? Color::Black : Color::White;
      passes_ = state.passes();
      moves_left_ = longest_playout(stones_, policy_);
      moves_noted_ = static_cast<int>(policy_.amaf_share * static_cast<float>(stones_.num_empty()));
      has_mercy_ = false;
      learner_.begin(stones_, state.last());
      choice_.emplace(stones_, policy_, rng_, nullptr, &learner_);
      choice_->come_after(state.last(), state.before_last());
      origins_.fill(0);
      learned_moves_ = {};
    }

    bool is_over() const { return passes_ >= 2 || moves_left_ <= 0 || has_mercy_; }
    Color to_play() const { return to_play_; }
    std::uint32_t last_context() const { return last_context_; }
    bool is_noted() const { return moves_noted_ >= 0; }  // does AMAF hear of the move just made?
    double value(const G& state) const { return state.playout_value(stones_); }

    Cell step(Rng& rng) {
      rng_ = rng;
      const Cell cell = to_play_ == Color::Black ? play<Color::Black>() : play<Color::White>();
      rng = rng_;
      return cell;
    }

    // A drawn playout teaches nothing.
    void end(double value) {
      if (value != 0.5) {
        learner_.learn(value > 0.5);
        tables_.thresholds().count_result(value > 0.5);
      }
      tables_.count_origins(origins_);
      tables_.count_playout(learned_moves_);
    }

   private:
    template <Color C>
    Cell play() {
      const Cell cell = choice_->template choose<C>();
      last_context_ = learner_.context(cell);
      learner_.template note<C>(cell);
      if (cell == kPass)
        stones_.pass();
      else
        stones_.template play<C>(cell);
      learner_.template follow<C>(stones_, cell);
      choice_->come_after(cell, choice_->last());
      count(choice_->origin());
      passes_ = cell == kPass ? passes_ + 1 : 0;
      --moves_left_;
      --moves_noted_;
      has_mercy_ = shows_mercy(stones_, policy_, C);
      to_play_ = opponent(C);
      return cell;
    }
    void count(Origin origin) {
      ++origins_[static_cast<std::size_t>(origin)];
      if (origin == Origin::Node) ++learned_moves_[LearningThresholds::kNodes][index_of(to_play_)];
      if (origin == Origin::Edge) ++learned_moves_[LearningThresholds::kEdges][index_of(to_play_)];
    }

    LearningTables& tables_;
    const PlayoutPolicy& policy_;
    S stones_;
    Rng rng_;  // the stream of the moment: the chooser holds on to it
    Learner<S> learner_;
    std::optional<RuleChoice<S>> choice_;
    Color to_play_ = Color::Black;
    int passes_ = 0, moves_left_ = 0, moves_noted_ = 0;
    bool has_mercy_ = false;
    std::uint32_t last_context_ = 0;
    std::array<std::uint32_t, kNumOrigins> origins_{};
    std::array<std::array<std::uint32_t, 2>, 2> learned_moves_{};
  };

  static Players& players(PlayoutScratch* scratch) { return static_cast<Players&>(*scratch); }

  const std::shared_ptr<LearningTables> tables_;
  const PlayoutPolicy policy_;
};

}  // namespace tesuji::go
