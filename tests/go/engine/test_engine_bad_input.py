"""Bad input to the engine as a whole: a clear error or a legal move, never a crash.

What `PlayoutPolicy`, `PriorWeights` and the reader of patterns refuse is asked in `test_playout_policies.py`,
`test_priors.py` and `test_patterns.py`; here an engine is made of it.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from tesuji.go import RULE_SETS, Board, Color, Rules, chain_status, final_score
from tesuji.go.engine import Engine, EngineConfig
from tesuji.go.engine.presets import ENGINE_PRESETS, engine_preset
from tesuji.go.knowledge.playouts import DEFAULT, MOGO, POLICIES, UNIFORM, PlayoutPolicy, run_playouts

BLACK, WHITE = Color.BLACK, Color.WHITE
SMALL = [(1, 1), (1, 2), (2, 1), (2, 2), (1, 3), (3, 2), (3, 3), (1, 9), (9, 1), (2, 25)]


def quick(config: EngineConfig) -> Engine:
    return Engine(replace(config, simulations=30, seconds=None, seed=1, resign_below=0.0))


def play_game(engine: Engine, board: Board) -> None:
    """Plays to two passes, at most 60 moves; `Board.play` refuses what is illegal."""
    while not board.is_over and board.num_moves < 60:
        board.play(engine.genmove(board))  # type: ignore[arg-type]


# Boards too small for a pattern ----


@pytest.mark.parametrize("preset", ENGINE_PRESETS)
@pytest.mark.parametrize("size", SMALL, ids=lambda size: f"{size[0]}x{size[1]}")
def test_genmove__every_preset_plays_legal_games_on_boards_smaller_than_a_pattern(
    preset: str, size: tuple[int, int]
) -> None:
    board = Board(*size)
    play_game(quick(ENGINE_PRESETS[preset]), board)
    assert board.num_moves >= 2


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
@pytest.mark.parametrize("size", [(1, 1), (1, 4), (2, 2), (3, 3)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_genmove__plays_legal_games_on_tiny_boards_under_every_rule_set(rules: Rules, size: tuple[int, int]) -> None:
    board = Board(*size, rules=rules)
    play_game(quick(EngineConfig()), board)
    assert board.num_moves >= 2


@pytest.mark.parametrize("size", SMALL, ids=lambda size: f"{size[0]}x{size[1]}")
def test_final_score__of_a_board_without_stones_is_the_komi(size: tuple[int, int]) -> None:
    board = Board(*size, komi=0.5)
    assert chain_status(board) == {}
    assert str(final_score(board)) == "W+0.5"


# Positions without a move ----

NO_MOVE_FOR_WHITE = """
    . X .
    X X X
    . X .
    """


@pytest.mark.parametrize("preset", ENGINE_PRESETS)
def test_genmove__a_side_without_a_legal_move_passes(preset: str) -> None:
    board = Board.from_text(NO_MOVE_FOR_WHITE, to_play=WHITE)
    assert board.legal_moves().tolist() == [board.pass_move]
    assert quick(ENGINE_PRESETS[preset]).genmove(board) == board.pass_move


def test_analyse__a_side_without_a_legal_move_has_only_the_pass() -> None:
    board = Board.from_text(NO_MOVE_FOR_WHITE, to_play=WHITE)
    analysis = quick(EngineConfig()).analyse(board)
    assert [candidate.move for candidate in analysis.moves] == [board.pass_move]
    assert analysis.ownership.min() > 0.9


# Policies and pattern files ----


def test_genmove__a_malformed_pattern_file_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("# one line too short\nXOX\n...\n??\n")
    with pytest.raises(ValueError, match=r"mine\.txt, line 4: it has 2 signs; a line has three"):
        quick(EngineConfig(playouts=replace(DEFAULT, patterns=str(file)))).genmove(Board(5))


@pytest.mark.parametrize(
    "policy",
    [UNIFORM, PlayoutPolicy(rules=(), self_atari="never"), PlayoutPolicy(rules=(("pattern", 0.0),))],
    ids=["uniform", "no rules but a refusal", "a rule that never acts"],
)
def test_genmove__a_policy_without_rules_plays_legal_games(policy: PlayoutPolicy) -> None:
    board = Board(5)
    play_game(quick(EngineConfig(playouts=policy)), board)
    assert board.num_moves > 10


def test_preset__one_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(ValueError, match=r"there is no preset 'strongest'; choose from default, "):
        engine_preset("strongest")


# Mercy ----

# Black lives with two eyes; white has one stone that cannot.
HOPELESS_FOR_WHITE = """
    . X . X . . .
    X X X X . . .
    . X . X . O .
    X X X X X . .
    . X . X . X X
    X X X X X X .
    . X . X . X X
    """


@pytest.mark.parametrize("name", POLICIES)
def test_mercy__a_hopeless_position_is_lost_all_the_same_and_sooner(name: str) -> None:
    board = Board.from_text(HOPELESS_FOR_WHITE, to_play=WHITE)
    whole, all_moves = run_playouts(board, POLICIES[name], 50, seed=1)
    stopped, fewer_moves = run_playouts(board, replace(POLICIES[name], mercy=0.3), 50, seed=1)
    assert (np.sign(whole) == 1).all()
    assert (np.sign(stopped) == 1).all()
    assert sum(fewer_moves.values()) < sum(all_moves.values())


def test_mercy__the_engine_finds_the_same_winner() -> None:
    board = Board.from_text(HOPELESS_FOR_WHITE, to_play=BLACK)
    merciful = quick(EngineConfig(playouts=replace(MOGO, mercy=0.3))).analyse(board)
    patient = quick(EngineConfig(playouts=MOGO)).analyse(board)
    assert merciful.winrate > 0.9
    assert patient.winrate > 0.9
