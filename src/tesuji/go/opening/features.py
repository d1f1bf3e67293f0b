"""Which features of a position a network sees, and how: sets such as ``ABCDE``, scalar, binary or combined.

The features A to E are those of section 3.3 of Huang, Connell and McQuade (2003); what they are is written beside the
code that computes them, ``core/go/opening_inputs.hpp``.
"""

from __future__ import annotations

from itertools import combinations
from typing import Literal, TypeAlias, get_args

from tesuji._core import go as _native
from tesuji.search.frozen import Frozen

__all__ = ["FEATURE_SETS", "FeatureSet", "Representation"]

Representation: TypeAlias = Literal["scalar", "binary", "combined"]

_LETTERS = "BCDE"
_SCALAR_IN_COMBINED = "BE"
FEATURE_SETS = tuple("A" + "".join(chosen) for size in range(5) for chosen in combinations(_LETTERS, size))
"""The sixteen sets of the paper: A with any of B, C, D and E."""


class FeatureSet(Frozen, frozen=True, kw_only=True):
    """Some features in a representation.

    Attributes
    ----------
    letters : str
        A and any of B, C, D and E, in this order.
    representation : {"scalar", "binary", "combined"}
        A number for each, one of five inputs for each, or numbers for B and E and five inputs for C and D, which the
        paper proposes in its conclusions.
    """

    letters: str = "ABCDE"
    representation: Representation = "scalar"

    def _check(self) -> None:
        if self.letters not in FEATURE_SETS:
            raise ValueError(
                f"{self.letters[:20]!r} is not a set of features; write A and then any of B, C, D and E, such as ABCDE"
            )
        if self.representation not in get_args(Representation):
            raise ValueError(
                f"representation is {self.representation!r}; choose from {', '.join(get_args(Representation))}"
            )

    @property
    def name(self) -> str:
        """What files and tables call it: ``ABCDE scalar``; A alone has one representation only."""
        return "A" if self.letters == "A" else f"{self.letters} {self.representation}"

    def native(self) -> _native.OpeningFeatures:
        """For the core."""
        edges, liberties, stones, nearby = (self._of(letter) for letter in _LETTERS)
        return _native.OpeningFeatures(edges, liberties, stones, nearby)

    def num_inputs(self, num_points: int) -> int:
        """Of a board with so many points, without the bias."""
        return self.native().num_inputs(num_points)

    def _of(self, letter: str) -> _native.Representation:
        if letter not in self.letters:
            return _native.Representation.ABSENT
        is_scalar = self.representation == "scalar" or (
            self.representation == "combined" and letter in _SCALAR_IN_COMBINED
        )
        return _native.Representation.SCALAR if is_scalar else _native.Representation.BINARY
