// Reads a small problem of life and death to the end: can one chain be captured, whatever its owner does?
// Depth-first proof-number search (A. Nagai, "Df-pn Algorithm for Searching AND/OR Trees and its Applications", 2002)
// over the moves of a region. It judges nothing outside that region: who is alive there is told to it.
//
// A ko is read twice, with one side or the other having all the threats: the favoured side may retake at once. What
// depends on that is a ko. A position that comes back on the way is forbidden to both, so that every line ends; results
// of such lines are kept like any other, which can be wrong where two ways to a position differ in what is forbidden
// (the graph-history problem); the searches of small regions in the tests show no such case.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "go/board.hpp"

namespace tesuji::go {

struct LifeProblem {
  int anchor = 0;                    // a stone of the chain in question
  std::vector<std::uint8_t> region;  // per point: whether moves are read there
  std::vector<std::uint8_t> safe;    // per point: stones that live by themselves; joining one of them is life
  Color first = Color::Black;        // who moves first
  Color ko_favours = Color::Black;   // who has all ko threats
  bool needs_eyes = false;           // whether two passes (life in seki) are not enough for the owner
};

struct LifeAnswer {
  std::optional<bool> is_captured;  // empty: not known within the limit
  std::vector<int> line;            // how it goes, as far as it is read; pass is num_points
  std::int64_t num_nodes = 0;
};

// Throws std::invalid_argument if there is no stone at the anchor or a field has another size than the board.
LifeAnswer read_life(const Board& board, const LifeProblem& problem, std::int64_t max_nodes);

}  // namespace tesuji::go
