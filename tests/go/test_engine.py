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


def visits_after(engine: Engine, board: Board) -> int:
    """How many visits the root of the engine's last search has, after it chose a move."""
    engine.choose(board)
    assert engine._kept is not None
    return int(engine._kept.search.result().visits.sum())


def test_choose__keeps_what_it_knew_after_both_have_moved() -> None:
    engine, board = Engine(EngineConfig(simulations=300, seed=1)), Board(5)
    assert visits_after(engine, board) == 300
    assert engine._kept is not None
    for move in engine._kept.search.result().main_line[:2]:  # as expected, so the graph knows the position
        board.play(move)
    assert visits_after(engine, board) > 300


def test_choose__begins_anew_where_the_game_is_another() -> None:
    engine = Engine(EngineConfig(simulations=300, seed=1))
    first = Board(5)
    first.play("C3")
    others = [Board(5), Board(5, komi=0.5), Board(7), Board(5, rules="japanese")]
    for other in others:
        visits_after(engine, first)
        assert visits_after(engine, other) == 300
    assert visits_after(engine, others[-1]) == 300  # the same position again is no later one


def test_choose__without_keeping_repeats_its_move() -> None:
    engine, board = Engine(EngineConfig(simulations=200, seed=1, keeps_graph=False)), Board(5)
    choices = {engine.choose(board).winrate for _ in range(3)}
    assert len(choices) == 1
    board.play("C3")
    assert visits_after(engine, board) == 200
    board.play("C4")
    assert visits_after(engine, board) == 200
