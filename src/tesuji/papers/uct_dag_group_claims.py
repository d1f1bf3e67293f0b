"""What the UCT-DAG report, 3.1.2, says about groups on P-games, judged by the errors that were measured.

Claims of figures that the text says nothing about are those of the figure with the same question. Where the text gives
a number of iterations that is not read (30, 300, 600, 3000), the next higher one is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tesuji.papers.error_curves import Curve, alike, improved, not_improved
from tesuji.papers.findings import Claim

__all__ = ["claims_about_bias", "claims_about_number"]

_EARLY = (20, 50, 100)
_LATE = (200, 500, 1_000)
_ALL = (50, 100, 200, 500, 1_000, 2_000)


def claims_about_bias(
    base: Curve, by_bias: Mapping[float, Curve], *, is_narrow: bool, overlap: bool
) -> Iterator[Claim]:
    """Of figures 3.5 to 3.9 and C.3 to C.7: one group of size 1.

    Parameters
    ----------
    base
        The error without groups.
    by_bias
        The errors with a group of that bias, on the same games.
    is_narrow
        Whether there are but two moves.
    overlap
        Whether the catch-all group holds all moves.
    """
    if not overlap:
        yield from _symmetry(by_bias)
    if overlap:
        yield from _with_overlap(base, by_bias)
    elif is_narrow:
        for bias, curve in by_bias.items():
            yield not_improved(f"Without overlap a group of bias {bias:g} does not help on 2x20.", base, curve, _ALL)
    else:
        yield from _without_overlap(base, by_bias)


def _symmetry(by_bias: Mapping[float, Curve]) -> Iterator[Claim]:
    for low in (0.0, 0.1, 0.2, 0.3):
        high = round(1 - low, 1)
        if low in by_bias and high in by_bias:
            statement = f"Without overlap biases {low:g} and {high:g} behave alike."
            yield alike(statement, by_bias[low], by_bias[high], _ALL)


def _without_overlap(base: Curve, by_bias: Mapping[float, Curve]) -> Iterator[Claim]:
    for bias in (0.0, 1.0):
        if bias in by_bias:
            yield improved(f"A group of bias {bias:g} helps after 500 iterations.", base, by_bias[bias], (500,))
    for bias in (0.3, 0.7):
        if bias in by_bias:
            yield improved(f"A group of bias {bias:g} helps after 5,000 iterations.", base, by_bias[bias], (5_000,))
    for worse, better in ((0.7, 0.8), (0.8, 0.9), (0.9, 1.0)):
        if worse in by_bias and better in by_bias:
            statement = f"Bias {better:g} errs less than bias {worse:g}."
            yield improved(statement, by_bias[worse], by_bias[better], (200, 500, 1_000))


def _with_overlap(base: Curve, by_bias: Mapping[float, Curve]) -> Iterator[Claim]:
    if 0.0 in by_bias:
        for count in (*_EARLY, *_LATE):
            yield improved(f"With overlap bias 0 hurts after {count:,} iterations.", by_bias[0.0], base, (count,))
    if 1.0 in by_bias:
        for count in (*_EARLY, *_LATE):
            yield improved(f"With overlap bias 1 helps after {count:,} iterations.", base, by_bias[1.0], (count,))


def claims_about_number(base: Curve, by_number: Mapping[tuple[int, float], Curve], *, size: float) -> Iterator[Claim]:
    """Of figures 3.10, 3.11 and C.8: up to three groups, with overlap.

    Parameters
    ----------
    base
        The error without groups.
    by_number
        The errors by number of groups and bias, on the same games.
    size
        Of the groups.
    """
    if size == 1:
        for fewer, more in ((1, 2), (2, 3)):
            one, other = by_number.get((fewer, 1.0)), by_number.get((more, 1.0))
            if one is not None and other is not None:
                yield improved(f"{more} groups of bias 1 err less than {fewer} after 50 iterations.", one, other, (50,))
        helpful: tuple[tuple[int, float], ...] = ()
    else:
        helpful = ((3, 1.0), (3, 0.85), (2, 1.0), (1, 1.0))
    for number, bias in helpful:
        if (number, bias) in by_number:
            yield improved(
                f"{_some(number)} of size {size:g} and bias {bias:g} help.", base, by_number[number, bias], _ALL
            )
    for number, bias in _USELESS[size == 1]:
        if (number, bias) in by_number:
            statement = f"{_some(number)} of size {size:g} and bias {bias:g} do not help."
            yield not_improved(statement, base, by_number[number, bias], _ALL)


_USELESS = {
    True: ((1, 0.7), (2, 0.7), (3, 0.7)),
    False: ((1, 0.7), (2, 0.7), (3, 0.7), (1, 0.85), (2, 0.85)),
}
"""By whether groups are of size 1."""


def _some(number: int) -> str:
    return "One group" if number == 1 else f"{number} groups"
