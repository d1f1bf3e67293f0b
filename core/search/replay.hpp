// Plays the moves of a saved graph from the root on. Each must be a move of this game, each node the turn of the player
// it says, and a node with several parents one state. So a graph of another game or position is refused, and no walk
// meets a move that its state does not have.
#pragma once

#include <vector>

#include "search/grouped.hpp"
#include "search/snapshot.hpp"

namespace tesuji {

// The keys of the states of a graph's nodes; throws std::invalid_argument unless every move is one of the game.
std::vector<StateKey> replay(const Grouped& root, const GraphSnapshot& snapshot, bool is_dag);

}  // namespace tesuji
