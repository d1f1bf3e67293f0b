"""What may be played and what it is worth: boards, points, rule sets, scores, life and death."""

from tesuji.go.rules.ruleset import (
    AGA,
    CHINESE,
    JAPANESE,
    NEW_ZEALAND,
    RULE_SETS,
    TROMP_TAYLOR,
    Rules,
    checked_komi,
    max_fixed_handicap,
    rules_named,
)

__all__ = [
    "AGA",
    "CHINESE",
    "JAPANESE",
    "NEW_ZEALAND",
    "RULE_SETS",
    "TROMP_TAYLOR",
    "Rules",
    "checked_komi",
    "max_fixed_handicap",
    "rules_named",
]
