"""What a simulation of the Go engine costs in instructions, by callgrind: of one build the same on every machine.

A Python of its own searches the empty board with N and with 2N simulations of one seed; the difference is the cost of
N simulations, because the start cancels out. What is counted is the module as it was built: for figures that compare,
build it with ``-march=x86-64-v3`` (docs/results/speed.md). Instructions are not time; `tesuji.bench.engine` has that.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial

import msgspec

from tesuji.bench.callgrind import instructions_each
from tesuji.go.engine.presets import engine_preset

__all__ = ["SIMULATIONS", "InstructionRow", "count_engine", "program", "to_text"]

SIMULATIONS = {9: 4_000, 13: 2_000, 19: 1_000}
"""N by size of board: 800 million instructions and more, beside which Python's start varies by a percent or less."""
SIMULATIONS_ELSE = 1_000

_SEED = 1


class InstructionRow(msgspec.Struct, frozen=True, kw_only=True):
    """One size of board.

    Attributes
    ----------
    preset : str
        Of `tesuji.go.engine.presets`.
    size : int
        Lines of the board, which is empty.
    simulations : int
        N: what is counted are simulations N + 1 to 2N of one search, one thread.
    instructions : int
        Per simulation.
    """

    preset: str
    size: int
    simulations: int
    instructions: int


def program(preset: str, size: int, simulations: int) -> list[str]:
    """The command that searches so many simulations."""
    code = (
        "from tesuji.go import Board; from tesuji.go.engine.presets import engine_preset; "
        f"engine_preset({preset!r}).search_at(Board({size})).run(simulations={simulations}, seed={_SEED})"
    )
    return [sys.executable, "-c", code]


def count_engine(
    preset: str,
    sizes: Sequence[int],
    *,
    simulations: int | None = None,
    on_step: Callable[[int], None] = lambda _done: None,
) -> list[InstructionRow]:
    """Count for each size of board.

    Parameters
    ----------
    preset
        How the engine thinks.
    sizes
        Lines of the boards.
    simulations
        N; None: `SIMULATIONS`.
    on_step
        Called with the number of sizes that are done.
    """
    engine_preset(preset)  # refused here, before anything runs
    rows = []
    for size in sizes:
        n = simulations or SIMULATIONS.get(size, SIMULATIONS_ELSE)
        cost = instructions_each(partial(program, preset, size), n, 2 * n)
        rows.append(InstructionRow(preset=preset, size=size, simulations=n, instructions=cost))
        on_step(len(rows))
    return rows


def to_text(rows: Sequence[InstructionRow]) -> str:
    """Return the rows as a table."""
    lines = [
        f"The preset '{rows[0].preset}' on the empty board, one thread, by callgrind.",
        "",
        f"{'board':<7} {'instructions/simulation':>24} {'simulations counted':>20}",
    ]
    for row in rows:
        counted = f"{row.simulations + 1:,}..{2 * row.simulations:,}"
        lines.append(f"{f'{row.size}x{row.size}':<7} {row.instructions:>24,} {counted:>20}")
    return "\n".join(lines)
