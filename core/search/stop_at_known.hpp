// What simulations find out about positions is kept in a table and used again: the four uses of the BTT-Go paper, each
// of which can be left out. See docs/algorithms/transposition-memory.md.
//
// - Expansion: the mean of a known position is the prior of the move that leads to it.
// - Stopping: a playout that meets a known position ends there, with its mean.
// - Back-up: a playout that was stopped is worth that mean, or is counted as a visit that brings no news.
// - Learning: a simulation's value is added to the positions of its playout, and of its walk through the graph.
//
// A playout that was stopped never adds to the position that stopped it: no position confirms itself. It needs steps,
// so a game's playout in one piece is not used; a game that does not divide its playout is looked at once, where it
// begins. While the board at the root is emptier than asked, it is as if it were not there, and playouts are in one
// piece.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "games/playout_decorator.hpp"
#include "search/known_positions.hpp"

namespace tesuji {

struct StopOptions {
  std::uint32_t min_weight = 16;  // from which on a position is known
  bool stops = true;
  bool learns = true;         // of the positions of a playout
  bool learns_walk = false;   // and of those of its walk
  bool gives_priors = false;  // of moves to known positions
  bool keeps_means = false;   // a playout that was stopped changes no mean, in a tree
  double punishment = 0;      // the share that a value loses where the table and the policy want different moves
  double least_filling = 0;   // of the board at the root; used above it only
};

// How much was played, of all searches that were given this.
struct StopCounts {
  std::atomic<std::uint64_t> playouts{0}, stopped{0}, moves{0};
};

// A key of the states along a path: what images share, where the game has images.
template <Game G>
class PathKeys {
 public:
  explicit PathKeys(const G& state) {
    if constexpr (HasImageKeys<G>) keys_.emplace(state);
  }
  void follow([[maybe_unused]] const G& after, [[maybe_unused]] Move move) {
    if constexpr (HasImageKeys<G>) keys_->follow(after, move);
  }
  StateKey key(const G& state) const {
    if constexpr (HasImageKeys<G>)
      return keys_->key(state);
    else
      return key_of(state);
  }

 private:
  struct Nothing {};
  template <class T>
  struct KeysOf {
    using Type = Nothing;
  };
  template <HasImageKeys T>
  struct KeysOf<T> {
    using Type = typename T::ImageKeys;
  };
  std::optional<typename KeysOf<G>::Type> keys_;
};

template <Game G>
class StopAtKnown final : public PlayoutDecorator<G> {
 public:
  StopAtKnown(std::shared_ptr<PlayoutPolicy<G>> inner, std::shared_ptr<KnownPositions> positions, StopOptions options,
              std::shared_ptr<StopCounts> counts = std::make_shared<StopCounts>())
      : PlayoutDecorator<G>(std::move(inner)),
        positions_(std::move(positions)),
        options_(options),
        counts_(std::move(counts)) {
    if (options.min_weight < 1)
      throw std::invalid_argument("min_weight is 0; a position of which nothing is known cannot end a playout");
  }

  std::unique_ptr<PlayoutScratch> make_scratch() const override {
    auto scratch = std::make_unique<Scratch>();
    scratch->inner = this->inner().make_scratch();
    return scratch;
  }
  void begin(const G& state, std::span<const PlayedMove> walk, PlayoutScratch* scratch, Rng& rng) override {
    own(scratch).begin(state, walk.size(), is_used_);
    this->inner().begin(state, walk, own(scratch).inner.get(), rng);
  }
  PlayoutStep step(G& state, PlayoutScratch* scratch, Rng& rng) override {
    Scratch& mine = own(scratch);
    if (!is_used_ || state.is_over()) return this->inner().step(state, mine.inner.get(), rng);
    const StateKey key = mine.keys->key(state);
    if (const auto value = known_value(key); value && options_.stops && options_.punishment == 0)
      return mine.stop(*value);
    mine.passed.push_back(key);
    if (options_.stops && options_.punishment > 0)
      if (const auto value = punished(state, mine, rng)) return mine.stop(*value);
    const PlayoutStep step = this->inner().step(state, mine.inner.get(), rng);
    if (step.is_end()) return step;
    ++mine.num_moves;
    mine.keys->follow(state, step.move);
    return step;
  }
  double finish(G& state, PlayoutScratch* scratch, Rng& rng, PlayoutRecord& record) override {
    if (!is_used_) return this->inner().finish(state, own(scratch).inner.get(), rng, record);
    const double value = PlayoutPolicy<G>::finish(state, scratch, rng, record);
    counts_->playouts.fetch_add(1, std::memory_order_relaxed);
    counts_->stopped.fetch_add(own(scratch).is_stopped, std::memory_order_relaxed);
    counts_->moves.fetch_add(own(scratch).num_moves, std::memory_order_relaxed);
    return value;
  }
  void observe(std::span<const PlayedMove> walk, std::span<const PlayedMove> moves, double value,
               PlayoutScratch* scratch) override {
    if (is_used_ && is_news(scratch)) learn(walk, value, own(scratch));
    PlayoutDecorator<G>::observe(walk, moves, value, own(scratch).inner.get());
  }
  bool wants_result() const override { return options_.learns || options_.learns_walk || this->inner().wants_result(); }

  bool gives_priors() const override { return options_.gives_priors || this->inner().gives_priors(); }
  void set_priors(const G& state, std::span<const Move> moves, std::span<float> priors) const override {
    if (this->inner().gives_priors()) this->inner().set_priors(state, moves, priors);
    if (!is_used_ || !options_.gives_priors) return;
    const PathKeys<G> here(state);
    for (std::size_t i = 0; i < moves.size(); ++i)
      if (const auto value = value_behind(state, here, moves[i]))
        priors[i] = static_cast<float>(state.to_play() == 0 ? *value : 1 - *value);
  }
  bool is_news(const PlayoutScratch* scratch) const override {
    const auto& mine = static_cast<const Scratch&>(*scratch);
    return !(mine.is_stopped && options_.keeps_means) && this->inner().is_news(mine.inner.get());
  }

  void new_root(const G& state) override {
    root_.emplace(state);
    positions_->begin_generation();
    is_used_ = true;
    if constexpr (HasGoal<G>) plays_alone_ = state.goal() != Goal::TwoPlayers;
    if constexpr (HasFilling<G>) is_used_ = options_.least_filling == 0 || state.filling() > options_.least_filling;
    this->inner().new_root(state);
  }

  // The table's bytes follow the other policy's, which follow their number.
  std::vector<std::byte> save() const override {
    const std::vector<std::byte> inner = this->inner().save(), own = positions_->save();
    const std::uint64_t number = inner.size();
    std::vector<std::byte> all(sizeof number + inner.size() + own.size());
    std::memcpy(all.data(), &number, sizeof number);
    std::copy(inner.begin(), inner.end(), all.begin() + sizeof number);
    std::copy(own.begin(), own.end(), all.end() - static_cast<std::ptrdiff_t>(own.size()));
    return all;
  }
  void load(std::span<const std::byte> saved) override {
    std::uint64_t number = 0;
    if (saved.size() < sizeof number) throw std::invalid_argument("what playouts remember is too short to be read");
    std::memcpy(&number, saved.data(), sizeof number);
    saved = saved.subspan(sizeof number);
    if (number > saved.size()) throw std::invalid_argument("what playouts remember ends in the middle");
    if (number > 0) this->inner().load(saved.first(number));
    positions_->restore(saved.subspan(number));
  }

 private:
  struct Scratch final : PlayoutScratch {
    void begin(const G& state, std::size_t walked, bool is_used) {
      passed.clear();
      is_stopped = false;
      num_moves = 0;
      depth = static_cast<std::uint32_t>(walked);
      if (is_used) keys.emplace(state);
    }
    PlayoutStep stop(double value) {
      is_stopped = true;
      return PlayoutStep::ended(value);
    }
    std::unique_ptr<PlayoutScratch> inner;
    std::optional<PathKeys<G>> keys;
    MoveList moves;
    std::vector<StateKey> passed;  // by the playout, from where it began
    std::uint32_t depth = 0;       // of where it began, from the root
    std::uint64_t num_moves = 0;
    bool is_stopped = false;
  };
  static Scratch& own(PlayoutScratch* scratch) { return static_cast<Scratch&>(*scratch); }

  // Whoever loads a table may have been given any number.
  std::optional<double> known_value(StateKey key) const {
    const auto known = positions_->find(key);
    if (known.weight < options_.min_weight) return std::nullopt;
    return plays_alone_ ? known.mean() : std::clamp(known.mean(), 0.0, 1.0);
  }
  std::optional<double> value_behind(const G& state, const PathKeys<G>& here, Move move) const {
    G after = state;
    after.play(move);
    PathKeys<G> keys = here;
    keys.follow(after, move);
    return known_value(keys.key(after));
  }

  // Scenario 3 of the paper: the table wants the move to the best known position. If the policy wants another one, that
  // position is worth less to whoever moves.
  std::optional<double> punished(const G& state, Scratch& mine, Rng& rng) {
    mine.moves.clear();
    state.legal_moves(mine.moves);
    const bool is_first = state.to_play() == 0;
    std::optional<double> best;
    Move wanted = kNoMove;
    for (const Move move : mine.moves) {
      if constexpr (HasForbidden<G>)
        if (state.is_forbidden(move)) continue;
      if (const auto value = value_behind(state, *mine.keys, move))
        if (!best || (is_first ? *value > *best : *value < *best)) {
          best = value;
          wanted = move;
        }
    }
    if (!best) return std::nullopt;
    G copy = state;
    if (this->inner().step(copy, mine.inner.get(), rng).move == wanted) return best;
    const double kept = 1 - options_.punishment;
    return is_first ? kept * *best : 1 - kept * (1 - *best);
  }

  void learn(std::span<const PlayedMove> walk, double value, const Scratch& mine) {
    std::uint32_t depth = mine.depth;
    const std::size_t num_own = options_.learns ? mine.passed.size() : 0;
    for (std::size_t i = 0; i < num_own; ++i) positions_->add(mine.passed[i], value, 1, depth++);
    if (!options_.learns_walk || !root_) return;
    G state = *root_;
    PathKeys<G> keys(state);
    std::uint32_t walked = 0;
    for (const PlayedMove& one : walk) {  // where the playout began is the first that it passed
      positions_->add(keys.key(state), value, 1, walked++);
      state.play(one.move);
      keys.follow(state, one.move);
    }
    if (!options_.learns && !mine.passed.empty()) positions_->add(mine.passed[0], value, 1, walked);
  }

  const std::shared_ptr<KnownPositions> positions_;
  const StopOptions options_;
  const std::shared_ptr<StopCounts> counts_;
  std::optional<G> root_;
  bool is_used_ = true;            // changed between runs
  bool plays_alone_ = HasGoal<G>;  // its values are any numbers
};

}  // namespace tesuji
