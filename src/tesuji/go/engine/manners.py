"""How the engine behaves at the table: when there is nothing to think about, and when a move need not be made.

A search for the win does not mind wasting a point in a won game, nor playing on in one that is over. People do. So a
pass is answered where the count is won for certain, and a found move is replaced where nothing is left to play for:
by a pass, or under territory scoring by a move that does not cost a point (docs/algorithms/manners.md).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tesuji.go.knowledge.life import Judgement, counted, judge
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color
from tesuji.search import SearchResult

__all__ = ["Manners"]

_MOSTLY = 0.8  # an owner that the search takes for granted
_TOLERANCE = 0.02  # of win rate, for not wasting a point
_RIVAL_SHARE = 0.02  # of the best move's visits; fewer say nothing
_EVEN = 0.4  # of win rate: a game that is still to be played, not one that the move would throw away


class Manners:
    """One move at the table. Life and death are judged once for it, and only if that matters.

    Parameters
    ----------
    board : Board
        The position, with the mover to play; not to be changed meanwhile.
    """

    def __init__(self, board: Board) -> None:
        self._board = board

    @cached_property
    def _judged(self) -> Judgement:
        return judge(self._board)

    @cached_property
    def _has_won(self) -> bool:
        """Whether the side to move has won if both stop now, whatever becomes of the chains that are in doubt."""
        board, own = self._board, self._board.color_to_play
        if not board.rules.removes_dead:
            return board.score().winner == own
        judged = self._judged
        lost = {p for p in judged.points("dead") if p not in judged.in_doubt or board.color_at(p) == own}
        lost |= {p for p in judged.in_doubt if board.color_at(p) == own}
        seki = [p for p in judged.points("seki") if p not in judged.in_doubt]
        return counted(board, sorted(lost), seki).winner == own

    def passes_at_once(self) -> bool:
        """Whether the side to move need not search: there is no other move, or both stop and it has won.

        A count that is won while borders are open is not a reason: who passes there has forgotten something.
        """
        board = self._board
        if board.is_over or len(board.legal_moves()) == 1:
            return True
        return board.passes > 0 and self._has_won and (not board.rules.removes_dead or _is_closed(board, self._judged))

    def better(self, found: SearchResult, owners: Callable[[], NDArray[np.float64]]) -> int:
        """The move to play, given the one that the search found.

        Parameters
        ----------
        found : SearchResult
            What the search says.
        owners : callable
            Who owns which point in the eyes of the search, -1 (white's) to 1 (black's); asked only if it matters.
        """
        board, move, rules = self._board, found.best_move, self._board.rules
        if not rules.removes_dead:
            return move
        owned = np.abs(owners().ravel())
        if move != board.pass_move and owned[move] < _MOSTLY:  # something may be gained there
            return move
        judged = self._judged
        is_territory = rules.scoring == "territory" and not rules.pass_stones
        if _is_settled(board, judged, is_territory=is_territory) and (is_territory or self._has_won):
            return board.pass_move
        is_settled = judged.is_sure & (owned >= _MOSTLY)
        if move == board.pass_move:
            return self._unless_forgotten(found, is_settled)
        if is_territory and is_settled[move]:
            other = _unwasted(found, is_settled)
            return board.pass_move if other is None and self._has_won else move if other is None else other
        return move

    def _unless_forgotten(self, found: SearchResult, is_settled: NDArray[np.bool_]) -> int:
        """The pass that the search found, or a move: in a lost game, or as an answer while borders are open.

        By area a second pass wins for whoever is ahead by komi alone, and a search sees that. People who pass there
        have forgotten something.
        """
        other = _instead_of_pass(found, is_settled)
        if not self._has_won or other == found.best_move:
            return other
        is_answer = self._board.passes > 0 and not _is_closed(self._board, self._judged)
        is_even = float(found.values[found.moves == other][0]) >= _EVEN
        return other if is_answer and is_even else found.best_move


def _unwasted(found: SearchResult, is_settled: NDArray[np.bool_]) -> int | None:
    """The most visited move that is in nobody's settled territory and hardly worse than the one found, if any."""
    visits, best = found.visits.astype(np.int64), float(found.values[found.moves == found.best_move][0])
    for index in np.argsort(-visits, kind="stable").tolist():
        move = int(found.moves[index])
        is_known = visits[index] >= _RIVAL_SHARE * visits.max()
        if is_known and not (move < len(is_settled) and is_settled[move]) and found.values[index] >= best - _TOLERANCE:
            return move
    return None


def _instead_of_pass(found: SearchResult, is_settled: NDArray[np.bool_]) -> int:
    """The most visited move where something is left, for who passes in a lost game; a pass if there is none."""
    for index in np.argsort(-found.visits.astype(np.int64), kind="stable").tolist():
        move = int(found.moves[index])
        if move < len(is_settled) and not is_settled[move] and found.visits[index] > 0:
            return move
    return found.best_move


def _is_closed(board: Board, judged: Judgement) -> bool:
    """Whether every empty point has an owner, lies between living stones, or belongs to the fate of chains in doubt."""
    unsure = [p for p in np.flatnonzero(~judged.is_sure).tolist() if not board.color_at(p)]
    return all(
        _is_neutral(board, judged, point) or not judged.in_doubt.isdisjoint(board.neighbours(point)) for point in unsure
    )


def _is_settled(board: Board, judged: Judgement, *, is_territory: bool) -> bool:
    """Whether nothing is left to play for; a neutral point is worth something by area only."""
    if judged.in_doubt:
        return False
    unsure = [p for p in np.flatnonzero(~judged.is_sure).tolist() if not board.color_at(p)]
    return all(is_territory and _is_neutral(board, judged, point) for point in unsure)


def _is_neutral(board: Board, judged: Judgement, point: int) -> bool:
    """Whether living stones of both colours touch it."""
    stones = {board.color_at(q) for q in board.neighbours(point) if judged.status.get(q, "dead") != "dead"}
    return {Color.BLACK, Color.WHITE} <= stones
