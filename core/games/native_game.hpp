// A native game behind the virtual interface, and a native playout policy for it: the thin layer that is compiled for
// every game, so that the search is not.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "games/dynamic.hpp"
#include "games/game_playout.hpp"
#include "games/playout.hpp"

namespace tesuji {

template <Game G>
class NativeGame final : public AbstractGame {
 public:
  explicit NativeGame(const G& game) : game_(game) {}
  const G& game() const { return game_; }
  G& game() { return game_; }

  std::unique_ptr<AbstractGame> copy() const override { return std::make_unique<NativeGame>(game_); }
  bool assign(const AbstractGame& other) override {
    if constexpr (std::is_copy_assignable_v<G>)
      game_ = own(other).game_;
    else if constexpr (std::is_move_assignable_v<G>)
      game_ = G(own(other).game_);
    else
      return false;
    return true;
  }

  int num_distinct_moves() const override { return game_.num_distinct_moves(); }
  Goal goal() const override {
    if constexpr (HasGoal<G>) return game_.goal();
    return Goal::TwoPlayers;
  }
  int to_play() const override { return game_.to_play(); }
  bool is_over() const override { return game_.is_over(); }
  double value() const override { return game_.value(); }
  double bound() const override {
    if constexpr (HasBound<G>) return game_.bound();
    return AbstractGame::bound();
  }
  std::uint64_t hash() const override { return game_.hash(); }
  std::uint32_t second_hash() const override { return key_of(game_).second; }
  std::unique_ptr<ImageKeys> image_keys() const override {
    if constexpr (HasImageKeys<G>) return std::make_unique<NativeImageKeys<G>>(game_);
    return nullptr;
  }
  double filling() const override {
    if constexpr (HasFilling<G>) return game_.filling();
    return AbstractGame::filling();
  }
  void legal_moves(MoveList& moves) const override { game_.legal_moves(moves); }
  bool is_legal(Move move) const override {
    if constexpr (HasLegality<G>) return game_.is_legal(move);
    return AbstractGame::is_legal(move);
  }
  bool forbids() const override { return HasForbidden<G>; }
  bool is_forbidden([[maybe_unused]] Move move) const override {
    if constexpr (HasForbidden<G>) return game_.is_forbidden(move);
    return false;
  }
  void play(Move move) override { game_.play(move); }
  bool has_priors() const override { return HasPriors<G>; }
  void priors([[maybe_unused]] std::span<const Move> moves, [[maybe_unused]] std::span<float> priors) const override {
    if constexpr (HasPriors<G>) game_.priors(moves, priors);
  }
  std::vector<std::size_t> array_shape() const override {
    if constexpr (HasArray<G>) return game_.array_shape();
    return {};
  }
  void encode([[maybe_unused]] std::span<std::uint8_t> zeros) const override {
    if constexpr (HasArray<G>) game_.encode(zeros);
  }

  std::vector<std::byte> save_memory() const override {
    if constexpr (HasMemory<G>) return game_.save_memory();
    return {};
  }
  void load_memory([[maybe_unused]] std::span<const std::byte> saved) const override {
    if constexpr (HasMemory<G>) game_.load_memory(saved);
  }

  double play_out(Rng& rng, MadeMoves* made, MoveList& scratch) override {
    return play_out_whole(game_, rng, made, scratch);
  }
  std::unique_ptr<PlayoutScratch> playout_scratch() const override { return GamePlayout<G>().make_scratch(); }
  void begin_playout(PlayoutScratch* scratch, Rng& rng) const override {
    GamePlayout<G>().begin(game_, {}, scratch, rng);
  }
  PlayoutStep step_playout(PlayoutScratch* scratch, Rng& rng) override {
    return GamePlayout<G>().step(game_, scratch, rng);
  }
  double finish_playout(PlayoutScratch* scratch, Rng& rng, PlayoutRecord& record) override {
    return GamePlayout<G>().finish(game_, scratch, rng, record);
  }

 private:
  static const NativeGame& own(const AbstractGame& game) { return static_cast<const NativeGame&>(game); }

  template <HasImageKeys T>
  class NativeImageKeys final : public ImageKeys {
   public:
    explicit NativeImageKeys(const T& state) : keys_(state) {}
    std::unique_ptr<ImageKeys> copy() const override { return std::make_unique<NativeImageKeys>(*this); }
    void follow(const AbstractGame& after, Move move) override { keys_.follow(own(after).game_, move); }
    StateKey key(const AbstractGame& state) const override { return keys_.key(own(state).game_); }

   private:
    typename T::ImageKeys keys_;
  };

  G game_;
};

// A game as the search takes it, and back.
template <Game G>
DynamicGame dynamic(const G& game) {
  return DynamicGame(std::make_unique<NativeGame<G>>(game));
}
inline DynamicGame dynamic(const DynamicGame& game) { return game; }

template <Game G>
const G& native(const DynamicGame& state) {
  if constexpr (std::is_same_v<G, DynamicGame>)
    return state;
  else
    return static_cast<const NativeGame<G>&>(state.game()).game();
}
template <Game G>
G& native(DynamicGame& state) {
  return const_cast<G&>(native<G>(std::as_const(state)));
}

// A policy for one native game as the search takes it.
template <Game G>
class NativePlayout final : public PlayoutPolicy<DynamicGame> {
 public:
  explicit NativePlayout(std::shared_ptr<PlayoutPolicy<G>> policy) : policy_(std::move(policy)) {}

  std::unique_ptr<PlayoutScratch> make_scratch() const override { return policy_->make_scratch(); }
  void begin(const DynamicGame& state, std::span<const PlayedMove> walk, PlayoutScratch* scratch, Rng& rng) override {
    policy_->begin(native<G>(state), walk, scratch, rng);
  }
  PlayoutStep step(DynamicGame& state, PlayoutScratch* scratch, Rng& rng) override {
    return policy_->step(native<G>(state), scratch, rng);
  }
  double finish(DynamicGame& state, PlayoutScratch* scratch, Rng& rng, PlayoutRecord& record) override {
    return policy_->finish(native<G>(state), scratch, rng, record);
  }
  void observe(std::span<const PlayedMove> walk, std::span<const PlayedMove> moves, double value,
               PlayoutScratch* scratch) override {
    policy_->observe(walk, moves, value, scratch);
  }
  bool wants_result() const override { return policy_->wants_result(); }
  bool wants_moves() const override { return policy_->wants_moves(); }
  bool gives_priors() const override { return policy_->gives_priors(); }
  void set_priors(const DynamicGame& state, std::span<const Move> moves, std::span<float> priors) const override {
    policy_->set_priors(native<G>(state), moves, priors);
  }
  bool is_news(const PlayoutScratch* scratch) const override { return policy_->is_news(scratch); }
  void new_root(const DynamicGame& state) override { policy_->new_root(native<G>(state)); }
  std::vector<std::byte> save() const override { return policy_->save(); }
  void load(std::span<const std::byte> saved) override { policy_->load(saved); }

 private:
  const std::shared_ptr<PlayoutPolicy<G>> policy_;
};

template <Game G>
std::shared_ptr<PlayoutPolicy<DynamicGame>> dynamic(std::shared_ptr<PlayoutPolicy<G>> policy) {
  if constexpr (std::is_same_v<G, DynamicGame>)
    return policy;
  else
    return std::make_shared<NativePlayout<G>>(std::move(policy));
}

}  // namespace tesuji
