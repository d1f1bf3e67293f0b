"""The UCT-DAG report, section 3.2: the settings of the Go experiments, verdicts on synthetic games, a tiny run."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from papers.tiny import played, tiny
from tesuji.go.engine.presets import engine_preset
from tesuji.papers.harness import Tournament, run_experiment
from tesuji.papers.uct_dag_go import (
    CONFIGURATIONS,
    FIG_3_12,
    FIG_3_13,
    FIG_3_14,
    FIG_D_1,
    FIG_D_2,
    FIG_D_3,
    GO_9X9,
    GO_13X13,
    HEAD_TO_HEAD,
)

pytest.importorskip("matplotlib")

ALL = [GO_9X9, GO_13X13, HEAD_TO_HEAD]


@pytest.mark.parametrize(
    ("tournament", "size", "opponent", "configurations", "games"),
    [
        (GO_9X9, 9, "gnugo-l10", CONFIGURATIONS, 6000),
        (GO_13X13, 13, "gnugo-l10", CONFIGURATIONS, 6000),
        (HEAD_TO_HEAD, 13, "base", ("man-group",), 200),
    ],
    ids=["9x9", "13x13", "head to head"],
)
def test_spec__scale_shrinks_games_only(
    tournament: Tournament, size: int, opponent: str, configurations: tuple[str, ...], games: int
) -> None:
    whole, tenth = tournament.spec(1, 1), tournament.spec(0.1, 1)
    assert whole.champion == opponent
    assert tuple(whole.names) == (opponent, *configurations)
    assert (whole.conditions.size, whole.conditions.komi, whole.conditions.rules) == (size, 7.5, "chinese")
    assert whole.num_games == games
    assert tenth.num_games == games / 10
    assert tenth.players == whole.players
    for player in whole.players:
        if player.kind == "tesuji":
            assert player.settings == {"preset": player.name, "simulations": 10_000}


@pytest.mark.parametrize(
    ("tournament", "size", "simulations"),
    [
        (FIG_3_12, 9, 800_000),
        (FIG_D_1, 9, 400_000),
        (FIG_3_13, 13, 766_840),
        (FIG_3_14, 13, 766_840),
        (FIG_D_2, 13, 1_533_680),
        (FIG_D_3, 13, 3_067_360),
    ],
    ids=lambda value: value.about.name if isinstance(value, Tournament) else None,
)
def test_spec__the_published_figures_have_the_playouts_of_the_reports_time(
    tournament: Tournament, size: int, simulations: int
) -> None:
    whole = tournament.spec(1, 1)
    assert whole.conditions.size == size
    assert whole.num_games == 6000
    assert {one.settings["simulations"] for one in whole.players if one.kind == "tesuji"} == {simulations}


def test_fig_3_14__has_the_intervals_of_90_percent() -> None:
    games = played("man-group", "gnugo-l10", 30, 100)
    wide, narrow = (figure.render(games).comparisons[0].ours for figure in (FIG_3_13, FIG_3_14))
    assert wide.low < narrow.low < narrow.high < wide.high


def test_base__keeps_nothing_between_moves() -> None:
    assert not engine_preset("base").keeps_graph
    assert all(engine_preset(name).keeps_graph for name in CONFIGURATIONS[1:])


def test_spec__games_are_even_and_never_none() -> None:
    for tournament in ALL:
        for scale in (0.0001, 0.013, 0.37):
            assert tournament.spec(scale, 1).games % 2 == 0
            assert tournament.spec(scale, 1).games >= 2


@pytest.mark.parametrize(
    ("base", "small", "worst", "verdicts"),
    [
        (20, 60, 2, ("reproduced", "reproduced")),
        (60, 20, 2, ("not reproduced", "reproduced")),
        (20, 25, 25, ("open", "open")),
    ],
)
def test_9x9__what_the_report_says_is_tested(base: int, small: int, worst: int, verdicts: tuple[str, str]) -> None:
    games = [
        *played("base", "gnugo-l10", base, 100),
        *played("gnugo-l10", "man-group-small", 100 - small, 100),
        *played("james-group-no-man", "gnugo-l10", worst, 100),
    ]
    claims = {claim.statement: claim.verdict for claim in GO_9X9.render(games).claims}
    assert claims["man-group-small wins more than base (3.2.1: by about a tenth)."] == verdicts[0]
    assert claims["base wins more than james-group-no-man (3.2.1)."] == verdicts[1]
    assert claims["man-group wins more than james-group-no-man (3.2.1)."] == "open"  # it has no games


def test_rows__count_both_colours_of_a_configuration() -> None:
    games = played("man-group", "base", 10, 12) + played("base", "man-group", 3, 8)
    (row,) = HEAD_TO_HEAD.render(games).rows
    assert row[:7] == ["man-group", "base", 20, 15, 0, 5, 0.75]


@pytest.mark.parametrize(("wins", "verdict"), [(70, "reproduced"), (30, "not reproduced"), (52, "open")])
def test_head_to_head__says_who_is_stronger(wins: int, verdict: str) -> None:
    (claim,) = HEAD_TO_HEAD.render(played("man-group", "base", wins, 100)).claims
    assert claim.verdict == verdict


@pytest.mark.parametrize(
    "tournament",
    [HEAD_TO_HEAD, pytest.param(GO_9X9, marks=pytest.mark.slow), pytest.param(GO_13X13, marks=pytest.mark.slow)],
    ids=lambda tournament: tournament.about.name,
)
def test_run__leaves_a_table_and_a_figure(tournament: Tournament, tmp_path: Path) -> None:
    report = run_experiment(tiny(tournament), scale=0.001, seed=1, out=tmp_path)
    with (tmp_path / "results.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["games"] for row in rows] == ["2"] * len(rows)
    assert [row["configuration"] for row in rows] == list(tournament.spec(1, 1).names[1:])
    assert (tmp_path / "figure.png").is_file()
    assert "## Results" in report.read_text(encoding="utf-8")
