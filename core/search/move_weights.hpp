// How much moves of different kinds are explored: groups of moves, in proportion to what is known of their kinds
// (group_biases.hpp). Without biases all moves are alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/edges.hpp"

namespace tesuji {

class MoveWeights {
 public:
  MoveWeights() = default;
  // Moves from `first` on have kinds, each of them `per_kind` moves (grouped.hpp). The biases must outlive it.
  MoveWeights(const std::vector<float>& biases, Move first, Move per_kind)
      : biases_(&biases), first_(first), per_kind_(per_kind) {}

  // Are these edges such moves? All of a node's are, or none.
  bool concern(const Edges& edges) const { return biases_ != nullptr && edges.move(0) >= first_; }
  // What edges count as visited.
  void weigh(const Edges& edges, float* visits) const;

 private:
  float bias(const Edges& edges, std::uint32_t edge) const {
    return (*biases_)[static_cast<std::size_t>((edges.move(edge) - first_) / per_kind_)];
  }

  const std::vector<float>* biases_ = nullptr;
  Move first_ = 0, per_kind_ = 1;
};

// w = b / (the mean of the node's b). A group of weight w counts as visited n / w times, so its bonus is
// c * sqrt(w * ln N / n), and groups of equal value get visits in proportion to their biases.
inline void MoveWeights::weigh(const Edges& edges, float* visits) const {
  float sum = 0;
  bool alike = true;
  for (std::uint32_t i = 0; i < edges.size; ++i) {
    sum += bias(edges, i);
    alike &= bias(edges, i) == bias(edges, 0);
  }
  if (alike) return;  // what division would round is left exactly as it is
  const float mean = sum / static_cast<float>(edges.size);
  for (std::uint32_t i = 0; i < edges.size; ++i)
    if (visits[i] > 0) visits[i] *= mean / bias(edges, i);  // infinite for a bias of 0: no bonus
}

}  // namespace tesuji
