// Which edge a walk takes from a node. Formulas and sources: docs/algorithms/selection.md, amaf.md, priors-widening.md.
#pragma once

#include <cstdint>
#include <span>

#include "base/rng.hpp"
#include "search/graph.hpp"

namespace tesuji {

inline constexpr std::uint32_t kNoEdge = 0xFFFFFFFF;

class Selector {
 public:
  Selector(const SearchConfig& config, const Graph& graph);

  // The edge to follow, or kNoEdge if every edge is excluded.
  std::uint32_t choose(const Node& node, std::span<const std::uint32_t> excluded, Rng& rng) const;

  // Unlocks edges up to the number that the node's visits allow; ordered by prior and AMAF as they stand now.
  void widen(const Node& node) const;

  // The mover's bounds of an edge after its statistics changed (BAST).
  void update_bounds(const Node& node, std::uint32_t edge, int depth) const;

 private:
  // choose() for one combination of choices: the loop over the edges asks nothing that the config has settled.
  template <Selection S, bool Amaf, bool Priors, bool Dag, bool Filters>
  std::uint32_t best_edge(const Node& node, std::span<const std::uint32_t> excluded) const;
  using BestEdge = std::uint32_t (Selector::*)(const Node&, std::span<const std::uint32_t>) const;
  template <Selection S, bool... Settled>
  BestEdge settle(std::span<const bool> open) const;

  float beta(float n, float m) const;
  void mix_in_prior(float prior, float& value, float& n) const;
  bool is_barred(const Node& node, const Edges& edges, std::uint32_t edge,
                 std::span<const std::uint32_t> excluded) const;

  SearchConfig config_;
  const Graph& graph_;
  BestEdge best_edge_, best_edge_filtered_;
};

}  // namespace tesuji
