"""Which games of a database are meant: sizes, players, ranks, dates, results, as a condition of SQL."""

from __future__ import annotations

import msgspec

from tesuji.go.masters.game import rank_number

__all__ = ["GameFilter"]

_LETTERS = {"black": 1, "white": 2}


class GameFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Conditions that a game has to meet, all of them; what is None is not asked.

    Attributes
    ----------
    size : int, optional
        Lines of a square board.
    player : str, optional
        Part of a player's name, of either colour; capitals do not count.
    black, white : str, optional
        Part of that player's name.
    event : str, optional
        Part of the event's name.
    rules : str, optional
        Part of the rules' name.
    winner : {"black", "white"}, optional
        Who won.
    least_rank : str, optional
        Both players have this rank or a higher one: ``6d``, ``1p``.
    most_handicap : int, optional
        Stones at most; 0: even games.
    since, until : str, optional
        Dates as far as they are given, both included: ``1990``, ``2001-05``.
    least_time_s : float, optional
        Main time of each player in seconds; games that say nothing are left out.
    least_moves : int, optional
        Moves at least.
    """

    size: int | None = None
    player: str | None = None
    black: str | None = None
    white: str | None = None
    event: str | None = None
    rules: str | None = None
    winner: str | None = None
    least_rank: str | None = None
    most_handicap: int | None = None
    since: str | None = None
    until: str | None = None
    least_time_s: float | None = None
    least_moves: int | None = None

    def condition(self) -> tuple[str, list[object]]:
        """SQL behind WHERE, and the values of its question marks.

        Raises
        ------
        ValueError
            For a rank or a winner that is none.
        """
        parts: list[str] = []
        values: list[object] = []

        def add(part: str, *new: object) -> None:
            parts.append(part)
            values.extend(new)

        if self.size is not None:
            add("width = ? AND height = ?", self.size, self.size)
        if self.player is not None:
            add("(black LIKE ? ESCAPE '!' OR white LIKE ? ESCAPE '!')", *[_like(self.player)] * 2)
        for column in ("black", "white", "event", "rules"):
            text = getattr(self, column)
            if text is not None:
                add(f"{column} LIKE ? ESCAPE '!'", _like(text))
        if self.winner is not None:
            if self.winner not in _LETTERS:
                raise ValueError(f"winner is {self.winner!r}; choose from {', '.join(_LETTERS)}")
            add("winner = ?", _LETTERS[self.winner])
        if self.least_rank is not None:
            rank = rank_number(self.least_rank)
            if rank is None:
                raise ValueError(f"the rank {self.least_rank!r} is none; write 6d, 1p or 3k")
            add("black_strength >= ? AND white_strength >= ?", rank, rank)
        if self.most_handicap is not None:
            add("handicap <= ?", self.most_handicap)
        if self.since is not None:
            add("date >= ?", self.since)
        if self.until is not None:
            add("date <> '' AND substr(date, 1, ?) <= ?", len(self.until), self.until)
        if self.least_time_s is not None:
            add("time_s >= ?", self.least_time_s)
        if self.least_moves is not None:
            add("num_moves >= ?", self.least_moves)
        return " AND ".join(parts) or "1", values

    @property
    def is_open(self) -> bool:
        """Whether every game meets it."""
        return self == GameFilter()


def _like(text: str) -> str:
    for sign in "!%_":
        text = text.replace(sign, "!" + sign)
    return f"%{text}%"
