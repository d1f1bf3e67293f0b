// One thread's way through a graph: it chooses edges, marks them while the result is out, and has it backed up.
// Knows nothing of the game; GameSearch plays the moves. See docs/algorithms/graph.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/rng.hpp"
#include "games/playout.hpp"
#include "search/amaf.hpp"
#include "search/back_up.hpp"
#include "search/graph.hpp"
#include "search/hot_nodes.hpp"
#include "search/means.hpp"
#include "search/result.hpp"
#include "search/select.hpp"
#include "search/shared_values.hpp"
#include "search/walk.hpp"

namespace tesuji {

class Walker {
 public:
  // `table` is null unless values are shared. `num_moves` are the game's; what lies beyond are groups of them.
  Walker(const SearchConfig& config, Graph& graph, SharedValues* values, const Numbers& numbers, Move num_moves,
         std::uint64_t seed, std::size_t index);

  std::size_t index() const { return index_; }
  Graph& graph() { return graph_; }
  Rng& rng() { return rng_; }
  const Rng& rng() const { return rng_; }
  WorkerCounts& counts() { return counts_; }
  const WorkerCounts& counts() const { return counts_; }
  Amaf& amaf() { return back_up_.amaf(); }
  Selector& selector() { return selector_; }
  HotNodes& hot_nodes() { return hot_nodes_; }
  const std::vector<std::uint64_t>& walks_by_length() const { return walks_by_length_; }
  void forget_lengths() { walks_by_length_.clear(); }

  // --- down ---

  void begin_at_root() { walk_ = {}; }
  void begin() {
    walk_.steps.clear();
    walk_.end = graph_.root();
    walk_.proof = Proof::None;
  }
  Walk& walk() { return walk_; }
  // The walk under way, to be finished later.
  Walk take_walk() { return std::move(walk_); }
  void resume(Walk walk) { walk_ = std::move(walk); }
  Node& node() { return graph_.node(walk_.end); }
  bool has_edges() { return graph_.has_edges(node()); }
  // Is the walk as long as it may be, or at an end that is decided?
  bool is_at_end();
  // How often walks have ended here or gone through here.
  std::uint32_t visits_here() const;
  // May a narrow node have all its edges now?
  bool is_worth_all_edges();
  // The edge to follow, but for those excluded; kNoEdge if there is none.
  std::uint32_t choose(std::span<const std::uint32_t> excluded);
  // Goes along an edge and says which move that is. What stands behind it is arrive()'s.
  Move take(std::uint32_t edge);
  // Steps into what stands behind the last edge. `key()` names its state, `mover` is to play there, and `is_passage`
  // says that nobody can stop there. False if the walk ends: a leaf that is young or has no node.
  template <class KeyOf>
  bool arrive(int mover, bool is_passage, bool may_make_nodes, const KeyOf& key);
  // A node for the leaf behind the last edge, if it has none; kNoNode if there is no room.
  NodeId node_at_end(int mover);
  // The node of a state behind an edge, where equal states share nodes.
  template <class KeyOf>
  NodeId make_child(NodeId parent, const Edges& edges, std::uint32_t edge, int mover, const KeyOf& key,
                    bool& was_there);

  // --- at the end ---

  // Claims a leaf for one walk that waits for an evaluator; false if another does so already.
  bool claim_leaf();
  void release_leaf(const Walk& walk);
  void prove(Proof proof);
  // The mean of the results that ended here or went through here; one player's merits.
  double mean_at_end() const;
  // The game's moves along the walk.
  MoveList moves_of_walk(Move num_moves) const;
  // The same with the players who made them, appended.
  void read_walk(Move num_moves, std::vector<PlayedMove>& moves) const;

  // --- up ---

  void back_up(const Outcome& outcome);
  // As if the walk had never been.
  void undo(const Walk& walk) { back_up_.undo(walk); }

 private:
  Step& last() { return walk_.steps.back(); }
  Edges edges_of(const Step& step) { return graph_.edges(graph_.node(step.node)); }

  const SearchConfig& config_;
  Graph& graph_;
  SharedValues* const values_;
  const std::size_t index_;
  const bool shared_;           // do several threads write to the graph without a lock?
  const bool keeps_hot_nodes_;  // does this thread keep copies of the nodes where it meets others?
  Rng rng_;
  const Means means_;
  Selector selector_;
  HotNodes hot_nodes_;
  BackUp back_up_;
  EdgeScores scores_;
  Walk walk_;
  HotNode* hot_ = nullptr;  // the copy of the node where the last choice was made
  WorkerCounts counts_;
  std::vector<std::uint64_t> walks_by_length_;
};

inline bool Walker::is_at_end() {
  if (static_cast<int>(walk_.steps.size()) >= config_.max_depth) return true;
  walk_.proof = node().proof.load(std::memory_order_relaxed);
  return walk_.proof != Proof::None;
}

inline bool Walker::is_worth_all_edges() {
  return node().width.load(std::memory_order_relaxed) == Width::Narrow &&
         node().walks.load(std::memory_order_relaxed) >= config_.width_walks;
}

inline std::uint32_t Walker::visits_here() const {
  if (!graph_.shares_nodes() && !walk_.steps.empty()) {
    const Step& step = walk_.steps.back();
    return graph_.edges(graph_.node(step.node)).visits()[step.edge].load(std::memory_order_relaxed);
  }
  return graph_.node(walk_.end).visits.load(std::memory_order_relaxed);
}

inline std::uint32_t Walker::choose(std::span<const std::uint32_t> excluded) {
  Node& here = node();
  if (config_.widening && excluded.empty()) selector_.widen(here);
  if (keeps_hot_nodes_) hot_ = hot_nodes_.take(graph_, walk_.end);
  const float mean = selector_.wants_mean() ? means_.along(walk_, walk_.steps.size()) : 0;
  return selector_.choose(here, hot_, mean, excluded, rng_, scores_);
}

inline Move Walker::take(std::uint32_t edge) {
  const Edges edges = graph_.edges(node());
  const bool is_marked = graph_.columns().in_flight && hot_ == nullptr;
  if (is_marked) add(edges.in_flight()[edge], 1u, shared_);
  walk_.steps.push_back({walk_.end, edge, is_marked});
  walk_.end = edges.child()[edge].load(std::memory_order_acquire);
  return edges.move(edge);
}

template <class KeyOf>
bool Walker::arrive(int mover, bool is_passage, bool may_make_nodes, const KeyOf& key) {
  if (walk_.end != kNoNode) return true;
  const Edges edges = edges_of(last());
  const std::uint32_t edge = last().edge;
  bool is_new = false;
  if (graph_.shares_nodes()) {
    if (!may_make_nodes) return false;
    bool was_there = false;
    walk_.end = make_child(last().node, edges, edge, mover, key, was_there);
    is_new = !was_there;
    if (walk_.end == kNoNode) return false;
  } else {
    const std::uint32_t visits = edges.visits()[edge].load(std::memory_order_relaxed);
    is_new = visits == 0;
    if (is_new && mover == 1) edges.word()[edge].fetch_or(Edges::kSecondBehind, std::memory_order_relaxed);
    if (values_ != nullptr && is_new) values_->enter(edges.entry()[edge], key(), counts_);
    if ((walk_.proof = edges.proof(edge)) != Proof::None) return false;
    const bool is_young = visits < config_.maturity && config_.expansion != Expansion::WholePath;
    const bool is_leaf = is_young || (is_new && config_.expansion == Expansion::OneChild);
    if ((is_leaf && !is_passage) || !may_make_nodes) return false;
    if (node_at_end(mover) == kNoNode) return false;
    return true;
  }
  return !is_new || config_.expansion == Expansion::WholePath || is_passage;
}

template <class KeyOf>
NodeId Walker::make_child(NodeId parent, const Edges& edges, std::uint32_t edge, int mover, const KeyOf& key,
                          bool& was_there) {
  was_there = false;
  const NodeId made = graph_.find_or_make(key(), mover, was_there, index_);
  if (made == kNoNode) return kNoNode;
  WorkerCounts::add(counts_.transposition_hits, was_there);
  NodeId expected = kNoNode;
  if (!edges.child()[edge].compare_exchange_strong(expected, made, std::memory_order_acq_rel)) {
    was_there = true;
    return expected;  // another thread was first
  }
  if (config_.graph == GraphMode::Multipath) graph_.add_parent(made, parent);
  return made;
}

}  // namespace tesuji
