"""Winning lines and chains, found once a game is over: what a drawing puts in brackets."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping

from tesuji.games.terminal.view import EMPTY, Cell

__all__ = ["chain_between", "chain_of", "straight_lines"]

_FOUR_WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))


def straight_lines(owners: Mapping[Cell, int], length: int) -> set[Cell]:
    """The cells of every finished line of this length; as a rule there is none or one."""
    finished: set[Cell] = set()
    for (row, column), owner in owners.items():
        for down, right in _FOUR_WAYS:
            cells = [(row + i * down, column + i * right) for i in range(length)]
            if owner != EMPTY and all(owners.get(cell) == owner for cell in cells):
                finished.update(cells)
    return finished


def chain_between(
    owners: Mapping[Cell, int], steps: Iterable[Cell], starts: Iterable[Cell], is_end: Callable[[Cell], bool]
) -> set[Cell]:
    """A shortest chain of one player's cells from any of the starts to an end; empty if there is none."""
    steps = tuple(steps)
    came_from: dict[Cell, Cell | None] = dict.fromkeys(starts)
    queue = deque(came_from)
    while queue:
        cell = queue.popleft()
        if is_end(cell):
            return set(_back_to_start(came_from, cell))
        for near in _near(owners, steps, cell):
            if near not in came_from:
                came_from[near] = cell
                queue.append(near)
    return set()


def chain_of(owners: Mapping[Cell, int], steps: Iterable[Cell], cell: Cell) -> set[Cell]:
    """All stones that hang together with one."""
    steps = tuple(steps)
    chain, todo = {cell}, [cell]
    while todo:
        for near in _near(owners, steps, todo.pop()):
            if near not in chain:
                chain.add(near)
                todo.append(near)
    return chain


def _near(owners: Mapping[Cell, int], steps: Iterable[Cell], cell: Cell) -> Iterator[Cell]:
    """The neighbours with the same owner."""
    for down, right in steps:
        near = (cell[0] + down, cell[1] + right)
        if owners.get(near) == owners[cell]:
            yield near


def _back_to_start(came_from: Mapping[Cell, Cell | None], end: Cell) -> Iterator[Cell]:
    cell: Cell | None = end
    while cell is not None:
        yield cell
        cell = came_from[cell]
