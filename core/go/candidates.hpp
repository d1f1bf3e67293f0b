// Moves that rules found, with their weights, of which one is drawn.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/rng.hpp"
#include "go/points.hpp"
#include "go/rule_list.hpp"

namespace tesuji::go {

// There is room for every point of a board.
class Candidates {
 public:
  struct Candidate {
    Cell cell;
    Origin origin;
    std::uint32_t weight;
  };

  bool is_empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  std::uint32_t weight() const { return weight_; }
  Cell cell(std::size_t i) const { return moves_[i].cell; }
  void clear() { size_ = weight_ = 0; }
  void add(Cell cell, Origin origin, std::uint32_t weight = 1) {
    if (size_ == moves_.size()) return;
    moves_[size_++] = {cell, origin, weight};
    weight_ += weight;
  }
  // Adds all of them to others, under another origin.
  void move_to(Candidates& others, Origin origin) {
    for (std::size_t i = 0; i < size_; ++i) others.add(moves_[i].cell, origin, moves_[i].weight);
    clear();
  }
  const Candidate& draw(Rng& rng) const {
    auto ticket = static_cast<std::uint32_t>(rng.below(weight_));
    std::size_t i = 0;
    while (ticket >= moves_[i].weight) ticket -= moves_[i++].weight;
    return moves_[i];
  }

 private:
  std::array<Candidate, 1024> moves_;
  std::size_t size_ = 0;
  std::uint32_t weight_ = 0;
};

}  // namespace tesuji::go
