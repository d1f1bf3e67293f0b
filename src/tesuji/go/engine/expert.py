"""The engine as an expert that finishes openings: for both sides, at a fixed number of simulations a move.

It plays until all of 24 playouts are won by the same side, which is asked every fourth move; their mean is the score.
A game that never gets there is played to two passes and counted with its dead stones taken off. One search follows the
whole game, so that little is searched twice.
"""

from __future__ import annotations

from tesuji._core import go as _native
from tesuji.go.engine.config import EngineConfig
from tesuji.go.knowledge.life import final_score
from tesuji.go.rules.board import Board

__all__ = ["SearchExpert"]

_PLAYOUTS = 24
_TURNS_BETWEEN = 4


class SearchExpert:
    """Finishes games by search.

    Parameters
    ----------
    simulations : int
        For each move.
    config : EngineConfig, optional
        How the engine thinks.
    """

    def __init__(self, simulations: int = 16, config: EngineConfig | None = None) -> None:
        if not 1 <= simulations <= 1_000_000:
            raise ValueError(f"simulations is {simulations}; it must lie in 1..1000000")
        self._simulations = simulations
        self._config = config or EngineConfig()

    @property
    def name(self) -> str:
        """``tesuji:16``."""
        return f"tesuji:{self._simulations}"

    def score(self, board: Board, seed: int) -> float:
        """Play until it is decided; Black's points minus White's, komi included."""
        board = board.copy()
        search = self._config.search_at(board)
        for turn in range(3 * board.num_points):
            if board.is_over:
                break
            if turn % _TURNS_BETWEEN == 0 and (score := self._decided(board, seed + turn)) is not None:
                return score
            found = search.run(simulations=self._simulations, seed=seed if turn == 0 else None)
            search.advance(found.best_move)
            board.play(found.best_move)
        return final_score(board).margin

    def _decided(self, board: Board, seed: int) -> float | None:
        """The mean score of playouts that all have the same winner; None if they have not."""
        policy = self._config.playouts.native(board.num_points)
        margins = _native.run_playouts(board, policy, _PLAYOUTS, seed)[0] - board.komi
        return float(margins.mean()) if (margins > 0).all() or (margins < 0).all() else None
