"""Populations with a known history, for tests and tutorials: simulated by msprime (the extra ``genetics``).

The ancestors split one after the other, as in a tree that grows a branch at a time. Among the SNPs, those that differ
most between the true populations are the informative ones by construction.
"""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.genetics.genotypes import Genotypes, Snp
from tesuji.words import how_to_install

__all__ = ["History", "simulate"]


class History(msgspec.Struct, frozen=True, kw_only=True):
    """What is simulated.

    Attributes
    ----------
    groups : int
        Populations.
    individuals : int
        Of each population.
    snps : int
        SNPs that are kept, at most, each on a stretch of its own so that they are independent.
    split_generations : float
        Between two splits.
    population_size : float
        Of each population.
    migration : float
        Share of a population that comes from each other one, in each generation.
    """

    groups: int = 3
    individuals: int = 100
    snps: int = 1000
    split_generations: float = 500.0
    population_size: float = 5000.0
    migration: float = 0.0

    def __post_init__(self) -> None:
        for name, low, high in (("groups", 2, 26), ("individuals", 1, 100_000), ("snps", 1, 1_000_000)):
            value = getattr(self, name)
            if not low <= value <= high:
                raise ValueError(f"{name} is {value}; it must lie in {low}..{high}")
        if self.split_generations <= 0 or self.population_size <= 0 or not 0 <= self.migration < 1:
            raise ValueError("split_generations and population_size must be above 0, migration a share below 1")


def simulate(history: History, seed: int) -> tuple[Genotypes, dict[str, str]]:
    """Genotypes and the group of each individual.

    Raises
    ------
    ImportError
        If msprime is missing.
    """
    try:
        import msprime
    except ImportError:
        raise ImportError(f"the simulator needs msprime: {how_to_install('genetics')}") from None
    demography = msprime.Demography()
    names = [f"pop{i + 1}" for i in range(history.groups)]
    for name in names:
        demography.add_population(name=name, initial_size=history.population_size)
    if history.migration:
        for a in names:
            for b in names:
                if a != b:
                    demography.set_migration_rate(a, b, history.migration)
    ancestor = names[0]
    for i in range(1, history.groups):  # the last split is the most recent
        merged = f"anc{i}"
        demography.add_population(name=merged, initial_size=history.population_size)
        demography.add_population_split(
            time=history.split_generations * i, derived=[ancestor, names[i]], ancestral=merged
        )
        ancestor = merged
    rng = np.random.default_rng(seed)
    copies: list[NDArray[np.int8]] = []
    samples = dict.fromkeys(names, history.individuals)
    trees = msprime.sim_ancestry(
        samples=samples,
        demography=demography,
        num_replicates=20 * history.snps,
        random_seed=int(rng.integers(1, 2**31)),
    )
    for tree in trees:
        mutated = msprime.sim_mutations(
            tree, rate=2e-4, model=msprime.BinaryMutationModel(), discrete_genome=False,
            random_seed=int(rng.integers(1, 2**31)),
        )  # fmt: skip
        for variant in mutated.variants():
            alleles = variant.genotypes.reshape(-1, 2)
            count = alleles.sum(axis=1)
            if 0 < count.sum() < 2 * len(count):
                copies.append(count.astype(np.int8))
            break
        if len(copies) == history.snps:
            break
    bases = rng.choice(np.array([["A", "C"], ["A", "G"], ["C", "T"], ["G", "T"]]), len(copies))
    snps = [
        Snp(str(1 + i * 22 // max(len(copies), 1)), f"sim{i + 1}", 10_000 * (i + 1), *bases[i].tolist())
        for i in range(len(copies))
    ]
    people = [f"{name}_{i + 1}" for name in names for i in range(history.individuals)]
    groups = {person: person.partition("_")[0] for person in people}
    return Genotypes.from_copies(people, snps, np.stack(copies)), groups
