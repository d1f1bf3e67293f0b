"""Basaldúa, table 4.8: where the moves of base and learning playouts come from.

Games of the engine against itself; the playouts of every search are counted by the rule that moved.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from tesuji.experiments.run.schedule import seed_of
from tesuji.go import Board
from tesuji.go.engine.presets import engine_preset
from tesuji.go.knowledge.game import GoGame
from tesuji.go.knowledge.playouts import BASE, LEARNING, ORIGINS
from tesuji.papers.findings import Claim, Comparison, Findings, Published
from tesuji.papers.harness import About
from tesuji.papers.rows import Row
from tesuji.papers.verdicts import Bounds, difference, mean_bounds
from tesuji.search import Search

__all__ = ["TABLE_4_8", "ShareTask"]

_SIZES = (9, 13, 19)
_GAMES = 20
SIMULATIONS = 8_000
_POLICIES = {"base": BASE, "learning": LEARNING}
_LINES = {
    "Atari tactics": ("atari-tactics",),
    "Edge moves": ("edge",),
    "Mogo patterns": ("pattern",),
    "Node moves": ("node",),
    "Previously skipped": ("skipped",),
    "Blind tenuki": ("random",),
    "Improved tenuki": ("mended",),
    "Pass (no more)": ("pass",),
}
_PUBLISHED = {
    "base": (7.60, 0.0, 17.66, 0.0, 19.04, 47.96, 4.40, 3.35),
    "learning": (6.72, 3.98, 17.43, 33.41, 4.72, 28.69, 1.53, 3.53),
}
_MARGIN = 5.0
"""Shares that differ by less than five in a hundred moves count as equal: the parameters are the source's, the boards,
rules and patterns are ours."""


class ShareTask(msgspec.Struct, frozen=True):
    """One game of a policy against itself."""

    policy: str
    size: int
    simulations: int
    seed: int


class MoveShares(msgspec.Struct, frozen=True, kw_only=True):
    """The table; see `About`."""

    about: About

    def tasks(self, scale: float, seed: int) -> Sequence[ShareTask]:
        """All boards and policies with their first game, then with the next; fewer simulations below scale 1 / 20."""
        games = max(1, round(_GAMES * scale))
        simulations = max(100, round(SIMULATIONS * min(1.0, scale * _GAMES)))
        return [
            ShareTask(policy, size, simulations, seed_of(seed, game * 100 + size))
            for game in range(games)
            for size in _SIZES
            for policy in _POLICIES
        ]

    def run_task(self, task: ShareTask) -> Row:
        """Play the game; counts by origin and the number of simulations."""
        counts, simulations = play_counted(task)
        return {"policy": task.policy, "size": task.size, "simulations": simulations, "counts": counts}

    def render(self, rows: Sequence[Row]) -> Findings:
        """The means of the shares over the sizes of board, as in the source."""
        found = {policy: _shares([row for row in rows if row["policy"] == policy]) for policy in _POLICIES}
        table: list[list[Any]] = []
        for number, line in enumerate(_LINES):
            ours = [found[policy][line] for policy in _POLICIES]
            theirs = [_PUBLISHED[policy][number] for policy in _POLICIES]
            table.append([line, *(round(bounds.value, 2) for bounds in ours), *theirs])
        return Findings(
            columns=("moves", "base %", "learning %", "published base %", "published learning %"),
            rows=table,
            comparisons=[
                Comparison(
                    quantity=f"{line}, {policy}, %",
                    ours=found[policy][line],
                    published=Published(value=_PUBLISHED[policy][number], margin=_MARGIN, where="Basaldúa, table 4.8"),
                )
                for policy in _POLICIES
                for number, line in enumerate(_LINES)
            ],
            claims=[_fewer_random(found)],
            notes=[
                "Simulations: " + ", ".join(f"{policy} {_simulations(rows, policy):,}" for policy in _POLICIES),
                "A share is the mean over the sizes of board that were played.",
            ],
        )


def play_counted(task: ShareTask) -> tuple[list[int], int]:
    """Counts by origin, and simulations, of one game of a policy against itself; at most 1.5 moves a point."""
    board = Board(task.size)
    game = GoGame(board, _POLICIES[task.policy], engine_preset("default").priors, counts_moves=True)
    search = Search(game, engine_preset("default").search)
    total = 0
    for _ in range(3 * task.size * task.size // 2):
        if board.is_over:
            break
        found = search.run(simulations=task.simulations, seed=task.seed if total == 0 else None)
        total += found.simulations
        board.play(found.best_move)
        if not board.is_over:
            search.advance(found.best_move)
    return search.game.learnt.counts(), total


def _simulations(rows: Sequence[Row], policy: str) -> int:
    return sum(row["simulations"] for row in rows if row["policy"] == policy)


def _shares(rows: Sequence[Row]) -> dict[str, Bounds]:
    """Per line the mean over sizes of its share in a hundred moves; with the games' spread as interval."""
    found = {}
    for line, origins in _LINES.items():
        shares = []
        for row in rows:
            counts = dict(zip(ORIGINS, row["counts"], strict=True))
            shares.append(100 * sum(counts[origin] for origin in origins) / max(1, sum(counts.values())))
        alone = shares[0] if shares else 0.0
        found[line] = (
            mean_bounds(shares, least=0.0, most=100.0) if len(shares) > 1 else Bounds(alone, 0.0, 100.0, len(shares))
        )
    return found


def _fewer_random(found: dict[str, dict[str, Bounds]]) -> Claim:
    base, learning = (found[policy]["Blind tenuki"] for policy in _POLICIES)
    apart = Bounds(base.value - learning.value, base.low - learning.high, base.high - learning.low, base.trials)
    return Claim(
        statement="Playouts that learn play fewer random moves (4.8.2: 47.96 % and 28.69 %).",
        verdict=difference(apart, _MARGIN),
        evidence=f"{base.value:.1f} % and {learning.value:.1f} %",
        refuted_by=f"a difference below {_MARGIN:g} in a hundred moves",
    )


TABLE_4_8 = MoveShares(
    about=About(
        name="basaldua/table-4.8",
        title="Where the moves of base and learning playouts come from (Basaldúa, table 4.8)",
        question="Which rule plays how many moves of a playout?",
        source="Basaldúa, table 4.8: 60 games, 30 million simulations of each policy.",
        method=f"Games of the engine against itself on 9x9, 13x13 and 19x19, {SIMULATIONS:,} simulations a move, from"
        f" the empty board until two passes. Scale 1 is {_GAMES} games of each policy and board; below a twentieth of"
        " that simulations shrink too.",
        cost="days on two processor cores at scale 1; --scale 0.01 is minutes.",
    )
)
