"""A played game as text: SGF for Go, a list of moves for other games.

Each move's comment names its player, the win rate that it expected, and the seconds it took; moves of the opening say
so. The root says what was played, why it ended, and with which seed.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from tesuji.experiments.records import GameTask, MoveRecord, Reason
from tesuji.experiments.table import GoTable, Table
from tesuji.go.records.sgf import to_sgf

__all__ = ["game_text"]


def game_text(
    task: GameTask,
    table: Table,
    moves: Sequence[MoveRecord],
    *,
    seats: Sequence[int],
    score: str,
    reason: Reason,
    detail: str = "",
    date: str = "",
) -> str:
    """Write a game down.

    Parameters
    ----------
    task : GameTask
        What was to be played.
    table : Table
        Where it was played.
    moves, seats : sequences
        The players' moves, without the opening's, and who made each.
    score, reason, detail
        How it ended.
    date : str
        When it began, as SGF has it: ``2024-05-01``.
    """
    if isinstance(table, GoTable):
        return _sgf(task, table, _comments(task, moves, seats), _summary(task, score, reason, detail), score, date)
    words = [*task.opening, *(move.vertex for move in moves)]
    return f"{_summary(task, score, reason, detail)}\n{textwrap.fill(' '.join(words), 100)}\n"


def _sgf(task: GameTask, table: GoTable, comments: dict[int, str], summary: str, score: str, date: str) -> str:
    properties = {"DT": date, "GN": f"game {task.index}, pair {task.pair}", "ON": task.opening_name}
    sgf = to_sgf(
        table.game,
        black=task.first.name,
        white=task.second.name,
        result=score,
        comments={0: summary, **comments},
        properties=properties,
    )
    return sgf.decode("utf-8")


def _summary(task: GameTask, score: str, reason: Reason, detail: str) -> str:
    ended = f"{score} ({reason}{': ' + detail if detail else ''})"
    opening = f"{task.opening_name}, {len(task.opening)} moves" if task.opening else task.opening_name
    return (
        f"{task.conditions.game}: {task.first.name} (first) against {task.second.name}, {ended}\n"
        f"game {task.index}, pair {task.pair}, seed {task.seed}, opening {opening}"
    )


def _comments(task: GameTask, moves: Sequence[MoveRecord], seats: Sequence[int]) -> dict[int, str]:
    """By the number of moves made so far."""
    length = len(task.opening)
    comments = {i: f"opening {task.opening_name}, move {i} of {length}" for i in range(1, length + 1)}
    for i, (move, seat) in enumerate(zip(moves, seats, strict=True), start=length + 1):
        name = (task.first if seat == 0 else task.second).name
        expects = "" if move.value is None else f"win rate {100 * move.value:.1f} %, "
        comments[i] = f"{name}: {expects}{move.seconds:.3f} s"
    return comments
