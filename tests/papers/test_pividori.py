"""Pividori 2015: the paper's settings, verdicts on synthetic games, and every experiment at a tiny scale."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from papers.tiny import played, tiny
from tesuji.experiments.records import GameRecord
from tesuji.experiments.tuning.sweep import SweepRow
from tesuji.papers.harness import Tournament, run_experiment
from tesuji.papers.pividori_matches import GNUGO, KNOWLEDGE, RAVE
from tesuji.papers.pividori_sweeps import EXPLORATION, NUM_SIMULATIONS, best_is_zero, more_is_better

pytest.importorskip("matplotlib")

ALL = [RAVE, KNOWLEDGE, GNUGO, EXPLORATION, NUM_SIMULATIONS]


def rows(*rates: float, values: tuple[float, ...] = (0, 1, 2), games: int = 100) -> list[SweepRow]:
    """Rows of a sweep with these rates."""
    return [
        SweepRow(
            value=value, games=games, wins=round(rate * games), draws=0, losses=games - round(rate * games),
            rate=rate, low=rate, high=rate, elo=0, elo_low=0, elo_high=0,
        )
        for value, rate in zip(values, rates, strict=True)
    ]  # fmt: skip


# --- the paper's settings ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tournament", ALL, ids=lambda tournament: tournament.about.name)
def test_spec__the_conditions_are_the_papers(tournament: Tournament) -> None:
    spec = tournament.spec(1, 1)
    assert (spec.conditions.size, spec.conditions.komi, spec.conditions.rules) == (9, 5.0, "chinese")
    assert spec.openings == "empty"


@pytest.mark.parametrize(
    ("tournament", "games", "players"),
    [
        (RAVE, 200, ["uct", "uct-rave"]),
        (KNOWLEDGE, 200, ["uct-rave", "uct-rave-knowledge"]),
        (GNUGO, 3000, ["gnugo-l10", "uct", "uct-rave", "uct-rave-knowledge"]),
    ],
    ids=["rave", "knowledge", "gnugo"],
)
def test_spec__scale_1_is_the_papers_and_scale_shrinks_games_only(
    tournament: Tournament, games: int, players: list[str]
) -> None:
    whole, tenth = tournament.spec(1, 1), tournament.spec(0.1, 1)
    assert list(whole.names) == players
    assert whole.num_games == games
    assert tenth.num_games == games / 10
    assert tenth.players == whole.players
    for player in whole.players:
        if player.kind == "tesuji":
            assert player.settings == {"preset": player.name, "simulations": 30_000}


def test_spec__the_sweeps_vary_one_setting_against_gnu_go() -> None:
    for tournament, setting, games in ((EXPLORATION, "exploration", 200), (NUM_SIMULATIONS, "simulations", 300)):
        spec = tournament.spec(1, 1)
        assert spec.champion == "gnugo-l10"
        assert spec.games == games
        others = [{**player.settings, setting: None} for player in spec.players[1:]]
        assert all(settings == others[0] for settings in others)
        assert len({player.settings[setting] for player in spec.players[1:]}) == len(spec.players) - 1


def test_spec__games_are_even_and_never_none() -> None:
    for tournament in ALL:
        for scale in (0.001, 0.013, 0.37):
            assert tournament.spec(scale, 1).games % 2 == 0
            assert tournament.spec(scale, 1).games >= 2


# --- verdicts ---------------------------------------------------------------------------------------------------------


def test_rave__rates_are_those_of_each_colour() -> None:
    games = played("uct-rave", "uct", 10, 10) + played("uct", "uct-rave", 3, 10)
    findings = RAVE.render(games)
    by_colour = {row[2]: row for row in findings.rows}
    assert by_colour["Black"][3:8] == [10, 10, 0, 0, 1.0]
    assert by_colour["White"][3:8] == [10, 7, 0, 3, 0.7]
    assert [one.verdict for one in findings.comparisons] == ["not reproduced", "open"]  # White's 70 % is far off
    assert findings.claims[0].verdict == "reproduced"  # 17 of 20


def test_rave__a_draw_is_half_a_point() -> None:
    (game,) = played("uct-rave", "uct", 1, 1)
    drawn = GameRecord(index=1, pair=0, first="uct-rave", second="uct", winner="draw", score="0", reason=game.reason)
    (row,) = RAVE.render([game, drawn]).rows
    assert row[3:8] == [2, 1, 1, 0, 0.75]


@pytest.mark.parametrize(
    ("wins", "of", "verdict"), [(1, 1, "open"), (93, 100, "reproduced"), (88, 100, "open"), (60, 100, "not reproduced")]
)
def test_knowledge__the_margin_is_the_precision_of_the_papers_own_games(wins: int, of: int, verdict: str) -> None:
    (comparison,) = KNOWLEDGE.render(played("uct-rave-knowledge", "uct-rave", wins, of)).comparisons
    published = comparison.published
    assert published is not None
    assert published.value == 0.94
    assert published.margin == pytest.approx(0.972 - 0.875, abs=0.001)  # Wilson, 94 of 100
    assert comparison.verdict == verdict


@pytest.mark.parametrize(
    ("wins", "verdicts"),
    [
        ((4, 20, 60), ["reproduced", "reproduced"]),
        ((20, 4, 60), ["not reproduced", "reproduced"]),
        ((20, 21, 22), ["open", "open"]),
    ],
)
def test_gnugo__each_program_is_set_beside_the_one_before(wins: tuple[int, ...], verdicts: list[str]) -> None:
    programs = ("uct", "uct-rave", "uct-rave-knowledge")
    games = [
        game for program, count in zip(programs, wins, strict=True) for game in played(program, "gnugo-l10", count, 100)
    ]
    findings = GNUGO.render(games)
    assert [claim.verdict for claim in findings.claims] == verdicts
    assert len(findings.rows) == 3  # Black's only; White has no games


def test_gnugo__a_program_without_games_leaves_its_claims_open() -> None:
    findings = GNUGO.render(played("uct", "gnugo-l10", 4, 100))
    assert [claim.verdict for claim in findings.claims] == ["open", "open"]


@pytest.mark.parametrize(
    ("rates", "verdict"),
    [
        ((0.7, 0.45, 0.2), "reproduced"),
        ((0.5, 0.45, 0.2), "open"),  # better than one of the two only
        ((0.5, 0.55, 0.2), "open"),  # another one looks better, which may be chance
        ((0.5, 0.75, 0.2), "not reproduced"),
        ((0.5, 0.48, 0.45), "open"),
    ],
)
def test_exploration__zero_is_best_or_not(rates: tuple[float, ...], verdict: str) -> None:
    assert best_is_zero(rows(*rates)).verdict == verdict


def test_exploration__says_nothing_without_zero() -> None:
    assert best_is_zero(rows(0.9, 0.1, values=(1, 2))).verdict == "open"


@pytest.mark.parametrize(
    ("rates", "verdict"),
    [
        ((0.2, 0.4, 0.6), "reproduced"),
        ((0.4, 0.38, 0.42), "open"),
        ((0.2, 0.8, 0.4), "not reproduced"),
        ((0.2, 0.19, 0.5), "reproduced"),
    ],
)
def test_simulations__more_are_better_or_not(rates: tuple[float, ...], verdict: str) -> None:
    assert more_is_better(rows(*rates)).verdict == verdict


def test_sweeps__values_without_games_are_left_out() -> None:
    findings = EXPLORATION.render(played("exploration=0", "gnugo-l10", 5, 10))
    assert [row[0] for row in findings.rows] == [0.0]
    assert findings.claims[0].verdict == "open"


# --- the whole way ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tournament", ALL, ids=lambda tournament: tournament.about.name)
def test_run__leaves_a_whole_report(tmp_path: Path, tournament: Tournament) -> None:
    report = run_experiment(tiny(tournament), scale=0.001, seed=1, out=tmp_path / "run").read_text()
    assert "**incomplete**" not in report
    with (tmp_path / "run" / "results.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    assert sum(int(row["games"]) for row in table) == tournament.spec(0.001, 1).num_games
    assert (tmp_path / "run" / "figure.png").exists() == (tournament in (EXPLORATION, NUM_SIMULATIONS))
