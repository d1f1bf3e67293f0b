"""Basaldúa, figures 3.2 to 3.7, tables 3.3 and 3.4, the curve of 6.1.3: what is made of results; few decide nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from tesuji.experiments.records import GameRecord, Reason
from tesuji.go import Board
from tesuji.go.knowledge.m_eval import read_m_eval, standard_file
from tesuji.go.knowledge.position_key import WHITE
from tesuji.go.masters.database import GameDatabase
from tesuji.go.masters.game import GameInfo, StoredGame
from tesuji.go.masters.quality_sets import quality_set
from tesuji.papers.basaldua_masters import CURVE_6_1_3, FIG_3_5, CurveTask, PatternTask
from tesuji.papers.basaldua_openings import AT_5000, TABLE_3_3, TABLE_3_4, OpeningTask, estimated_margin
from tesuji.papers.basaldua_qualities import FIG_3_2, FIG_3_3, ChunkTask, bootstrapped, level_differences

# Table 3.3 ------------------------------------------------------------------------------------------------------------


def openings(margins: list[float]) -> list[dict[str, object]]:
    return [{"is_black": True, "simulations": 100, "margin": margin} for margin in margins]


def test_table_3_3__a_margin_decides_every_komi() -> None:
    found = TABLE_3_3.render(openings([20.0] * 40 + [6.0] * 40 + [-3.0] * 20))
    assert [row[2] for row in found.rows] == [80, 80, 40, 40, 40]
    assert [claim.verdict for claim in found.claims] == ["reproduced", "reproduced"]


def test_table_3_3__few_openings_leave_it_open() -> None:
    found = TABLE_3_3.render(openings([20.0] * 6))
    assert {claim.verdict for claim in found.claims} == {"open"}
    assert {one.verdict for one in found.comparisons} == {"open"}


def test_table_3_3__an_even_engine_is_not_reproduced() -> None:
    found = TABLE_3_3.render(openings([5.0, -5.0] * 2000))
    assert found.claims[0].verdict == "not reproduced"


def test_table_3_3__small_scales_have_fewer_simulations_and_both_colours() -> None:
    tasks = TABLE_3_3.tasks(0.01, 1)
    assert [task.is_black for task in tasks] == [True, False] * 11
    assert tasks[0].simulations == 2500
    assert len(TABLE_3_3.tasks(1.0, 1)) == 220


@pytest.mark.skipif(shutil.which("gnugo", path="/usr/games:/usr/bin") is None, reason="GNU Go is not installed")
def test_table_3_3__an_opening_is_played_and_judged() -> None:
    row = TABLE_3_3.run_task(OpeningTask(is_black=False, simulations=2, seed=1))
    assert row["is_black"] is False
    assert -361 < row["margin"] < 361
    board = Board(19, komi=7.5)
    for move in ("D4", "D16", "Q4", "pass", "Q16", "pass", "K10", "pass"):
        board.play(move)
    assert estimated_margin(board, 1) > 0


# Table 3.4 ------------------------------------------------------------------------------------------------------------


def played(won: int, games: int) -> list[GameRecord]:
    return [
        GameRecord(
            index=i,
            pair=i // 2,
            first="m-eval",
            second="plain",
            winner="first" if i < won else "second",
            score="B+R",
            reason=next(iter(Reason)),
            first_s=1.0,
            second_s=1.0,
        )
        for i in range(games)
    ]


def test_table_3_4__rows_have_the_sources_simulations() -> None:
    assert [TABLE_3_4[key].spec(1.0, 1).games for key in TABLE_3_4] == [250, 250, 250]
    settings = [str(player) for player in AT_5000.spec(1.0, 1).players]
    assert any("20000" in text for text in settings)
    assert AT_5000.spec(0.01, 1).games == 24
    assert "2000" in str(AT_5000.spec(0.01, 1).players)


def test_table_3_4__many_games_decide_and_few_do_not() -> None:
    assert AT_5000.interpret(played(160, 250)).claims[0].verdict == "reproduced"
    assert AT_5000.interpret(played(100, 250)).claims[0].verdict == "not reproduced"
    assert AT_5000.interpret(played(5, 8)).claims[0].verdict == "open"
    assert AT_5000.interpret([]).claims[0].verdict == "open"


# Games ----------------------------------------------------------------------------------------------------------------


def random_game(seed: int) -> StoredGame:
    rng, board, moves = np.random.default_rng(seed), Board(19), []
    for number in range(64):
        legal = board.legal_moves()
        move = 60 if number == 0 else int(rng.choice(legal[legal != board.pass_move]))
        moves.append(move | (WHITE if number % 2 else 0))
        board.play(move)
    return StoredGame(GameInfo(width=19, height=19), [], [], np.array(moves, np.uint16))


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("games")
    for name, seeds in (("pro", range(20)), ("kgs", range(100, 106))):
        with GameDatabase(folder / f"{name}.db", create=True) as database:
            database.add([random_game(seed) for seed in seeds])
    return folder


def test_data__says_what_to_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TESUJI_GAMES_DATA", raising=False)
    with pytest.raises(ValueError, match="TESUJI_GAMES_DATA is not set"):
        CURVE_6_1_3.run_task(CurveTask(5, 1))
    monkeypatch.setenv("TESUJI_GAMES_DATA", str(tmp_path))
    with pytest.raises(ValueError, match="tesuji masters import pro.db"):
        CURVE_6_1_3.run_task(CurveTask(5, 1))


def test_fig_3_2__measures_and_renders(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TESUJI_GAMES_DATA", str(games))
    rows = [FIG_3_2.run_task(ChunkTask("pro", version, 8, 1)) for version in (1, 2)]
    found = FIG_3_2.render(rows)
    assert len(found.rows) == 15 + 8
    assert {one.verdict for one in found.comparisons} == {"open"}  # eight games
    assert set(found.figures) == {"components"}


def test_fig_3_2__the_share_of_planted_components() -> None:
    rng = np.random.default_rng(1)
    games = rng.normal(size=(400, 2, 1)) @ np.ones((1, 4)) + 0.1 * rng.normal(size=(400, 2, 4))
    found = bootstrapped(games, 1)
    assert found.low < found.value < found.high
    assert found.value == pytest.approx(0.99, abs=0.01)
    assert found.trials == 400


def levels(apart: float, games: int) -> list[dict[str, object]]:
    names = quality_set(1, read_m_eval(standard_file())).names
    rng = np.random.default_rng(3)
    return [
        {"games": level, "measured": (rng.normal(size=(games, 2, 2, len(names))) + shift).tolist()}
        for level, shift in (("kgs", 0.0), ("pro", apart))
    ]


def test_fig_3_3__a_planted_difference_is_found_and_none_is_not() -> None:
    assert all(one.low > 0 for one in level_differences(levels(0.5, 300)).values())
    verdicts = [claim.verdict for claim in FIG_3_3.render(levels(0.5, 300)).claims]
    assert verdicts == ["reproduced"] * 3 + ["not reproduced"]  # races: more, where the source has less
    verdicts = [claim.verdict for claim in FIG_3_3.render(levels(-0.5, 300)).claims]
    assert verdicts == ["not reproduced"] * 3 + ["reproduced"]


def test_fig_3_3__few_games_leave_it_open() -> None:
    assert {claim.verdict for claim in FIG_3_3.render(levels(3.0, 4)).claims} == {"open"}
    assert {claim.verdict for claim in FIG_3_3.render(levels(3.0, 4)[:1]).claims} == {"open"}


def test_fig_3_5__counts_patterns_and_draws_them(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TESUJI_GAMES_DATA", str(games))
    row = FIG_3_5.run_task(PatternTask(20, 1))
    assert row["games"] == 20
    found = FIG_3_5.render([row])
    assert {one.verdict for one in found.comparisons} == {"open"}  # nobody made an enclosure
    assert found.rows
    assert set(found.figures) == {name for name, patterns in row["best"].items() if patterns}


def test_curve__ranks_of_moves_that_were_played(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TESUJI_GAMES_DATA", str(games))
    row = CURVE_6_1_3.run_task(CurveTask(5, 1))
    assert len(row["numbers"]) == len(row["ranks"])
    few = CURVE_6_1_3.render([{"numbers": [3, 50], "ranks": [0, 9]}])
    assert {one.verdict for one in few.comparisons} == {"open"}
    many = CURVE_6_1_3.render([{"numbers": [3] * 20_000, "ranks": [0] * 8180 + [3] * 5120 + [6] * 1020 + [20] * 5680}])
    assert [one.verdict for one in many.comparisons] == ["reproduced"] * 3 + ["not reproduced"]
