#include "search/state_index.hpp"

#include <array>
#include <stdexcept>
#include <string>

namespace tesuji {

// Zeros are free slots, and the system makes them page by page as they are touched: a fresh index is cheaper than a
// cleaned one.
void StateIndex::reset(std::size_t num_slots) {
  std::unique_ptr<Slot[], Free> fresh(static_cast<Slot*>(std::calloc(num_slots, sizeof(Slot))));
  if (!fresh)
    throw std::invalid_argument("cannot reserve " + std::to_string(bytes_for(num_slots)) +
                                " bytes for the index of states; lower the memory cap");
  slots_ = std::move(fresh);
  num_slots_ = num_slots;
  num_nodes_ = 0;
}

void StateIndex::resize(std::size_t num_slots) {
  const std::unique_ptr<Slot[], Free> old = std::move(slots_);
  const std::size_t num_old = num_slots_;
  reset(num_slots);
  for (std::size_t i = 0; i < num_old; ++i)
    if (old[i].key.load() != 0) enter(std::array{Named{old[i].key.load(), old[i].second, old[i].node.load()}});
}

std::vector<StateIndex::Named> StateIndex::take_nodes(std::span<const NodeId> new_numbers) {
  std::vector<Named> kept;
  for (std::size_t i = 0; i < num_slots_; ++i) {
    const Slot& slot = slots_[i];
    if (slot.key.load() == 0) continue;
    if (const NodeId number = new_numbers[slot.node.load()]; number != kNoNode)
      kept.push_back({slot.key.load(), slot.second, number});
  }
  slots_.reset();
  return kept;
}

void StateIndex::enter(std::span<const Named> nodes) {
  for (const Named& named : nodes) {
    std::size_t at = named.key & (num_slots_ - 1);
    while (slots_[at].key.load() != 0) at = (at + 1) & (num_slots_ - 1);
    slots_[at].key = named.key;
    slots_[at].second = named.second;
    slots_[at].node = named.node;
  }
  num_nodes_ = num_nodes_ + nodes.size();
}

}  // namespace tesuji
