"""A classifier for new individuals: genotype distributions of a panel's SNPs in each group, learned once (5.5.2).

It says which group is likeliest, how likely each is, how confident the choice is, and whether an individual looks like
none of the groups or like a mixture of two. How well a model does is `evaluation.py`'s affair.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.genetics.genotypes import MISSING

__all__ = ["Assignment", "GroupModel"]

Floats = NDArray[np.float64]
_UNITS_PER_NAT = 4096.0
_SIMULATED = 2000
_MIXTURE_GAIN = 3.0
_SHARES = np.linspace(0.1, 0.9, 17)


class Assignment(msgspec.Struct, frozen=True, kw_only=True):
    """What a model says of one individual.

    Attributes
    ----------
    group : str
        The likeliest.
    posteriors : dict
        Group -> probability, all groups being equally likely before.
    confidence : float
        Lambda (5.41): log-likelihood of the best group minus that of the second best, in nats.
    num_missing : int
        SNPs of the panel that were not genotyped.
    typicality : float
        Share of individuals of that group whose genotypes would be no likelier: below 0.005 it looks like none.
    mixture : tuple or None
        (group, share, other group) if a mixture explains it better than any one group, by 3 nats and more.
    """

    group: str
    posteriors: dict[str, float]
    confidence: float
    num_missing: int
    typicality: float
    mixture: tuple[str, float, str] | None = None

    @property
    def is_atypical(self) -> bool:
        """Whether it looks like none of the groups."""
        return self.typicality < 0.005


class GroupModel(msgspec.Struct, frozen=True):
    """Genotype counts of a panel in each group, and what follows from them.

    Attributes
    ----------
    groups : tuple of str
        Their names.
    counts : array of shape (SNPs, groups, 3)
        Individuals with 0, 1, 2 copies of A1 that were learned from.
    pseudocount : float
        Added to each count.
    """

    groups: tuple[str, ...]
    counts: NDArray[np.int64]
    pseudocount: float = 0.5

    @classmethod
    def learn(
        cls,
        copies: NDArray[np.int8],
        labels: NDArray[np.int32],
        groups: Sequence[str],
        pseudocount: float = 0.5,
    ) -> GroupModel:
        """From genotypes of shape (SNPs, individuals) and the group of each individual, or -1."""
        counts = np.zeros((len(copies), len(groups), 3), np.int64)
        for group in range(len(groups)):
            members = copies[:, labels == group]
            for c in range(3):
                counts[:, group, c] = (members == c).sum(axis=1)
        return cls(tuple(groups), counts, pseudocount)

    def log_probabilities(self) -> Floats:
        """Of genotypes, of shape (SNPs, groups, 3), in whole multiples of 2^-12 nats, as the search has them."""
        smoothed = self.counts + self.pseudocount
        exact = np.log(smoothed / smoothed.sum(axis=2, keepdims=True))
        return np.asarray(np.round(exact * _UNITS_PER_NAT) / _UNITS_PER_NAT)

    def log_likelihoods(self, copies: NDArray[np.int8]) -> Floats:
        """(5.40) for genotypes of shape (SNPs, individuals), of shape (individuals, groups); missing adds nothing."""
        with_missing = np.concatenate([self.log_probabilities(), np.zeros((*self.counts.shape[:2], 1))], axis=2)
        total = np.zeros((copies.shape[1], len(self.groups)))
        for table, genotypes in zip(with_missing, copies, strict=True):
            total += table[:, genotypes].T  # MISSING is -1: the last column
        return total

    def posteriors(self, copies: NDArray[np.int8]) -> Floats:
        """P(group | genotypes), of shape (individuals, groups), all groups being equally likely before."""
        logs = self.log_likelihoods(copies)
        weights = np.exp(logs - logs.max(axis=1, keepdims=True))
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))

    def frequencies(self) -> Floats:
        """Of A1, of shape (SNPs, groups), smoothed as the genotypes are."""
        smoothed = self.counts + self.pseudocount
        return np.asarray((smoothed[..., 1] + 2 * smoothed[..., 2]) / (2 * smoothed.sum(axis=2)))

    def assign(self, copies: NDArray[np.int8], seed: int = 1) -> list[Assignment]:
        """Assign individuals, given genotypes of shape (SNPs, individuals)."""
        logs, posteriors = self.log_likelihoods(copies), self.posteriors(copies)
        simulated = self._simulated(seed)
        found = []
        for i in range(copies.shape[1]):
            order = np.argsort(-logs[i], kind="stable")
            best = int(order[0])
            known = copies[:, i] != MISSING
            found.append(
                Assignment(
                    group=self.groups[best],
                    posteriors=dict(zip(self.groups, posteriors[i].tolist(), strict=True)),
                    confidence=float(logs[i, best] - logs[i, order[1]]),
                    num_missing=int((~known).sum()),
                    typicality=float((simulated[best][known].sum(axis=0) <= logs[i, best] + 1e-9).mean()),
                    mixture=self._mixture(copies[:, i]),
                )
            )
        return found

    def _simulated(self, seed: int) -> list[Floats]:
        """For each group, the log-probabilities of simulated members' genotypes, of shape (SNPs, simulated)."""
        rng = np.random.default_rng(seed)
        tables = self.log_probabilities()
        found = []
        for group in range(len(self.groups)):
            p = np.exp(tables[:, group])
            edges = np.cumsum(p / p.sum(axis=1, keepdims=True), axis=1)[:, :2]
            drawn = (rng.random((len(p), _SIMULATED))[:, :, None] > edges[:, None, :]).sum(axis=2)
            found.append(np.take_along_axis(tables[:, group], drawn, axis=1))
        return found

    def _mixture(self, genotypes: NDArray[np.int8]) -> tuple[str, float, str] | None:
        """The best mixture of two groups, if it beats every single one; alleles are drawn independently."""
        known = genotypes != MISSING
        f, copies = self.frequencies()[known], genotypes[known].astype(float)[:, None]

        def likelihood(p: Floats) -> Floats:
            return np.asarray((copies * np.log(p) + (2 - copies) * np.log(1 - p)).sum(axis=0))

        alone = float(likelihood(f).max())
        best: tuple[float, tuple[str, float, str] | None] = (alone + _MIXTURE_GAIN, None)
        for a in range(len(self.groups)):
            for b in range(a + 1, len(self.groups)):
                logs = likelihood(f[:, [a]] * _SHARES + f[:, [b]] * (1 - _SHARES))
                place = int(logs.argmax())
                if logs[place] >= best[0]:
                    best = float(logs[place]), (self.groups[a], float(_SHARES[place]), self.groups[b])
        return best[1]
