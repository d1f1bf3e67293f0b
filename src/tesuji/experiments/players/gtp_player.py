"""A program that speaks GTP as a player: what is said to it in a game, and how it is started.

In a command ``{seed}``, ``{size}`` and ``{threads}`` are replaced by the game's. Programs are looked for on the PATH
and where Debian puts games. ``gnugo-l10`` becomes GNU Go with the rules, the ko and the seed of the game.

The conversation itself, and everything that can go wrong in it, is `gtp_client.py`'s.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from tesuji.experiments.players.gtp_client import EngineError, GtpClient, RefusalError
from tesuji.experiments.players.player import Answer, TimeLeft
from tesuji.experiments.players.player_text import GNUGO, split_command
from tesuji.experiments.records import Conditions, PlayerSpec
from tesuji.experiments.table import Table, size_of
from tesuji.go.rules import rules_named
from tesuji.go.rules.vertex import quoted

__all__ = ["GtpPlayer", "command_line", "find_program"]

START_S = 60.0
"""For the first answer, at least: a program may load a network first."""
SHORT_S = 30.0
"""For commands that no program needs to think about."""

_GAMES_DIRECTORIES = ("/usr/games", "/usr/local/games")
_COLORS = ("b", "w")
_KATA_NAMES = {"chinese": "chinese-kgs"}  # with superko: KataGo's chinese has none


def find_program(word: str) -> str:
    """The path of a program: on the PATH, beside this Python, or where Debian puts games; else the word itself."""
    beside = str(Path(sys.executable).parent)
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), beside, *_GAMES_DIRECTORIES))
    return shutil.which(word, path=path) or word


def command_line(spec: PlayerSpec, conditions: Conditions, seed: int) -> list[str]:
    """The program and its arguments for one game."""
    if match := GNUGO.fullmatch(spec.command):
        return _gnugo_command(int(match[1]), conditions, seed)
    values = {"{seed}": str(seed), "{size}": str(size_of(conditions)), "{threads}": str(spec.num_threads)}
    program, *arguments = split_command(spec.command)
    for place, value in values.items():
        arguments = [argument.replace(place, value) for argument in arguments]
    return [find_program(program), *arguments]


def _gnugo_command(level: int, conditions: Conditions, seed: int) -> list[str]:
    rules = rules_named(conditions.rules)
    counts_territory = rules.scoring == "territory" and not rules.pass_stones
    ko = {"simple": "simple-ko", "positional": "positional-superko", "situational": "situational-superko"}[rules.ko]
    return [
        find_program("gnugo"),
        *("--mode", "gtp", "--quiet", "--level", str(level)),
        *("--seed", str(1 + seed % (2**31 - 2))),  # 0 would mean the clock
        "--japanese-rules" if counts_territory else "--chinese-rules",
        f"--{ko}",
        "--allow-all-suicide" if rules.suicide else "--forbid-suicide",
    ]


class GtpPlayer:
    """A program that speaks GTP."""

    def __init__(self, spec: PlayerSpec, conditions: Conditions, seed: int) -> None:
        if conditions.game != "go":
            raise ValueError(f"player {quoted(spec.name)} speaks GTP, which knows Go only and not {conditions.game}")
        self._spec, self.cpu_s = spec, 0.0
        self._client = GtpClient(command_line(spec, conditions, seed))
        try:
            name = self._client.ask("name", timeout_s=max(START_S, spec.move_s))
            self.title = " ".join(f"{name} {self._said('version')}".split())[:200]
            self._known = frozenset(self._said("list_commands").split())
            for command in spec.setup:
                self._client.ask(command, timeout_s=max(SHORT_S, spec.move_s))
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def begin(self, table: Table) -> None:
        """Board, rules, komi, handicap, clock, moves; what the protocol does not demand is sent only if it is known."""
        board = table.game
        self._tell(f"boardsize {board.width}")
        self._set_rules(board.rules.name)
        self._tell("clear_board")
        self._tell(f"komi {board.komi:g}")
        if board.handicap:
            stones = board.start.grid.ravel().nonzero()[0].tolist()
            self._place_handicap([board.vertex(point) for point in stones])
        spec = self._spec
        if spec.main_s or spec.byoyomi_s:
            moves = max(1, spec.byoyomi_stones) if spec.byoyomi_s else 0  # a period for none would mean no limit
            self._tell(f"time_settings {spec.main_s:g} {spec.byoyomi_s:g} {moves}")
        for seat, vertex in table.history:
            self.observe(seat, vertex)

    def rehearse(self) -> None:
        """Nothing: it has answered what a game begins with."""

    def observe(self, seat: int, vertex: str) -> None:
        """Somebody else made a move."""
        self._client.ask(f"play {_COLORS[seat]} {vertex}", timeout_s=max(SHORT_S, self._spec.move_s))

    def choose(self, seat: int, left: TimeLeft | None, timeout_s: float) -> Answer:
        """Ask for a move."""
        if left is not None and "time_left" in self._known:
            self._tell(f"time_left {_COLORS[seat]} {int(left.seconds)} {left.stones}")
        return Answer(self._client.ask(f"genmove {_COLORS[seat]}", timeout_s=timeout_s))

    def final_score(self, timeout_s: float) -> str | None:
        """Ask for its opinion; None if it has none."""
        if "final_score" not in self._known:
            return None
        try:
            return self._client.ask("final_score", timeout_s=timeout_s)
        except EngineError:  # the game is over: what it does now costs it nothing
            return None

    def interrupt(self) -> None:
        """End the program at once, from any thread; what it was asked ends with an `EngineError`."""
        self._client.interrupt()

    def close(self) -> None:
        """End the program and whatever it started."""
        self._client.close()
        self.cpu_s = self._client.cpu_s

    def _tell(self, command: str) -> str:
        return self._client.ask(command, timeout_s=SHORT_S)

    def _said(self, command: str) -> str:
        """The answer to a question that a program may refuse."""
        try:
            return self._tell(command)
        except RefusalError:
            return ""

    def _set_rules(self, name: str) -> None:
        if "kata-set-rules" in self._known:
            self._said(f"kata-set-rules {_KATA_NAMES.get(name, name)}")
        elif "kgs-rules" in self._known:
            self._said(f"kgs-rules {name.replace('-', '_')}")

    def _place_handicap(self, vertices: Sequence[str]) -> None:
        if "set_free_handicap" in self._known:
            self._tell(f"set_free_handicap {' '.join(vertices)}")
        elif "fixed_handicap" in self._known:
            self._tell(f"fixed_handicap {len(vertices)}")
        else:
            for vertex in vertices:
                self._tell(f"play b {vertex}")
