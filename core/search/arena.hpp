// The memory of a search graph: nodes from its front, blocks of edges from its back, until a cap is reached.
//
// A block is named by its distance from the end, in units of eight bytes. Of several workers each takes memory from a
// room of its own, which asks the common store once for many places; anybody else takes it from the common store. What
// else the cap holds, its owner says: `beside`, in bytes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include "search/edges.hpp"

namespace tesuji {

class Arena {
 public:
  static constexpr std::size_t kNoWorker = ~std::size_t{0};

  // `beside_node` bytes more of the cap go with every node. Throws std::invalid_argument for a cap that cannot be.
  Arena(std::size_t memory_bytes, std::size_t beside_node, std::size_t num_workers);

  Node& node(NodeId id) { return nodes_[id]; }
  const Node& node(NodeId id) const { return nodes_[id]; }
  std::byte* block(std::uint32_t name) const { return end_ - std::size_t{name} * kUnit; }

  // kNoNode when the memory is full.
  NodeId make_node(int mover, std::size_t worker, std::size_t beside);
  // Memory for a block of so many bytes; nothing when it is full.
  std::optional<std::uint32_t> make_block(std::size_t bytes, std::size_t worker, std::size_t beside);

  std::size_t num_nodes() const { return taken().nodes - 1 - num_spare_nodes(); }
  // All nodes are below it, among them some that nobody uses yet and nothing leads to.
  NodeId end_of_nodes() const { return static_cast<NodeId>(taken().nodes); }
  // Edges in blocks, as those who made them say.
  void count_edges(std::size_t number, std::size_t worker);
  std::size_t num_edges() const;

  std::size_t cap() const { return memory_bytes_; }
  // What a node and a block take of the cap; all that is taken, with what recycling will need and without it.
  std::size_t bytes_of_node() const { return node_cost_; }
  static std::size_t bytes_of_block(std::size_t bytes) { return units_for(bytes) * kUnit; }
  std::size_t bytes_taken() const { return bytes_of(taken()); }
  std::size_t bytes_in_use() const { return bytes_of(taken()) - (taken().nodes - 1) * kScratchPerNode; }

  void clear() { begin_anew({1, kFirstUnit}, 0); }

  // Keeps some nodes and blocks and drops the others: nodes slide to the front, blocks to the back. Both must come from
  // their end inwards, so that nothing is overwritten before it has moved. Only while no worker walks.
  class Compaction {
   public:
    explicit Compaction(Arena& arena) : arena_(arena) {}
    // The block's new name.
    std::uint32_t keep_block(std::uint32_t name, std::size_t bytes, std::size_t num_edges);
    void keep_node(NodeId id);
    void finish() { arena_.begin_anew({num_nodes_ + 1, units_}, num_edges_); }

   private:
    Arena& arena_;
    std::size_t num_nodes_ = 0, units_ = kFirstUnit, num_edges_ = 0;
  };

 private:
  // How much is in use from either end. Both numbers are one atomic, so that they never meet.
  struct Taken {
    std::size_t nodes, units;  // node 0, which is no node, and the first units included
  };
  static constexpr std::uint64_t packed(Taken taken) { return std::uint64_t{taken.nodes} << 32 | taken.units; }
  static constexpr Taken unpacked(std::uint64_t word) {
    return {static_cast<std::size_t>(word >> 32), static_cast<std::size_t>(word & 0xFFFFFFFFu)};
  }
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  // Places that one worker has taken and not used yet. Only its worker writes to it.
  struct Range {
    std::atomic<std::uint32_t> next{0}, end{0};

    std::size_t size() const {
      return end.load(std::memory_order_relaxed) - std::size_t{next.load(std::memory_order_relaxed)};
    }
  };
  struct alignas(64) Room {
    Range nodes, units;
    std::atomic<std::size_t> num_edges{0};
  };
  static constexpr std::size_t kNodesAtOnce = 64, kBlocksAtOnce = 16;

  static constexpr std::size_t kUnit = 8;
  // Blocks begin so many units before the end: names 0 and 1 mean "none" and "claimed", and whoever reads a column in
  // lanes of kLanes may read as far as this beyond the last block.
  static constexpr std::size_t kFirstUnit = Edges::kLanes;
  // Recycling needs lists of nodes; their room is taken from the cap when a node is made.
  static constexpr std::size_t kScratchPerNode = 16;

  static std::size_t units_for(std::size_t bytes) { return (bytes + kUnit - 1) / kUnit; }
  std::size_t bytes_of(Taken taken) const {
    return (taken.nodes - 1) * node_cost_ + (taken.units - kFirstUnit) * kUnit;
  }
  Taken taken() const { return unpacked(taken_.load(std::memory_order_relaxed)); }
  std::optional<Taken> take(Taken more, std::size_t beside);
  std::optional<std::size_t> take_from(Range* range, std::size_t Taken::* kind, std::size_t number, std::size_t at_once,
                                       std::size_t beside);
  Room* room_of(std::size_t worker) { return rooms_.empty() || worker == kNoWorker ? nullptr : &rooms_[worker]; }
  std::size_t num_spare_nodes() const;
  void begin_anew(Taken taken, std::size_t num_edges);

  const std::size_t memory_bytes_;
  const std::size_t node_cost_;  // bytes of the cap
  std::unique_ptr<std::byte[], Free> memory_;
  Node* nodes_ = nullptr;     // its front
  std::byte* end_ = nullptr;  // its back
  std::vector<Room> rooms_;   // one for each worker if there are several
  // Written at every expansion: on a cache line of their own, or each would take the others' away.
  alignas(64) std::atomic<std::uint64_t> taken_{packed({1, kFirstUnit})};
  std::atomic<std::size_t> num_edges_{0};
};

}  // namespace tesuji
