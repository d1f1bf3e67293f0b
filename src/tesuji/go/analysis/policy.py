"""What the engine thinks of all moves before it searches, as a distribution: KataGo's ``policy`` and ``prior``.

Where the engine has a network, the numbers are the network's. Otherwise they are those of the Bradley-Terry model of
`tesuji.go.knowledge.priors`: the chance, as fitted to recorded games, that a strong player chooses the move. The search
itself uses them in another form, so a move's `prior` is not its share of the visits. An engine without priors holds all
legal moves for equally likely.
"""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.go.engine import EngineConfig
from tesuji.go.knowledge.network import GoNetwork
from tesuji.go.knowledge.priors import PriorWeights, priors
from tesuji.go.rules.board import Board
from tesuji.learning.network.model import Judgements

__all__ = ["judged_by_network", "policy"]

ILLEGAL = -1.0


def policy(board: Board, config: EngineConfig, judged: Judgements | None = None) -> NDArray[np.float64]:
    """The chance of every move of the side to move.

    Parameters
    ----------
    board : Board
        Left unchanged.
    config : EngineConfig
        Of the engine.
    judged : Judgements, optional
        What `judged_by_network` said of the board, where that is known already.

    Returns
    -------
    float64 array of shape (num_points + 1,)
        Points in order, then pass; legal moves sum to 1, illegal ones have -1.
    """
    chances = np.full(board.num_points + 1, ILLEGAL)
    if judged is None:
        judged = judged_by_network(board, config)
    if judged is not None:
        moves = board.legal_moves(board.color_to_play)
        shares = judged.shares[0].astype(np.float64)[moves]
        chances[moves] = shares / shares.sum()
        return chances
    if config.priors is None:
        moves = board.legal_moves(board.color_to_play)
        chances[moves] = 1.0 / len(moves)
        return chances
    moves, strengths = priors(board, _as_strengths(config.priors))
    total = float(strengths.sum(dtype=np.float64))
    chances[moves] = strengths / total if total > 0 else 1.0 / len(moves)
    return chances


def judged_by_network(board: Board, config: EngineConfig) -> Judgements | None:
    """What the engine's network says of a position, for the side to move; None where the engine does without."""
    name = config.playable().network
    return GoNetwork.load(name).judge(board) if name is not None and GoNetwork.knows(board) else None


def _as_strengths(weights: PriorWeights) -> PriorWeights:
    """Weights with which a prior is a move's strength as a share of the best one's, with nothing done to it."""
    return msgspec.structs.replace(weights, roots=0, floor=0.0)
