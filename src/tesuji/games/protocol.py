"""The contract of a game.

A game is a small mutable state. The native games fulfil the contract in C++; any Python object that has these methods
can be searched as well, slowly: every question holds the GIL.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol, Self, runtime_checkable

__all__ = ["Game", "OnePlayerGame", "check_members"]


@runtime_checkable
class Game(Protocol):
    """A game of two players who see everything.

    Moves are numbers from 0 to ``num_distinct_moves - 1``, and a number means the same move at every moment of the
    game: AMAF learns by that. A game may also have

    - ``priors(moves) -> Sequence[float]``: one number in 0..1 per move;
    - ``move_name(move) -> str``, ``title`` and ``players`` (two words): what people call them;
    - ``second_key() -> int``: tells apart states whose `key` is the same by chance (32 bits count);
    - ``identity``: a text, or a dict of texts, that says which game it is where type and number of moves do not:
      saved values belong to one game;
    - ``make_search(config, seed)``: its own native search. Native games have it.
    """

    @property
    def num_distinct_moves(self) -> int:
        """How many moves exist at all."""

    @property
    def to_play(self) -> int:
        """Who moves: 0, the first player, or 1."""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""

    @property
    def value(self) -> float:
        """What an ended game is worth to the first player: 0 lost, 0.5 drawn, 1 won, or between."""

    def legal_moves(self) -> Collection[int]:
        """The moves that may be played; empty only when the game is over."""

    def play(self, move: int) -> None:
        """Play a legal move."""

    def copy(self) -> Self:
        """A state that goes its own way."""

    def key(self) -> int:
        """A number that is equal for equal states and, as good as always, different for others (64 bits count)."""


@runtime_checkable
class OnePlayerGame(Protocol):
    """A problem of one player, who looks for the sequence of moves with the best value.

    Moves are numbers as in `Game`. The value may be any finite number. If it counts what happened on the way (a score,
    a length), that belongs to the state and so to its key. A game may also have ``bound``, a number: the best value
    that is still possible from this state. It may be too good, and no solution below it may be better; so what cannot
    beat the best solution is known without looking.
    """

    @property
    def goal(self) -> str:
        """What the player wants of the value: ``"maximise"`` or ``"minimise"``."""

    @property
    def num_distinct_moves(self) -> int:
        """How many moves exist at all."""

    @property
    def is_over(self) -> bool:
        """Whether a solution is complete."""

    @property
    def value(self) -> float:
        """What a complete solution is worth: any finite number."""

    def legal_moves(self) -> Collection[int]:
        """The moves that may be played; empty only when the game is over."""

    def play(self, move: int) -> None:
        """Play a legal move."""

    def copy(self) -> Self:
        """A state that goes its own way."""

    def key(self) -> int:
        """A number that is equal for equal states and, as good as always, different for others (64 bits count)."""


_MEMBERS = ("num_distinct_moves", "is_over", "value", "legal_moves()", "play(move)", "copy()", "key()")


def check_members(game: object) -> None:
    """Refuse an object that cannot be a game, with all that it lacks; a game that makes its own search needs less.

    Raises
    ------
    TypeError
        Names every missing member, and the contract.
    """
    if isinstance(game, type):
        raise TypeError(f"{game.__name__} is a class; give a game, such as {game.__name__}()")
    if hasattr(type(game), "make_search"):
        return
    mover = ("goal",) if hasattr(game, "goal") else ("to_play",)
    wanted = (*mover, *_MEMBERS)
    missing = [member for member in wanted if not _has(game, member)]
    if missing:
        lacks = ", ".join(missing[:-1]) + " and " * (len(missing) > 1) + missing[-1]
        raise TypeError(
            f"{type(game).__name__} has no {lacks}: the contract of a game is {', '.join(wanted)}"
            + ("" if mover == ("goal",) else " (for one player: goal instead of to_play)")
            + "; see tesuji.games.Game"
        )


def _has(game: object, member: str) -> bool:
    name = member.partition("(")[0]
    if not hasattr(type(game), name) and not hasattr(game, name):
        return False
    return not member.endswith(")") or callable(getattr(game, name))
