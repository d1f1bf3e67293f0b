// What tests ask of a playout: its moves one by one, or none at all.
#pragma once

#include <cstddef>
#include <vector>

#include "games/game.hpp"

namespace tesuji {

// The moves of a playout in their order, with who made them.
class MoveRecord {
 public:
  void clear() { turns_.clear(); }
  void add(Move move, int player) { turns_.push_back(2 * move + player); }
  std::size_t size() const { return turns_.size(); }
  Move move(std::size_t i) const { return turns_[i] >> 1; }
  int player(std::size_t i) const { return turns_[i] & 1; }

 private:
  std::vector<Move> turns_;
};

inline constexpr MadeMoves* kNoRecord = nullptr;

}  // namespace tesuji
