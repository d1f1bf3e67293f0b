#include "search/graph.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <new>
#include <thread>

namespace tesuji {

Graph::Graph(std::size_t memory_bytes, const Columns& columns, GraphMode mode, std::size_t num_workers)
    : columns_(columns),
      offsets_(columns),
      keeps_parents_(mode == GraphMode::Multipath),
      arena_(memory_bytes, keeps_parents_ ? Lineage::kBytesPerNode : 0, num_workers) {
  if (tesuji::shares_nodes(mode)) index_.reset(std::min(kFirstIndex, std::bit_floor(memory_bytes / 80 + 16)));
}

// The index is part of the cap, and for a moment there are two of them.
bool Graph::enlarge_index() {
  const std::size_t bytes = arena_.bytes_taken() + bytes_beside() + 2 * index_.bytes();
  if (!shares_nodes() || !index_.is_crowded() || bytes > arena_.cap()) return false;
  index_.resize(index_.num_slots() * 2);
  is_full_ = false;
  return true;
}

NodeId Graph::make_node(int mover, std::size_t worker) {
  const NodeId made = arena_.make_node(mover, worker, bytes_beside());
  if (made == kNoNode) is_full_.store(true, std::memory_order_relaxed);
  return made;
}

bool Graph::make_edges(Node& node, std::span<const Move> moves, std::span<const float> priors, Width width, bool shared,
                       std::size_t worker) {
  std::uint32_t expected = Node::kLeaf;
  if (shared) {
    if (!node.block.compare_exchange_strong(expected, Node::kClaimed, std::memory_order_relaxed)) return false;
  }
  const auto block = arena_.make_block(bytes_for(moves.size()), worker, bytes_beside());
  if (!block) {
    is_full_.store(true, std::memory_order_relaxed);
    node.block.store(Node::kLeaf, std::memory_order_relaxed);
    return false;
  }
  const auto size = static_cast<std::uint32_t>(moves.size());
  fill_edges(edges_at(*block, size), moves, priors);
  arena_.count_edges(size, worker);
  node.num_edges = size;
  node.width.store(width, std::memory_order_relaxed);
  node.block.store(*block, std::memory_order_release);
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
  const auto block = arena_.make_block(bytes_for(all.size()), kNoWorker, bytes_beside());
  if (!block) {
    is_full_.store(true, std::memory_order_relaxed);
    return false;
  }
  const Edges grown = edges_at(*block, static_cast<std::uint32_t>(all.size()));
  fill_edges(grown, all, all_priors);
  copy_edges(old, grown);
  arena_.count_edges(grown.size - old.size, kNoWorker);
  node.num_edges = grown.size;
  node.width.store(Width::Full, std::memory_order_relaxed);
  node.block.store(*block, std::memory_order_release);
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
    if (!has_edges(node(id))) continue;
    const Edges below = edges(node(id));
    for (std::uint32_t i = 0; i < below.size; ++i)
      if (const NodeId child = below.child()[i].load(std::memory_order_relaxed); child != kNoNode)
        add_parent(child, id);
  }
}

std::size_t Graph::bytes() const { return arena_.bytes_in_use() + bytes_beside(); }

void Graph::clear() {
  arena_.clear();
  is_full_ = false;
  root_ = kNoNode;
  if (shares_nodes()) index_.reset(index_.num_slots());
  lineage_.clear();
}

// Nodes that the root reaches through nodes of at least `min_visits`; the root itself always. In order of their ids.
std::vector<NodeId> Graph::reachable(std::uint32_t min_visits) const {
  std::vector<bool> seen(end_of_nodes(), false);
  std::vector<NodeId> found{root_};
  seen[root_] = true;
  for (std::size_t next = 0; next < found.size(); ++next) {
    const Node& parent = node(found[next]);
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
    if (!has_edges(node(id))) continue;
    const Edges below = edges(node(id));
    for (std::uint32_t i = 0; i < below.size; ++i) below.entry()[i] = new_numbers[below.entry()[i].load()];
  }
}

void Graph::recycle(double share) {
  const auto budget = static_cast<std::size_t>(static_cast<double>(arena_.cap()) * share);
  const auto cost = [&](const std::vector<NodeId>& ids) {
    std::size_t bytes = shares_nodes() ? StateIndex::bytes_for(std::bit_ceil(ids.size() * 4)) : 0;
    for (const NodeId id : ids)
      bytes +=
          arena_.bytes_of_node() + (has_edges(node(id)) ? Arena::bytes_of_block(bytes_for(node(id).num_edges)) : 0);
    return bytes;
  };
  std::vector<NodeId> kept = reachable(0);
  for (std::uint32_t min_visits = 2; min_visits != 0 && kept.size() > 1 && cost(kept) > budget; min_visits *= 2)
    kept = reachable(min_visits);
  compact(kept);
}

void Graph::compact(const std::vector<NodeId>& kept) {
  std::vector<NodeId> new_id(end_of_nodes(), kNoNode);
  for (std::size_t i = 0; i < kept.size(); ++i) new_id[kept[i]] = static_cast<NodeId>(i + 1);

  std::vector<NodeId> by_block;
  for (const NodeId id : kept)
    if (has_edges(node(id))) by_block.push_back(id);
  std::sort(by_block.begin(), by_block.end(),
            [&](NodeId a, NodeId b) { return node(a).block.load() < node(b).block.load(); });
  Arena::Compaction compaction(arena_);
  for (const NodeId id : by_block) {
    Node& parent = node(id);
    const Edges below = edges(parent);
    for (std::uint32_t i = 0; i < below.size; ++i) below.child()[i] = new_id[below.child()[i].load()];
    parent.block = compaction.keep_block(parent.block, bytes_for(parent.num_edges), parent.num_edges);
  }
  const std::vector<StateIndex::Named> named = index_.take_nodes(new_id);
  for (const NodeId id : kept) compaction.keep_node(id);
  compaction.finish();
  root_ = new_id[root_];
  is_full_ = false;

  if (shares_nodes()) {
    index_.reset(std::max<std::size_t>(16, std::bit_ceil(named.size() * 4)));
    index_.enter(named);
  }
  find_parents();
}

}  // namespace tesuji
