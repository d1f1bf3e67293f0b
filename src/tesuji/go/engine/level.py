"""The engine at a level: which of the moves that it thought of a weak opponent plays.

A short search looks at one move or two, the ones that it likes at first sight. Somebody who thinks briefly chooses by
first sight as well: the strength of a move by its features (`tesuji.go.knowledge.priors`), as a share of the best,
counts as that share of eight visits more. Moves below a fiftieth of the best are those that nobody would think of.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Literal

from tesuji.go.engine.config import EngineConfig
from tesuji.go.engine.engine import Choice
from tesuji.go.engine.standard import NETWORK_COST, standard_config
from tesuji.go.knowledge.priors import PriorWeights, priors
from tesuji.go.rules.board import Board
from tesuji.search.levels import Level, drawn_move

__all__ = ["config_at_level", "move_at_level"]

_AT_FIRST_SIGHT = 8.0  # visits of the move that looks best
_LEAST_SHARE = 0.02
_SHARES = PriorWeights(roots=0)


def config_at_level(level: Level, on_missing: Callable[[str], None] | None = None) -> EngineConfig:
    """How the engine thinks at a level.

    The levels without a temperature have the network where it can be run, and simulations that take the same time;
    those that are there to be beaten do without. `on_missing` is as for `standard_config`.
    """
    config = EngineConfig() if level.temperature else standard_config(on_missing=on_missing)
    cost = 1 if config.network is None else NETWORK_COST
    return config.replace(simulations=level.simulations // cost)


def move_at_level(choice: Choice, board: Board, level: Level, rng: random.Random) -> int | Literal["resign"]:
    """What a level plays: the engine's choice, or at a weak level a point that it thought of.

    Parameters
    ----------
    choice : Choice
        With its analysis: of an `Engine.choose` that was watched (`on_progress`).
    board : Board
        Where it was made. A pass and a resignation stand at every level.
    level : Level
        How strong.
    rng : random.Random
        Draws.
    """
    if not level.temperature or choice.move in ("resign", board.pass_move) or choice.analysis is None:
        return choice.move
    moves, shares = priors(board, _SHARES)
    thought_of = {
        int(move): _AT_FIRST_SIGHT * float(share)
        for move, share in zip(moves, shares, strict=True)
        if share >= _LEAST_SHARE and move != board.pass_move
    }
    for one in choice.analysis.moves:
        if one.move != board.pass_move:
            thought_of[one.move] = thought_of.get(one.move, 0.0) + one.visits
    if not thought_of:
        return choice.move
    return drawn_move(list(thought_of), list(thought_of.values()), level.temperature, rng)
