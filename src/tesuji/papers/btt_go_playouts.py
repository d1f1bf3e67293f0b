"""How many playouts a memory of positions saves: the BTT-Go paper, section 5 ("30 % inferior", over 20 moves).

Games of the engine with itself, from the moment when more than half of the board has stones. The same games with the
memory only written, and with playouts that stop, say how many playouts end early and how much shorter playouts are.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

import msgspec
import numpy as np

from tesuji.experiments.run.schedule import seed_of
from tesuji.go import Board, Engine
from tesuji.go.engine.resolve import resolve
from tesuji.papers.findings import Claim, Comparison, Findings, Published
from tesuji.papers.harness import About
from tesuji.papers.rows import Row
from tesuji.papers.verdicts import difference, mean_bounds

__all__ = ["PLAYOUTS", "Task", "half_full", "saved"]

GAMES, MOVES, SIMULATIONS, SIZE = 20, 20, 1000, 9
_WEIGHTS = (1, 16)


class Task(msgspec.Struct, frozen=True):
    """A game, and how it is played on."""

    game: int
    weight: int
    stops: bool
    simulations: int
    seed: int


def half_full(seed: int, simulations: int) -> Board:
    """A game of the engine with itself up to where more than half of the board has stones."""
    engine = Engine(_config(simulations, seed))
    board = Board(SIZE)
    while 2 * np.count_nonzero(board.grid) <= board.num_points and not board.is_over:
        move = engine.genmove(board)
        if move == "resign":
            break
        board.play(move)
    return board


def _config(simulations: int, seed: int, **settings: Any) -> Any:
    return resolve("go", "default", {"simulations": simulations, "seed": seed, "resign_below": 0.0, **settings})


class Playouts(msgspec.Struct, frozen=True, kw_only=True):
    """The experiment; see `About`."""

    about: About

    def tasks(self, scale: float, seed: int) -> Sequence[Task]:
        """Each game four times; scale changes the games."""
        return [
            Task(game, weight, stops, SIMULATIONS, seed_of(seed, game) >> 1)
            for game in range(max(1, round(GAMES * scale)))
            for weight in _WEIGHTS
            for stops in (False, True)
        ]

    def run_task(self, task: Task) -> Row:
        """Play on for 20 moves, and count."""
        board = half_full(task.seed, max(50, task.simulations // 10))
        engine = Engine(
            _config(task.simulations, task.seed, known=64, known_weight=task.weight, known_stops=task.stops)
        )
        moves = 0
        while moves < MOVES and not board.is_over:
            move = engine.genmove(board)
            if move == "resign":
                break
            board.play(move)
            moves += 1
        assert engine.remembered is not None
        counts = engine.remembered.counts
        return {
            "game": task.game,
            "weight": task.weight,
            "stops": task.stops,
            "moves": moves,
            "playouts": counts.playouts,
            "stopped": counts.stopped,
            "playout_moves": counts.moves,
        }

    def render(self, rows: Sequence[Row]) -> Findings:
        """A line for each weight and each way."""
        lines = []
        for weight in _WEIGHTS:
            for stops in (False, True):
                own = [row for row in rows if (row["weight"], row["stops"]) == (weight, stops) and row["playouts"]]
                if own:
                    played, stopped = sum(row["playouts"] for row in own), sum(row["stopped"] for row in own)
                    length = sum(row["playout_moves"] for row in own) / played
                    lines.append([weight, stops, len(own), played, round(stopped / played, 4), round(length, 2)])
        return Findings(
            columns=("weight", "stops", "games", "playouts", "share stopped", "moves per playout"),
            rows=lines,
            comparisons=[comparison for weight in _WEIGHTS if (comparison := _saved(rows, weight))],
            claims=[claim for weight in _WEIGHTS if (claim := _stops(rows, weight))],
            notes=[
                "The paper counts playouts of Fuego and of BTT-Go, 30 % fewer, and says that the time is 30 % less too."
                " Every simulation of ours begins a playout, so what is saved is counted in moves of playouts."
            ],
        )


def saved(rows: Sequence[Row], weight: int) -> list[float]:
    """By how much playouts that stop are shorter, game by game."""
    of = {
        stops: {row["game"]: row for row in rows if (row["weight"], row["stops"]) == (weight, stops)}
        for stops in (False, True)
    }
    shares = []
    for game in of[False].keys() & of[True].keys():
        whole, short = (of[stops][game] for stops in (False, True))
        if whole["playouts"] and short["playouts"] and whole["playout_moves"]:
            length = whole["playout_moves"] / whole["playouts"]
            shares.append(1 - short["playout_moves"] / short["playouts"] / length)
    return shares


def _saved(rows: Sequence[Row], weight: int) -> Comparison | None:
    shares = saved(rows, weight)
    if not shares:
        return None
    return Comparison(
        quantity=f"share of playout moves saved, {weight} results make a position known",
        ours=mean_bounds(shares, least=-1.0, most=1.0),
        published=Published(value=0.30, margin=0.10, where="the BTT-Go paper, section 5"),
    )


def _stops(rows: Sequence[Row], weight: int) -> Claim | None:
    shares = saved(rows, weight)
    if not shares:
        return None
    return Claim(
        statement=f"The memory makes playouts shorter ({weight} results make a position known).",
        verdict=difference(mean_bounds(shares, least=-1.0, most=1.0)),
        evidence=f"{fmean(shares):.1%} of the moves of playouts are saved, the mean of {len(shares)} games",
        refuted_by="an interval of the share that lies below 0",
    )


PLAYOUTS = Playouts(
    about=About(
        name="btt-go/playouts",
        title="How many playouts a memory of positions saves",
        question="Which share of the playouts ends at a known position, and how many of their moves are saved?",
        source="the BTT-Go paper, section 5.",
        method=(
            f"{SIZE}x{SIZE}, komi 6.5, {SIMULATIONS} simulations for every move, one thread: {GAMES} games of the"
            f" engine with itself, from where more than half of the board has stones, {MOVES} moves on; each with a"
            " memory that is only written and with playouts that stop, where 1 result and where 16 make a position"
            " known. Scale changes the games."
        ),
        cost="about ten minutes on one processor core.",
    )
)
