// All moves as first: every edge whose move the same player made at that node or later, in the graph or in the playout,
// learns the result. See docs/algorithms/amaf.md.
//
// Two threads that meet at an edge may lose one of their AMAF updates: a locked addition at half the edges of every
// level would cost more than the second thread brings (docs/decisions/008). Visits and values lose nothing.
#pragma once

#include <cstdint>

#include "games/game.hpp"
#include "search/graph.hpp"
#include "search/walk.hpp"

namespace tesuji {

class Amaf {
 public:
  // Moves from `num_moves` on are no moves of the game (groups) and have no part in it.
  Amaf(const SearchConfig& config, Move num_moves)
      : num_moves_(num_moves),
        is_on_(config.amaf != AmafSchedule::Off),
        keeps_order_(config.amaf_fades || config.amaf_horizon > 0),
        fades_(config.amaf_fades),
        horizon_(config.amaf_horizon > 0 ? config.amaf_horizon : ~0u) {}

  bool is_on() const { return is_on_; }
  // A playout that follows a walk of so many moves begins.
  void begin(std::size_t walk_length);
  // Where it notes its moves; null if nobody wants to know.
  MadeMoves* made() { return is_on_ ? &made_ : nullptr; }
  // The moves of a playout that was played before, while another walk is under way.
  void swap(MadeMoves& made) { std::swap(made_, made); }
  // The walk's edges, and those beside them, learn the result, in fixed point or as a merit, as so many visits.
  void update(Graph& graph, const Walk& walk, std::int64_t value, double merit, std::uint32_t visits);

 private:
  void add_to_made(const Edges& edges, int mover, std::uint64_t one);
  void add_by_distance(const Edges& edges, int mover, std::size_t when, std::int64_t value, std::uint32_t visits);
  void add_merits(const Edges& edges, int mover, std::size_t when, double merit, std::uint32_t visits);
  std::uint32_t weight(int mover, Move move, std::size_t when) const;

  const Move num_moves_;
  const bool is_on_, keeps_order_, fades_;
  const std::uint32_t horizon_;
  MadeMoves made_;
};

}  // namespace tesuji
