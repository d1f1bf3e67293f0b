// Moves that belong together: what a grouping finds at a state. See docs/algorithms/groups.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "games/game.hpp"

namespace tesuji {

struct MoveGroup {
  std::uint16_t kind = 0;  // which of the grouping's names; a kind may have several groups at one state
  MoveList moves;
};

// The groups of one state. Groups may overlap and need not cover all moves. Clearing keeps the memory.
class GroupList {
 public:
  void clear() { size_ = 0; }
  MoveList& add(std::uint16_t kind) {
    if (size_ == groups_.size()) groups_.emplace_back();
    MoveGroup& group = groups_[size_++];
    group.kind = kind;
    group.moves.clear();
    return group.moves;
  }
  std::span<const MoveGroup> groups() const { return {groups_.data(), size_}; }
  std::span<MoveGroup> groups() { return {groups_.data(), size_}; }

 private:
  std::vector<MoveGroup> groups_;
  std::size_t size_ = 0;
};

// Adds the groups of a state to a list. `moves` are the state's legal moves; groups name no others.
template <Game G>
using Grouper = std::function<void(const G& state, std::span<const Move> moves, GroupList& groups)>;

}  // namespace tesuji
