// Playouts that learn, for boards of whatever size: as a search takes them, and without a search.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "games/dynamic.hpp"
#include "go/board.hpp"
#include "go/learning_tables.hpp"
#include "go/policy.hpp"

namespace tesuji::go {

// A policy for states that know tactics of boards of this size; throws if the tables are those of another.
std::shared_ptr<tesuji::PlayoutPolicy<DynamicGame>> learning_playouts(const Board& board,
                                                                      std::shared_ptr<LearningTables> tables,
                                                                      const PlayoutPolicy& policy);

// Playouts from a board, one after the other, each taught by those before it: whether black won, without komi.
std::vector<int> run_learning(const Board& board, const PlayoutPolicy& policy,
                              const std::shared_ptr<LearningTables>& tables, int num_playouts, std::uint64_t seed);

}  // namespace tesuji::go
