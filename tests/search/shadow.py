"""The search told a second time, in plain Python: what every simulation must have done, from the formulas alone.

A `Shadow` is shown the moves and the result of each simulation. It says whether the walk followed the config's
formulas, counts all in its own words, and compares its graph with the search's. Sources: the issue's formulas and
the docstrings of `SearchConfig`. Left out: threads, the solver, memory limits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import pytest

from search.graph_view import GraphView, NodeView
from tesuji.search import (
    BAST,
    PUCT,
    RAVE,
    UCB1,
    EpsilonGreedy,
    HorizonPrior,
    ProgressiveBias,
    SearchConfig,
    UCB1Tuned,
    VirtualVisits,
)

__all__ = ["Shadow"]

# The core computes in 32-bit floats and with a table of logarithms.
CLOSE = 2e-5


@dataclass
class ShadowEdge:
    move: int
    prior: float
    visits: int = 0
    value: float = 0.0
    squares: float = 0.0
    child: ShadowNode | None = None
    amaf_visits: int = 0
    amaf_value: float = 0.0
    unlocked: bool = False
    upper: float = 2.0
    lower: float = -1.0


@dataclass
class Entry:
    """What equal states share."""

    visits: int = 0
    value: float = 0.0


@dataclass
class ShadowNode:
    mover: int
    key: int = 0
    visits: int = 0
    value: float = 0.0
    edges: dict[int, ShadowEdge] | None = None
    parents: list[ShadowNode] = field(default_factory=list)

    @property
    def num_walks(self) -> int:
        assert self.edges is not None
        return sum(edge.visits for edge in self.edges.values())

    def view(self, mean: float) -> float:
        """The mover's view of a mean for the first player."""
        return mean if self.mover == 0 else 1 - mean


class Shadow:
    """A second book-keeping of one search; call `follow` after every single simulation."""

    def __init__(self, game: Any, config: SearchConfig) -> None:
        self.game, self.config = game, config
        self.by_key: dict[int, ShadowNode] = {}
        self.entries: dict[int, Entry] = {}
        self.root = self._node_of(game)[0]
        self.num_choices = 0  # how many choices were checked that had an alternative
        self._expand(self.root, game)

    # One simulation ----

    def follow(self, moves: list[tuple[int, int]], value: float, graph: GraphView) -> None:
        """Repeat a simulation: (player, move) of its walk and playout, and its result."""
        path = self._walk(moves, graph)
        met = [self.root, *(edge.child for _, edge in path)]
        for node in met if self.config.graph != "multipath" else self._with_ancestors(met):
            node.visits += 1
            node.value += value
        for key in {node.key for node in met}:
            entry = self.entries.setdefault(key, Entry())
            entry.visits += 1
            entry.value += value
        for depth in reversed(range(len(path))):
            node, edge = path[depth]
            edge.value += value
            edge.squares += value * value
            later = {move for player, move in moves[depth:] if player == node.mover}
            for other in node.edges.values():
                if other.move in later:
                    other.amaf_visits += 1
                    other.amaf_value += value
            if isinstance(self.config.selection, BAST):
                self._update_bounds(node, edge, depth)

    def _with_ancestors(self, nodes: list[ShadowNode]) -> list[ShadowNode]:
        """Nodes and all from which they can be reached, each once."""
        found = {id(node): node for node in nodes}
        todo = list(found.values())
        for node in todo:
            for parent in node.parents:
                if id(parent) not in found:
                    found[id(parent)] = parent
                    todo.append(parent)
        return list(found.values())

    def _walk(self, moves: list[tuple[int, int]], graph: GraphView) -> list[tuple[ShadowNode, ShadowEdge]]:
        state, node, actual = self.game.copy(), self.root, graph.root
        path: list[tuple[ShadowNode, ShadowEdge]] = []
        whole = self.config.expansion == "whole-path"
        while len(path) < self.config.max_depth and not state.is_over:
            if node.edges is None:
                if not whole and node.visits < self.config.maturity:
                    break
                self._expand(node, state)
            if self.config.widening is not None:
                self._widen(node, actual)
            player, move = moves[len(path)]
            assert player == node.mover
            self._check_choice(node, move, actual)
            edge = node.edges[move]
            edge.visits += 1
            path.append((node, edge))
            state.play(move)
            is_new = False
            if edge.child is None:
                edge.child, is_new = self._node_of(state)
                edge.child.parents.append(node)
            node, actual = edge.child, graph.child(actual, move)
            if is_new and not whole:
                break
        return path

    def _node_of(self, state: Any) -> tuple[ShadowNode, bool]:
        if self.config.graph in ("tree", "shared-values"):
            return ShadowNode(state.to_play, state.key()), True
        is_new = state.key() not in self.by_key
        return self.by_key.setdefault(state.key(), ShadowNode(state.to_play, state.key())), is_new

    def _expand(self, node: ShadowNode, state: Any) -> None:
        moves = list(state.legal_moves())
        uses_priors = self.config.prior is not None or isinstance(self.config.selection, PUCT)
        priors = state.priors(moves) if uses_priors else [0.0] * len(moves)
        node.edges = {move: ShadowEdge(move, prior) for move, prior in zip(moves, priors, strict=True)}
        if self.config.expansion == "all-children" or self.config.graph == "shared-counts":
            for move, edge in node.edges.items():
                after = state.copy()
                after.play(move)
                edge.child, _ = self._node_of(after)
                edge.child.parents.append(node)

    # Formulas ----

    def _check_choice(self, node: ShadowNode, move: int, actual: NodeView) -> None:
        """The move has the highest score; of several that were never tried and have no score, it stands first."""
        selection = self.config.selection
        if isinstance(selection, EpsilonGreedy) and selection.epsilon > 0:
            return
        open_moves = [e.move for e in actual.edges if self.config.widening is None or node.edges[e.move].unlocked]
        scores = {m: self.score(node, node.edges[m]) for m in open_moves}
        assert move in scores, f"move {move} is not unlocked"
        best = max(scores.values())
        if math.isinf(best):
            assert move == next(m for m in open_moves if math.isinf(scores[m])), scores
        else:
            assert scores[move] >= best - CLOSE, scores
        self.num_choices += len(scores) > 1

    def score(self, node: ShadowNode, edge: ShadowEdge) -> float:
        """What the config's formulas say of an edge."""
        config, selection = self.config, self.config.selection
        num_walks = node.visits if config.graph == "shared-counts" else node.num_walks
        log_walks = math.log(max(1, num_walks))
        n = float(self._visits(edge))
        value = self._mean(node, edge)
        if isinstance(config.prior, VirtualVisits):
            known = value * n if n > 0 else 0.0
            n += config.prior.visits
            value = (known + edge.prior * config.prior.visits) / n
        value = self._with_amaf(node, edge, value, n)
        value = self._with_prior(edge, value, n)
        if isinstance(selection, UCB1):
            return value + (selection.c * math.sqrt(log_walks / n) if n > 0 else 0)
        if isinstance(selection, UCB1Tuned):
            if edge.visits == 0:
                return value
            mean = edge.value / edge.visits
            variance = max(0.0, edge.squares / edge.visits - mean * mean)
            ratio = log_walks / edge.visits
            return value + selection.c * math.sqrt(ratio * min(0.25, variance + math.sqrt(2 * ratio)))
        if isinstance(selection, BAST):
            return edge.upper if edge.visits > 0 else value
        if isinstance(selection, PUCT):
            return value + selection.c * edge.prior * math.sqrt(max(1, num_walks)) / (1 + n)
        assert isinstance(selection, EpsilonGreedy), config
        return value

    def _mean(self, node: ShadowNode, edge: ShadowEdge) -> float:
        if self._visits(edge) > 0:
            source = self._source(edge)
            return node.view(source.value / source.visits)
        if self.config.first_play_urgency is not None:
            return self.config.first_play_urgency
        if isinstance(self.config.selection, PUCT):
            return node.view(node.value / max(1, node.visits))
        return math.inf

    def _visits(self, edge: ShadowEdge) -> int:
        return edge.child.visits if self.config.graph == "shared-counts" and edge.child is not None else edge.visits

    def _source(self, edge: ShadowEdge) -> ShadowEdge | ShadowNode | Entry:
        """Whose mean counts for an edge."""
        if self.config.graph == "tree":
            return edge
        return self.entries[edge.child.key] if self.config.graph == "shared-values" else edge.child

    def _with_amaf(self, node: ShadowNode, edge: ShadowEdge, value: float, n: float) -> float:
        amaf, m = self.config.amaf, edge.amaf_visits
        if amaf is None or m == 0:
            return value
        rave = node.view(edge.amaf_value / m)
        total = sum(other.amaf_visits for other in node.edges.values())
        rave += amaf.c * math.sqrt(math.log(max(1, total)) / m)
        if n == 0:
            return rave
        beta = math.sqrt(amaf.k / (3 * n + amaf.k)) if isinstance(amaf, RAVE) else m / (m + n + m * n * amaf.bias)
        return beta * rave + (1 - beta) * value

    def _with_prior(self, edge: ShadowEdge, value: float, n: float) -> float:
        prior = self.config.prior
        if isinstance(prior, ProgressiveBias):
            return value + prior.weight * edge.prior / (n + 1 if prior.fades else 1)
        if isinstance(prior, HorizonPrior):
            a = max(0.0, (prior.horizon - n) / prior.horizon)
            return edge.prior if math.isinf(value) else a * edge.prior + (1 - a) * value
        return value

    def num_open(self, num_walks: int) -> int:
        """``k(N)``."""
        widening = self.config.widening
        assert widening is not None
        grown = widening.scale * math.log(widening.rate * max(1, num_walks))
        return math.floor(max(widening.minimum, grown + widening.minimum))

    def _widen(self, node: ShadowNode, actual: NodeView) -> None:
        """Unlock the best of the locked edges until k(N) are open."""
        num_walks = node.visits if self.config.graph == "shared-counts" else node.num_walks
        allowed = min(len(node.edges), self.num_open(num_walks))
        while sum(edge.unlocked for edge in node.edges.values()) < allowed:
            locked = [node.edges[e.move] for e in actual.edges if not node.edges[e.move].unlocked]
            max(locked, key=lambda edge: self._order(node, edge)).unlocked = True

    def _order(self, node: ShadowNode, edge: ShadowEdge) -> float:
        """The prior, and AMAF with the weight m / (m + 10)."""
        m = edge.amaf_visits if self.config.amaf is not None else 0
        return edge.prior + (node.view(edge.amaf_value / m) * m / (m + 10) if m else 0.0)

    def _update_bounds(self, node: ShadowNode, edge: ShadowEdge, depth: int) -> None:
        """``B = min(mean + delta_d + c_n, best bound below)``, for both sides."""
        bast = self.config.selection
        assert isinstance(bast, BAST)
        n = edge.visits
        mean = node.view(edge.value / n)
        width = bast.smoothness / 2**depth + bast.c * math.sqrt((2 * math.log(n) + 1) / n)
        edge.upper, edge.lower = mean + width, mean - width
        child = edge.child
        if child is None or child.edges is None or any(e.visits == 0 for e in child.edges.values()):
            return
        upper = max(e.upper for e in child.edges.values())
        lower = max(e.lower for e in child.edges.values())
        if child.mover != node.mover:
            upper, lower = 1 - lower, 1 - upper
        edge.upper, edge.lower = min(edge.upper, upper), max(edge.lower, lower)

    # Comparison ----

    def compare(self, graph: GraphView) -> None:
        """Every node, every edge, every number."""
        pairs, seen = [(self.root, graph.root)], set()
        for node, actual in pairs:
            if id(node) in seen:
                continue
            seen.add(id(node))
            assert (actual.mover, actual.visits) == (node.mover, node.visits)
            assert actual.value == pytest.approx(node.value, abs=1e-6 * (1 + node.visits))
            assert len(actual.edges) == len(node.edges or {})
            for edge in actual.edges:
                twin = node.edges[edge.move]
                assert edge.visits == twin.visits
                assert edge.value == pytest.approx(twin.value, abs=1e-6 * (1 + twin.visits))
                assert edge.prior == pytest.approx(twin.prior, abs=1e-6)
                if self.config.amaf is not None:
                    assert edge.amaf_visits == twin.amaf_visits
                    # AMAF results are kept in steps of 1/256.
                    assert edge.amaf_value == pytest.approx(twin.amaf_value, abs=1e-6 + twin.amaf_visits / 256)
                # A tree knows what it has walked; a graph that shares nodes has them when they are made.
                is_tree = self.config.graph in ("tree", "shared-values")
                assert (edge.child >= 0) == (twin.visits > 0 if is_tree else twin.child is not None)
                if edge.child >= 0:
                    pairs.append((twin.child, graph.nodes[edge.child]))
        assert len(seen) == len(graph.nodes)
