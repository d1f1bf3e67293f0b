// Which node a state has, where equal states share one: open addressing with linear probing over hashes.
//
// Threads enter and find without locks: a slot's key is claimed by compare-and-swap and its node published after it.
// A state whose first hash is another's is a collision: it is counted, and gets a node of its own that nobody finds.
// The index holds twice as many slots as nodes, or it is crowded and wants to be resized while nobody walks.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "base/hashing.hpp"
#include "games/game.hpp"

namespace tesuji {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = 0;

class StateIndex {
 public:
  struct Named {
    std::uint64_t key;
    std::uint32_t second;
    NodeId node;
  };

  // Empty, with so many slots: a power of two. Throws std::invalid_argument if the system does not have the memory.
  void reset(std::size_t num_slots);
  // With another number of slots.
  void resize(std::size_t num_slots);
  bool exists() const { return num_slots_ > 0; }
  std::size_t num_slots() const { return num_slots_; }
  std::size_t bytes() const { return num_slots_ * sizeof(Slot); }
  static constexpr std::size_t bytes_for(std::size_t num_slots) { return num_slots * sizeof(Slot); }
  bool is_crowded() const { return num_nodes_.load(std::memory_order_relaxed) * 2 > num_slots_; }
  std::uint64_t num_collisions() const { return num_collisions_.load(std::memory_order_relaxed); }

  // The node of a state, or the one that make() gives it (kNoNode: no room); `was_there` says which. kNoNode too if the
  // index is more than crowded.
  template <class Make>
  NodeId find_or_make(StateKey state, bool& was_there, const Make& make);

  // Those nodes that have a new number, under it. The index is empty afterwards, and wants reset().
  std::vector<Named> take_nodes(std::span<const NodeId> new_numbers);
  void enter(std::span<const Named> nodes);

 private:
  struct Slot {
    std::atomic<std::uint64_t> key{0};  // 0: free
    std::uint32_t second = 0;           // written before the node is published
    std::atomic<NodeId> node{kNoNode};
  };
  static_assert(sizeof(Slot) == 16);
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  static constexpr std::size_t kMostProbes = 64;

  std::unique_ptr<Slot[], Free> slots_;
  std::size_t num_slots_ = 0;
  std::atomic<std::size_t> num_nodes_{0};
  std::atomic<std::uint64_t> num_collisions_{0};
};

template <class Make>
NodeId StateIndex::find_or_make(StateKey state, bool& was_there, const Make& make) {
  was_there = false;
  std::uint64_t key = mix64(state.first);  // games may count their states instead of hashing them; it is one to one
  if (key == 0) key = 1;
  for (std::size_t probe = 0; probe < kMostProbes; ++probe) {
    Slot& slot = slots_[(key + probe) & (num_slots_ - 1)];
    std::uint64_t found = slot.key.load(std::memory_order_acquire);
    if (found == 0) {
      const NodeId made = make();
      if (made == kNoNode) return kNoNode;
      if (slot.key.compare_exchange_strong(found, key, std::memory_order_acq_rel)) {
        slot.second = state.second;
        slot.node.store(made, std::memory_order_release);
        num_nodes_.fetch_add(1, std::memory_order_relaxed);
        return made;
      }
      // Somebody took the slot; the spare node is lost until the next recycling.
    }
    if (found != key) continue;
    NodeId node = kNoNode;
    while ((node = slot.node.load(std::memory_order_acquire)) == kNoNode) {
    }
    was_there = slot.second == state.second;
    if (was_there) return node;
    num_collisions_.fetch_add(1, std::memory_order_relaxed);
    return make();
  }
  return kNoNode;
}

}  // namespace tesuji
