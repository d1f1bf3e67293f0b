"""Players that have learnt the opening of Go by temporal differences (Huang, Connell and McQuade 2003).

What they see of a board, the games they learn from, and what they tell the search. The learning itself is
`tesuji.learning.td`'s, the same for every game.
"""

from tesuji.go.opening.features import FEATURE_SETS, FeatureSet
from tesuji.go.opening.player import OpeningPlayer
from tesuji.go.opening.task import Expert, OpeningTask, PlayoutExpert

__all__ = ["FEATURE_SETS", "Expert", "FeatureSet", "OpeningPlayer", "OpeningTask", "PlayoutExpert"]
