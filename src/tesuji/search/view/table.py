"""The most visited moves of a result as a table for terminals, files and notebooks."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

import msgspec
import numpy as np

if TYPE_CHECKING:
    from rich.table import Table

    from tesuji.search.result import SearchResult

__all__ = ["Row", "as_html", "as_rich", "as_text", "headline", "most_visited", "rows_of"]


class Row(msgspec.Struct, frozen=True):
    """One move, as it is written; empty where nothing is known.

    Attributes
    ----------
    share : float
        Of all visits, 0..1.
    """

    move: str
    number: str
    visits: str
    share: float
    value: str
    amaf: str
    prior: str
    proof: str


_TITLES = {
    "move": "move", "number": "number", "visits": "visits", "value": "value", "amaf": "AMAF", "prior": "prior",
    "proof": "proof",
}  # fmt: skip
_WORDS = ("move", "proof")  # columns of words; the others are numbers
_PROOFS = ("", "lost", "drawn", "won")
_CLOSED = ("", "", "closed", "")  # one player: nothing is left to find below


def headline(result: SearchResult) -> str:
    """What was found, in one line."""
    best = result.name(result.best_move)
    number = "" if best == str(result.best_move) else f" (number {result.best_move})"
    proof = f", {result.proof}" if result.proof else ""
    solution = result.best_solution
    found = f"value {result.value:.3f}"
    if solution is not None:
        found = f"best solution {solution.value:g} in {len(solution.moves)} moves"
    return f"{result.simulations:,} simulations in {result.seconds:.2f} s, best move {best}{number}, {found}{proof}"


def most_visited(result: SearchResult, limit: int) -> list[int]:
    """Which of a result's moves have the most visits, in that order."""
    order = np.argsort(-result.visits.astype(np.int64), kind="stable")
    return [int(index) for index in order[:limit]]


def rows_of(result: SearchResult, limit: int) -> list[Row]:
    """The most visited moves."""
    total = max(1, int(result.visits.sum()))
    has_priors = bool(result.priors.any())
    proofs = _PROOFS if result.best_solution is None else _CLOSED
    return [
        Row(
            move=result.name(int(result.moves[i])),
            number=str(result.moves[i]),
            visits=f"{result.visits[i]:,}",
            share=int(result.visits[i]) / total,
            value=f"{result.values[i]:.3f}" if result.visits[i] else "",
            amaf=f"{result.amaf_values[i]:.3f}" if result.amaf_visits[i] else "",
            prior=f"{result.priors[i]:.3f}" if has_priors else "",
            proof=proofs[result.proofs[i]],
        )
        for i in most_visited(result, limit)
    ]


def as_rich(result: SearchResult, limit: int = 10) -> Table:
    """The table as a `rich` renderable."""
    from rich.table import Table

    rows = rows_of(result, limit)
    table = Table(box=None, header_style="bold")
    columns = _columns(rows)
    for column in columns:
        table.add_column(_TITLES[column], justify="left" if column in _WORDS else "right", no_wrap=True)
    for row in rows:
        table.add_row(*(getattr(row, column) for column in columns))
    return table


def as_text(result: SearchResult, limit: int = 10) -> str:
    """The table as plain text."""
    from tesuji.games.appearance import text_of

    return text_of(as_rich(result, limit))


def as_html(result: SearchResult, limit: int = 10) -> str:
    """The table as HTML for a notebook, a bar behind each number of visits."""
    rows = rows_of(result, limit)
    columns = _columns(rows)
    head = "".join(f"<th>{_TITLES[column]}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(_cell(row, column) for column in columns)}</tr>" for row in rows)
    left_out = len(result.moves) - len(rows)
    rest = f"<p>and {left_out:,} more {'move' if left_out == 1 else 'moves'}</p>" if left_out > 0 else ""
    return f"<div><p>{html.escape(headline(result))}</p><table><tr>{head}</tr>{body}</table>{rest}</div>"


def _columns(rows: list[Row]) -> list[str]:
    """The columns that say something; the number of a move only where it is called otherwise."""
    columns = [name for name in _TITLES if name in ("move", "visits", "value") or any(getattr(r, name) for r in rows)]
    return columns if any(row.move != row.number for row in rows) else [name for name in columns if name != "number"]


def _cell(row: Row, column: str) -> str:
    text = html.escape(getattr(row, column))
    if column in _WORDS:
        return f'<td style="text-align:left">{text}</td>'
    if column != "visits":
        return f'<td style="text-align:right">{text}</td>'
    share = f"{100 * row.share:.1f}%"
    bar = f"linear-gradient(to right, rgba(70,130,180,.35) {share}, transparent {share})"
    return f'<td style="text-align:right;min-width:9em;background:{bar}">{text}</td>'
