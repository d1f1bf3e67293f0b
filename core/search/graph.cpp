#include "search/graph.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

#include "base/hashing.hpp"

namespace tesuji {

namespace {

std::invalid_argument too_large(std::size_t bytes) {
  return std::invalid_argument("cannot reserve " + std::to_string(bytes) +
                               " bytes for the graph; lower the memory cap");
}

// Memory that the system hands out page by page as it is touched, so that a large cap costs nothing until it is used.
void* reserve(std::size_t bytes) {
  void* memory = std::malloc(bytes);
  if (memory == nullptr) throw too_large(bytes);
  return memory;
}

}  // namespace

Graph::Graph(std::size_t memory_bytes, const Columns& columns, GraphMode mode, std::size_t num_workers)
    : memory_bytes_(memory_bytes),
      columns_(columns),
      offsets_(columns),
      keeps_parents_(mode == GraphMode::Multipath),
      rooms_(num_workers > 1 ? num_workers : 0) {
  if (tesuji::shares_nodes(mode)) index_.reset(std::min(kFirstIndex, std::bit_floor(memory_bytes / 80 + 16)));
  if (memory_bytes / kUnit > 0xFFFFFFF0u)
    throw std::invalid_argument("a memory cap of " + std::to_string(memory_bytes) +
                                " bytes is beyond 32 GiB; lower it");
  const std::size_t arena_bytes = (memory_bytes + sizeof(Node) + kFirstUnit * kUnit) / 64 * 64 + 64;
  arena_.reset(static_cast<std::byte*>(reserve(arena_bytes)));
  nodes_ = reinterpret_cast<Node*>(arena_.get());
  arena_end_ = arena_.get() + arena_bytes;
  new (&nodes_[0]) Node;
  if (keeps_parents_) node_cost_ += Lineage::kBytesPerNode;
}

// The index is part of the cap, and for a moment there are two of them.
bool Graph::enlarge_index() {
  if (!shares_nodes() || !index_.is_crowded() || bytes_of(taken()) + 2 * index_.bytes() > memory_bytes_) return false;
  index_.resize(index_.num_slots() * 2);
  is_full_ = false;
  return true;
}

// What was taken before, or nothing if the cap does not allow more.
std::optional<Graph::Taken> Graph::try_to_take(Taken more) {
  std::uint64_t word = taken_.load(std::memory_order_relaxed);
  for (;;) {
    const Taken before = unpacked(word);
    const Taken after = {before.nodes + more.nodes, before.units + more.units};
    if (bytes_of(after) > memory_bytes_) return std::nullopt;
    if (taken_.compare_exchange_weak(word, packed(after), std::memory_order_relaxed)) return before;
  }
}

std::optional<Graph::Taken> Graph::take(Taken more) {
  const auto before = try_to_take(more);
  if (!before) is_full_.store(true, std::memory_order_relaxed);
  return before;
}

// So many places side by side, from a worker's range if it has one. A range that is too short is filled again with
// `at_once` places; where the cap does not allow that, it may still allow what is wanted now.
std::optional<std::size_t> Graph::take_from(Range* range, std::size_t Taken::* kind, std::size_t number,
                                            std::size_t at_once) {
  Taken more{0, 0};
  if (range != nullptr && range->size() < number) {
    more.*kind = at_once;
    if (const auto before = try_to_take(more)) {
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
  const auto before = take(more);
  return before ? std::optional((*before).*kind) : std::nullopt;
}

void Graph::count_edges(std::size_t number, std::size_t worker) {
  if (Room* const room = room_of(worker))
    add(room->num_edges, number, false);
  else
    num_edges_.fetch_add(number, std::memory_order_relaxed);
}

std::size_t Graph::num_edges() const {
  std::size_t number = num_edges_.load(std::memory_order_relaxed);
  for (const Room& room : rooms_) number += room.num_edges.load(std::memory_order_relaxed);
  return number;
}

std::size_t Graph::num_spare_nodes() const {
  std::size_t number = 0;
  for (const Room& room : rooms_) number += room.nodes.size();
  return number;
}

void Graph::clear_rooms() {
  for (Room& room : rooms_) {
    room.nodes.next = room.nodes.end = room.units.next = room.units.end = 0;
    room.num_edges = 0;
  }
}

// A worker's nodes are made as soon as they are taken, so that all below end_of_nodes() can be read.
NodeId Graph::make_node(int mover, std::size_t worker) {
  Room* const room = room_of(worker);
  Range* const range = room ? &room->nodes : nullptr;
  const bool was_empty = range != nullptr && range->size() == 0;
  const auto place = take_from(range, &Taken::nodes, 1, kNodesAtOnce);
  if (!place) return kNoNode;
  const std::size_t num_new = range == nullptr ? 1 : was_empty ? 1 + range->size() : 0;
  for (std::size_t i = 0; i < num_new; ++i) new (&nodes_[*place + i]) Node;
  nodes_[*place].mover = static_cast<std::uint8_t>(mover);
  return static_cast<NodeId>(*place);
}

bool Graph::make_edges(Node& node, std::span<const Move> moves, std::span<const float> priors, Width width, bool shared,
                       std::size_t worker) {
  std::uint32_t expected = Node::kLeaf;
  if (shared) {
    if (!node.block.compare_exchange_strong(expected, Node::kClaimed, std::memory_order_relaxed)) return false;
  }
  const std::size_t units = units_for(moves.size());
  Room* const room = room_of(worker);
  const auto place = take_from(room ? &room->units : nullptr, &Taken::units, units, units * kBlocksAtOnce);
  if (!place) {
    node.block.store(Node::kLeaf, std::memory_order_relaxed);
    return false;
  }
  const auto block = static_cast<std::uint32_t>(*place + units);
  const auto size = static_cast<std::uint32_t>(moves.size());
  fill_edges(edges_at(block, size), moves, priors);
  count_edges(size, worker);
  node.num_edges = size;
  node.width.store(width, std::memory_order_relaxed);
  node.block.store(block, std::memory_order_release);
  return true;
}

bool Graph::awaits_edges(const Node& node) const {
  while (node.block.load(std::memory_order_relaxed) == Node::kClaimed) std::this_thread::yield();
  return has_edges(node);
}

// All columns begin as zeros but for moves, priors and bounds; the types are atomics, so each is made in its place.
void Graph::fill_edges(const Edges& edges, std::span<const Move> moves, std::span<const float> priors) {
  const auto fill = [size = edges.size]<class T>(T* column, auto first_value) {
    for (std::uint32_t i = 0; i < size; ++i) new (&column[i]) T(first_value(i));
  };
  const auto zero = [](std::uint32_t) { return 0; };
  fill(edges.value(), zero);
  fill(edges.visits(), zero);
  fill(edges.child(), [](std::uint32_t) { return kNoNode; });
  fill(edges.word(), [&](std::uint32_t i) { return static_cast<std::uint32_t>(moves[i]); });
  if (columns_.amaf) fill(edges.amaf(), zero);
  if (columns_.prior) fill(edges.prior(), [&](std::uint32_t i) { return priors.empty() ? 0 : priors[i]; });
  if (columns_.squares) fill(edges.squares(), zero);
  if (columns_.bounds) {
    fill(edges.upper(), [](std::uint32_t) { return 2.0f; });
    fill(edges.lower(), [](std::uint32_t) { return -1.0f; });
  }
  if (columns_.entry) fill(edges.entry(), [](std::uint32_t) { return kNoEntry; });
  if (columns_.in_flight) fill(edges.in_flight(), zero);
  if (columns_.amaf && columns_.numbers) fill(edges.amaf_visits(), zero);
  if (columns_.backed) fill(edges.backed(), [](std::uint32_t) { return std::numeric_limits<float>::quiet_NaN(); });
}

bool Graph::add_edges(Node& node, std::span<const Move> moves, std::span<const float> priors) {
  const Edges old = edges(node);
  std::vector<Move> all;
  std::vector<float> all_priors;
  for (std::uint32_t i = 0; i < old.size; ++i) {
    all.push_back(old.move(i));
    if (columns_.prior) all_priors.push_back(old.prior()[i]);
  }
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (std::find(all.begin(), all.begin() + old.size, moves[i]) != all.begin() + old.size) continue;
    all.push_back(moves[i]);
    if (columns_.prior) all_priors.push_back(priors.empty() ? 0 : priors[i]);
  }
  const std::size_t units = units_for(all.size());
  const auto before = take({0, units});
  if (!before) return false;
  const auto block = static_cast<std::uint32_t>(before->units + units);
  const Edges grown = edges_at(block, static_cast<std::uint32_t>(all.size()));
  fill_edges(grown, all, all_priors);
  copy_edges(old, grown);
  num_edges_.fetch_add(grown.size - old.size, std::memory_order_relaxed);
  node.num_edges = grown.size;
  node.width.store(Width::Full, std::memory_order_relaxed);
  node.block.store(block, std::memory_order_release);
  return true;
}

// What edges have learnt goes to the first edges of a larger block.
void Graph::copy_edges(const Edges& from, const Edges& to) {
  const auto copy = [size = from.size](const auto* source, auto* target) {
    for (std::uint32_t i = 0; i < size; ++i)
      target[i].store(source[i].load(std::memory_order_relaxed), std::memory_order_relaxed);
  };
  copy(from.value(), to.value());
  copy(from.visits(), to.visits());
  copy(from.child(), to.child());
  copy(from.word(), to.word());
  if (columns_.amaf) copy(from.amaf(), to.amaf());
  if (columns_.squares) copy(from.squares(), to.squares());
  if (columns_.bounds) {
    copy(from.upper(), to.upper());
    copy(from.lower(), to.lower());
  }
  if (columns_.entry) copy(from.entry(), to.entry());
  if (columns_.in_flight) copy(from.in_flight(), to.in_flight());
  if (columns_.amaf && columns_.numbers) copy(from.amaf_visits(), to.amaf_visits());
  if (columns_.backed) copy(from.backed(), to.backed());
}

NodeId Graph::find_or_make(StateKey state, int mover, bool& was_there, std::size_t worker) {
  const NodeId found = index_.find_or_make(state, was_there, [&] { return make_node(mover, worker); });
  if (!was_there && (found == kNoNode || index_.is_crowded())) is_full_.store(true, std::memory_order_relaxed);
  return found;
}

void Graph::add_parent(NodeId child, NodeId parent) { lineage_.add(child, parent); }

void Graph::find_parents() {
  if (!keeps_parents_) return;
  lineage_.clear();
  const NodeId end = end_of_nodes();
  for (NodeId id = 1; id < end; ++id) {
    if (!has_edges(nodes_[id])) continue;
    const Edges below = edges(nodes_[id]);
    for (std::uint32_t i = 0; i < below.size; ++i)
      if (const NodeId child = below.child()[i].load(std::memory_order_relaxed); child != kNoNode)
        add_parent(child, id);
  }
}

std::size_t Graph::bytes() const {
  const Taken now = taken();
  return bytes_of(now) - (now.nodes - 1) * kScratchPerNode;
}

void Graph::clear() {
  taken_ = packed({1, kFirstUnit});
  num_edges_ = 0;
  clear_rooms();
  is_full_ = false;
  root_ = kNoNode;
  if (shares_nodes()) index_.reset(index_.num_slots());
  lineage_.clear();
}

// Nodes that the root reaches through nodes of at least `min_visits`; the root itself always. In order of their ids.
std::vector<NodeId> Graph::reachable(std::uint32_t min_visits) const {
  std::vector<bool> seen(taken().nodes, false);
  std::vector<NodeId> found{root_};
  seen[root_] = true;
  for (std::size_t next = 0; next < found.size(); ++next) {
    const Node& parent = nodes_[found[next]];
    if (!has_edges(parent)) continue;
    const Edges below = edges(parent);
    for (std::uint32_t i = 0; i < below.size; ++i) {
      const NodeId child = below.child()[i].load(std::memory_order_relaxed);
      if (child == kNoNode || seen[child]) continue;
      if (visits_behind(below, i) < min_visits) continue;
      seen[child] = true;
      found.push_back(child);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

void Graph::rename_entries(std::span<const EntryId> new_numbers) {
  for (const NodeId id : reachable(0)) {
    if (!has_edges(nodes_[id])) continue;
    const Edges below = edges(nodes_[id]);
    for (std::uint32_t i = 0; i < below.size; ++i) below.entry()[i] = new_numbers[below.entry()[i].load()];
  }
}

void Graph::recycle(double share) {
  const auto budget = static_cast<std::size_t>(static_cast<double>(memory_bytes_) * share);
  const auto cost = [&](const std::vector<NodeId>& ids) {
    std::size_t bytes = shares_nodes() ? StateIndex::bytes_for(std::bit_ceil(ids.size() * 4)) : 0;
    for (const NodeId id : ids)
      bytes += node_cost_ + (has_edges(nodes_[id]) ? units_for(nodes_[id].num_edges) * kUnit : 0);
    return bytes;
  };
  std::vector<NodeId> kept = reachable(0);
  for (std::uint32_t min_visits = 2; min_visits != 0 && kept.size() > 1 && cost(kept) > budget; min_visits *= 2)
    kept = reachable(min_visits);
  compact(kept);
}

// Slides the kept nodes to the front of the arena and their blocks to its back, and renames them. Both are visited from
// their end inwards, so nothing is overwritten before it has moved.
void Graph::compact(const std::vector<NodeId>& kept) {
  std::vector<NodeId> new_id(taken().nodes, kNoNode);
  for (std::size_t i = 0; i < kept.size(); ++i) new_id[kept[i]] = static_cast<NodeId>(i + 1);

  std::vector<NodeId> by_block;
  for (const NodeId id : kept)
    if (has_edges(nodes_[id])) by_block.push_back(id);
  std::sort(by_block.begin(), by_block.end(),
            [&](NodeId a, NodeId b) { return nodes_[a].block.load() < nodes_[b].block.load(); });
  std::size_t units = kFirstUnit, num_edges = 0;
  for (const NodeId id : by_block) {
    Node& node = nodes_[id];
    const Edges below = edges(node);
    for (std::uint32_t i = 0; i < below.size; ++i) below.child()[i] = new_id[below.child()[i].load()];
    const std::size_t size = units_for(node.num_edges);
    units += size;
    std::memmove(arena_end_ - units * kUnit, arena_end_ - std::size_t{node.block.load()} * kUnit, size * kUnit);
    node.block = static_cast<std::uint32_t>(units);
    num_edges += node.num_edges;
  }
  const std::vector<StateIndex::Named> named = index_.take_nodes(new_id);
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (kept[i] != i + 1) std::memcpy(static_cast<void*>(&nodes_[i + 1]), &nodes_[kept[i]], sizeof(Node));

  root_ = new_id[root_];
  taken_ = packed({kept.size() + 1, units});
  num_edges_ = num_edges;
  clear_rooms();
  is_full_ = false;

  if (shares_nodes()) {
    index_.reset(std::max<std::size_t>(16, std::bit_ceil(named.size() * 4)));
    index_.enter(named);
  }
  find_parents();
}

}  // namespace tesuji
