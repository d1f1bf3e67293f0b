"""What the engine thinks of a position, as JSON for the page; and one of its playouts, move by move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.go.engine import Analysis, EngineConfig
from tesuji.go.records.review import expected_score_for_black
from tesuji.go.rules.board import Board
from tesuji.search import Search
from tesuji.search.playouts import RecordedPlayouts

__all__ = ["playout_of", "shown_analysis"]

_MOVES = 12  # that are shown with their lines
_LINE = 14


def shown_analysis(board: Board, found: Analysis, name: Callable[[int], str]) -> dict[str, Any]:
    """An analysis: moves with their lines, win rate and points for Black, and maps with a number for each point.

    Maps are whole numbers from -100 to 100: ownership (100: Black's), criticality, prior and RAVE of moves.
    """
    winrate = found.winrate
    return {
        "simulations": found.simulations,
        "speed": round(found.simulations / max(found.seconds, 1e-6)),
        "black": winrate if board.to_play == 0 else 1 - winrate,
        "score": round(expected_score_for_black(board, found), 1),
        "moves": [
            {
                "move": one.move,
                "name": name(one.move),
                "visits": one.visits,
                "winrate": round(one.winrate, 4),
                "prior": round(one.prior, 4),
                "rave": None if one.rave is None else round(one.rave, 4),
                "line": one.pv[:_LINE],
                "names": [name(move) for move in one.pv[:_LINE]],
            }
            for one in found.moves[:_MOVES]
        ],
        "ownership": _hundredths(found.ownership),
        "criticality": _hundredths(found.criticality),
        "prior": _by_point(board, {one.move: one.prior for one in found.moves}),
        "rave": _by_point(board, {one.move: one.rave for one in found.moves if one.rave is not None}),
    }


def playout_of(board: Board, seed: int) -> dict[str, Any]:
    """One simulation of the engine: the moves of its playout, who owns what in the end, and who won.

    Raises
    ------
    ValueError
        If the game is over.
    """
    config = EngineConfig()
    recorded = RecordedPlayouts(capacity=1)
    search = msgspec.structs.replace(config.search, memory_bytes=64 << 20)
    Search(config.game_at(board), search, playouts=recorded).run(simulations=1, seed=seed)
    playout = recorded.playouts[0]
    final = board.copy()
    steps = []
    for made in [*playout.walk, *playout.moves]:
        if final.is_over or not final.is_legal(made.move, made.player + 1):
            break  # superko, which playouts do not look at
        final.play(made.move, made.player + 1)
        owner = final.grid.ravel().tobytes().translate(_SIGNS).decode()
        steps.append({"move": made.move, "player": made.player, "name": board.vertex(made.move), "owner": owner})
    return {"steps": steps, "value": playout.value, "seed": seed}


_SIGNS = bytes.maketrans(b"\x00\x01\x02", b".01")


def _hundredths(values: NDArray[np.float64]) -> list[int]:
    rounded: list[int] = np.rint(100 * values.ravel()).astype(int).tolist()
    return rounded


def _by_point(board: Board, values: dict[int, float]) -> list[list[float]]:
    """Points with a value, and nothing where there is none."""
    return [[move, round(value, 3)] for move, value in values.items() if move < board.num_points]
