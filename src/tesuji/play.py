"""A game in the terminal against the search: `tesuji play`.

`Dialogue` reads what is typed, lets `tesuji.search.Opponent` answer, and draws. Moves are typed as the board's edge
shows them. Stdin may be a pipe: what it says is then echoed, so that the transcript reads like a game.

How boards look and moves are called is in `tesuji.games.terminal` and, for Go, in `tesuji.go.view.diagram`.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import numpy as np
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from tesuji.games import NATIVE_GAMES, make_game
from tesuji.games.terminal import GameView, view_of
from tesuji.go import Board, EngineConfig, final_score
from tesuji.go.engine.manners import better_mannered, passes_at_once
from tesuji.go.knowledge.life import ownership
from tesuji.go.rules.vertex import parse_vertex, printable, to_vertex
from tesuji.go.view.diagram import BoardDiagram
from tesuji.search import Opponent, SearchConfig, SearchResult
from tesuji.search.presets import presets_of

__all__ = ["GAMES", "Dialogue", "Setting", "make_setting", "play"]

GAMES = (*NATIVE_GAMES, "go")

_GO_SIZE = 9
_HINTS = 3  # moves that a hint shows
_LINE_MOVES = 8  # of a main line
_LONGEST_WORD = 20  # of what is typed, when it is repeated in a message

_HELP = """\
{goal}
{example:<8} play there: a move is typed as the edge of the board shows it
hint     what Tesuji would play in your place
undo     take back your last move and its answer
board    draw the board again
quit     end the game (so does Ctrl-D, or Ctrl-C while it is your turn)
?        this help
While Tesuji thinks, Ctrl-C makes it move at once. A value is what a player expects: 0 a loss, 0.5 a draw, 1 a win."""


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """A game to be played: how it starts, how people see it, how the search plays it."""

    game: Any
    view: GameView
    config: SearchConfig


class GoView:
    """Go as `tesuji play` shows it; a pass is typed as a word."""

    title = "Go"
    players = ("Black", "White")
    goal = "The larger area wins, komi included; two passes end the game."

    def __init__(self, board: Board) -> None:
        self._width, self._height = board.width, board.height
        self.example = to_vertex(board.height // 2 * board.width + board.width // 2, board.width, board.height).lower()

    def signs(self) -> tuple[str, str]:
        """How the players look in plain text."""
        return "X", "O"

    def mover(self, game: Board) -> int:
        """Who is to move: 0, the first player, or 1."""
        return game.to_play

    def winner(self, game: Board) -> int | None:
        """Who won an ended game; None: a draw."""
        winner = int(final_score(game).winner)
        return winner - 1 if winner else None

    def name(self, move: int) -> str:
        """The move as it is written."""
        return to_vertex(move, self._width, self._height).lower()

    def parse(self, text: str) -> int:
        """The move that is written."""
        return parse_vertex(text, self._width, self._height)

    def why_illegal(self, game: Board, move: int) -> str | None:
        """What forbids a move."""
        return game.why_illegal(move)

    def diagram(
        self, game: Board, *, last_move: int | None = None, labels: Mapping[int, str] | None = None
    ) -> RenderableType:
        """The board; it knows its last move itself."""
        del last_move
        return BoardDiagram(game, labels=labels)


def make_setting(name: str, *, size: int | None = None, threads: int = 1) -> Setting:
    """Set a game up.

    Parameters
    ----------
    name : str
        Of `GAMES`.
    size : int, optional
        Of the board, where the game has sizes; the usual one if not given.
    threads : int
        Of the search.
    """
    if name == "go":
        board = Board(size or _GO_SIZE)
        setting = Setting(game=board, view=GoView(board), config=EngineConfig().search)
    else:
        game = make_game(name, size)
        setting = Setting(game=game, view=view_of(game), config=presets_of(name)["default"])
    return msgspec.structs.replace(setting, config=msgspec.structs.replace(setting.config, threads=threads))


class Dialogue:
    """One game between a person and the opponent, on a console.

    Parameters
    ----------
    console : Console
        Where to draw.
    setting : Setting
        The game.
    opponent : Opponent
        Who plays against the person.
    human : {0, 1}
        The person's seat: 0 moves first.
    read_line : callable, optional
        Returns the next line that is typed, given a prompt; raises EOFError at the end. From stdin if not given.
    """

    def __init__(
        self,
        console: Console,
        setting: Setting,
        opponent: Opponent,
        *,
        human: int = 0,
        read_line: Callable[[Text], str] | None = None,
    ) -> None:
        self.console = console
        self.view = setting.view
        self.opponent = opponent
        self.human = human
        self.moves: list[int] = []
        self._start = setting.game
        self.game = setting.game.copy()
        self._read_line = read_line or self._read_stdin
        self._commands: dict[str, Callable[[], None]] = {
            "hint": self._hint,
            "undo": self._undo,
            "board": self._draw,
            "?": self._help,
            "help": self._help,
        }

    def run(self) -> None:
        """Play until the game is over or the person has had enough."""
        self._introduce()
        try:
            while not self.game.is_over:
                if self.view.mover(self.game) == self.human:
                    if not self._human_turn():
                        break
                else:
                    self._engine_turn()
        except (EOFError, KeyboardInterrupt):
            self.console.print()
        self._finish()

    # --- turns --------------------------------------------------------------------------------------------------------

    def _human_turn(self) -> bool:
        """Read one line and do what it says; False if it says to stop."""
        word = self._read_line(self._prompt()).strip().lower()
        if word in ("quit", "exit", "q"):
            return False
        if command := self._commands.get(word):
            command()
        elif word:
            self._try_move(word)
        return True

    def _try_move(self, word: str) -> None:
        shown = _cut(printable(word))
        try:
            move = self.view.parse(word if shown == word else shown)
        except ValueError as error:
            self._say(f"{error}; ? lists what you can type.")
            return
        if reason := self.view.why_illegal(self.game, move):
            self._say(f"{reason}; choose another move.")
            return
        self._play(move)
        if not self.game.is_over:
            self._draw()

    def _engine_turn(self) -> None:
        if self._passing_wins():
            self._play(self.game.pass_move)
            self._say("Tesuji passes: it has won as the board stands.", style="bold")
            return
        thought = self._think()
        move = self._mannered(thought)
        self._play(move)
        self._say(f"Tesuji plays {self.view.name(move)}.", style="bold")
        self._say(self._describe(thought))
        if not self.game.is_over:
            self._draw()

    def _passing_wins(self) -> bool:
        """At Go a pass answers a pass if the count is won; elsewhere there is none."""
        game = self.game
        return isinstance(game, Board) and game.passes > 0 and passes_at_once(game)

    def _mannered(self, thought: SearchResult) -> int:
        """The move to play; at Go a pass instead of a move that nobody needs."""
        game = self.game
        if not isinstance(game, Board):
            return thought.best_move
        return better_mannered(game, thought, lambda: ownership(game))

    def _think(self) -> SearchResult:
        """Think; Ctrl-C makes it answer at once, if it has something to say."""
        try:
            return self._watched()
        except KeyboardInterrupt:
            if not (found := self.opponent.so_far()).simulations:
                raise
            return found

    def _watched(self) -> SearchResult:
        with contextlib.ExitStack() as stack:
            if not self.console.is_terminal:
                return self.opponent.think()
            status = stack.enter_context(self.console.status("Tesuji thinks"))
            return self.opponent.think(
                lambda so_far: status.update(
                    f"Tesuji thinks: {self.view.name(so_far.best_move)}, {so_far.simulations:,} simulations"
                )
            )

    def _play(self, move: int) -> None:
        self.game.play(move)
        self.opponent.follow(move)
        self.moves.append(move)

    # --- what can be typed besides moves ------------------------------------------------------------------------------

    def _hint(self) -> None:
        thought = self._think()
        order = [i for i in np.argsort(-thought.visits.astype(np.int64), kind="stable") if thought.visits[i] > 0]
        best = int(np.flatnonzero(thought.moves == thought.best_move)[0])
        shown = [best, *(int(i) for i in order if i != best)][:_HINTS]
        self._draw({int(thought.moves[i]): str(rank) for rank, i in enumerate(shown, start=1)})
        table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0), pad_edge=False)
        for column in ("", "move", "visits", "value", "main line"):
            table.add_column(column, justify="right" if column in ("visits", "value") else "left", no_wrap=True)
        for rank, i in enumerate(shown, start=1):
            value = ("", "lost", "drawn", "won")[int(thought.proofs[i])] or f"{thought.values[i]:.2f}"
            line = Text(self._line(thought.lines[i]), no_wrap=True, overflow="ellipsis")
            table.add_row(str(rank), self.view.name(int(thought.moves[i])), f"{thought.visits[i]:,}", value, line)
        self.console.print(table)
        self.console.print()

    def _undo(self) -> None:
        kept = len(self.moves) - 1
        while kept >= 0 and kept % 2 != self.human:  # players alternate in all of these games
            kept -= 1
        if kept < 0:
            self._say("There is nothing to take back: you have not moved yet.")
            return
        self.moves = self.moves[:kept]
        self.game = self._start.copy()
        for move in self.moves:
            self.game.play(move)
        self.opponent.look_at(self.game)
        self._draw()

    def _help(self) -> None:
        self._say(_HELP.format(example=self.view.example, goal=self.view.goal))

    # --- words and drawings -------------------------------------------------------------------------------------------

    def _introduce(self) -> None:
        seats = [f"{self._who(player)}{' (first)' if player == 0 else ''}" for player in (self.human, 1 - self.human)]
        self._say(f"{self.view.title} against Tesuji (seed {self.opponent.seed})", style="bold")
        self._say(f"You are {seats[0]}, Tesuji is {seats[1]}. {self.view.goal}")
        self._say(f"Type a move, for instance {self.view.example}, or ? for help.\n")
        self._draw()

    def _finish(self) -> None:
        if not self.game.is_over:
            self._say(f"Stopped after {_count(len(self.moves), 'move')}.")
            return
        self._draw()
        winner = self.view.winner(self.game)
        ending = f"in {_count(len(self.moves), 'move')}"
        score = f" ({final_score(self.game)})" if isinstance(self.game, Board) else ""
        if winner is None:
            self._say(f"A draw, {ending}{score}.", style="bold")
        else:
            who = "You win" if winner == self.human else "Tesuji wins"
            self._say(f"{who}, as {self.view.players[winner]}, {ending}{score}.", style="bold")

    def _describe(self, thought: SearchResult) -> str:
        """What the opponent thought before the move that was just played."""
        mover = 1 - self.human
        chosen = int(np.flatnonzero(thought.moves == thought.best_move)[0])
        speed = f"{_count(thought.simulations, 'simulation')} in {thought.seconds:.1f} s"
        line = self._line(thought.lines[chosen])
        proof = {1: f"{self.view.players[1 - mover]} wins", 2: "it is a draw", 3: f"{self.view.players[mover]} wins"}
        if verdict := proof.get(int(thought.proofs[chosen])):
            return f"Proved: {verdict} ({speed}). Main line: {line}"
        visits = _count(int(thought.visits[chosen]), "visit")
        return (
            f"Value {thought.values[chosen]:.2f} for {self.view.players[mover]}, {visits}, {speed}. Main line: {line}"
        )

    def _line(self, moves: list[int]) -> str:
        return " ".join(self.view.name(move) for move in moves[:_LINE_MOVES])

    def _who(self, player: int) -> str:
        name, sign = self.view.players[player], self.view.signs()[player]
        return name if name == sign else f"{name} ({sign})" if self._is_plain() else name

    def _is_plain(self) -> bool:
        return self.console.color_system is None or self.console.no_color

    def _prompt(self) -> Text:
        return Text(f"{self.view.players[self.human]}, your move: ", style="bold")

    def _draw(self, labels: Mapping[int, str] | None = None) -> None:
        last_move = self.moves[-1] if self.moves else None
        self.console.print(self.view.diagram(self.game, last_move=last_move, labels=labels))
        self.console.print()

    def _say(self, words: str, style: str = "") -> None:
        self.console.print(Text(words, style=style))

    def _read_stdin(self, prompt: Text) -> str:
        line = self.console.input(prompt)
        if not sys.stdin.isatty():
            self._say(_cut(printable(line)))
        return line


def play(
    console: Console,
    name: str,
    *,
    size: int | None = None,
    simulations: int | None = None,
    seconds: float | None = None,
    human_first: bool = True,
    seed: int | None = None,
    threads: int = 1,
) -> None:
    """Play a game with whoever sits at the console; the parameters are those of `make_setting` and `Opponent`."""
    if reconfigure := getattr(sys.stdin, "reconfigure", None):
        reconfigure(errors="replace")  # a stray byte is a typing error, not a crash
    if sys.stdin.isatty():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  # arrow keys at the prompt
    setting = make_setting(name, size=size, threads=threads)
    opponent = Opponent(
        setting.game,
        setting.config,
        simulations=simulations,
        seconds=seconds,
        seed=seed,
        as_searched=_with_knowledge,
    )
    Dialogue(console, setting, opponent, human=0 if human_first else 1).run()


def _with_knowledge(game: Any) -> Any:
    return EngineConfig().game_at(game) if isinstance(game, Board) else game


def _cut(text: str) -> str:
    """What was typed, but not at any length."""
    return text if len(text) <= _LONGEST_WORD else text[: _LONGEST_WORD - 3] + "..."


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
