"""What a move of a Go playout costs in instructions, by policy: the default, the base policy, and those that learn.

A Python of its own plays N and 2N playouts of one seed from the empty board, under callgrind; the difference is the
cost of N, because the start cancels out, and divided by their moves it is the cost of a move. Policies that learn play
through tables that grow, as in a search. What is counted is the module as it was built. Aims: base at most 1.3 times
the default, learning at most 1.5 times base (Basaldúa measured 1.37 to 1.59 in time).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial

import msgspec

from tesuji.bench.callgrind import instructions_each
from tesuji.go import Board
from tesuji.go.knowledge.playouts import POLICIES, run_learning_playouts, run_playouts

__all__ = ["COMPARED", "PlayoutRow", "count_playouts", "program", "to_text"]

COMPARED = ("default", "base", "learning", "default-learning")
PLAYOUTS = {9: 10_000, 13: 5_000, 19: 2_000}
"""N by size of board: 800 million instructions and more, beside which Python's start varies by a percent or two."""
PLAYOUTS_ELSE = 2_000

_BESIDE = {"base": "default", "learning": "base", "default-learning": "default"}
_SEED = 1


class PlayoutRow(msgspec.Struct, frozen=True, kw_only=True):
    """One policy on one size of board.

    Attributes
    ----------
    policy : str
        Of `tesuji.go.knowledge.playouts.POLICIES`.
    size : int
        Lines of the board, which is empty.
    instructions : float
        Per move of a playout.
    moves : float
        Per playout.
    """

    policy: str
    size: int
    instructions: float
    moves: float


def program(policy: str, size: int, playouts: int) -> list[str]:
    """The command that plays so many playouts."""
    run = "run_learning_playouts" if POLICIES[policy].learns else "run_playouts"
    code = (
        f"from tesuji.go import Board; from tesuji.go.knowledge.playouts import POLICIES, {run} as run; "
        f"run(Board({size}), POLICIES[{policy!r}], {playouts}, seed={_SEED})"
    )
    return [sys.executable, "-c", code]


def count_playouts(
    sizes: Sequence[int],
    policies: Sequence[str] = COMPARED,
    *,
    playouts: int | None = None,
    on_step: Callable[[int], None] = lambda _done: None,
) -> list[PlayoutRow]:
    """Count for each size of board and policy.

    Parameters
    ----------
    sizes, policies
        What to count.
    playouts
        N; None: `PLAYOUTS`.
    on_step
        Called with the number of rows that are done.
    """
    rows = []
    for size in sizes:
        for policy in policies:
            n = playouts or PLAYOUTS.get(size, PLAYOUTS_ELSE)
            cost = instructions_each(partial(program, policy, size), n, 2 * n)
            moves = (_num_moves(policy, size, 2 * n) - _num_moves(policy, size, n)) / n
            rows.append(PlayoutRow(policy=policy, size=size, instructions=cost / moves, moves=moves))
            on_step(len(rows))
    return rows


def _num_moves(policy: str, size: int, playouts: int) -> int:
    chosen = POLICIES[policy]
    run = run_learning_playouts if chosen.learns else run_playouts
    _, origins = run(Board(size), chosen, playouts, seed=_SEED)
    return sum(origins.values())


def to_text(rows: Sequence[PlayoutRow]) -> str:
    """Return the rows as a table."""
    lines = [
        "Playouts from the empty board, one thread, by callgrind.",
        "",
        f"{'board':<7} {'policy':<17} {'instructions/move':>18} {'moves/playout':>14}  beside",
    ]
    known = {(row.size, row.policy): row.instructions for row in rows}
    for row in rows:
        other = _BESIDE.get(row.policy, "")
        ratio = f"{row.instructions / known[row.size, other]:.2f} x {other}" if (row.size, other) in known else ""
        board = f"{row.size}x{row.size}"
        lines.append(f"{board:<7} {row.policy:<17} {row.instructions:>18,.0f} {row.moves:>14.1f}  {ratio}".rstrip())
    return "\n".join(lines)
