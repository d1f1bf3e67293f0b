"""Regression suites against an engine: ask every question, compare the answers, count as GNU Go does.

`run_suites` starts the engine once, brings it into each test's position and asks. An engine that hangs, crashes or
talks nonsense fails that test; another one is started and the next test begins from nothing. A position that could not
be set up fails its tests without asking. A command that the engine does not know is counted apart: it says nothing
about strength.

Programs are asked through `gtp_client.py`; the search of this process through `tesuji.go.gtp`, so that both take the
same commands. What suites look like is `suites.py`'s affair.
"""

from __future__ import annotations

import csv
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

import msgspec

from tesuji.experiments.players import open_player
from tesuji.experiments.players.gtp_client import EngineError, GtpClient, RefusalError
from tesuji.experiments.players.gtp_player import command_line
from tesuji.experiments.records import Conditions, PlayerSpec, Setting
from tesuji.experiments.suites.commands import check_commands
from tesuji.experiments.suites.suite import Suite, Test, open_suites
from tesuji.experiments.table import lay_table
from tesuji.go.engine.clock import Clock
from tesuji.go.gtp import GtpServer
from tesuji.go.rules import rules_named
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

__all__ = ["DEFAULT_RULES", "Outcome", "Regression", "TestAnswer", "regress", "run_suites", "summary"]

DEFAULT_RULES = "japanese"
"""GNU Go's own, which its suites were written under."""

_UNKNOWN = "unknown command"


class Outcome(StrEnum):
    """How a test went; GNU Go prints the two unexpected ones."""

    PASS = "pass"
    FAIL = "unexpected fail"
    UNEXPECTED_PASS = "unexpected pass"  # of a known failure
    KNOWN_FAIL = "expected fail"
    IGNORED = "ignored"  # the suite says so
    UNSUPPORTED = "unsupported"  # the engine does not know the command


class TestAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What an engine said to a test.

    Attributes
    ----------
    suite, id, command, expected
        The test's; `expected` as the suite writes it, ``!`` for "anything but".
    outcome : Outcome
        The verdict.
    answer : str
        Of the engine; empty if there was none.
    detail : str
        Why there was none.
    seconds : float
        From the question to the answer.
    """

    __test__ = False  # pytest: this is not a test case

    suite: str
    id: str
    command: str
    expected: str
    outcome: Outcome
    answer: str = ""
    detail: str = ""
    seconds: float = 0.0


class Regression(msgspec.Struct, frozen=True, kw_only=True):
    """A run, whole or interrupted.

    Attributes
    ----------
    answers : list of TestAnswer
        In the order of the suites.
    num_tests : int
        How many there are in the suites.
    """

    answers: list[TestAnswer]
    num_tests: int

    @property
    def is_complete(self) -> bool:
        """Whether every test was asked."""
        return len(self.answers) == self.num_tests

    def count(self, outcome: Outcome) -> int:
        """How many tests went that way."""
        return sum(answer.outcome == outcome for answer in self.answers)


class _Engine(Protocol):
    """Who answers; `ask` raises `RefusalError` for a ``?`` and another `EngineError` when it must be started again."""

    def ask(self, command: str) -> str: ...

    def close(self) -> None: ...


class _Program:
    """A program that speaks GTP."""

    def __init__(self, player: PlayerSpec, conditions: Conditions, seed: int) -> None:
        self._client = GtpClient(command_line(player, conditions, seed))
        self._timeout_s = player.move_s
        try:
            for command in player.setup:
                self.ask(command)
        except EngineError:
            self.close()
            raise

    def ask(self, command: str) -> str:
        return self._client.ask(command, timeout_s=self._timeout_s)

    def close(self) -> None:
        self._client.close()


class _InProcess:
    """The search of this process, asked in GTP's words."""

    def __init__(self, player: PlayerSpec, conditions: Conditions, seed: int) -> None:
        settings: dict[str, Setting] = {"resign_below": 0.0, **player.settings}  # the question is for a move
        self._spec = msgspec.structs.replace(player, settings=settings)
        self._conditions, self._seed = conditions, seed
        open_player(self._spec, conditions, seed).close()  # wrong settings are refused now, not at the first move
        self._server = GtpServer(self, Board(rules=rules_named(conditions.rules)))

    def ask(self, command: str) -> str:
        reply = self._server.reply(command.encode()).decode("utf-8", "replace")
        sign, text = reply[:1], reply[1:].strip()
        if sign == "?":
            raise RefusalError(f"refused {command!r}: {text}", text)
        return text

    def genmove(self, board: Board, color: Color, *, clock: Clock | None = None) -> int | Literal["resign"]:
        """What the server asks: a player who has just sat down at this board; suites have no clocks."""
        del clock
        table = lay_table(self._conditions)
        table.game = board.copy()
        if table.game.color_to_play != color:
            table.game.color_to_play = color
        with open_player(self._spec, self._conditions, self._seed) as player:
            player.begin(table)
            answer = player.choose(table.seat, None, self._spec.move_s)
        return "resign" if answer.vertex == "resign" else board.point(answer.vertex)

    def close(self) -> None:
        pass


class _Session:
    """An engine and the position it is in; starts another engine when one is lost."""

    def __init__(self, start: Callable[[], _Engine]) -> None:
        self._start = start
        self._engine: _Engine | None = start()
        self._done: tuple[str, ...] = ()  # the set-up commands behind the position that the engine is in

    def ask(self, suite: Suite, test: Test) -> TestAnswer:
        began = time.perf_counter()
        try:
            self._prepare(suite, test)
            began = time.perf_counter()
            answer = self._ask(test.command)
        except RefusalError as error:
            is_unknown = error.text.strip().lower().startswith(_UNKNOWN)
            outcome = Outcome.UNSUPPORTED if is_unknown else _outcome(test, passed=False)
            return _answer(suite, test, outcome, detail=str(error), seconds=time.perf_counter() - began)
        except EngineError as error:
            self._lose()
            return _answer(suite, test, Outcome.FAIL, detail=str(error), seconds=time.perf_counter() - began)
        outcome = _outcome(test, passed=test.expectation.accepts(answer))
        return _answer(suite, test, outcome, answer=" ".join(answer.split()), seconds=time.perf_counter() - began)

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()

    def _prepare(self, suite: Suite, test: Test) -> None:
        """Bring the engine into the test's position, by the shortest way."""
        if self._engine is None:
            self._engine = self._start()
        commands = test.setup
        if self._done and test.setup[: test.shared] == self._done[: test.shared]:  # it comes from the test before
            commands = test.setup[test.shared :]
            for command in test.closing:
                with suppress(RefusalError):
                    self._ask(_with_root(command, suite.root))
        self._done = ()
        for command in commands:
            try:
                self._ask(_with_root(command, suite.root))
            except RefusalError as error:
                raise RefusalError(f"cannot set the position up: {error}", error.text) from error
        self._done = test.setup

    def _ask(self, command: str) -> str:
        if self._engine is None:
            raise EngineError("it is not running")
        return self._engine.ask(command)

    def _lose(self) -> None:
        self.close()
        self._engine, self._done = None, ()


def run_suites(
    suites: Sequence[Suite],
    player: PlayerSpec,
    *,
    rules: str = DEFAULT_RULES,
    seed: int = 1,
    allow: Collection[str] = (),
) -> Iterator[TestAnswer]:
    """Ask all tests, one after another, and yield each answer as it comes.

    Parameters
    ----------
    suites
        As `suites.open_suites` gives them.
    player
        Who answers. Its ``move_s`` bounds every command. The search of this process does not resign here unless its
        settings say so.
    rules
        Where the player starts; a suite may change them.
    seed
        Of the player. A search of this process begins with it each time, so a test does not depend on those before.
    allow
        Commands that suites may send besides `commands.ALLOWED`.

    Raises
    ------
    ValueError
        If a suite names another command, or the engine does not start.
    """
    check_commands(suites, allow)
    conditions = Conditions(rules=rules)
    kind = _Program if player.kind == "gtp" else _InProcess
    try:
        session = _Session(lambda: kind(player, conditions, seed))
    except EngineError as error:
        raise ValueError(f"player {player.name!r} does not start: {error}") from error
    with closing(session):
        for suite in suites:
            for test in suite.tests:
                yield session.ask(suite, test)


def regress(
    paths: Sequence[Path],
    player: PlayerSpec,
    *,
    root: Path | None = None,
    csv_path: Path | None = None,
    rules: str = DEFAULT_RULES,
    seed: int = 1,
    allow: Collection[str] = (),
    console: Console | None = None,
) -> Regression:
    """Run suites from files, write a CSV line per test as it is done, and show progress.

    Ctrl-C ends the run and keeps what is done.

    Parameters
    ----------
    paths, root
        As `suites.open_suites` takes them.
    player, rules, seed, allow
        As `run_suites` takes them.
    csv_path
        Where to write; None: nowhere.
    console
        For the progress bar and the unexpected outcomes; None: silence.

    Raises
    ------
    ValueError, OSError
        For files that cannot be read or written, and for an engine that does not start.
    """
    answers: list[TestAnswer] = []
    with ExitStack() as stack:
        suites = stack.enter_context(open_suites(paths, root))
        num_tests = sum(len(suite.tests) for suite in suites)
        try:
            write = stack.enter_context(closing(_CsvFile(csv_path))).write if csv_path else None
            for fault in (fault for suite in suites for fault in suite.faults):
                if console:
                    console.print(fault, style="yellow", markup=False, soft_wrap=True)
            show = stack.enter_context(closing(_Progress(console, num_tests))).show if console else None
            for answer in run_suites(suites, player, rules=rules, seed=seed, allow=allow):
                answers.append(answer)
                if write:
                    write(answer)
                if show:
                    show(answer)
        except KeyboardInterrupt:
            pass
    return Regression(answers=answers, num_tests=num_tests)


def summary(run: Regression) -> Table:
    """A table with a line per suite and one for all."""
    from rich.table import Table

    shown = [outcome for outcome in Outcome if outcome in (Outcome.PASS, Outcome.FAIL) or run.count(outcome)]
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("suite", no_wrap=True)
    for column in ("tests", *shown, "passed", "seconds"):
        table.add_column(column.replace(" ", "\n"), justify="right", vertical="bottom", no_wrap=True)
    counts: dict[str, Counter[Outcome]] = {}
    seconds: Counter[str] = Counter()
    for answer in run.answers:
        for name in (answer.suite, ""):
            counts.setdefault(name, Counter())[answer.outcome] += 1
            seconds[name] += answer.seconds  # type: ignore[assignment]  # a Counter of floats adds just as well
    for name in sorted(counts, key=lambda name: (not name, name)):
        count = counts[name]
        right = count[Outcome.PASS] + count[Outcome.UNEXPECTED_PASS]
        judged = right + count[Outcome.FAIL] + count[Outcome.KNOWN_FAIL]
        cells = [name or "all", str(count.total()), *(str(count[outcome]) for outcome in shown)]
        share = f"{right / judged:.1%}" if judged else "-"
        table.add_row(*cells, share, f"{seconds[name]:.1f}", style="" if name else "bold")
    return table


class _CsvFile:
    """A line per test, on the disk at once: a run that is killed leaves what it did."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("w", encoding="utf-8", newline="", buffering=1)
        self._writer = csv.writer(self._file)
        self._writer.writerow(TestAnswer.__struct_fields__)

    def write(self, answer: TestAnswer) -> None:
        values: list[Any] = [getattr(answer, name) for name in TestAnswer.__struct_fields__]
        values[-1] = f"{answer.seconds:.3f}"
        self._writer.writerow(values)
        self._file.flush()

    def close(self) -> None:
        self._file.close()


class _Progress:
    """A bar, and a line for each outcome that nobody expected."""

    def __init__(self, console: Console, num_tests: int) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self._bar = Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console
        )
        self._task = self._bar.add_task("", total=num_tests)
        self._bar.start()

    def show(self, answer: TestAnswer) -> None:
        if answer.outcome == Outcome.FAIL:
            said = f"got '{answer.answer}'" if not answer.detail else answer.detail
            self._say(f"{answer.suite} {answer.id} unexpected FAIL: Correct '{answer.expected}', {said}")
        elif answer.outcome == Outcome.UNEXPECTED_PASS:
            self._say(f"{answer.suite} {answer.id} unexpected PASS!")
        self._bar.update(self._task, advance=1, description=answer.suite)

    def close(self) -> None:
        self._bar.stop()

    def _say(self, words: str) -> None:
        from rich.text import Text

        self._bar.console.print(Text(words), soft_wrap=True)


def _outcome(test: Test, *, passed: bool) -> Outcome:
    if test.expectation.ignored:
        return Outcome.IGNORED
    if test.expectation.known_fail:
        return Outcome.UNEXPECTED_PASS if passed else Outcome.KNOWN_FAIL
    return Outcome.PASS if passed else Outcome.FAIL


def _answer(suite: Suite, test: Test, outcome: Outcome, **more: Any) -> TestAnswer:
    return TestAnswer(
        suite=suite.name, id=test.id, command=test.command, expected=str(test.expectation), outcome=outcome, **more
    )


def _with_root(command: str, root: Path | None) -> str:
    """The command with the path of ``loadsgf`` made absolute, for the engine runs in a folder of its own."""
    word, *arguments = command.split()
    if word != "loadsgf" or root is None or not arguments:
        return command
    return " ".join([word, str(root / arguments[0]), *arguments[1:]])
