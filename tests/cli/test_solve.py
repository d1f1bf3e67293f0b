"""``tesuji solve``: what it says about problems, and about files that are none."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tesuji import cli

# White's three points in the corner: whoever moves first decides.
PROBLEM = b"(;SZ[19]%sAW[aq][bq][cq][dq][dr][ds]AB[ap][bp][cp][dp][ep][eq][er][es])"


def tesuji_solve(*arguments: object) -> Result:
    return CliRunner().invoke(cli.main, ["solve", *map(str, arguments)], prog_name="tesuji")


@pytest.fixture
def problem(tmp_path: Path) -> Path:
    path = tmp_path / "problem.sgf"
    path.write_bytes(PROBLEM % b"PL[B]")
    return path


def test_solve__says_who_lives_and_how(problem: Path) -> None:
    result = tesuji_solve(problem, "--simulations", 50)
    assert result.exit_code == 0, result.output
    assert "White's chain at" in result.output
    assert "proved" in result.output


def test_solve__the_other_side_may_begin(problem: Path) -> None:
    result = tesuji_solve(problem, "--to-play", "white", "--simulations", 50)
    assert "White to play" in result.output
    assert "lives: proved" in result.output


def test_solve__what_is_not_proved_is_searched(problem: Path) -> None:
    result = tesuji_solve(problem, "--nodes", 0, "--simulations", 50)
    assert "not proved; playouts give" in result.output


def test_solve__a_chain_can_be_named(problem: Path) -> None:
    assert "White's chain at D1" in tesuji_solve(problem, "--target", "D1", "--simulations", 50).output
    result = tesuji_solve(problem, "--target", "K10")
    assert result.exit_code == 2
    assert "no stone at K10" in result.output


def test_solve__an_empty_board_is_no_problem(tmp_path: Path) -> None:
    path = tmp_path / "empty.sgf"
    path.write_bytes(b"(;SZ[9])")
    result = tesuji_solve(path)
    assert result.exit_code == 2
    assert "both colours" in result.output
