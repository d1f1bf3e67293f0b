// The first moves of one playout, and what they teach about replies.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "go/playout_memory.hpp"
#include "go/points.hpp"

namespace tesuji::go {

// The first moves of one playout, from which replies are learnt when it is over.
class PlayedMoves {
 public:
  PlayedMoves(std::int16_t last, bool learns) : learns_(learns) { moves_[size_++] = {last, Color::Empty}; }

  void add(std::int16_t move, Color color) {
    if (learns_ && size_ < moves_.size()) moves_[size_++] = {move, color};
  }
  // The winner's replies are remembered, the loser's forgotten.
  void teach(PlayoutMemory& memory, double value) const {
    if (!learns_ || value == 0.5) return;
    for (std::size_t i = 1; i < size_; ++i) {
      const auto [to, move] = std::pair(moves_[i - 1].move, moves_[i].move);
      if (to == PlayoutMemory::kNone || move == PlayoutMemory::kNone) continue;
      if ((moves_[i].color == Color::Black) == (value == 1.0))
        memory.remember(index_of(moves_[i].color), to, move);
      else
        memory.forget(index_of(moves_[i].color), to, move);
    }
  }

 private:
  struct Played {
    std::int16_t move;
    Color color;
  };
  std::array<Played, 512> moves_;
  std::size_t size_ = 0;
  bool learns_;
};

}  // namespace tesuji::go
