// Go as the search sees it: stones, side to move, passes, and the path since the root for superko.
//
// What all states of one search share (size, komi, the positions before the root) lies in a GoContext; a state holds a
// pointer to it and stays cheap to copy. Moves are points, row-major from the top left, and pass. Below the root the
// move list observes the simple ko and suicide, leaves out own eyes, and superko is judged by is_forbidden() on the
// path. The value of an ended game is its area score: dead stones are taken by playing, not by agreement.
//
// With Tracking::atari a state knows tactics: its playouts follow the context's policy, and it has priors. Without it
// playouts are uniform.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "base/rng.hpp"
#include "games/game.hpp"
#include "go/board.hpp"
#include "go/game_stepper.hpp"
#include "go/image_keys.hpp"
#include "go/knowledge.hpp"
#include "go/m_eval.hpp"
#include "go/planes.hpp"
#include "go/played_moves.hpp"
#include "go/playout.hpp"
#include "go/rule_playout.hpp"
#include "go/score.hpp"
#include "go/symmetry.hpp"

namespace tesuji::go {

struct GoContext {
  GoContext(const Board& board, double komi_points);

  Knowledge knowledge;                    // of states that know tactics
  std::shared_ptr<PlayoutMemory> memory;  // of their playouts

  int width, height;
  double komi;
  KoRule ko_rule;
  bool suicide;
  std::vector<ZobristKey> past;  // positions of the game up to the root, as the ko rule compares them
  std::vector<bool> had_stones;  // by number of stones: did one of them have that many?
  bool had_captures = false;     // did one of them have no more stones than the one before?
};

namespace detail {

// By width and cell, the move there: a playout asks a hundred times.
template <int Capacity>
struct MoveTable {
  std::array<std::array<std::int16_t, Layout<Capacity>::kCells>, Capacity + 1> of{};
  constexpr MoveTable() {
    for (int width = 1; width <= Capacity; ++width)
      for (int row = 0; row < Capacity; ++row)
        for (int column = 0; column < width; ++column)
          of[static_cast<std::size_t>(width)][Layout<Capacity>::cell(row, column)] =
              static_cast<std::int16_t>(row * width + column);
  }
};
template <int Capacity>
inline constexpr MoveTable<Capacity> kMoveTable{};

}  // namespace detail

template <int Capacity, Tracking Track = kHashed>
class GoGame {
 public:
  using S = Stones<Capacity, Track>;
  using Stepper = GoStepper<GoGame>;
  static constexpr const char* kName = "go";

  // The context must outlive the state and all its copies.
  GoGame(const Board& board, const GoContext& context)
      : context_(&context),
        stones_(stones_of<S>(board)),
        to_play_(board.to_play()),
        passes_(board.passes() >= 2 ? 0 : board.passes()),
        num_moves_(board.num_moves()) {
    const auto cell_at = [&](int back) {
      if (board.num_moves() < back) return kPass;
      const int move = board.turn(board.num_moves() - back).move;
      return move == board.pass_move() ? kPass : cell_of(move);
    };
    for (std::size_t i = 0; i < last_.size(); ++i) last_[i] = cell_at(static_cast<int>(i) + 1);
  }

  int num_distinct_moves() const { return stones_.num_points() + 1; }
  int to_play() const { return index_of(to_play_); }
  int passes() const { return passes_; }
  bool is_over() const { return passes_ >= 2; }
  double value() const { return value_of(area_margin(stones_)); }
  const S& stones() const { return stones_; }
  Cell last() const { return last_[0]; }  // where the last move was, and the one before; kPass for a pass and for none
  Cell before_last() const { return last_[1]; }
  Move pass_move() const { return stones_.num_points(); }
  Cell cell_of(Move move) const { return S::L::cell(move / stones_.width(), move % stones_.width()); }
  Move point_of(Cell cell) const { return S::L::row(cell) * stones_.width() + S::L::column(cell); }
  // What a playout of this game is worth that ended with these stones. Counts owners as the game's own playouts do.
  double playout_value(const S& end) const
    requires(Track.atari)
  {
    const int area = area_margin(end);
    if (context_->memory->counts_next()) count_owners(end, value_of(area));
    return blended_value(area);
  }

  // What the playouts of this search have learnt from each other.
  std::vector<std::byte> save_memory() const
    requires(Track.atari)
  {
    return context_->memory->save();
  }
  void load_memory(std::span<const std::byte> saved) const
    requires(Track.atari)
  {
    context_->memory->load(saved);
  }

  std::uint64_t hash() const { return identity_key().wide() ^ pass_key(passes_); }
  // From the other half of the keys. Passes are in the first.
  std::uint32_t second_hash() const { return identity_key().narrow(); }

  // The share of points with a stone.
  double filling() const { return 1 - static_cast<double>(stones_.num_empty()) / stones_.num_points(); }

  // Keys that rotations share, along a path.
  class ImageKeys {
   public:
    explicit ImageKeys(const GoGame& state) : keys_(state.stones_) {}
    void follow(const GoGame& after, Move /*move*/) {
      keys_.follow(after.stones_, after.last(), opponent(after.to_play_));
    }
    StateKey key(const GoGame& state) const {
      const ZobristKey least = keys_.least(state.stones_, state.to_play_);
      return {least.wide() ^ pass_key(state.passes_), least.narrow()};
    }

   private:
    go::ImageKeys<S> keys_;
  };

  // See planes.hpp.
  std::vector<std::size_t> array_shape() const {
    return {kNumPlanes, static_cast<std::size_t>(stones_.height()), static_cast<std::size_t>(stones_.width())};
  }
  void encode(std::span<std::uint8_t> zeros) const { PlaneWriter<S>(stones_, zeros).write(to_play_, last_, passes_); }

  void legal_moves(MoveList& moves) const {
    if (is_over()) return;
    if (to_play_ == Color::Black)
      list_moves<Color::Black>(moves);
    else
      list_moves<Color::White>(moves);
    moves.push_back(pass_move());
  }

  // Does a move repeat a position of the game or of this path? Most moves show at once that they do not: they capture
  // nothing, nothing was captured on the path, and the game never had this many stones before.
  bool is_forbidden(Move move) const {
    if (context_->ko_rule == KoRule::Simple || move == pass_move()) return false;
    const Cell cell = cell_of(move);
    const bool may_capture = (stones_.around(cell) & near::any(opponent(to_play_))) != 0;
    const auto num_stones = static_cast<std::size_t>(stones_.num_points() - stones_.num_empty());
    if (!may_capture && !captured_on_path_ && !context_->had_stones[num_stones + 1]) return false;
    S after = stones_;
    after.play(cell, to_play_);
    ZobristKey key = after.key();
    if (context_->ko_rule == KoRule::Situational && to_play_ == Color::Black) key ^= kWhiteToMoveKey;
    return std::find(path_.begin(), path_.end(), key) != path_.end() ||
           std::find(context_->past.begin(), context_->past.end(), key) != context_->past.end();
  }

  // Everything the rules allow, moves that legal_moves() leaves out included.
  bool is_legal(Move move) const {
    if (move < 0 || move > pass_move()) return false;
    if (move == pass_move()) return true;
    const Cell cell = cell_of(move);
    if (stones_.color(cell) != Color::Empty || cell == stones_.ko()) return false;
    const bool suicide = to_play_ == Color::Black ? stones_.template is_suicide<Color::Black>(cell)
                                                  : stones_.template is_suicide<Color::White>(cell);
    return (!suicide || context_->suicide) && !is_forbidden(move);
  }

  void play(Move move) {
    std::copy_backward(last_.begin(), last_.end() - 1, last_.end());
    ++num_moves_;
    if (move == pass_move()) {
      stones_.pass();
      ++passes_;
      last_[0] = kPass;
    } else {
      last_[0] = cell_of(move);
      captured_on_path_ |= stones_.play(cell_of(move), to_play_) > 0;
      passes_ = 0;
    }
    to_play_ = opponent(to_play_);
    if (context_->ko_rule == KoRule::Simple) return;
    if (path_.empty()) path_.reserve(16);
    path_.push_back(superko_key());
  }

  template <class Record>
  double play_out(Rng& rng, Record* record) {
    const auto& move_at = detail::kMoveTable<Capacity>.of[static_cast<std::size_t>(stones_.width())];
    const auto note = [&](Cell cell, Color color) {
      record->add(cell == kPass ? pass_move() : move_at[cell], index_of(color));
    };
    if constexpr (Track.atari) {
      const PlayoutPolicy& policy = context_->knowledge.policy;
      RulePlayout<S> playout(stones_, policy, rng, context_->memory.get());
      auto moves_noted = static_cast<int>(policy.amaf_share * static_cast<float>(stones_.num_empty()));
      PlayedMoves played(last() == kPass ? PlayoutMemory::kNone : move_at[last()], policy.learns_replies());
      playout.run(to_play_, passes_, last(), before_last(), [&](Cell cell, Color color, Origin) {
        if (record != nullptr && moves_noted-- > 0) note(cell, color);
        played.add(cell == kPass ? PlayoutMemory::kNone : move_at[cell], color);
      });
      return judged(played);
    } else {
      const PlayoutLimits limits = standard_limits(stones_.num_points());
      if (record == nullptr)
        tesuji::go::play_out(stones_, to_play_, passes_, limits, rng);
      else if (const auto masks = masks_alone(record); masks[0] != nullptr)
        tesuji::go::play_out(stones_, to_play_, passes_, limits, rng, AnyMove{},
                             [masks, moves = move_at.data(), pass = pass_move()](Cell cell, Color color) {
                               masks[static_cast<std::size_t>(index_of(color))][cell == kPass ? pass : moves[cell]] =
                                   ~std::uint64_t{0};
                             });
      else
        tesuji::go::play_out(stones_, to_play_, passes_, limits, rng, AnyMove{}, note);
      return value_of(area_margin_at_end(stones_));
    }
  }

  // What knowledge says of each move before anything is tried, 0..1.
  void priors(std::span<const Move> moves, std::span<float> priors) const
    requires(Track.atari)
  {
    if (to_play_ == Color::Black)
      set_priors<Color::Black>(moves, priors);
    else
      set_priors<Color::White>(moves, priors);
  }

 private:
  friend class GoStepper<GoGame>;

  // Where AMAF's masks lie, if they are all that is noted of a playout: then its loop has at hand what add() would look
  // up at every move.
  template <class Record>
  static std::array<std::uint64_t*, 2> masks_alone(Record* record) {
    if constexpr (std::is_same_v<Record, MadeMoves>)
      if (!record->keeps_order()) return {record->masks(0), record->masks(1)};
    return {};
  }

  static std::uint64_t pass_key(int passes) { return static_cast<std::uint64_t>(passes) * 0x9E3779B97F4A7C15u; }
  // What a playout by rules is worth where it ended; what it teaches is remembered.
  double judged(const PlayedMoves& played) const {
    const int area = area_margin(stones_);
    played.teach(*context_->memory, value_of(area));
    if (context_->memory->counts_next()) count_owners(stones_, value_of(area));
    return blended_value(area);
  }
  double value_of(int area) const {
    const double margin = area - context_->komi;
    return margin > 0 ? 1.0 : margin < 0 ? 0.0 : 0.5;
  }
  // Won or lost, with a little weight on by how much.
  double blended_value(int area) const {
    const double weight = context_->knowledge.policy.margin_weight;
    const double margin = (area - context_->komi) / stones_.num_points();
    return (1 - weight) * value_of(area) + weight * std::clamp(0.5 + 0.5 * margin, 0.0, 1.0);
  }
  template <Color C>
  void set_priors(std::span<const Move> moves, std::span<float> priors) const {
    const PriorWeights& weights = context_->knowledge.priors;
    const MoveFeatures<C, S> features(stones_, last(), before_last());
    for (std::size_t i = 0; i < moves.size(); ++i)
      priors[i] = moves[i] == pass_move() ? weights.pass : weights.strengths->of(features.of(cell_of(moves[i])));
    if (weights.urgency != nullptr) judge_again(features, moves, priors);
    for (std::size_t i = 0; i < moves.size(); ++i) {
      if (weights.criticality > 0 && moves[i] != pass_move())
        priors[i] *=
            1 + weights.criticality * std::max(0.0f, context_->memory->criticality(static_cast<std::size_t>(moves[i])));
    }
    const float best = *std::max_element(priors.begin(), priors.end());
    for (float& prior : priors) prior = weights.prior(prior, best);
    if constexpr (Capacity == kOpeningSize)
      if (weights.m_eval != nullptr) add_virtual_wins(*weights.m_eval, moves, priors);
  }
  // What M-eval says, near the root.
  void add_virtual_wins(const MEval& m_eval, std::span<const Move> moves, std::span<float> priors) const {
    const int depth = num_moves_ - m_eval.root_move();
    if (depth >= MEval::kDepth || stones_.width() != kOpeningSize || stones_.height() != kOpeningSize) return;
    std::array<Color, kOpeningPoints> colors;
    for (int point = 0; point < stones_.num_points(); ++point)
      colors[static_cast<std::size_t>(point)] = stones_.color(cell_of(point));
    m_eval.add_wins(colors, to_play_, last() == kPass ? kNoMove : point_of(last()), depth, moves, priors);
  }
  // The strongest moves get the strengths that masters' games say, with the best at 1; the others stay behind the
  // weakest of these, as far as they were. Looking at all moves so closely would cost more than it is worth.
  template <Color C>
  void judge_again(const MoveFeatures<C, S>& levels, std::span<const Move> moves, std::span<float> strengths) const {
    const PriorWeights& weights = context_->knowledge.priors;
    const float limit = least_to_judge(moves, strengths);
    const UrgencyFeatures<C, S> features(stones_, levels, last(), before_last());
    std::vector<float> logarithms(moves.size(), kNotJudged);
    float best = kNotJudged, worst = -kNotJudged;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      if (moves[i] == pass_move() || strengths[i] < limit) continue;
      logarithms[i] = weights.urgency->log_strength(features, cell_of(moves[i]));
      best = std::max(best, logarithms[i]);
      worst = std::min(worst, logarithms[i]);
    }
    const float scale = limit > 0 ? std::exp(worst - best) / limit : 0.0f;
    for (std::size_t i = 0; i < moves.size(); ++i)
      if (moves[i] != pass_move())
        strengths[i] = logarithms[i] == kNotJudged ? strengths[i] * scale : std::exp(logarithms[i] - best);
  }
  // The strength of the last move that is judged again; equal ones are, too, so that images are treated alike.
  float least_to_judge(std::span<const Move> moves, std::span<const float> strengths) const {
    std::vector<float> sorted;
    sorted.reserve(moves.size());
    for (std::size_t i = 0; i < moves.size(); ++i)
      if (moves[i] != pass_move()) sorted.push_back(strengths[i]);
    const auto judged = static_cast<std::size_t>(std::max(1, context_->knowledge.priors.judged_again));
    if (judged >= sorted.size()) return 0.0f;
    const auto nth = sorted.begin() + static_cast<std::ptrdiff_t>(judged) - 1;
    std::nth_element(sorted.begin(), nth, sorted.end(), std::greater<>());
    return *nth;
  }
  static constexpr float kNotJudged = -1e9f;
  // Who owns what where a playout ended; a drawn one says nothing.
  void count_owners(const S& end, double value) const {
    if (value == 0.5) return;
    context_->memory->count_playout(value == 1.0);
    std::size_t point = 0;
    for (int row = 0; row < stones_.height(); ++row)
      for (int column = 0; column < stones_.width(); ++column, ++point)
        if (const Color owner = owner_at_end(end, S::L::cell(row, column)); owner != Color::Empty)
          context_->memory->count_owner(point, owner == Color::Black, value == 1.0);
  }
  ZobristKey position_key(Color to_play) const {
    ZobristKey key = stones_.key();
    if (to_play == Color::White) key ^= kWhiteToMoveKey;
    return key;
  }
  // Stones, side to move and ko point.
  ZobristKey identity_key() const {
    ZobristKey key = position_key(to_play_);
    if (stones_.ko() != kPass) key ^= ko_key(S::L::row(stones_.ko()), S::L::column(stones_.ko()));
    return key;
  }
  ZobristKey superko_key() const {
    return context_->ko_rule == KoRule::Situational ? position_key(to_play_) : stones_.key();
  }

  // Where stones were taken, superko may forbid a move and allow its image.
  bool may_use_symmetry() const {
    return Track.atari && context_->knowledge.uses_symmetry && !context_->had_captures && !captured_on_path_;
  }

  template <Color C>
  void list_moves(MoveList& moves) const {
    const Symmetries symmetries = may_use_symmetry() ? symmetries_of(stones_) : Symmetries{};
    for (int slot = 0; slot < stones_.num_empty(); ++slot) {
      const Cell cell = stones_.empty(slot);
      if (cell == stones_.ko() || stones_.template is_eye<C>(cell) || stones_.template is_suicide<C>(cell)) continue;
      if (!is_first_of_its_images<typename S::L>(symmetries, cell, stones_.width())) continue;
      moves.push_back(point_of(cell));
    }
  }

  const GoContext* context_;
  S stones_;
  Color to_play_;
  int passes_;
  int num_moves_;     // of the game, those before the root included
  LastMoves last_{};  // filled when the state is made
  bool captured_on_path_ = false;
  std::vector<ZobristKey> path_;
};

static_assert(HasPriors<GoGame<9, kTactical>> && !HasPriors<GoGame<9>>);
static_assert(Game<GoGame<9>> && HasPlayout<GoGame<9>> && HasForbidden<GoGame<9>> && HasLegality<GoGame<9>> &&
              HasArray<GoGame<9>> && HasSecondHash<GoGame<9>> && EndsPlayout<GoGame<9>> && HasImageKeys<GoGame<9>> &&
              HasFilling<GoGame<9>>);

}  // namespace tesuji::go
