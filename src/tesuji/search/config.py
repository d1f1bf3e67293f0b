"""Everything that varies in a search, as one frozen value.

>>> config = SearchConfig(selection=UCB1(c=0.7), amaf=RAVE(k=1000))
>>> config.replace(threads=2).threads
2

Formulas and sources are in ``docs/algorithms``. Vary a config with its `replace`.
"""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

from tesuji._core import search as _native
from tesuji.search.frozen import Frozen
from tesuji.search.requirements import Situation, check

__all__ = [
    "BAST",
    "PUCT",
    "RAVE",
    "UCB1",
    "EpsilonGreedy",
    "Evaluation",
    "HorizonPrior",
    "MinimumMSE",
    "OnePlayer",
    "ProgressiveBias",
    "SearchConfig",
    "UCB1Tuned",
    "VirtualVisits",
    "Widening",
]


def _check(holds: bool, name: str, value: object, rule: str) -> None:
    if not holds:
        raise ValueError(f"{name} is {value!r}; it must be {rule}")


def _is_amount(value: float) -> bool:
    return math.isfinite(value) and value >= 0


class UCB1(Frozen, frozen=True, kw_only=True):
    """``Q + c * sqrt(ln N / n)`` (Auer, Cesa-Bianchi and Fischer 2002; Kocsis and Szepesvari 2006).

    Attributes
    ----------
    c : float
        Exploration; 0 is best with RAVE in Pividori 2015.
    """

    c: float = 0.7

    def _check(self) -> None:
        _check(_is_amount(self.c), "c", self.c, "0 or a positive number")


class UCB1Tuned(Frozen, frozen=True, kw_only=True):
    """UCB1 with each move's variance in its bound: ``c * sqrt(ln N / n * min(1/4, s^2 + sqrt(2 ln N / n)))``."""

    c: float = 1.0

    def _check(self) -> None:
        _check(_is_amount(self.c), "c", self.c, "0 or a positive number")


class EpsilonGreedy(Frozen, frozen=True, kw_only=True):
    """A random move with probability epsilon, else the best mean."""

    epsilon: float = 0.1

    def _check(self) -> None:
        _check(0 <= self.epsilon <= 1, "epsilon", self.epsilon, "a probability, 0..1")


class BAST(Frozen, frozen=True, kw_only=True):
    """Bounds that take the best bound below into account (Coquelin and Munos 2007).

    Attributes
    ----------
    c : float
        Width of the confidence interval.
    smoothness : float
        How much a child's value may differ from its parent's at the root; halves with each level.
    """

    c: float = 0.5
    smoothness: float = 0.1

    def _check(self) -> None:
        _check(_is_amount(self.c), "c", self.c, "0 or a positive number")
        _check(_is_amount(self.smoothness), "smoothness", self.smoothness, "0 or a positive number")


class PUCT(Frozen, frozen=True, kw_only=True):
    """``Q + c * P * sqrt(N) / (1 + n)`` for priors P that are probabilities (Rosin 2011)."""

    c: float = 1.5

    def _check(self) -> None:
        _check(_is_amount(self.c), "c", self.c, "0 or a positive number")


class RAVE(Frozen, frozen=True, kw_only=True):
    """AMAF by the hand-selected schedule, ``beta = sqrt(k / (3n + k))`` (Gelly and Silver 2011).

    Attributes
    ----------
    k : float
        Visits at which AMAF and the mean weigh the same; 100 in Aya, around 1,000 elsewhere.
    c : float
        Exploration of the RAVE term itself (0.31 in Aya); 0: none.
    fades : bool
        Whether a move counts the less the later it was made: one made d moves later counts ``2 (1 - d / L)`` visits, L
        being the moves that were left (as in Fuego).
    horizon : int or None
        Only moves made fewer moves later count; None: all.
    """

    k: float = 1000.0
    c: float = 0.0
    fades: bool = False
    horizon: int | None = None

    def _check(self) -> None:
        _check(math.isfinite(self.k) and self.k > 0, "k", self.k, "a positive number")
        _check(_is_amount(self.c), "c", self.c, "0 or a positive number")
        _check(self.horizon is None or 1 <= self.horizon < 2**31, "horizon", self.horizon, "at least 1, or None")


class MinimumMSE(Frozen, frozen=True, kw_only=True):
    """AMAF by the schedule of least squared error, ``beta = m / (m + n + m n b)``.

    Attributes
    ----------
    bias : float
        ``b = bias^2 / (q (1 - q))``; 1/3000 in Pachi, 1/400 in Zen.
    c : float
        Exploration of the RAVE term itself; 0: none.
    fades, horizon
        As in `RAVE`.
    """

    bias: float = 1 / 3000
    c: float = 0.0
    fades: bool = False
    horizon: int | None = None

    def _check(self) -> None:
        _check(_is_amount(self.bias), "bias", self.bias, "0 or a positive number")
        _check(_is_amount(self.c), "c", self.c, "0 or a positive number")
        _check(self.horizon is None or 1 <= self.horizon < 2**31, "horizon", self.horizon, "at least 1, or None")


class VirtualVisits(Frozen, frozen=True, kw_only=True):
    """A prior counts as so many visits with that mean; it is kept apart from what was searched."""

    visits: float = 10.0

    def _check(self) -> None:
        _check(math.isfinite(self.visits) and self.visits > 0, "visits", self.visits, "a positive number")


class ProgressiveBias(Frozen, frozen=True, kw_only=True):
    """``weight * prior / (n + 1)`` is added to the value, or ``weight * prior`` for good if it does not fade."""

    weight: float = 1.0
    fades: bool = True

    def _check(self) -> None:
        _check(_is_amount(self.weight), "weight", self.weight, "0 or a positive number")


class HorizonPrior(Frozen, frozen=True, kw_only=True):
    """Basaldúa's model: ``a V_prior + (1 - a) (b V_rave + (1 - b) V_uct)``, ``a = max(0, (h - n) / h)``.

    As printed (3.15) the weights of prior and RAVE are both 1 at n = 0; here RAVE's acts within what the prior leaves.
    """

    horizon: float = 100.0

    def _check(self) -> None:
        _check(math.isfinite(self.horizon) and self.horizon > 0, "horizon", self.horizon, "a positive number")


class Widening(Frozen, frozen=True, kw_only=True):
    """Progressive widening: ``k(N) = max(minimum, scale * ln(rate * N) + minimum)`` moves (Basaldúa, 3.4).

    Attributes
    ----------
    scale : float
        Ks; 1 / ln 1.4 in Aya.
    rate : float
        Kf, at most 1; 1/40 in Aya.
    minimum : int
        Nmin; 2 in Aya, 4 in GoKnot.
    """

    scale: float = 1 / math.log(1.4)
    rate: float = 1 / 40
    minimum: int = 2

    def _check(self) -> None:
        _check(_is_amount(self.scale), "scale", self.scale, "0 or a positive number")
        _check(0 < self.rate <= 1, "rate", self.rate, "above 0 and at most 1")
        _check(self.minimum >= 1, "minimum", self.minimum, "at least 1")


class OnePlayer(Frozen, frozen=True, kw_only=True):
    """What a search for one player does about solutions that the graph alone made: seen again, they show nothing new.

    Attributes
    ----------
    revisit : {"close", "penalty", "allow"}
        Close what is finished, so that a problem that is explored completely ends the search with its optimum proved;
        or take `penalty` off the value (Basaldúa, 5.6); or let it be.
    penalty : float
        Share of the value, 0..1, counted from the worst value seen; 0.02 in Basaldúa.
    """

    revisit: Literal["close", "penalty", "allow"] = "close"
    penalty: float = 0.02

    def _check(self) -> None:
        _check(self.revisit in _REVISITS, "revisit", self.revisit, f"one of {', '.join(_REVISITS)}")
        _check(0 < self.penalty <= 1, "penalty", self.penalty, "a share above 0 and at most 1")


_REVISITS = ("close", "penalty", "allow")


class Evaluation(Frozen, frozen=True, kw_only=True):
    """How leaves go to an evaluator; without one it means nothing.

    Attributes
    ----------
    weight : float
        Of the evaluator's value, 0..1; the rest is a playout's. At 1 there are no playouts.
    after : int
        A leaf with fewer visits is played out and not asked about; 0: every leaf is asked about. Where the evaluator
        gives priors, a node gets its edges with its answer, so this is also the least ``maturity``.
    visits : int
        How many visits a simulation counts whose leaf was evaluated: a network's judgement may be worth several
        playouts.
    batch_size : int
        Leaves in a full batch, of all threads together. A walk that goes on while others wait cannot know their
        results, so a larger batch costs a little strength per simulation.
    timeout_s : float
        Seconds that a leaf waits for other threads to fill its batch.
    batches_in_flight : int
        How many batches may be evaluated at the same time, each on a thread of the search: the evaluator is then called
        by several threads at once. It takes threads to have more than one.
    cache_bytes : int
        Memory for answers that are kept and given again for the same states, on other paths and after moves too; 0
        keeps none, which an evaluator needs that answers at random.
    """

    weight: float = 1.0
    after: int = 0
    visits: int = 1
    batch_size: int = 32
    timeout_s: float = 0.005
    batches_in_flight: int = 1
    cache_bytes: int = 64 << 20

    def _check(self) -> None:
        _check(0 <= self.weight <= 1, "weight", self.weight, "a share, 0..1")
        _check(0 <= self.after < 2**31, "after", self.after, "0 or a positive number of visits")
        _check(1 <= self.visits <= 1000, "visits", self.visits, "1 to 1000")
        _check(1 <= self.batch_size <= 65536, "batch_size", self.batch_size, "1 to 65536")
        _check(0 <= self.timeout_s <= 60, "timeout_s", self.timeout_s, "0 to 60 seconds")
        _check(1 <= self.batches_in_flight <= 256, "batches_in_flight", self.batches_in_flight, "1 to 256")
        _check(0 <= self.cache_bytes < 2**48, "cache_bytes", self.cache_bytes, "0 (none) or more bytes")


Selection: TypeAlias = UCB1 | UCB1Tuned | EpsilonGreedy | BAST | PUCT
Amaf: TypeAlias = RAVE | MinimumMSE
Prior: TypeAlias = VirtualVisits | ProgressiveBias | HorizonPrior
GraphMode: TypeAlias = Literal["tree", "dag", "shared-values", "shared-counts", "multipath"]
FinalMove: TypeAlias = Literal["most-visits", "best-value", "most-visits-above-limit", "lower-bound"]

_SELECTIONS = {
    UCB1: _native.Selection.UCB1,
    UCB1Tuned: _native.Selection.UCB1_TUNED,
    EpsilonGreedy: _native.Selection.EPSILON_GREEDY,
    BAST: _native.Selection.BAST,
    PUCT: _native.Selection.PUCT,
}
_EXPANSIONS = {
    "one-child": _native.Expansion.ONE_CHILD,
    "all-children": _native.Expansion.ALL_CHILDREN,
    "whole-path": _native.Expansion.WHOLE_PATH,
}
_GRAPHS = {
    "tree": _native.GraphMode.TREE,
    "dag": _native.GraphMode.DAG,
    "shared-values": _native.GraphMode.SHARED_VALUES,
    "shared-counts": _native.GraphMode.SHARED_COUNTS,
    "multipath": _native.GraphMode.MULTIPATH,
}
_PARALLEL = {
    "lock-free": _native.Parallel.LOCK_FREE,
    "global-lock": _native.Parallel.GLOBAL_LOCK,
    "roots": _native.Parallel.ROOTS,
}
_FINAL_MOVES = ("most-visits", "best-value", "most-visits-above-limit", "lower-bound")


class SearchConfig(Frozen, frozen=True, kw_only=True):
    """How a search works.

    Attributes
    ----------
    selection : UCB1, UCB1Tuned, EpsilonGreedy, BAST or PUCT
        Which edge a walk takes.
    first_play_urgency : float or None
        Value of a move never tried, where nothing else is known; None: tried before all others (PUCT: its node's mean).
    amaf : RAVE, MinimumMSE or None
        Learning from all later moves of the same player.
    prior : VirtualVisits, ProgressiveBias, HorizonPrior or None
        How the game's ``priors`` are used; PUCT needs none of these.
    widening : Widening or None
        How many moves of a node are open.
    width : int or None
        Edges that a node gets at first, its best by prior; None: all. Saves memory and time where priors are good.
    width_walks : int
        Walks through a node after which it gets the others.
    expansion : {"one-child", "all-children", "whole-path"}
        What a simulation adds to the graph.
    maturity : int
        Visits of a node before it gets edges.
    graph : {"tree", "dag", "shared-values", "shared-counts", "multipath"}
        What equal states share: nothing; a node (visits stay with the edges); a value in a table, the rest stays a
        tree; a node and its visits (the naive variant of the UCT-DAG report, for experiments); a node, and all its
        ancestors learn of every visit (one thread).
    table_entries : int
        Positions that the table of "shared-values" holds, in about 50 bytes each besides `memory_bytes`.
    table_min_references : int
        Entries of the table to which fewer nodes referred are dropped between moves; rises by one whenever the table
        was full.
    max_ancestors : int
        Nodes off its path that one simulation of "multipath" updates at most.
    evaluation : Evaluation
        How leaves go to the evaluator of a `Search` that has one.
    solver : bool
        Whether proved wins, losses and draws are kept and not searched again (MCTS-Solver).
    one_player : OnePlayer
        What is done about solutions seen before; for games of one player only.
    value_from : {"results", "edges"}
        What a node is worth where an answer is read: the mean of all results that it saw, or, as the UCT-DAG report
        writes it, what its edges say, ``sum(n_i * value_i) / sum(n_i)``. In a tree they differ by the node's first
        visits, in a graph that shares nodes also by results that came to its children from elsewhere.
    final_move : {"most-visits", "best-value", "most-visits-above-limit", "lower-bound"}
        Which move is the answer. "most-visits-above-limit" gives up (see `give_up_move`) below `final_limit`.
    final_limit : float
        Win rate, 0..1, of "most-visits-above-limit".
    give_up_move : int or None
        The move that gives up in this game (a pass, a resignation); None: there is none.
    parallel : {"lock-free", "global-lock", "roots"}
        How threads share: one graph with virtual loss, one graph behind one lock, or graphs of their own merged at the
        end.
    threads : int
        How many.
    memory_bytes : int
        Hard cap of the graph.
    max_depth : int
        Longest walk before a playout begins.
    """

    selection: Selection = UCB1()
    first_play_urgency: float | None = None
    amaf: Amaf | None = None
    prior: Prior | None = None
    widening: Widening | None = None
    width: int | None = None
    width_walks: int = 1000
    expansion: Literal["one-child", "all-children", "whole-path"] = "one-child"
    maturity: int = 1
    graph: GraphMode = "tree"
    table_entries: int = 500_000
    table_min_references: int = 2
    max_ancestors: int = 1000
    evaluation: Evaluation = Evaluation()
    solver: bool = False
    one_player: OnePlayer = OnePlayer()
    value_from: Literal["results", "edges"] = "results"
    final_move: FinalMove = "most-visits"
    final_limit: float = 0.1
    give_up_move: int | None = None
    parallel: Literal["lock-free", "global-lock", "roots"] = "lock-free"
    threads: int = 1
    memory_bytes: int = 1 << 30
    max_depth: int = 2000

    def _check(self) -> None:
        urgency = self.first_play_urgency
        _check(urgency is None or not math.isnan(urgency), "first_play_urgency", urgency, "a number or None")
        _check(self.expansion in _EXPANSIONS, "expansion", self.expansion, f"one of {', '.join(_EXPANSIONS)}")
        _check(self.graph in _GRAPHS, "graph", self.graph, f"one of {', '.join(_GRAPHS)}")
        _check(1 <= self.table_entries < 2**31, "table_entries", self.table_entries, "at least 1")
        references = self.table_min_references
        _check(0 <= references < 2**31, "table_min_references", references, "0 or a positive number")
        _check(0 <= self.max_ancestors < 2**31, "max_ancestors", self.max_ancestors, "0 or a positive number")
        _check(self.parallel in _PARALLEL, "parallel", self.parallel, f"one of {', '.join(_PARALLEL)}")
        _check(self.final_move in _FINAL_MOVES, "final_move", self.final_move, f"one of {', '.join(_FINAL_MOVES)}")
        _check(self.width is None or 1 <= self.width < 2**31, "width", self.width, "at least 1, or None")
        _check(0 <= self.width_walks < 2**31, "width_walks", self.width_walks, "0 or a positive number")
        _check(0 <= self.maturity < 2**31, "maturity", self.maturity, "0 or a positive number")
        _check(1 <= self.threads <= 256, "threads", self.threads, "1 to 256")
        _check(1 <= self.max_depth < 2**31, "max_depth", self.max_depth, "at least 1")
        _check(1 <= self.memory_bytes < 2**48, "memory_bytes", self.memory_bytes, "a positive number of bytes")
        _check(0 <= self.final_limit <= 1, "final_limit", self.final_limit, "a win rate, 0..1")
        self._check_combinations()

    def _check_combinations(self) -> None:
        check(Situation(config=self))
        if self.final_move == "most-visits-above-limit" and self.give_up_move is None:
            raise ValueError("final_move 'most-visits-above-limit' needs the game's give_up_move; give it")

    def native(self) -> _native.SearchConfig:
        """The same as the core reads it."""
        config = _native.SearchConfig()
        self._fill_selection(config)
        self._fill_knowledge(config)
        config.width = self.width or 0
        config.width_walks = self.width_walks
        config.expansion = _EXPANSIONS[self.expansion]
        config.maturity = self.maturity
        config.graph = _GRAPHS[self.graph]
        config.table_entries = self.table_entries
        config.table_min_references = self.table_min_references
        config.max_ancestors = self.max_ancestors
        config.evaluator_weight = self.evaluation.weight
        config.evaluator_after = self.evaluation.after
        config.evaluator_visits = self.evaluation.visits
        config.batch_size = self.evaluation.batch_size
        config.batch_timeout_s = self.evaluation.timeout_s
        config.batches_in_flight = self.evaluation.batches_in_flight
        config.cache_bytes = self.evaluation.cache_bytes
        config.solver = self.solver
        config.reads_edges = self.value_from == "edges"
        config.parallel = _PARALLEL[self.parallel]
        config.num_threads = self.threads
        config.memory_bytes = self.memory_bytes
        config.max_depth = self.max_depth
        return config

    def native_for_one_player(self) -> _native.SearchConfig:
        """The same for a game of one player."""
        config = self.native()
        config.solver = self.one_player.revisit == "close"
        config.revisit_penalty = self.one_player.penalty if self.one_player.revisit == "penalty" else 0.0
        return config

    def _fill_selection(self, config: _native.SearchConfig) -> None:
        config.selection = _SELECTIONS[type(self.selection)]
        if isinstance(self.selection, EpsilonGreedy):
            config.epsilon = self.selection.epsilon
        else:
            config.exploration = self.selection.c
        if isinstance(self.selection, BAST):
            config.smoothness = self.selection.smoothness
        config.first_play_urgency = math.inf if self.first_play_urgency is None else self.first_play_urgency
        if self.widening is not None:
            config.widening = True
            config.widening_scale = self.widening.scale
            config.widening_rate = self.widening.rate
            config.widening_minimum = self.widening.minimum

    def _fill_knowledge(self, config: _native.SearchConfig) -> None:
        if self.amaf is not None:
            config.rave_exploration = self.amaf.c
            config.amaf_fades = self.amaf.fades
            config.amaf_horizon = self.amaf.horizon or 0
        if isinstance(self.amaf, RAVE):
            config.amaf = _native.AmafSchedule.HAND_SELECTED
            config.rave_k = self.amaf.k
        elif isinstance(self.amaf, MinimumMSE):
            config.amaf = _native.AmafSchedule.MINIMUM_MSE
            config.rave_bias = self.amaf.bias
        if isinstance(self.prior, VirtualVisits):
            config.prior_use = _native.PriorUse.VIRTUAL_VISITS
            config.prior_weight = self.prior.visits
        elif isinstance(self.prior, ProgressiveBias):
            config.prior_use = _native.PriorUse.PROGRESSIVE_BIAS
            config.prior_weight = self.prior.weight
            config.prior_fades = self.prior.fades
        elif isinstance(self.prior, HorizonPrior):
            config.prior_use = _native.PriorUse.HORIZON
            config.prior_horizon = self.prior.horizon
