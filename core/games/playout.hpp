// Playouts as policies: begin, step, observe. Uniform play, tactics, playouts that learn and tables that end a playout
// early are all written on this. See docs/algorithms/playout-policies.md.
//
// A policy is shared by all threads of a search; what it remembers is its own and must stand their company. Scratch
// belongs to one thread. The state is valid at every step: its hash, its player, its passes are those of the moves so
// far, so that a decorator may look at it between two steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/rng.hpp"
#include "games/game.hpp"

namespace tesuji {

// A move of a simulation, and the context in which it was made as the policy sees it: a hash of its surroundings, say;
// 0 if it sees none, and for the moves of the walk through the graph.
struct PlayedMove {
  Move move;
  std::int32_t player;
  std::uint64_t context = 0;
};

// What a step did: it played a move, or it ended the playout with a value.
struct PlayoutStep {
  static PlayoutStep played(Move move, std::uint64_t context = 0) { return {move, 0, context}; }
  static PlayoutStep ended(double value) { return {kNoMove, value, 0}; }
  bool is_end() const { return move == kNoMove; }

  Move move;
  double value;
  std::uint64_t context;
  bool is_noted = true;  // does AMAF hear of the move?
};

// One playout's moves, for whoever wants them: AMAF, observe(), a log of solutions.
class PlayoutRecord {
 public:
  explicit PlayoutRecord(MadeMoves* made = nullptr, std::vector<PlayedMove>* log = nullptr) : made_(made), log_(log) {}
  bool wants_moves() const { return made_ != nullptr || log_ != nullptr; }
  // Who wants them; null: nobody.
  MadeMoves* made() const { return made_; }
  std::vector<PlayedMove>* log() const { return log_; }
  void add(Move move, int player, std::uint64_t context = 0, bool is_noted = true) {
    if (made_ != nullptr && is_noted) made_->add(move, player);
    if (log_ != nullptr) log_->push_back({move, player, context});
  }

 private:
  MadeMoves* made_;
  std::vector<PlayedMove>* log_;
};

class PlayoutScratch {
 public:
  virtual ~PlayoutScratch() = default;
};

template <Game G>
class PlayoutPolicy {
 public:
  virtual ~PlayoutPolicy() = default;

  // For one thread; null if the policy needs none.
  virtual std::unique_ptr<PlayoutScratch> make_scratch() const { return nullptr; }

  // A playout begins at `state`, which is not over. `walk` are the simulation's moves from the root to it.
  virtual void begin(const G& /*state*/, std::span<const PlayedMove> /*walk*/, PlayoutScratch*, Rng&) {}
  // Plays one move on the state, or ends the playout. A state that is over ends it with its value.
  virtual PlayoutStep step(G& state, PlayoutScratch* scratch, Rng& rng) = 0;
  // What came of a playout: its moves in their order, and the value. Called once for every playout that began and
  // ended, if wants_result(); `moves` is empty unless wants_moves(). One that threw is not observed.
  virtual void observe(std::span<const PlayedMove> /*walk*/, std::span<const PlayedMove> /*moves*/, double /*value*/,
                       PlayoutScratch*) {}
  virtual bool wants_result() const { return false; }
  virtual bool wants_moves() const { return false; }

  // All steps at once, for a policy whose loop is faster in one piece. From the same random numbers it must be worth
  // the same, and the moves of the steps must be the first of its moves. Throws if the steps do not end.
  virtual double finish(G& state, PlayoutScratch* scratch, Rng& rng, PlayoutRecord& record) {
    for (int moves = 0;; ++moves) {
      if (moves > kMaxPlayoutMoves) throw_endless_playout();
      const int player = state.to_play();
      const PlayoutStep step = this->step(state, scratch, rng);
      if (step.is_end()) return step.value;
      record.add(step.move, player, step.context, step.is_noted);
    }
  }

  // What it knows of moves before they are tried: priors of those it knows, 0..1 for whoever moves; the others stay.
  // Asked where a node gets its edges, if gives_priors().
  virtual bool gives_priors() const { return false; }
  virtual void set_priors(const G& /*state*/, std::span<const Move> /*moves*/, std::span<float> /*priors*/) const {}
  // Did the last playout of this thread tell anything new? If not, its walk is counted and every mean on it stays.
  virtual bool is_news(const PlayoutScratch*) const { return true; }

  // The search goes on from another state: advance(), or a new search that was given this policy.
  virtual void new_root(const G& /*state*/) {}
  // What it remembers, as bytes; load() takes what save() gave and throws std::invalid_argument for anything else.
  virtual std::vector<std::byte> save() const { return {}; }
  virtual void load(std::span<const std::byte> /*saved*/) {}
};

}  // namespace tesuji
