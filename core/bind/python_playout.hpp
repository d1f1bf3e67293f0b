// A playout policy written in Python. Every call holds the GIL; what it returns is checked here.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.hpp"
#include "bind/game_face.hpp"
#include "games/dynamic.hpp"
#include "games/playout.hpp"

namespace tesuji::bind {

// Where a policy draws from: the stream of the thread that plays out. It holds a copy, so one that is kept too long
// draws from nobody's stream.
struct RandomStream {
  explicit RandomStream(std::uint64_t seed) : rng(seed) {}
  Rng rng;
};

// What a step returns to end a playout.
struct EndPlayout {
  double value;
};

// Functions of a policy: step(state, random), and begin(state, walk), observe(walk, moves, value), new_root(state) or
// None.
struct PythonPlayouts {
  nb::object step, begin, observe, new_root;
};

class PythonPlayout final : public PlayoutPolicy<DynamicGame> {
 public:
  PythonPlayout(const PythonPlayouts& functions, const GameFace& face)
      : face_(face), held_(std::make_unique<PythonPlayouts>(functions)) {
    if (face.is_compiled)
      throw std::invalid_argument(
          "a playout policy in plain Python does not see a compiled game's states; compile it: "
          "tesuji.games.CompiledPlayouts(game, step=...)");
    if (face.shown == nullptr)
      throw std::invalid_argument(
          "a playout policy in plain Python does not see the states of this game; write it in C++ on "
          "core/games/playout.hpp");
  }
  ~PythonPlayout() override {
    const nb::gil_scoped_acquire hold;
    held_.reset();
  }

  std::unique_ptr<PlayoutScratch> make_scratch() const override {
    const nb::gil_scoped_acquire hold;
    return std::make_unique<Scratch>();
  }
  void begin(const DynamicGame& state, std::span<const PlayedMove> walk, PlayoutScratch*, Rng&) override {
    if (held_->begin.is_none()) return;
    const nb::gil_scoped_acquire hold;
    held_->begin(face_.shown(state), listed(walk));
  }
  PlayoutStep step(DynamicGame& state, PlayoutScratch* scratch, Rng& rng) override {
    if (state.is_over()) return PlayoutStep::ended(state.value());
    const nb::gil_scoped_acquire hold;
    Scratch& own = static_cast<Scratch&>(*scratch);
    own.stream->rng.resume(rng.state());
    const nb::object answer = held_->step(face_.shown(state), own.random);
    rng.resume(own.stream->rng.state());
    if (nb::isinstance<EndPlayout>(answer)) return PlayoutStep::ended(checked_value(answer, state));
    const Move move = checked_move(answer, state);
    state.play(move);
    return PlayoutStep::played(move);
  }
  void observe(std::span<const PlayedMove> walk, std::span<const PlayedMove> moves, double value,
               PlayoutScratch*) override {
    const nb::gil_scoped_acquire hold;
    held_->observe(listed(walk), listed(moves), value);
  }
  bool wants_result() const override { return !held_->observe.is_none(); }
  bool wants_moves() const override { return wants_result(); }
  void new_root(const DynamicGame& state) override {
    if (held_->new_root.is_none()) return;
    const nb::gil_scoped_acquire hold;
    held_->new_root(face_.shown(state));
  }

 private:
  struct Scratch final : PlayoutScratch {
    Scratch() : random(nb::cast(RandomStream(0))), stream(nb::cast<RandomStream*>(random)) {}
    ~Scratch() override {
      const nb::gil_scoped_acquire hold;
      random.reset();
    }
    nb::object random;
    RandomStream* stream;
  };

  static nb::list listed(std::span<const PlayedMove> moves) {
    nb::list list;
    for (const PlayedMove& played : moves) list.append(nb::cast(played));
    return list;
  }
  static double checked_value(nb::handle answer, const DynamicGame& state) {
    const double value = nb::cast<EndPlayout>(answer).value;
    if (state.goal() == Goal::TwoPlayers && !(value >= 0 && value <= 1))
      throw std::invalid_argument("the playout policy ended a playout with " + std::to_string(value) +
                                  "; values lie in 0..1, the first player's view");
    if (!std::isfinite(value))
      throw std::invalid_argument("the playout policy ended a playout with " + std::to_string(value) +
                                  "; a value must be a finite number");
    return value;
  }
  Move checked_move(nb::handle answer, const DynamicGame& state) const {
    Move move = kNoMove;
    if (!nb::try_cast<Move>(answer, move) || nb::isinstance<nb::bool_>(answer))
      throw std::invalid_argument("the playout policy returned " + nb::cast<std::string>(nb::repr(answer)) +
                                  "; step() must return a move, a whole number, or EndPlayout(value)");
    if (!is_legal_move(state, move))
      throw std::invalid_argument("the playout policy returned move " + std::to_string(move) +
                                  ", which is not legal in " + nb::cast<std::string>(nb::repr(face_.shown(state))) +
                                  "; step() must return one of legal_moves()");
    return move;
  }

  const GameFace face_;
  std::unique_ptr<PythonPlayouts> held_;
};

}  // namespace tesuji::bind
