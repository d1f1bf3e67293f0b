// A whole graph as columns of plain numbers: what leaves as arrays, what is saved, and what a search is made from
// again.
//
// A snapshot is complete: a search with one thread that is restored goes on exactly as the one that was saved. Whether
// its moves are those of the game is not known here; Search::restore() (restore.hpp) plays them before it believes
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "games/game.hpp"
#include "search/graph.hpp"
#include "search/value_table.hpp"

namespace tesuji {

// Nodes in breadth-first order from the root (0), edges grouped by their node. Values are the first player's sums, or
// one player's sums of merits (numbers.hpp). A leaf of a tree, which the graph knows by its edge alone, is a node here.
// Moves from the game's number of moves on are groups (grouped.hpp).
struct GraphSnapshot {
  std::vector<int> node_mover, node_proof;
  std::vector<std::int64_t> node_visits;
  std::vector<double> node_value;
  std::vector<int> node_first_edge, node_num_edges;

  std::vector<int> edge_move;
  std::vector<std::int64_t> edge_visits;
  std::vector<double> edge_value;
  std::vector<int> edge_proof, edge_child;  // child -1: none
  std::vector<std::int64_t> edge_amaf_visits;
  std::vector<double> edge_amaf_value, edge_prior;  // empty where the graph has no such column, as all below

  // Only needed to go on.
  std::vector<int> node_width;                 // as Width numbers it
  std::vector<int> edge_is_unlocked;           // by widening
  std::vector<double> edge_squares;            // sums
  std::vector<double> edge_upper, edge_lower;  // bounds
  std::vector<int> edge_entry;                 // number of the child's entry in the table of shared values, 0: none
  std::vector<double> edge_backed;             // by a back-up rule; NaN: nothing yet
};

// A search as it stands.
struct SearchSnapshot {
  std::vector<GraphSnapshot> graphs{};
  std::vector<std::uint64_t> streams{};  // where every worker's random stream stands
  TableSnapshot table{};
  // One player.
  std::vector<double> numbers{};     // Numbers::save()
  std::vector<double> best_value{};  // empty: none was found
  std::vector<Move> best_moves{};
  // What was learnt besides: by playouts, as a policy and as a game keep it, and about kinds of groups. Empty: nothing.
  std::vector<std::byte> policy_memory{}, game_memory{};
  std::vector<float> biases{};
};

GraphSnapshot snapshot_of(const Graph& graph);

// Throws std::invalid_argument unless the numbers make a graph with these columns: every list has its length, every
// node hangs below the root, every number is in its range. `num_entries` has the table of shared values.
void check_snapshot(const GraphSnapshot& snapshot, const Columns& columns, std::size_t num_entries = 0);

// Fills an empty graph from a checked snapshot. `keys` name the states of a DAG's nodes; a tree needs none. Throws
// std::invalid_argument if the memory cap is too small.
void fill_graph(Graph& graph, const GraphSnapshot& snapshot, std::span<const StateKey> keys);

}  // namespace tesuji
