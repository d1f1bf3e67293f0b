"""The search told a second time, in plain Python: what every simulation must have done, from the formulas alone.

A `Shadow` is shown the graph after each simulation, and where playouts ended. It says whether the walk followed the
config's formulas, counts all in its own words, and compares its graph with the search's. Sources: the issue's formulas,
``docs/algorithms`` and the docstrings of `SearchConfig`. Left out: walks at the same moment, memory limits.
"""

from __future__ import annotations

import math
from typing import Any

import pytest

from search.graph_view import EdgeView, GraphView, NodeView
from search.shadow_game import Judge, Scale, ShadowState
from search.shadow_graph import DRAWN, LOST, OPEN, WON, Entry, ShadowEdge, ShadowNode, Walk
from tesuji.search import (
    BAST,
    PUCT,
    RAVE,
    UCB1,
    EpsilonGreedy,
    Grouping,
    HorizonPrior,
    ProgressiveBias,
    SearchConfig,
    SearchResult,
    UCB1Tuned,
    VirtualVisits,
)

__all__ = ["Shadow"]

# The core computes in 32-bit floats and with a table of logarithms.
CLOSE = 2e-5
SHARES_NODES = ("dag", "shared-counts", "multipath")
Ends = list[tuple[list[tuple[int, int]], float]]
"""Where playouts ended: all moves since the beginning of the game with who made them, and the value."""


class Shadow:
    """A second book-keeping of one search; call `follow` after every single simulation."""

    def __init__(
        self,
        game: Any,
        config: SearchConfig,
        *,
        grouping: Grouping | None = None,
        judge: Judge | None = None,
        scale: Scale | None = None,
        worker: int = 0,
    ) -> None:
        self.config, self.grouping, self.judge, self.worker = config, grouping, judge, worker
        self.state = ShadowState(game, grouping)
        self.scale = scale or Scale(game.goal) if hasattr(game, "goal") else None
        self.is_solved = config.one_player.revisit == "close" if self.scale else config.solver
        self.by_key: dict[Any, ShadowNode] = {}
        self.entries: dict[Any, Entry] = {}
        self.root = self._node_of(self.state)[0]
        self.num_choices = 0  # how many choices were checked that had an alternative
        self.best: float | None = None
        self._growing: list[tuple[ShadowNode, ShadowState]] = []
        self._begun = False

    # One simulation ----

    def follow(self, graph: GraphView, ends: Ends) -> None:
        """Repeat a simulation: the graph after it, and where its playouts ended."""
        ends = list(ends)
        if not self._begun:
            self._begin(graph, ends)
        walk = self._walk(graph)
        value, visits, later = self._judged(walk, ends)
        assert not ends, "more was played out than this simulation"
        self._back_up(walk, value, visits, later)
        if self.judge is not None and self.judge.priors is not None and self._wants_edges(walk):
            self._expand(walk.end, walk.state, graph.child(graph.root, *(edge.move for _, edge in walk.path)))
        for node, state in self._growing:
            self._grow(node, state)
        self._growing.clear()

    def _begin(self, graph: GraphView, ends: Ends) -> None:
        """The root has all its edges, and one player sixteen playouts that show what numbers to expect."""
        self._begun = True
        judges_alone = self.judge is not None and self.judge.options.weight == 1
        if self.scale is not None and not self.scale.seen and not judges_alone:
            for _, number in ends[:16]:
                self._note_solution(number, is_sampled=True)
            del ends[:16]
        self._expand(self.root, self.state, graph.root, is_root=True)

    def _judged(self, walk: Walk, ends: Ends) -> tuple[float, int, list[tuple[int, int]]]:
        """What a walk came to: its value, the visits that it counts, and all moves of the simulation."""
        node, moves = walk.end, walk.moves
        if node.proof != OPEN:
            if self.scale is None:
                return (node.proof - 1) / 2, 1, moves
            source = node if self.config.graph in SHARES_NODES else walk.path[-1][1]
            return source.value / source.visits if source.visits else 0.0, 1, moves
        if walk.state.is_over:
            played, value = ends.pop(0)
            assert played == moves
            return self._exact(node, value), 1, moves
        is_young = self.judge is None or node.visits < self.judge.options.after
        if is_young or self.judge.plays_out:
            played, value = ends.pop(0)
            assert played[: len(moves)] == moves, "the playout does not go on from the walk"
            moves = played
            result = self._note_solution(value) if self.scale is not None else value
        if is_young:
            return result, 1, moves
        judge = self.judge
        if judge.value is not None:
            judged = judge.value(walk.state.game)
            value = judge.options.weight * judged + (1 - judge.options.weight) * value if judge.plays_out else judged
        if self.scale is not None:
            self.scale.note(value, is_sampled=self.worker == 0)
            value = self.scale.merit(value)
        return value, judge.options.visits, moves

    def _note_solution(self, number: float, *, is_sampled: bool = False) -> float:
        """One player's number: what it counts as."""
        assert self.scale is not None
        self.scale.note(number, is_sampled=is_sampled or self.worker == 0)
        if self.best is None or self.scale.sign * number > self.scale.sign * self.best:
            self.best = number
        return self.scale.merit(number)

    def _exact(self, node: ShadowNode, value: float) -> float:
        """The end of the game."""
        if self.scale is not None:
            node.proof = DRAWN if self.is_solved else OPEN
            merit = self._note_solution(value)
            one = self.config.one_player
            return self.scale.penalised(merit, one.penalty) if one.revisit == "penalty" else merit
        if self.is_solved and value in (0, 0.5, 1):
            node.proof = round(1 + 2 * value)
        return value

    def _back_up(self, walk: Walk, value: float, visits: int, moves: list[tuple[int, int]]) -> None:
        met = [self.root, *(edge.child for _, edge in walk.path)]
        for node in met if self.config.graph != "multipath" else self._with_ancestors(met):
            node.visits += visits
            node.value += visits * value
        for key in {node.key for node in met}:
            entry = self.entries.setdefault(key, Entry())
            entry.visits += visits
            entry.value += visits * value
        for _, edge in walk.path:
            edge.visits += visits
            edge.value += visits * value
            edge.squares += visits * value * value
        if self.config.amaf is not None:
            self._back_up_amaf(walk, value, visits, moves)
        for depth in reversed(range(len(walk.path))):
            if isinstance(self.config.selection, BAST):
                self._update_bounds(*walk.path[depth], depth)
        if self.is_solved:
            self._propagate_proof(walk)

    def _back_up_amaf(self, walk: Walk, value: float, visits: int, moves: list[tuple[int, int]]) -> None:
        """Every move that a node's mover made there or later counts, the first time that it was made."""
        at = len(walk.moves)
        for node, edge in reversed(walk.path):
            if edge.move < 0:
                continue
            at -= 1
            left = moves[at:]
            for other in node.edges.values():
                if (node.mover, other.move) in left:
                    weight = visits * self._amaf_weight(left.index((node.mover, other.move)), len(left))
                    other.amaf_visits += weight
                    other.amaf_value += weight * value

    def _amaf_weight(self, distance: int, left: int) -> float:
        amaf = self.config.amaf
        if amaf.horizon is not None and distance >= amaf.horizon:
            return 0
        return (32 - math.floor(32 * distance / left)) / 16 if amaf.fades else 1  # 2 (1 - d / L), in sixteenths

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

    def _propagate_proof(self, walk: Walk) -> None:
        """A proof goes up the walk as long as it settles the node above."""
        proof = walk.end.proof
        for node, edge in reversed(walk.path):
            if proof == OPEN:
                return
            edge.proof = proof
            proofs = {other.proof for other in node.edges.values()}
            won, lost = (WON, LOST) if node.mover == 0 else (LOST, WON)
            if won in proofs:
                proof = won
            elif OPEN in proofs or node.is_narrow:
                return
            else:
                proof = DRAWN if DRAWN in proofs else lost
            node.proof = proof

    # The way down ----

    def _walk(self, graph: GraphView) -> Walk:
        """Where the simulation went is where visits have grown; whether it had to is checked at every step."""
        walk, actual = Walk([], self.state.copy(), self.root), graph.root
        whole = self.config.expansion == "whole-path"
        while not self._is_at_end(walk):
            node = walk.end
            if node.edges is None:
                may = whole or node.visits >= self.config.maturity
                waits = self.judge is not None and self.judge.priors is not None
                if not walk.state.is_passage and (not may or waits):
                    break
                self._expand(node, walk.state, actual)
            if node.is_narrow and node.num_walks >= self.config.width_walks:
                self._growing.append((node, walk.state.copy()))
            self._make_children(node, walk.state)
            if self.config.widening is not None:
                self._widen(node, actual)
            edge = self._walked(node, actual)
            self._check_choice(node, edge.move, actual)
            walk.path.append((node, edge))
            walk.state.play(edge.move)
            is_new = self._enter(node, edge, walk.state)
            walk.end, actual = edge.child, graph.child(actual, edge.move)
            if is_new and not whole and self.config.expansion == "one-child" and not walk.state.is_passage:
                break
        assert walk.end.edges is None or self._is_at_end(walk) or not self._moved(walk.end, actual)
        return walk

    def _is_at_end(self, walk: Walk) -> bool:
        return len(walk.path) >= self.config.max_depth or walk.end.proof != OPEN or walk.state.is_over

    def _moved(self, node: ShadowNode, actual: NodeView) -> list[ShadowEdge]:
        return [
            node.edges[e.move] for e in actual.edges if e.move in node.edges and e.visits > node.edges[e.move].visits
        ]

    def _walked(self, node: ShadowNode, actual: NodeView) -> ShadowEdge:
        moved = self._moved(node, actual)
        assert len(moved) == 1, f"the walk should go on here, and {len(moved)} edges have more visits"
        return moved[0]

    def _enter(self, node: ShadowNode, edge: ShadowEdge, state: ShadowState) -> bool:
        """Make the node behind an edge, and say whether it is new."""
        if edge.child is not None:
            return False
        edge.child, is_new = self._node_of(state)
        edge.child.parents.append(node)
        return is_new

    def _node_of(self, state: ShadowState) -> tuple[ShadowNode, bool]:
        if self.config.graph not in SHARES_NODES:
            return ShadowNode(state.to_play, state.key()), True
        is_new = state.key() not in self.by_key
        return self.by_key.setdefault(state.key(), ShadowNode(state.to_play, state.key())), is_new

    def _wants_edges(self, walk: Walk) -> bool:
        """Say whether a leaf that was judged gets the judge's priors now."""
        node, judge = walk.end, self.judge
        was_judged = node.visits - judge.options.visits >= judge.options.after
        is_leaf = node.edges is None and node.proof == OPEN and not walk.state.is_over
        return is_leaf and was_judged and node.visits >= self.config.maturity

    def _expand(self, node: ShadowNode, state: ShadowState, actual: NodeView, *, is_root: bool = False) -> None:
        """Gives a node its edges: all, or the best ones by prior."""
        priors = self._priors_of(state)
        kept = set(priors)
        if self.config.width is not None and not is_root and len(priors) > self.config.width:
            node.is_narrow = True
            kept = {edge.move for edge in actual.edges} & set(priors)
            if len(kept) > self.config.width:  # it has grown since
                kept = {edge.move for edge in actual.edges[: self.config.width]}
            assert len(kept) == self.config.width
            assert min(priors[m] for m in kept) >= max(p for m, p in priors.items() if m not in kept) - 1e-6
        node.edges = {move: ShadowEdge(move, prior) for move, prior in priors.items() if move in kept}
        if is_root and node.has_groups:
            for move, edge in node.edges.items():
                after = state.copy()
                after.play(move)
                self._enter(node, edge, after)
                place = next((e.child for e in actual.edges if e.move == move), -1)
                if edge.child.edges is None and place >= 0:
                    self._expand(edge.child, after, actual.graph.nodes[place])

    def _make_children(self, node: ShadowNode, state: ShadowState) -> None:
        """Where counts are shared an edge must know its state before it is walked."""
        makes_all = self.config.expansion == "all-children" and self.config.graph in SHARES_NODES
        if not makes_all and self.config.graph != "shared-counts":
            return
        for move, edge in node.edges.items():
            if edge.child is None:
                after = state.copy()
                after.play(move)
                self._enter(node, edge, after)

    def _grow(self, node: ShadowNode, state: ShadowState) -> None:
        """A narrow node gets the rest of its edges."""
        for move, prior in self._priors_of(state).items():
            node.edges.setdefault(move, ShadowEdge(move, prior))
        node.is_narrow = False

    def _priors_of(self, state: ShadowState) -> dict[int, float]:
        moves = state.moves()
        if self.config.prior is None and not isinstance(self.config.selection, PUCT):
            return dict.fromkeys(moves, 0.0)
        if self.judge is None or self.judge.priors is None:
            return dict(zip(moves, state.priors(moves, state.game.priors), strict=True))
        all_priors = self.judge.priors(state.game)
        priors = state.priors(moves, lambda some: [all_priors[move] for move in some])
        if isinstance(self.config.selection, PUCT):
            priors = [prior / sum(priors) for prior in priors]
        return dict(zip(moves, priors, strict=True))

    # Formulas ----

    def _check_choice(self, node: ShadowNode, move: int, actual: NodeView) -> None:
        """The move has the highest score; of several that were never tried and have no score, it stands first."""
        selection = self.config.selection
        known = [e.move for e in actual.edges if e.move in node.edges]
        is_open = {m: self.config.widening is None or node.edges[m].unlocked for m in known}
        open_moves = [m for m in known if is_open[m] and node.edges[m].proof == OPEN]
        if not open_moves:  # all are decided, and the node is not: any will do
            return
        scores = {m: self.score(node, node.edges[m]) for m in open_moves}
        assert move in scores, f"move {move} is not open"
        if isinstance(selection, EpsilonGreedy) and selection.epsilon > 0:
            return
        best = max(scores.values())
        if math.isinf(best):
            assert move == next(m for m in open_moves if math.isinf(scores[m])), scores
        else:
            # One player's AMAF is read in steps of 1/256 of a result.
            is_coarse = self.scale is not None and self.config.amaf is not None
            assert scores[move] >= best - (1 / 256 if is_coarse else CLOSE), (move, scores)
        self.num_choices += len(scores) > 1

    def score(self, node: ShadowNode, edge: ShadowEdge) -> float:
        """What the config's formulas say of an edge."""
        config, selection = self.config, self.config.selection
        num_walks = max(1, self._walks_at(node))
        log_walks = math.log(num_walks)
        n = float(self._visits(edge))
        value = self._mean(node, edge)
        if isinstance(config.prior, VirtualVisits):
            known = value * n if n > 0 else 0.0
            n += config.prior.visits
            value = (known + edge.prior * config.prior.visits) / n
        value = self._with_amaf(node, edge, value, n)
        value = self._with_prior(edge, value, n)
        if isinstance(selection, UCB1):
            return value + (selection.c * math.sqrt(self._weight(node, edge) * log_walks / n) if n > 0 else 0)
        if isinstance(selection, UCB1Tuned):
            return value + self._tuned_bonus(edge, log_walks)
        if isinstance(selection, BAST):
            return edge.upper if self._visits(edge) > 0 else value
        if isinstance(selection, PUCT):
            return value + selection.c * edge.prior * math.sqrt(num_walks) / (1 + n)
        assert isinstance(selection, EpsilonGreedy), config
        return value

    def _tuned_bonus(self, edge: ShadowEdge, log_walks: float) -> float:
        n = self._visits(edge)
        if n == 0:
            return 0
        mean = edge.value / max(1, edge.visits)
        variance = max(0.0, edge.squares / max(1, edge.visits) - mean * mean)
        if self.scale is not None:
            width = self.scale.high - self.scale.low
            variance = variance / width**2 if width > 0 else 0.0
        ratio = log_walks / n
        return self.config.selection.c * math.sqrt(ratio * min(0.25, variance + math.sqrt(2 * ratio)))

    def _weight(self, node: ShadowNode, edge: ShadowEdge) -> float:
        """Of a group: its bias by the mean of the node's."""
        if edge.move >= 0 or self.grouping is None or self.grouping.biases is None:
            return 1
        biases = list(self.grouping.first_biases.values())
        mean = sum(biases[-1 - move] for move in node.edges) / len(node.edges)
        return biases[-1 - edge.move] / mean if mean > 0 else 1

    def _walks_at(self, node: ShadowNode) -> int:
        return node.visits if self.config.graph == "shared-counts" else node.num_walks

    def _normal(self, mean: float) -> float:
        return mean if self.scale is None else self.scale.normal(mean)

    def _mean(self, node: ShadowNode, edge: ShadowEdge) -> float:
        if self._visits(edge) > 0:
            return node.view(self._normal(self._own_mean(edge)))
        if self.config.first_play_urgency is not None:
            return self.config.first_play_urgency
        if isinstance(self.config.selection, PUCT):
            return node.view(self._normal(node.value / node.visits) if node.visits else 0.5)
        return math.inf

    def _own_mean(self, edge: ShadowEdge) -> float:
        source = self._source(edge)
        return source.value / source.visits

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
        rave = node.view(self._normal(edge.amaf_value / m))
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
        """Unlock the best of the locked edges until k(N) are open; a decided move makes room for another."""
        edges = node.edges.values()
        allowed = min(len(edges), self.num_open(self._walks_at(node)))
        while sum(edge.unlocked and edge.proof == OPEN for edge in edges) < allowed:
            locked = [node.edges[e.move] for e in actual.edges if e.move in node.edges]
            locked = [edge for edge in locked if not edge.unlocked]
            if not locked:
                return
            max(locked, key=lambda edge: self._order(node, edge)).unlocked = True

    def _order(self, node: ShadowNode, edge: ShadowEdge) -> float:
        """The prior, and AMAF with the weight m / (m + 10)."""
        m = edge.amaf_visits if self.config.amaf is not None else 0
        return edge.prior + (node.view(self._normal(edge.amaf_value / m)) * m / (m + 10) if m else 0.0)

    def _update_bounds(self, node: ShadowNode, edge: ShadowEdge, depth: int) -> None:
        """``B = min(mean + delta_d + c_n, best bound below)``, for both sides."""
        bast = self.config.selection
        assert isinstance(bast, BAST)
        n = self._visits(edge)
        mean = node.view(self._own_mean(edge))
        width = bast.smoothness / 2**depth + bast.c * math.sqrt((2 * math.log(n) + 1) / n)
        edge.upper, edge.lower = mean + width, mean - width
        child = edge.child
        if child is None or child.edges is None or any(self._visits(e) == 0 for e in child.edges.values()):
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
            assert (actual.mover, actual.visits, actual.proof) == (node.mover, node.visits, node.proof)
            assert actual.value == self._about(node.value, node.visits)
            assert len(actual.edges) == len(node.edges or {})
            for edge in actual.edges:
                twin = node.edges[edge.move]
                self._compare_edge(edge, twin)
                if edge.child >= 0:
                    pairs.append((twin.child, graph.nodes[edge.child]))
        assert len(seen) == len(graph.nodes)

    def _about(self, total: float, visits: float, step: float = 1e-6) -> Any:
        size = 1.0 if self.scale is None else max(1.0, abs(self.scale.low), abs(self.scale.high))
        return pytest.approx(total, abs=step * size * (1 + visits))

    def _compare_edge(self, edge: EdgeView, twin: ShadowEdge) -> None:
        assert (edge.visits, edge.proof) == (twin.visits, twin.proof)
        assert edge.value == self._about(twin.value, twin.visits)
        assert edge.prior == pytest.approx(twin.prior, abs=1e-6)
        if self.config.amaf is not None:
            assert edge.amaf_visits == twin.amaf_visits
            # AMAF results are kept in steps of 1/256.
            assert edge.amaf_value == self._about(twin.amaf_value, twin.amaf_visits, 1 / 128)
        # A tree knows what it has walked; a graph that shares nodes has them when they are made.
        has_node = twin.visits > 0 or (twin.child is not None and twin.child.edges is not None)
        assert (edge.child >= 0) == (twin.child is not None if self.config.graph in SHARES_NODES else has_node)

    def compare_result(self, result: SearchResult) -> None:
        """What the answer says of the root and its moves."""
        edges: dict[int, list[ShadowEdge]] = {}
        for edge in self.root.edges.values():
            for one in [edge] if edge.move >= 0 else list((edge.child.edges or {}).values()):
                edges.setdefault(one.move, []).append(one)
        assert sorted(edges) == result.moves.tolist()
        for i, move in enumerate(sorted(edges)):
            visits = sum(edge.visits for edge in edges[move])
            assert result.visits[i] == visits
            tried = [edge for edge in edges[move] if edge.visits]
            if tried:
                mean = sum(self._answered_mean(edge) * edge.visits for edge in tried) / visits
                assert result.values[i] == self._about(self._read(mean), 1, 1e-5)
            amaf_visits = sum(edge.amaf_visits for edge in edges[move])
            if self.config.amaf is not None and amaf_visits:
                assert result.amaf_visits[i] == pytest.approx(amaf_visits, abs=0.5)
                mean = sum(edge.amaf_value for edge in edges[move]) / amaf_visits
                assert result.amaf_values[i] == self._about(self._read(mean), 1, 1 / 128)
        if self.root.visits and not self.root.proof:
            assert result.value == self._about(self._read(self._answered_root()), 1, 1e-5)
        if self.best is not None:
            assert result.best_solution.value == self.best

    def _answered_mean(self, edge: ShadowEdge) -> float:
        """An edge's mean in the answer: of its results, or as the UCT-DAG report has it, of the edges behind it."""
        below = self._mean_of_edges(edge.child) if self.config.value_from == "edges" else None
        return self._own_mean(edge) if below is None else below

    def _answered_root(self) -> float:
        mean = self._mean_of_edges(self.root) if self.config.value_from == "edges" else None
        return self.root.value / self.root.visits if mean is None else mean

    def _mean_of_edges(self, node: ShadowNode) -> float | None:
        """``sum(n_i * value_i) / sum(n_i)``; None where no edge was tried."""
        tried = [edge for edge in (node.edges or {}).values() if self._visits(edge) > 0]
        visits = sum(self._visits(edge) for edge in tried)
        return sum(self._visits(edge) * self._own_mean(edge) for edge in tried) / visits if visits else None

    def _read(self, mean: float) -> float:
        return self.root.view(mean) if self.scale is None else self.scale.sign * mean
