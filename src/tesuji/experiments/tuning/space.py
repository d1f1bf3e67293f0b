"""Values of parameters as points: numbers scaled to [-1, 1], choices as indices; and the terms of a regression there.

A number on a log scale is scaled by its logarithm; a whole number is the middle of its cell. What a parameter is to a
player is `parameters.py`'s; what is done with the points is `clop.py`'s.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["Dimension", "Floats", "Ints", "Space", "Value"]

Value = bool | int | float | str
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MAX_COMBINATIONS = 256  # of choices


class Dimension(Protocol):
    """What a space asks of a parameter; `parameters.ParameterRange` is one."""

    @property
    def name(self) -> str:
        """Unique."""
        ...

    @property
    def type(self) -> str:
        """``float``, ``int`` or ``choice``; with choices it is a choice."""
        ...

    @property
    def low(self) -> float | None:
        """The lower end of the range of a number."""
        ...

    @property
    def high(self) -> float | None:
        """The upper end."""
        ...

    @property
    def log(self) -> bool:
        """Whether equal factors are equal steps."""
        ...

    @property
    def choices(self) -> Sequence[Value]:
        """The values of a choice."""
        ...


class Space:
    """Values as points: numbers scaled to [-1, 1], choices as indices; and the terms of the regression."""

    def __init__(self, parameters: Sequence[Dimension]) -> None:
        names = [parameter.name for parameter in parameters]
        if not names or len(set(names)) < len(names):
            raise ValueError(f"parameters are {', '.join(names) or 'none'}; give one or more, each with its own name")
        self.parameters = list(parameters)
        self.numbers = [p for p in parameters if not p.choices]
        self.choices = [p for p in parameters if p.choices]
        self.ends = [_ends(p) for p in self.numbers]
        sizes = [len(p.choices) for p in self.choices]
        if math.prod(sizes) > MAX_COMBINATIONS:
            raise ValueError(f"choices make {math.prod(sizes)} combinations; CLOP takes at most {MAX_COMBINATIONS}")
        self.combinations: Ints = np.array(list(itertools.product(*map(range, sizes))), dtype=np.int64)
        self.offsets = [0, *itertools.accumulate(sizes)]
        self.squares = list(itertools.combinations_with_replacement(range(len(self.numbers)), 2))
        self.num_common = 1 + len(self.numbers) + len(self.squares)
        self.num_of_choices = self.offsets[-1] * (1 + len(self.numbers))

    def encode(self, values: Mapping[str, Value]) -> tuple[Floats, Ints]:
        """Return the point of some values; ValueError if they are none."""
        if set(values) != {p.name for p in self.parameters}:
            names = ", ".join(p.name for p in self.parameters)
            raise ValueError(f"values are of {', '.join(values) or 'nothing'}; the parameters are {names}")
        point = [_encode_number(p, ends, values[p.name]) for p, ends in zip(self.numbers, self.ends, strict=True)]
        return np.array(point, dtype=float), np.array(
            [_encode_choice(p, values[p.name]) for p in self.choices], dtype=int
        )

    def decode(self, point: Floats, choice: Ints) -> dict[str, Value]:
        """Return the values at a point, in the order of the parameters."""
        found: dict[str, Value] = {}
        for p, ends, x in zip(self.numbers, self.ends, point, strict=True):
            found[p.name] = _decode_number(p, ends, float(x))
        for p, index in zip(self.choices, choice, strict=True):
            found[p.name] = p.choices[int(index)]
        return {p.name: found[p.name] for p in self.parameters}

    def number(self, index: int, x: float) -> int | float:
        """Return the value of one number at a place of [-1, 1]."""
        return _decode_number(self.numbers[index], self.ends[index], x)

    def terms(self, points: Floats, choices: Ints) -> Floats:
        """Return the regression's terms, shape (n, terms), at n points."""
        count = len(points)
        columns = [np.ones(count), *points.T, *(points[:, i] * points[:, j] for i, j in self.squares)]
        for index, (start, end) in enumerate(itertools.pairwise(self.offsets)):
            for choice in range(end - start):
                chosen = (choices[:, index] == choice).astype(float)
                columns += [chosen, *(chosen * x for x in points.T)]
        return np.stack(columns, axis=1)

    def quadratic(self, coefficients: Floats, choice: Ints) -> tuple[Floats, Floats, Floats]:
        """Return constant (n), slopes (n, d) and squares (n, d, d) of n regressions for one combination of choices."""
        size = len(self.numbers)
        constant, slope = coefficients[:, 0].copy(), coefficients[:, 1 : 1 + size].copy()
        squares = np.zeros((len(coefficients), size, size))
        for column, (i, j) in enumerate(self.squares, start=1 + size):
            squares[:, i, j] += coefficients[:, column] / 2
            squares[:, j, i] += coefficients[:, column] / 2
        for index, chosen in enumerate(choice):
            start = 1 + size + len(self.squares) + (self.offsets[index] + int(chosen)) * (1 + size)
            constant += coefficients[:, start]
            slope += coefficients[:, start + 1 : start + 1 + size]
        return constant, slope, squares


def _ends(parameter: Dimension) -> tuple[float, float]:
    """Return the ends of the scale; a whole number is the middle of its cell."""
    low, high = parameter.low, parameter.high
    if low is None or high is None or not low < high:
        raise ValueError(f"parameter {parameter.name}: low is {low}, high is {high}; give low < high")
    if parameter.log and low <= 0:
        raise ValueError(f"parameter {parameter.name}: low is {low:g}; on a log scale it must be positive")
    if parameter.type == "int":
        low, high = low - 0.5, high + 0.5
    return (math.log(low), math.log(high)) if parameter.log else (low, high)


def _encode_number(parameter: Dimension, ends: tuple[float, float], value: Value) -> float:
    low, high = parameter.low or 0.0, parameter.high or 0.0
    if isinstance(value, str | bool) or not low <= value <= high:
        raise ValueError(f"parameter {parameter.name}: {value!r} is not a number from {low:g} to {high:g}")
    scaled = math.log(value) if parameter.log else value
    return 2 * (scaled - ends[0]) / (ends[1] - ends[0]) - 1


def _decode_number(parameter: Dimension, ends: tuple[float, float], point: float) -> int | float:
    """Return the value of a number at a point of [-1, 1]."""
    scaled = ends[0] + (point + 1) / 2 * (ends[1] - ends[0])
    low, high = parameter.low or 0.0, parameter.high or 0.0
    value = min(max(math.exp(scaled) if parameter.log else scaled, low), high)
    return round(value) if parameter.type == "int" else value


def _encode_choice(parameter: Dimension, value: Value) -> int:
    for index, choice in enumerate(parameter.choices):
        if value == choice and type(value) is type(choice):
            return index
    raise ValueError(f"parameter {parameter.name}: {value!r} is none of {', '.join(map(str, parameter.choices))}")
