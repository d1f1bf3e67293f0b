"""Stages of a search that you write yourself: a selection formula, a back-up rule, an order of expansion.

Each is a plain Python function (slow, for teaching), or the same function compiled by Numba when ``compiled=True``.

>>> import numpy as np
>>> def ucb1(node, edges, scores):
...     scores[:] = edges.means + 0.7 * np.sqrt(node.log_visits / np.maximum(edges.visits, 1))
>>> from tesuji.games import Connect4
>>> from tesuji.search import Search
>>> Search(Connect4(), stages=Stages(selection=ucb1)).run(simulations=100, seed=1).simulations
100

``docs/howto/own-search.md`` writes three known variants this way. The built-in formulas are in the core.
"""

from __future__ import annotations

import functools
from collections import namedtuple
from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec

from tesuji._core import search as _native
from tesuji.words import how_to_install

__all__ = ["Edges", "Node", "Stages"]

Node = namedtuple("Node", ["visits", "log_visits", "mean"])
"""A node as a stage sees it: N (at least 1), ln N, and the mean of all its results for its mover."""
Edges = namedtuple("Edges", ["visits", "means", "amaf_visits", "amaf_means", "priors", "random"])
"""A node's edges as float32 arrays, one number each: n, the mean for the mover (of an edge never tried: the first-play
urgency, infinity unless the config says otherwise), AMAF's (zeros without AMAF), priors (zeros without), and uniform
random numbers of 0..1 if `Stages.wants_random`."""

Selection: TypeAlias = Callable[[Any, Any, Any], None]
"""``f(node, edges, scores)`` fills one score for each edge; the highest is walked, the first of equals."""
BackUp: TypeAlias = Callable[[Any, Any], float]
"""``f(node, edges)`` returns the node's value for its mover, 0..1: what the edge to it is worth from now on."""
Order: TypeAlias = Callable[[Any, Any, Any], None]
"""``f(moves, priors, keys)`` fills one key for each move of a new node; edges stand in the order of falling keys."""


class Stages(msgspec.Struct, frozen=True, kw_only=True):
    """Functions in place of a search's own stages; what is None stays as the config has it.

    Attributes
    ----------
    selection : callable, optional
        ``f(node, edges, scores)``; takes the place of ``config.selection``, AMAF and priors included: it sees their
        numbers and may use them.
    back_up : callable, optional
        ``f(node, edges)``; where it is given, an edge is worth what it returned for the node behind it, instead of the
        mean of its results.
    order : callable, optional
        ``f(moves, priors, keys)``; ties in the selection go to the edge that stands first.
    wants_random : bool
        Whether `Edges.random` is filled.
    compiled : bool
        Whether the functions are compiled by Numba (an extra: ``tesuji[compiled]``); they then run without the GIL on
        all threads.

    Raises
    ------
    TypeError
        For a stage that is not callable.
    """

    selection: Selection | None = None
    back_up: BackUp | None = None
    order: Order | None = None
    wants_random: bool = False
    compiled: bool = False

    def __post_init__(self) -> None:
        for name in ("selection", "back_up", "order"):
            stage = getattr(self, name)
            if stage is not None and not callable(stage):
                raise TypeError(f"{name} is {stage!r}; it must be a function, or None")

    def install(self, search: _native.Search) -> object:
        """Give the stages to a native search; what is returned must live as long as it."""
        made = _compiled(self) if self.compiled else _plain(self)
        _native.use_stages(search, made.selection, made.back_up, made.order, self.wants_random)
        return made


class _Made(msgspec.Struct):
    selection: Any = None
    back_up: Any = None
    order: Any = None
    kept: Any = None


def _plain(stages: Stages) -> _Made:
    made = _Made(order=stages.order)
    if (selection := stages.selection) is not None:

        def select(visits: float, log_visits: float, mean: float, *columns: Any) -> None:
            returned: Any = selection(Node(visits, log_visits, mean), Edges(*columns[:6]), columns[6])
            if returned is not None:
                raise TypeError("the selection formula returned something; fill the scores, and return nothing")

        made.selection = select
    if (back_up := stages.back_up) is not None:

        def value_of(visits: float, log_visits: float, mean: float, *columns: Any) -> float:
            return back_up(Node(visits, log_visits, mean), Edges(*columns))

        made.back_up = value_of
    return made


def _compiled(stages: Stages) -> _Made:
    kept = [
        _compiled_stage(name, stage)
        for name, stage in (("selection", stages.selection), ("back_up", stages.back_up), ("order", stages.order))
        if stage is not None
    ]
    made = _Made(kept=kept)
    for name, function in kept:
        setattr(made, name, function.address)
    return made


@functools.lru_cache(maxsize=64)
def _compiled_stage(name: str, stage: Callable[..., Any]) -> tuple[str, Any]:
    """The stage as a C function; it returns 0, or 1 where the function raised."""
    try:
        from numba import carray, cfunc, njit, types
    except ImportError as error:
        raise ImportError(f"compiled stages need Numba: {how_to_install('compiled')}") from error
    inner = njit(stage)
    numbers = types.CPointer(types.float32)
    view = (types.int64, *(types.float32,) * 3, *(numbers,) * 6)

    def select(size, n, log_n, mean, visits, means, amaf_visits, amaf_means, priors, random, out):  # type: ignore[no-untyped-def]
        edges = Edges(
            carray(visits, size),
            carray(means, size),
            carray(amaf_visits, size),
            carray(amaf_means, size),
            carray(priors, size),
            carray(random, size),
        )
        inner(Node(n, log_n, mean), edges, carray(out, size))
        return 0

    def value_of(size, n, log_n, mean, visits, means, amaf_visits, amaf_means, priors, random, out):  # type: ignore[no-untyped-def]
        edges = Edges(
            carray(visits, size),
            carray(means, size),
            carray(amaf_visits, size),
            carray(amaf_means, size),
            carray(priors, size),
            carray(random, size),
        )
        carray(out, 1)[0] = inner(Node(n, log_n, mean), edges)
        return 0

    def order(size, moves, priors, keys):  # type: ignore[no-untyped-def]
        inner(carray(moves, size), carray(priors, size), carray(keys, size))
        return 0

    if name == "order":
        signature = types.int32(types.int64, types.CPointer(types.int32), numbers, numbers)
        return name, cfunc(signature)(order)
    return name, cfunc(types.int32(*view, numbers))(select if name == "selection" else value_of)
