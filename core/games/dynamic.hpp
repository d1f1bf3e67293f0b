// Games behind a virtual interface: what is compiled once for all games (the search, its groups, evaluators and playout
// policies) sees a state as this. Native games come in native_game.hpp; games that are not known when the core is
// compiled (plain Python objects) implement it themselves.
//
// A walk asks a state three questions a level, so a virtual call costs it little; what costs much, a playout, is one
// call. See docs/decisions/013-one-search-for-all-games.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "games/game.hpp"
#include "games/game_playout.hpp"
#include "games/playout.hpp"

namespace tesuji {

class AbstractGame {
 public:
  // Keys that images of a state share, along a path (HasImageKeys).
  class ImageKeys {
   public:
    virtual ~ImageKeys() = default;
    virtual std::unique_ptr<ImageKeys> copy() const = 0;
    virtual void follow(const AbstractGame& after, Move move) = 0;
    virtual StateKey key(const AbstractGame& state) const = 0;
  };

  virtual ~AbstractGame() = default;
  virtual std::unique_ptr<AbstractGame> copy() const = 0;
  // Becomes a copy of another state of the same game, which is of the same type; false if it cannot.
  virtual bool assign(const AbstractGame& /*other*/) { return false; }

  virtual int num_distinct_moves() const = 0;
  virtual Goal goal() const { return Goal::TwoPlayers; }
  virtual int to_play() const = 0;
  virtual bool is_over() const = 0;
  virtual double value() const = 0;
  virtual double bound() const { return no_bound(goal()); }
  virtual std::uint64_t hash() const = 0;
  virtual std::uint32_t second_hash() const { return 0; }
  virtual std::unique_ptr<ImageKeys> image_keys() const { return nullptr; }  // null: it has no images
  virtual double filling() const { return std::numeric_limits<double>::infinity(); }
  virtual void legal_moves(MoveList& moves) const = 0;
  virtual bool is_legal(Move move) const;
  virtual bool forbids() const { return false; }  // may is_forbidden() ever say yes?
  virtual bool is_forbidden(Move /*move*/) const { return false; }
  virtual void play(Move move) = 0;
  virtual bool has_priors() const { return true; }
  virtual void priors(std::span<const Move> moves, std::span<float> priors) const = 0;
  virtual std::vector<std::size_t> array_shape() const { return {}; }  // empty: it has no array
  virtual void encode(std::span<std::uint8_t> /*zeros*/) const {}

  // What its playouts remember (HasMemory).
  virtual std::vector<std::byte> save_memory() const { return {}; }
  virtual void load_memory(std::span<const std::byte> /*saved*/) const {}

  // Its own playout, in one piece and as GamePlayout divides it; here every legal move is as likely.
  virtual double play_out(Rng& rng, MadeMoves* made, MoveList& scratch);
  virtual std::unique_ptr<PlayoutScratch> playout_scratch() const;
  virtual void begin_playout(PlayoutScratch* /*scratch*/, Rng& /*rng*/) const {}
  virtual PlayoutStep step_playout(PlayoutScratch* scratch, Rng& rng);
  virtual double finish_playout(PlayoutScratch* scratch, Rng& rng, PlayoutRecord& record);
};

// Any game as a value.
class DynamicGame {
 public:
  explicit DynamicGame(std::unique_ptr<AbstractGame> game) : game_(std::move(game)) {}
  DynamicGame(const DynamicGame& other) : game_(other.game_->copy()) {}
  DynamicGame(DynamicGame&&) = default;
  // Both are states of one game, or this one was moved from.
  DynamicGame& operator=(const DynamicGame& other) {
    if (game_ == nullptr || !game_->assign(*other.game_)) game_ = other.game_->copy();
    return *this;
  }
  DynamicGame& operator=(DynamicGame&&) = default;

  const AbstractGame& game() const { return *game_; }
  AbstractGame& game() { return *game_; }

  int num_distinct_moves() const { return game_->num_distinct_moves(); }
  Goal goal() const { return game_->goal(); }
  int to_play() const { return game_->to_play(); }
  bool is_over() const { return game_->is_over(); }
  double value() const { return game_->value(); }
  double bound() const { return game_->bound(); }
  std::uint64_t hash() const { return game_->hash(); }
  std::uint32_t second_hash() const { return game_->second_hash(); }
  double filling() const { return game_->filling(); }
  void legal_moves(MoveList& moves) const { game_->legal_moves(moves); }
  bool is_legal(Move move) const { return game_->is_legal(move); }
  bool is_forbidden(Move move) const { return game_->is_forbidden(move); }
  void play(Move move) { game_->play(move); }
  void priors(std::span<const Move> moves, std::span<float> priors) const { game_->priors(moves, priors); }
  std::vector<std::size_t> array_shape() const { return game_->array_shape(); }
  void encode(std::span<std::uint8_t> zeros) const { game_->encode(zeros); }

  // The state's own key where it has no images.
  class ImageKeys {
   public:
    explicit ImageKeys(const DynamicGame& state) : keys_(state.game_->image_keys()) {}
    ImageKeys(const ImageKeys& other) : keys_(other.keys_ != nullptr ? other.keys_->copy() : nullptr) {}
    ImageKeys(ImageKeys&&) = default;
    ImageKeys& operator=(ImageKeys&&) = default;
    void follow(const DynamicGame& after, Move move) {
      if (keys_ != nullptr) keys_->follow(*after.game_, move);
    }
    StateKey key(const DynamicGame& state) const {
      return keys_ != nullptr ? keys_->key(*state.game_) : StateKey{state.hash(), state.second_hash()};
    }

   private:
    std::unique_ptr<AbstractGame::ImageKeys> keys_;
  };

 private:
  std::unique_ptr<AbstractGame> game_;
};

static_assert(Game<DynamicGame> && HasPriors<DynamicGame> && HasBound<DynamicGame> && HasSecondHash<DynamicGame> &&
              HasForbidden<DynamicGame> && HasLegality<DynamicGame> && HasArray<DynamicGame> &&
              HasFilling<DynamicGame> && HasImageKeys<DynamicGame>);

inline double play_out_whole(DynamicGame& state, Rng& rng, MadeMoves* made, MoveList& scratch) {
  return state.game().play_out(rng, made, scratch);
}

// Which playout it is shows when a state comes.
template <>
class GamePlayout<DynamicGame> final : public PlayoutPolicy<DynamicGame> {
 public:
  std::unique_ptr<PlayoutScratch> make_scratch() const override { return std::make_unique<Scratch>(); }
  void begin(const DynamicGame& state, std::span<const PlayedMove>, PlayoutScratch* scratch, Rng& rng) override {
    auto& game = static_cast<Scratch&>(*scratch).game;
    if (game == nullptr) game = state.game().playout_scratch();
    state.game().begin_playout(game.get(), rng);
  }
  PlayoutStep step(DynamicGame& state, PlayoutScratch* scratch, Rng& rng) override {
    return state.game().step_playout(static_cast<Scratch&>(*scratch).game.get(), rng);
  }
  double finish(DynamicGame& state, PlayoutScratch* scratch, Rng& rng, PlayoutRecord& record) override {
    return state.game().finish_playout(static_cast<Scratch&>(*scratch).game.get(), rng, record);
  }

 private:
  struct Scratch final : PlayoutScratch {
    std::unique_ptr<PlayoutScratch> game;
  };
};

}  // namespace tesuji
