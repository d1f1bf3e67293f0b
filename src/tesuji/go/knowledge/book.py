"""An opening book: positions that games came by often, with the moves that were made there and how they ended.

A position is found in all its forms. The plain text form has a line for each, written as the moves that lead to it and
the moves made there, each with its number of games, wins and losses of the side that made it:

    tesuji-book 1
    size 9
    - = E5 480 251 229, G5 21 9 12
    E5 = G5 118 60 58, E3 97 40 57

The packed form is the same text, compressed by zlib. Which move the engine plays from a book is `chosen`'s business.
Source: Basaldúa, 6.1.2 (fuseki); Pividori 2015, section 12.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
import numpy as np

from tesuji.go.knowledge.position_key import PositionKey, position_key, turned_points
from tesuji.go.rules.board import Board
from tesuji.writing import write_whole

__all__ = ["Book", "BookMove", "BookPosition", "chosen", "parse_book", "read_book"]

_HEAD = "tesuji-book"
_VERSION = 1
_PACKED = b"tesuji book 1\n"
_LARGEST = 1 << 28
REBUILD = "tesuji book build DATABASE --out FILE"


class BookMove(msgspec.Struct, frozen=True):
    """A move of a book.

    Attributes
    ----------
    move : int
        On the board it was asked for.
    games, wins, losses : int
        How often it was made, and how the side that made it fared; games without a winner are neither.
    """

    move: int
    games: int
    wins: int
    losses: int

    @property
    def winrate(self) -> float | None:
        """Of the games with a winner; None if there is none."""
        decided = self.wins + self.losses
        return self.wins / decided if decided else None


class BookPosition(msgspec.Struct, frozen=True):
    """A position of a book.

    Attributes
    ----------
    path : tuple of int
        Moves from the empty board, Black first, that lead to it.
    moves : tuple of BookMove
        Most frequent first, as the board after that path has them.
    """

    path: tuple[int, ...]
    moves: tuple[BookMove, ...]


class Book:
    """Positions of one board size, found in all their forms.

    Parameters
    ----------
    size : int
        Lines of the board.
    positions : iterable of BookPosition
        Where two are the same position, their games are added.

    Raises
    ------
    ValueError
        If a path or a move is not legal.
    """

    def __init__(self, size: int, positions: Iterable[BookPosition] = ()) -> None:
        self.size = size
        self._by_key: dict[int, tuple[PositionKey, BookPosition]] = {}
        for position in positions:
            self.add(position)

    def __len__(self) -> int:
        return len(self._by_key)

    def __iter__(self) -> Iterator[BookPosition]:
        for _, position in self._by_key.values():
            yield position

    def add(self, position: BookPosition) -> None:
        """Add a position, or its games to those of the same one.

        Raises
        ------
        ValueError
            If its path or a move is not legal.
        """
        board = self.board_of(position)
        for one in position.moves:
            if not board.is_legal(one.move):
                raise ValueError(f"{board.vertex(one.move)} is not legal there")
        key = position_key(board)
        known = self._by_key.get(key.key)
        if known is None:
            self._by_key[key.key] = (
                key,
                _sorted(position.path, [(one.move, one) for one in position.moves], key, self.size),
            )
            return
        turned = [(self._turned(one.move, key, known[0]), one) for one in position.moves]
        both = [(one.move, one) for one in known[1].moves] + turned
        self._by_key[key.key] = known[0], _sorted(known[1].path, both, known[0], self.size)

    def board_of(self, position: BookPosition) -> Board:
        """The board of a position.

        Raises
        ------
        ValueError
            If its path is not legal.
        """
        board = Board(self.size)
        for move in position.path:
            board.play(move)
        return board

    def moves(self, board: Board) -> list[BookMove]:
        """The moves of the position on a board, most frequent first; empty if the book does not have it."""
        if (board.width, board.height) != (self.size, self.size):
            return []
        key = position_key(board)
        known = self._by_key.get(key.key)
        if known is None:
            return []
        found = (msgspec.structs.replace(one, move=self._turned(one.move, known[0], key)) for one in known[1].moves)
        return [one for one in found if board.is_legal(one.move)]

    def merged(self, other: Book) -> Book:
        """Both books in one; the games of positions that both have are added.

        Raises
        ------
        ValueError
            If they are of different sizes.
        """
        if self.size != other.size:
            raise ValueError(f"one book is for {self.size}x{self.size} boards, the other for {other.size}x{other.size}")
        return Book(self.size, [*self, *other])

    def text(self) -> str:
        """The plain text form; `parse_book` reads it."""
        lines = [f"{_HEAD} {_VERSION}", f"size {self.size}"]
        for position in sorted(self, key=lambda one: (len(one.path), one.path)):
            board = Board(self.size)
            path = " ".join(board.vertex(move) for move in position.path) or "-"
            moves = ", ".join(f"{board.vertex(m.move)} {m.games} {m.wins} {m.losses}" for m in position.moves)
            lines.append(f"{path} = {moves}")
        return "\n".join(lines) + "\n"

    def write(self, path: Path | str) -> None:
        """Write a file: plain text if its name ends in ``.txt``, else packed."""
        text = self.text()
        write_whole(path, text if str(path).endswith(".txt") else _PACKED + zlib.compress(text.encode(), 9))

    def _turned(self, move: int, known: PositionKey, wanted: PositionKey) -> int:
        """A move of a position in one form as another form of it has it."""
        there = int(turned_points(self.size, self.size, known.form % 8)[move])
        return int(turned_points(self.size, self.size, wanted.form % 8).argsort()[there])


def _sorted(path: tuple[int, ...], moves: list[tuple[int, BookMove]], key: PositionKey, size: int) -> BookPosition:
    """A position whose moves are each there once, images of one move under its symmetries added up."""
    images = np.stack([turned_points(size, size, turn) for turn in key.symmetries])
    sums: dict[int, list[int]] = {}
    for move, one in moves:
        total = sums.setdefault(int(images[:, move].min()), [0, 0, 0])
        for i, number in enumerate((one.games, one.wins, one.losses)):
            total[i] += number
    found = sorted((BookMove(move, *total) for move, total in sums.items()), key=lambda one: (-one.games, one.move))
    return BookPosition(path, tuple(found))


def chosen(moves: list[BookMove], least: int, number: float) -> BookMove | None:
    """The move that is played from a book.

    Those count that were made in at least `least` games and at least a twentieth of the games of the position. One of
    them is drawn, each as likely as it is frequent.

    Parameters
    ----------
    moves : list of BookMove
        Of the position.
    least : int
        Games.
    number : float
        Random, 0 up to 1.
    """
    total = sum(one.games for one in moves)
    known = [one for one in moves if one.games >= least and one.games * 20 >= total]
    rest = number * sum(one.games for one in known)
    for one in known:
        rest -= one.games
        if rest < 0:
            return one
    return None


def read_book(path: Path | str) -> Book:
    """Read a book in either form.

    Raises
    ------
    ValueError
        If it is none, or broken; names the line, or the command that makes one.
    OSError
        If it cannot be read.
    """
    data = Path(path).read_bytes()
    if data.startswith(_PACKED):
        try:
            unpacker = zlib.decompressobj()
            data = unpacker.decompress(data[len(_PACKED) :], _LARGEST)
            if not unpacker.eof:
                raise zlib.error("it is cut off or too large")
        except zlib.error as error:
            raise ValueError(f"{path} is a broken book ({error}); make it again: {REBUILD}") from None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not a book; make one: {REBUILD}") from None
    return parse_book(text, str(path))


def parse_book(text: str, name: str = "book") -> Book:
    """Read the plain text form.

    Raises
    ------
    ValueError
        Naming the line and what is wrong with it.
    """
    lines = text.splitlines()
    if not lines or lines[0].split()[:1] != [_HEAD]:
        raise ValueError(f"{name} is not a book; make one: {REBUILD}")
    if lines[0].split() != [_HEAD, str(_VERSION)]:
        raise ValueError(f"{name} is of another version than {_VERSION}; make it again: {REBUILD}")
    words = lines[1].split() if len(lines) > 1 else []
    if len(words) != 2 or words[0] != "size" or not words[1].isdecimal() or not 1 <= int(words[1]) <= 25:
        raise ValueError(f"{name}, line 2: write the size of the board, as in: size 19")
    book = Book(int(words[1]))
    for number, line in enumerate(lines[2:], start=3):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            book.add(_position(line, book.size))
        except ValueError as error:
            raise ValueError(f"{name}, line {number}: {error}") from None
    return book


def _position(line: str, size: int) -> BookPosition:
    before, equals, after = line.partition("=")
    if not equals:
        raise ValueError("write the moves that lead to a position, =, and the moves made there")
    board = Board(size)
    path = []
    for word in before.split():
        if word != "-":
            path.append(board.point(word))
            board.play(path[-1])
    moves = []
    for number, part in enumerate(after.split(","), start=1):
        words = part.split()
        if len(words) != 4 or not all(word.isdecimal() and len(word) < 10 for word in words[1:]):
            raise ValueError(f"move {number} behind = is not a move of a book; write it as in: Q16 120 60 58")
        games, wins, losses = (int(word) for word in words[1:])
        if wins + losses > games or games < 1:
            raise ValueError(f"move {number} behind = has more results than games")
        moves.append(BookMove(board.point(words[0]), games, wins, losses))
    return BookPosition(tuple(path), tuple(moves))
