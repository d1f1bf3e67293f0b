// A playout policy compiled from Python: C functions over the record of a compiled game, made by
// tesuji.games.compiled_playouts. They keep the convention of compiled.hpp: a status, 0 if all is well, and `fail`
// throws for any other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "games/compiled.hpp"
#include "games/playout.hpp"

namespace tesuji {

// What a compiled policy consists of.
struct CompiledSteps {
  using Status = CompiledRules::Status;

  std::shared_ptr<const CompiledRules> rules;  // of the only game it can play
  // One step on a state that is not over. `moves` has room for all moves. `move` is the one that was played, or kNoMove
  // if the playout ends here, worth `value`.
  Status (*step)(std::byte* record, std::uint64_t* random, Move* moves, Move* move, double* value) = nullptr;
  // All steps, as CompiledRules::playout.
  decltype(CompiledRules::playout) playout = nullptr;
  std::function<void(const CompiledRules::Failure&)> fail;  // throws
};

class CompiledPlayout final : public PlayoutPolicy<CompiledGame> {
 public:
  explicit CompiledPlayout(std::shared_ptr<const CompiledSteps> steps) : steps_(std::move(steps)) {}

  std::unique_ptr<PlayoutScratch> make_scratch() const override { return std::make_unique<Scratch>(); }

  // The functions know the record of one game only.
  void new_root(const CompiledGame& state) override {
    if (&state.rules() != steps_->rules.get())
      throw std::invalid_argument("these playouts were compiled for another game; compile them for this one");
  }
  void begin(const CompiledGame& state, std::span<const PlayedMove>, PlayoutScratch* scratch, Rng&) override {
    new_root(state);
    static_cast<Scratch&>(*scratch).moves.resize(static_cast<std::size_t>(state.num_distinct_moves()));
  }

  PlayoutStep step(CompiledGame& state, PlayoutScratch* scratch, Rng& rng) override {
    if (state.is_over()) return PlayoutStep::ended(state.value());
    const CompiledGame before(state);
    const std::uint64_t random = rng.state();
    Move move = kNoMove;
    double value = 0;
    check(
        "step",
        steps_->step(state.record().data(), &rng.state(), static_cast<Scratch&>(*scratch).moves.data(), &move, &value),
        before, random);
    return move == kNoMove ? PlayoutStep::ended(value) : PlayoutStep::played(move);
  }

  double finish(CompiledGame& state, PlayoutScratch* scratch, Rng& rng, PlayoutRecord& record) override {
    if (record.log() != nullptr) return PlayoutPolicy<CompiledGame>::finish(state, scratch, rng, record);
    const CompiledGame before(state);
    const std::uint64_t random = rng.state();
    MadeMoves* const made = record.made();
    std::uint64_t nothing = 0;
    double value = 0;
    check("playout",
          steps_->playout(state.record().data(), &rng.state(), static_cast<Scratch&>(*scratch).moves.data(),
                          made ? made->masks(0) : &nothing, made ? made->masks(1) : &nothing, made != nullptr, &value),
          before, random);
    return value;
  }

 private:
  struct Scratch final : PlayoutScratch {
    MoveList moves;
  };

  void check(const char* function, CompiledSteps::Status status, const CompiledGame& before,
             std::uint64_t random) const {
    if (status == 0) return;
    steps_->fail({function, status, before.record(), kNoMove, random});
    throw std::logic_error(std::string(function) + " of a compiled playout failed");
  }

  const std::shared_ptr<const CompiledSteps> steps_;
};

}  // namespace tesuji
