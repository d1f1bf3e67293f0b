#include "search/state_index.hpp"

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

std::vector<StateIndex::Named> StateIndex::nodes() const {
  std::vector<Named> found;
  for (std::size_t i = 0; i < num_slots_; ++i)
    if (const Slot& slot = slots_[i]; slot.key.load() != 0)
      found.push_back({slot.key.load(), slot.second, slot.node.load()});
  return found;
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
