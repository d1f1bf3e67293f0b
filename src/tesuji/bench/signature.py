"""The signature: a hash over fixed searches that says whether behaviour has changed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

__all__ = ["signature"]


def signature() -> str:
    """Return sixteen hex digits that change when, and only when, fixed searches and playouts turn out differently.

    It covers what a game depends on: the rules' legal moves, random playouts, and the visits and main lines of searches
    from empty boards and from positions in mid-game; of the native games with every kind of selection, AMAF, widening
    and graph; of Go with every kind of prior and with groups; of problems for one player. Only whole
    numbers are hashed, so every machine gets the same.
    """
    digest = hashlib.blake2b(digest_size=8)

    def add(*numbers: int) -> None:
        digest.update(",".join(map(str, numbers)).encode() + b";")

    _add_go(add)
    _add_native_games(add)
    _add_graph_modes(add)
    _add_priors_and_groups(add)
    _add_problems(add)
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


def _add_graph_modes(add: Callable[..., None]) -> None:
    """What equal states share, in games with many transpositions."""
    from typing import get_args

    from tesuji.games import Connect4, Hex
    from tesuji.search import Search, SearchConfig
    from tesuji.search.config import GraphMode

    for mode in get_args(GraphMode):
        for game in (Connect4(), Hex(5)):
            search = Search(game, SearchConfig(graph=mode, table_entries=500))
            found = search.run(simulations=1_000, seed=5)
            search.advance(found.best_move)  # what is kept between moves is part of it
            after = search.run(simulations=500)
            add(found.best_move, *found.visits.tolist(), *after.visits.tolist(), *after.main_line)


def _add_priors_and_groups(add: Callable[..., None]) -> None:
    from tesuji.go import Board, EngineConfig
    from tesuji.go.engine.presets import engine_preset
    from tesuji.search import PUCT, HorizonPrior, ProgressiveBias, Search, SearchConfig, VirtualVisits

    board = Board(7)
    for move in ("D4", "D5", "E4", "C4"):
        board.play(move)
    game = EngineConfig().game_at(board)
    for config in (
        SearchConfig(selection=PUCT(), prior=HorizonPrior()),
        SearchConfig(prior=ProgressiveBias()),
        SearchConfig(prior=VirtualVisits(visits=10.0), width=8, width_walks=50),
    ):
        found = Search(game, config).run(simulations=500, seed=5)
        add(found.best_move, *found.visits.tolist(), *found.main_line)
    for preset in ("man-group", "james-group"):
        found = engine_preset(preset).search_at(board).run(simulations=500, seed=5)
        add(found.best_move, *found.visits.tolist(), *(group.visits for group in found.groups))


def _add_problems(add: Callable[..., None]) -> None:
    from tesuji.games import TSP, Knapsack, SameGame
    from tesuji.search import Beam, Nested, OnePlayer, Plain, Restarts, SearchConfig, solve
    from tesuji.search.strategies import Strategy

    revisits = [SearchConfig(one_player=OnePlayer(revisit=revisit)) for revisit in ("close", "penalty", "allow")]
    strategies: tuple[Strategy, ...] = (*(Plain(config=config) for config in revisits), Nested(), Beam(), Restarts())
    for problem in (SameGame.random(5, 5, 3, seed=5), TSP.random(8, seed=5), Knapsack.random(12, seed=5)):
        for strategy in strategies:
            best = solve(problem, strategy=strategy, simulations=1_000, seed=5).best_solution
            add(*(best.moves if best else ()))


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
