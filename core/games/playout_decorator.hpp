// A playout policy around another one. Everything is the other's; a decorator overrides what it adds. They compose at
// run time, in any order and over any policy.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "games/game_playout.hpp"
#include "games/playout.hpp"

namespace tesuji {

template <Game G>
class PlayoutDecorator : public PlayoutPolicy<G> {
 public:
  // Null: around the game's own playout.
  explicit PlayoutDecorator(std::shared_ptr<PlayoutPolicy<G>> inner)
      : inner_(inner != nullptr ? std::move(inner) : std::make_shared<GamePlayout<G>>()) {}

  std::unique_ptr<PlayoutScratch> make_scratch() const override { return inner_->make_scratch(); }
  void begin(const G& state, std::span<const PlayedMove> walk, PlayoutScratch* scratch, Rng& rng) override {
    inner_->begin(state, walk, scratch, rng);
  }
  PlayoutStep step(G& state, PlayoutScratch* scratch, Rng& rng) override { return inner_->step(state, scratch, rng); }
  double finish(G& state, PlayoutScratch* scratch, Rng& rng, PlayoutRecord& record) override {
    return inner_->finish(state, scratch, rng, record);
  }
  void observe(std::span<const PlayedMove> walk, std::span<const PlayedMove> moves, double value,
               PlayoutScratch* scratch) override {
    if (inner_->wants_result()) inner_->observe(walk, inner_->wants_moves() ? moves : moves.first(0), value, scratch);
  }
  bool wants_result() const override { return inner_->wants_result(); }
  bool wants_moves() const override { return inner_->wants_moves(); }
  bool gives_priors() const override { return inner_->gives_priors(); }
  void set_priors(const G& state, std::span<const Move> moves, std::span<float> priors) const override {
    inner_->set_priors(state, moves, priors);
  }
  bool is_news(const PlayoutScratch* scratch) const override { return inner_->is_news(scratch); }

  void new_root(const G& state) override { inner_->new_root(state); }
  std::vector<std::byte> save() const override { return inner_->save(); }
  void load(std::span<const std::byte> saved) override { inner_->load(saved); }

 protected:
  PlayoutPolicy<G>& inner() { return *inner_; }
  const PlayoutPolicy<G>& inner() const { return *inner_; }

 private:
  const std::shared_ptr<PlayoutPolicy<G>> inner_;
};

}  // namespace tesuji
