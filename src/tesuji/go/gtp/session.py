"""What a conversation is about: the game, the clocks, the engine, and what the engine last thought."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from tesuji.go.engine import Analysis
from tesuji.go.engine.clock import Clock
from tesuji.go.gtp.players import Analyst, ConfiguredPlayer, Learner, Player
from tesuji.go.gtp.remarks import Remark
from tesuji.go.records.sgf import load, to_sgf
from tesuji.go.rules import Rules
from tesuji.go.rules.board import Board, Position
from tesuji.go.rules.color import Color
from tesuji.go.rules.vertex import parse_vertex, to_vertex
from tesuji.gtp.command import Command
from tesuji.gtp.words import GtpError

__all__ = ["Session", "unfinished", "with_turn"]


class Session:
    """The state that commands share.

    Attributes
    ----------
    engine : Player
        Chooses the moves.
    board : Board
        The game.
    rules, komi : Rules, float
        What the controller asked for: those of the next empty board, and of a record that names none. A record's own
        are its game's alone.
    clocks : dict of Color to Clock or None
        Empty as long as nobody sets a time; None: no limit.
    name, version : str
        What the engine is called.
    commands : mapping of str to Command
        All that are known.
    is_done : bool
        Whether the conversation is to end.
    is_verbose, has_live_graphics : bool
        Whether stderr gets a line for each move, and GoGui's graphics during a search.
    remarks : dict of int to Remark
        What the engine thought of its moves, by the number of moves then on the board.
    """

    def __init__(self, engine: Player, board: Board | None, name: str, version: str) -> None:
        self.engine = engine
        self.board = Board() if board is None else board
        self.rules, self.komi = self.board.rules, self.board.komi
        self.clocks: dict[Color, Clock | None] = {}
        self.name, self.version = name, version
        self.commands: Mapping[str, Command] = {}
        self.is_done = False
        self.is_verbose = False
        self.has_live_graphics = False
        self.remarks: dict[int, Remark] = {}
        self._known: tuple[object, Analysis] | None = None
        # Asking an object for its protocol takes longer than most commands: once is enough.
        self._configured = engine if isinstance(engine, ConfiguredPlayer) else None
        self._analyst = engine if isinstance(engine, Analyst) else None
        self._learner = engine if isinstance(engine, Learner) else None

    # The engine ------------------------------------------------------------------------------------------------------

    def offers(self, command: Command) -> bool:
        """Whether the engine can do what a command needs."""
        found: dict[type, object] = {Analyst: self._analyst, ConfiguredPlayer: self._configured}
        return command.needs is None or found[command.needs] is not None

    @property
    def analyst(self) -> Analyst:
        """The engine of a command that needs one that analyses."""
        assert self._analyst is not None
        return self._analyst

    @property
    def can_analyse(self) -> bool:
        """Whether there is such an engine."""
        return self._analyst is not None

    @property
    def configured(self) -> ConfiguredPlayer:
        """The engine of a command that needs one with parameters."""
        assert self._configured is not None
        return self._configured

    @property
    def is_configured(self) -> bool:
        """Whether there is such an engine."""
        return self._configured is not None

    @property
    def can_stop(self) -> bool:
        """Whether the engine can be told to answer now."""
        return self.can_analyse

    def stop(self) -> None:
        """Let the engine answer now; from any thread."""
        self.analyst.stop()

    def stop_pondering(self) -> None:
        """End the search in the background, if there is one."""
        if self._configured is not None:
            self._configured.stop_pondering()

    def ponder(self) -> None:
        """Let the engine think in the opponent's time, if it is told to."""
        if self._configured is not None and self._configured.config.ponders:
            self._configured.ponder(self.board)

    def remember(self, board: Board, analysis: Analysis) -> None:
        """Keep an analysis for commands that show one."""
        self._known = _key(board), analysis

    def forget(self) -> None:
        """Forget the analysis that was kept."""
        self._known = None

    def analysis(self) -> Analysis:
        """What the engine thinks of the position: the last analysis if it was of this one, or a new one."""
        board = unfinished(self.board)
        if self._known is None or self._known[0] != _key(board):
            self.remember(board, self.analyst.analyse(board))
        assert self._known is not None
        return self._known[1]

    # The game --------------------------------------------------------------------------------------------------------

    def begin(self, board: Board) -> None:
        """Take another game."""
        self.end_game()
        self.board = board
        self.remarks = {}

    def end_game(self) -> None:
        """Let the engine keep what it wants of the game."""
        if self._learner is not None:
            self._learner.end_game()

    def empty_board(self, width: int, height: int) -> Board:
        """An empty board with the rules and the komi that were asked for."""
        return Board(width, height, rules=self.rules, komi=self.komi)

    def set_up(self, grid: NDArray[np.uint8], to_play: Color) -> None:
        """Begin from a position: uint8 of shape (height, width) with the values of `Color`."""
        board = self.board
        position = Position(board.width, board.height, grid.tobytes(), to_play)
        try:
            self.begin(position.board(rules=board.rules, komi=board.komi))
        except ValueError as error:
            raise GtpError(f"illegal setup: {error}") from error

    def change_rules(self, rules: Rules) -> None:
        """Play the game once more under other rules; stones may be on the board."""
        try:
            self.board = load(to_sgf(self.board)).replay(rules=rules)
        except ValueError as error:
            raise GtpError(f"cannot change the rules: {error}") from error
        self.rules = rules

    def change_komi(self, komi: float) -> None:
        """Another komi, for this game and those to come."""
        try:
            self.board.komi = komi
        except ValueError as error:
            raise GtpError(f"syntax error: {error}") from error
        self.komi = self.board.komi

    def turned(self, color: Color) -> Board:
        """A copy of the board with a colour to move, and the game going on."""
        return with_turn(unfinished(self.board), color)

    def check_empty(self) -> None:
        """Refuse what needs an empty board."""
        if self.board.num_moves or self.board.grid.any():
            raise GtpError("board not empty: handicap stones come first; send clear_board")

    # Words -----------------------------------------------------------------------------------------------------------

    def move(self, word: str) -> int:
        """The point of a vertex, or a pass."""
        try:
            return parse_vertex(word, self.board.width, self.board.height)
        except ValueError as error:
            raise GtpError(f"invalid coordinates: {error}") from error

    def point(self, word: str) -> int:
        """The point of a vertex that is not a pass."""
        move = self.move(word)
        if move == self.board.pass_move:
            raise GtpError("invalid coordinates: pass is not a point of the board")
        return move

    def vertex(self, move: int) -> str:
        """The name of a move."""
        return to_vertex(move, self.board.width, self.board.height)

    def vertices(self, moves: Iterable[int]) -> str:
        """The names of moves, with spaces between."""
        return " ".join(self.vertex(int(move)) for move in moves)


def unfinished(board: Board) -> Board:
    """The board; after two passes the same stones on a board where the game goes on."""
    if not board.is_over:
        return board
    position = Position(board.width, board.height, board.grid.tobytes(), board.color_to_play)
    return position.board(rules=board.rules, komi=board.komi)


def with_turn(board: Board, color: Color) -> Board:
    """A copy of a board with a colour to move; where it is that colour's turn, a ko stays forbidden."""
    turned = board.copy()
    if turned.color_to_play != color:
        turned.color_to_play = color
    return turned


def _key(board: Board) -> object:
    """What an analysis depends on."""
    return board.position, board.komi, board.rules
