#include "search/proofs.hpp"

namespace tesuji {

Proof proof_of(const Graph& graph, const Node& node) {
  const Edges edges = graph.edges(node);
  const bool first = node.mover == 0;
  const Proof won = first ? Proof::Win : Proof::Loss;
  bool all = true, draw = false;
  for (std::uint32_t i = 0; i < edges.size; ++i) {
    const Proof proof = edges.proof(i);
    if (proof == won) return won;
    all &= proof != Proof::None;
    draw |= proof == Proof::Draw;
  }
  all &= node.width.load(std::memory_order_relaxed) == Width::Full;
  return !all ? Proof::None : draw ? Proof::Draw : first ? Proof::Loss : Proof::Win;
}

void propagate_proof(Graph& graph, const Walk& walk) {
  Proof proof = walk.proof;
  for (std::size_t depth = walk.steps.size(); depth-- > 0 && proof != Proof::None;) {
    const Step& step = walk.steps[depth];
    Node& node = graph.node(step.node);
    graph.edges(node).word()[step.edge].fetch_or(static_cast<std::uint32_t>(proof) << Edges::kProofShift,
                                                 std::memory_order_relaxed);
    proof = proof_of(graph, node);
    if (proof != Proof::None) node.proof.store(proof, std::memory_order_relaxed);
  }
}

}  // namespace tesuji
