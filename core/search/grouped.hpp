// Groups of moves as a game around a game: a group is a move after which the same player moves, one of the group's own.
// The graph, the selection and the snapshots know nothing of it. See docs/algorithms/groups.md.
//
// Groups are numbered from the game's moves on: kind by kind, in steps of kMostOfAKind, in the grouper's order. Nobody
// can stop between a group and its move: such a state is a passage, never a leaf.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "games/dynamic.hpp"
#include "games/groups.hpp"
#include "search/group_biases.hpp"

namespace tesuji {

// As Grouper, with the moves that were played since the search was made.
using PathGrouper = std::function<void(const DynamicGame& state, std::span<const Move> moves,
                                       std::span<const Move> path, GroupList& groups)>;

// Which groups a state has. Shared by all threads.
class GroupFinder {
 public:
  using Found = std::function<void(Move code, std::span<const Move> members)>;

  GroupFinder(PathGrouper grouper, const GroupingOptions& options) : grouper_(std::move(grouper)), options_(options) {}

  bool wants_path() const { return options_.wants_path; }
  // Calls function(code, members) for every group of a state, the catch-all group last; not at all if the state has no
  // groups of its own.
  void for_each_group(const DynamicGame& state, std::span<const Move> path, const Found& function) const;

 private:
  Move code_of(std::uint16_t kind, std::vector<Move>& num_of_kind, Move num_moves) const;

  const PathGrouper grouper_;
  const GroupingOptions options_;
};

// A state of the game, or of the passage between a group and one of its moves.
class Grouped {
 public:
  using PriorsOf = std::function<void(std::span<const Move> moves, std::span<float> priors)>;

  explicit Grouped(DynamicGame game) : game_(std::move(game)) {}
  // From now on the state has groups.
  void group_by(const GroupFinder* finder) { finder_ = finder; }

  const DynamicGame& game() const { return game_; }
  DynamicGame& game() { return game_; }
  bool is_passage() const { return group_ != kNoMove; }
  int to_play() const { return game_.to_play(); }
  bool is_over() const { return group_ == kNoMove && game_.is_over(); }
  StateKey key() const;

  void legal_moves(MoveList& moves) const;
  // A group is allowed if one of its moves is; a passage of which none is ends the walk.
  bool is_forbidden(Move move) const { return move < game_.num_distinct_moves() && game_.is_forbidden(move); }
  void play(Move move) {
    if (finder_ == nullptr) return game_.play(move);
    play_in_groups(move);
  }
  // Becomes a copy of another state of the same game.
  void assign(const Grouped& other) {
    game_ = other.game_;
    finder_ = other.finder_;
    group_ = other.group_;
    if (finder_ != nullptr) path_ = other.path_;
  }

  // `prior_of(moves, priors)` knows those of the game's moves; a group's is its best move's.
  void priors(std::span<const Move> moves, std::span<float> priors, const PriorsOf& priors_of) const;

 private:
  void play_in_groups(Move move);

  DynamicGame game_;
  const GroupFinder* finder_ = nullptr;
  Move group_ = kNoMove;
  MoveList path_;  // since the search was made, if the finder wants it
};

}  // namespace tesuji
