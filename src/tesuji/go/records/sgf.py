"""Game records: SGF read into `GameRecord`, and a `Board`'s game written as SGF.

`load` reads one game, `choose_game` any one of a collection and `read_games` all, one at a time; they take FF[1] to
FF[4], rectangular boards, set-up stones anywhere, text in any charset that keeps ASCII, and packed files. A record
holds the main line; `GameRecord.lines` gives every variation as a record of its own, and `GameRecord.tree` has all of
it. `to_sgf` writes FF[4] in UTF-8.

Files of other programs are read as far as they make sense. What does not (a handicap in words, a stone off the board,
signs between properties, a last parenthesis that is missing) is left out and named in `GameRecord.remarks`. What
leaves no game (no board of that size, a move off the board) is an `SgfError`.

This module does not judge a game (dead stones, result): it replays what was recorded. The grammar is `sgf_tree.py`'s.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import warnings
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from tesuji.go.records.charset import to_utf8
from tesuji.go.records.game_record import GameRecord, Setup, record_of
from tesuji.go.records.sgf_tree import MAX_NESTING, Properties, SgfError, Tree, escaped, is_name, read_trees, written
from tesuji.go.records.sgf_values import komi_text
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color
from tesuji.go.rules.vertex import quoted, to_sgf_point

__all__ = [
    "MAX_NESTING",
    "ChosenGame",
    "GameRecord",
    "Setup",
    "SgfError",
    "SgfWarning",
    "choose_game",
    "load",
    "read_file",
    "read_games",
    "to_sgf",
]

Source: TypeAlias = bytes | str | os.PathLike[str]

_LETTERS = {Color.BLACK: "B", Color.WHITE: "W"}
_MOST_COUNTED, _MOST_UNPACKED = 1000, 2**30
_SGF_RULES = {"chinese": "Chinese", "japanese": "Japanese", "aga": "AGA", "new-zealand": "NZ"}  # the standard's names


class SgfWarning(UserWarning):
    """A game of a collection that was passed over because it cannot be read."""


def load(source: Source, *, charset: str | None = None) -> GameRecord:
    """Read the first game of a file.

    Parameters
    ----------
    source : bytes, str or path
        SGF data as bytes, or the path of a file.
    charset : str, optional
        Read the text so, whatever the file says (its CA property, else UTF-8, else Latin-1).

    Returns
    -------
    GameRecord
        The main line.

    Raises
    ------
    SgfError
        If there is no game of Go to read, or the first one cannot be.
    """
    first = next(_games(source, charset))
    if isinstance(first, SgfError):
        raise first
    return first


@dataclass(frozen=True)
class ChosenGame:
    """A game of a collection.

    Attributes
    ----------
    record : GameRecord
        It.
    number : int
        Which, from 1.
    count : int
        How many there are, those that cannot be read included.
    has_more : bool
        Whether that is only as far as they were counted.
    """

    record: GameRecord
    number: int
    count: int
    has_more: bool


def choose_game(source: Source, number: int = 1, *, charset: str | None = None) -> ChosenGame:
    """Read one game of a collection, and count the others (a thousand further at most).

    Raises
    ------
    SgfError
        If there are fewer games, or that one cannot be read.
    """
    games = _games(source, charset)
    before = sum(1 for _ in islice(games, number - 1))
    chosen = next(games, None)
    if chosen is None:
        raise SgfError(f"it holds {before} game{'' if before == 1 else 's'}: there is no game {number}")
    if isinstance(chosen, SgfError):
        raise chosen if number == 1 else SgfError(f"game {number}: {chosen}")
    after = sum(1 for _ in islice(games, _MOST_COUNTED))
    return ChosenGame(chosen, number, number + after, next(games, None) is not None)


def read_games(
    source: Source, *, charset: str | None = None, on_error: Callable[[SgfError], None] | None = None
) -> Iterator[GameRecord]:
    """Read the games of a collection one after the other; whatever stands between them is ignored.

    Parameters
    ----------
    source : bytes, str or path
        SGF data as bytes, or the path of a file.
    charset : str, optional
        Read the text so; otherwise the first CA property of the collection counts for all of it.
    on_error : callable, optional
        Told of each game that cannot be read, which is then passed over. Without it such a game is an `SgfWarning`.

    Yields
    ------
    GameRecord
        The main line of each game.

    Raises
    ------
    SgfError
        If there is no game, or none that can be read.
    """
    first_error, num_read = None, 0
    for number, game in enumerate(_games(source, charset), start=1):
        if isinstance(game, GameRecord):
            num_read += 1
            yield game
            continue
        error = SgfError(f"game {number}: {game}")
        first_error = first_error or error
        if on_error is not None:
            on_error(error)
        elif num_read:
            warnings.warn(str(error), SgfWarning, stacklevel=2)
    if first_error is not None and not num_read:
        raise first_error


def _games(source: Source, charset: str | None) -> Iterator[GameRecord | SgfError]:
    """Each game, or why there is none."""
    data = source if isinstance(source, bytes) else read_file(source)
    try:
        data, remark = to_utf8(data, charset)
    except ValueError as error:
        raise SgfError(str(error)) from error
    is_empty = True
    for tree, left_out in read_trees(data):
        is_empty = False
        if isinstance(tree, SgfError):
            yield tree
            continue
        tree.sequence[0]["CA"] = [b"UTF-8"]
        try:
            record = record_of(tree, tree.main_line(), [remark] * bool(remark) + left_out)
        except SgfError as error:
            yield error
        else:
            yield record
    if is_empty:
        raise SgfError("there is no game in the SGF data: a game begins with '(;'")


def to_sgf(
    board: Board,
    *,
    black: str = "",
    white: str = "",
    result: object = "",
    comments: Mapping[int, str] | None = None,
    properties: Mapping[str, str] | None = None,
) -> bytes:
    """Write the game on a board as SGF FF[4] in UTF-8.

    Parameters
    ----------
    board : Board
        The game: where its history begins (set-up and handicap stones included), and its moves.
    black, white : str
        The players' names.
    result : Score or str
        For instance ``board.score()``, ``"B+3.5"`` or ``"W+R"``.
    comments : mapping of int to str, optional
        By the number of moves made so far; 0 is the start.
    properties : mapping of str to str, optional
        More properties of the root, for instance ``{"EV": "First cup", "DT": "2024-05-01"}``.

    Returns
    -------
    bytes
        The file's content, lines of at most about 80 bytes.

    Raises
    ------
    ValueError
        If a property's name is not made of capital letters.
    """
    width, height = board.width, board.height
    named = {"PB": black, "PW": white, "RE": str(result), **(properties or {})}
    tree = Tree()
    root: Properties = {"FF": [b"4"], "GM": [b"1"], "CA": [b"UTF-8"], "AP": [b"Tesuji"]}
    root["SZ"] = [f"{width}".encode() if width == height else f"{width}:{height}".encode()]
    root["KM"] = [komi_text(board.komi)]
    root["RU"] = [escaped(_SGF_RULES.get(board.rules.name, board.rules.name))]
    root.update(_starting_position(board))
    for name, text in named.items():
        if not is_name(name):
            raise ValueError(f"{quoted(name)} is not an SGF property: names are capital letters, as in EV or DT")
        if text:
            root[name] = [escaped(text)]
    moves = board.moves
    nodes = [{_LETTERS[color]: [to_sgf_point(move, width, height).encode()]} for color, move in moves]
    tree.sequence = [root, *nodes]
    for number, comment in (comments or {}).items():
        if 0 <= number < len(tree.sequence):
            tree.sequence[number]["C"] = [escaped(comment)]
    if moves and board.color_to_play == moves[-1][0]:
        tree.sequence.append({"PL": [_LETTERS[board.color_to_play].encode()]})
    return written(tree)


def _starting_position(board: Board) -> Properties:
    """The set-up properties of the position where the board's history begins."""
    stones, properties = board.start.grid.ravel(), Properties()
    for name, color in (("AB", Color.BLACK), ("AW", Color.WHITE)):
        points = (stones == color).nonzero()[0].tolist()
        if points:
            properties[name] = [to_sgf_point(point, board.width, board.height).encode() for point in points]
    if board.handicap:
        properties["HA"] = [str(board.handicap).encode()]
    if properties or board.start.color_to_play == Color.WHITE:
        properties["PL"] = [_LETTERS[board.start.color_to_play].encode()]
    return properties


def read_file(path: str | os.PathLike[str]) -> bytes:
    """The SGF data of a file, unpacked where its name ends in ``.xz``, ``.gz`` or ``.bz2``.

    Raises
    ------
    SgfError
        If there is no such file, it cannot be read, it is damaged, or it would unpack to more than a gibibyte.
    """
    name = quoted(os.fspath(path), 200)
    try:
        if not Path(path).is_file():  # a device or a pipe may never end
            raise SgfError(f"there is no file {name}: give the path of an SGF file, or its bytes")
        if (unpacked := _unpacked(Path(path))) is None:
            return Path(path).read_bytes()
    except (EOFError, lzma.LZMAError, zlib.error) as error:
        raise SgfError(f"{name} is damaged: {error}") from error
    except OSError as error:
        raise SgfError(f"{name} cannot be read: {error.strerror or error}") from error
    if len(unpacked) > _MOST_UNPACKED:
        raise SgfError(f"{name} unpacks to more than {_MOST_UNPACKED:,} bytes: that is not a game file")
    return unpacked


def _unpacked(path: Path) -> bytes | None:
    """What a packed file holds, as far as one byte too many; None for a plain file."""
    opener: Any = {".xz": lzma.open, ".gz": gzip.open, ".bz2": bz2.open}.get(path.suffix.lower())
    if opener is None:
        return None
    with opener(path, "rb") as file:
        data: bytes = file.read(_MOST_UNPACKED + 1)
    return data
