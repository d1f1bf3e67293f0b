"""An `Analysis` as the JSON object that KataGo's protocol has for it.

Win rates, scores and ownership are those of one viewer (`tesuji.go.analysis.settings.viewer`). What the search does not
measure is derived, and only where a reader of the protocol needs it:

- ``scoreLead`` of the position is who owns the board at the end of the playouts, less komi.
- ``scoreStdev`` is the spread of the playouts' scores, from the ownership: points that belong to one or the other by
  chance spread by ``sqrt(sum(1 - ownership^2))`` if they are independent. Points of a chain are not; playouts spread
  about 4.3 times as wide (3.6 to 4.9 on 9x9, 13x13 and 19x19, from the first move to the endgame).
- ``scoreLead`` of a move is the position's, shifted by as much as the move's win rate says on a normal curve of that
  spread. The best move has the position's.
- ``utility`` is the win rate on a scale from -1 to 1; the score is not part of it.
- ``lcb`` is the one-sided 95 % bound of the win rate, ``utilityLcb`` the same as a utility.
- ``weight``, ``edgeVisits``, ``edgeWeight`` and ``playSelectionValue`` are all the visits: simulations count alike, a
  position's are not shared between the moves that lead to it, and the most visited move is played.
- ``symHash`` is the same for positions that are mirrored or turned.
"""

from __future__ import annotations

import hashlib
import math
from statistics import NormalDist
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.go.analysis.policy import judged_by_network, policy
from tesuji.go.analysis.query import Query
from tesuji.go.analysis.settings import viewer
from tesuji.go.engine import Analysis, Candidate
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color
from tesuji.go.rules.vertex import to_vertex
from tesuji.learning.network.model import Judgements

__all__ = ["Answer", "MoveInfo", "NoResults", "RootInfo", "answered"]

_NORMAL = NormalDist()
_SPREAD = 4.3
_KO_MARK = 3  # beside the colours
_DIGITS = 6


class MoveInfo(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A move that was looked at; numbers in the viewer's view."""

    move: str
    visits: int
    edge_visits: int
    weight: float
    edge_weight: float
    play_selection_value: float
    winrate: float
    score_lead: float
    score_mean: float
    score_stdev: float
    utility: float
    utility_lcb: float
    lcb: float
    prior: float
    order: int
    pv: list[str]


class RootInfo(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The position as a whole, likewise."""

    visits: int
    weight: float
    winrate: float
    score_lead: float
    score_stdev: float
    utility: float
    lcb: float
    current_player: Literal["B", "W"]
    this_hash: str
    sym_hash: str
    raw_winrate: float | msgspec.UnsetType = msgspec.UNSET
    raw_lead: float | msgspec.UnsetType = msgspec.UNSET


class Answer(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What a search found at one turn of a query."""

    id: str
    turn_number: int
    is_during_search: bool
    move_infos: list[MoveInfo]
    root_info: RootInfo
    ownership: list[float] | msgspec.UnsetType = msgspec.UNSET
    policy: list[float] | msgspec.UnsetType = msgspec.UNSET


class NoResults(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The last word on a turn that was terminated before anything was found."""

    id: str
    turn_number: int
    is_during_search: bool = False
    no_results: bool = True


class _View:
    """The numbers of one analysis, turned to the viewer."""

    def __init__(self, found: Analysis, board: Board, viewer: Color) -> None:
        self._is_mover = board.color_to_play is viewer
        self._sign = 1.0 if viewer is Color.BLACK else -1.0
        owners = found.ownership
        self._lead_for_black = float(owners.sum()) - board.komi
        self._mover_sign = 1.0 if board.color_to_play is Color.BLACK else -1.0
        self.spread = _SPREAD * math.sqrt(max(0.0, owners.size - float(np.vdot(owners, owners))))
        self._best = _standing(found.moves[0]) if found.moves else 0.0

    def winrate(self, for_mover: float) -> float:
        """A win rate of the side to move."""
        return round(for_mover if self._is_mover else 1.0 - for_mover, _DIGITS)

    def lead(self, move: Candidate | None = None) -> float:
        """The expected score, after a move or before any."""
        shift = 0.0 if move is None else self._mover_sign * self.spread * (_standing(move) - self._best)
        return round(self._sign * (self._lead_for_black + shift), 3)

    def points(self, for_mover: float) -> float:
        """A score of the side to move."""
        return round(for_mover if self._is_mover else -for_mover, 3)

    def owners(self, ownership: NDArray[np.float64]) -> list[float]:
        """Row by row from the upper left."""
        turned: list[float] = np.round(self._sign * ownership, _DIGITS).ravel().tolist()
        return turned


def answered(query: Query, turn: int, board: Board, found: Analysis, *, is_during_search: bool) -> Answer:
    """The answer to one turn of a query.

    Parameters
    ----------
    query : Query
        What was asked.
    turn : int
        How many moves were played.
    board : Board
        The position then.
    found : Analysis
        Of that position.
    is_during_search : bool
        Whether more is to come.
    """
    view = _View(found, board, viewer(query.settings.perspective, board.color_to_play))
    judged = judged_by_network(board, query.settings.config)
    chances = policy(board, query.settings.config, judged)
    return Answer(
        id=query.id,
        turn_number=turn,
        is_during_search=is_during_search,
        move_infos=[_move_info(order, move, view, board, query, chances) for order, move in enumerate(found.moves)],
        root_info=_root_info(found, view, board, judged),
        ownership=view.owners(found.ownership) if query.has_ownership else msgspec.UNSET,
        policy=np.round(chances, 8).tolist() if query.has_policy else msgspec.UNSET,
    )


def _move_info(
    order: int, move: Candidate, view: _View, board: Board, query: Query, chances: NDArray[np.float64]
) -> MoveInfo:
    width, height = board.width, board.height
    winrate, lead, lcb = view.winrate(move.winrate), view.lead(move), view.winrate(move.lower_bound)
    return MoveInfo(
        move=to_vertex(move.move, width, height),
        visits=move.visits,
        edge_visits=move.visits,
        weight=float(move.visits),
        edge_weight=float(move.visits),
        play_selection_value=float(move.visits),
        winrate=winrate,
        score_lead=lead,
        score_mean=lead,
        score_stdev=round(view.spread, 3),
        utility=round(2.0 * winrate - 1.0, _DIGITS),
        utility_lcb=round(2.0 * lcb - 1.0, _DIGITS),
        lcb=lcb,
        prior=round(float(chances[move.move]), 8),
        order=order,
        pv=[to_vertex(point, width, height) for point in move.pv[: query.pv_length + 1]],
    )


def _root_info(found: Analysis, view: _View, board: Board, raw: Judgements | None) -> RootInfo:
    winrate = view.winrate(found.winrate)
    return RootInfo(
        visits=found.simulations,
        weight=float(found.simulations),
        winrate=winrate,
        score_lead=view.lead(),
        score_stdev=round(view.spread, 3),
        utility=round(2.0 * winrate - 1.0, _DIGITS),
        lcb=view.winrate(found.moves[0].lower_bound),
        current_player="B" if board.color_to_play is Color.BLACK else "W",
        this_hash=f"{board.position.key:016X}",
        sym_hash=_symmetry_hash(board),
        raw_winrate=msgspec.UNSET if raw is None else view.winrate(float(raw.wins[0])),
        raw_lead=msgspec.UNSET if raw is None else view.points(float(raw.scores[0])),
    )


def _symmetry_hash(board: Board) -> str:
    """A hash of stones, side to move and ko that symmetries leave alone: the least of eight."""
    grid = board.grid.copy()
    if board.ko is not None:
        grid[divmod(board.ko, board.width)] = _KO_MARK
    turned = [np.rot90(side, quarters) for side in (grid, grid.T) for quarters in range(4)]
    pictures = (bytes([board.color_to_play, *side.shape]) + side.tobytes() for side in turned)
    return min(hashlib.blake2b(picture, digest_size=16).hexdigest() for picture in pictures).upper()


def _standing(move: Candidate) -> float:
    """How far a move's win rate lies above even, in deviations; by Laplace's rule few visits say little."""
    wins = min(1.0, max(0.0, move.winrate)) * move.visits
    return _NORMAL.inv_cdf((wins + 1.0) / (move.visits + 2.0))
