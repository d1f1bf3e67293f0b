"""The features of Huang, Connell and McQuade (2003), section 3.3, as one would tell them: no tables, no bit sets.

The oracle of ``core/go/opening_inputs.cpp``; it shares no code with it.
"""

from __future__ import annotations

from itertools import product

Grid = list[list[int]]  # 0 empty, 1 friendly, 2 enemy


def images(grid: Grid) -> list[Grid]:
    """The grid under every symmetry that keeps its shape."""
    turned = [grid, grid[::-1], [row[::-1] for row in grid], [row[::-1] for row in grid[::-1]]]
    if len(grid) == len(grid[0]):
        turned += [[list(row) for row in zip(*image, strict=True)] for image in turned]
    return turned


def block_at(grid: Grid, row: int, column: int) -> set[tuple[int, int]]:
    """All stones joined to the one that stands there."""
    color, found, waiting = grid[row][column], set(), [(row, column)]
    while waiting:
        r, c = waiting.pop()
        if (r, c) in found or not (0 <= r < len(grid) and 0 <= c < len(grid[0])) or grid[r][c] != color:
            continue
        found.add((r, c))
        waiting += [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
    return found


def numbers_at(grid: Grid, row: int, column: int) -> dict[str, list[tuple[int, int, int]]]:
    """For each of B to E the numbers of a point, with the first and the last bin of each."""
    height, width = len(grid), len(grid[0])
    told = {"B": [(min(column, width - 1 - column), 0, 4), (min(row, height - 1 - row), 0, 4)]}
    if grid[row][column] == 0:
        return told | {"C": [(0, 0, 0)], "D": [(0, 0, 0)], "E": [(0, 0, 0), (0, 0, 0)]}
    block = block_at(grid, row, column)
    points = list(product(range(height), range(width)))
    liberties = {(r, c) for r, c in points if grid[r][c] == 0 and any(abs(r - y) + abs(c - x) == 1 for y, x in block)}
    close = [
        grid[r][c] == grid[row][column]
        for r, c in points
        if grid[r][c] and (r, c) not in block and any(abs(r - y) + abs(c - x) <= 3 for y, x in block)
    ]
    friends = sum(close)
    return told | {
        "C": [(len(liberties), 1, 5)],
        "D": [(len(block), 1, 5)],
        "E": [(friends, 0, 4), (len(close) - friends, 0, 4)],
    }


def inputs_of(grid: Grid, points_off_board: float, letters: str, representation: str) -> list[float]:
    """All inputs of a position whose friendly stones are 1."""
    grid = min(images(grid))
    inputs: list[float] = []
    for row, column in product(range(len(grid)), range(len(grid[0]))):
        stone = grid[row][column]
        inputs += [float(stone != 0), float(stone == 1)]
        for letter, numbers in numbers_at(grid, row, column).items():
            if letter not in letters:
                continue
            is_scalar = representation == "scalar" or (representation == "combined" and letter in "BE")
            for number, first, last in numbers:
                inputs += _scalar(number, last) if is_scalar else _binary(number, first, last)
    return [*inputs, points_off_board / 10]


def _scalar(number: int, last: int) -> list[float]:
    return [number / last if last else 0.0]


def _binary(number: int, first: int, last: int) -> list[float]:
    if last == 0:  # no stone
        return [0.0] * 5
    place = max(first, min(number, last)) - first
    return [float(i == place) for i in range(5)]
