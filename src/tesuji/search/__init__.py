"""Monte-Carlo tree search: `Search`, its `SearchConfig`, its `SearchResult`."""

from tesuji.search.config import (
    BAST,
    PUCT,
    RAVE,
    UCB1,
    EpsilonGreedy,
    HorizonPrior,
    MinimumMSE,
    ProgressiveBias,
    SearchConfig,
    UCB1Tuned,
    VirtualVisits,
    Widening,
)
from tesuji.search.graph_file import GraphFileError
from tesuji.search.result import SearchResult
from tesuji.search.searcher import Search, Statistics

__all__ = [
    "BAST",
    "PUCT",
    "RAVE",
    "UCB1",
    "EpsilonGreedy",
    "GraphFileError",
    "HorizonPrior",
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
