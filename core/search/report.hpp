// Reads a SearchResult out of graphs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/graph.hpp"
#include "search/means.hpp"
#include "search/numbers.hpp"
#include "search/result.hpp"

namespace tesuji {

// One graph, and how its edges are read.
struct Reading {
  const Graph* graph;
  Means means;
};

class Report {
 public:
  // Moves from `num_moves` on are groups. `from_edges`: what an edge is worth is read from the edges behind it.
  Report(std::vector<Reading> readings, const Numbers& numbers, int mover, Move num_moves, bool from_edges)
      : readings_(std::move(readings)),
        numbers_(numbers),
        mover_(mover),
        num_moves_(num_moves),
        from_edges_(from_edges) {}

  // The root's moves, summed over graphs and groups; its groups; the main lines; the sizes.
  void fill(SearchResult& result) const;
  // What the root knows of a move: the most visited edge of it, the node behind that (kNoNode: a leaf), and its entry
  // in the table of shared values.
  struct Behind {
    NodeId node = kNoNode;
    EntryId entry = kNoEntry;
    std::uint32_t visits = 0;
    std::int64_t value = 0;
  };
  static Behind behind(const Graph& graph, Move move, Move num_moves);

 private:
  struct Sums {
    std::uint64_t visits = 0;
    double value = 0, amaf_visits = 0, amaf_value = 0, squares = 0, prior = 0;
    Proof proof = Proof::None;
  };
  Sums sums_of(const Reading& reading, const Edges& edges, std::uint32_t edge) const;
  double read(double mean) const;
  double deviation(const Sums& sums) const;
  RootEdge root_edge(Move move, const Sums& sums) const;
  void read_root(SearchResult& result) const;
  void read_moves(SearchResult& result) const;
  void read_groups(SearchResult& result) const;
  std::vector<Move> main_line(const Graph& graph, NodeId at) const;

  const std::vector<Reading> readings_;
  const Numbers& numbers_;
  const int mover_;
  const Move num_moves_;
  const bool from_edges_;
};

}  // namespace tesuji
