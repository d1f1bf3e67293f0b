// The search graph: nodes belong to states, edges to their parent. See docs/algorithms/graph.md.
//
// What a node and an edge hold is in edges.hpp, where they lie in arena.hpp: both have 32-bit indices, under one memory
// cap.
//
// In a tree there are nodes only where there are edges: what is known of a leaf is what its edge knows. A node's own
// visits and value are then kept for the root alone; where nodes are shared, by every node.
//
// All shared numbers are relaxed atomics: a stale mean is tolerable. Two orderings matter: a block is published with
// release and read with acquire, so that whoever sees it sees its moves; a child likewise.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "games/game.hpp"
#include "search/arena.hpp"
#include "search/config.hpp"
#include "search/edges.hpp"
#include "search/lineage.hpp"
#include "search/state_index.hpp"

namespace tesuji {

class Graph {
 public:
  // Of those who make nodes and edges; workers are numbered from 0 (arena.hpp).
  static constexpr std::size_t kNoWorker = Arena::kNoWorker;

  // Throws std::invalid_argument if the cap does not hold the root and its edges.
  Graph(std::size_t memory_bytes, const Columns& columns, GraphMode mode, std::size_t num_workers = 1);

  NodeId root() const { return root_; }
  void set_root(NodeId node) { root_ = node; }
  Node& node(NodeId id) { return arena_.node(id); }
  const Node& node(NodeId id) const { return arena_.node(id); }
  Edges edges(const Node& node) const { return edges_at(node.block.load(std::memory_order_acquire), node.num_edges); }
  bool has_edges(const Node& node) const { return node.block.load(std::memory_order_acquire) > Node::kClaimed; }

  // kNoNode when the memory is full.
  NodeId make_node(int mover, std::size_t worker = kNoWorker);
  // Gives a leaf its edges. False if somebody else is doing so, or the memory is full.
  bool make_edges(Node& node, std::span<const Move> moves, std::span<const float> priors, Width width, bool shared,
                  std::size_t worker = kNoWorker);
  // Waits while another thread is giving a node its edges, which takes no longer than writing them; has it any now?
  bool awaits_edges(const Node& node) const;
  // Adds edges for the moves that a narrow node lacks; its old block stays behind until the next recycling. False if
  // the memory is full. Call it only while no worker walks.
  bool add_edges(Node& node, std::span<const Move> moves, std::span<const float> priors);

  // The node of a state, made if there is none (DAG); `was_there` says which.
  NodeId find_or_make(StateKey key, int mover, bool& was_there, std::size_t worker = kNoWorker);
  std::uint64_t num_collisions() const { return index_.num_collisions(); }

  // Multipath: parents of nodes.
  void add_parent(NodeId child, NodeId parent);
  // All parents anew, from the edges; nothing in other modes.
  void find_parents();
  Lineage& lineage() { return lineage_; }

  // Do equal states share a node?
  bool shares_nodes() const { return index_.exists(); }
  // How often a state was met as the node behind an edge.
  std::uint32_t visits_behind(const Edges& edges, std::uint32_t edge) const {
    const NodeId child = edges.child()[edge].load(std::memory_order_relaxed);
    return (shares_nodes() && child != kNoNode ? node(child).visits : edges.visits()[edge])
        .load(std::memory_order_relaxed);
  }

  // Is there no room for more, in memory or in the index of states?
  bool is_full() const { return is_full_.load(std::memory_order_relaxed); }
  std::size_t num_nodes() const { return arena_.num_nodes(); }
  // All nodes are below it, among them some that nobody uses yet and nothing leads to.
  NodeId end_of_nodes() const { return arena_.end_of_nodes(); }
  std::size_t num_edges() const { return arena_.num_edges(); }
  std::size_t bytes() const;
  const Columns& columns() const { return columns_; }
  std::size_t bytes_per_edge() const { return offsets_.total; }

  // Entries of the table of shared values have new numbers.
  void rename_entries(std::span<const EntryId> new_numbers);

  // Drops what cannot be reached from the root, then the least visited nodes, until at most `share` of the memory is in
  // use. Call it only while no worker walks.
  void recycle(double share);
  // A larger index of states if that is what lacks; false if it is not, or if the cap does not allow it. Call it only
  // while no worker walks.
  bool enlarge_index();
  void clear();

 private:
  static constexpr std::size_t kFirstIndex = 1 << 16;

  // What the cap holds beside nodes and blocks.
  std::size_t bytes_beside() const { return index_.bytes() + lineage_.num_links() * Lineage::kBytesPerLink; }
  std::size_t bytes_for(std::size_t num_edges) const { return num_edges * offsets_.total; }
  Edges edges_at(std::uint32_t block, std::uint32_t size) const { return Edges(arena_.block(block), size, offsets_); }
  void fill_edges(const Edges& edges, std::span<const Move> moves, std::span<const float> priors);
  void copy_edges(const Edges& from, const Edges& to);
  std::vector<NodeId> reachable(std::uint32_t min_visits) const;
  void compact(const std::vector<NodeId>& kept);

  Columns columns_;
  ColumnOffsets offsets_;
  NodeId root_ = kNoNode;
  StateIndex index_;  // where equal states share a node
  Lineage lineage_;
  bool keeps_parents_;  // multipath
  std::atomic<bool> is_full_{false};
  Arena arena_;
};

}  // namespace tesuji
