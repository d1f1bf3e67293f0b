"""What may follow an analysis command: colour, interval, and pairs of a key and a value, read into a value.

``lz-analyze``, ``kata-analyze`` and their genmove forms take the same words. A key that is known elsewhere and cannot
be answered honestly here (visits along a line, ownership after each move) is refused when it is switched on. ``avoid``
and ``allow`` choose among the moves that the search has tried; the search itself tries all.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from tesuji.go.gtp.session import Session
from tesuji.go.gtp.words import COLORS, color_of
from tesuji.go.rules.color import Color
from tesuji.go.rules.vertex import quoted
from tesuji.gtp.words import GtpError, is_whole, switch, whole

__all__ = ["Options", "parse_options"]

_LEAST_INTERVAL_S = 0.01
_EXTRAS = {"ownership": "has_ownership", "rootInfo": "has_root"}
_REFUSED = {
    "movesOwnership": "ownership is known for the position, not for each move",
    "ownershipStdev": "the spread of ownership is not known",
    "movesOwnershipStdev": "the spread of ownership is not known",
    "pvVisits": "visits along a line are not known",
    "pvEdgeVisits": "visits along a line are not known",
}


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """How an analysis is to be reported.

    Attributes
    ----------
    color : Color
        Who is to move.
    interval_s : float or None
        Seconds between two reports; None: only one at the end.
    max_moves : int or None
        How many moves a report has at most.
    has_ownership, has_root : bool
        Whether a report ends with these.
    avoided : frozenset of int
        Moves that are not reported and not chosen.
    allowed : frozenset of int or None
        The only ones that are; None: all.
    """

    color: Color
    interval_s: float | None = None
    max_moves: int | None = None
    has_ownership: bool = False
    has_root: bool = False
    avoided: frozenset[int] = frozenset()
    allowed: frozenset[int] | None = None

    def allows(self, move: int) -> bool:
        """Whether a move may be reported and chosen."""
        return move not in self.avoided and (self.allowed is None or move in self.allowed)


def parse_options(session: Session, words: tuple[str, ...], *, is_kata: bool) -> Options:
    """Read what follows an analysis command.

    Parameters
    ----------
    session : Session
        Whose board names the points, and who moves if no colour is given.
    words : tuple of str
        ``[colour] [centiseconds] [key value]...``
    is_kata : bool
        Whether KataGo's extras may be asked for.
    """
    rest = list(words)
    found: dict[str, object] = {"color": session.board.color_to_play}
    if rest and rest[0].lower() in COLORS:
        found["color"] = color_of(rest.pop(0))
    if rest and is_whole(rest[0]):
        found["interval_s"] = _interval_s(rest.pop(0))
    reading = iter(rest)
    for key in reading:
        _read(session, key, reading, found, is_kata=is_kata)
    return msgspec.convert(found, Options)


def _read(session: Session, key: str, words: Iterator[str], found: dict[str, object], *, is_kata: bool) -> None:
    """Read one key and what belongs to it."""
    if key in ("avoid", "allow"):
        _read_moves(session, key, words, found)
    elif key == "interval":
        found["interval_s"] = _interval_s(_next(words, key))
    elif key in ("minmoves", "maxmoves"):
        number = whole(_next(words, key))
        if number < 0:
            raise GtpError(f"syntax error: {key} is {number}; it must be 0 or more")
        if key == "maxmoves":  # a move that was never visited has nothing to report, whatever minmoves says
            found["max_moves"] = number
    elif is_kata and key in _EXTRAS:
        found[_EXTRAS[key]] = switch(_next(words, key))
    elif is_kata and key in _REFUSED:
        if switch(_next(words, key)):
            raise GtpError(f"cannot analyze: {key} is not available: {_REFUSED[key]}; leave it out")
    else:
        raise GtpError(f"syntax error: {quoted(key)} is not an option of this command")


def _read_moves(session: Session, key: str, words: Iterator[str], found: dict[str, object]) -> None:
    """Read ``avoid colour vertex,vertex... depth``; it holds for the next move, and for the side to move."""
    color, vertices, depth = color_of(_next(words, key)), _next(words, key), whole(_next(words, key))
    if depth < 1:
        raise GtpError(f"syntax error: {key} is to hold for {depth} moves; write 1 or more")
    moves = frozenset(session.move(vertex) for vertex in vertices.split(",") if vertex)
    if color != found["color"]:
        return
    name = "avoided" if key == "avoid" else "allowed"
    before = found.get(name)
    found[name] = moves | before if isinstance(before, frozenset) else moves


def _interval_s(word: str) -> float:
    centiseconds = whole(word)
    if centiseconds < 0:
        raise GtpError(f"syntax error: the interval is {centiseconds}; it must be 0 or more centiseconds")
    return max(_LEAST_INTERVAL_S, centiseconds / 100)


def _next(words: Iterator[str], key: str) -> str:
    word = next(words, None)
    if word is None:
        raise GtpError(f"syntax error: something is missing after {key}")
    return word
