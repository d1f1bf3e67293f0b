// A decorator that stops a playout at a known position: one whose results weigh enough ends it with their mean. It may
// also learn: every playout's value is then added to the positions that it went through.
//
// A playout that was stopped is worth what the table says, and that too is added to the positions before the known one,
// never to the known one itself: no position confirms itself. It needs steps, so a game's playout in one piece is not
// used; a game that does not divide its playout is looked at once, where it begins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "games/playout_decorator.hpp"
#include "search/known_positions.hpp"

namespace tesuji {

struct StopOptions {
  std::uint32_t min_weight = 16;  // from which on a position ends a playout
  bool learns = true;
};

template <Game G>
class StopAtKnown final : public PlayoutDecorator<G> {
 public:
  StopAtKnown(std::shared_ptr<PlayoutPolicy<G>> inner, std::shared_ptr<KnownPositions> positions, StopOptions options)
      : PlayoutDecorator<G>(std::move(inner)), positions_(std::move(positions)), options_(options) {
    if (options.min_weight < 1)
      throw std::invalid_argument("min_weight is 0; a position of which nothing is known cannot end a playout");
  }

  std::unique_ptr<PlayoutScratch> make_scratch() const override {
    auto scratch = std::make_unique<Scratch>();
    scratch->inner = this->inner().make_scratch();
    return scratch;
  }
  void begin(const G& state, std::span<const PlayedMove> walk, PlayoutScratch* scratch, Rng& rng) override {
    own(scratch).passed.clear();
    this->inner().begin(state, walk, own(scratch).inner.get(), rng);
  }
  PlayoutStep step(G& state, PlayoutScratch* scratch, Rng& rng) override {
    if (state.is_over()) return this->inner().step(state, own(scratch).inner.get(), rng);
    const StateKey key = key_of(state);
    if (const auto known = positions_->find(key); known.weight >= options_.min_weight)
      return PlayoutStep::ended(known.mean());
    if (options_.learns) own(scratch).passed.push_back(key);
    return this->inner().step(state, own(scratch).inner.get(), rng);
  }
  double finish(G& state, PlayoutScratch* scratch, Rng& rng, PlayoutRecord& record) override {
    return PlayoutPolicy<G>::finish(state, scratch, rng, record);
  }
  void observe(std::span<const PlayedMove> walk, std::span<const PlayedMove> moves, double value,
               PlayoutScratch* scratch) override {
    for (const StateKey& key : own(scratch).passed) positions_->add(key, value);
    PlayoutDecorator<G>::observe(walk, moves, value, own(scratch).inner.get());
  }
  bool wants_result() const override { return options_.learns || this->inner().wants_result(); }

  // The table's bytes follow the other policy's, which follow their number.
  std::vector<std::byte> save() const override {
    const std::vector<std::byte> inner = this->inner().save(), own = positions_->save();
    const std::uint64_t number = inner.size();
    std::vector<std::byte> all(sizeof number);
    std::memcpy(all.data(), &number, sizeof number);
    all.insert(all.end(), inner.begin(), inner.end());
    all.insert(all.end(), own.begin(), own.end());
    return all;
  }
  void load(std::span<const std::byte> saved) override {
    std::uint64_t number = 0;
    if (saved.size() < sizeof number) throw std::invalid_argument("what playouts remember is too short to be read");
    std::memcpy(&number, saved.data(), sizeof number);
    saved = saved.subspan(sizeof number);
    if (number > saved.size()) throw std::invalid_argument("what playouts remember ends in the middle");
    positions_->load(saved.subspan(number));
    this->inner().load(saved.first(number));
  }

 private:
  struct Scratch final : PlayoutScratch {
    std::unique_ptr<PlayoutScratch> inner;
    std::vector<StateKey> passed;
  };
  static Scratch& own(PlayoutScratch* scratch) { return static_cast<Scratch&>(*scratch); }

  const std::shared_ptr<KnownPositions> positions_;
  const StopOptions options_;
};

}  // namespace tesuji
