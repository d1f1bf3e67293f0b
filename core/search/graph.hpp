// The search graph: nodes belong to states, edges to their parent. See docs/algorithms/graph.md.
//
// Values are sums for the first player in fixed point (kOne = 1.0). Nodes and edge blocks live in two arenas with
// 32-bit indices under one memory cap. A block holds the edges of one node as columns, so that selection reads straight
// lines of numbers; what only some configs need (AMAF, priors, squares, bounds, entries of the table of shared values)
// is a column that others do not have.
//
// All shared numbers are relaxed atomics: a stale mean is tolerable. Two orderings matter: a block is published with
// release and read with acquire, so that whoever sees it sees its moves; a child likewise.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "games/game.hpp"
#include "search/config.hpp"
#include "search/value_table.hpp"

namespace tesuji {

// One result of 1.0. A sum over 2^32 visits stays below 2^52, where a double still holds it exactly.
inline constexpr std::int64_t kOne = std::int64_t{1} << 20;
inline std::int64_t to_fixed(double value) {
  return static_cast<std::int64_t>(value * static_cast<double>(kOne) + 0.5);
}

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = 0;

// What the solver has proved, for the first player.
enum class Proof : std::uint8_t { None = 0, Loss = 1, Draw = 2, Win = 3 };
// One player: nothing is left to find below. It spreads like a draw: a node is closed once all its edges are.
inline constexpr Proof kClosed = Proof::Draw;
constexpr std::int64_t proven_value(Proof proof) { return (static_cast<std::int64_t>(proof) - 1) * (kOne / 2); }

// Which of its moves a node has edges for: all, the best ones, or the best ones while somebody asks for the others.
enum class Width : std::uint8_t { Full, Narrow, Growing };

struct Node {
  static constexpr std::uint32_t kLeaf = 0, kClaimed = 1;

  std::atomic<std::int64_t> value{0};  // sum for the first player
  std::atomic<std::uint32_t> visits{0};
  std::atomic<std::uint32_t> walks{0};      // visits that went on through an edge: the sum of the edges' visits
  std::atomic<std::uint32_t> block{kLeaf};  // where its edges are; kClaimed while somebody makes them
  std::uint32_t num_edges = 0;              // written before the block is published
  std::uint8_t mover = 0;
  std::atomic<Proof> proof{Proof::None};
  std::atomic<Width> width{Width::Full};
  std::atomic<bool> waits{false};  // for an evaluator's answer
};
static_assert(sizeof(Node) <= 32);

// AMAF statistics of an edge, packed so that one addition updates both: visits in the low half, the sum of the results
// in units of 1/256 in the high half. They saturate just below 2^23 visits, where AMAF has long lost its weight.
namespace amaf {
inline constexpr std::uint32_t kSaturated = (1u << 23) - 1024;
inline constexpr float kScale = 1.0f / 256;
constexpr std::uint64_t one(std::int64_t value) { return (static_cast<std::uint64_t>(value >> 12) << 32) | 1u; }
constexpr std::uint32_t visits(std::uint64_t packed) { return static_cast<std::uint32_t>(packed); }
constexpr std::uint32_t value(std::uint64_t packed) { return static_cast<std::uint32_t>(packed >> 32); }
}  // namespace amaf

// Where the columns of a block begin, in bytes per edge. Eight-byte columns come first, so that all are aligned.
struct ColumnOffsets {
  std::uint32_t value = 0, amaf = 0, squares = 0, visits = 0, child = 0, word = 0, prior = 0, upper = 0, lower = 0,
                entry = 0, total = 0;

  explicit constexpr ColumnOffsets(const Columns& columns) {
    const auto place = [this](std::uint32_t& column, std::uint32_t bytes, bool wanted) {
      column = total;
      total += wanted ? bytes : 0;
    };
    place(value, 8, true);
    place(amaf, 8, columns.amaf);
    place(squares, 8, columns.squares);
    place(visits, 4, true);
    place(child, 4, true);
    place(word, 4, true);
    place(prior, 4, columns.prior);
    place(upper, 4, columns.bounds);
    place(lower, 4, columns.bounds);
    place(entry, 4, columns.entry);
  }
};

// A group of moves to be made: which one it is, and its moves.
struct GroupMoves {
  std::uint32_t word;  // as Edges::group_word() makes it
  std::span<const Move> moves;
};

// The edges of one node, as columns of `size` numbers each. A column that the config does not ask for must not be read.
class Edges {
 public:
  static constexpr std::uint32_t kMoveMask = (1u << 28) - 1;
  static constexpr std::uint32_t kProofShift = 28;
  static constexpr std::uint32_t kUnlocked = 1u << 30;
  static constexpr std::uint32_t kGroup = 1u << 31;  // in the place of a move: a kind and which one of that kind
  static constexpr std::uint32_t kOrdinalBits = 12, kMostOfAKind = 1u << kOrdinalBits;
  static constexpr std::uint32_t kLanes = 8;

  Edges(std::byte* block, std::uint32_t num_edges, const ColumnOffsets& offsets)
      : size(num_edges), block_(block), offsets_(&offsets) {}

  const std::uint32_t size;

  std::atomic<std::int64_t>* value() const { return column<std::atomic<std::int64_t>>(offsets_->value); }
  std::atomic<std::uint32_t>* visits() const { return column<std::atomic<std::uint32_t>>(offsets_->visits); }
  std::atomic<NodeId>* child() const { return column<std::atomic<NodeId>>(offsets_->child); }
  // The move, what is proved of it, and whether widening has unlocked it.
  std::atomic<std::uint32_t>* word() const { return column<std::atomic<std::uint32_t>>(offsets_->word); }
  std::atomic<std::uint64_t>* amaf() const { return column<std::atomic<std::uint64_t>>(offsets_->amaf); }
  float* prior() const { return column<float>(offsets_->prior); }  // written once, before the block is published
  std::atomic<std::int64_t>* squares() const { return column<std::atomic<std::int64_t>>(offsets_->squares); }
  std::atomic<float>* upper() const {
    return column<std::atomic<float>>(offsets_->upper);
  }  // the mover's bounds (BAST)
  std::atomic<float>* lower() const { return column<std::atomic<float>>(offsets_->lower); }
  // The child's entry in the table of shared values; published with the child.
  std::atomic<EntryId>* entry() const { return column<std::atomic<EntryId>>(offsets_->entry); }

  Move move(std::uint32_t i) const { return static_cast<Move>(word()[i].load(std::memory_order_relaxed) & kMoveMask); }
  Proof proof(std::uint32_t i) const {
    return static_cast<Proof>((word()[i].load(std::memory_order_relaxed) >> kProofShift) & 3u);
  }
  // Does it lead to a group of moves? The edges of a node are all groups or all moves.
  bool is_group(std::uint32_t i) const { return (word()[i].load(std::memory_order_relaxed) & kGroup) != 0; }
  std::uint32_t kind(std::uint32_t i) const {
    return (word()[i].load(std::memory_order_relaxed) & kMoveMask) >> kOrdinalBits;
  }
  static constexpr std::uint32_t group_word(std::uint16_t kind, std::uint32_t ordinal) {
    return kGroup | kUnlocked | std::uint32_t{kind} << kOrdinalBits | ordinal;
  }
  bool is_unlocked(std::uint32_t i) const { return (word()[i].load(std::memory_order_relaxed) & kUnlocked) != 0; }

 private:
  template <class T>
  T* column(std::uint32_t offset) const {
    return reinterpret_cast<T*>(block_ + std::size_t{offset} * size);
  }

  std::byte* block_;
  const ColumnOffsets* offsets_;
};

// The numbers of a column that nobody else writes: loops over them become vector code, which loops over atomics do not.
template <class T>
inline const T* plain(const std::atomic<T>* column) {
  static_assert(sizeof(std::atomic<T>) == sizeof(T) && std::atomic<T>::is_always_lock_free);
  return reinterpret_cast<const T*>(column);
}

// Adds to a number that other threads may be adding to. With one thread a plain sum is several times cheaper.
template <class T>
inline void add(std::atomic<T>& number, T amount, bool shared) {
  if (shared)
    number.fetch_add(amount, std::memory_order_relaxed);
  else
    number.store(number.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
}

class Graph {
 public:
  // Of those who make nodes and edges: workers are numbered from 0, and each takes memory from a room of its own if
  // there are several; anybody else takes it from the common store.
  static constexpr std::size_t kNoWorker = ~std::size_t{0};

  // Throws std::invalid_argument if the cap does not hold the root and its edges.
  Graph(std::size_t memory_bytes, const Columns& columns, GraphMode mode, std::size_t num_workers = 1);

  NodeId root() const { return root_; }
  void set_root(NodeId node) { root_ = node; }
  Node& node(NodeId id) { return nodes_[id]; }
  const Node& node(NodeId id) const { return nodes_[id]; }
  Edges edges(const Node& node) const { return edges_at(node.block.load(std::memory_order_acquire), node.num_edges); }
  bool has_edges(const Node& node) const { return node.block.load(std::memory_order_acquire) > Node::kClaimed; }

  // kNoNode when the memory is full.
  NodeId make_node(int mover, std::size_t worker = kNoWorker);
  // Gives a leaf its edges. False if somebody else is doing so, or the memory is full.
  bool make_edges(Node& node, std::span<const Move> moves, std::span<const float> priors, Width width, bool shared,
                  std::size_t worker = kNoWorker);
  // Gives a leaf edges to groups, each a node of its own with its moves as edges. False likewise.
  bool make_groups(Node& node, std::span<const GroupMoves> groups, bool shared);
  // Adds edges for the moves that a narrow node lacks; its old block stays behind until the next recycling. False if
  // the memory is full. Call it only while no worker walks.
  bool add_edges(Node& node, std::span<const Move> moves, std::span<const float> priors);

  // The node of a state, made if there is none (DAG). `was_there` says which. A state whose first hash is another's is
  // a collision: it is counted, and gets a node of its own that nobody else finds.
  NodeId find_or_make(StateKey key, int mover, bool& was_there, std::size_t worker = kNoWorker);
  std::uint64_t num_collisions() const { return num_collisions_.load(std::memory_order_relaxed); }

  // Multipath: parents of nodes, kept where the mode asks for them. One thread only. Without memory a link is not kept,
  // and comes with the next recycling.
  void add_parent(NodeId child, NodeId parent);
  // All parents anew, from the edges; nothing in other modes.
  void find_parents();
  // Calls `update(node)` once for each node of `path` and each of its ancestors, but for at most `most` off the path.
  // False if there are more.
  template <class F>
  bool for_each_ancestor(std::span<const NodeId> path, std::size_t most, const F& update);

  bool is_full() const { return is_full_.load(std::memory_order_relaxed); }
  std::size_t num_nodes() const { return taken().nodes - 1 - num_spare_nodes(); }
  // All nodes are below it, among them some that nobody uses yet and nothing leads to.
  NodeId end_of_nodes() const { return static_cast<NodeId>(taken().nodes); }
  std::size_t num_edges() const;
  std::size_t bytes() const;
  const Columns& columns() const { return columns_; }
  std::size_t bytes_per_edge() const { return offsets_.total; }

  // Entries of the table of shared values have new numbers.
  void rename_entries(std::span<const EntryId> new_numbers);

  // Drops what cannot be reached from the root, then the least visited nodes, until at most `share` of the memory is in
  // use. A node keeps its groups. Call it only while no worker walks.
  void recycle(double share);
  void clear();

 private:
  struct IndexEntry {
    std::atomic<std::uint64_t> key{0};
    std::uint32_t second = 0;  // written before the node is published
    std::atomic<NodeId> node{kNoNode};
  };
  static_assert(sizeof(IndexEntry) == 16);
  // One parent of a node, and where the next one is. It takes one unit of the arena.
  struct ParentLink {
    NodeId parent;
    std::uint32_t next;  // 0: none
  };
  // What a node has besides in multipath mode.
  struct Lineage {
    std::uint32_t first_link;  // 0: none
    std::uint32_t mark;        // the last update that met the node
  };
  // How much of the arena is in use from either end. Both numbers are one atomic, so that they never meet.
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
  // Places that one worker has taken and not used yet: the common counter is asked once for many of them. Only its
  // worker writes to it.
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
  // Blocks begin so many units before the end of the arena: indices 0 and 1 mean "none" and "claimed", and whoever
  // reads a column in lanes of kLanes may read as far as this beyond the last block.
  static constexpr std::size_t kFirstUnit = Edges::kLanes;
  // Recycling needs lists of nodes; their room is taken from the cap when a node is made.
  static constexpr std::size_t kScratchPerNode = 16;
  static constexpr std::size_t kNodeCost = sizeof(Node) + kScratchPerNode;
  static_assert(sizeof(ParentLink) == kUnit);

  std::span<IndexEntry> index() { return {index_.get(), index_size_}; }
  std::size_t index_bytes() const { return index_size_ * sizeof(IndexEntry); }
  void make_index();
  std::size_t bytes_of(Taken taken) const {
    return index_bytes() + (taken.nodes - 1) * node_cost_ + (taken.units - kFirstUnit) * kUnit;
  }
  Taken taken() const { return unpacked(taken_.load(std::memory_order_relaxed)); }
  std::optional<Taken> take(Taken more);
  std::optional<Taken> try_to_take(Taken more);
  std::optional<std::size_t> take_from(Range* range, std::size_t Taken::* kind, std::size_t number,
                                       std::size_t at_once);
  Room* room_of(std::size_t worker) { return rooms_.empty() || worker == kNoWorker ? nullptr : &rooms_[worker]; }
  void count_edges(std::size_t number, std::size_t worker);
  std::size_t num_spare_nodes() const;
  void clear_rooms();
  std::size_t units_for(std::size_t num_edges) const { return (num_edges * offsets_.total + kUnit - 1) / kUnit; }
  // A block is named by its distance from the end of the arena, in units.
  Edges edges_at(std::uint32_t block, std::uint32_t size) const {
    return Edges(arena_end_ - std::size_t{block} * kUnit, size, offsets_);
  }
  ParentLink& link_at(std::uint32_t unit) const {
    return *reinterpret_cast<ParentLink*>(arena_end_ - std::size_t{unit} * kUnit);
  }
  void fill_edges(const Edges& edges, std::span<const Move> moves, std::span<const float> priors);
  void copy_edges(const Edges& from, const Edges& to);
  std::vector<NodeId> reachable(std::uint32_t min_visits) const;
  void compact(const std::vector<NodeId>& kept);

  // Read by all, written between runs.
  std::size_t memory_bytes_;
  Columns columns_;
  ColumnOffsets offsets_;
  std::unique_ptr<std::byte[], Free> arena_;
  Node* nodes_ = nullptr;           // the front of the arena
  std::byte* arena_end_ = nullptr;  // its back
  NodeId root_ = kNoNode;
  std::size_t node_cost_ = kNodeCost;          // bytes of the cap, with what the mode adds
  std::unique_ptr<Lineage[], Free> lineages_;  // multipath only; by node
  std::uint32_t last_mark_ = 0;
  std::vector<NodeId> open_;                   // scratch of for_each_ancestor()
  std::unique_ptr<IndexEntry[], Free> index_;  // DAG only; open addressing
  std::size_t index_size_ = 0;                 // a power of two, or 0
  std::vector<Room> rooms_;                    // one for each worker if there are several
  std::atomic<bool> is_full_{false};
  // Written at every expansion: on a cache line of their own, or each would take the others' away.
  alignas(64) std::atomic<std::uint64_t> taken_{packed({1, kFirstUnit})};
  std::atomic<std::size_t> num_edges_{0};
  std::atomic<std::uint64_t> num_collisions_{0};
};

template <class F>
bool Graph::for_each_ancestor(std::span<const NodeId> path, std::size_t most, const F& update) {
  const std::uint32_t mark = ++last_mark_;  // 2^32 simulations later a stale mark may spare a node one update
  open_.assign(path.begin(), path.end());
  for (const NodeId id : path) {
    if (std::exchange(lineages_[id].mark, mark) != mark) update(nodes_[id]);
  }
  std::size_t num_found = 0;
  for (std::size_t next = 0; next < open_.size(); ++next) {
    for (std::uint32_t at = lineages_[open_[next]].first_link; at != 0; at = link_at(at).next) {
      const NodeId parent = link_at(at).parent;
      if (lineages_[parent].mark == mark) continue;
      if (num_found++ == most) return false;
      lineages_[parent].mark = mark;
      update(nodes_[parent]);
      open_.push_back(parent);
    }
  }
  return true;
}

}  // namespace tesuji
