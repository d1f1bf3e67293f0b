"""Games that nobody would think of, each within the contract: what a stranger may bring along."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from search.toy_games import hash_of

__all__ = ["GAMES", "PROBLEMS", "AtOnce", "Corridor", "Ledger", "Misere", "OneWay", "Passing", "Rounds", "Same", "Wide"]


class Base:
    """A tuple is the whole state; who moves is its first number."""

    num_distinct_moves = 3
    start: tuple[int, ...] = (0,)

    def __init__(self, state: tuple[int, ...] | None = None) -> None:
        self.state = state or self.start

    @property
    def to_play(self) -> int:
        return self.state[0]

    is_over = False  # type: ignore[assignment]

    def moves(self) -> Sequence[int]:
        raise NotImplementedError

    def legal_moves(self) -> Sequence[int]:
        return [] if self.is_over else self.moves()

    def copy(self) -> Self:
        return type(self)(self.state)

    def key(self) -> int:
        return hash_of(*(number % 2**32 for number in self.state))  # Python's hash of -1 is that of -2


class Misere(Base):
    """Who takes the last of ten stones loses; one to three are taken."""

    start = (0, 10)

    @property
    def is_over(self) -> bool:
        return self.state[1] == 0

    @property
    def value(self) -> float:
        return float(self.to_play == 0)

    def moves(self) -> Sequence[int]:
        return range(min(3, self.state[1]))

    def play(self, move: int) -> None:
        self.state = (1 - self.state[0], self.state[1] - move - 1)


class Rounds(Base):
    """Two stand on a ring of four and walk round it for ever; after twenty moves it is drawn. Who catches wins."""

    start = (0, 0, 2, 0)
    num_distinct_moves = 2

    @property
    def is_over(self) -> bool:
        return self.state[1] == self.state[2] or self.state[3] == 20

    @property
    def value(self) -> float:
        return 0.5 if self.state[1] != self.state[2] else float(self.to_play == 1)

    def moves(self) -> Sequence[int]:
        return [0, 1]

    def play(self, move: int) -> None:
        player, *places, count = self.state
        places[player] = (places[player] + (1 if move else -1)) % 4
        self.state = (1 - player, *places, count + 1)


class Passing(Base):
    """Take one of six coins or pass; two passes in a row end it, the richer one wins."""

    start = (0, 0, 0, 0, 0)  # player, taken as bits, first's coins, second's, passes
    num_distinct_moves = 7

    @property
    def is_over(self) -> bool:
        return self.state[4] == 2

    @property
    def value(self) -> float:
        return 0.5 + 0.5 * ((self.state[2] > self.state[3]) - (self.state[2] < self.state[3]))

    def moves(self) -> Sequence[int]:
        return [*(coin for coin in range(6) if not self.state[1] >> coin & 1), 6]

    def play(self, move: int) -> None:
        player, taken, first, second, passes = self.state
        if move == 6:
            self.state = (1 - player, taken, first, second, passes + 1)
        else:
            gain = move + 1
            first, second = first + gain * (player == 0), second + gain * (player == 1)
            self.state = (1 - player, taken | 1 << move, first, second, 0)


class OneWay(Base):
    """There is one move, eight times; the first player has won all along."""

    start = (0, 8)
    num_distinct_moves = 1

    @property
    def is_over(self) -> bool:
        return self.state[1] == 0

    value = 1.0

    def moves(self) -> Sequence[int]:
        return [0]

    def play(self, move: int) -> None:
        self.state = (1 - self.state[0], self.state[1] - 1 - move)


class Wide(Base):
    """A thousand moves, twice; the sum of both decides."""

    start = (0, 0, 0)
    num_distinct_moves = 1000

    @property
    def is_over(self) -> bool:
        return self.state[1] == 2

    @property
    def value(self) -> float:
        return float(self.state[2] % 3 == 0)

    def moves(self) -> Sequence[int]:
        return range(1000)

    def play(self, move: int) -> None:
        self.state = (1 - self.state[0], self.state[1] + 1, self.state[2] + move)


class AtOnce(Base):
    """Every move ends it; the second of three wins."""

    start = (0, -1)

    @property
    def is_over(self) -> bool:
        return self.state[1] >= 0

    @property
    def value(self) -> float:
        return float(self.state[1] == 1)

    def moves(self) -> Sequence[int]:
        return range(3)

    def play(self, move: int) -> None:
        self.state = (1, move)


class Same(Base):
    """The first player makes three moves, then the second three, then nobody; more ones win."""

    start = (0, 0, 0)
    num_distinct_moves = 2

    @property
    def is_over(self) -> bool:
        return self.state[1] == 6

    @property
    def value(self) -> float:
        return 0.5 + 0.5 * ((self.state[2] > 0) - (self.state[2] < 0))

    def moves(self) -> Sequence[int]:
        return [0, 1]

    def play(self, move: int) -> None:
        player, count, lead = self.state
        self.state = (int(count + 1 >= 3), count + 1, lead + (move if player == 0 else -move))


class Colliding(Misere):
    """All its states have one key; a second one tells them apart."""

    def key(self) -> int:
        return 7

    def second_key(self) -> int:
        return 2 * self.state[1] + self.state[0]


class Ledger(Base):
    """One player books six entries of -40 to 5, each once, for the largest sum; -1e6 if it ever falls below -60."""

    goal = "maximise"
    start = (0, 0, 0)  # entries as bits, sum, whether it fell
    num_distinct_moves = 10
    to_play = 0  # type: ignore[assignment]

    @property
    def is_over(self) -> bool:
        return self.state[0].bit_count() == 6

    @property
    def value(self) -> float:
        return -1e6 if self.state[2] else float(self.state[1])

    def moves(self) -> Sequence[int]:
        return [entry for entry in range(10) if not self.state[0] >> entry & 1]

    def play(self, move: int) -> None:
        entries, total, fell = self.state
        total += 5 - 5 * move
        self.state = (entries | 1 << move, total, int(fell or total < -60))


class Corridor(Base):
    """One player walks a corridor of twelve by steps of 1, 2 or 3, each of which costs, and wants to pay least."""

    goal = "minimise"
    start = (0, 0)
    to_play = 0  # type: ignore[assignment]

    @property
    def is_over(self) -> bool:
        return self.state[0] == 12

    @property
    def value(self) -> float:
        return self.state[1] / 8

    def moves(self) -> Sequence[int]:
        return range(min(3, 12 - self.state[0]))

    def play(self, move: int) -> None:
        place, cost = self.state
        self.state = (place + move + 1, cost + (3, 5, 9)[move] + place % 3)


GAMES: tuple[Any, ...] = (Misere, Rounds, Passing, OneWay, Wide, AtOnce, Same, Colliding)
PROBLEMS: tuple[Any, ...] = (Ledger, Corridor)
