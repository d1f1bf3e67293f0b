"""The engine: what `genmove` plays with the win rate behind it, what it keeps between moves, how it is stopped."""

from __future__ import annotations

import threading
import time

import msgspec
import pytest
from msgspec.structs import replace

from patience import wait_for_visits
from tesuji.go import Board, Color, Engine, EngineConfig
from tesuji.go.engine import Analysis
from tesuji.go.engine.clock import Absolute, ByoYomi, Canadian, Clock, Fischer
from tesuji.go.engine.presets import ENGINE_PRESETS, engine_preset
from tesuji.search import RAVE, SearchConfig


def test_choose__is_what_genmove_plays_with_its_win_rate() -> None:
    engine, board = Engine(EngineConfig(simulations=200, seed=3, resign_below=0)), Board(9)
    choice = engine.choose(board)
    assert choice.move == engine.genmove(board)
    assert choice.winrate is not None
    assert 0 < choice.winrate < 1
    assert board.num_moves == 0


def test_choose__a_pass_that_wins_needs_no_search() -> None:
    board = Board.from_text(
        """
        . X X O .
        X X X O O
        . X X O .
        X X X O O
        X X X O .
        """,
        komi=0.5,
        to_play=Color.WHITE,
    )
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
    choice = Engine(EngineConfig(simulations=150, seed=1, resign_below=0.5)).choose(board)
    assert choice.move == "resign"
    assert choice.winrate is not None
    assert choice.winrate < 0.5


def test_choose__a_few_lost_simulations_are_no_reason_to_resign() -> None:
    engine = Engine(EngineConfig(simulations=20, seed=1, resign_below=1.0))
    assert engine.choose(Board(5)).move != "resign"


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
    config = EngineConfig(simulations=200, seed=1, keeps_graph=False)
    engine, board = Engine(config), Board(5)
    choices = {engine.choose(board).winrate for _ in range(3)}
    assert len(choices) == 1
    board.play("C3")
    assert visits_after(engine, board) == 200
    board.play("C4")
    assert visits_after(engine, board) == 200


def test_choose__after_pondering_at_the_same_position_it_goes_on() -> None:
    engine, board = Engine(EngineConfig(simulations=100, seed=1)), Board(5)
    engine.ponder(board)
    assert engine._pondering is not None
    wait_for_visits(engine._pondering._search, 300)
    assert visits_after(engine, board) > 100
    assert visits_after(engine, board) == 100  # it has answered: asked again, it begins anew


def test_choose__after_pondering_and_an_expected_move_it_goes_on() -> None:
    engine, board = Engine(EngineConfig(simulations=100, seed=1)), Board(5)
    engine.ponder(board)
    assert engine._pondering is not None
    wait_for_visits(engine._pondering._search, 300)
    engine.stop_pondering()
    assert engine._kept is not None
    board.play(engine._kept.search.result().best_move)
    assert visits_after(engine, board) > 100


# What ends a search ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "clock",
    [Absolute(0.0), Absolute(-5.0), Canadian(0.0, 1.0, 5, 5), ByoYomi(0.0, 1.0, 1, 1), Fischer(0.0, 0.0)],
    ids=str,
)
@pytest.mark.timeout(60)
def test_choose__a_clock_that_has_run_out_still_gets_a_legal_move(clock: Clock) -> None:
    board = Board(19)
    move = Engine(EngineConfig(simulations=None, seconds=3600.0, resign_below=0)).genmove(board, clock=clock)
    assert isinstance(move, int)
    assert board.is_legal(move)


def test_choose__a_clock_and_seconds_hold_both() -> None:
    """Time is the behaviour here: the bounds are wide."""
    for seconds, clock in ((0.05, Absolute(3600.0)), (3600.0, ByoYomi(0.1, 0.1, 1, 1))):
        engine, began_s = Engine(EngineConfig(simulations=None, seconds=seconds)), time.perf_counter()
        engine.genmove(Board(9), clock=clock)
        assert time.perf_counter() - began_s < 20


def test_choose__a_limit_of_simulations_holds_with_a_clock() -> None:
    engine = Engine(EngineConfig(simulations=50, seed=1, stops_early=False))
    engine.genmove(Board(9), clock=Absolute(36_000.0))
    assert engine._kept is not None
    assert engine._kept.search.result().visits.sum() == 50


@pytest.mark.timeout(60)
def test_stop__lets_genmove_answer_now() -> None:
    engine, board = Engine(EngineConfig(simulations=None, seconds=3600.0, resign_below=0)), Board(9)
    timer = threading.Timer(0.2, engine.stop)
    timer.start()
    assert board.is_legal(engine.choose(board).move)
    timer.join()
    engine.stop()  # nothing to stop: nothing happens


# Positions without a choice -------------------------------------------------------------------------------------------


def test_choose__without_a_legal_point_it_passes() -> None:
    board = Board(1)
    assert Engine(EngineConfig(simulations=10)).genmove(board) == board.pass_move
    full = Board.from_text(
        """
        X X X
        X . X
        . X X
        """,
        to_play=Color.WHITE,
    )
    assert Engine(EngineConfig(simulations=10)).genmove(full) == full.pass_move


def test_choose__after_the_end_it_passes() -> None:
    board = Board(5)
    board.play("pass")
    board.play("pass")
    for color in (Color.BLACK, Color.WHITE):
        assert Engine(EngineConfig(simulations=10)).genmove(board, color) == board.pass_move


# The config -----------------------------------------------------------------------------------------------------------


def test_config__a_new_one_forgets_what_was_searched() -> None:
    engine, board = Engine(EngineConfig(simulations=300, seed=1)), Board(5)
    visits_after(engine, board)
    assert engine._kept is not None
    for move in engine._kept.search.result().main_line[:2]:
        board.play(move)
    engine.config = msgspec.structs.replace(engine.config, simulations=200)
    assert visits_after(engine, board) == 200


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"simulations": None}, "the engine needs a limit; give simulations or seconds"),
        ({"simulations": 0}, "simulations is 0; it must lie in 1"),
        ({"seconds": float("nan")}, "seconds is nan; it must be above 0 and finite"),
        ({"seconds": float("inf")}, "seconds is inf; it must be above 0 and finite"),
        ({"lag_s": -1.0}, "lag_s is -1.0; it must be 0 or more seconds"),
        ({"ponders": True, "keeps_graph": False}, "ponders is on and keeps_graph is off"),
        ({"dynamic_komi": "wild"}, "dynamic_komi is 'wild'; choose from off, linear, adaptive"),
        ({"resign_below": 2.0}, "resign_below is 2.0; it must lie in 0..1"),
        ({"seed": -1}, "seed is -1; it must lie in"),
    ],
)
def test_config__names_the_value_and_the_rule(fields: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        msgspec.structs.replace(EngineConfig(), **fields)


def test_presets__an_unknown_one_lists_those_that_exist() -> None:
    with pytest.raises(ValueError, match=r"there is no preset 'quick'; choose from default, fast, uct, uct-rave"):
        engine_preset("quick")


@pytest.mark.parametrize("size", [9, 13, 19])
def test_presets__fast_is_bounded_in_simulations_and_seconds(size: int) -> None:
    config = ENGINE_PRESETS["fast"]
    assert config.seconds == 0.1
    engine, board = Engine(config), Board(size)
    engine.genmove(board)
    assert engine._kept is not None
    assert 0 < engine._kept.search.result().visits.sum() <= 1000


def test_choose__watching_changes_nothing_but_adds_an_analysis() -> None:
    board, config = Board(9), EngineConfig(simulations=3000, seed=5)
    plain = Engine(config).choose(board)
    seen: list[Analysis] = []
    watched = Engine(config).choose(board, on_progress=seen.append, report_s=0.01)
    assert plain.analysis is None
    assert watched.analysis is not None
    assert replace(watched, analysis=None) == plain
    assert (plain.simulations, plain.line[0]) == (3000, plain.move)
    assert watched.analysis.simulations == 3000
    assert watched.analysis.moves[0].move == plain.move
    counts = [analysis.simulations for analysis in seen]
    assert counts == sorted(counts)
    assert counts[-1] <= 3000


def test_choose__ends_when_the_watcher_has_enough() -> None:
    choice = Engine(EngineConfig(simulations=None, seconds=600.0, seed=1)).choose(
        Board(9), on_progress=lambda _: False, report_s=0.01
    )
    assert choice.analysis is not None
    assert choice.analysis.simulations > 0


def test_choose__ownership_is_that_of_the_position_also_where_the_graph_was_kept() -> None:
    """The graph is kept from the empty board on; owners counted there would blur those of the end."""
    engine = Engine(EngineConfig(simulations=400, seed=1))
    board = Board(5, komi=0.5)
    for move in ("C3", "B2", "C2", "B3", "C4", "B4", "C5", "B5", "C1"):
        engine.choose(board)
        board.play(move)
    choice = engine.choose(board, on_progress=lambda _: None)
    assert choice.analysis is not None
    owners = choice.analysis.ownership
    assert owners[:, 3:].mean() > 0.7
    # Seeds 1 to 8 give -0.38 to -0.88, and 0.32 to 0.43 if the owners are those of the empty board on.
    assert owners[:, :2].mean() < -0.2
