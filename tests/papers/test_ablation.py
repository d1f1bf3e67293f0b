"""The ablation ledger: its list, its arithmetic on synthetic games, and the whole way at a tiny scale."""

from __future__ import annotations

import csv
from pathlib import Path

import msgspec
import pytest

from papers.tiny import played, tiny
from tesuji.experiments.players.search_player import GoPlayer
from tesuji.experiments.records import GameRecord
from tesuji.papers import ablation
from tesuji.papers.ablation import ABLATION, FEATURES, FULL, Feature, interpret, spec
from tesuji.papers.harness import run_experiment

pytest.importorskip("matplotlib")


def games_of(feature: Feature, wins: int, of: int, *, full_s: float = 2.0, own_s: float = 1.0) -> list[GameRecord]:
    """Pairs of games with both colours, in which the engine without the feature wins so many of each colour."""
    black = played(feature.player, FULL, wins, of, first_s=own_s, second_s=full_s)
    white = played(FULL, feature.player, of - wins, of, first_s=full_s, second_s=own_s)
    return [
        msgspec.structs.replace(game, index=2 * game.pair + seat)
        for seat, half in enumerate((black, white))
        for game in half
    ]


def row_of(games: list[GameRecord]) -> dict[str, object]:
    findings = interpret(games)
    (row,) = findings.rows
    return dict(zip(findings.columns, row, strict=True))


# --- the list ---------------------------------------------------------------------------------------------------------


def test_features__have_names_of_their_own() -> None:
    assert len({feature.name for feature in FEATURES}) == len(FEATURES) >= 10


@pytest.mark.parametrize("feature", FEATURES, ids=lambda feature: feature.name)
def test_features__taking_one_out_changes_the_default(feature: Feature) -> None:
    players = {player.name: player for player in spec(1, 1).players}
    full, changed = (GoPlayer(players[name], seed=1)._engine.config for name in (FULL, feature.player))
    assert changed != full, f"the default does not have {feature.name}: it cannot be taken out"
    assert changed.simulations == full.simulations == 300


def test_spec__is_the_default_against_each_at_equal_simulations() -> None:
    whole = spec(1, 1)
    assert whole.champion == FULL
    assert whole.games == 200
    assert len(whole.pairings) == len(FEATURES)
    assert {player.settings["simulations"] for player in whole.players} == {300}
    assert spec(0.1, 1).games == 20


# --- the arithmetic ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("wins", "verdict"), [(10, "helps"), (31, "open"), (50, "hurts")])
def test_ledger__the_verdict_is_about_the_feature(wins: int, verdict: str) -> None:
    row = row_of(games_of(FEATURES[0], wins, 60))
    assert (row["games"], row["wins"]) == (120, 2 * wins)
    assert row["verdict"] == verdict


def test_ledger__an_engine_that_wins_less_without_the_feature_has_negative_elo() -> None:
    row = row_of(games_of(FEATURES[0], 15, 60))
    assert row["elo"] == pytest.approx(-190.8, abs=0.1)  # a quarter of the points
    assert row["elo_low"] < row["elo"] < row["elo_high"] < 0  # type: ignore[operator]


def test_ledger__speed_is_the_defaults_time_over_its_own_whatever_the_colour() -> None:
    row = row_of(games_of(FEATURES[0], 15, 60, full_s=3.0, own_s=2.0))
    assert row["speed_ratio"] == 1.5


def test_ledger__at_equal_time_a_faster_engine_gains() -> None:
    row = row_of(games_of(FEATURES[0], 30, 60, full_s=2.0, own_s=1.0))
    assert row["elo"] == pytest.approx(0)
    assert row["elo_at_equal_time"] == pytest.approx(70)  # twice the simulations


def test_ledger__nothing_won_and_no_clock_leave_their_cells_empty() -> None:
    row = row_of(games_of(FEATURES[0], 0, 3, full_s=0, own_s=0))
    assert (row["speed_ratio"], row["elo_at_equal_time"]) == (None, None)
    assert row["verdict"] == "open"  # of six games


def test_ledger__a_line_is_judged_by_one_standard_for_the_whole_ledger() -> None:
    row = row_of(games_of(FEATURES[0], 20, 60))
    assert row["elo_high"] < 0  # type: ignore[operator]  # alone it would count
    assert row["verdict"] == "helps"
    few = row_of(games_of(FEATURES[0], 7, 21))
    assert few["elo_high"] < 0  # type: ignore[operator]
    assert few["verdict"] == "open"


def test_ledger__keeps_the_games_of_features_apart() -> None:
    findings = interpret(games_of(FEATURES[0], 1, 4) + games_of(FEATURES[1], 3, 4))
    assert [(row[0], row[3]) for row in findings.rows] == [(FEATURES[0].name, 2), (FEATURES[1].name, 6)]


def test_figure__has_a_bar_for_each_feature_and_the_line_of_no_change() -> None:
    findings = interpret(games_of(FEATURES[0], 1, 20) + games_of(FEATURES[1], 2, 20))
    axes = findings.figures["ledger"].axes[0]
    assert len(axes.patches) == 2
    left, right = axes.get_xlim()
    assert left < 0 <= right


def test_features__a_line_in_the_list_is_all_a_new_one_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    new = Feature("ladders", "reads_ladders=true", "ladders read in playouts")
    monkeypatch.setattr(ablation, "FEATURES", (new,))
    assert spec(1, 1).names == (FULL, "no-ladders")
    assert row_of(games_of(new, 1, 2))["feature"] == "ladders"


# --- the whole way ----------------------------------------------------------------------------------------------------


def test_run__leaves_a_whole_report(tmp_path: Path) -> None:
    report = run_experiment(tiny(ABLATION), scale=0.01, seed=1, out=tmp_path / "run").read_text()
    assert "**incomplete**" not in report
    with (tmp_path / "run" / "results.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    assert [row["feature"] for row in table] == [feature.name for feature in FEATURES]
    assert all(int(row["games"]) == 2 and float(row["speed_ratio"]) > 0 for row in table)
    assert (tmp_path / "run" / "figure.png").exists()
