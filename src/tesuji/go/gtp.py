"""The Go Text Protocol, version 2: lines of bytes in, replies out, one small handler per command.

`GtpServer` holds the board and the clocks; an engine chooses the moves. A command that fails is answered with ``?`` and
leaves the game as it was. Only replies are written to the stream: whatever is printed meanwhile goes to stderr.

It does not think (`tesuji.go.engine` does) and knows no analysis stream. An engine that ponders does so between a
``genmove`` and the next command that has to do with the game. What controllers expect beyond the protocol's
text: a vertex may be in small letters, lines may be of any length, ``boardsize`` may name a rectangle.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import time
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple, Protocol, runtime_checkable

from tesuji.go.board import Board, IllegalMove
from tesuji.go.clock import Absolute, Canadian, Clock
from tesuji.go.color import Color
from tesuji.go.engine import EngineConfig
from tesuji.go.life import chain_status, final_score
from tesuji.go.parameters import ENGINE_PARAMETERS, applied_to_engine
from tesuji.go.rules import rules_named
from tesuji.go.sgf import SgfError, load, to_sgf
from tesuji.go.time_settings import KATA_KINDS, KGS_KINDS, canadian_or_none, clock_of_kind
from tesuji.go.vertex import parse_vertex, quoted, to_vertex
from tesuji.search.parameters import Parameter, unknown

__all__ = ["ConfiguredPlayer", "GtpError", "GtpServer", "Player"]

MAX_SIZE = 25
CONTROL_CHARACTERS = bytes([*range(9), *range(10, 32), 127])
TAB_TO_SPACE = bytes.maketrans(b"\t", b" ")
COLORS = {"b": Color.BLACK, "black": Color.BLACK, "w": Color.WHITE, "white": Color.WHITE}
_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]{1,9}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})")
_EMPTY_LINE = re.compile(r"\n[ \r]*(?=\n)")


class GtpError(Exception):
    """What a command is refused with: the protocol's words first, then the reason."""


class Player(Protocol):
    """What the server asks of an engine."""

    def genmove(self, board: Board, color: Color, *, clock: Clock | None = None) -> int | Literal["resign"]:
        """Choose a move for a colour, in time for its clock if it has one; the board stays as it is."""
        ...


@runtime_checkable
class ConfiguredPlayer(Player, Protocol):
    """An engine with parameters, which can think in the opponent's time: `tesuji.go.engine.Engine`."""

    config: EngineConfig

    def ponder(self, board: Board) -> None:
        """Think about a position in the background."""
        ...

    def stop_pondering(self) -> None:
        """End that."""
        ...


class Command(NamedTuple):
    """A handler, how many arguments it takes, and whether the engine may go on pondering meanwhile."""

    handler: Callable[..., str]
    least: int = 0
    most: int | None = 0
    lets_ponder: bool = False


class GtpServer:
    """A board that speaks GTP.

    Parameters
    ----------
    engine : Player
        Chooses the moves.
    board : Board, optional
        The game to begin with: its size, rules and komi stay until told otherwise. 19x19 under Chinese rules if None.
    name, version : str
        What the engine is called.

    Attributes
    ----------
    board : Board
        The game.
    clocks : dict of Color to Clock or None
        Empty as long as nobody sets a time; None: no limit.
    is_done : bool
        Whether ``quit`` was said.
    """

    def __init__(self, engine: Player, board: Board | None = None, *, name: str = "Tesuji", version: str = "") -> None:
        self.engine = engine
        self.board = Board() if board is None else board
        self.name, self.version = name, version
        self.clocks: dict[Color, Clock | None] = {}
        self.is_done = False
        self.commands: dict[str, Command] = {
            "boardsize": Command(self._boardsize, 1, 2),
            "clear_board": Command(self._clear_board),
            "final_score": Command(self._final_score),
            "final_status": Command(self._final_status, 1, 1),
            "final_status_list": Command(self._final_status_list, 1, 1),
            "fixed_handicap": Command(self._fixed_handicap, 1, 1),
            "genmove": Command(self._genmove, 1, 1),
            "kata-list_time_settings": Command(lambda: " ".join(KATA_KINDS), lets_ponder=True),
            "kata-time_settings": Command(self._kata_time_settings, 1, None, lets_ponder=True),
            "kgs-rules": Command(self._kgs_rules, 1, 1),
            "kgs-time_settings": Command(self._kgs_time_settings, 1, None, lets_ponder=True),
            "known_command": Command(self._known_command, 0, None, lets_ponder=True),
            "komi": Command(self._komi, 1, 1),
            "list_commands": Command(lambda: "\n".join(self.commands), lets_ponder=True),
            "loadsgf": Command(self._loadsgf, 1, None),
            "name": Command(lambda: self.name, lets_ponder=True),
            "param": Command(self._param, 0, None),
            "place_free_handicap": Command(self._place_free_handicap, 1, 1),
            "play": Command(self._play, 2, 2),
            "printsgf": Command(self._printsgf, 0, None),
            "protocol_version": Command(lambda: "2", lets_ponder=True),
            "quit": Command(self._quit),
            "rectangular_boardsize": Command(self._boardsize, 2, 2),
            "reg_genmove": Command(self._reg_genmove, 1, 1),
            "set_free_handicap": Command(self._set_free_handicap, 0, None),
            "showboard": Command(self._showboard, lets_ponder=True),
            "time_left": Command(self._time_left, 3, 3, lets_ponder=True),
            "time_settings": Command(self._time_settings, 3, 3, lets_ponder=True),
            "undo": Command(self._undo),
            "version": Command(lambda: self.version, lets_ponder=True),
        }
        if not isinstance(engine, ConfiguredPlayer):
            del self.commands["param"]

    def run(self, commands: BinaryIO, replies: BinaryIO) -> None:
        """Answer commands until ``quit``, the end of the input, Ctrl-C or a closed pipe.

        Parameters
        ----------
        commands, replies : binary streams
            For instance ``sys.stdin.buffer`` and ``sys.stdout.buffer``.
        """
        try:
            with contextlib.redirect_stdout(sys.stderr):
                while not self.is_done and (line := commands.readline()):
                    replies.write(self.reply(line))
                    replies.flush()
        except KeyboardInterrupt:
            pass
        except ConnectionError:
            _silence(replies)
        finally:
            self._stop_pondering()

    def reply(self, line: bytes) -> bytes:
        """Carry out one line.

        Parameters
        ----------
        line : bytes
            An optional number, a command and its arguments; comments and control characters do not count.

        Returns
        -------
        bytes
            The whole reply, with the empty line that ends it; nothing for a line without a command.
        """
        line = line.translate(TAB_TO_SPACE, CONTROL_CHARACTERS).partition(b"#")[0]
        words = [word.decode("utf-8", "surrogateescape") for word in line.split()]
        if not words:
            return b""
        number = words.pop(0) if words[0].isascii() and words[0].isdigit() else ""
        try:
            text = self._execute(words)
        except GtpError as error:
            return _reply("?", number, " ".join(str(error).split()))
        except Exception as error:  # an engine's fault must not end the game: the controller decides
            traceback.print_exc()
            return _reply("?", number, f"internal error: {type(error).__name__}: {' '.join(str(error).split())}")
        return _reply("=", number, _EMPTY_LINE.sub("", text.rstrip()))

    def _execute(self, words: list[str]) -> str:
        name = words[0] if words else ""
        if name not in self.commands:
            raise GtpError("unknown command")
        handler, least, most, lets_ponder = self.commands[name]
        count = len(words) - 1
        if count < least or (most is not None and count > most):
            wanted = f"{least}" if most == least else f"{least} or more" if most is None else f"{least} to {most}"
            raise GtpError(f"syntax error: {name} takes {wanted} arguments, not {count}")
        if not lets_ponder:
            self._stop_pondering()
        return handler(*words[1:])

    # About the program -----------------------------------------------------------------------------------------------

    def _known_command(self, *words: str) -> str:
        return "true" if " ".join(words) in self.commands else "false"

    def _quit(self) -> str:
        self.is_done = True
        return ""

    # The board -------------------------------------------------------------------------------------------------------

    def _boardsize(self, *words: str) -> str:
        width, height = _whole(words[0]), _whole(words[-1])
        if not (1 <= width <= MAX_SIZE and 1 <= height <= MAX_SIZE):
            raise GtpError(f"unacceptable size: {width}x{height} is not within 1x1 to {MAX_SIZE}x{MAX_SIZE}")
        self.board = self._new_board(width, height)
        return ""

    def _clear_board(self) -> str:
        self.board = self._new_board(self.board.width, self.board.height)
        return ""

    def _komi(self, word: str) -> str:
        komi = _decimal(word)
        try:
            self.board.komi = komi
        except ValueError as error:
            raise GtpError(f"syntax error: {error}") from error
        return ""

    def _kgs_rules(self, name: str) -> str:
        try:
            rules = rules_named(name.lower())
            self.board = load(to_sgf(self.board)).replay(rules=rules)  # kgsGtp may say so with stones on the board
        except ValueError as error:
            raise GtpError(f"syntax error: {error}") from error
        return ""

    def _showboard(self) -> str:
        board = self.board
        captured = ", ".join(f"{board.captured(color)} {color}" for color in (Color.BLACK, Color.WHITE))
        return f"\n{board.to_text()}\n{board.to_play} to play, komi {board.komi:g}, captured {captured}"

    # Play ------------------------------------------------------------------------------------------------------------

    def _play(self, color_word: str, vertex: str) -> str:
        color, move = _color(color_word), self._vertex(vertex)
        try:
            self.board.play(move, color)
        except IllegalMove as error:
            raise GtpError(f"illegal move: {error}") from error
        return ""

    def _genmove(self, color_word: str) -> str:
        color = _color(color_word)
        began = time.monotonic()
        move = self._choose(color)
        if move == "resign":
            return "resign"
        self.board.play(move, color)
        clock = self.clocks.get(color)
        if clock is not None:
            self.clocks[color] = clock.after(time.monotonic() - began)
        if isinstance(self.engine, ConfiguredPlayer) and self.engine.config.ponders:
            self.engine.ponder(self.board)
        return self._name_of(move)

    def _reg_genmove(self, color_word: str) -> str:
        move = self._choose(_color(color_word))
        return "resign" if move == "resign" else self._name_of(move)

    def _undo(self) -> str:
        try:
            self.board.undo()
        except ValueError as error:
            raise GtpError(f"cannot undo: {error}") from error
        return ""

    # Handicap --------------------------------------------------------------------------------------------------------

    def _fixed_handicap(self, count: str) -> str:
        number = _whole(count)
        self._check_empty()
        try:
            points = self.board.set_handicap(number)
        except ValueError as error:
            raise GtpError(f"invalid number of stones: {error}") from error
        return self._names_of(points)

    def _place_free_handicap(self, count: str) -> str:
        number = _whole(count)
        self._check_empty()
        if not 2 <= number < self.board.num_points:
            raise GtpError(f"invalid number of stones: {number} is not within 2 to {self.board.num_points - 1}")
        for fewer in range(min(number, 9), 1, -1):  # the protocol lets an engine place fewer than it is allowed
            with contextlib.suppress(ValueError):
                return self._names_of(self.board.set_handicap(fewer))
        raise GtpError("invalid number of stones: this board has no handicap points; use set_free_handicap")

    def _set_free_handicap(self, *vertices: str) -> str:
        self._check_empty()
        if not 2 <= len(vertices) < self.board.num_points:
            raise GtpError(f"bad vertex list: {len(vertices)} stones are not within 2 to {self.board.num_points - 1}")
        try:
            self.board.set_free_handicap([self._vertex(vertex) for vertex in vertices])
        except (GtpError, ValueError) as error:
            raise GtpError(f"bad vertex list: {error}") from error
        return ""

    # Score -----------------------------------------------------------------------------------------------------------

    def _final_score(self) -> str:
        return str(final_score(self.board))

    def _final_status(self, vertex: str) -> str:
        point = self._vertex(vertex)
        if point == self.board.pass_move or not self.board.color_at(point):
            raise GtpError(f"vertex must not be empty: {vertex} holds no stone")
        return chain_status(self.board)[point]

    def _final_status_list(self, status: str) -> str:
        if status not in ("alive", "dead", "seki"):
            raise GtpError(f"syntax error: {quoted(status)} is not a status: write alive, dead or seki")
        chains = (self.board.chain(point).tolist() for point, its in chain_status(self.board).items() if its == status)
        return "\n".join(self._names_of(chain) for chain in dict.fromkeys(map(tuple, chains)))  # one chain a line

    # Files -----------------------------------------------------------------------------------------------------------

    def _loadsgf(self, *words: str) -> str:
        path, until = " ".join(words), None
        if len(words) > 1 and _WHOLE.fullmatch(words[-1]):
            path, until = " ".join(words[:-1]), _whole(words[-1]) - 1  # the position before that move
        try:
            record = load(path)
            board = record.replay(until, rules=record.rules or self.board.rules)
            if record.komi is None:
                board.komi = self.board.komi
        except SgfError as error:
            raise GtpError(f"cannot load file: {error}") from error
        self.board = board
        return ""

    def _printsgf(self, *words: str) -> str:
        data = to_sgf(self.board)
        if not words:
            return data.decode("utf-8")
        try:
            Path(" ".join(words)).write_bytes(data)
        except OSError as error:
            raise GtpError(f"cannot save file: {error.strerror}") from error
        return ""

    # Time ------------------------------------------------------------------------------------------------------------

    def _time_settings(self, main: str, period: str, count: str) -> str:
        numbers = _decimal(main), _decimal(period), _whole(count)
        return self._set_clocks(lambda: canadian_or_none(*numbers))

    def _kgs_time_settings(self, kind: str, *numbers: str) -> str:
        said = [_decimal(word) for word in numbers]
        return self._set_clocks(lambda: clock_of_kind(kind, said, KGS_KINDS))

    def _kata_time_settings(self, kind: str, *numbers: str) -> str:
        said = [_decimal(word) for word in numbers]
        return self._set_clocks(lambda: clock_of_kind(kind, said, KATA_KINDS))

    def _set_clocks(self, made: Callable[[], Clock | None]) -> str:
        try:
            clock = made()
        except ValueError as error:
            raise GtpError(f"syntax error: {error}") from error
        self.clocks = dict.fromkeys((Color.BLACK, Color.WHITE), clock)
        return ""

    def _time_left(self, color_word: str, left: str, count: str) -> str:
        color, left_s, number = _color(color_word), max(0.0, _decimal(left)), _whole(count)
        if number < 0:
            raise GtpError(f"syntax error: {number} stones are not possible; 0 stands for main time")
        if color not in self.clocks:  # nobody said what kind of clock it is
            self.clocks[color] = Canadian(left_s, left_s, number, number) if number else Absolute(left_s)
        elif (clock := self.clocks[color]) is not None:
            self.clocks[color] = clock.told(left_s, number)
        return ""

    # Parameters ------------------------------------------------------------------------------------------------------

    def _param(self, name: str = "", *words: str) -> str:
        """All parameters as GoGui reads them, one of them, or a new value."""
        assert isinstance(self.engine, ConfiguredPlayer)
        config = self.engine.config
        if not name:
            return "\n".join(filter(None, (_param_line(each, config) for each in ENGINE_PARAMETERS.values())))
        if name not in ENGINE_PARAMETERS:
            raise GtpError(f"syntax error: {unknown(name, ENGINE_PARAMETERS)}")
        parameter = ENGINE_PARAMETERS[name]
        if not words:
            value = parameter.read(config)
            return "" if value is None else parameter.text(value)
        try:
            value = parameter.parsed(" ".join(words))
            self.engine.config = applied_to_engine({name: value}, config)
        except ValueError as error:
            raise GtpError(f"syntax error: {error}") from error
        except OSError as error:
            raise GtpError(f"cannot load file: {quoted(str(error.filename))}: {error.strerror}") from error
        return ""

    # Shared by the handlers ------------------------------------------------------------------------------------------

    def _choose(self, color: Color) -> int | Literal["resign"]:
        clock = self.clocks.get(color)
        if clock is None:
            return self.engine.genmove(self.board, color)
        return self.engine.genmove(self.board, color, clock=clock)

    def _stop_pondering(self) -> None:
        if isinstance(self.engine, ConfiguredPlayer):
            self.engine.stop_pondering()

    def _new_board(self, width: int, height: int) -> Board:
        return Board(width, height, rules=self.board.rules, komi=self.board.komi)

    def _check_empty(self) -> None:
        if self.board.num_moves or self.board.grid.any():
            raise GtpError("board not empty: handicap stones come first; send clear_board")

    def _vertex(self, word: str) -> int:
        try:
            return parse_vertex(word, self.board.width, self.board.height)
        except ValueError as error:
            raise GtpError(f"invalid coordinates: {error}") from error

    def _name_of(self, move: int) -> str:
        return to_vertex(move, self.board.width, self.board.height)

    def _names_of(self, points: Iterable[int]) -> str:
        return " ".join(self._name_of(int(point)) for point in points)


def _reply(mark: str, number: str, text: str) -> bytes:
    return f"{mark}{number}{' ' if text else ''}{text}\n\n".encode("utf-8", "replace")


def _param_line(parameter: Parameter, config: EngineConfig) -> str:
    """A line of GoGui's ``param``; empty for a parameter without a meaning in this config."""
    value = parameter.read(config)
    if value is None:
        return ""
    if isinstance(value, bool):
        return f"[bool] {parameter.name} {int(value)}"
    kind = f"list/{'/'.join(parameter.choices)}" if parameter.choices else "string"
    return f"[{kind}] {parameter.name} {value}"


def _silence(stream: BinaryIO) -> None:
    """Send what is still in a broken stream's buffer nowhere, so that closing it does not fail once more."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def _color(word: str) -> Color:
    try:
        return COLORS[word.lower()]
    except KeyError:
        raise GtpError(f"syntax error: {quoted(word)} is not a color: write black or white") from None


def _whole(word: str) -> int:
    if not _WHOLE.fullmatch(word):
        raise GtpError(f"syntax error: {quoted(word)} is not a whole number")
    return int(word)


def _decimal(word: str) -> float:
    if not _DECIMAL.fullmatch(word):
        raise GtpError(f"syntax error: {quoted(word)} is not a number")
    return float(word)
