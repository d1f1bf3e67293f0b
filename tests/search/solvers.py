"""Exact solvers for the tests: minimax for any small game, alpha-beta for Connect Four, exhaustive play for Hex.

They share no code with the search: Connect Four and Hex are written again here, from the rules.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any

from tesuji.games import Connect4

__all__ = ["ConnectFour", "SmallHex", "late_positions", "minimax"]


def minimax(game: Any, known: dict[int, float] | None = None) -> float:
    """The value of a game for the first player under perfect play; `known` remembers values by key."""
    if game.is_over:
        return float(game.value)
    known = {} if known is None else known
    key = game.key()
    if key not in known:
        values = []
        for move in game.legal_moves():
            after = game.copy()
            after.play(move)
            values.append(minimax(after, known))
        known[key] = max(values) if game.to_play == 0 else min(values)
    return known[key]


class ConnectFour:
    """Connect Four by alpha-beta with a table: stones of the mover and of both as bits, seven bits to a column."""

    TOP = sum(1 << (7 * column + 5) for column in range(7))
    BOTTOM = sum(1 << (7 * column) for column in range(7))
    COLUMN = (1 << 6) - 1
    CENTRE_FIRST = (3, 2, 4, 1, 5, 0, 6)

    def __init__(self) -> None:
        self.table: dict[int, tuple[int, int]] = {}

    @staticmethod
    def has_four(stones: int) -> bool:
        for step in (1, 7, 6, 8):
            pairs = stones & stones >> step
            if pairs & pairs >> 2 * step:
                return True
        return False

    @classmethod
    def drop(cls, own: int, both: int, column: int) -> tuple[int, int]:
        """The mover's stones and all stones after its move."""
        both_after = both | (both + (1 << 7 * column))
        return own | (both_after ^ both), both_after

    @classmethod
    def columns(cls, both: int) -> list[int]:
        return [column for column in cls.CENTRE_FIRST if not both >> (7 * column + 5) & 1]

    def solve(self, own: int, both: int, alpha: int = -1, beta: int = 1) -> int:
        """1, 0 or -1: the mover wins, draws or loses. Nobody has four in a line yet."""
        columns = self.columns(both)
        if not columns:
            return 0
        other = own ^ both
        forced = []
        for column in columns:
            after, _ = self.drop(own, both, column)
            if self.has_four(after):
                return 1
            if self.has_four(self.drop(other, both, column)[0]):
                forced.append(column)
        if len(forced) > 1:
            return -1
        key = own + both + self.BOTTOM
        low, high = self.table.get(key, (-1, 1))
        alpha, beta = max(alpha, low), min(beta, high)
        if alpha >= beta:
            return alpha
        best, floor = -1, alpha
        for column in forced or columns:
            _, both_after = self.drop(own, both, column)
            is_open = not both_after >> (7 * column + 5) & 1
            if is_open and self.has_four(self.drop(other, both_after, column)[0]):
                continue  # the other player wins on top of it
            best = max(best, -self.solve(other, both_after, -beta, -max(floor, best)))
            if best >= beta:
                break
        self.table[key] = (low, min(high, best)) if best <= floor else (max(low, best), high if best >= beta else best)
        return best

    def move_values(self, own: int, both: int) -> dict[int, int]:
        """What each column is worth to the mover."""
        values = {}
        for column in self.columns(both):
            after, both_after = self.drop(own, both, column)
            values[column] = 1 if self.has_four(after) else -self.solve(own ^ both, both_after)
        return values


@cache
def late_positions(count: int, seed: int) -> list[tuple[Connect4, dict[int, int]]]:
    """Positions of 20 to 28 stones from random play in which a move can be wrong, with what each move is worth."""
    rng, solver = random.Random(seed), ConnectFour()
    found: list[tuple[Connect4, dict[int, int]]] = []
    while len(found) < count:
        game, own, both = Connect4(), 0, 0
        for _ in range(rng.randint(20, 28)):
            moves = game.legal_moves()
            if not moves:
                break
            move = rng.choice(moves)
            game.play(move)
            stones, both = ConnectFour.drop(own, both, move)
            own = stones ^ both  # now the other player's
        if game.is_over:
            continue
        values = solver.move_values(own, both)
        assert sorted(values) == game.legal_moves()
        if len(set(values.values())) > 1:
            found.append((game, values))
    return found


class SmallHex:
    """Hex by exhaustive play: cells as bits, row * size + column; the first player joins top and bottom."""

    def __init__(self, size: int) -> None:
        self.size = size
        steps = [(-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1)]
        self.near = [
            sum(
                1 << (row + down) * size + column + right
                for down, right in steps
                if 0 <= row + down < size and 0 <= column + right < size
            )
            for row in range(size)
            for column in range(size)
        ]
        self.top = (1 << size) - 1
        self.bottom = self.top << size * (size - 1)
        self.left = sum(1 << size * row for row in range(size))
        self.right = self.left << (size - 1)
        # The short diagonal first: a good order finds a winning move soon.
        by_distance = sorted(range(size * size), key=lambda at: abs(at // size + at % size - size + 1))
        self.order = [1 << at for at in by_distance]
        self.first_wins = cache(self._first_wins)

    def joined(self, stones: int, start: int, goal: int) -> bool:
        reached, fresh = 0, stones & start
        while fresh:
            if fresh & goal:
                return True
            reached |= fresh
            grown, rest = 0, fresh
            while rest:
                grown |= self.near[(rest & -rest).bit_length() - 1]
                rest &= rest - 1
            fresh = grown & stones & ~reached
        return False

    def _first_wins(self, first: int, second: int) -> bool:
        """Does the first player win? Who is to move follows from the number of stones."""
        first_to_move = first.bit_count() == second.bit_count()
        if first_to_move and self.joined(second, self.left, self.right):
            return False
        if not first_to_move and self.joined(first, self.top, self.bottom):
            return True
        taken = first | second
        for cell in self.order:
            if cell & taken:
                continue
            after = self.first_wins(first | cell, second) if first_to_move else self.first_wins(first, second | cell)
            if after == first_to_move:
                return first_to_move
        return not first_to_move
