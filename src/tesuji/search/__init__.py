"""Monte-Carlo tree search: `Search`, its `SearchConfig`, its `SearchResult`; `solve` for one player."""

from tesuji.search.config import (
    BAST,
    PUCT,
    RAVE,
    UCB1,
    EpsilonGreedy,
    Evaluation,
    HorizonPrior,
    MinimumMSE,
    OnePlayer,
    ProgressiveBias,
    SearchConfig,
    UCB1Tuned,
    VirtualVisits,
    Widening,
)
from tesuji.search.evaluator import Evaluator, LeafBatch
from tesuji.search.files.graph_file import GraphFileError
from tesuji.search.files.table_file import SavedTable, TableFileError, load_table
from tesuji.search.groups import Grouping, LearnedBiases, RootGroup
from tesuji.search.opponent import Opponent
from tesuji.search.result import SearchResult
from tesuji.search.searcher import Search, Statistics
from tesuji.search.solution import Improvement, Solution
from tesuji.search.solving import Solved, solve
from tesuji.search.stages import Stages
from tesuji.search.strategies import NRPA, Beam, Nested, Orders, Plain, Restarts

__all__ = [
    "BAST",
    "NRPA",
    "PUCT",
    "RAVE",
    "UCB1",
    "Beam",
    "EpsilonGreedy",
    "Evaluation",
    "Evaluator",
    "GraphFileError",
    "Grouping",
    "HorizonPrior",
    "Improvement",
    "LeafBatch",
    "LearnedBiases",
    "MinimumMSE",
    "Nested",
    "OnePlayer",
    "Opponent",
    "Orders",
    "Plain",
    "ProgressiveBias",
    "Restarts",
    "RootGroup",
    "SavedTable",
    "Search",
    "SearchConfig",
    "SearchResult",
    "Solution",
    "Solved",
    "Stages",
    "Statistics",
    "TableFileError",
    "UCB1Tuned",
    "VirtualVisits",
    "Widening",
    "load_table",
    "solve",
]
