// What an edge's results are worth in a graph mode. Selection and report both ask here, and nobody else knows.
//
// In a tree an edge has its own sum. Where equal states share a node or an entry of a table, the mean is theirs and the
// visits stay the edge's; an edge through which all of those visits came uses its own sum, so that a graph without
// transpositions is searched exactly as a tree. With shared counts the visits are the node's too. A back-up rule of the
// user's has the last word.
#pragma once

#include <cstddef>
#include <cstdint>

#include "search/graph.hpp"
#include "search/numbers.hpp"
#include "search/value_table.hpp"
#include "search/walk.hpp"

namespace tesuji {

// Visits, and the sum of so many results: for the first player in fixed point, or of merits (numbers.hpp).
struct EdgeSum {
  std::uint32_t visits;
  double sum;

  double mean() const { return visits > 0 ? sum / visits : 0; }
};

class Means {
 public:
  // `table` is what the edges' entries belong to, if values are shared.
  Means(GraphMode mode, const Graph& graph, const ValueTable* table, const Numbers& numbers)
      : mode_(mode), graph_(&graph), table_(table), numbers_(&numbers) {}

  // Are results one player's numbers?
  bool are_numbers() const { return numbers_->are_used(); }
  // Are an edge's own columns what counts?
  bool are_own() const { return mode_ == GraphMode::Tree && !numbers_->are_used() && !graph_->columns().backed; }

  EdgeSum of(const Edges& edges, std::uint32_t edge) const;
  // Of all edges, as selection reads them: sums of 0..visits in fixed point whatever the results are.
  void read(const Edges& edges, std::uint32_t* visits, std::int64_t* sums) const;
  // A mean of results in 0..1, for the first player.
  double normal(double mean) const {
    return numbers_->are_used() ? numbers_->normal(mean) : mean / static_cast<double>(kOne);
  }
  double range() const { return numbers_->range(); }
  // A place in 0..1 as one player's edges keep it.
  double merit_at(double place) const { return range() > 0 ? numbers_->merit_at(place) : 0; }
  // The mean of a node's results as its edges know them: the sum of n * mean over its edges, by the sum of n.
  EdgeSum of_edges(const Node& node) const;
  // Of all results at the node where a walk stood after so many steps, for the first player and in 0..1; one half if
  // there are none. In a tree its edge knows them.
  float along(const Walk& walk, std::size_t depth) const;

 private:
  template <GraphMode Mode>
  EdgeSum read_one(const Edges& edges, std::uint32_t edge) const;
  template <GraphMode Mode>
  void read_all(const Edges& edges, std::uint32_t* visits, std::int64_t* sums) const;
  double raw(const std::atomic<std::int64_t>& sum) const {
    const std::int64_t bits = sum.load(std::memory_order_relaxed);
    return numbers_->are_used() ? as_number(bits) : static_cast<double>(bits);
  }

  const GraphMode mode_;
  const Graph* const graph_;
  const ValueTable* const table_;
  const Numbers* const numbers_;
};

}  // namespace tesuji
