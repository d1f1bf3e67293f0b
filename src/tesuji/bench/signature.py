"""The signature: a hash over fixed searches that says whether behaviour has changed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

__all__ = ["signature"]


def signature() -> str:
    """Return sixteen hex digits that change when, and only when, fixed searches and playouts turn out differently.

    It covers what a game depends on: the rules' legal moves, random playouts, and the visits and main lines of searches
    from empty boards and from positions in mid-game; of the native games with every kind of selection, AMAF, widening
    and graph. Only whole numbers are hashed, so every machine gets the same.
    """
    digest = hashlib.blake2b(digest_size=8)

    def add(*numbers: int) -> None:
        digest.update(",".join(map(str, numbers)).encode() + b";")

    _add_go(add)
    _add_native_games(add)
    return digest.hexdigest()


def _add_native_games(add: Callable[..., None]) -> None:
    from tesuji.games import Breakthrough, Connect4, Gomoku, Havannah, Hex, Othello, TicTacToe, Y
    from tesuji.search import (
        BAST,
        RAVE,
        UCB1,
        EpsilonGreedy,
        MinimumMSE,
        Search,
        SearchConfig,
        UCB1Tuned,
        Widening,
    )

    configs = (
        SearchConfig(),
        SearchConfig(selection=UCB1Tuned(), maturity=3, expansion="all-children"),
        SearchConfig(selection=EpsilonGreedy(), first_play_urgency=0.6, expansion="whole-path"),
        SearchConfig(selection=BAST(), solver=True),
        SearchConfig(selection=UCB1(c=0.3), graph="dag"),
        SearchConfig(selection=UCB1(c=0.0), amaf=RAVE(c=0.3), widening=Widening()),
        SearchConfig(amaf=MinimumMSE(), graph="dag", solver=True),
    )
    games = (TicTacToe(), Connect4(), Othello(), Breakthrough(), Gomoku(7), Hex(7), Y(7), Havannah(4))
    for game in games:
        for config in configs:
            found = Search(game, config).run(simulations=1_000, seed=5)
            add(found.best_move, *found.visits.tolist(), *found.proofs.tolist(), *found.main_line)


def _add_go(add: Callable[..., None]) -> None:
    from tesuji.go import Board, Engine, EngineConfig, play_randomly, playout_margins

    for width, height in ((1, 1), (5, 5), (9, 9), (7, 12), (13, 13), (19, 19), (25, 25)):
        board = Board(width, height)
        add(width, height, *playout_margins(board, 50, seed=width).tolist())
        played = board.copy()
        play_randomly(played, height)
        add(*(number for color, move in played.moves for number in (int(color), move)))
        while board.num_moves < min(width * height // 3, played.num_moves):
            board.play(played.moves[board.num_moves][1])
        add(*board.legal_moves().tolist(), *playout_margins(board, 50, seed=height).tolist())
        for start in (Board(width, height), board):
            analysis = Engine(EngineConfig(seed=5)).analyse(start, simulations=2_000)
            add(*(number for candidate in analysis.moves for number in (candidate.visits, *candidate.pv)))
