// A game behind a virtual interface, for games that are not known when the core is compiled (plain Python objects).
// Slow on purpose and honest about it: every question is a virtual call, every copy an allocation.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "games/game.hpp"

namespace tesuji {

class AbstractGame {
 public:
  virtual ~AbstractGame() = default;
  virtual std::unique_ptr<AbstractGame> copy() const = 0;
  virtual int num_distinct_moves() const = 0;
  virtual Goal goal() const { return Goal::TwoPlayers; }
  virtual int to_play() const = 0;
  virtual bool is_over() const = 0;
  virtual double value() const = 0;
  virtual double bound() const { return no_bound(goal()); }
  virtual std::uint64_t hash() const = 0;
  virtual std::uint32_t second_hash() const { return 0; }
  virtual void legal_moves(MoveList& moves) const = 0;
  virtual void play(Move move) = 0;
  virtual void priors(std::span<const Move> moves, std::span<float> priors) const = 0;
};

class DynamicGame {
 public:
  explicit DynamicGame(std::unique_ptr<AbstractGame> game) : game_(std::move(game)) {}
  DynamicGame(const DynamicGame& other) : game_(other.game_->copy()) {}
  DynamicGame(DynamicGame&&) = default;
  DynamicGame& operator=(DynamicGame&&) = default;

  const AbstractGame& game() const { return *game_; }
  int num_distinct_moves() const { return game_->num_distinct_moves(); }
  Goal goal() const { return game_->goal(); }
  int to_play() const { return game_->to_play(); }
  bool is_over() const { return game_->is_over(); }
  double value() const { return game_->value(); }
  double bound() const { return game_->bound(); }
  std::uint64_t hash() const { return game_->hash(); }
  std::uint32_t second_hash() const { return game_->second_hash(); }
  void legal_moves(MoveList& moves) const { game_->legal_moves(moves); }
  void play(Move move) { game_->play(move); }
  void priors(std::span<const Move> moves, std::span<float> priors) const { game_->priors(moves, priors); }

 private:
  std::unique_ptr<AbstractGame> game_;
};

static_assert(Game<DynamicGame> && HasPriors<DynamicGame> && HasGoal<DynamicGame> && HasBound<DynamicGame> &&
              HasSecondHash<DynamicGame>);

}  // namespace tesuji
