"""What the Go engine thinks of moves before it has tried them.

A move's strength is the product of its features' strengths (`tesuji.go.knowledge.features`): a Bradley-Terry model, in
which the chance that an expert chooses a move is its share of the sum over all moves (Coulom 2007; Basaldúa, 3.2). The
strengths were fitted to recorded games by ``scripts/fit_priors.py`` and lie in ``data/strengths.txt``, a line each.
docs/algorithms/go-priors.md tells the rest.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji._core import go as _native
from tesuji.go.knowledge.features import LEVELS, move_features, shape_from_text, shapes_from_texts, turned_shapes
from tesuji.go.knowledge.urgency import native_urgency
from tesuji.go.rules.board import Board
from tesuji.search.frozen import Frozen

__all__ = [
    "PriorWeights",
    "Strengths",
    "explain",
    "parse_strengths",
    "priors",
    "standard_native_strengths",
    "standard_strengths",
]

_CODES = 1 << 16
_STRONGEST = 1000  # the product of a move's strengths, eleven at most, stays within a 32-bit float


class Strengths(msgspec.Struct, frozen=True):
    """How strong features are; 1 says nothing.

    Attributes
    ----------
    levels : float32 array of shape (len(LEVELS),)
        Of `tesuji.go.knowledge.features.LEVELS`.
    codes : float32 array of shape (65536,)
        Of 3x3 codes, the mover's stones being black.
    shapes : dict of int to float
        Of shapes in all their turned forms, beside their codes.
    """

    levels: NDArray[np.float32]
    codes: NDArray[np.float32]
    shapes: dict[int, float]


def parse_strengths(text: str, name: str = "strengths") -> Strengths:
    """Read strengths: a line each, a number in 0.001..1,000 and what it belongs to.

    That is the name of a level, ``3x3`` with a shape that is empty two steps away, where it does not count, or
    ``shape`` with a shape. What is missing has strength 1. Lines that begin with ``#`` do not count.

    Raises
    ------
    ValueError
        Naming the line and what is wrong with it, and never quoting it: it may be any file.
    """
    levels = dict.fromkeys(LEVELS, 1.0)
    by_kind: dict[str, _Lines] = {"3x3": _Lines(), "shape": _Lines()}
    for number, line in enumerate(text.splitlines(), start=1):
        word, _, what = line.strip().partition(" ")
        if not word or word.startswith("#"):
            continue
        try:
            strength, what = _strength(word), what.strip()
            kind, _, shape = what.partition(" ")
            if kind in by_kind:
                by_kind[kind].add(number, shape, strength)
            elif what in levels:
                levels[what] = strength
            else:
                raise ValueError("this is not a feature; the names are in tesuji.go.knowledge.features.LEVELS")
        except ValueError as error:
            raise ValueError(f"{name}, line {number}: {error}") from None
    codes = np.ones(_CODES, dtype=np.float32)
    near = by_kind["3x3"].in_all_forms(name, is_near=True)
    codes[list(near)] = list(near.values())
    shapes = by_kind["shape"].in_all_forms(name)
    return Strengths(np.array([levels[level] for level in LEVELS], np.float32), codes, shapes)


class _Lines:
    """Lines with shapes, of which there are thousands: read together, because one by one takes longer than a move."""

    def __init__(self) -> None:
        self._numbers: list[int] = []
        self._texts: list[str] = []
        self._strengths: list[float] = []

    def add(self, number: int, text: str, strength: float) -> None:
        self._numbers.append(number)
        self._texts.append(text)
        self._strengths.append(strength)

    def in_all_forms(self, name: str, *, is_near: bool = False) -> dict[int, float]:
        """The strengths by shape in all eight forms; a shape's last line counts."""
        try:
            shapes = shapes_from_texts(self._texts)
            if not is_near or (shapes < _CODES).all():
                forms = turned_shapes(shapes).tolist()
                return {shape: value for form in forms for shape, value in zip(form, self._strengths, strict=True)}
        except ValueError:
            pass
        for number, text in zip(self._numbers, self._texts, strict=True):  # which one is it?
            try:
                if shape_from_text(text) >= _CODES and is_near:
                    raise ValueError("this has stones two steps away; a 3x3 shape has . there")
            except ValueError as error:
                raise ValueError(f"{name}, line {number}: {error}") from None
        raise AssertionError("a shape is wrong as one of many and right by itself")


def _strength(word: str) -> float:
    try:
        strength = float(word)
    except ValueError:
        raise ValueError("it does not begin with a number; a line begins with a strength") from None
    if not 1 / _STRONGEST <= strength <= _STRONGEST:  # nan is in no range
        raise ValueError(f"the strength is {word}; it must lie in {1 / _STRONGEST}..{_STRONGEST:,}")
    return strength


@cache
def standard_strengths() -> Strengths:
    """Those that come with Tesuji."""
    text = (Path(__file__).parent / "data" / "strengths.txt").read_text(encoding="utf-8")
    return parse_strengths(text, "strengths.txt")


@cache
def _native_strengths(path: str) -> _native.Strengths:
    """The strengths of a file, or the standard ones, as the core takes them."""
    known = parse_strengths(Path(path).read_text(encoding="utf-8"), path) if path else standard_strengths()
    return _native.Strengths(
        known.levels.tolist(), known.codes.tolist(), list(known.shapes), list(known.shapes.values())
    )


def standard_native_strengths() -> _native.Strengths:
    """Those that come with Tesuji, as the core takes them."""
    return _native_strengths("")


class PriorWeights(Frozen, frozen=True, kw_only=True):
    """How strengths become priors: ``floor + (1 - floor) * (strength / best)^(1 / 2^roots)``.

    Attributes
    ----------
    roots : int
        Square roots taken of the share of the best; the more, the closer good moves are to the best.
    floor : float
        Prior of a hopeless move, 0..1.
    criticality : float
        A move at a point of criticality x (how much more often it belongs to the winner of a playout than chance would
        have it) is so many times x stronger; 0: playouts are not asked.
    pass_ : float
        Strength of passing.
    strengths : str
        A file of strengths; empty: those that come with Tesuji.
    urgency : str
        A file of urgencies (`tesuji.go.knowledge.urgency`), by which the strongest moves are judged again;
        ``standard``: the one that comes with Tesuji, on the boards it was fitted on (19x19); ``off``: none.
    judged_again : int
        So many of them; the others stay behind them.
    """

    roots: int = 2
    floor: float = 0.0
    criticality: float = 0.0
    pass_: float = 0.001
    strengths: str = ""
    urgency: str = "standard"
    judged_again: int = 30

    def _check(self) -> None:
        for name, low, high in (
            ("roots", 0, 10),
            ("floor", 0, 1),
            ("criticality", 0, 1000),
            ("pass_", 0, 1_000_000),
            ("judged_again", 1, 1000),
        ):
            value = getattr(self, name)
            if not low <= value <= high:  # nan is in no range
                raise ValueError(f"{name} is {value!r}; it must be a number in {low:,}..{high:,}")

    def native(self, width: int = 0, height: int = 0) -> _native.PriorWeights:
        """The weights as the core takes them, for a board of this size; 0: whichever."""
        weights = _native.PriorWeights()
        urgency = native_urgency(self.urgency, width, height)
        if urgency is not None:
            weights.urgency = urgency
        weights.judged_again = self.judged_again
        weights.strengths = _native_strengths(self.strengths)
        weights.roots = self.roots
        weights.floor = self.floor
        weights.criticality = self.criticality
        weights.pass_strength = self.pass_
        return weights


def priors(board: Board, weights: PriorWeights | None = None) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """The legal moves of the side to move and the prior of each, 0..1."""
    moves = board.legal_moves(board.color_to_play)
    known = (weights or PriorWeights()).native(board.width, board.height)
    return moves, np.array(_native.priors(board, known, [int(move) for move in moves]), dtype=np.float32)


def explain(board: Board, move: int, strengths: Strengths | None = None) -> list[tuple[str, float]]:
    """Why a move of the side to move is as strong as it is: its features with their strengths, strongest first."""
    known = strengths or standard_strengths()
    found = move_features(board, [move])
    shape = int(found.shapes[0])
    parts = [(LEVELS[level], float(known.levels[level])) for level in found.levels[0].tolist() if level >= 0]
    parts += [("3x3", float(known.codes[shape % _CODES])), ("shape", known.shapes.get(shape, 1.0))]
    return sorted((part for part in parts if part[1] != 1.0), key=lambda part: -part[1])
