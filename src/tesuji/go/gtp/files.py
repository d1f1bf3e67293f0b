"""Commands that read and write game records."""

from __future__ import annotations

import datetime
import sys

from tesuji.go.gtp.session import Session
from tesuji.go.gtp.thought import explained
from tesuji.go.records.sgf import SgfError, load, to_sgf
from tesuji.go.rules.vertex import printable, quoted
from tesuji.gtp.command import Command
from tesuji.gtp.words import GtpError, is_whole, whole
from tesuji.writing import write_whole

__all__ = ["COMMANDS"]

_FOR_BACKSLASH = "\0"  # no word contains one
_OWN_PROPERTIES = ("AB", "AE", "AP", "AW", "B", "C", "CA", "FF", "GM", "HA", "KM", "PL", "RU", "SZ", "W")


def loadsgf(session: Session, *words: str) -> str:
    """The game of a file, up to the position before a move if one is named."""
    path, until = " ".join(words), None
    if len(words) > 1 and is_whole(words[-1]):
        path, until = " ".join(words[:-1]), whole(words[-1]) - 1
    try:
        record = load(path)
        remarks = list(record.remarks)
        board = record.replay(until, rules=record.rules or session.rules, on_remark=remarks.append)
        if record.komi is None:
            board.komi = session.komi
    except SgfError as error:
        raise GtpError(f"cannot load file: {error}") from error
    session.begin(board)
    for remark in remarks:
        print(f"{session.name}: {printable(path)}: {remark}", file=sys.stderr, flush=True)
    return ""


def printsgf(session: Session, *words: str) -> str:
    """The game as SGF, to the controller (without a file, or with ``-`` for one) or into a file."""
    data, path = to_sgf(session.board), " ".join(words)
    return _saved(path, data) if path not in ("", "-") else data.decode("utf-8")


def savesgf(session: Session, path: str, *words: str) -> str:
    r"""The game with the engine's remarks into a file; properties of the root as ``PW=GNU\_Go``."""
    properties = {"DT": datetime.date.today().isoformat()} | dict(_property(word) for word in words)
    return _saved(path, to_sgf(session.board, comments=dict(explained(session)), properties=properties))


def _property(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not (equals and name.isascii() and name.isalpha() and name.isupper()):
        raise GtpError(f"syntax error: {quoted(word)} is not an SGF property; write it as RE=W+3.5")
    if name in _OWN_PROPERTIES:
        raise GtpError(f"syntax error: {name} is known from the game; leave it out")
    value = value.replace("\\\\", _FOR_BACKSLASH).replace("\\_", " ").replace(_FOR_BACKSLASH, "\\")
    return name, value.encode("utf-8", "replace").decode("utf-8")


def _saved(path: str, data: bytes) -> str:
    try:
        write_whole(path, data)
    except OSError as error:
        raise GtpError(f"cannot save file: {error.strerror}") from error
    return ""


COMMANDS = {
    "gomill-savesgf": Command(savesgf, 1, None),
    "loadsgf": Command(loadsgf, 1, None),
    "printsgf": Command(printsgf, 0, None),
}
