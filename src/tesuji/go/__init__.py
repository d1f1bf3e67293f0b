"""The game of Go.

>>> from tesuji.go import Board
>>> board = Board(9)
>>> board.play("E5")
>>> board.score().margin
73.5
"""

from tesuji.go.engine import Analysis, Candidate, Choice, Engine, EngineConfig
from tesuji.go.knowledge.life import (
    chain_status,
    dead_stones,
    final_score,
    ownership,
    pass_alive,
    play_randomly,
    playout_margins,
)
from tesuji.go.rules import AGA, CHINESE, JAPANESE, NEW_ZEALAND, RULE_SETS, TROMP_TAYLOR, Rules, rules_named
from tesuji.go.rules.board import Board, Color, IllegalMove, Position
from tesuji.go.rules.score import Score

__all__ = [
    "AGA",
    "CHINESE",
    "JAPANESE",
    "NEW_ZEALAND",
    "RULE_SETS",
    "TROMP_TAYLOR",
    "Analysis",
    "Board",
    "Candidate",
    "Choice",
    "Color",
    "Engine",
    "EngineConfig",
    "IllegalMove",
    "Position",
    "Rules",
    "Score",
    "chain_status",
    "dead_stones",
    "final_score",
    "ownership",
    "pass_alive",
    "play_randomly",
    "playout_margins",
    "rules_named",
]
