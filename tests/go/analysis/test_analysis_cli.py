"""``tesuji analysis``: its options."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tesuji import cli

QUERY: dict[str, Any] = {
    "id": "q",
    "moves": [["B", "C3"]],
    "rules": "chinese",
    "komi": 0.5,
    "boardXSize": 5,
    "boardYSize": 5,
}


def tesuji_analysis(*arguments: object, **query: Any) -> Result:
    line = json.dumps(QUERY | query) + "\n"
    return CliRunner().invoke(cli.main, ["analysis", *map(str, arguments)], prog_name="tesuji", input=line)


def answer(*arguments: object, **query: Any) -> dict[str, Any]:
    result = tesuji_analysis("--preset", "uct", "--seed", 1, *arguments, **query)
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_options__limit_the_search_unless_the_query_does() -> None:
    assert answer("--simulations", 30)["rootInfo"]["visits"] == 30
    assert answer("--simulations", 30, maxVisits=20)["rootInfo"]["visits"] == 20


def test_options__choose_whose_win_rates_are_reported() -> None:
    black, white, mover = (
        answer("--simulations", 50, "--perspective", name)["rootInfo"]["winrate"]
        for name in ("black", "white", "side-to-move")
    )
    assert black == answer("--simulations", 50)["rootInfo"]["winrate"]
    assert white == mover == pytest.approx(1 - black)


def test_options__a_file_may_say_how_it_thinks(tmp_path: Path) -> None:
    path = tmp_path / "engine.toml"
    path.write_text('preset = "uct"\nsimulations = 25\nthreads = 2\n', encoding="utf-8")
    result = tesuji_analysis("--config", path)
    assert json.loads(result.stdout)["rootInfo"]["visits"] == 25
    assert "2 at a time" in result.stderr


def test_options__katagos_are_taken_and_not_used() -> None:
    """KataGo's example client (python/query_analysis_engine_example.py) starts its engine with these."""
    result = tesuji_analysis(
        "-config", "analysis.cfg", "-model", "net.bin.gz", "-override-config", "a=b", "--preset", "uct"
    )
    assert result.exit_code == 0
    assert json.loads(result.stdout)["id"] == "q"
    assert "analysis.cfg, net.bin.gz, a=b: files and settings of KataGo are not used" in result.stderr


def test_stderr__says_when_it_is_ready_in_katagos_words() -> None:
    assert "Started, ready to begin handling requests\n" in tesuji_analysis("--preset", "uct").stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--perspective", "red"], "'red' is not one of 'black', 'white', 'side-to-move'"),
        (["--threads", "0"], "threads is 0"),
        (["--preset", "none"], "there is no preset 'none'"),
    ],
)
def test_options__that_are_wrong_end_with_one_line(arguments: list[str], words: str) -> None:
    result = tesuji_analysis(*arguments)
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_help__speaks_of_positions() -> None:
    text = CliRunner().invoke(cli.main, ["analysis", "--help"], prog_name="tesuji").stdout
    assert "Positions analysed at a time" in text
    assert "--resign-below" not in text
