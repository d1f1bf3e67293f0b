"""A game as the database keeps it: what is known about it, set-up stones, moves packed in 16 bits each.

A move is its point, or ``width * height`` for a pass; `WHITE` is added for White. Ranks become numbers, so that they
can be compared: 1 to 9 for dan, 101 to 109 for professional dan, -1 to -30 for kyu.
"""

from __future__ import annotations

import re

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.go.knowledge.position_key import WHITE
from tesuji.go.records.game_record import GameRecord
from tesuji.go.records.sgf_tree import Properties, SgfError, Tree, escaped, written
from tesuji.go.records.sgf_values import komi_text
from tesuji.go.rules.color import Color
from tesuji.go.rules.vertex import to_sgf_point

__all__ = ["NO_MOVE", "WHITE", "GameInfo", "StoredGame", "game_sgf", "rank_number", "stored_game"]

NO_MOVE = 0xFFFF
_MAX_MOVES = 2000
_RANK = re.compile(r"\s*([0-9]{1,2})\s*(?:-?\s*)?(dan|kyu|pro|[dkp段級级])", re.IGNORECASE)
_WINNER = re.compile(r"\s*([BW])\s*\+", re.IGNORECASE)
_DATE = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?")
_SECONDS = re.compile(r"\s*([0-9]{1,7}(?:\.[0-9]+)?)\s*$")


class GameInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What is known about a game.

    Attributes
    ----------
    width, height : int
        The size of the board.
    komi : float or None
        In points, None where the record is silent.
    handicap : int
        As recorded.
    rules, result, black, white, black_rank, white_rank, event : str
        As recorded; empty where the record is silent.
    winner : int
        1 Black, 2 White, 0 nobody or unknown.
    date : str
        ``1993-10-30``, ``1993-10`` or ``1993``; empty if there is none that can be read.
    time_s : float or None
        Main time of each player.
    source : str
        The file, and what the game calls itself.
    """

    width: int
    height: int
    komi: float | None = None
    handicap: int = 0
    rules: str = ""
    result: str = ""
    winner: int = 0
    black: str = ""
    white: str = ""
    black_rank: str = ""
    white_rank: str = ""
    date: str = ""
    event: str = ""
    time_s: float | None = None
    source: str = ""


class StoredGame(msgspec.Struct, frozen=True):
    """A game with its moves.

    Attributes
    ----------
    info : GameInfo
        What is known about it.
    black, white : list of int
        Stones before the first move.
    moves : uint16 array
        As recorded.
    """

    info: GameInfo
    black: list[int]
    white: list[int]
    moves: NDArray[np.uint16]


def stored_game(record: GameRecord, source: str = "") -> StoredGame:
    """A record as the database keeps it.

    Raises
    ------
    SgfError
        If stones are set up in mid-game, or there are more moves than any game has.
    """
    if any(setup.before > 0 and (setup.black or setup.white or setup.empty) for setup in record.setups):
        raise SgfError("stones are set up in mid-game: that is not a game that was played")
    if len(record.moves) > _MAX_MOVES:
        raise SgfError(f"has {len(record.moves)} moves, more than {_MAX_MOVES}: that is not a game that was played")
    black = sorted({point for setup in record.setups for point in setup.black})
    white = sorted({point for setup in record.setups for point in setup.white} - set(black))
    moves = np.array([point | (WHITE if color == Color.WHITE else 0) for color, point in record.moves], np.uint16)
    return StoredGame(_info(record, source), black, white, moves)


def _info(record: GameRecord, source: str) -> GameInfo:
    winner = _WINNER.match(record.result)
    date, seconds = _DATE.search(record.text("DT")), _SECONDS.match(record.text("TM"))
    return GameInfo(
        width=record.width,
        height=record.height,
        komi=record.komi,
        handicap=record.handicap,
        rules=record.rules_name,
        result=record.result,
        winner=0 if winner is None else (Color.BLACK if winner[1] in "Bb" else Color.WHITE),
        black=record.black,
        white=record.white,
        black_rank=record.text("BR"),
        white_rank=record.text("WR"),
        date=date[0] if date else "",
        event=record.text("EV"),
        time_s=float(seconds[1]) if seconds else None,
        source=source + (f" {record.text('GN')}" if record.text("GN") else ""),
    )


def rank_number(rank: str) -> int | None:
    """A rank as a number to compare: ``9p`` 109, ``6d`` 6, ``3k`` -3; None if it is none.

    >>> rank_number("9p"), rank_number("6 dan"), rank_number("3k"), rank_number("NR")
    (109, 6, -3, None)
    """
    found = _RANK.match(rank)
    if found is None:
        return None
    number, kind = int(found[1]), found[2].lower()
    if kind in ("k", "kyu", "級", "级"):
        return -number
    return 100 + number if kind in ("p", "pro") else number


def game_sgf(game: StoredGame) -> bytes:
    """The game as SGF, FF[4] in UTF-8."""
    info = game.info
    width, height = info.width, info.height
    root: Properties = {"FF": [b"4"], "GM": [b"1"], "CA": [b"UTF-8"], "AP": [b"Tesuji"]}
    root["SZ"] = [f"{width}".encode() if width == height else f"{width}:{height}".encode()]
    if info.komi is not None:
        root["KM"] = [komi_text(info.komi)]
    if info.handicap:
        root["HA"] = [str(info.handicap).encode()]
    texts = {"RU": info.rules, "RE": info.result, "PB": info.black, "BR": info.black_rank, "PW": info.white}
    texts |= {"WR": info.white_rank, "DT": info.date, "EV": info.event}
    texts["TM"] = "" if info.time_s is None else f"{info.time_s:g}"
    root.update({name: [escaped(text)] for name, text in texts.items() if text})
    for name, points in (("AB", game.black), ("AW", game.white)):
        if points:
            root[name] = [to_sgf_point(point, width, height).encode() for point in points]
    nodes = [_move_node(int(move), width, height) for move in game.moves]
    return written(Tree([root, *nodes]))


def _move_node(move: int, width: int, height: int) -> Properties:
    return {"W" if move & WHITE else "B": [to_sgf_point(move & ~WHITE, width, height).encode()]}
