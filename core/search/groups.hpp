// Groups of moves in a search: where they come from when a node gets its edges, and what is learned about their kinds.
// Part of search.hpp, which is what to include. See docs/algorithms/groups.md.
#pragma once

#include "search/report.hpp"
#include "search/search.hpp"

namespace tesuji {

template <Game G>
void Search<G>::group_with(PathGrouper<G> grouper, const GroupingOptions& options) {
  const OneAtATime hold(running_);
  if (plays_alone_) throw std::invalid_argument("groups are for games of two players; this one is for one");
  if (columns_for(config_).prior)
    throw std::invalid_argument("a group has no prior: use a config without priors and PUCT, or no groups");
  if ((!options.biases.empty() || options.learns) && config_.selection != Selection::Ucb1)
    throw std::invalid_argument("biases of groups scale the bonus of UCB1: use selection=UCB1(), or no biases");
  if (config_.graph == GraphMode::Multipath)
    throw std::invalid_argument("graph='multipath' keeps no parents of groups: use another graph, or no groups");
  for (const auto& graph : graphs_)
    if (graph->root() != kNoNode) throw std::invalid_argument("groups must be given before the first run");
  grouper_ = std::move(grouper);
  grouping_ = options;
  biases_ = options.biases;
  if (options.learns) biases_.resize(options.num_kinds, 0.5f);
  for (auto& worker : workers_) worker->selector.weigh_groups_by(biases_.empty() ? nullptr : &biases_);
}

template <Game G>
void Search<G>::group_with(const Grouper<G>& grouper, const GroupingOptions& options) {
  group_with(PathGrouper<G>([grouper](const G& state, std::span<const Move> moves, std::span<const Move>,
                                      GroupList& groups) { grouper(state, moves, groups); }),
             options);
}

template <Game G>
void Search<G>::refuse_groups(const char* what) const {
  if (grouper_) throw std::invalid_argument(std::string("a search with groups of moves cannot ") + what);
}

// The worker's moves become the node's edges, or those of its groups.
template <Game G>
bool Search<G>::make_edges(Node& node, const G& state, Worker& worker, Width width) {
  if (grouper_ && find_groups(state, worker)) return worker.graph.make_groups(node, worker.groups, shared_);
  return worker.graph.make_edges(node, worker.moves, worker.priors, width, shared_, worker.index);
}

// False if the state has no groups of its own. Groups and their moves are shuffled, for edges of equal score are taken
// in order.
template <Game G>
bool Search<G>::find_groups(const G& state, Worker& worker) {
  worker.found.clear();
  if (grouping_.wants_path) note_path(worker);
  grouper_(state, worker.moves, worker.moves_to_here, worker.found);
  name_groups(worker);
  if (worker.groups.empty()) return false;
  add_catch_all(worker);
  for (std::size_t i = worker.groups.size(); i > 1; --i)
    std::swap(worker.groups[i - 1], worker.groups[worker.rng.below(i)]);
  return true;
}

// A group is known by its kind and by which one of that kind it is, in the grouper's order.
template <Game G>
void Search<G>::name_groups(Worker& worker) {
  worker.groups.clear();
  worker.num_of_kind.assign(grouping_.num_kinds, 0);
  for (MoveGroup& group : worker.found.groups()) {
    if (group.moves.empty()) continue;
    if (group.kind == kCatchAll || group.kind >= grouping_.num_kinds)
      throw std::invalid_argument("a grouping named kind " + std::to_string(group.kind) + "; its kinds are 1.." +
                                  std::to_string(grouping_.num_kinds - 1));
    const std::uint32_t ordinal = worker.num_of_kind[group.kind]++;
    if (ordinal >= Edges::kMostOfAKind)
      throw std::invalid_argument("a state has more than " + std::to_string(Edges::kMostOfAKind) +
                                  " groups of one kind; make fewer");
    for (std::size_t i = group.moves.size(); i > 1; --i)
      std::swap(group.moves[i - 1], group.moves[worker.rng.below(i)]);
    worker.groups.push_back({Edges::group_word(group.kind, ordinal), group.moves});
  }
}

// All moves, or those in no other group; they are shuffled already.
template <Game G>
void Search<G>::add_catch_all(Worker& worker) {
  const std::uint32_t word = Edges::group_word(kCatchAll, 0);
  if (grouping_.overlap) return worker.groups.push_back({word, worker.moves});
  const Move last = *std::max_element(worker.moves.begin(), worker.moves.end());
  worker.is_grouped.assign(static_cast<std::size_t>(last) + 1, false);
  for (const GroupMoves& group : worker.groups)
    for (const Move move : group.moves) worker.is_grouped[static_cast<std::size_t>(move)] = true;
  worker.others.clear();
  for (const Move move : worker.moves)
    if (!worker.is_grouped[static_cast<std::size_t>(move)]) worker.others.push_back(move);
  if (!worker.others.empty()) worker.groups.push_back({word, worker.others});
}

// The moves from where the search began to the node that gets its edges.
template <Game G>
void Search<G>::note_path(Worker& worker) const {
  worker.moves_to_here = played_;
  for (const Step& step : worker.path) {
    const Edges edges = worker.graph.edges(worker.graph.node(step.node));
    if (!edges.is_group(step.edge)) worker.moves_to_here.push_back(edges.move(step.edge));
  }
}

// A group is forbidden if all its moves are.
template <Game G>
bool Search<G>::is_forbidden(const G& state, const Graph& graph, const Edges& edges, std::uint32_t edge) const {
  if constexpr (HasForbidden<G>) {
    if (!edges.is_group(edge)) return state.is_forbidden(edges.move(edge));
    const Edges members = graph.edges(graph.node(edges.child()[edge].load(std::memory_order_acquire)));
    for (std::uint32_t i = 0; i < members.size; ++i)
      if (!state.is_forbidden(members.move(i))) return false;
    return true;
  }
  return false;
}

// In moves.
template <Game G>
std::size_t Search<G>::length_of_walk(const Worker& worker) const {
  std::size_t length = worker.path.size();
  if (grouper_)
    for (const Step& step : worker.path)
      length -= worker.graph.edges(worker.graph.node(step.node)).is_group(step.edge) ? 1 : 0;
  return length;
}

template <Game G>
void Search<G>::learn_biases() {
  KindCounts counts(grouping_.num_kinds);
  for (const auto& graph : graphs_) counts.count(*graph, grouping_.learning_visits);
  counts.teach(biases_, grouping_.learning_inertia);
}

// Independent roots find the same groups; their visits are added up.
template <Game G>
void Search<G>::read_groups(SearchResult& result) const {
  std::map<std::uint32_t, RootGroup> by_word;
  std::map<std::uint32_t, double> sums;
  for (const auto& graph : graphs_) {
    if (graph->root() == kNoNode || !graph->has_edges(graph->node(graph->root()))) continue;
    const Edges edges = graph->edges(graph->node(graph->root()));
    for (std::uint32_t i = 0; i < edges.size && edges.is_group(i); ++i) {
      const std::uint32_t code = edges.word()[i].load(std::memory_order_relaxed) & Edges::kMoveMask;
      RootGroup& group = by_word[code];
      group.kind = edges.kind(i);
      group.ordinal = code % Edges::kMostOfAKind;
      group.visits += edges.visits()[i].load(std::memory_order_relaxed);
      group.proof = std::max(group.proof, static_cast<int>(edges.proof(i)));
      sums[code] += static_cast<double>(edges.value()[i].load(std::memory_order_relaxed)) / static_cast<double>(kOne);
      const Edges members = graph->edges(graph->node(edges.child()[i].load(std::memory_order_acquire)));
      group.moves.clear();
      for (std::uint32_t k = 0; k < members.size; ++k) group.moves.push_back(members.move(k));
      std::sort(group.moves.begin(), group.moves.end());
    }
  }
  for (auto& [code, group] : by_word) {
    const double n = static_cast<double>(group.visits);
    group.value = group.visits > 0 ? detail::for_mover(result.to_play, sums[code] / n) : 0;
    group.proof = detail::for_mover(result.to_play, static_cast<Proof>(group.proof));
    result.groups.push_back(std::move(group));
  }
}

}  // namespace tesuji
