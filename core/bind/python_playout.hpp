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
#include <type_traits>
#include <utility>
#include <vector>

#include "base/rng.hpp"
#include "bind/python_game.hpp"
#include "games/compiled.hpp"
#include "games/dynamic.hpp"
#include "games/pgame.hpp"
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

// Python sees a game as its own object, or as a copy; some it does not see.
template <Game G>
inline constexpr bool kIsShown = !std::is_same_v<G, CompiledGame> && !std::is_same_v<G, PGamePosition>;

template <Game G>
class PythonPlayout final : public PlayoutPolicy<G> {
 public:
  explicit PythonPlayout(const PythonPlayouts& functions) : held_(std::make_unique<PythonPlayouts>(functions)) {
    if constexpr (std::is_same_v<G, CompiledGame>)
      throw std::invalid_argument(
          "a playout policy in plain Python does not see a compiled game's states; compile it: "
          "tesuji.games.CompiledPlayouts(game, step=...)");
    else if (!std::is_same_v<G, DynamicGame> && (!kIsShown<G> || !nb::type<G>().is_valid()))
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
  void begin(const G& state, std::span<const PlayedMove> walk, PlayoutScratch*, Rng&) override {
    if (held_->begin.is_none()) return;
    const nb::gil_scoped_acquire hold;
    held_->begin(shown(state), listed(walk));
  }
  PlayoutStep step(G& state, PlayoutScratch* scratch, Rng& rng) override {
    if (state.is_over()) return PlayoutStep::ended(state.value());
    const nb::gil_scoped_acquire hold;
    Scratch& own = static_cast<Scratch&>(*scratch);
    own.stream->rng.resume(rng.state());
    const nb::object answer = held_->step(shown(state), own.random);
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
  void new_root(const G& state) override {
    if (held_->new_root.is_none()) return;
    const nb::gil_scoped_acquire hold;
    held_->new_root(shown(state));
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

  static nb::object shown([[maybe_unused]] const G& state) {
    if constexpr (std::is_same_v<G, DynamicGame>)
      return static_cast<const PythonGame&>(state.game()).object();
    else if constexpr (kIsShown<G>)
      return nb::cast(state, nb::rv_policy::copy);
    else
      return nb::none();
  }
  static nb::list listed(std::span<const PlayedMove> moves) {
    nb::list list;
    for (const PlayedMove& played : moves) list.append(nb::cast(played));
    return list;
  }
  static double checked_value(nb::handle answer, [[maybe_unused]] const G& state) {
    const double value = nb::cast<EndPlayout>(answer).value;
    Goal goal = Goal::TwoPlayers;
    if constexpr (HasGoal<G>) goal = state.goal();
    if (goal == Goal::TwoPlayers && !(value >= 0 && value <= 1))
      throw std::invalid_argument("the playout policy ended a playout with " + std::to_string(value) +
                                  "; values lie in 0..1, the first player's view");
    if (!std::isfinite(value))
      throw std::invalid_argument("the playout policy ended a playout with " + std::to_string(value) +
                                  "; a value must be a finite number");
    return value;
  }
  static Move checked_move(nb::handle answer, const G& state) {
    Move move = kNoMove;
    if (!nb::try_cast<Move>(answer, move) || nb::isinstance<nb::bool_>(answer))
      throw std::invalid_argument("the playout policy returned " + nb::cast<std::string>(nb::repr(answer)) +
                                  "; step() must return a move, a whole number, or EndPlayout(value)");
    if (!is_legal_move(state, move))
      throw std::invalid_argument("the playout policy returned move " + std::to_string(move) +
                                  ", which is not legal in " + nb::cast<std::string>(nb::repr(shown(state))) +
                                  "; step() must return one of legal_moves()");
    return move;
  }

  std::unique_ptr<PythonPlayouts> held_;
};

}  // namespace tesuji::bind
