#include "search/arena.hpp"

#include <cstring>
#include <new>
#include <stdexcept>
#include <string>

namespace tesuji {

namespace {

// Memory that the system hands out page by page as it is touched, so that a large cap costs nothing until it is used.
std::byte* reserve(std::size_t bytes) {
  void* memory = std::malloc(bytes);
  if (memory == nullptr)
    throw std::invalid_argument("cannot reserve " + std::to_string(bytes) +
                                " bytes for the graph; lower the memory cap");
  return static_cast<std::byte*>(memory);
}

}  // namespace

Arena::Arena(std::size_t memory_bytes, std::size_t beside_node, std::size_t num_workers)
    : memory_bytes_(memory_bytes),
      node_cost_(sizeof(Node) + kScratchPerNode + beside_node),
      rooms_(num_workers > 1 ? num_workers : 0) {
  if (memory_bytes / kUnit > 0xFFFFFFF0u)
    throw std::invalid_argument("a memory cap of " + std::to_string(memory_bytes) +
                                " bytes is beyond 32 GiB; lower it");
  const std::size_t bytes = (memory_bytes + sizeof(Node) + kFirstUnit * kUnit) / 64 * 64 + 64;
  memory_.reset(reserve(bytes));
  nodes_ = reinterpret_cast<Node*>(memory_.get());
  end_ = memory_.get() + bytes;
  new (&nodes_[0]) Node;
}

// What was taken before, or nothing if the cap does not allow more.
std::optional<Arena::Taken> Arena::take(Taken more, std::size_t beside) {
  std::uint64_t word = taken_.load(std::memory_order_relaxed);
  for (;;) {
    const Taken before = unpacked(word);
    const Taken after = {before.nodes + more.nodes, before.units + more.units};
    if (bytes_of(after) + beside > memory_bytes_) return std::nullopt;
    if (taken_.compare_exchange_weak(word, packed(after), std::memory_order_relaxed)) return before;
  }
}

// So many places side by side, from a worker's range if it has one. A range that is too short is filled again with
// `at_once` places; where the cap does not allow that, it may still allow what is wanted now.
std::optional<std::size_t> Arena::take_from(Range* range, std::size_t Taken::* kind, std::size_t number,
                                            std::size_t at_once, std::size_t beside) {
  Taken more{0, 0};
  if (range != nullptr && range->size() < number) {
    more.*kind = at_once;
    if (const auto before = take(more, beside)) {
      range->next.store(static_cast<std::uint32_t>((*before).*kind), std::memory_order_relaxed);
      range->end.store(static_cast<std::uint32_t>((*before).*kind + at_once), std::memory_order_relaxed);
    }
  }
  if (range != nullptr && range->size() >= number) {
    const std::uint32_t next = range->next.load(std::memory_order_relaxed);
    range->next.store(next + static_cast<std::uint32_t>(number), std::memory_order_relaxed);
    return next;
  }
  more.*kind = number;
  const auto before = take(more, beside);
  return before ? std::optional((*before).*kind) : std::nullopt;
}

// A worker's nodes are made as soon as they are taken, so that all below end_of_nodes() can be read.
NodeId Arena::make_node(int mover, std::size_t worker, std::size_t beside) {
  Room* const room = room_of(worker);
  Range* const range = room ? &room->nodes : nullptr;
  const bool was_empty = range != nullptr && range->size() == 0;
  const auto place = take_from(range, &Taken::nodes, 1, kNodesAtOnce, beside);
  if (!place) return kNoNode;
  const std::size_t num_new = range == nullptr ? 1 : was_empty ? 1 + range->size() : 0;
  for (std::size_t i = 0; i < num_new; ++i) new (&nodes_[*place + i]) Node;
  nodes_[*place].mover = static_cast<std::uint8_t>(mover);
  return static_cast<NodeId>(*place);
}

std::optional<std::uint32_t> Arena::make_block(std::size_t bytes, std::size_t worker, std::size_t beside) {
  const std::size_t units = units_for(bytes);
  Room* const room = room_of(worker);
  const auto place = take_from(room ? &room->units : nullptr, &Taken::units, units, units * kBlocksAtOnce, beside);
  return place ? std::optional(static_cast<std::uint32_t>(*place + units)) : std::nullopt;
}

void Arena::count_edges(std::size_t number, std::size_t worker) {
  if (Room* const room = room_of(worker))
    add(room->num_edges, number, false);
  else
    num_edges_.fetch_add(number, std::memory_order_relaxed);
}

std::size_t Arena::num_edges() const {
  std::size_t number = num_edges_.load(std::memory_order_relaxed);
  for (const Room& room : rooms_) number += room.num_edges.load(std::memory_order_relaxed);
  return number;
}

std::size_t Arena::num_spare_nodes() const {
  std::size_t number = 0;
  for (const Room& room : rooms_) number += room.nodes.size();
  return number;
}

void Arena::begin_anew(Taken taken, std::size_t num_edges) {
  taken_ = packed(taken);
  num_edges_ = num_edges;
  for (Room& room : rooms_) {
    room.nodes.next = room.nodes.end = room.units.next = room.units.end = 0;
    room.num_edges = 0;
  }
}

std::uint32_t Arena::Compaction::keep_block(std::uint32_t name, std::size_t bytes, std::size_t num_edges) {
  const std::size_t units = units_for(bytes);
  units_ += units;
  num_edges_ += num_edges;
  const auto new_name = static_cast<std::uint32_t>(units_);
  std::memmove(arena_.block(new_name), arena_.block(name), units * kUnit);
  return new_name;
}

void Arena::Compaction::keep_node(NodeId id) {
  ++num_nodes_;
  if (id != num_nodes_) std::memcpy(static_cast<void*>(&arena_.nodes_[num_nodes_]), &arena_.nodes_[id], sizeof(Node));
}

}  // namespace tesuji
