"""Instructions of a move of a playout: what is counted, and the command that prints it."""

import re

import pytest
from click.testing import CliRunner

from tesuji import cli
from tesuji.bench import callgrind
from tesuji.bench.playouts import count_playouts, program, to_text


@pytest.fixture
def counted(monkeypatch):
    """A valgrind to which Python's start costs 5,000,000 and a playout 70,000, twice as much for base."""
    commands = []

    def count(command):
        commands.append(command[-1])
        policy, playouts = re.search(r"POLICIES\['([a-z-]+)'\], (\d+)", command[-1]).groups()
        return 5_000_000 + int(playouts) * (140_000 if policy == "base" else 70_000)

    monkeypatch.setattr(callgrind, "has_valgrind", lambda: True)
    monkeypatch.setattr(callgrind, "count_instructions", count)
    return commands


def test_count__per_move(counted):
    done = []
    default, base = count_playouts((9,), ("default", "base"), playouts=20, on_step=done.append)
    assert done == [1, 2]
    assert default.instructions * default.moves == pytest.approx(70_000)
    assert base.instructions * base.moves == pytest.approx(140_000)
    text = to_text([default, base])
    assert re.search(r"base .* x default", text)
    assert len(counted) == 4


def test_program__learning_policies_play_through_tables():
    assert "run_learning_playouts" in program("learning", 9, 5)[-1]
    assert "run_learning_playouts" not in program("base", 9, 5)[-1]


def test_command__prints_a_table(counted):
    run = CliRunner().invoke(cli.main, ["bench", "playouts", "--sizes", "5", "--playouts", "10"], prog_name="tesuji")
    assert run.exit_code == 0, run.output
    assert "5x5     default-learning" in run.output


def test_command__bad_sizes():
    run = CliRunner().invoke(cli.main, ["bench", "playouts", "--sizes", "1"], prog_name="tesuji")
    assert run.exit_code != 0
    assert "boards have 2 to 25 lines" in run.output
