"""Instructions of a simulation: what is counted, and the option of ``tesuji bench engine`` that counts it."""

import json
import re
import sys

import pytest
from click.testing import CliRunner

from tesuji import cli
from tesuji.bench import callgrind
from tesuji.bench.engine_instructions import SIMULATIONS, InstructionRow, count_engine, program, to_text


@pytest.fixture
def counted(monkeypatch):
    """A valgrind to which Python's start costs 5,000,000 and a simulation 200 for each line of the board."""
    commands = []

    def count(command):
        commands.append(command)
        size, simulations = map(int, re.search(r"Board\((\d+)\).*simulations=(\d+)", command[-1]).groups())
        return 5_000_000 + 200 * size * simulations

    monkeypatch.setattr(callgrind, "has_valgrind", lambda: True)
    monkeypatch.setattr(callgrind, "count_instructions", count)
    return commands


@pytest.fixture
def bench_engine():
    return lambda *words: CliRunner().invoke(cli.main, ["bench", "engine", *words], prog_name="tesuji")


def test_count__pythons_start_cancels_out(counted):
    done = []
    rows = count_engine("default", (9, 19), on_step=done.append)
    assert [(row.size, row.instructions, row.simulations) for row in rows] == [
        (9, 1800, SIMULATIONS[9]),
        (19, 3800, SIMULATIONS[19]),
    ]
    assert done == [1, 2]
    assert len(counted) == 4


def test_count__refuses_an_unknown_preset_before_anything_runs(counted):
    with pytest.raises(ValueError, match="there is no preset 'best'"):
        count_engine("best", (9,))
    assert counted == []


def test_program__runs(monkeypatch):
    python, option, code = program("uct", 5, 20)
    assert (python, option) == (sys.executable, "-c")
    exec(code, {})


def test_text__has_a_line_for_each_board():
    rows = [InstructionRow(preset="fast", size=13, simulations=500, instructions=123_456)]
    text = to_text(rows)
    assert "The preset 'fast'" in text
    assert text.splitlines()[-1].split() == ["13x13", "123,456", "501..1,000"]


def test_command__counts_with_the_option(counted, bench_engine):
    result = bench_engine("--instructions", "--sizes", "7", "--simulations", "10", "--json")
    assert json.loads(result.stdout) == [{"preset": "default", "size": 7, "simulations": 10, "instructions": 1400}]
    assert "1,400" in bench_engine("--instructions", "--sizes", "7", "--simulations", "10").stdout


def test_command__without_valgrind_says_how_to_get_it(monkeypatch, bench_engine):
    monkeypatch.setattr(callgrind, "has_valgrind", lambda: False)
    result = bench_engine("--instructions")
    assert result.exit_code == 2
    assert "apt-get install valgrind" in result.stderr


def test_command__simulations_are_for_counting_only(bench_engine):
    result = bench_engine("--simulations", "100")
    assert result.exit_code == 2
    assert "--instructions" in result.stderr


@pytest.mark.slow
@pytest.mark.skipif(not callgrind.has_valgrind(), reason="valgrind is not installed")
def test_count__by_valgrind_a_simulation_costs_what_a_simulation_may_cost():
    (row,) = count_engine("uct", (5,), simulations=2_000)
    assert 1_000 < row.instructions < 100_000
