// Groups of moves as a game around a game: a group is a move after which the same player moves, one of the group's own.
// The graph, the selection and the snapshots know nothing of it. See docs/algorithms/groups.md.
//
// Groups are numbered from the game's moves on: kind by kind, in steps of kMostOfAKind, in the grouper's order. Nobody
// can stop between a group and its move: such a state is a passage, never a leaf.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/hashing.hpp"
#include "games/game.hpp"
#include "games/groups.hpp"
#include "search/group_biases.hpp"

namespace tesuji {

// As Grouper, with the moves that were played since the search was made.
template <Game G>
using PathGrouper =
    std::function<void(const G& state, std::span<const Move> moves, std::span<const Move> path, GroupList& groups)>;

// Which groups a state has. Shared by all threads.
template <Game G>
class GroupFinder {
 public:
  GroupFinder(PathGrouper<G> grouper, const GroupingOptions& options)
      : grouper_(std::move(grouper)), options_(options) {}

  bool wants_path() const { return options_.wants_path; }

  // Calls function(code, members) for every group of a state, the catch-all group last; not at all if the state has no
  // groups of its own.
  template <class F>
  void for_each_group(const G& state, std::span<const Move> path, const F& function) const {
    MoveList moves;
    state.legal_moves(moves);
    GroupList found;
    grouper_(state, moves, path, found);
    std::vector<Move> num_of_kind(options_.num_kinds, 0);
    std::vector<bool> is_grouped(static_cast<std::size_t>(state.num_distinct_moves()), false);
    bool has_groups = false;
    for (const MoveGroup& group : found.groups()) {
      if (group.moves.empty()) continue;
      function(code_of(group.kind, num_of_kind, state.num_distinct_moves()), group.moves);
      for (const Move move : group.moves) is_grouped[static_cast<std::size_t>(move)] = true;
      has_groups = true;
    }
    if (!has_groups) return;
    if (!options_.overlap) std::erase_if(moves, [&](Move move) { return is_grouped[static_cast<std::size_t>(move)]; });
    if (!moves.empty()) function(static_cast<Move>(state.num_distinct_moves()), moves);
  }

 private:
  Move code_of(std::uint16_t kind, std::vector<Move>& num_of_kind, Move num_moves) const {
    if (kind == kCatchAll || kind >= options_.num_kinds)
      throw std::invalid_argument("a grouping named kind " + std::to_string(kind) + "; its kinds are 1.." +
                                  std::to_string(options_.num_kinds - 1));
    const Move ordinal = num_of_kind[kind]++;
    if (ordinal >= kMostOfAKind)
      throw std::invalid_argument("a state has more than " + std::to_string(kMostOfAKind) +
                                  " groups of one kind; make fewer");
    return num_moves + kind * kMostOfAKind + ordinal;
  }

  const PathGrouper<G> grouper_;
  const GroupingOptions options_;
};

// A state of the game, or of the passage between a group and one of its moves.
template <Game G>
class Grouped {
 public:
  explicit Grouped(const G& game) : game_(game) {}
  // From now on the state has groups.
  void group_by(const GroupFinder<G>* finder) { finder_ = finder; }

  const G& game() const { return game_; }
  G& game() { return game_; }
  bool is_passage() const { return group_ != kNoMove; }
  int to_play() const { return game_.to_play(); }
  bool is_over() const { return group_ == kNoMove && game_.is_over(); }
  StateKey key() const {
    StateKey key = key_of(game_);
    if (is_passage()) key.first = combine(key.first, static_cast<std::uint64_t>(group_) + 1);
    return key;
  }

  void legal_moves(MoveList& moves) const {
    if (finder_ == nullptr) return game_.legal_moves(moves);
    const std::size_t before = moves.size();
    finder_->for_each_group(game_, path_, [&](Move code, std::span<const Move> members) {
      if (!is_passage())
        moves.push_back(code);
      else if (code == group_)
        moves.insert(moves.end(), members.begin(), members.end());
    });
    if (moves.size() == before) game_.legal_moves(moves);
  }
  // A group is allowed if one of its moves is; a passage of which none is ends the walk.
  bool is_forbidden(Move move) const {
    if constexpr (HasForbidden<G>) return move < game_.num_distinct_moves() && game_.is_forbidden(move);
    return false;
  }
  void play(Move move) {
    if (finder_ == nullptr) return game_.play(move);
    if (move >= game_.num_distinct_moves()) {
      group_ = move;
      return;
    }
    group_ = kNoMove;
    game_.play(move);
    if (finder_->wants_path()) path_.push_back(move);
  }

  // `prior_of(moves, priors)` knows those of the game's moves; a group's is its best move's.
  template <class PriorsOf>
  void priors(std::span<const Move> moves, std::span<float> priors, const PriorsOf& priors_of) const {
    if (finder_ == nullptr || moves.empty() || moves[0] < game_.num_distinct_moves()) return priors_of(moves, priors);
    std::vector<std::pair<Move, float>> by_code;
    std::vector<float> of_members;
    finder_->for_each_group(game_, path_, [&](Move code, std::span<const Move> members) {
      of_members.resize(members.size());
      priors_of(members, std::span<float>(of_members));
      by_code.emplace_back(code, *std::max_element(of_members.begin(), of_members.end()));
    });
    for (std::size_t i = 0; i < moves.size(); ++i)
      for (const auto& [code, prior] : by_code)
        if (code == moves[i]) priors[i] = prior;
  }

 private:
  G game_;
  const GroupFinder<G>* finder_ = nullptr;
  Move group_ = kNoMove;
  MoveList path_;  // since the search was made, if the finder wants it
};

}  // namespace tesuji
