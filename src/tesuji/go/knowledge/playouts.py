"""How the players of a playout move: policies as values. The rules themselves are in ``core/go/rule_playout.hpp``.

A policy is a list of rules with probabilities and a way to put them together; what no rule plays is drawn at random.
Sources: Pividori 2015, section 9 (`CAPTURE_ESCAPE_PATTERN`, `URGENCY`); Basaldúa, 4.2 (`MOGO`, `FUEGO`), 4.3.3 (self-
atari), 4.4 (patterns, eye shape), 4.6 (`BASE`) and 4.7 (`LEARNING`). docs/algorithms/playouts.md tells each rule.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji._core import go as _native
from tesuji.go.knowledge.learning import Learning, LearntMoves
from tesuji.go.knowledge.patterns import expand, parse_patterns, standard_patterns
from tesuji.go.rules.board import Board
from tesuji.search.frozen import Frozen

__all__ = [
    "BASE",
    "CAPTURE_ESCAPE_PATTERN",
    "DEFAULT",
    "DEFAULT_LEARNING",
    "FUEGO",
    "LEARNING",
    "MOGO",
    "ORIGINS",
    "POLICIES",
    "RULES",
    "UNIFORM",
    "URGENCY",
    "PlayoutPolicy",
    "candidates",
    "run_learning_playouts",
    "run_playouts",
]

RULES = (
    "capture-last",
    "defend",
    "nakade",
    "low-liberties",
    "pattern",
    "pattern-own",
    "capture",
    "escape",
    "fill-board",
    "last-good-reply",
    "atari-tactics",
    "edge",
    "node",
)
ORIGINS = (*RULES, "skipped", "random", "mended", "pass")

_LEARNING_RULES = ("edge", "node")

_METHODS = {
    "ordered": _native.Method.ORDERED,
    "weighted": _native.Method.WEIGHTED,
    "urgency": _native.Method.URGENCY,
    "skipping": _native.Method.SKIPPING,
}
_SELF_ATARI = {
    "allowed": _native.SelfAtari.ALLOWED,
    "never": _native.SelfAtari.NEVER,
    "small": _native.SelfAtari.SMALL,
    "nakade": _native.SelfAtari.NAKADE,
}


class PlayoutPolicy(Frozen, frozen=True, kw_only=True):
    """How playouts choose their moves; vary it with `replace`.

    Attributes
    ----------
    rules : tuple of (str, float)
        Rules of `RULES` with the probability of trying each at a move, in their order. Empty: uniform moves.
    method : {"ordered", "weighted", "urgency", "skipping"}
        The first rule that finds a move plays it; or all moves found go into one list, larger chains more often, and
        one is drawn (Pividori 2015); or every legal move is weighed (Bouzy); or the first rule that finds a move draws
        whether it plays it, and what was found and not played comes before random moves (Basaldúa, 4.6). "weighted" and
        "urgency" have rules of their own.
    self_atari : {"allowed", "never", "small", "nakade"}
        Which moves are refused for leaving the own chain with one liberty: none; all; those of three stones and more;
        those of three and more whose shape does not kill from inside, or that have a way out (Basaldúa, 4.3.3).
    self_atari_probability : float
        Of refusing a random move for it, 0..1. Rules always refuse.
    reads_ladders : bool
        Do not run from an atari where the ladder catches.
    mends_eyes : bool
        A random move with one empty neighbour goes there instead, if that one has more (Basaldúa, 4.4.3).
    fill_board_tries : int
        Points looked at for one whose neighbours are all empty.
    list_limit : int
        "weighted": no fill-board and no patterns once the list has this weight (CTE of Pividori 2015).
    length_coefficient : float
        A playout ends after this many moves per point of the board (Pividori 2015: 3).
    mercy : float
        It also ends when one side has so many stones more, as a share of the points; 0: never.
    amaf_share : float
        AMAF hears so many moves of a playout, counted in empty points at its start.
    margin_weight : float
        Of the margin in a playout's result, 0..1; the rest is won or lost.
    pattern_urgency : float
        "urgency": what a pattern is worth; a stone captured or saved is worth 10, any move 1.
    patterns : str
        A file of 3x3 patterns; empty: those that come with Tesuji.
    atari_first : float
        "skipping": the probability of atari tactics after one atari, 0..1; it rises in a ladder (Basaldúa, 4.4.1).
    atari_certain : int
        "skipping": after so many ataris in a row it is 1; 2..1,000.
    eye_potential : bool
        Whether an eye with an empty diagonal is one already; else only if that point is an eye itself (4.3.1).
    learning : Learning
        How the rules "edge" and "node" learn; policies without them do not.
    """

    rules: tuple[tuple[str, float], ...] = ()
    method: Literal["ordered", "weighted", "urgency", "skipping"] = "ordered"
    self_atari: Literal["allowed", "never", "small", "nakade"] = "allowed"
    self_atari_probability: float = 1.0
    reads_ladders: bool = False
    mends_eyes: bool = False
    fill_board_tries: int = 5
    list_limit: int = 5
    length_coefficient: float = 3.0
    mercy: float = 0.0
    amaf_share: float = 10.0
    margin_weight: float = 0.0
    pattern_urgency: float = 10.0
    patterns: str = ""
    atari_first: float = 0.3405
    atari_certain: int = 8
    eye_potential: bool = True
    learning: Learning = Learning()

    def _check(self) -> None:
        for rule in self.rules:
            _check_rule(rule)
        for name, known in (("method", _METHODS), ("self_atari", _SELF_ATARI)):
            if getattr(self, name) not in known:
                raise ValueError(f"{name} is {getattr(self, name)!r}; choose from {', '.join(known)}")
        for name in ("self_atari_probability", "mercy", "margin_weight"):
            _check_range(name, getattr(self, name), 0, 1)
        _check_range("amaf_share", self.amaf_share, 0, 100)
        _check_range("fill_board_tries", self.fill_board_tries, 0, 1000)
        _check_range("list_limit", self.list_limit, 0, 1_000_000)
        _check_range("length_coefficient", self.length_coefficient, 0.0001, 100)
        _check_range("pattern_urgency", self.pattern_urgency, 0, 1_000_000)
        _check_range("atari_first", self.atari_first, 0, 1)
        _check_range("atari_certain", self.atari_certain, 2, 1000)

    @property
    def is_uniform(self) -> bool:
        """Whether this is the light playout, which the core plays much faster."""
        return self == UNIFORM

    @property
    def learns(self) -> bool:
        """Whether playouts remember which moves won, and play them."""
        return any(rule in _LEARNING_RULES for rule, _ in self.rules) and self.method in ("ordered", "skipping")

    def native(self, num_points: int) -> _native.PlayoutPolicy:
        """The policy as the core takes it, for boards of so many points."""
        policy = _native.PlayoutPolicy()
        policy.method = _METHODS[self.method]
        policy.set_rules([(RULES.index(name), probability) for name, probability in self.rules])
        policy.set_patterns(self._table())
        policy.self_atari = _SELF_ATARI[self.self_atari]
        policy.self_atari_probability = self.self_atari_probability
        policy.reads_ladders = self.reads_ladders
        policy.mends_eyes = self.mends_eyes
        policy.fill_board_tries = self.fill_board_tries
        policy.list_limit = self.list_limit
        policy.length_coefficient = self.length_coefficient
        policy.mercy_margin = max(1, round(self.mercy * num_points)) if self.mercy > 0 else 0
        policy.amaf_share = self.amaf_share
        policy.margin_weight = self.margin_weight
        policy.pattern_urgency = self.pattern_urgency
        policy.atari_first = self.atari_first
        policy.atari_certain = self.atari_certain
        policy.eye_potential = self.eye_potential
        return policy

    def _table(self) -> NDArray[np.uint8]:
        if not self.patterns:
            return standard_patterns()
        path = Path(self.patterns)
        return expand(parse_patterns(path.read_text(encoding="utf-8"), self.patterns))


def _check_rule(rule: object) -> None:
    if not isinstance(rule, tuple) or len(rule) != 2:
        raise ValueError(f"{rule!r} is not a rule with a probability; write ('capture', 0.5)")
    name, probability = rule
    if name not in RULES:
        raise ValueError(f"{name!r} is not a rule of playouts; choose from {', '.join(RULES)}")
    _check_range(f"the probability of '{name}'", probability, 0, 1)


def _check_range(name: str, value: object, low: float, high: float) -> None:
    if not isinstance(value, int | float) or not low <= value <= high:  # nan is in no range
        raise ValueError(f"{name} is {value!r}; it must lie in {low:,}..{high:,}")


UNIFORM = PlayoutPolicy()
CAPTURE_ESCAPE_PATTERN = PlayoutPolicy(method="weighted")
URGENCY = PlayoutPolicy(method="urgency")
MOGO = PlayoutPolicy(rules=(("defend", 1.0), ("pattern", 1.0), ("capture", 1.0)))
FUEGO = PlayoutPolicy(
    rules=(
        ("nakade", 1.0),
        ("capture-last", 1.0),
        ("defend", 1.0),
        ("low-liberties", 1.0),
        ("pattern", 1.0),
        ("capture", 1.0),
    ),
    self_atari="small",
    mends_eyes=True,
)
DEFAULT = PlayoutPolicy(
    rules=(
        ("capture-last", 0.9),
        ("defend", 0.9),
        ("nakade", 0.6),
        ("low-liberties", 0.5),
        ("pattern", 0.9),
        ("capture", 0.1),
    ),
    self_atari="nakade",
    mends_eyes=True,
    amaf_share=1.0,
    margin_weight=0.02,
)
BASE = PlayoutPolicy(
    rules=(("atari-tactics", 1.0), ("pattern", 0.4812)),
    method="skipping",
    self_atari="nakade",
    mends_eyes=True,
    amaf_share=1.0,
)
LEARNING = msgspec.structs.replace(
    BASE, rules=(("atari-tactics", 1.0), ("edge", 1.0), ("pattern", 0.4812), ("node", 1.0))
)
DEFAULT_LEARNING = msgspec.structs.replace(
    DEFAULT,
    rules=(
        ("capture-last", 0.9),
        ("defend", 0.9),
        ("edge", 1.0),
        ("nakade", 0.6),
        ("low-liberties", 0.5),
        ("pattern", 0.9),
        ("node", 1.0),
        ("capture", 0.1),
    ),
)
POLICIES = {
    "default": DEFAULT,
    "uniform": UNIFORM,
    "capture-escape-pattern": CAPTURE_ESCAPE_PATTERN,
    "urgency": URGENCY,
    "mogo": MOGO,
    "fuego": FUEGO,
    "base": BASE,
    "learning": LEARNING,
    "default-learning": DEFAULT_LEARNING,
}


def candidates(board: Board, rule: str, policy: PlayoutPolicy = DEFAULT) -> list[int]:
    """The moves that a rule finds for the side to move, each once, ascending.

    Parameters
    ----------
    board : Board
        With the moves that led to it: most rules look around the last one.
    rule : str
        One of `RULES`.
    policy : PlayoutPolicy
        What it refuses and which patterns it knows.
    """
    if rule not in RULES:
        raise ValueError(f"'{rule}' is not a rule of playouts; choose from {', '.join(RULES)}")
    return sorted(set(_native.candidates(board, policy.native(board.width * board.height), RULES.index(rule))))


def run_playouts(
    board: Board, policy: PlayoutPolicy, playouts: int, *, seed: int
) -> tuple[NDArray[np.int32], dict[str, int]]:
    """Play a position out.

    Returns
    -------
    margins : int32 array
        Per playout black's area minus white's, without komi.
    origins : dict
        How many moves came from each rule of `ORIGINS`.
    """
    if playouts < 1:
        raise ValueError(f"playouts is {playouts}; it must be at least 1")
    margins, counts = _native.run_playouts(board, policy.native(board.width * board.height), playouts, seed)
    return margins, {name: int(count) for name, count in zip(ORIGINS, counts, strict=True)}


def run_learning_playouts(
    board: Board, policy: PlayoutPolicy, playouts: int, *, seed: int, learnt: LearntMoves | None = None
) -> tuple[NDArray[np.int32], dict[str, int]]:
    """Play a position out by a policy that learns, each playout taught by those before it.

    Parameters
    ----------
    board : Board
        The position.
    policy : PlayoutPolicy
        With a rule that learns.
    playouts, seed : int
        How many, and of which random stream.
    learnt : LearntMoves, optional
        What is known already and goes on to grow; empty if not given.

    Returns
    -------
    black_won : int32 array
        Per playout 1 if black had more, without komi, else 0.
    origins : dict
        How many moves came from each rule of `ORIGINS`.
    """
    if playouts < 1:
        raise ValueError(f"playouts is {playouts}; it must be at least 1")
    learnt = learnt or LearntMoves(board.width, board.height, policy.learning)
    before = learnt.counts()
    native = policy.native(board.width * board.height)
    won = _native.run_learning_playouts(board, native, learnt.native(), playouts, seed)
    counts = (now - then for now, then in zip(learnt.counts(), before, strict=True))
    return won, dict(zip(ORIGINS, counts, strict=True))
