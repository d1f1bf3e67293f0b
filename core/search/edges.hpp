// A node and its edges, as they lie in memory (graph.hpp).
//
// Values are sums for the first player in fixed point (kOne = 1.0); with one player they are sums of plain numbers
// (numbers.hpp). A block holds the edges of one node as columns, so that selection reads straight lines of numbers;
// what only some configs need (walks in flight, AMAF, priors, squares, bounds, entries of the table of shared values)
// is a column that others do not have.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "games/game.hpp"
#include "search/config.hpp"
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

}  // namespace tesuji
