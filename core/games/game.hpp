// The contract of a game. A game is a small value: copy it, list its moves, play one. The search knows nothing else.
//
// Players are 0 (first) and 1 (second). Values are the first player's, from 0 (lost) to 1 (won). Moves are numbers from
// 0 to num_distinct_moves() - 1; a move means the same at every moment of the game, which is what AMAF needs.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/attributes.hpp"
#include "base/rng.hpp"

namespace tesuji {

using Move = std::int32_t;
using MoveList = std::vector<Move>;

inline constexpr Move kNoMove = -1;

template <class G>
concept Game = std::copy_constructible<G> && requires(const G& game, G& mutable_game, Move move, MoveList& moves) {
  { game.num_distinct_moves() } -> std::convertible_to<int>;
  { game.to_play() } -> std::convertible_to<int>;
  { game.is_over() } -> std::convertible_to<bool>;
  { game.value() } -> std::convertible_to<double>;  // only when is_over()
  { game.hash() } -> std::convertible_to<std::uint64_t>;
  game.legal_moves(moves);  // appends; empty only when is_over()
  mutable_game.play(move);
};

// What names a state: its hash, and a second one that tells apart states whose first is the same by chance.
struct StateKey {
  StateKey(std::uint64_t hash, std::uint32_t second_hash = 0) : first(hash), second(second_hash) {}
  friend bool operator==(const StateKey&, const StateKey&) = default;

  std::uint64_t first;
  std::uint32_t second;
};

// A game may have a second hash, independent of the first. It is asked for when a state is entered, not at every walk.
template <class G>
concept HasSecondHash = requires(const G& game) {
  { game.second_hash() } -> std::convertible_to<std::uint32_t>;
};

template <Game G>
StateKey key_of(const G& game) {
  if constexpr (HasSecondHash<G>)
    return {game.hash(), game.second_hash()};
  else
    return {game.hash()};
}

// Which moves each player made in a simulation: what AMAF wants to know of it. A mask per move, all ones if it was
// made, so that whoever adds a result for the moves made guesses no branch; and, if asked for, when it was first made.
class MadeMoves {
 public:
  void clear(std::size_t num_moves) {
    for (auto& masks : masks_) masks.assign(num_moves, 0);
  }
  // From now on moves are numbered from `next` on as they are added.
  void keep_order(std::size_t num_moves, std::size_t next) {
    keeps_order_ = true;
    next_ = static_cast<std::uint32_t>(next);
    for (auto& first : first_) first.resize(num_moves);
  }
  void add(Move move, int player) {
    std::uint64_t& mask = masks_[static_cast<std::size_t>(player)][static_cast<std::size_t>(move)];
    if (keeps_order_) {
      if (mask == 0) first_[static_cast<std::size_t>(player)][static_cast<std::size_t>(move)] = next_;
      ++next_;
    }
    mask = ~std::uint64_t{0};
  }
  // A move that was made before all those added so far.
  void add_before(Move move, int player, std::size_t when) {
    masks_[static_cast<std::size_t>(player)][static_cast<std::size_t>(move)] = ~std::uint64_t{0};
    if (keeps_order_)
      first_[static_cast<std::size_t>(player)][static_cast<std::size_t>(move)] = static_cast<std::uint32_t>(when);
  }
  const std::uint64_t* masks(int player) const { return masks_[static_cast<std::size_t>(player)].data(); }
  std::uint64_t* masks(int player) { return masks_[static_cast<std::size_t>(player)].data(); }
  bool keeps_order() const { return keeps_order_; }
  // When a move that was made was first made; only if the order is kept.
  std::uint32_t first(int player, Move move) const {
    return first_[static_cast<std::size_t>(player)][static_cast<std::size_t>(move)];
  }
  std::uint32_t num_added() const { return next_; }

 private:
  std::array<std::vector<std::uint64_t>, 2> masks_;
  std::array<std::vector<std::uint32_t>, 2> first_;
  bool keeps_order_ = false;
  std::uint32_t next_ = 0;
};

// A game may bring its own fast playout: play to the end, tell `record` every move by add(move, player) if it
// is not null, and return the value.
template <class G>
concept HasPlayout = requires(G& game, Rng& rng, MadeMoves* record) {
  { game.play_out(rng, record) } -> std::convertible_to<double>;
};

// A game may divide its playout into moves: a Stepper is made from a state and says, again and again until the game is
// over, which move comes next; whoever asks plays it, and nothing else, on that state. From the same random numbers the
// playout in one piece must be worth the same, and the moves must be the first of its moves. kNoMove says that the
// playout of this state cannot be divided. next() may reorder what is no part of the state.
template <class G>
concept HasStepper = requires(G& state, Rng& rng) {
  { typename G::Stepper(state).next(state, rng) } -> std::same_as<Move>;
};

// A stepper may end a playout where the game is not over, and say what that is worth: end() is asked before every move.
template <class G>
concept EndsPlayout = HasStepper<G> && requires(typename G::Stepper& stepper, const G& state) {
  { stepper.is_noted() } -> std::same_as<bool>;  // does AMAF hear of the move just made?
  { stepper.end(state) } -> std::same_as<std::optional<double>>;
};

// A game may have images (rotations, mirrors) that are worth the same: ImageKeys follows a state move by move, and
// gives all images one key.
template <class G>
concept HasImageKeys = requires(const G& state, Move move, typename G::ImageKeys& keys) {
  requires std::constructible_from<typename G::ImageKeys, const G&>;
  keys.follow(state, move);  // after the move
  { keys.key(state) } -> std::same_as<StateKey>;
};

// A game may say how full its board is, 0..1.
template <class G>
concept HasFilling = requires(const G& game) {
  { game.filling() } -> std::convertible_to<double>;
};

// The stepper of a game whose moves in a playout depend on the state alone: random_move(rng) draws one.
template <class G>
class RandomMoves {
 public:
  explicit RandomMoves(const G&) {}
  Move next(const G& game, Rng& rng) { return game.random_move(rng); }
};

// The playout of a game that divides it, in one piece.
template <HasStepper G, class Record>
TESUJI_ALWAYS_INLINE double play_out_by_steps(G& game, Rng& rng, Record* record) {
  typename G::Stepper stepper(game);
  while (!game.is_over()) {
    const Move move = stepper.next(game, rng);
    if (record) record->add(move, game.to_play());
    game.play(move);
  }
  return game.value();
}

// A game may know beforehand how good its moves are: one number in 0..1 for each of `moves`, in `priors`.
template <class G>
concept HasPriors =
    requires(const G& game, std::span<const Move> moves, std::span<float> priors) { game.priors(moves, priors); };

// A game may show its state to an evaluator as an array of bytes: planes of zeros and ones, or a record. The shape is
// the same for all states of a search, and its product is the number of bytes.
template <class G>
concept HasArray = requires(const G& game, std::span<std::uint8_t> zeros) {
  { game.array_shape() } -> std::convertible_to<std::vector<std::size_t>>;
  game.encode(zeros);
};

// The playouts of a game may learn from each other; what they remember can be saved with a search. load_memory() takes
// what save_memory() gave, and throws std::invalid_argument, changing nothing, for anything else.
template <class G>
concept HasMemory = requires(const G& game, std::span<const std::byte> saved) {
  { game.save_memory() } -> std::same_as<std::vector<std::byte>>;
  game.load_memory(saved);
};

// A game may forbid a move along a path that its list of moves allows (superko); the search then takes another.
template <class G>
concept HasForbidden = requires(const G& game, Move move) {
  { game.is_forbidden(move) } -> std::convertible_to<bool>;
};

// A game may allow moves that its list leaves out because no sensible player makes them (filling an own eye in Go).
template <class G>
concept HasLegality = requires(const G& game, Move move) {
  { game.is_legal(move) } -> std::convertible_to<bool>;
};

// A game may be for one player, who wants its value as large or as small as can be. The value is then any finite
// number, to_play() is always 0, and a playout that the game brings takes whatever has add(move, player).
enum class Goal { TwoPlayers, Maximise, Minimise };
template <class G>
concept HasGoal = requires(const G& game) {
  { game.goal() } -> std::same_as<Goal>;
};

// A game of one player may say how good a solution can still become: the best value that is possible from this state,
// at least as good as that of every solution below it (an upper bound where the value is maximised, a lower one where
// it is minimised). At the end it may be the value itself. The search closes states whose bound cannot beat the best
// solution.
template <class G>
concept HasBound = HasGoal<G> && requires(const G& game) {
  { game.bound() } -> std::convertible_to<double>;
};

// What says nothing: the bound of a game that has none, though its type could.
constexpr double no_bound(Goal goal) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return goal == Goal::Minimise ? -kInfinity : kInfinity;
}

template <Game G>
bool is_legal_move(const G& game, Move move) {
  if (game.is_over()) return false;
  if constexpr (HasLegality<G>) {
    return game.is_legal(move);
  } else {
    MoveList moves;
    game.legal_moves(moves);
    return std::find(moves.begin(), moves.end(), move) != moves.end();
  }
}

inline constexpr int kMaxPlayoutMoves = 100'000;

[[noreturn]] inline void throw_endless_playout() {
  throw std::runtime_error("the game did not end within " + std::to_string(kMaxPlayoutMoves) +
                           " random moves; check_game() shows what it does");
}

// One of the legal moves, each as likely.
template <class G>
Move uniform_move(const G& game, Rng& rng, MoveList& scratch) {
  scratch.clear();
  game.legal_moves(scratch);
  if (scratch.empty()) throw std::logic_error("a game that is not over lists no legal move");
  return scratch[rng.below(scratch.size())];
}

// The uniform playout of a game that brings none of its own. Throws if the game does not end.
template <class G, class Record>
double play_out_uniformly(G& game, Rng& rng, Record* record, MoveList& scratch) {
  for (int moves = 0; !game.is_over(); ++moves) {
    if (moves == kMaxPlayoutMoves) throw_endless_playout();
    const Move move = uniform_move(game, rng, scratch);
    if (record) record->add(move, game.to_play());
    game.play(move);
  }
  return game.value();
}

}  // namespace tesuji
