#include "search/amaf.hpp"

#include "search/numbers.hpp"

namespace tesuji {

void Amaf::begin(std::size_t walk_length) {
  if (!is_on_) return;
  made_.clear(static_cast<std::size_t>(num_moves_));
  if (keeps_order_) made_.keep_order(static_cast<std::size_t>(num_moves_), walk_length);
}

// Moves are numbered without the groups between them: the last one of the walk comes just before the playout.
void Amaf::update(Graph& graph, const Walk& walk, std::int64_t value, double merit, std::uint32_t visits) {
  const std::uint64_t all = amaf::one(value) * visits;
  std::size_t when = walk.steps.size();
  for (std::size_t depth = walk.steps.size(); depth-- > 0;) {
    const Step& step = walk.steps[depth];
    const Node& node = graph.node(step.node);
    const Edges edges = graph.edges(node);
    const Move move = edges.move(step.edge);
    if (move >= num_moves_) continue;  // a group
    made_.add_before(move, node.mover, --when);
    // No edge has more AMAF visits than walks went through its node.
    if (node.walks.load(std::memory_order_relaxed) >= amaf::kSaturated / (fades_ ? 2 : 1)) continue;
    if (graph.columns().numbers)
      add_merits(edges, node.mover, when, merit, visits);
    else if (keeps_order_)
      add_by_distance(edges, node.mover, when, value, visits);
    else
      add_to_made(edges, node.mover, all);
  }
}

void Amaf::add_to_made(const Edges& edges, int mover, std::uint64_t one) {
  const std::uint64_t* const made = made_.masks(mover);
  const auto* const words = edges.word();
  auto* const column = edges.amaf();
#pragma GCC unroll 4
  for (std::uint32_t i = 0; i < edges.size; ++i) {
    const std::uint64_t mask = made[words[i].load(std::memory_order_relaxed) & Edges::kMoveMask];
    column[i].store(column[i].load(std::memory_order_relaxed) + (one & mask), std::memory_order_relaxed);
  }
}

// How much a move counts that was made `d` moves after this one, in sixteenths: 2 (1 - d / moves left), or all alike;
// nothing from the horizon on.
std::uint32_t Amaf::weight(int mover, Move move, std::size_t when) const {
  if (made_.masks(mover)[move] == 0) return 0;
  if (!keeps_order_) return 1;
  const std::uint32_t distance = made_.first(mover, move) - static_cast<std::uint32_t>(when);
  if (distance >= horizon_) return 0;
  if (!fades_) return 1;
  const std::uint32_t left = made_.num_added() - static_cast<std::uint32_t>(when);
  return 32 - 32 * distance / left;
}

void Amaf::add_by_distance(const Edges& edges, int mover, std::size_t when, std::int64_t value, std::uint32_t visits) {
  auto* const column = edges.amaf();
  for (std::uint32_t i = 0; i < edges.size; ++i) {
    const std::uint32_t weight = this->weight(mover, edges.move(i), when);
    if (weight == 0) continue;
    const std::uint64_t more = fades_ ? amaf::part(value, weight) : amaf::one(value);
    column[i].store(column[i].load(std::memory_order_relaxed) + more * visits, std::memory_order_relaxed);
  }
}

void Amaf::add_merits(const Edges& edges, int mover, std::size_t when, double merit, std::uint32_t visits) {
  for (std::uint32_t i = 0; i < edges.size; ++i) {
    const std::uint32_t weight = this->weight(mover, edges.move(i), when);
    if (weight == 0) continue;
    add_number(edges.amaf_sum()[i], (fades_ ? merit * weight / 16 : merit) * visits, false);
    add(edges.amaf_visits()[i], weight * visits, false);
  }
}

}  // namespace tesuji
