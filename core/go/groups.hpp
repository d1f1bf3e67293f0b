// Groups of moves in Go: the rows of table 2.1 of the UCT-DAG report. What each row means and why:
// docs/algorithms/go-groups.md.
// Names, defaults and checks of the parameters are in src/tesuji/go/knowledge/groups.py. The catch-all group is the
// search's own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "games/groups.hpp"
#include "go/game.hpp"

namespace tesuji::go {

// "Friendly" is the side to move, "enemy" the other one.
enum class Row : std::uint8_t {
  Border,               // at most `distance` lines from the edge line
  ManhattanEnemy,       // within `distance` of the last move
  ManhattanFriendly,    // of the move before it
  ManhattanTotal,       // of either
  FriendlySaves,        // gives an own chain of at least `stones` in atari a second liberty
  EnemyKills,           // captures at least `stones`
  EnemyNeighbours,      // touches at least `stones` enemy stones
  FriendlyNeighbours,   // the same of own stones
  EnemyThreats,         // a liberty of an enemy chain under threat: it has at most `liberties` and touches own stones
  FriendlyThreats,      // the same of own chains
  ManyLiberties,        // the stone's chain would have at least `liberties`
  Chains,               // one group per chain of at least `stones` with at most `liberties`: its liberties
  FriendlyChainMakers,  // joins two own chains, or makes a chain of at least `stones`
  EnemyChainMakers,     // the same, if the enemy played there
};

// A row with its parameters; one that a row does not name means nothing to it.
struct GroupRow {
  Row row = Row::Border;
  std::uint16_t kind = 0;  // of its groups in a GroupList
  int distance = 0;
  int stones = 1;
  int liberties = 1;
};

// Adds the groups of a state to a list, row by row; groups without a move are left out, and no group has the pass.
// The last move is taken for the enemy's and the one before it for an own one; a pass has no neighbourhood.
template <int Capacity, Tracking Track>
void find_groups(const GoGame<Capacity, Track>& state, std::span<const Move> moves, std::span<const GroupRow> rows,
                 GroupList& groups);

// The same as a search takes it.
template <class G>
Grouper<G> grouper_of(std::vector<GroupRow> rows) {
  return [rows = std::move(rows)](const G& state, std::span<const Move> moves, GroupList& groups) {
    find_groups(state, moves, rows, groups);
  };
}

}  // namespace tesuji::go
