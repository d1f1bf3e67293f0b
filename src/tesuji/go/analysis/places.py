"""Stones, moves and restrictions of a query: colours and vertices of JSON as those of a board."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from tesuji.go.analysis.errors import QueryError, shown
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color
from tesuji.go.rules.vertex import parse_vertex

__all__ = ["MAX_SIZE", "Restriction", "Stone", "read_color", "read_restriction", "read_stones"]

MAX_SIZE = 25
Stone = tuple[Color, int]
_COLORS = {"b": Color.BLACK, "black": Color.BLACK, "w": Color.WHITE, "white": Color.WHITE}
_COLUMN_AND_ROW = re.compile(r"\((\d{1,4}),(\d{1,4})\)")
_MOST_STONES = 10_000
_STONE_FORM = 'must be a list of pairs such as ["B","Q4"]'
_RESTRICTION_FORM = "must be a list of objects with player, moves and untilDepth"


class Restriction(msgspec.Struct, frozen=True):
    """Which moves each side may be analysed with.

    Attributes
    ----------
    field : str
        Of the query, for messages; empty without a restriction.
    allowed : dict of Color to set of int
        The only moves of a side.
    avoided : dict of Color to set of int
        Moves that a side shall not make.
    is_deep : bool
        Whether the query asks for more than the first move, which is all that is held.
    """

    field: str = ""
    allowed: dict[Color, set[int]] = {}
    avoided: dict[Color, set[int]] = {}
    is_deep: bool = False

    def moves_left(self, board: Board) -> list[int] | None:
        """The legal moves that remain for the side to move; None if nothing is restricted.

        Raises
        ------
        QueryError
            If none remains.
        """
        side = board.color_to_play
        if side not in self.allowed and side not in self.avoided:
            return None
        legal = board.legal_moves(side).tolist()
        allowed, avoided = self.allowed.get(side, legal), self.avoided.get(side, ())
        left = [move for move in legal if move in allowed and move not in avoided]
        if not left:
            raise QueryError(self.field, f"{self.field} leaves {side} no legal move after {board.num_moves} moves")
        return left


def read_color(field: str, said: object) -> Color:
    """A player: ``"B"``, ``"W"`` or the whole word, in any case."""
    color = _COLORS.get(said.lower()) if isinstance(said, str) else None
    if color is None:
        raise QueryError(field, f'{shown(said)} is not a player; write "B" or "W"')
    return color


def read_stones(field: str, said: list[Any], width: int, height: int, *, may_pass: bool) -> list[Stone]:
    """Pairs of player and vertex."""
    if len(said) > _MOST_STONES:
        raise QueryError(field, f"{field} has {len(said):,} entries; at most {_MOST_STONES:,} are read")
    stones = []
    for pair in said:
        if not isinstance(pair, list) or len(pair) != 2:
            raise QueryError(field, f"{field} {_STONE_FORM}; {shown(pair)} is none")
        move = _read_move(field, pair[1], width, height)
        if move == width * height and not may_pass:
            raise QueryError(field, f"{field} has a pass; a stone needs a point")
        stones.append((read_color(field, pair[0]), move))
    return stones


def read_restriction(avoid: list[Any] | None, allow: list[Any] | None, width: int, height: int) -> Restriction:
    """``avoidMoves`` and ``allowMoves``, of which a query has one at most."""
    if avoid is not None and allow is not None:
        raise QueryError("allowMoves", "a query has allowMoves or avoidMoves, not both; leave one out")
    if avoid is None and allow is None:
        return Restriction()
    field, entries = ("allowMoves", allow) if avoid is None else ("avoidMoves", avoid)
    sides: dict[Color, set[int]] = {}
    depth = 1
    for entry in entries or ():
        side, moves, until_depth = _read_entry(field, entry, width, height)
        sides.setdefault(side, set()).update(moves)
        depth = max(depth, until_depth)
    if field == "allowMoves":
        return Restriction(field, sides, {}, depth > 1)
    return Restriction(field, {}, sides, depth > 1)


def _read_entry(field: str, entry: object, width: int, height: int) -> tuple[Color, Iterable[int], int]:
    if not isinstance(entry, dict) or not {"player", "moves", "untilDepth"} <= entry.keys():
        raise QueryError(field, f"{field} {_RESTRICTION_FORM}; {shown(entry)} is none")
    moves, depth = entry["moves"], entry["untilDepth"]
    if not isinstance(moves, list) or len(moves) > _MOST_STONES:
        raise QueryError(field, f"moves of {field} must be a list of at most {_MOST_STONES:,} vertices")
    if type(depth) is not int or depth < 1:
        raise QueryError(field, f"untilDepth is {shown(depth)}; it must be a whole number above 0")
    return read_color(field, entry["player"]), [_read_move(field, move, width, height) for move in moves], depth


def _read_move(field: str, said: object, width: int, height: int) -> int:
    """A GTP vertex, pass, or KataGo's ``(column,row)``, both counted from 0 at the upper left."""
    if not isinstance(said, str):
        raise QueryError(field, f"Could not parse board location: {shown(said)} is not a text such as D4 or pass")
    if said.startswith("(") and (pair := _COLUMN_AND_ROW.fullmatch(said)):
        column, row = int(pair[1]), int(pair[2])
        if column >= width or row >= height:
            raise QueryError(field, f"Could not parse board location: {said} is off the {width}x{height} board")
        return row * width + column
    try:
        return parse_vertex(said, width, height)
    except ValueError as error:
        raise QueryError(field, f"Could not parse board location: {error}") from None
