"""A recorded game: what `tesuji.go.records.sgf` reads, and how it is replayed on a board."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from tesuji.go.records.sgf_tree import Properties, SgfError, Tree, simple_text, text
from tesuji.go.records.sgf_values import (
    SETUP_NAMES,
    Move,
    Setup,
    check_game,
    handicap_of,
    komi_of,
    move_of,
    point_table,
    setup_of,
    size_of,
)
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color
from tesuji.go.rules.ruleset import JAPANESE, NEW_ZEALAND, RULE_SETS, Rules
from tesuji.go.rules.vertex import to_vertex

__all__ = ["GameRecord", "Setup", "record_of"]

_COLORS = {"B": Color.BLACK, "W": Color.WHITE}


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class GameRecord:
    """One line of a recorded game, from the root to a leaf.

    Attributes
    ----------
    width, height : int
        The size of the board.
    komi : float or None
        In points; None where the record is silent. Komi in stones, as in Chinese records (3.75), or in hundredths, as
        in those of the Fox server (375, 650), has been converted.
    handicap : int
        As recorded (HA); 0 if there is none.
    setups : tuple of Setup
        In order; those with ``before == 0`` make the starting position.
    moves : list of (Color, int)
        Colour and point, ``width * height`` for a pass. Not checked for legality: `replay` does.
    nodes : list of dict
        The raw properties (UTF-8) of each node of the line.
    tree : Tree
        The whole game with its variations.
    remarks : tuple of str
        What was odd about the file and how it was read.
    """

    width: int
    height: int
    komi: float | None
    handicap: int
    setups: tuple[Setup, ...]
    moves: list[Move]
    nodes: list[Properties]
    tree: Tree
    remarks: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<GameRecord: {self.headline}>"

    def _repr_svg_(self) -> str | None:
        """The last position for notebooks; None for a game that cannot be replayed."""
        from tesuji.go.view.svg import BoardPicture, board_svg

        try:
            board = self.replay()
        except SgfError:
            return None
        names = " - ".join(name for name in (self.black, self.white) if name)
        return board_svg(BoardPicture(board=board, title=names, caption=self.headline.removeprefix(f"{names}, ")))

    @property
    def headline(self) -> str:
        """The game in a line: who, how large, how long, who won."""
        names = " - ".join(name for name in (self.black, self.white) if name)
        count = len(self.moves)
        parts = [names, f"{self.width}x{self.height}", f"{self.handicap} handicap stones" if self.handicap else ""]
        parts += [f"{count} move{'' if count == 1 else 's'}", self.result]
        return ", ".join(part for part in parts if part)

    def text(self, identifier: str) -> str:
        """Return a property of the root as text (``"PB"``, ``"EV"``, ``"DT"``, ...), empty if it is not there."""
        values = self.nodes[0].get(identifier)
        return simple_text(values[0]) if values else ""

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
                comment = text(value)
                comments[number] = f"{comments[number]}\n{comment}" if number in comments else comment
        return comments

    @property
    def rules(self) -> Rules | None:
        """The rule set that `rules_name` means; None where it is unknown or absent."""
        name = re.sub(r"[^a-z]+", "-", self.rules_name.strip().lower())
        return NEW_ZEALAND if name == "nz" else RULE_SETS.get(name)

    def replay(
        self,
        until: int | None = None,
        *,
        rules: Rules | str | None = None,
        on_remark: Callable[[str], None] | None = None,
    ) -> Board:
        """Play the line on a board, as SGF asks: a move that breaks a rule is executed too, if it can be.

        Retaking a ko, repeating a position and suicide can be; a stone on another one cannot.

        Parameters
        ----------
        until : int, optional
            How many moves to play; all if None or more than there are.
        rules : Rules or str, optional
            Instead of the rule set that the record names; where it names none that is known, Japanese.
        on_remark : callable, optional
            Told of each move that breaks a rule of these.

        Returns
        -------
        Board
            The position after these moves. A set-up in mid-game begins a new history there.

        Raises
        ------
        SgfError
            At an impossible move or set-up; names the move's number, its vertex and the rule.
        """
        last = len(self.moves) if until is None else min(max(until, 0), len(self.moves))
        board, played = self._empty_board(rules), 0
        for setup in self.setups:
            if setup.before > last:
                break
            self._play(board, played, setup.before, on_remark)
            board, played = self._set_up(board, setup), setup.before
        self._play(board, played, last, on_remark)
        return board

    def boards(
        self, *, rules: Rules | str | None = None, on_remark: Callable[[str], None] | None = None
    ) -> Iterator[Board]:
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
            self._play(board, played, played + 1, on_remark)

    def lines(self) -> Iterator[GameRecord]:
        """Yield a record for every line from the root to a leaf, the main line first."""
        pending: list[tuple[Tree, list[Properties]]] = [(self.tree, [])]
        while pending:
            tree, above = pending.pop()
            nodes = above + tree.sequence
            pending.extend((child, nodes) for child in reversed(tree.children))
            if not tree.children:
                yield record_of(self.tree, nodes)

    def _empty_board(self, rules: Rules | str | None) -> Board:
        try:
            return Board(self.width, self.height, rules=rules or self.rules or JAPANESE, komi=self.komi)
        except ValueError as error:
            raise SgfError(f"the record cannot be set up: {error}") from error

    def _play(self, board: Board, start: int, stop: int, on_remark: Callable[[str], None] | None) -> None:
        for number in range(start, min(stop, len(self.moves))):
            color, move = self.moves[number]
            if board.try_play(move, color):
                continue
            what = f"move {number + 1} ({color} {to_vertex(move, self.width, self.height)}) is illegal"
            try:
                broken = board.play_as_recorded(move, color)
            except ValueError as error:
                raise SgfError(f"{what}: {error}") from error
            if on_remark is not None:
                on_remark(f"{what}: {broken}; it was played as recorded, and the rules count from there")

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


def record_of(tree: Tree, nodes: list[Properties], remarks: Iterable[str] = ()) -> GameRecord:
    """A line of a game as a record.

    Parameters
    ----------
    tree : Tree
        The whole game.
    nodes : list of dict
        Those of the line, from the root to a leaf.
    remarks : iterable of str
        What was said about it so far.

    Raises
    ------
    SgfError
        If it is not a game of Go that can be replayed.
    """
    said, root = list(remarks), nodes[0]
    check_game(root, said)
    width, height = size_of(root)
    moves: list[Move] = []
    setups: list[Setup] = []
    points = point_table(width, height)
    for node in nodes:
        if not SETUP_NAMES.isdisjoint(node):
            setups.append(setup_of(node, len(moves), width, height, said))
        for name in node:
            if name == "B" or name == "W":
                values = node[name]
                point = points.get(values[0])
                if point is None or len(values) > 1:
                    point = move_of(values, len(moves) + 1, width, height, said)
                moves.append((_COLORS[name], point))
    return GameRecord(
        width=width,
        height=height,
        komi=komi_of(root, said),
        handicap=handicap_of(root, said),
        setups=tuple(setups),
        moves=moves,
        nodes=nodes,
        tree=tree,
        remarks=tuple(said),
    )
