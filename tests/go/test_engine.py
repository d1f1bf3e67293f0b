"""The engine's choice: what `genmove` plays, with the win rate behind it."""

from __future__ import annotations

from tesuji.go import Board, Color, Engine, EngineConfig
from tesuji.search import RAVE, SearchConfig


def test_choose__is_what_genmove_plays_with_its_win_rate() -> None:
    engine, board = Engine(EngineConfig(simulations=200, seed=3, resign_below=0)), Board(9)
    choice = engine.choose(board)
    assert choice.move == engine.genmove(board)
    assert choice.winrate is not None
    assert 0 < choice.winrate < 1
    assert board.num_moves == 0


def test_choose__a_pass_that_wins_needs_no_search() -> None:
    board = Board(9)
    board.play("E5")
    board.play("pass")
    choice = Engine(EngineConfig(simulations=10)).choose(board)
    assert (choice.move, choice.winrate) == (board.pass_move, None)


def test_choose__resigns_below_the_limit_and_says_how_bad_it_is() -> None:
    board = Board.from_text(
        """
        X X X X X
        X X X X X
        . X . X .
        X X X X X
        O . . . .
        """,
        to_play=Color.WHITE,
    )
    choice = Engine(EngineConfig(simulations=50, seed=1, resign_below=0.5)).choose(board)
    assert choice.move == "resign"
    assert choice.winrate is not None
    assert choice.winrate < 0.5


def test_choose__asks_the_config_for_the_final_move() -> None:
    """With few simulations the best mean and the most visits are different moves in some position of these."""
    choices = [
        [
            Engine(EngineConfig(simulations=200, seed=seed, resign_below=0, search=search)).choose(Board(7)).move
            for seed in range(20)
        ]
        for search in (SearchConfig(amaf=RAVE()), SearchConfig(amaf=RAVE(), final_move="best-value"))
    ]
    assert choices[0] != choices[1]
