"""Regression suites for Go engines, read from their files: what to ask, and which answers are right.

Three forms: the ``.tst`` files of GNU Go's regression suite, which GoGui's and Fuego's ``gtpregress`` read too; JSON
lines, one self-contained test a line; and an archive (``.tar.xz``, ``.tar.gz``, ``.tar``) with ``.tst`` files in it.

A ``.tst`` file is GTP with expectations::

    loadsgf games/x.sgf 12
    10 reg_genmove black
    #? [D4|C3]*

A command with a number is a test. The bracket holds a regular expression that must match the whole answer; ``!`` before
it turns that round, ``*`` after it marks a known failure, ``&`` a test that is run and not counted. This is the format
as the manual of GNU Go describes it.

Nothing here starts an engine: see `regress.py`.
"""

from __future__ import annotations

import json
import lzma
import re
import tarfile
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePosixPath

import msgspec

__all__ = ["Expectation", "Suite", "Test", "open_suites", "parse_jsonl", "parse_tst"]

_ARCHIVES = (".tar", ".tar.xz", ".tar.gz", ".tar.bz2", ".tgz", ".txz")
_MOST_BYTES = 1 << 30  # of an archive when it is unpacked; GNU Go's suite has 20 MB
_EXPECTED = re.compile(r"#\?\s*\[(?:(?P<pattern>.*)\]\s*(?P<marks>[*&]*)|(?P<unclosed>[^\]]+))")
_NUMBERED = re.compile(r"(?P<id>[0-9]+)\s+(?P<command>\S.*)")
_RESETS = ("loadsgf", "clear_board", "boardsize", "rectangular_boardsize")
_GTP_1 = {"black": "play black", "white": "play white"}  # how the first version of the protocol said it


class Expectation(msgspec.Struct, frozen=True):
    """Which answers are right.

    Attributes
    ----------
    pattern : str
        A regular expression for the whole answer; small and capital letters are the same, as in GTP's vertices.
    negated : bool
        Right is what does *not* match.
    known_fail : bool
        The suite's authors saw it fail.
    ignored : bool
        Run, but not counted.
    """

    pattern: str
    negated: bool = False
    known_fail: bool = False
    ignored: bool = False

    def __post_init__(self) -> None:
        try:
            re.compile(self.pattern)
        except re.error as error:
            raise ValueError(f"{self.pattern!r} is not a regular expression: {error}") from error

    def accepts(self, answer: str) -> bool:
        """Whether an answer (without the ``=``) is right; an empty one never is."""
        answer = " ".join(answer.split())
        matches = re.fullmatch(self.pattern, answer, re.IGNORECASE) is not None
        return bool(answer) and matches != self.negated

    def __str__(self) -> str:
        return "!" * self.negated + self.pattern


class Test(msgspec.Struct, frozen=True, kw_only=True):
    """One question to an engine.

    Attributes
    ----------
    id : str
        Its number in the suite.
    setup : tuple of str
        Commands that make its position from nothing.
    shared : int
        So many of the `setup` commands are the previous test's too: an engine that has just answered that one needs
        only the rest.
    closing : tuple of str
        Commands that end the business of the previous test, for an engine that has just answered it (``popgo`` after
        ``trymove``); the position does not depend on them.
    command : str
        The question.
    expectation : Expectation
        The right answers.
    """

    __test__ = False  # pytest: this is not a test case

    id: str
    setup: tuple[str, ...]
    shared: int = 0
    closing: tuple[str, ...] = ()
    command: str
    expectation: Expectation


class Suite(msgspec.Struct, frozen=True, kw_only=True):
    """A named list of tests.

    Attributes
    ----------
    name : str
        Of the file, without its ending.
    tests : tuple of Test
        In order; each may build on the position of the one before.
    root : Path or None
        Where the paths of ``loadsgf`` begin; None: they are used as they are.
    faults : tuple of str
        What could not be read, with the numbers of the lines.
    """

    name: str
    tests: tuple[Test, ...]
    root: Path | None = None
    faults: tuple[str, ...] = ()

    def files(self) -> list[str]:
        """The paths that ``loadsgf`` names, each once, in order."""
        setups = (command.split() for test in self.tests for command in test.setup)
        return list(dict.fromkeys(words[1] for words in setups if words[0] == "loadsgf" and len(words) > 1))


def parse_tst(text: str, name: str, root: Path | None = None) -> Suite:
    """Read a ``.tst`` file.

    An expectation that cannot be read costs its test and one that follows no command nothing: both are named in
    `Suite.faults` with the number of the line.
    """
    tests: list[Test] = []
    faults: list[str] = []
    setup: list[str] = []
    closing: list[str] = []
    shared = 0
    asked: tuple[str, str] | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.strip()
        if line.startswith("#?"):
            where = f"{name}, line {number}"
            if asked is None:
                faults.append(f"{where}: the expectation {line!r} follows no command with a number")
                continue
            (identity, command), asked = asked, None
            try:
                expectation = _expectation(line, where)
            except ValueError as error:
                faults.append(str(error))
                continue
            test = Test(id=identity, setup=tuple(setup), shared=shared, command=command, expectation=expectation)
            tests.append(msgspec.structs.replace(test, closing=tuple(closing)))
            shared, closing = len(setup), []
            continue
        line = line.partition("#")[0].strip()
        if not line:
            continue
        if numbered := _NUMBERED.fullmatch(line):
            asked = numbered["id"], numbered["command"]
        else:
            command = _gtp_2(line)
            if command.split()[0] in _RESETS and not _continues(setup, command):
                closing += setup[shared:]
                setup, shared = [], 0
            setup.append(command)
    return Suite(name=name, tests=tuple(tests), root=root, faults=tuple(faults))


class _JsonTest(msgspec.Struct):
    """A line of a JSON-lines suite; fields that only describe are left out."""

    id: str
    command: str
    expect: list[str]
    setup: list[str] = []
    negated: bool = False
    known_fail: bool = False


def parse_jsonl(text: str, name: str, root: Path | None = None) -> list[Suite]:
    """Read a JSON-lines file; the tests come apart by their ids, ``suite/number`` (the last part is the number).

    Raises
    ------
    ValueError
        With the number of the line.
    """
    suites: dict[str, list[Test]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            read = msgspec.convert(json.loads(line), _JsonTest)
            expectation = Expectation("|".join(read.expect), read.negated, read.known_fail)  # split at | when written
        except ValueError as error:  # msgspec's and json's errors are ValueErrors
            raise ValueError(f"{name}, line {number}: {error}") from error
        group, _, identity = read.id.rpartition("/")
        setup = tuple(map(_gtp_2, read.setup))
        test = Test(id=identity, setup=setup, command=read.command, expectation=expectation)
        suites.setdefault(group or name, []).append(test)
    return [Suite(name=group, tests=tuple(tests), root=root) for group, tests in suites.items()]


@contextmanager
def open_suites(paths: Iterable[Path], root: Path | None = None) -> Iterator[list[Suite]]:
    """Read suites of any form; what had to be unpacked is there until the context ends.

    Parameters
    ----------
    paths
        Files ``.tst`` or ``.jsonl``, or archives with ``.tst`` files.
    root
        The folder where the paths of ``loadsgf`` begin, or an archive that holds the games (the folder in it is found
        by the paths). None: the folder of the suite.

    Raises
    ------
    ValueError
        For a file of another kind, a faulty line, or a root under which none of a suite's games lies.
    """
    with ExitStack() as stack:
        games = root
        if root is not None and _is_archive(root):
            games = stack.enter_context(_unpacked(root))
        elif root is not None and not root.is_dir():
            raise ValueError(
                f"{root} is neither a folder nor an archive; give the folder where the paths of loadsgf begin"
            )
        read = [suite for path in paths for suite in _read(path, games, stack)]
        suites = [suite for suite in read if suite.tests]
        if not suites:
            reason = next((fault for suite in read for fault in suite.faults), "")
            raise ValueError(
                reason
                or f"{', '.join(map(str, paths))}: no tests; a test is a numbered command and '#? [...]' below it"
            )
        yield _rooted(suites, stack)


def _read(path: Path, games: Path | None, stack: ExitStack) -> list[Suite]:
    if _is_archive(path):
        folder = stack.enter_context(_unpacked(path))
        files = sorted(folder.rglob("*.tst"))
        if not files:
            raise ValueError(f"{path}: no .tst file in this archive; give the suite itself and the archive as root")
        return [_read_tst(file, games) for file in files]
    if path.suffix == ".tst":
        return [_read_tst(path, games)]
    if path.suffix in (".jsonl", ".ndjson"):
        return parse_jsonl(_text(path), path.stem, games or path.parent)
    raise ValueError(f"{path}: a suite is a .tst file, a .jsonl file, or a tar archive of .tst files")


def _read_tst(path: Path, games: Path | None) -> Suite:
    return parse_tst(_text(path), path.stem, games or path.parent)


def _rooted(suites: list[Suite], stack: ExitStack) -> list[Suite]:
    """The suites with the roots under which their games lie: absolute paths, and such as GTP can say.

    A suite whose games are missing stays as it is, and its tests will fail; if all are like that, the root is wrong.
    """
    bases = [_base_of(suite) for suite in suites]
    if not any(bases) and any(suite.files() for suite in suites):
        lost = next(suite for suite in suites if suite.files())
        raise ValueError(
            f"{lost.name}: {lost.files()[0]} is not under {lost.root}; give the folder or archive of the games as root"
        )
    spoken = {base: stack.enter_context(_without_spaces(base)) for base in set(bases) if base and _has_space(base)}
    return [
        msgspec.structs.replace(suite, root=spoken.get(base, base)) if base else suite
        for suite, base in zip(suites, bases, strict=True)
    ]


def _base_of(suite: Suite) -> Path | None:
    """The folder from which one of the suite's games is reached: its root, or one inside that."""
    if suite.root is None:
        return None
    folder, files = suite.root.resolve(), suite.files()
    if any((folder / file).is_file() for file in files):
        return folder
    for file in map(PurePosixPath, files):
        for found in sorted(folder.rglob(file.name)):
            if found.as_posix().endswith(f"/{file}"):
                return found.parents[len(file.parts) - 1]
    return None


def _has_space(path: Path) -> bool:
    return len(str(path).split()) > 1


def _expectation(line: str, where: str) -> Expectation:
    read = _EXPECTED.fullmatch(line)  # GNU Go's own files leave the bracket open here and there
    if read is None:
        raise ValueError(
            f"{where}: {line!r} is not an expectation; write #? [REGEXP], with * after it for a known failure"
        )
    pattern, marks = (read["pattern"] or read["unclosed"] or "").strip(), read["marks"] or ""
    try:
        return Expectation(_grouped(pattern.removeprefix("!")), pattern.startswith("!"), "*" in marks, "&" in marks)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from error


def _grouped(pattern: str) -> str:
    """The pattern with ``1 A1|B2`` read as ``1 (A1|B2)``: so it is meant, and so GNU Go's own script takes it."""
    first, *others = pattern.split("|")
    shared, space, rest = first.rpartition(" ")
    if not space or not others or "(" in pattern or any(" " in other for other in others):
        return pattern
    return f"{shared} ({'|'.join([rest, *others])})"


def _continues(setup: list[str], command: str) -> bool:
    """Whether a reset only completes another one, as ``clear_board`` does after ``boardsize``."""
    return len(setup) == 1 and command.startswith("clear_board") and setup[0].split()[0].endswith("boardsize")


def _gtp_2(command: str) -> str:
    word, *rest = command.split()
    return " ".join([_GTP_1.get(word, word), *rest])


def _is_archive(path: Path) -> bool:
    return path.name.endswith(_ARCHIVES)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


@contextmanager
def _unpacked(path: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="tesuji-regress-") as folder:
        try:
            with tarfile.open(path) as archive:
                _extract(archive, folder)
        except (tarfile.TarError, lzma.LZMAError, zlib.error, EOFError, OSError, ValueError) as error:
            if isinstance(error, OSError) and error.filename is not None:
                raise
            raise ValueError(f"{path}: cannot unpack this archive, which is damaged or cut short ({error})") from error
        yield Path(folder)


def _extract(archive: tarfile.TarFile, folder: str) -> None:
    unpacked = 0
    for member in archive:
        unpacked += member.size
        if unpacked > _MOST_BYTES:
            raise ValueError(f"it unpacks to more than {_MOST_BYTES >> 20:,} MiB")
        archive.extract(member, folder, filter="data")


@contextmanager
def _without_spaces(folder: Path) -> Iterator[Path]:
    """A link to a folder whose path has spaces, which GTP cannot say."""
    with tempfile.TemporaryDirectory(prefix="tesuji-regress-") as place:
        link = Path(place) / "root"
        link.symlink_to(folder.resolve(), target_is_directory=True)
        yield link
