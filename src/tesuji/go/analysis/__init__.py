"""KataGo's JSON analysis protocol, spoken by our engine: ``tesuji analysis``."""

from tesuji.go.analysis.errors import QueryError
from tesuji.go.analysis.query import Query, QueryReader
from tesuji.go.analysis.server import AnalysisServer
from tesuji.go.analysis.settings import Perspective, Settings

__all__ = ["AnalysisServer", "Perspective", "Query", "QueryError", "QueryReader", "Settings"]
