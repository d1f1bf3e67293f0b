"""Openings: where games begin. A pair of games begins with the same one, once for each colour.

====================  =================================================================================================
``empty``             the empty board, or the handicap stones
``random:4``          four random moves; each pair of games gets another opening, and the same seed the same ones
``games.sgf:8``       the first eight moves of each game of a file; without a number all moves (Go)
``games:8``           the same of all ``.sgf`` files of a folder
``book:lines.txt``    one opening a line, moves separated by spaces or commas; ``#`` begins a comment
====================  =================================================================================================

Every move is checked by the rules of the conditions, and no opening may end the game. What is wrong with a file is a
ValueError that names the file, the line (of a book) or the game, and the move.

Nothing here says which game gets which opening: see `schedule.py`.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, overload

from tesuji.experiments.records import Conditions
from tesuji.experiments.table import GoTable, Table, lay_table, size_of
from tesuji.games.own import is_own
from tesuji.go.records.sgf import SgfError, read_games
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color
from tesuji.go.rules.vertex import quoted

__all__ = ["Opening", "RandomOpenings", "make_openings", "play_opening"]

_NUMBERED = re.compile(r"(.+?)(?::([0-9]{1,4}))?", re.DOTALL)
_MAX_BYTES = 256 << 20
_TRIES = 1000


class Opening(NamedTuple):
    """Moves that are made before the players begin."""

    name: str
    moves: tuple[str, ...] = ()


def make_openings(text: str, conditions: Conditions, seed: int) -> Sequence[Opening]:
    """Read a list of openings.

    Parameters
    ----------
    text : str
        As the head of this module shows.
    conditions : Conditions
        Of the games.
    seed : int
        Of random openings.

    Returns
    -------
    sequence of Opening
        Never empty. Pair number p begins with number ``p % len``. Random ones are made when they are asked for.

    Raises
    ------
    ValueError
        For a text that means nothing, a file that cannot be read, a move that is illegal.
    """
    table = lay_table(conditions)
    text = text.strip()
    if text == "empty":
        return [Opening("empty")]
    kind, _, rest = text.partition(":")
    if kind == "random":
        if not re.fullmatch(r"[0-9]{1,3}", rest):
            raise ValueError(f"openings {quoted(text)}: write random:4 for four random moves")
        return RandomOpenings(table, int(rest), seed) if int(rest) else [Opening("empty")]
    if kind == "book":
        return list(_from_book(Path(rest), table))
    match = _NUMBERED.fullmatch(text)
    path = Path(match[1]) if match else None
    if match is None or path is None or (path.suffix.lower() != ".sgf" and not path.is_dir()):
        raise ValueError(
            f"openings {quoted(text, 200)} are none: write empty, random:4, games.sgf:8, a folder of SGF files, "
            "or book:lines.txt"
        )
    return _from_sgf(path, table, int(match[2]) if match[2] else None)


def play_opening(table: Table, moves: Sequence[str], name: str) -> None:
    """Play an opening on a table.

    Raises
    ------
    ValueError
        That names the opening and the move that is illegal or ends the game.
    """
    for number, vertex in enumerate(moves, start=1):
        try:
            table.play(vertex)
        except ValueError as error:
            raise ValueError(f"opening {name}: move {number}, {quoted(vertex)}, is illegal: {error}") from error
        if table.is_over:
            raise ValueError(f"opening {name}: move {number}, {quoted(vertex)}, ends the game; leave it out")


# --- random openings --------------------------------------------------------------------------------------------------


class RandomOpenings(Sequence[Opening]):
    """Random moves, another opening for every number; each is made when it is asked for.

    The first plies are a number, written in the counts of moves of these plies. The numbers are taken in an order that
    visits each once, so that no two openings are the same and first moves are equally frequent. The other plies are
    drawn.

    Parameters
    ----------
    table : Table
        Where the game begins; not changed.
    plies : int
        How many moves.
    seed : int
        Of the order and of the draw.

    Raises
    ------
    ValueError
        If so many moves cannot be made without ending the game.
    """

    def __init__(self, table: Table, plies: int, seed: int) -> None:
        self._table, self._plies, self._seed = table.copy(), plies, seed
        self._digits = _digits(table, plies)
        self._length = math.prod(self._digits)
        draw = random.Random(f"openings/{seed}")
        self._offset = draw.randrange(self._length)
        self._step = draw.randrange(self._length) or 1
        while math.gcd(self._step, self._length) != 1:
            self._step = draw.randrange(self._length) or 1
        self._made(0)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Opening: ...
    @overload
    def __getitem__(self, index: slice) -> list[Opening]: ...
    def __getitem__(self, index: int | slice) -> Opening | list[Opening]:
        if isinstance(index, slice):
            return [self._made(i) for i in range(*index.indices(self._length))]
        if not -self._length <= index < self._length:
            raise IndexError(f"opening {index} of {self._length}")
        return self._made(index % self._length)

    def _made(self, index: int) -> Opening:
        draw = random.Random(f"openings/{self._seed}/{index}")
        number = (self._offset + index * self._step) % self._length
        for _ in range(_TRIES):
            table = self._table.copy()
            self._play_number(table, number)
            if self._play_drawn(table, draw):
                moves = tuple(vertex for _, vertex in table.history[self._table.num_moves :])
                return Opening(f"random-{index}", moves)
        raise ValueError(f"random:{self._plies} cannot be made: so many moves end the game of {_game(self._table)}")

    def _play_number(self, table: Table, number: int) -> None:
        for digit in self._digits:
            number, chosen = divmod(number, digit)
            table.play(table.name(table.continuations()[chosen]))

    def _play_drawn(self, table: Table, draw: random.Random) -> bool:
        """Play the rest; False at a dead end."""
        for _ in range(self._plies - len(self._digits)):
            moves = table.continuations()
            if not moves:
                return False
            table.play(table.name(draw.choice(moves)))
        return True


def _digits(table: Table, plies: int) -> list[int]:
    """How many moves there are at each of the first plies, as far as that does not depend on what was played."""
    conditions, moves = table.conditions, len(table.continuations())
    if is_own(conditions.game):
        return []  # nothing is known of it
    if conditions.game == "connect4":
        return [moves] * min(plies, 6)  # no column is full and nobody has four
    if conditions.game == "breakthrough":
        return [moves] * min(plies, 2)  # the pawns have not met
    if conditions.game == "othello":
        return [4, 3][:plies]  # the first move is one of four that are each other's images
    free = {"go": 3 if moves > 4 else 1, "tictactoe": 4, "gomoku": 3, "havannah": 3}
    small = min(3, 2 * size_of(conditions) - 2)  # hex and y may be so small that the third move wins
    return [moves - ply for ply in range(min(plies, free.get(conditions.game, small)))]


def _game(table: Table) -> str:
    size = size_of(table.conditions)
    return f"{table.conditions.game}{f' on {size} lines' if size else ''}"


# --- files ------------------------------------------------------------------------------------------------------------


def _from_book(path: Path, table: Table) -> Iterator[Opening]:
    lines = _bytes_of(path).decode("utf-8", "replace").splitlines()
    is_empty = True
    for number, line in enumerate(lines, start=1):
        if moves := line.partition("#")[0].replace(",", " ").split():
            is_empty = False
            yield _checked(f"{path.name}:{number}", moves, table)
    if is_empty:
        raise ValueError(f"{path.name} holds no opening; write one a line, for instance {_example(table)}")


def _from_sgf(path: Path, table: Table, plies: int | None) -> list[Opening]:
    if not isinstance(table, GoTable):
        raise ValueError(f"SGF files hold games of Go, not of {table.conditions.game}; write a book:lines.txt")
    files = sorted(path.glob("*.sgf")) if path.is_dir() else [path]
    if not files:
        raise ValueError(f"there is no .sgf file in {quoted(str(path), 200)}")
    openings: dict[tuple[str, ...], Opening] = {}  # two games may begin alike
    for file in files:
        for opening in _from_games(file, table, plies):
            openings.setdefault(opening.moves, opening)
    return list(openings.values())


def _from_games(file: Path, table: GoTable, plies: int | None) -> Iterator[Opening]:
    board = table.game
    try:
        games = list(read_games(_bytes_of(file)))
    except SgfError as error:
        raise ValueError(f"{file.name}: {error}") from error
    for number, game in enumerate(games, start=1):
        name = file.stem if len(games) == 1 else f"{file.stem}-{number}"
        where = file.name if len(games) == 1 else f"{file.name}, game {number}"
        if (game.width, game.height) != (board.width, board.height):
            raise ValueError(
                f"{where}: its board is {game.width}x{game.height}, the match's {board.width}x{board.height}"
            )
        moves = game.moves[:plies]
        if any(setup.before <= len(moves) for setup in game.setups):
            raise ValueError(f"{where}: it has set-up stones; an opening is made of moves")
        yield _checked(name, _alternating(where, moves, board), table, where)


def _alternating(where: str, moves: Sequence[tuple[Color, int]], board: Board) -> list[str]:
    color = board.color_to_play
    for number, (mover, move) in enumerate(moves, start=1):
        if mover != color:
            raise ValueError(f"{where}: move {number}, {board.vertex(move)}, is {mover}'s; {color} is to move")
        color = color.opponent
    return [board.vertex(move) for _, move in moves]


def _checked(name: str, moves: Sequence[str], table: Table, where: str = "") -> Opening:
    trial = table.copy()
    play_opening(trial, moves, where or name)
    return Opening(name, tuple(vertex for _, vertex in trial.history[table.num_moves :]))


def _bytes_of(path: Path) -> bytes:
    """A file's content; a device or a pipe may never end, and a disk image is not a list of openings."""
    if not path.is_file():
        raise ValueError(f"there is no file {quoted(str(path), 200)}")
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise ValueError(f"{path.name} has more than {_MAX_BYTES >> 20} MiB; take fewer openings")
        return path.read_bytes()
    except OSError as error:
        raise ValueError(f"{path.name} cannot be read: {error.strerror}") from error


def _example(table: Table) -> str:
    return " ".join(RandomOpenings(table, 2, seed=1)[0].moves)
