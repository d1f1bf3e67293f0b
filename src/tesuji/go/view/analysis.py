"""An analysis where it is printed: a line and a table in a terminal, a board with candidates in a notebook."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from tesuji.games.appearance import text_of
from tesuji.go.rules.vertex import to_vertex
from tesuji.go.view.diagram import COLOR_NAMES, CandidateTable, candidate_labels
from tesuji.go.view.svg import BoardPicture, board_svg

if TYPE_CHECKING:
    from tesuji.go.engine import Analysis
    from tesuji.go.rules.board import Position

__all__ = ["analysis_html", "analysis_text"]

_SHOWN, _LINE = 5, 8  # candidates, and moves of a main line


def analysis_text(analysis: Analysis) -> str:
    """What was found, in a line, and the candidates as a table where the position is known."""
    head = f"<Analysis: {_headline(analysis)}>"
    if analysis.position is None or not analysis.moves:
        return head
    return f"{head}\n{text_of(CandidateTable(analysis.position, analysis, _SHOWN))}"


def analysis_html(analysis: Analysis) -> str:
    """The board with its candidates and owners, and the table beside it."""
    words = f"<p>{html.escape(_headline(analysis))}</p>"
    if analysis.position is None:
        return words
    picture = BoardPicture(
        board=analysis.position.board(),
        labels=candidate_labels(analysis.moves, limit=_SHOWN),
        ownership=analysis.ownership,
    )
    beside = "display:flex;flex-wrap:wrap;gap:1.5em;align-items:flex-start"
    return f'<div style="{beside}"><div>{board_svg(picture)}</div><div>{words}{_table(analysis)}</div></div>'


def _headline(analysis: Analysis) -> str:
    effort = f"{analysis.simulations:,} simulations in {analysis.seconds:.2f} s"
    if not analysis.moves:
        return effort
    if analysis.position is None:
        return f"{effort}, {100 * analysis.winrate:.1f} % for the side to move"
    mover, best = COLOR_NAMES[int(analysis.position.color_to_play)], _name(analysis.moves[0].move, analysis.position)
    return f"{effort}, best move {best}, {mover} wins {100 * analysis.winrate:.1f} %"


def _table(analysis: Analysis) -> str:
    position = analysis.position
    assert position is not None
    total = max(1, sum(candidate.visits for candidate in analysis.moves))
    mover = COLOR_NAMES[int(position.color_to_play)]
    head = "".join(f"<th>{title}</th>" for title in ("", "move", "visits", f"{mover} wins", "main line"))
    rows = []
    for rank, candidate in enumerate(analysis.moves[:_SHOWN], start=1):
        share = f"{100 * candidate.visits / total:.1f}%"
        bar = f"linear-gradient(to right, rgba(70,130,180,.35) {share}, transparent {share})"
        line = " ".join(_name(move, position) for move in candidate.pv[:_LINE])
        rows.append(
            f"<tr><td><b>{rank}</b></td><td>{_name(candidate.move, position)}</td>"
            f'<td style="text-align:right;min-width:7em;background:{bar}">{candidate.visits:,}</td>'
            f'<td style="text-align:right">{100 * candidate.winrate:.1f} %</td>'
            f'<td style="text-align:left">{line}</td></tr>'
        )
    return f"<table><tr>{head}</tr>{''.join(rows)}</table>"


def _name(move: int, position: Position) -> str:
    return to_vertex(move, position.width, position.height)
