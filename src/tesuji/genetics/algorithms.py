"""Ways to look for a panel, as named values. Formulas and sources: ``docs/algorithms/snp-panels.md``.

`tesuji.genetics.searching` runs them. The first three are those of chapter 5 of Basaldúa's thesis.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from tesuji.search import UCB1, OnePlayer, SearchConfig, VirtualVisits
from tesuji.words import meant

__all__ = ["ALGORITHMS", "MCTS", "Algorithm", "Backward", "Forward", "GrQS", "TopN", "algorithm_named"]


def _check(holds: bool, name: str, value: object, rule: str) -> None:
    if not holds:
        raise ValueError(f"{name} is {value!r}; it must be {rule}")


class MCTS(msgspec.Struct, frozen=True, kw_only=True):
    """Monte-Carlo tree search (5.6).

    Attributes
    ----------
    order : {"any", "increasing"}
        In which order a panel's SNPs may be added: any, and then equal sets share a node; or by increasing rank, as in
        the source, so that every set comes once.
    look : int
        Candidates drawn for each place of a playout, the best of which is taken. 1 is the source's playout: the rank
        decides. More of them make playouts that are worth more and cost more.
    exploration : float
        c of UCB1, on a scale where the worst panel seen is 0 and the best is 1: the source's K needs no tuning then.
    width : int or None
        Candidates that a node begins with, its best by rank; None: all.
    prior_visits : float
        What the prior of a SNP counts for, in visits; 1 in (5.44).
    rework : int
        SNPs that are thrown out of the best panel at random, again and again, and searched for anew with the others
        kept, once a first search from the empty panel is over; 0: the first search has all the time.
    first_share : float
        Share of the budget that the first search has, where there is rework.
    rework_simulations : int
        Of each of these searches.
    rework_pool : int
        Candidates of each of these searches: the best beside the SNPs that stay.
    revisit : {"close", "penalty"}
        A panel that the tree alone made is closed (7.3.1), or loses 2 % (5.6).
    beam : int or None
        Nodes that stay at each depth, for panels of 20 and more SNPs (7.3.1); None: no beam. It needs increasing order
        and closing.
    beam_simulations : int
        Simulations through a depth before the beam closes it.
    """

    order: Literal["any", "increasing"] = "any"
    look: int = 8
    exploration: float = 0.1
    width: int | None = 200
    prior_visits: float = 1.0
    rework: int = 4
    first_share: float = 0.3
    rework_simulations: int = 500
    rework_pool: int = 100
    revisit: Literal["close", "penalty"] = "close"
    beam: int | None = None
    beam_simulations: int = 2000

    def __post_init__(self) -> None:
        _check(self.order in ("any", "increasing"), "order", self.order, "any or increasing")
        _check(1 <= self.look <= 10_000, "look", self.look, "1 to 10000")
        _check(self.width is None or self.width >= 1, "width", self.width, "at least 1, or None")
        _check(self.prior_visits > 0, "prior_visits", self.prior_visits, "above 0")
        _check(self.rework >= 0, "rework", self.rework, "0 or more")
        _check(0 < self.first_share <= 1, "first_share", self.first_share, "above 0 and at most 1")
        _check(self.rework_simulations >= 1, "rework_simulations", self.rework_simulations, "at least 1")
        _check(self.rework_pool >= 1, "rework_pool", self.rework_pool, "at least 1")
        _check(self.revisit in ("close", "penalty"), "revisit", self.revisit, "close or penalty")
        _check(self.beam is None or self.beam >= 1, "beam", self.beam, "at least 1, or None")
        _check(self.beam_simulations >= 1, "beam_simulations", self.beam_simulations, "at least 1")
        if self.beam is not None and (self.order != "increasing" or self.revisit != "close"):
            raise ValueError("a beam closes nodes of a tree; it needs order='increasing' and revisit='close'")

    def config(self, threads: int = 1) -> SearchConfig:
        """The search that this is."""
        return SearchConfig(
            selection=UCB1(c=self.exploration),
            prior=VirtualVisits(visits=self.prior_visits),
            width=self.width,
            width_walks=10 * self.width if self.width else 0,
            graph="dag" if self.order == "any" else "tree",
            one_player=OnePlayer(revisit=self.revisit),
            threads=threads,
        )


class GrQS(msgspec.Struct, frozen=True, kw_only=True):
    """Greedy queued search (5.7.2): best-first over models of any size, by estimated values.

    Attributes
    ----------
    slopes : tuple of float or None
        K_n of (5.45) for parents of 0, 1, 2, ... SNPs; None: they tune themselves.
    max_models : int
        Models that wait in the queue, at most.
    """

    slopes: tuple[float, ...] | None = None
    max_models: int = 2_000_000

    def __post_init__(self) -> None:
        _check(self.max_models >= 16, "max_models", self.max_models, "at least 16")


class TopN(msgspec.Struct, frozen=True, kw_only=True):
    """The individually best SNPs (5.7.1).

    Attributes
    ----------
    statistic : {"informativeness", "delta", "theta", "best"}
        By which; "best": the best panel of the three, as in the source.
    """

    statistic: Literal["informativeness", "delta", "theta", "best"] = "best"

    def __post_init__(self) -> None:
        _check(
            self.statistic in ("informativeness", "delta", "theta", "best"),
            "statistic",
            self.statistic,
            "informativeness, delta, theta or best",
        )


class Forward(msgspec.Struct, frozen=True, kw_only=True):
    """Greedy forward selection: add the SNP that makes the model best, again and again."""


class Backward(msgspec.Struct, frozen=True, kw_only=True):
    """Forward selection, then exchanges: each SNP of the panel for the best other, until none helps.

    While there is time it begins again from the best panel with some SNPs thrown out at random.

    Attributes
    ----------
    thrown_out : int
        SNPs that are thrown out before another beginning.
    """

    thrown_out: int = 3

    def __post_init__(self) -> None:
        _check(self.thrown_out >= 1, "thrown_out", self.thrown_out, "at least 1")


Algorithm: TypeAlias = MCTS | GrQS | TopN | Forward | Backward

ALGORITHMS: dict[str, Algorithm] = {
    "mcts": MCTS(),
    "mcts-plain": MCTS(rework=0),
    "mcts-thesis": MCTS(order="increasing", look=1, rework=0, revisit="penalty", width=None),
    "mcts-beam": MCTS(order="increasing", rework=0, beam=30),
    "grqs": GrQS(),
    "topn": TopN(),
    "topn-informativeness": TopN(statistic="informativeness"),
    "topn-theta": TopN(statistic="theta"),
    "topn-delta": TopN(statistic="delta"),
    "forward": Forward(),
    "forward-backward": Backward(),
}
"""By name, with the values that they have if nothing is said."""


def algorithm_named(name: str) -> Algorithm:
    """An algorithm by its name.

    Raises
    ------
    ValueError
        For an unknown name.
    """
    if name not in ALGORITHMS:
        near = meant(name, ALGORITHMS, cutoff=0.4)
        hint = f"did you mean {near!r}? " if near else ""
        raise ValueError(f"{name!r} is not an algorithm; {hint}there are {', '.join(ALGORITHMS)}")
    return ALGORITHMS[name]
