"""Ways for one player to look for a solution, as named values. Sources and formulas: ``docs/algorithms/one-player.md``.

`tesuji.search.solve` runs them. Their values were chosen by a few trials on SameGame with 300,000 simulations
(``docs/results/library.md``): sensible for problems of a few dozen moves with a few dozen choices each.
"""

from __future__ import annotations

from typing import TypeAlias

from tesuji.search.config import UCB1, SearchConfig
from tesuji.search.frozen import Frozen
from tesuji.words import meant

__all__ = ["NRPA", "STRATEGIES", "Beam", "Nested", "Orders", "Plain", "Restarts", "Strategy", "strategy_named"]

# Results differ by a small part of the scale, which reaches from the worst to the best solution seen.
_CONFIG = SearchConfig(selection=UCB1(c=0.1))


def _check(holds: bool, name: str, value: object, rule: str) -> None:
    if not holds:
        raise ValueError(f"{name} is {value!r}; it must be {rule}")


class Plain(Frozen, frozen=True, kw_only=True):
    """One search over one graph, from the beginning to the end; the only strategy that proves an optimum.

    Attributes
    ----------
    config : SearchConfig
        Of the search; a small exploration constant suits most problems.
    """

    config: SearchConfig = _CONFIG


class Nested(Frozen, frozen=True, kw_only=True):
    """Nested Monte-Carlo search (Cazenave 2009), again and again.

    Attributes
    ----------
    level : int
        How deep searches are nested; 0 is playouts alone. A level takes as many searches of the level below as a game
        has choices, from its first move to its last.
    threads : int
        Each searches on its own.
    """

    level: int = 2
    threads: int = 1

    def _check(self) -> None:
        _check(0 <= self.level <= 9, "level", self.level, "0 to 9")
        _check(1 <= self.threads <= 256, "threads", self.threads, "1 to 256")


class Beam(Frozen, frozen=True, kw_only=True):
    """Beam Monte-Carlo tree search (Baier and Winands 2012), again and again with other random numbers.

    Attributes
    ----------
    width : int
        How many nodes stay at a depth.
    level_simulations : int
        How many simulations must have walked through a depth before the others go.
    config : SearchConfig
        Of the searches; its graph must be a tree that closes what is finished.
    """

    width: int = 30
    level_simulations: int = 1_000
    config: SearchConfig = _CONFIG

    def _check(self) -> None:
        _check(1 <= self.width < 2**31, "width", self.width, "at least 1")
        _check(1 <= self.level_simulations < 2**63, "level_simulations", self.level_simulations, "at least 1")
        if self.config.graph != "tree" or self.config.one_player.revisit != "close":
            raise ValueError("a beam closes nodes of a tree; its config needs graph='tree' and revisit='close'")


class Restarts(Frozen, frozen=True, kw_only=True):
    """A new search with other random numbers after every so many simulations.

    Attributes
    ----------
    simulations : int
        Of each search.
    config : SearchConfig
        Of the searches.
    """

    simulations: int = 100_000
    config: SearchConfig = _CONFIG

    def _check(self) -> None:
        _check(1 <= self.simulations < 2**63, "simulations", self.simulations, "at least 1")


class NRPA(Frozen, frozen=True, kw_only=True):
    """Nested rollout policy adaptation (Rosin 2011), again and again: playouts learn from the best line so far.

    Attributes
    ----------
    level : int
        How deep searches are nested; 0 is playouts alone.
    iterations : int
        How often each level calls the one below, learning after every call.
    alpha : float
        How much likelier a move of the best line becomes each time.
    bias : float
        Weight of the logarithm of a move's prior (Cazenave 2020), for games that have priors; 0: without.
    threads : int
        Each searches on its own.
    """

    level: int = 3
    iterations: int = 100
    alpha: float = 1.0
    bias: float = 1.0
    threads: int = 1

    def _check(self) -> None:
        _check(0 <= self.level <= 9, "level", self.level, "0 to 9")
        _check(1 <= self.iterations < 2**31, "iterations", self.iterations, "at least 1")
        _check(0 < self.alpha < float("inf"), "alpha", self.alpha, "above 0 and finite")
        _check(0 <= self.bias < float("inf"), "bias", self.bias, "at least 0 and finite")
        _check(1 <= self.threads <= 256, "threads", self.threads, "1 to 256")


class Orders(Frozen, frozen=True, kw_only=True):
    """Local search over orders of moves: the first legal move of an order is played, and two moves of it swapped.

    For problems in which a move means much the same whenever it is made, such as an item to pack or a city to visit.

    Attributes
    ----------
    patience : int
        How many tries in a row that bring nothing end a round; the next one begins from another order.
    threads : int
        Each searches on its own.
    begin_with : tuple of int
        Moves of a solution from which the first rounds begin.
    """

    patience: int = 20_000
    threads: int = 1
    begin_with: tuple[int, ...] = ()

    def _check(self) -> None:
        _check(1 <= self.patience < 2**63, "patience", self.patience, "at least 1")
        _check(1 <= self.threads <= 256, "threads", self.threads, "1 to 256")


Strategy: TypeAlias = Plain | Nested | Beam | Restarts | NRPA | Orders

STRATEGIES: dict[str, Strategy] = {
    "plain": Plain(),
    "nested": Nested(),
    "beam": Beam(),
    "restarts": Restarts(),
    "nrpa": NRPA(),
    "orders": Orders(),
}
"""By name, with the values that they have if nothing is said."""


def strategy_named(name: str) -> Strategy:
    """A strategy by its name.

    Raises
    ------
    ValueError
        For an unknown name.
    """
    if name not in STRATEGIES:
        near = meant(name, STRATEGIES, cutoff=0.4)
        hint = f"did you mean {near!r}? " if near else ""
        raise ValueError(f"{name!r} is not a strategy; {hint}there are {', '.join(STRATEGIES)}")
    return STRATEGIES[name]
