// Where a search begins: the state at its root, and what the user gave with the game, groups of moves and a policy of
// playouts.
#pragma once

#include <memory>
#include <vector>

#include "games/dynamic.hpp"
#include "games/playout.hpp"
#include "search/grouped.hpp"
#include "search/snapshot.hpp"

namespace tesuji {

class Root {
 public:
  using Policy = PlayoutPolicy<DynamicGame>;

  // Throws std::invalid_argument for a game of one player in which somebody else is to move.
  explicit Root(DynamicGame game);

  const Grouped& state() const { return state_; }
  const DynamicGame& game() const { return state_.game(); }
  Move num_moves() const { return game().num_distinct_moves(); }  // of the game; what lies beyond are groups
  // May the game forbid a move that it lists?
  bool forbids() const { return forbids_; }
  // Throws std::invalid_argument unless there is something to search.
  void check_it_has_moves() const;

  void group_by(PathGrouper grouper, const GroupingOptions& options);
  void play_out_by(std::shared_ptr<Policy> policy);
  // Of the playouts, if it is not the game's own.
  const std::shared_ptr<Policy>& policy() const { return policy_; }

  // Throws std::invalid_argument if the move is not legal.
  void play(Move move);

  // What playouts and the game have learnt.
  void save_memory(SearchSnapshot& saved) const;
  void load_memory(const SearchSnapshot& saved);
  // The keys of all states of a graph's nodes; throws unless every move is one of the game.
  std::vector<StateKey> replay(const GraphSnapshot& snapshot, bool shares_nodes) const;

 private:
  Grouped state_;
  const bool forbids_;
  std::unique_ptr<GroupFinder> finder_;  // if moves are grouped
  std::shared_ptr<Policy> policy_;
};

}  // namespace tesuji
