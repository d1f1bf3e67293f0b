"""What the engine thought of a move of its own, in one sentence.

For gomill's SGF comments, KGS's chat and ``tesuji gtp --verbose``. It says only what is known: a move that was not
searched has no win rate.
"""

from __future__ import annotations

import msgspec

from tesuji.go.engine import Choice
from tesuji.go.knowledge.book import BookMove
from tesuji.go.knowledge.priors import explain
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color

__all__ = ["Remark", "remark_on", "sentence"]

_MOST_REASONS = 3
_LONGEST_LINE = 8


class Remark(msgspec.Struct, frozen=True, kw_only=True):
    """A move of the engine and what it expected.

    Attributes
    ----------
    color : Color
        Who moved.
    move : int
        A point or pass.
    winrate : float or None
        For that colour, 0..1; None if nothing was searched.
    visits, simulations : int
        Of the move, with those from earlier searches, and of the search for it; both 0 if nothing was searched.
    line : list of int
        How it expected the game to go on, from this move; empty likewise.
    book : BookMove or None
        What the book said of it, where it comes from one.
    """

    color: Color
    move: int
    winrate: float | None = None
    visits: int = 0
    simulations: int = 0
    line: list[int] = []
    book: BookMove | None = None


def remark_on(color: Color, choice: Choice) -> Remark:
    """Keep of a choice what can be said about it later."""
    assert choice.move != "resign"
    return Remark(
        color=color,
        move=choice.move,
        winrate=choice.winrate,
        visits=choice.visits,
        simulations=choice.simulations,
        line=choice.line[:_LONGEST_LINE],
        book=choice.book,
    )


def sentence(remark: Remark, before: Board) -> str:
    """Say why a move was played.

    Parameters
    ----------
    remark : Remark
        The move and its search.
    before : Board
        The game before it, with its colour to play.
    """
    parts = filter(None, (_expectation(remark), _reasons(before, remark.move), _line(before, remark.line)))
    return f"{remark.color} {before.vertex(remark.move)}: {'; '.join(parts)}"


def _expectation(remark: Remark) -> str:
    if remark.book is not None:
        won = "" if remark.book.winrate is None else f", {100 * remark.book.winrate:.0f} % won"
        return f"from the book: {remark.book.games:,} games{won}"
    if remark.winrate is None:
        return "played without a search"
    counts = f", {remark.visits:,} visits, {remark.simulations:,} simulations" if remark.simulations else ""
    return f"win rate {100 * remark.winrate:.1f} %{counts}"


def _reasons(before: Board, move: int) -> str:
    """The features that make a move strong before it is tried."""
    if move == before.pass_move or not before.is_legal(move):
        return ""
    strong = [(name, strength) for name, strength in explain(before, move) if strength > 1][:_MOST_REASONS]
    return "liked for " + ", ".join(f"{name} (x{strength:.1f})" for name, strength in strong) if strong else ""


def _line(before: Board, line: list[int]) -> str:
    return f"expects {' '.join(map(before.vertex, line))}" if line else ""
