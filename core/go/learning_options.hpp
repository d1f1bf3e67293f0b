// How playouts learn: everything that varies. docs/algorithms/learning-playouts.md.
#pragma once

#include <cstddef>

namespace tesuji::go {

struct LearningOptions {
  int context_size = 40;
  int num_neighbours = 20;  // of the last move, where node moves are looked for
  int num_best = 8;         // k: answers kept for a move in its context
  int num_updates = 80;     // so many moves of a playout are learnt from
  int illegal_limit = 16;   // an answer that was illegal so often in a row makes room for another
  double node_threshold = 0.5, edge_threshold = 0.625;
  double z = 0.6744897501960817;  // of the order of states: how much evidence a rate needs (learning::Scale)
  bool is_relative = false;       // thresholds are counted from what a colour wins on the whole: 0.5 is surely above it
  bool balances = true;           // thresholds of black and white part until both play as many moves
  bool is_kept = true;            // from move to move
  int fate_limit = 0;  // nothing is learnt farther from the last move than this in the root's common fate graph; 0: all
  bool has_tree_layer = false;                // a second set of tables that playouts ask first and never teach
  std::size_t memory = std::size_t{4} << 20;  // bytes; the second set takes as much again
};

}  // namespace tesuji::go
