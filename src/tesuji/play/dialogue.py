"""The conversation of `tesuji play`: reads what is typed, lets a rival answer, draws.

Moves are typed as the board's edge shows them. Stdin may be a pipe: what it says is then echoed, so that the transcript
reads like a game. It knows neither search nor engine: `tesuji.play.rival` does.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tesuji.games.terminal import GameView
from tesuji.go import Board, final_score
from tesuji.go.rules.vertex import printable
from tesuji.play.rival import Rival, Thought
from tesuji.play.saving import saved_game
from tesuji.writing import write_whole

__all__ = ["Dialogue"]

_HINTS = 3  # moves that a hint shows
_LINE_MOVES = 8  # of a main line
_LONGEST_WORD = 20  # of what is typed, when it is repeated in a message

_HELP = """\
{goal}
{example:<8} play there: a move is typed as the edge of the board shows it
hint     what Tesuji would play in your place
undo     take back your last move and its answer
board    draw the board again
save     write the game into a file: save mygame.sgf
resign   give the game up
quit     end the game (so does Ctrl-D, or Ctrl-C while it is your turn)
?        this help
While Tesuji thinks, Ctrl-C makes it move at once. A value is what a player expects: 0 a loss, 0.5 a draw, 1 a win."""


class Dialogue:
    """One game between a person and the opponent, on a console.

    Parameters
    ----------
    console : Console
        Where to draw.
    game : Board or Game
        Where it starts; copied.
    view : GameView
        How people see it.
    rival : Rival
        Who plays against the person.
    human : {0, 1}
        The person's seat: 0 is the first player.
    read_line : callable, optional
        Returns the next line that is typed, given a prompt; raises EOFError at the end. From stdin if not given.
    save : path, optional
        Where the game is written after each move.
    """

    def __init__(
        self,
        console: Console,
        game: Any,
        view: GameView,
        rival: Rival,
        *,
        human: int = 0,
        read_line: Callable[[Text], str] | None = None,
        save: Path | None = None,
    ) -> None:
        self.console = console
        self.view = view
        self.rival = rival
        self.human = human
        self.moves: list[int] = []
        self._movers: list[int] = []
        self._start = game
        self.game = game.copy()
        self._save_path = save
        self._resigned: int | None = None
        self._read_line = read_line or self._read_stdin
        self._commands: dict[str, Callable[[], None]] = {
            "hint": self._hint,
            "undo": self._undo,
            "board": self._draw,
            "resign": self._resign,
            "?": self._help,
            "help": self._help,
        }

    def run(self) -> None:
        """Play until the game is over or the person has had enough."""
        self._introduce()
        try:
            while not self._is_over():
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
        typed = self._read_line(self._prompt()).strip()
        word = typed.lower()
        if word in ("quit", "exit", "q"):
            return False
        if word.split(maxsplit=1)[:1] == ["save"]:
            self._save_as(typed[len("save") :].strip())
            return True
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
        thought = self._watched(self.rival.answer)
        if thought.move is None:
            self._resigned = 1 - self.human
            self._say("Tesuji resigns.", style="bold")
            return
        self._play(thought.move)
        passes = isinstance(self.game, Board) and thought.move == self.game.pass_move
        self._say("Tesuji passes." if passes else f"Tesuji plays {self.view.name(thought.move)}.", style="bold")
        if thought.lines:
            self._say(self._describe(thought))
        if not self.game.is_over:
            self._draw()

    def _watched(self, think: Callable[..., Thought]) -> Thought:
        """Think, with a line on the terminal that says how far it is."""
        if not self.console.is_terminal:
            return think()
        with self.console.status("Tesuji thinks") as status:
            return think(
                lambda move, simulations: status.update(
                    f"Tesuji thinks: {self.view.name(move)}, {simulations:,} simulations"
                )
            )

    def _play(self, move: int) -> None:
        self._movers.append(self.view.mover(self.game))
        self.moves.append(move)
        self.game.play(move)
        self.rival.follow(move)
        if self._save_path is not None:
            self._write(self._save_path)

    def _is_over(self) -> bool:
        return self._resigned is not None or bool(self.game.is_over)

    # --- what can be typed besides moves ------------------------------------------------------------------------------

    def _hint(self) -> None:
        thought = self._watched(self.rival.advise)
        shown = thought.lines[:_HINTS]
        self._draw({line.move: str(rank) for rank, line in enumerate(shown, start=1)})
        table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0), pad_edge=False)
        for column in ("", "move", "visits", "value", "main line"):
            justify: Literal["left", "right"] = "right" if column in ("visits", "value") else "left"
            table.add_column(column, justify=justify, no_wrap=column != "main line")  # the only one that may shrink
        for rank, line in enumerate(shown, start=1):
            value = ("", "lost", "drawn", "won")[line.proof] or f"{line.value:.2f}"
            after = Text(self._line(line.line), no_wrap=True, overflow="ellipsis")
            table.add_row(str(rank), self.view.name(line.move), f"{line.visits:,}", value, after)
        self.console.print(table)
        self.console.print()

    def _undo(self) -> None:
        kept = len(self.moves) - 1
        while kept >= 0 and self._movers[kept] != self.human:
            kept -= 1
        if kept < 0:
            self._say("There is nothing to take back: you have not moved yet.")
            return
        self.moves, self._movers = self.moves[:kept], self._movers[:kept]
        self.game = self._start.copy()
        for move in self.moves:
            self.game.play(move)
        self.rival.look_at(self.game)
        self._draw()

    def _resign(self) -> None:
        self._resigned = self.human

    def _save_as(self, name: str) -> None:
        if not name and self._save_path is None:
            ending = "sgf" if isinstance(self.game, Board) else "txt"
            self._say(f"Say where: save mygame.{ending}")
            return
        try:
            self._say(f"Saved: {self._write(Path(name) if name else self._save_path)}")
        except OSError as error:
            self._say(f"{_cut(printable(name), 60)} cannot be written: {error.strerror}; choose another file.")

    def _write(self, path: Path | None) -> Path:
        assert path is not None
        game = saved_game(
            self.game, self.view, self.moves, human=self.human, result=self._result(), seed=self.rival.seed
        )
        return write_whole(path, game)

    def _result(self) -> str:
        """Who won, as it is written down; empty while nobody has."""
        if self._resigned is not None:
            winner = 1 - self._resigned
            return f"{'BW'[winner]}+R" if isinstance(self.game, Board) else f"{self.view.players[winner]} won"
        if not self.game.is_over:
            return ""
        if isinstance(self.game, Board):
            return str(final_score(self.game))
        decided = self.view.winner(self.game)
        return "a draw" if decided is None else f"{self.view.players[decided]} won"

    def _help(self) -> None:
        self._say(_HELP.format(example=self.view.example, goal=self.view.goal))

    # --- words and drawings -------------------------------------------------------------------------------------------

    def _introduce(self) -> None:
        first = self.view.mover(self.game)
        seats = [
            f"{self._who(player)}{' (first)' if player == first else ''}" for player in (self.human, 1 - self.human)
        ]
        self._say(f"{self.view.title} against Tesuji (seed {self.rival.seed})", style="bold")
        self._say(f"You are {seats[0]}, Tesuji is {seats[1]}. {self.view.goal}")
        if isinstance(self.game, Board):
            stones = f", {self.game.handicap} handicap stones" if self.game.handicap else ""
            self._say(f"{self.game.width}x{self.game.height}, komi {self.game.komi:g}{stones}.")
        self._say(f"Type a move, for instance {self.view.example}, or ? for help.\n")
        self._draw()

    def _finish(self) -> None:
        if not self._is_over():
            self._say(f"Stopped after {_count(len(self.moves), 'move')}.")
        else:
            self._tell_result()
        if self._save_path is not None:
            self._say(f"Saved: {self._write(self._save_path)}")

    def _tell_result(self) -> None:
        ending = f"in {_count(len(self.moves), 'move')}"
        if self._resigned is not None:
            winner: int | None = 1 - self._resigned
            ending = f"by resignation, {ending}"
        else:
            self._draw()
            winner = self.view.winner(self.game)
            ending += f" ({final_score(self.game)})" if isinstance(self.game, Board) else ""
        if winner is None:
            self._say(f"A draw, {ending}.", style="bold")
        else:
            who = "You win" if winner == self.human else "Tesuji wins"
            self._say(f"{who}, as {self.view.players[winner]}, {ending}.", style="bold")

    def _describe(self, thought: Thought) -> str:
        """What the opponent thought before the move that was just played."""
        mover, chosen = 1 - self.human, thought.lines[0]
        speed = f"{_count(thought.simulations, 'simulation')} in {thought.seconds:.1f} s"
        line = self._line(chosen.line)
        proof = {1: f"{self.view.players[1 - mover]} wins", 2: "it is a draw", 3: f"{self.view.players[mover]} wins"}
        if verdict := proof.get(chosen.proof):
            return f"Proved: {verdict} ({speed}). Main line: {line}"
        visits = _count(chosen.visits, "visit")
        return f"Value {chosen.value:.2f} for {self.view.players[mover]}, {visits}, {speed}. Main line: {line}"

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


def _cut(text: str, longest: int = _LONGEST_WORD) -> str:
    """What was typed, but not at any length."""
    return text if len(text) <= longest else text[: longest - 3] + "..."


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
