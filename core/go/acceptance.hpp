// Where a rule of playouts may play: legal, no own eye filled, no self-atari of the kind that the policy refuses.
// docs/algorithms/playouts.md.
#pragma once

#include <cstdint>

#include "go/eye_spaces.hpp"
#include "go/policy.hpp"
#include "go/tactics.hpp"

namespace tesuji::go {

// Of whatever stands on the board when it is asked; `S` must track atari.
template <class S>
class Acceptance {
 public:
  Acceptance(const S& stones, const PlayoutPolicy& policy) : stones_(stones), policy_(policy) {}

  template <Color C>
  bool is_acceptable(Cell cell) const {
    return is_playable<C>(stones_, cell) && !is_own_eye<C>(cell) && !is_refused_self_atari<C>(cell);
  }
  template <Color C>
  bool is_own_eye(Cell cell) const {
    if (!is_enclosed<C>(stones_, cell)) return false;
    if (!stones_.template is_eye<C>(cell)) return is_eye_of_loop<C>(stones_, cell);
    return policy_.eye_potential || is_complete_eye<C>(stones_, cell);
  }

  template <Color C>
  bool is_refused_self_atari(Cell cell) const {
    const std::uint32_t word = stones_.around(cell);
    if (policy_.self_atari == SelfAtari::Allowed || near::num_empty(word) >= 2) return false;
    const bool refuses_small_ones = policy_.self_atari == SelfAtari::Never;
    const int size = chain_size_after<C>(stones_, cell);
    if (size < 3 && !refuses_small_ones) return false;
    Cell liberty = kPass;
    if (!is_self_atari<C>(stones_, cell, liberty)) return false;
    return policy_.self_atari != SelfAtari::Nakade || size > 6 || liberty == kPass ||
           !is_nakade<C>(stones_, cell, liberty) || may_connect_out<C>(liberty);
  }

 private:
  // Would the same stones have two liberties or more if they moved to their last one instead? Then they are not inside.
  template <Color C>
  bool may_connect_out(Cell liberty) const {
    return liberty != kPass && is_playable<C>(stones_, liberty) && liberties_after<C, 3>(stones_, liberty) >= 3;
  }

  const S& stones_;
  const PlayoutPolicy& policy_;
};

}  // namespace tesuji::go
