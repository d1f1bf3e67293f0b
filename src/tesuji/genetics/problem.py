"""A panel to be found, as the searches see it: candidates, groups, draws, rules, and what is to be large.

It is pickled by its parts, so that other processes and machines can make the same.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji._core import genetics as _native
from tesuji.genetics.constraints import Spacing, conflicts
from tesuji.genetics.draws import Draw, Drawing, make_draws
from tesuji.genetics.genotypes import Genotypes
from tesuji.genetics.labels import Labels
from tesuji.genetics.scan import Candidates

__all__ = ["OBJECTIVES", "SOFT_OBJECTIVES", "Judging", "Objective", "Problem"]

Objective = Literal["right", "balanced", "expected", "log-loss"]
OBJECTIVES = {
    "right": _native.Objective.NUM_RIGHT,
    "balanced": _native.Objective.BALANCED,
    "expected": _native.Objective.EXPECTED,
    "log-loss": _native.Objective.LOG_LOSS,
}

SOFT_OBJECTIVES = ("expected", "log-loss")
"""Those that go by probabilities."""


class Judging(msgspec.Struct, frozen=True, kw_only=True):
    """How a model is judged (5.5.2).

    Attributes
    ----------
    objective : {"right", "balanced", "expected", "log-loss"}
        The number of individuals classified right, mean over the draws (5.42); the same with every group weighing the
        same; the mean of P(own group); or minus the mean of -log P(own group). The last two use everybody, not only
        those at the limit between right and wrong, and so fit the individuals of a search less.
    temperature : float
        Log-likelihoods are divided by it before they become probabilities, for `expected` and `log-loss`. Above 1,
        those who are told apart easily still count, and a few hard ones decide less.
    pseudocount : float
        Added to the count of each genotype in each group. The source does not say what it does about genotypes never
        seen in a group; half a count is Jeffreys' and Krichevsky and Trofimov's choice.
    unclassified : float
        Share of the test individuals, the least confident, that is not classified.
    """

    objective: Objective = "log-loss"
    temperature: float = 3.0
    pseudocount: float = 0.5
    unclassified: float = 0.05

    def __post_init__(self) -> None:
        if self.objective not in OBJECTIVES:
            raise ValueError(f"objective is {self.objective!r}; it must be one of {', '.join(OBJECTIVES)}")
        if not 0.01 <= self.temperature <= 100:
            raise ValueError(f"temperature is {self.temperature}; it must lie in 0.01..100")
        if not 1e-6 <= self.pseudocount <= 1e6:
            raise ValueError(f"pseudocount is {self.pseudocount}; it must lie in 0.000001..1000000")
        if not 0 <= self.unclassified < 1:
            raise ValueError(f"unclassified is {self.unclassified}; it must be a share, 0 to below 1")


class Problem:
    """So many of the candidates, with the best value.

    Parameters
    ----------
    candidates
        What there is to choose from, the most promising first.
    labels
        The groups of the individuals that the search may see.
    size
        SNPs of a panel.
    judging, drawing, spacing
        How a model is judged, on which draws, and which SNPs go together.
    include
        Ids that every panel has.

    Raises
    ------
    ValueError
        If a panel cannot be so large, or what must be included may not be together.
    """

    def __init__(
        self,
        candidates: Candidates,
        labels: Labels,
        size: int,
        *,
        judging: Judging | None = None,
        drawing: Drawing | None = None,
        spacing: Spacing | None = None,
        include: frozenset[str] = frozenset(),
    ) -> None:
        self.candidates, self.labels, self.size = candidates, labels, size
        self.judging, self.drawing = judging or Judging(), drawing or Drawing()
        self.spacing, self.include = spacing or Spacing(), include
        if size < 1:
            raise ValueError(f"a panel of {size} SNPs is none; choose 1 or more")
        if size > len(candidates):
            raise ValueError(
                f"a panel of {size} SNPs cannot be chosen from {len(candidates)} candidates; ask for fewer, or let more"
                " SNPs pass the rules"
            )
        if len(include) > size:
            raise ValueError(f"{len(include)} SNPs must be included, but a panel has {size}")
        self.draws: list[Draw] = make_draws(labels, self.drawing)
        self.pairs = conflicts(candidates.genotypes, self.spacing)
        self.included = sorted(place for snp in include if (place := candidates.place_of(snp)) is not None)
        self._refuse_contradictions()
        self.classifier = _native.make_classifier(
            candidates.genotypes.rows,
            labels.of_sample,
            len(labels.groups),
            self.draws,
            self.judging.pseudocount,
            self.judging.unclassified,
            OBJECTIVES[self.judging.objective],
            self.judging.temperature if self.judging.objective in SOFT_OBJECTIVES else 1.0,
        )
        self.native = self.fresh()

    def _refuse_contradictions(self) -> None:
        together = set(self.included)
        for a, b in zip(*self.pairs, strict=True):
            if int(a) in together and int(b) in together:
                first, second = (self.candidates.genotypes.snps[int(i)].id for i in (a, b))
                raise ValueError(
                    f"{first} and {second} must both be included, but they are too close together or too much alike;"
                    " leave one out, or loosen --min-distance and --max-r2"
                )

    def fresh(self) -> _native.Problem:
        """The same problem with nothing found yet."""
        return _native.Problem(self.classifier, self.size, self.included, *self.pairs, self.priors().tolist())

    def __reduce__(self) -> tuple[Any, ...]:
        arguments = (self.candidates, self.labels, self.size, self.judging, self.drawing, self.spacing, self.include)
        return _rebuilt, arguments

    def priors(self) -> NDArray[np.float64]:
        """The candidates' scores, scaled to 0 (least) .. 1 (most)."""
        scores = self.candidates.scores
        low, high = float(scores.min()), float(scores.max())
        return (scores - low) / (high - low) if high > low else np.full(len(scores), 0.5)

    @property
    def num_classified(self) -> float:
        """Test individuals of a draw that are classified, mean over the draws."""
        sizes = [len(test) - int(self.judging.unclassified * len(test) + 1e-9) for _, test in self.draws]
        return float(np.mean(sizes))

    def accuracy(self, places: list[int]) -> float:
        """Right ones among the classified (5.42) by some candidates, whatever the objective: mean over the draws."""
        classifier = _native.make_classifier(
            self.panel_genotypes(places).rows,
            self.labels.of_sample,
            len(self.labels.groups),
            self.draws,
            self.judging.pseudocount,
            self.judging.unclassified,
            OBJECTIVES["right"],
        )
        return classifier.value(list(range(len(places)))) / self.num_classified

    def panel_genotypes(self, places: list[int]) -> Genotypes:
        """The genotypes of some candidates."""
        return self.candidates.genotypes.of_snps(places)


def _rebuilt(
    candidates: Candidates,
    labels: Labels,
    size: int,
    judging: Judging,
    drawing: Drawing,
    spacing: Spacing,
    include: frozenset[str],
) -> Problem:
    return Problem(candidates, labels, size, judging=judging, drawing=drawing, spacing=spacing, include=include)
