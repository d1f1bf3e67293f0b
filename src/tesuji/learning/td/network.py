"""The network that predicts: inputs and a bias, a layer of sigmoid units, one output.

The output is a sigmoid stretched to -1..1: the share of the most that can be won. It is what whoever has just moved may
expect (Huang, Connell and McQuade 2003, section 3.3). One matrix product judges any number of positions.

It does not know what its inputs mean, nor how it is taught: see `differences.py`.
"""

from __future__ import annotations

from typing import NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Floats", "Gradient", "ValueNetwork"]

Floats: TypeAlias = NDArray[np.float32]


class Gradient(NamedTuple):
    """What a small change of each weight does to the output for one position."""

    hidden: Floats
    """Shape (inputs + 1, units)."""
    output: Floats
    """Shape (units + 1,)."""


class ValueNetwork:
    """Weights, and what they say.

    Parameters
    ----------
    hidden : float32 array of shape (inputs + 1, units)
        From the inputs to the units; the last row is the bias's.
    output : float32 array of shape (units + 1,)
        From the units to the output; the last one is the bias's.

    Raises
    ------
    ValueError
        If the shapes do not fit each other.
    """

    def __init__(self, hidden: Floats, output: Floats) -> None:
        if hidden.ndim != 2 or output.shape != (hidden.shape[1] + 1,):
            raise ValueError(f"weights of shapes {hidden.shape} and {output.shape} make no network")
        self.hidden = np.ascontiguousarray(hidden, dtype=np.float32)
        self.output = np.ascontiguousarray(output, dtype=np.float32)

    @classmethod
    def random(cls, num_inputs: int, num_units: int, rng: np.random.Generator) -> Self:
        """Small random weights: uniform within one over the root of how many weights a unit has."""
        reach, reach_out = (num_inputs + 1) ** -0.5, (num_units + 1) ** -0.5
        hidden = rng.uniform(-reach, reach, (num_inputs + 1, num_units))
        output = rng.uniform(-reach_out, reach_out, num_units + 1)
        return cls(hidden.astype(np.float32), output.astype(np.float32))

    @property
    def num_inputs(self) -> int:
        """Without the bias."""
        return len(self.hidden) - 1

    @property
    def num_units(self) -> int:
        """Of the hidden layer."""
        return len(self.output) - 1

    @property
    def is_finite(self) -> bool:
        """Whether no weight is infinite or not a number."""
        return bool(np.isfinite(self.hidden.sum()) and np.isfinite(self.output.sum()))

    def values(self, inputs: Floats) -> Floats:
        """What positions are worth to whoever has just moved, -1..1; inputs (n, inputs), values (n,)."""
        values: Floats = np.tanh(0.5 * (self._units(inputs) @ self.output[:-1] + self.output[-1]))
        return values

    def value_and_gradient(self, inputs: Floats) -> tuple[float, Gradient]:
        """The value of one position, inputs of shape (inputs,), and its gradient."""
        units = self._units(inputs)
        value = float(np.tanh(0.5 * (units @ self.output[:-1] + self.output[-1])))
        slope = np.float32(0.5 * (1.0 - value * value))
        at_units = slope * self.output[:-1] * units * (1 - units)
        hidden = np.empty_like(self.hidden)
        np.multiply.outer(inputs, at_units, out=hidden[:-1])
        hidden[-1] = at_units
        return value, Gradient(hidden, slope * np.append(units, np.float32(1)))

    def add(self, gradient: Gradient, step: float) -> None:
        """Move the weights along a gradient."""
        self.hidden += np.float32(step) * gradient.hidden
        self.output += np.float32(step) * gradient.output

    def copy(self) -> ValueNetwork:
        """Another one with the same weights."""
        return ValueNetwork(self.hidden.copy(), self.output.copy())

    def _units(self, inputs: Floats) -> Floats:
        activations = inputs @ self.hidden[:-1] + self.hidden[-1]
        units: Floats = 0.5 + 0.5 * np.tanh(0.5 * activations)  # the logistic function, without its overflow
        return units
