"""GNU Go's levels: the verdict on synthetic games, and (slow) the whole path with GNU Go."""

from __future__ import annotations

from pathlib import Path

import pytest

from tesuji import papers
from tesuji.experiments.players.gtp_player import find_program
from tesuji.experiments.records import GameRecord, Reason
from tesuji.experiments.run.workers import LocalWorkers
from tesuji.papers.gnugo_levels import STRENGTHS, interpret, spec

pytest.importorskip("matplotlib")


def _games(wins_of_higher: int, of: int) -> list[GameRecord]:
    """Every pairing with the same score."""
    games: list[GameRecord] = []
    for i, low in enumerate(STRENGTHS):
        for high in STRENGTHS[i + 1 :]:
            for number in range(of):
                is_first, wins = number % 2 == 0, number < wins_of_higher
                names = (f"gnugo-l{high}", f"gnugo-l{low}") if is_first else (f"gnugo-l{low}", f"gnugo-l{high}")
                games.append(
                    GameRecord(
                        index=len(games),
                        pair=len(games) // 2,
                        first=names[0],
                        second=names[1],
                        winner="first" if wins == is_first else "second",
                        score="B+R" if wins == is_first else "W+R",
                        reason=Reason.RESIGNATION,
                    )
                )
    return games


@pytest.mark.parametrize(("wins", "verdict"), [(80, "reproduced"), (52, "open"), (20, "not reproduced")])
def test_interpret__judges_whether_higher_is_stronger(wins: int, verdict: str) -> None:
    findings = interpret(_games(wins, 100))
    assert [claim.verdict for claim in findings.claims] == [verdict]
    assert f"Level 4 scores {wins}.0%" in findings.claims[0].evidence
    assert all(one.verdict is None for one in findings.comparisons)
    assert len(findings.rows) == 6
    assert dict(zip(findings.columns, findings.rows[0], strict=True))["wins"] == wins
    assert list(findings.figures) == ["ratings"]


def test_interpret__of_a_few_games_decides_nothing() -> None:
    findings = interpret(_games(2, 2)[:2])
    assert findings.claims[0].verdict == "open"


@pytest.mark.parametrize(("scale", "games"), [(1.0, 100), (0.1, 10), (0.001, 2), (2.0, 200)])
def test_spec__plays_whole_pairs(scale: float, games: int) -> None:
    assert spec(scale, 1).games == games
    assert spec(scale, 1).num_games == 6 * games


@pytest.mark.slow
@pytest.mark.skipif(find_program("gnugo") == "gnugo", reason="GNU Go is not installed")
def test_run__with_gnugo(tmp_path: Path) -> None:
    with LocalWorkers(2) as workers:
        report = papers.run("gnugo/levels", out=tmp_path / "run", scale=0.02, workers=workers)
    assert "12 of 12 tasks" in report.read_text()
    assert {path.name for path in report.parent.iterdir()} >= {
        "results.csv",
        "figure.png",
        "report.md",
        "provenance.json",
    }
    before = report.read_text()
    report.unlink()
    assert papers.report(tmp_path / "run").read_text() == before
