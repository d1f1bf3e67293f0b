// The search graph: nodes belong to states, edges to their parent. See docs/algorithms/graph.md.
//
// Values are sums for the first player in fixed point (kOne = 1.0); with one player they are sums of plain numbers
// (numbers.hpp). Nodes and edge blocks live in two arenas with 32-bit indices under one memory cap. A block holds the
// edges of one node as columns, so that selection reads straight lines of numbers; what only some configs need (walks
// in flight, AMAF, priors, squares, bounds, entries of the table of shared values) is a column that others do not have.
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
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "games/game.hpp"
#include "search/config.hpp"
#include "search/lineage.hpp"
#include "search/state_index.hpp"
#include "search/value_table.hpp"

namespace tesuji {

// One result of 1.0. A sum over 2^32 visits stays below 2^52, where a double still holds it exactly.
inline constexpr std::int64_t kOne = std::int64_t{1} << 20;
inline std::int64_t to_fixed(double value) {
  return static_cast<std::int64_t>(value * static_cast<double>(kOne) + 0.5);
}

// What the solver has proved, for the first player.
enum class Proof : std::uint8_t { None = 0, Loss = 1, Draw = 2, Win = 3 };
// One player: nothing is left to find below. It spreads like a draw: a node is closed once all its edges are.
inline constexpr Proof kClosed = Proof::Draw;
constexpr std::int64_t proven_value(Proof proof) { return (static_cast<std::int64_t>(proof) - 1) * (kOne / 2); }

// Which of its moves a node has edges for: all, the best ones, or the best ones while somebody asks for the others.
enum class Width : std::uint8_t { Full, Narrow, Growing };

// Visits are counted in 32 bits; a search ends before they overflow.
inline constexpr std::uint32_t kMostVisits = 0xFF000000u;

struct Node {
  static constexpr std::uint32_t kLeaf = 0, kClaimed = 1;

  std::atomic<std::int64_t> value{0};       // sum for the first player; in a tree the root's only
  std::atomic<std::uint32_t> visits{0};     // likewise
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
inline constexpr float kFadingUnit = 1.0f / 16;  // of a visit, where later moves count less
constexpr std::uint64_t one(std::int64_t value) { return (static_cast<std::uint64_t>(value >> 12) << 32) | 1u; }
// `sixteenths` of a visit.
constexpr std::uint64_t part(std::int64_t value, std::uint32_t sixteenths) {
  return (static_cast<std::uint64_t>((value >> 12) * sixteenths / 16) << 32) | sixteenths;
}
// What one count of AMAF stands for.
constexpr float unit(const Columns& columns) { return columns.fades ? kFadingUnit : 1.0f; }
constexpr std::uint32_t visits(std::uint64_t packed) { return static_cast<std::uint32_t>(packed); }
constexpr std::uint32_t value(std::uint64_t packed) { return static_cast<std::uint32_t>(packed >> 32); }
}  // namespace amaf

// Where the columns of a block begin, in bytes per edge. Eight-byte columns come first, so that all are aligned.
struct ColumnOffsets {
  std::uint32_t value = 0, amaf = 0, squares = 0, visits = 0, child = 0, word = 0, in_flight = 0, amaf_visits = 0,
                prior = 0, upper = 0, lower = 0, entry = 0, backed = 0, total = 0;

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
    place(in_flight, 4, columns.in_flight);
    place(amaf_visits, 4, columns.amaf && columns.numbers);
    place(prior, 4, columns.prior);
    place(upper, 4, columns.bounds);
    place(lower, 4, columns.bounds);
    place(entry, 4, columns.entry);
    place(backed, 4, columns.backed);
  }
};

// The edges of one node, as columns of `size` numbers each. A column that the config does not ask for must not be read.
class Edges {
 public:
  static constexpr std::uint32_t kMoveMask = (1u << 27) - 1;
  static constexpr std::uint32_t kSecondBehind = 1u << 27;  // in a tree: the second player is to move behind it
  static constexpr std::uint32_t kProofShift = 28;
  static constexpr std::uint32_t kUnlocked = 1u << 30;
  static constexpr std::uint32_t kWaits = 1u << 31;  // in a tree: its leaf waits for an evaluator's answer
  static constexpr std::uint32_t kLanes = 8;

  Edges(std::byte* block, std::uint32_t num_edges, const ColumnOffsets& offsets)
      : size(num_edges), block_(block), offsets_(&offsets) {}

  const std::uint32_t size;

  std::atomic<std::int64_t>* value() const { return column<std::atomic<std::int64_t>>(offsets_->value); }
  std::atomic<std::uint32_t>* visits() const { return column<std::atomic<std::uint32_t>>(offsets_->visits); }
  std::atomic<NodeId>* child() const { return column<std::atomic<NodeId>>(offsets_->child); }
  // The move, what is proved of it, and whether widening has unlocked it.
  std::atomic<std::uint32_t>* word() const { return column<std::atomic<std::uint32_t>>(offsets_->word); }
  // Walks that went this way and whose results are not in yet: to the others each looks like a loss.
  std::atomic<std::uint32_t>* in_flight() const { return column<std::atomic<std::uint32_t>>(offsets_->in_flight); }
  std::atomic<std::uint64_t>* amaf() const { return column<std::atomic<std::uint64_t>>(offsets_->amaf); }
  // One player: AMAF's sum of numbers, whose count is a column of its own.
  std::atomic<std::int64_t>* amaf_sum() const { return column<std::atomic<std::int64_t>>(offsets_->amaf); }
  std::atomic<std::uint32_t>* amaf_visits() const { return column<std::atomic<std::uint32_t>>(offsets_->amaf_visits); }
  float* prior() const { return column<float>(offsets_->prior); }  // written once, before the block is published
  std::atomic<std::int64_t>* squares() const { return column<std::atomic<std::int64_t>>(offsets_->squares); }
  std::atomic<float>* upper() const {
    return column<std::atomic<float>>(offsets_->upper);
  }  // the mover's bounds (BAST)
  std::atomic<float>* lower() const { return column<std::atomic<float>>(offsets_->lower); }
  // The child's entry in the table of shared values; published with the child.
  std::atomic<EntryId>* entry() const { return column<std::atomic<EntryId>>(offsets_->entry); }
  // What a back-up rule made of the node behind, for the first player (NaN: nothing yet).
  std::atomic<float>* backed() const { return column<std::atomic<float>>(offsets_->backed); }

  Move move(std::uint32_t i) const { return static_cast<Move>(word()[i].load(std::memory_order_relaxed) & kMoveMask); }
  Proof proof(std::uint32_t i) const {
    return static_cast<Proof>((word()[i].load(std::memory_order_relaxed) >> kProofShift) & 3u);
  }
  int mover_behind(std::uint32_t i) const {
    return (word()[i].load(std::memory_order_relaxed) & kSecondBehind) != 0 ? 1 : 0;
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
  // use. Call it only while no worker walks.
  void recycle(double share);
  // A larger index of states if that is what lacks; false if it is not, or if the cap does not allow it. Call it only
  // while no worker walks.
  bool enlarge_index();
  void clear();

 private:
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

  static constexpr std::size_t kFirstIndex = 1 << 16;

  std::size_t bytes_of(Taken taken) const {
    return index_.bytes() + lineage_.num_links() * Lineage::kBytesPerLink + (taken.nodes - 1) * node_cost_ +
           (taken.units - kFirstUnit) * kUnit;
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
  std::size_t node_cost_ = kNodeCost;  // bytes of the cap, with what the mode adds
  StateIndex index_;                   // where equal states share a node
  Lineage lineage_;
  bool keeps_parents_;       // multipath
  std::vector<Room> rooms_;  // one for each worker if there are several
  std::atomic<bool> is_full_{false};
  // Written at every expansion: on a cache line of their own, or each would take the others' away.
  alignas(64) std::atomic<std::uint64_t> taken_{packed({1, kFirstUnit})};
  std::atomic<std::size_t> num_edges_{0};
};

}  // namespace tesuji
