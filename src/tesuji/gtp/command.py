"""A command of the table, and the reply that some of them write while they run."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

__all__ = ["Command", "Stream"]


class Command(NamedTuple):
    """How a command is carried out.

    Attributes
    ----------
    handler : callable
        ``handler(session, *words)`` returns the reply's text; one that streams is called with
        ``handler(session, stream, *words)`` and writes its reply itself.
    least, most : int, int or None
        How many words may follow it; None: any number.
    lets_ponder : bool
        Whether the engine may go on pondering meanwhile.
    needs : type or None
        What the engine must be able to do (`tesuji.go.gtp.players`); where it cannot, there is no such command.
    streams : bool
        Whether the reply is written while the command runs.
    ends_at_input : bool
        Whether any line that comes in ends it.
    """

    handler: Callable[..., str]
    least: int = 0
    most: int | None = 0
    lets_ponder: bool = False
    needs: type | None = None
    streams: bool = False
    ends_at_input: bool = False

    def complaint(self, count: int) -> str:
        """What is wrong with so many words; empty if nothing is."""
        if count >= self.least and (self.most is None or count <= self.most):
            return ""
        if self.most is None:
            return f"{self.least} or more arguments, not {count}"
        wanted = f"{self.least}" if self.most == self.least else f"{self.least} to {self.most}"
        return f"{wanted} arguments, not {count}"


class Stream:
    """A reply that is written line by line: ``=`` when it is opened, an empty line when it is closed.

    Parameters
    ----------
    number : str
        The command's number, or nothing.
    write : callable
        Takes bytes, and sees to it that they leave at once.
    is_wanted : callable
        Whether nothing has come in that ends the command.
    is_endless : bool
        Whether somebody is there to end the command; if not, an analysis keeps to the engine's own limits.
    """

    def __init__(
        self,
        number: str,
        write: Callable[[bytes], object],
        is_wanted: Callable[[], bool] = lambda: True,
        *,
        is_endless: bool = False,
    ) -> None:
        self._number, self._write = number, write
        self.is_wanted = is_wanted
        self.is_endless = is_endless
        self.is_open = False

    def open(self) -> None:
        """Say that the command is understood."""
        self.is_open = True
        self._write(f"={self._number}\n".encode())

    def line(self, text: str) -> None:
        """Write a line."""
        self._write(f"{text}\n".encode())

    def close(self) -> None:
        """End the reply."""
        self._write(b"\n")
