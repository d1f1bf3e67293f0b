"""Monte-Carlo tree search: `Search`, its `SearchConfig`, its `SearchResult`."""

from tesuji.search.config import (
    BAST,
    PUCT,
    RAVE,
    UCB1,
    EpsilonGreedy,
    Evaluation,
    HorizonPrior,
    MinimumMSE,
    ProgressiveBias,
    SearchConfig,
    UCB1Tuned,
    VirtualVisits,
    Widening,
)
from tesuji.search.evaluator import Evaluator, LeafBatch
from tesuji.search.result import SearchResult
from tesuji.search.searcher import Search, Statistics

__all__ = [
    "BAST",
    "PUCT",
    "RAVE",
    "UCB1",
    "EpsilonGreedy",
    "Evaluation",
    "Evaluator",
    "HorizonPrior",
    "LeafBatch",
    "MinimumMSE",
    "ProgressiveBias",
    "Search",
    "SearchConfig",
    "SearchResult",
    "Statistics",
    "UCB1Tuned",
    "VirtualVisits",
    "Widening",
]
