"""Panels of SNPs: counting, classifying, searching."""

from collections.abc import Callable, Sequence
import enum
from typing import Annotated

import numpy
import numpy.typing
from numpy.typing import NDArray

import tesuji._core.search


class GroupMasks:
    """Which individuals belong to which group; counts genotypes by group."""

    def __init__(self, labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], num_groups: int) -> None:
        """A group for each individual, or -1."""

    def count(self, rows: numpy.typing.NDArray[numpy.uint8]) -> numpy.typing.NDArray[numpy.int32]:
        """
        [row, group, c]: individuals with c = 0, 1, 2 copies of A1, and (3) missing.
        """

def squared_correlations(rows: numpy.typing.NDArray[numpy.uint8], num_samples: int, first: numpy.typing.NDArray[numpy.uint32], second: numpy.typing.NDArray[numpy.uint32]) -> numpy.typing.NDArray[numpy.float64]:
    """r^2 of pairs of rows, over the individuals for whom both are known."""

class Objective(enum.Enum):
    NUM_RIGHT = 0

    BALANCED = 1

    EXPECTED = 2

    LOG_LOSS = 3

class Classifier:
    """How well SNPs classify, over fixed draws; see tesuji.genetics."""

    def value(self, model: Sequence[int]) -> float:
        """By the objective; more is better."""

    def values_by_draw(self, model: Sequence[int]) -> list[float]: ...

    def use_vectors(self, wanted: bool) -> None:
        """Off: the code that runs on any processor."""

    @property
    def uses_vectors(self) -> bool: ...

    @property
    def num_snps(self) -> int: ...

def make_classifier(rows: numpy.typing.NDArray[numpy.uint8], labels: numpy.typing.NDArray[numpy.int32], num_groups: int, draws: Sequence[tuple[numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.uint32]]], pseudocount: float, unclassified: float, objective: Objective, temperature: float = 1.0) -> Classifier: ...

class BestPanel:
    """A finished panel, its value, and when it was found."""

    @property
    def value(self) -> float: ...

    @property
    def snps(self) -> list[int]:
        """Candidates, ascending."""

    @property
    def seconds(self) -> float: ...

class Problem:
    """A panel to be found."""

    def __init__(self, classifier: Classifier, panel_size: int, included: Sequence[int], first: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], second: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], priors: Sequence[float]) -> None:
        """first[i] and second[i] may not be in one panel."""

    def narrowed(self, included: Sequence[int], pool: Sequence[int], priors: Sequence[float]) -> Problem:
        """
        The same with more SNPs included and fewer to choose from, the most promising first; nothing is found yet.
        """

    def value(self, model: Sequence[int]) -> float: ...

    def additions(self, model: Sequence[int], num_threads: int = 1) -> numpy.typing.NDArray[numpy.float64]:
        """
        The value of each candidate added to a model; NaN for those that may not be added.
        """

    def offer(self, model: Sequence[int]) -> float:
        """Judges a model, and keeps it if it is a panel among the best."""

    def best(self) -> list[BestPanel]:
        """The best panels, best first."""

    def improvements(self) -> list[BestPanel]: ...

    @property
    def num_evaluated(self) -> int: ...

    @property
    def seconds(self) -> float: ...

class PartialModel:
    """A model's log-likelihoods, kept so that SNPs can be added."""

    def __init__(self, problem: Problem) -> None: ...

    def add(self, snp: int) -> None: ...

    def add_and_drop(self, snp: int, repeats: int) -> None:
        """Adds a SNP so often, and forgets it: for measurements."""

    def value_with(self, snp: int, repeats: int = 1) -> float: ...

class Order(enum.Enum):
    INCREASING = 0

    ANY = 1

class TreeSearch:
    """Monte-Carlo tree search for a panel."""

    def __init__(self, problem: Problem, order: Order, look: int, config: tesuji._core.search.SearchConfig, seed: int) -> None: ...

    def run(self, simulations: int, seconds: float, progress: Callable[[], bool] | None = None, report_s: float = 0.2) -> None: ...

    def stop(self) -> None: ...

    def found(self) -> tesuji._core.search.Found: ...

    def num_walks_to(self, depth: int) -> int: ...

    def keep_most_visited(self, depth: int, width: int) -> None: ...

    def result(self) -> tesuji._core.search.SearchResult: ...

class QueueSearch:
    """Greedy queued search for a panel."""

    def __init__(self, problem: Problem, slopes: Sequence[float], max_models: int) -> None: ...

    def run(self, evaluations: int, seconds: float, num_threads: int, progress: Callable[[], bool] | None = None, report_s: float = 0.2) -> None: ...

    @property
    def is_exhausted(self) -> bool: ...

    @property
    def slopes(self) -> list[float]: ...
