// What earlier playouts of the same search have taught: the last good reply, the best answer, the best move of the
// neighbourhood. docs/algorithms/playouts.md, learning-playouts.md.
#pragma once

#include <cstdint>

#include "go/acceptance.hpp"
#include "go/learner.hpp"
#include "go/playout_memory.hpp"

namespace tesuji::go {

// Each gives one move that is acceptable, not one of several by lot; or kPass. Without a memory there are no last good
// replies, without a learner nothing else.
template <class S>
class LearntMoves {
 public:
  LearntMoves(const S& stones, const Acceptance<S>& acceptance, const PlayoutMemory* memory, Learner<S>* learner)
      : stones_(stones), acceptance_(acceptance), memory_(memory), learner_(learner) {}

  template <Color C>
  Cell last_good_reply(Cell last) const {
    if (memory_ == nullptr || last == kPass) return kPass;
    const std::int16_t reply = memory_->reply(index_of(C), point_of(last));
    if (reply == PlayoutMemory::kNone) return kPass;
    const Cell cell = S::L::cell(reply / stones_.width(), reply % stones_.width());
    return acceptance_.template is_acceptable<C>(cell) ? cell : kPass;
  }
  template <Color C>
  Cell edge(Cell last) const {
    if (learner_ == nullptr || last == kPass) return kPass;
    return learner_->template edge_move<C>(stones_, last, accepts<C>());
  }
  template <Color C>
  Cell node(Cell last) const {
    if (learner_ == nullptr || last == kPass) return kPass;
    return learner_->template node_move<C>(stones_, last, accepts<C>());
  }

 private:
  template <Color C>
  auto accepts() const {
    return [this](Cell cell) { return acceptance_.template is_acceptable<C>(cell); };
  }
  std::int16_t point_of(Cell cell) const {
    return static_cast<std::int16_t>(S::L::row(cell) * stones_.width() + S::L::column(cell));
  }

  const S& stones_;
  const Acceptance<S>& acceptance_;
  const PlayoutMemory* memory_;
  Learner<S>* learner_;
};

}  // namespace tesuji::go
