"""How the engine behaves at the table: when there is nothing to think about, and when a move need not be made.

A search for the win does not mind wasting a point in a won game, nor playing on in one that is over. People do. So a
pass is answered where the count is won for certain, and a found move is replaced where nothing is left to play for:
by a pass, or under territory scoring by a move that does not cost a point (docs/algorithms/manners.md).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tesuji.go.knowledge.life import Judgement, judge
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color
from tesuji.go.rules.score import count
from tesuji.search import SearchResult

__all__ = ["better_mannered", "passes_at_once"]

_PLAYOUTS = 128  # for the second look at a found move: it comes on top of the move's time
_MOSTLY = 0.8  # an owner that the search takes for granted
_TOLERANCE = 0.02  # of win rate, for not wasting a point
_RIVAL_SHARE = 0.02  # of the best move's visits; fewer say nothing


def passes_at_once(board: Board) -> bool:
    """Whether the side to move need not search: there is no other move, or both stop and it has won."""
    if board.is_over or len(board.legal_moves()) == 1:
        return True
    return board.passes > 0 and _has_won(board)


def better_mannered(board: Board, found: SearchResult, owners: Callable[[], NDArray[np.float64]]) -> int:
    """The move to play, given the one that the search found.

    Parameters
    ----------
    board : Board
        The position, with the mover to play.
    found : SearchResult
        What the search says; its best move is not a pass.
    owners : callable
        Who owns which point in the eyes of the search, -1 (white's) to 1 (black's); asked only if it matters.
    """
    move, rules = found.best_move, board.rules
    if move == board.pass_move or not rules.removes_dead:
        return move
    sign = 1.0 if board.color_to_play == Color.BLACK else -1.0
    owned = owners().ravel()
    if abs(owned[move]) < _MOSTLY:  # something may be gained there
        return move
    judged = judge(board, _PLAYOUTS)
    is_territory = rules.scoring == "territory" and not rules.pass_stones
    if _is_settled(board, judged, is_territory=is_territory) and (is_territory or _has_won(board)):
        return board.pass_move
    is_own = sign * owned[move] > 0 and bool(judged.is_sure[move])
    return _unwasted(found, judged, sign * owned) if is_territory and is_own else move


def _unwasted(found: SearchResult, judged: Judgement, owned: NDArray[np.float64]) -> int:
    """The most visited move that is not in the mover's own sure territory and hardly worse, or the one found."""
    visits, best = found.visits.astype(np.int64), float(found.values[found.moves == found.best_move][0])
    for index in np.argsort(-visits, kind="stable").tolist():
        move = int(found.moves[index])
        is_waste = move < len(owned) and owned[move] >= _MOSTLY and judged.is_sure[move]
        is_known = visits[index] >= _RIVAL_SHARE * visits.max()
        if is_known and not is_waste and found.values[index] >= best - _TOLERANCE:
            return move
    return found.best_move


def _has_won(board: Board) -> bool:
    """Whether the side to move has won if both stop now, whatever becomes of the chains that are in doubt."""
    if not board.rules.removes_dead:
        return board.score().winner == board.color_to_play
    judged = judge(board)
    lost = {p for p in judged.points("dead") if p not in judged.in_doubt or board.color_at(p) == board.color_to_play}
    lost |= {p for p in judged.in_doubt if board.color_at(p) == board.color_to_play}
    return count(board, dead=sorted(lost), seki=judged.points("seki")).winner == board.color_to_play


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
