"""An analysis of some moves of a position only: ``avoidMoves`` and ``allowMoves``.

The search cannot be told to leave moves out, so the position after each move is searched by itself, and the limits are
shared equally among the moves: the eight likeliest if more are left. The answer looks like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.go.analysis.policy import policy
from tesuji.go.engine import Analysis, Candidate, EngineConfig
from tesuji.go.knowledge.life import final_score, ownership
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color

__all__ = ["MOST_MOVES", "Analyst", "analyse_moves"]

MOST_MOVES = 8
_ENDED_PLAYOUTS = 100


class Analyst(Protocol):
    """What is asked of an engine."""

    config: EngineConfig

    def analyse(
        self,
        board: Board,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        on_progress: Callable[[Analysis], bool | None] | None = None,
        report_s: float = 0.2,
    ) -> Analysis:
        """Search a position; `on_progress` returning False ends that."""
        ...

    def stop(self) -> None:
        """End an analysis, from any thread."""
        ...


def analyse_moves(
    analyst: Analyst,
    board: Board,
    *,
    moves: Sequence[int],
    simulations: int | None,
    seconds: float | None,
    on_progress: Callable[[Analysis], bool],
    report_s: float,
    is_wanted: Callable[[], bool],
) -> Analysis:
    """Analyse a position as if there were no other moves.

    Parameters
    ----------
    analyst : Analyst
        Searches.
    board : Board
        Left unchanged.
    moves : sequence of int
        Legal ones, at least one.
    simulations, seconds : optional
        Limits of all moves together.
    on_progress : callable
        Asked with the analysis so far; False ends it.
    report_s : float
        Seconds between two such questions.
    is_wanted : callable
        Asked between two moves; False ends it too.
    """
    chosen = _likeliest(moves, board, analyst.config, simulations)
    share = None if simulations is None else max(1, simulations // len(chosen))
    share_s = None if seconds is None else seconds / len(chosen)
    done: list[Analysis] = []

    def progress(after: Analysis) -> bool:
        return on_progress(_together([*done, _before(move, after)]))

    for move in chosen:
        child = board.copy()
        child.play(move)
        if child.is_over:
            after = _ended(child)
        else:
            after = analyst.analyse(child, simulations=share, seconds=share_s, on_progress=progress, report_s=report_s)
        done.append(_before(move, after))
        if not is_wanted():
            break
    return _together(done)


def _likeliest(moves: Sequence[int], board: Board, config: EngineConfig, simulations: int | None) -> list[int]:
    most = MOST_MOVES if simulations is None else min(MOST_MOVES, simulations)
    chances = policy(board, config).tolist()
    return sorted(moves, key=lambda move: -chances[move])[:most]


def _before(move: int, after: Analysis) -> Analysis:
    """The analysis of a position with one move, from that of the position after it."""
    line = [move, *after.moves[0].pv] if after.moves else [move]
    visits = max(1, after.simulations)
    found = Candidate(move=move, visits=visits, winrate=1.0 - after.winrate, pv=line)
    return msgspec.structs.replace(after, moves=[found], simulations=visits, position=None)


def _ended(board: Board) -> Analysis:
    """The analysis of a position after two passes: who has won, as the one reply to be expected."""
    winner = final_score(board).winner
    winrate = 0.5 if winner is Color.EMPTY else float(winner is board.color_to_play)
    return Analysis(
        moves=[Candidate(move=board.pass_move, visits=1, winrate=winrate, pv=[])],
        ownership=ownership(board, _ENDED_PLAYOUTS, seed=1),
        criticality=np.zeros((board.height, board.width)),
        simulations=1,
        seconds=0.0,
        seed=0,
        position=board.position,
    )


def _together(parts: Sequence[Analysis]) -> Analysis:
    """One analysis of several moves, the best first."""
    total = sum(part.simulations for part in parts)
    weights = [part.simulations / total for part in parts]
    return Analysis(
        moves=sorted((part.moves[0] for part in parts), key=lambda found: -found.winrate),
        ownership=_mean((part.ownership for part in parts), weights),
        criticality=_mean((part.criticality for part in parts), weights),
        simulations=total,
        seconds=sum(part.seconds for part in parts),
        seed=parts[0].seed,
    )


def _mean(grids: Iterable[NDArray[np.float64]], weights: Iterable[float]) -> NDArray[np.float64]:
    first, *others = (weight * grid for weight, grid in zip(weights, grids, strict=True))
    return sum(others, start=first)
