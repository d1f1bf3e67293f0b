// A game compiled from Python: a record of fixed size and C functions over it, made by tesuji.games.compilation.
//
// The functions never throw. They return a status, 0 if all is well; what another one means is known only to whoever
// made them, so `fail` is told and throws. They hold no lock and know no interpreter: all threads call them at once.
//
// A game with a goal is for one player. Its playouts are logged, because a solution is its moves.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "base/hashing.hpp"
#include "games/game.hpp"

namespace tesuji {

// The rules of one game. States point to them, so they must outlive all states.
struct CompiledRules {
  using Status = std::int32_t;
  // What a function was asked when it failed, so that it can be asked again where errors have words.
  struct Failure {
    const char* function;
    Status status;
    std::span<const std::byte> record;  // before the call
    Move move = kNoMove;                // of play
    std::uint64_t random = 0;           // of playout and of a policy's step
  };

  std::size_t record_bytes = 0;
  int num_distinct_moves = 0;
  Goal goal = Goal::TwoPlayers;
  Status (*to_play)(const std::byte* record, std::int32_t* player) = nullptr;
  Status (*is_over)(const std::byte* record, std::int32_t* over) = nullptr;
  Status (*value)(const std::byte* record, double* value) = nullptr;
  Status (*legal_moves)(const std::byte* record, Move* moves, std::int32_t* count) = nullptr;
  Status (*play)(std::byte* record, Move move) = nullptr;
  Status (*key)(const std::byte* record, std::uint64_t* key) = nullptr;  // none: a hash of the record's bytes
  // Plays to the end. `made` is null, or has a mask for every move of the first player, then of the second (MadeMoves).
  Status (*playout)(std::byte* record, std::uint64_t* random, Move* moves, std::uint64_t* first_made,
                    std::uint64_t* second_made, std::int32_t records, double* value) = nullptr;
  // The same, with the moves written down as twice the move plus its player. Fewer than `capacity`: the game is over.
  // None where the game has a playout of its own.
  Status (*logged_playout)(std::byte* record, std::uint64_t* random, Move* moves, std::int32_t* log,
                           std::int32_t capacity, std::int32_t* written, double* value) = nullptr;
  Status (*priors)(const std::byte* record, const Move* moves, std::int32_t count, float* priors) = nullptr;  // or none
  Status (*bound)(const std::byte* record, double* bound) = nullptr;                                          // or none
  bool has_own_playout = false;              // or does it play every legal move with equal probability?
  std::function<void(const Failure&)> fail;  // throws
};

class CompiledGame {
 public:
  CompiledGame(const CompiledRules& rules, std::span<const std::byte> record) : rules_(&rules) {
    if (record.size() != rules.record_bytes)
      throw std::invalid_argument("a record of " + std::to_string(record.size()) +
                                  " bytes is given; this game's have " + std::to_string(rules.record_bytes));
    make_room();
    std::memcpy(data(), record.data(), record.size());
  }
  CompiledGame(const CompiledGame& other) : rules_(other.rules_) {
    make_room();
    std::memcpy(data(), other.data(), rules_->record_bytes);
  }
  CompiledGame(CompiledGame&&) = default;
  CompiledGame& operator=(CompiledGame&&) = default;

  std::span<const std::byte> record() const { return {data(), rules_->record_bytes}; }
  std::span<std::byte> record() { return {data(), rules_->record_bytes}; }
  const CompiledRules& rules() const { return *rules_; }

  int num_distinct_moves() const { return rules_->num_distinct_moves; }
  int to_play() const { return asked<std::int32_t>("to_play", rules_->to_play); }
  bool is_over() const { return asked<std::int32_t>("is_over", rules_->is_over) != 0; }
  Goal goal() const { return rules_->goal; }
  double value() const { return asked<double>("value", rules_->value); }
  double bound() const {
    return rules_->bound != nullptr ? asked<double>("bound", rules_->bound) : no_bound(rules_->goal);
  }
  std::uint64_t hash() const {
    return rules_->key != nullptr ? asked<std::uint64_t>("key", rules_->key) : hash_of_bytes();
  }

  // The record itself.
  std::vector<std::size_t> array_shape() const { return {rules_->record_bytes}; }
  void encode(std::span<std::uint8_t> zeros) const { std::memcpy(zeros.data(), data(), zeros.size()); }

  void legal_moves(MoveList& moves) const {
    const std::size_t before = moves.size();
    moves.resize(before + static_cast<std::size_t>(rules_->num_distinct_moves));
    std::int32_t count = 0;
    check("legal_moves", rules_->legal_moves(data(), moves.data() + before, &count), *this);
    moves.resize(before + static_cast<std::size_t>(count));
  }

  void play(Move move) {
    const CompiledGame before(*this);
    if (const auto status = rules_->play(data(), move); status != 0) fail({"play", status, before.record(), move});
  }

  void priors(std::span<const Move> moves, std::span<float> priors) const {
    if (rules_->priors == nullptr)
      throw std::invalid_argument("the config uses priors, but the game has no function priors(state, moves, priors)");
    check("priors", rules_->priors(data(), moves.data(), static_cast<std::int32_t>(moves.size()), priors.data()),
          *this);
  }

  // AMAF's record is filled by the compiled playout itself; any other gets the moves in their order.
  template <class Record>
  double play_out(Rng& rng, Record* record) {
    if constexpr (std::is_same_v<Record, MadeMoves>) return play_out_at_once(rng, record);
    if (record == nullptr || rules_->has_own_playout) return play_out_at_once(rng, nullptr);
    if (rules_->logged_playout != nullptr) return play_out_logged(rng, *record);
    MoveList scratch;
    return play_out_uniformly(*this, rng, record, scratch);
  }

  // The draws of play_out(), a move at a time. A playout of the game's own cannot be divided.
  class Stepper {
   public:
    explicit Stepper(const CompiledGame&) {}
    Move next(const CompiledGame& game, Rng& rng) {
      return game.rules_->has_own_playout ? kNoMove : uniform_move(game, rng, moves_);
    }

   private:
    MoveList moves_;
  };

 private:
  static constexpr std::size_t kInline = 128;

  double play_out_at_once(Rng& rng, MadeMoves* made) {
    static thread_local MoveList scratch;
    scratch.resize(static_cast<std::size_t>(rules_->num_distinct_moves));
    const CompiledGame before(*this);
    const std::uint64_t random = rng.state();
    std::uint64_t nothing = 0;
    double value = 0;
    const auto status = rules_->playout(data(), &rng.state(), scratch.data(), made ? made->masks(0) : &nothing,
                                        made ? made->masks(1) : &nothing, made != nullptr, &value);
    if (status != 0) fail({"playout", status, before.record(), kNoMove, random});
    return value;
  }

  template <class Record>
  double play_out_logged(Rng& rng, Record& record) {
    static thread_local MoveList scratch;
    scratch.resize(static_cast<std::size_t>(rules_->num_distinct_moves));
    std::array<std::int32_t, 256> log;
    for (std::size_t moves = 0; moves < kMaxPlayoutMoves; moves += log.size()) {
      const CompiledGame before(*this);
      const std::uint64_t random = rng.state();
      std::int32_t written = 0;
      double value = 0;
      const auto status = rules_->logged_playout(data(), &rng.state(), scratch.data(), log.data(),
                                                 static_cast<std::int32_t>(log.size()), &written, &value);
      if (status != 0) fail({"logged_playout", status, before.record(), kNoMove, random});
      for (std::int32_t i = 0; i < written; ++i)
        record.add(log[static_cast<std::size_t>(i)] / 2, log[static_cast<std::size_t>(i)] % 2);
      if (static_cast<std::size_t>(written) < log.size()) return value;
    }
    throw std::runtime_error("the game did not end within " + std::to_string(kMaxPlayoutMoves) +
                             " random moves; check_game() shows what it does");
  }

  bool is_small() const { return rules_->record_bytes <= kInline; }
  std::byte* data() { return is_small() ? small_.data() : large_.get(); }
  const std::byte* data() const { return is_small() ? small_.data() : large_.get(); }
  void make_room() {
    if (!is_small()) large_ = std::make_unique_for_overwrite<std::byte[]>(rules_->record_bytes);
  }

  template <class T>
  T asked(const char* name, CompiledRules::Status (*function)(const std::byte*, T*)) const {
    T answer{};
    check(name, function(data(), &answer), *this);
    return answer;
  }
  static void check(const char* name, CompiledRules::Status status, const CompiledGame& before) {
    if (status != 0) before.fail({name, status, before.record()});
  }
  void fail(const CompiledRules::Failure& failure) const {
    rules_->fail(failure);
    throw std::logic_error(std::string(failure.function) + " of a compiled game failed");
  }
  std::uint64_t hash_of_bytes() const {
    std::uint64_t hash = rules_->record_bytes;
    for (std::size_t at = 0; at < rules_->record_bytes; at += sizeof hash) {
      std::uint64_t word = 0;
      std::memcpy(&word, data() + at, std::min(sizeof word, rules_->record_bytes - at));
      hash = combine(hash, word);
    }
    return hash;
  }

  const CompiledRules* rules_;
  alignas(16) std::array<std::byte, kInline> small_;
  std::unique_ptr<std::byte[]> large_;
};

static_assert(Game<CompiledGame> && HasPlayout<CompiledGame> && HasStepper<CompiledGame> && HasArray<CompiledGame> &&
              HasPriors<CompiledGame> && HasBound<CompiledGame>);

}  // namespace tesuji
