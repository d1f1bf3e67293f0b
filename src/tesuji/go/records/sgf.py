"""Game records: SGF read into `GameRecord`, and a `Board`'s game written as SGF.

`load` reads one game and `read_games` a whole collection, one game at a time; both take FF[3] and FF[4], rectangular
boards, set-up stones anywhere, and text in any charset that keeps ASCII. A record holds the main line;
`GameRecord.lines` gives every variation as a record of its own, and `GameRecord.tree` is sgfmill's tree for all else.
`to_sgf` writes FF[4] in UTF-8.

sgfmill's grammar does the parsing. Before it sees a file the text becomes UTF-8 (trail bytes of Shift-JIS and Big5 look
like brackets), the games are told apart, and their nesting is bounded. Whatever is wrong with a file is an `SgfError`.

This module does not judge a game (dead stones, result): it replays what was recorded.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

from sgfmill import sgf_grammar, sgf_properties

from tesuji.go.records.charset import to_utf8
from tesuji.go.rules import JAPANESE, NEW_ZEALAND, RULE_SETS, Rules, checked_komi
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color
from tesuji.go.rules.vertex import LAST_SIZE_WITH_TT, parse_sgf_point, quoted, to_sgf_point, to_vertex

__all__ = ["MAX_NESTING", "GameRecord", "Setup", "SgfError", "load", "read_games", "to_sgf"]

MAX_NESTING = 10_000  # variations within variations; a game has far fewer moves than this
MAX_SIZE = 25

Source: TypeAlias = bytes | str | os.PathLike[str]
Properties: TypeAlias = dict[str, list[bytes]]  # of one node: raw values, UTF-8, escapes in place
Move: TypeAlias = tuple[Color, int]

_COLORS = {"B": Color.BLACK, "W": Color.WHITE}
_LETTERS = {color: letter for letter, color in _COLORS.items()}
_BLACK_NAMES, _WHITE_NAMES = ("b", "black", "1"), ("w", "white", "2")  # the numbers are found in old files
_COLOR_NAMES = dict.fromkeys(_BLACK_NAMES, Color.BLACK) | dict.fromkeys(_WHITE_NAMES, Color.WHITE)
_SETUP = frozenset({"AB", "AW", "AE", "PL"})
_SGF_RULES = {"chinese": "Chinese", "japanese": "Japanese", "aga": "AGA", "new-zealand": "NZ"}  # the standard's names

_VALUE = rb"\[ [^\\\]]*+ (?: \\. [^\\\]]*+ )*+ \]"
_TO_PARENTHESIS = re.compile(rb"(?: [^()\[]++ | " + _VALUE + rb" )*+ ([()])", re.DOTALL | re.VERBOSE)
_GAME_START = re.compile(rb"\(\s*;")
_SIZE = re.compile(r"([0-9]{1,3})(?:\s*:\s*([0-9]{1,3}))?")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]{1,6}(?:[.,][0-9]{0,6})?|[.,][0-9]{1,6})")


class SgfError(ValueError):
    """A file that is not a game of Go as SGF has it; the message says what, where and what to do."""


class Setup(NamedTuple):
    """Stones put down or taken off outside play.

    Attributes
    ----------
    before : int
        How many moves of the line come first.
    black, white, empty : tuple of int
        The points that become so.
    to_play : Color or None
        Whose turn it is then, where the record says so.
    """

    before: int
    black: tuple[int, ...] = ()
    white: tuple[int, ...] = ()
    empty: tuple[int, ...] = ()
    to_play: Color | None = None


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class GameRecord:
    """One line of a recorded game, from the root to a leaf.

    Attributes
    ----------
    width, height : int
        The size of the board.
    komi : float or None
        In points; None where the record is silent. A komi in quarters (3.75) is counted in stones, as Chinese records
        do, and has been doubled.
    handicap : int
        As recorded (HA); 0 if there is none.
    setups : tuple of Setup
        In order; those with ``before == 0`` make the starting position.
    moves : list of (Color, int)
        Colour and point, ``width * height`` for a pass. Not checked for legality: `replay` does.
    nodes : list of dict
        The raw properties (UTF-8) of each node of the line.
    tree : sgfmill.sgf_grammar.Coarse_game_tree
        The whole game with its variations.
    """

    width: int
    height: int
    komi: float | None
    handicap: int
    setups: tuple[Setup, ...]
    moves: list[Move]
    nodes: list[Properties]
    tree: sgf_grammar.Coarse_game_tree

    def text(self, identifier: str) -> str:
        """Return a property of the root as text (``"PB"``, ``"EV"``, ``"DT"``, ...), empty if it is not there."""
        values = self.nodes[0].get(identifier)
        return _simple_text(values[0]) if values else ""

    @property
    def black(self) -> str:
        """The name of Black."""
        return self.text("PB")

    @property
    def white(self) -> str:
        """The name of White."""
        return self.text("PW")

    @property
    def result(self) -> str:
        """As recorded, for instance ``B+3.5`` or ``W+R``."""
        return self.text("RE")

    @property
    def rules_name(self) -> str:
        """As recorded, for instance ``Japanese``."""
        return self.text("RU")

    @property
    def comments(self) -> dict[int, str]:
        """The comments by the number of moves made so far; 0 is the start."""
        comments: dict[int, str] = {}
        number = 0
        for node in self.nodes:
            number += sum(name in _COLORS for name in node)
            for value in node.get("C", ()):
                text = sgf_grammar.text_value(value).decode("utf-8", "replace")
                comments[number] = f"{comments[number]}\n{text}" if number in comments else text
        return comments

    @property
    def rules(self) -> Rules | None:
        """The rule set that `rules_name` means; None where it is unknown or absent."""
        name = re.sub(r"[^a-z]+", "-", self.rules_name.strip().lower())
        return NEW_ZEALAND if name == "nz" else RULE_SETS.get(name)

    def replay(self, until: int | None = None, *, rules: Rules | str | None = None) -> Board:
        """Play the line on a board.

        Parameters
        ----------
        until : int, optional
            How many moves to play; all if None or more than there are.
        rules : Rules or str, optional
            Instead of the rule set that the record names. Where it names none that is known, Japanese: in such records
            positions do come back, and its simple ko lets them.

        Returns
        -------
        Board
            The position after these moves. A set-up in mid-game begins a new history there.

        Raises
        ------
        SgfError
            At an illegal move or set-up; names the move's number, its vertex and the rule.
        """
        last = len(self.moves) if until is None else min(max(until, 0), len(self.moves))
        board, played = self._empty_board(rules), 0
        for setup in self.setups:
            if setup.before > last:
                break
            self._play(board, played, setup.before)
            board, played = self._set_up(board, setup), setup.before
        self._play(board, played, last)
        return board

    def boards(self, *, rules: Rules | str | None = None) -> Iterator[Board]:
        """Yield the board before the first move and after each move: the live board, so copy what you keep.

        Raises
        ------
        SgfError
            As `replay` does, when the line gets there.
        """
        board, setups = self._empty_board(rules), list(reversed(self.setups))
        for played in range(len(self.moves) + 1):
            while setups and setups[-1].before == played:
                board = self._set_up(board, setups.pop())
            yield board
            self._play(board, played, played + 1)

    def lines(self) -> Iterator[GameRecord]:
        """Yield a record for every line from the root to a leaf, the main line first."""
        pending: list[tuple[sgf_grammar.Coarse_game_tree, list[Properties]]] = [(self.tree, [])]
        while pending:
            tree, above = pending.pop()
            nodes = above + tree.sequence
            pending.extend((child, nodes) for child in reversed(tree.children))
            if not tree.children:
                yield _record(self.tree, nodes)

    def _empty_board(self, rules: Rules | str | None) -> Board:
        try:
            return Board(self.width, self.height, rules=rules or self.rules or JAPANESE, komi=self.komi)
        except ValueError as error:
            raise SgfError(f"the record cannot be set up: {error}") from error

    def _play(self, board: Board, start: int, stop: int) -> None:
        play = board.play
        number = start
        try:
            for color, move in self.moves[start:stop]:
                play(move, color)
                number += 1
        except ValueError as error:
            color, move = self.moves[number]
            vertex = to_vertex(move, self.width, self.height)
            raise SgfError(f"move {number + 1} ({color} {vertex}) is illegal: {error}") from error

    def _set_up(self, board: Board, setup: Setup) -> Board:
        try:
            board = self._with_stones(board, setup)
        except ValueError as error:
            raise SgfError(f"the set-up before move {setup.before + 1} is impossible: {error}") from error
        if setup.to_play is not None:
            board.color_to_play = setup.to_play
        elif setup.before < len(self.moves):
            board.color_to_play = self.moves[setup.before][0]
        return board

    def _with_stones(self, board: Board, setup: Setup) -> Board:
        if setup.before == 0 and 2 <= self.handicap == len(setup.black) and not (setup.white or setup.empty):
            board.set_free_handicap(setup.black)
            return board
        changes = {Color.BLACK: setup.black, Color.WHITE: setup.white, Color.EMPTY: setup.empty}
        additions = {color: list(changes[color]) for color in (Color.BLACK, Color.WHITE)}
        if any(board.color_at(point) for points in changes.values() for point in points):
            # Stones are replaced or taken off, which no rule of play does: the same picture on a fresh board.
            stones = board.grid.ravel().copy()
            for color, points in changes.items():
                stones[list(points)] = color
            additions = {color: (stones == color).nonzero()[0].tolist() for color in additions}
            board = self._empty_board(board.rules)
        for color, added in additions.items():
            if added:
                board.place(color, added)
        return board


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
        If there is no game of Go to read.
    """
    return next(read_games(source, charset=charset))


def read_games(source: Source, *, charset: str | None = None) -> Iterator[GameRecord]:
    """Read the games of a collection one after the other; whatever stands between them is ignored.

    Parameters
    ----------
    source : bytes, str or path
        SGF data as bytes, or the path of a file.
    charset : str, optional
        Read the text so; otherwise the first CA property of the collection counts for all of it.

    Yields
    ------
    GameRecord
        The main line of each game.

    Raises
    ------
    SgfError
        If there is no game, or when a game that cannot be read is reached.
    """
    data = source if isinstance(source, bytes) else _read(source)
    try:
        data = to_utf8(data, charset)
    except ValueError as error:
        raise SgfError(str(error)) from error
    number = 0
    for number, game in enumerate(_split_games(data), start=1):
        try:
            tree = sgf_grammar.parse_sgf_game(game)
        except ValueError as error:
            _, end = sgf_grammar.tokenise(game)
            near = game[end : end + 20].decode("utf-8", "replace")
            where = f" near byte {end}, before {quoted(near)}" if near else ""
            raise SgfError(f"game {number} is not well-formed SGF: {error}{where}") from error
        tree.sequence[0]["CA"] = [b"UTF-8"]
        yield _record(tree, list(sgf_grammar.main_sequence_iter(tree)))
    if not number:
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
    tree = sgf_grammar.Coarse_game_tree()
    root: Properties = {"FF": [b"4"], "GM": [b"1"], "CA": [b"UTF-8"], "AP": [b"Tesuji"]}
    root["SZ"] = [f"{width}".encode() if width == height else f"{width}:{height}".encode()]
    root["KM"] = [sgf_properties.serialise_real(board.komi)]
    root["RU"] = [_escaped(_SGF_RULES.get(board.rules.name, board.rules.name))]
    root.update(_starting_position(board))
    for name, text in named.items():
        if not sgf_grammar.is_valid_property_identifier(name):
            raise ValueError(f"{quoted(name)} is not an SGF property: names are capital letters, as in EV or DT")
        if text:
            root[name] = [_escaped(text)]
    moves = board.moves
    nodes = [{_LETTERS[color]: [to_sgf_point(move, width, height).encode()]} for color, move in moves]
    tree.sequence = [root, *nodes]
    for number, comment in (comments or {}).items():
        if 0 <= number < len(tree.sequence):
            tree.sequence[number]["C"] = [_escaped(comment)]
    if moves and board.color_to_play == moves[-1][0]:
        tree.sequence.append({"PL": [_LETTERS[board.color_to_play].encode()]})
    return bytes(sgf_grammar.serialise_game_tree(tree))


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


def _read(path: str | os.PathLike[str]) -> bytes:
    try:
        if not Path(path).is_file():  # a device or a pipe may never end
            raise SgfError(
                f"there is no file {quoted(os.fspath(path), 200)}: give the path of an SGF file, or its bytes"
            )
        return Path(path).read_bytes()
    except OSError as error:
        raise SgfError(f"{quoted(os.fspath(path), 200)} cannot be read: {error.strerror}") from error


def _split_games(data: bytes) -> Iterator[bytes]:
    """Cut a collection into games by their parentheses, those inside values left out."""
    position = 0
    while start := _GAME_START.search(data, position):
        position, depth = start.start(), 0
        while True:
            match = _TO_PARENTHESIS.match(data, position)
            if match is None:
                raise SgfError(
                    f"the game that begins at byte {start.start()} is cut off: {depth} parentheses or a value are "
                    "still open at the end; get the whole file"
                )
            position = match.end()
            depth += 1 if match[1] == b"(" else -1
            if depth == 0:
                break
            if depth > MAX_NESTING:
                raise SgfError(
                    f"variations are nested more than {MAX_NESTING} deep at byte {position}: that is no game"
                )
        yield data[start.start() : position]


def _record(tree: sgf_grammar.Coarse_game_tree, nodes: list[Properties]) -> GameRecord:
    root = nodes[0]
    game = _value(root, "GM")
    if game not in ("", "1"):
        raise SgfError(f"GM[{game[:20]}] is not the game of Go: GM[1] is")
    width, height = _size(_value(root, "SZ"))
    moves: list[Move] = []
    setups: list[Setup] = []
    points = _point_table(width, height)
    for node in nodes:
        if not _SETUP.isdisjoint(node):
            setups.append(_setup(node, len(moves), width, height))
        for name in node:
            if name == "B" or name == "W":
                values = node[name]
                point = points.get(values[0])
                if point is None or len(values) > 1:
                    point = _odd_move(values, len(moves) + 1, width, height)
                moves.append((_COLORS[name], point))
    return GameRecord(
        width=width,
        height=height,
        komi=_komi(_value(root, "KM")),
        handicap=_handicap(_value(root, "HA")),
        setups=tuple(setups),
        moves=moves,
        nodes=nodes,
        tree=tree,
    )


@lru_cache(maxsize=16)
def _point_table(width: int, height: int) -> dict[bytes, int]:
    """SGF's name of every move of a board: a lookup costs a tenth of reading the letters."""
    table = {to_sgf_point(move, width, height).encode(): move for move in range(width * height + 1)}
    if b"tt" not in table and max(width, height) <= LAST_SIZE_WITH_TT:
        table[b"tt"] = width * height
    return table


def _odd_move(values: list[bytes], number: int, width: int, height: int) -> int:
    """A move that is not in the table: with spaces around it, or an error."""
    if len(values) > 1:
        raise SgfError(f"move {number} has {len(values)} values: a move is one point")
    try:
        return parse_sgf_point(_simple_text(values[0]).strip(), width, height)
    except ValueError as error:
        raise SgfError(f"move {number} cannot be read: {error}") from error


def _setup(node: Properties, before: int, width: int, height: int) -> Setup:
    try:
        black, white, empty = (_point_list(node.get(name, ()), width, height) for name in ("AB", "AW", "AE"))
        if set(black) & set(white) or (set(black) | set(white)) & set(empty):
            raise ValueError("a point is named twice, but AB, AW and AE must not overlap")
        color = _value(node, "PL").lower()
        if color and color not in _COLOR_NAMES:
            raise ValueError(f"PL[{color[:20]}] is not a colour: write B or W")
    except ValueError as error:
        raise SgfError(f"the set-up before move {before + 1} cannot be read: {error}") from error
    return Setup(before, black, white, empty, _COLOR_NAMES.get(color))


def _point_list(values: Iterable[bytes], width: int, height: int) -> tuple[int, ...]:
    """Points and rectangles of points (``aa:cc``), sorted."""
    points: set[int] = set()
    for value in set(values):  # once each: a megabyte of the same rectangle is no more work than one
        text = _simple_text(value).strip()
        if not text:  # "AB[]" stands for no stones in old files
            continue
        first, _, last = text.partition(":")
        corners = [parse_sgf_point(corner.strip(), width, height) for corner in (first, last or first)]
        if width * height in corners:
            raise ValueError(f"{quoted(text)} is a pass, not a point of the board")
        (top, left), (bottom, right) = (divmod(corner, width) for corner in corners)
        if top > bottom or left > right:
            raise ValueError(f"{quoted(text)} is not a rectangle: write its top left corner first")
        points.update(row * width + column for row in range(top, bottom + 1) for column in range(left, right + 1))
    return tuple(sorted(points))


def _size(text: str) -> tuple[int, int]:
    match = _SIZE.fullmatch(text or "19")
    width, height = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not (1 <= width <= MAX_SIZE and 1 <= height <= MAX_SIZE):
        raise SgfError(f"SZ {quoted(text)} is not a board size: sizes run from 1 to {MAX_SIZE}, or W:H for a rectangle")
    return width, height


def _komi(text: str) -> float | None:
    if not text:
        return None
    if not _DECIMAL.fullmatch(text):
        raise SgfError(f"KM {quoted(text)} is not a number: komi is written as in KM[7.5]")
    komi = float(text.replace(",", "."))
    if komi * 4 % 2 == 1:  # 3.75 stones under Chinese counting are 7.5 points
        komi *= 2
    try:
        return checked_komi(komi)
    except ValueError as error:
        raise SgfError(f"KM {quoted(text)}: {error}") from error


def _handicap(text: str) -> int:
    if text and not re.fullmatch(r"[0-9]{1,3}", text):
        raise SgfError(f"HA {quoted(text)} is not a number of handicap stones: write it as in HA[2]")
    return int(text or 0)


def _value(node: Properties, name: str) -> str:
    values = node.get(name)
    return _simple_text(values[0]).strip() if values else ""


def _simple_text(value: bytes) -> str:
    return str(sgf_grammar.simpletext_value(value).decode("utf-8", "replace"))


def _escaped(text: str) -> bytes:
    return bytes(sgf_grammar.escape_text(text.encode("utf-8", "replace")))
