"""P-games drawn slowly from the description in docs/algorithms/p-games.md: the second opinion on the native ones.

Nodes are objects, chains of merges are followed one by one, values come from a plain recursion. It shares nothing with
the core but the formulas of the random generator (core/base/rng.hpp), which it computes with Python's integers.
"""

from __future__ import annotations

from dataclasses import dataclass, field

_MASK = 2**64 - 1
_MULTIPLIER = 0x7FFFFDCD
_MODULUS = (_MULTIPLIER << 32) - 1
AMOUNTS, MERGES, GROUPS, STREAMS = range(4)


def _mix(z: int) -> int:
    z = (z + 0x9E3779B97F4A7C15) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


class Rng:
    def __init__(self, seed: int, stream: int) -> None:
        self.state = _mix(_mix(seed) ^ _mix(stream)) % (_MODULUS - 1) + 1

    def next(self) -> int:
        low, carry = self.state & 0xFFFFFFFF, self.state >> 32
        self.state = _MULTIPLIER * low + carry
        return low ^ carry

    def below(self, bound: int) -> int:
        return (self.next() * bound) >> 32

    def unit(self) -> float:
        high, low = self.next() >> 5, self.next() >> 6
        return ((high << 26) | low) * 2.0**-53


@dataclass(eq=False)
class Node:
    level: int
    score: int
    children: list[Node] = field(default_factory=list)
    groups: int = 0

    def first_wins(self) -> bool:
        if not self.children:
            return self.score > 0
        return (any if self.level % 2 == 0 else all)(child.first_wins() for child in self.children)


@dataclass
class ReferenceGame:
    levels: list[list[Node]]
    num_redraws: int

    @property
    def root(self) -> Node:
        return self.levels[0][0]

    @property
    def nodes(self) -> list[Node]:
        return [node for level in self.levels for node in level]


def draw(
    breadth: int,
    depth: int,
    combination: float,
    seed: int,
    *,
    mixed_root: bool = True,
    amounts_in_range: bool = False,
    groups: tuple = (0, 1.0, 1.0),
) -> ReferenceGame:
    """Draw until the root is mixed."""
    attempt = 0
    while True:
        streams = Rng(seed, attempt * STREAMS), Rng(seed, attempt * STREAMS + 1)
        levels = _draw_once(breadth, depth, combination, *streams, amounts_in_range)
        outcomes = {child.first_wins() for child in levels[0][0].children}
        if not mixed_root or len(outcomes) == 2:
            break
        attempt += 1
    _draw_groups(levels, *groups, Rng(seed, attempt * STREAMS + GROUPS))
    return ReferenceGame(levels, attempt)


def _draw_once(
    breadth: int, depth: int, combination: float, amounts: Rng, merges: Rng, amounts_in_range: bool
) -> list[list[Node]]:
    levels = [[Node(0, 0)]]
    for level in range(1, depth + 1):
        sign = 1 if level % 2 == 1 else -1
        drawn = [Node(level, p.score + sign * amounts.below(128)) for p in levels[-1] for _ in range(breadth)]
        parents = [p.score for p in levels[-1] for _ in range(breadth)]
        stays = drawn
        if combination > 0 and amounts_in_range:
            stays = _merged_in_range(drawn, parents, sign, combination, merges)
        elif combination > 0:
            stays = _merged(drawn, combination, merges)
        for i, node in enumerate(stays):
            levels[-1][i // breadth].children.append(node)
        levels.append([node for node in drawn if any(node is one for one in stays)])
    return levels


def _merged(drawn: list[Node], combination: float, rng: Rng) -> list[Node]:
    """For each node drawn: the one that takes its place."""
    into = list(range(len(drawn)))
    for i in range(len(drawn)):
        if len(drawn) > 1 and rng.unit() < combination:
            other = rng.below(len(drawn) - 1)
            into[i] = other if other < i else other + 1
    for i in range(len(drawn)):  # a ring has no end: the node that is met twice stays
        seen = [i]
        while into[seen[-1]] != seen[-1]:
            if into[seen[-1]] in seen:
                into[into[seen[-1]]] = into[seen[-1]]
                break
            seen.append(into[seen[-1]])
    result = []
    for i in range(len(drawn)):
        at = i
        while into[at] != at:
            at = into[at]
        result.append(drawn[at])
    return result


def _merged_in_range(drawn: list[Node], parents: list[int], sign: int, combination: float, rng: Rng) -> list[Node]:
    """The same, where every move's amount stays within 0..127."""
    leaves = [rng.unit() < combination for _ in drawn]
    result = []
    for i, node in enumerate(drawn):
        fits = [j for j, one in enumerate(drawn) if not leaves[j] and 0 <= sign * (one.score - parents[i]) <= 127]
        fits.sort(key=lambda j: (drawn[j].score, j))
        result.append(drawn[fits[rng.below(len(fits))]] if leaves[i] and fits else node)
    return result


def _draw_groups(levels: list[list[Node]], number: int, size: float, bias: float, rng: Rng) -> None:
    for level in levels[2:]:
        for node in level:
            mover_wins = node.first_wins() == (node.level % 2 == 1)
            for group in range(number):
                if rng.unit() < size * (bias if mover_wins else 1 - bias):
                    node.groups |= 1 << group
