"""The bookkeeping of `tesuji bench search`. How fast anything is, is not asserted here."""

from __future__ import annotations

import json
import random

import msgspec
import pytest
from click.testing import CliRunner

from tesuji import cli
from tesuji.bench import callgrind, open_spiel, search
from tesuji.bench.search import (
    CASES,
    Effort,
    Memory,
    SharedValues,
    SpeedRow,
    ThreadRow,
    TreeShare,
    measure_search,
    rates,
    to_text,
)
from tesuji.games.terminal import view_of

TINY = Effort(
    simulations=100, python_simulations=20, thread_simulations=100, rounds=2, least_s=0.0, counts=False
)  # fmt: skip


class Clock:
    """Seconds that pass only when somebody works."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now

    def worker(self, seconds, log=None, name=""):
        def work(seed):
            self.now += seconds
            if log is not None:
                log.append((name, seed))

        return work


@pytest.fixture
def without_open_spiel(monkeypatch):
    monkeypatch.setattr(open_spiel, "version", lambda: None)


def report(**changes):
    """A small real report, and what a test changes in it."""
    return msgspec.structs.replace(measure_search(TINY), **changes)


# --- rates ------------------------------------------------------------------------------------------------------------


def test_rates__are_simulations_per_second_of_each_round():
    clock = Clock()
    found = rates(
        {"fast": (100, clock.worker(0.5)), "slow": (100, clock.worker(4.0))}, rounds=3, least_s=0.0, clock=clock
    )
    assert found == {"fast": [200.0] * 3, "slow": [25.0] * 3}


def test_rates__everybody_has_a_turn_in_every_round_and_beginners_change():
    clock, log = Clock(), []
    contestants = {name: (1, clock.worker(1.0, log, name)) for name in "abc"}
    rates(contestants, rounds=3, least_s=0.0, clock=clock)
    assert "".join(name for name, _ in log) == "abcbcacab"


def test_rates__short_searches_are_repeated_with_other_seeds_until_they_can_be_timed():
    clock, log = Clock(), []
    found = rates({"a": (10, clock.worker(0.25, log, "a"))}, rounds=2, least_s=1.0, clock=clock)
    assert found == {"a": [40.0, 40.0]}
    assert len(log) == 8
    assert len({seed for _, seed in log}) == 8


# --- the report -------------------------------------------------------------------------------------------------------


def test_targets__are_those_of_the_issue():
    targets = {(case.game, case.variant): case.target for case in CASES if case.target or case.game == "Go 9x9"}
    assert targets == {
        ("tic-tac-toe", "UCB1"): 5,
        ("Connect Four", "UCB1"): 15,
        ("Hex 11x11", "UCB1"): 30,
        ("Hex 11x11", "RAVE"): 10,
        ("Go 9x9", "UCB1"): None,
        ("Go 9x9", "RAVE"): 12,
    }


def test_cases__search_without_proofs_and_with_one_exploration_constant():
    for case in CASES:
        assert not case.config.solver
        assert case.config.selection.c == search.C
        assert case.config.threads == 1


def test_measure__without_open_spiel_our_columns_are_there(without_open_spiel):
    measured = measure_search(TINY)
    assert measured.open_spiel is None
    for row in measured.speed:
        assert row.ours_per_s > 0
        assert (row.cpp_per_s, row.python_per_s, row.ratio, row.is_met) == (None, None, None, None)
    assert [(row.game, row.variant) for row in measured.speed] == [(case.game, case.variant) for case in CASES]
    assert "[openspiel]" in to_text(measured)


def test_measure__ratios_are_taken_within_a_round(monkeypatch):
    found = {"UCB1": [100.0, 10.0, 30.0], "C++": [10.0, 1.0, 10.0], "Python": [1.0, 1.0, 1.0]}
    monkeypatch.setattr(search, "rates", lambda *_arguments, **_extra: found)
    (row,) = search._speed_rows([CASES[0]], TINY, has_open_spiel=True)
    assert row.ratio == 10.0  # the median of 10, 10 and 3
    assert (row.ours_per_s, row.cpp_per_s, row.python_per_s) == (30.0, 10.0, 1.0)


def test_measure__reports_every_step(without_open_spiel):
    steps = []
    measure_search(TINY, on_step=steps.append)
    assert steps == list(range(1, search.num_steps() + 1))


def test_measure__says_where_it_comes_from(without_open_spiel):
    measured = measure_search(TINY)
    assert measured.provenance.seed == 1
    assert measured.provenance.config["simulations"] == TINY.simulations
    assert measured.num_cpus >= 1


@pytest.mark.parametrize(("ratio", "target", "is_met"), [(5.0, 5.0, True), (4.99, 5.0, False), (99.0, None, None)])
def test_row__a_target_is_met_or_missed(ratio, target, is_met):
    row = SpeedRow(
        game="Hex", variant="UCB1", ours_per_s=1.0, cpp_per_s=1.0, python_per_s=1.0, ratio=ratio, target=target
    )
    assert row.is_met is is_met


@pytest.mark.parametrize(
    ("speed_up", "num_cpus", "is_met"), [(1.8, 1.99, True), (1.79, 1.99, False), (1.5, 1.6, None), (1.9, 1.6, True)]
)
def test_row__a_busy_machine_cannot_miss_the_target_of_two_threads(speed_up, num_cpus, is_met):
    row = ThreadRow(
        game="Hex", variant="UCB1", one_per_s=1.0, two_per_s=1.0, speed_up=speed_up, num_cpus=num_cpus, target=1.8
    )
    assert row.is_met is is_met


def test_text__says_which_targets_are_missed(without_open_spiel):
    thread = ThreadRow(
        game="Go 9x9", variant="RAVE", one_per_s=100.0, two_per_s=170.0, speed_up=1.7, num_cpus=1.95, target=1.8
    )
    tree = TreeShare(
        search="engine", simulations_per_s=75.0, playouts_per_s=100.0, share=0.25, simulation_instructions=40_000,
        playout_instructions=20_000,
    )  # fmt: skip
    text = to_text(report(threads=[thread], tree=[tree], memory=Memory(bytes_per_edge=41, bytes_per_node=32), load=0.5))
    (thread_line,) = [line for line in text.splitlines() if "1.70x" in line]
    assert "1.95" in thread_line
    assert thread_line.endswith("MISSED")
    assert "load 0.5 at the start" in text
    assert [line.split() for line in text.splitlines() if line.startswith("engine")] == [
        ["engine", "75", "25", "%", "50", "%", "30", "%", "met"]
    ]
    shared = SharedValues(tree_per_s=200_000.0, shared_per_s=178_000.0, ratio=0.89)
    assert "shared values: 0.89 (at least 0.90)  MISSED" in to_text(report(shared_values=shared))
    assert "41 bytes an edge (at most 40), 32 a node (at most 32)  MISSED" in text
    assert max(map(len, text.splitlines())) <= 80


def test_tree__pythons_own_start_cancels_out_of_the_instructions(monkeypatch):
    monkeypatch.setattr(callgrind, "count_instructions", lambda command: 5_000_000 + 300 * int(command[-1].split()[1]))
    assert search._instructions_each("run {n} times") == 300


def test_tree__the_programs_that_are_counted_run():
    for name in search.GO_SEARCHES:
        exec(search._COUNTED_SIMULATIONS.format(n=10, name=name), {})
    exec(search._COUNTED_PLAYOUTS.format(n=10), {})


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def bench_search(monkeypatch):
    monkeypatch.setattr(search, "QUICK", TINY)
    return lambda *words: CliRunner().invoke(cli.main, ["bench", "search", *words], prog_name="tesuji")


def test_command__without_open_spiel_it_says_how_to_install_it_and_goes_on(bench_search, without_open_spiel):
    result = bench_search("--quick")
    assert result.exit_code == 0, result.output
    assert "[openspiel]" in result.stderr
    assert "its columns stay empty" in result.stderr
    assert "tic-tac-toe" in result.stdout


def test_command__json_is_the_whole_report(bench_search, without_open_spiel):
    result = bench_search("--quick", "--json")
    decoded = msgspec.convert(json.loads(result.stdout), search.SearchReport)
    assert len(decoded.speed) == len(CASES)
    assert decoded.open_spiel is None


# --- OpenSpiel itself, where it is installed --------------------------------------------------------------------------


def test_open_spiel__its_bots_are_measured_the_one_in_python_where_there_is_a_target():
    pytest.importorskip("pyspiel")
    measured = measure_search(TINY)
    with_target = {case.game for case in CASES if case.target}
    for row in measured.speed:
        assert row.cpp_per_s > 0
        assert (row.python_per_s is not None) == (row.game in with_target)
        assert row.ratio > 0
    assert measured.open_spiel == open_spiel.version()


@pytest.mark.parametrize("case", [case for case in CASES if case.variant == "UCB1" and "Go" not in case.game], ids=str)
def test_open_spiel__its_game_and_ours_are_the_same_one(case):
    pyspiel = pytest.importorskip("pyspiel")
    rng = random.Random(1)
    for _ in range(20):
        ours, theirs = case.make(), pyspiel.load_game(case.open_spiel).new_initial_state()
        while not ours.is_over:
            actions = {action_of(case.game, ours, theirs, move): move for move in ours.legal_moves()}
            assert sorted(theirs.legal_actions()) == sorted(actions)
            assert theirs.current_player() == ours.to_play
            action = rng.choice(list(actions))
            ours.play(actions[action])
            theirs.apply_action(action)
        assert theirs.is_terminal()
        assert (theirs.returns()[0] + 1) / 2 == ours.value


def action_of(game, ours, theirs, move):
    """A move as OpenSpiel numbers it; where the boards are mirrored, in the mirror."""
    view = view_of(ours)
    if game.startswith("Y"):
        row, column = view.cells[move]
        return (ours.size - 1 - row) * ours.size + column
    if game.startswith("Havannah"):
        row, column = view.cells[move]
        span = 2 * ours.size - 1
        return row * span + span - 1 - column
    if game == "Breakthrough":
        mirrored = view.name(move).translate(str.maketrans("12345678", "87654321"))
        return next(
            action for action in theirs.legal_actions() if theirs.action_to_string(action).replace("*", "") == mirrored
        )
    return move
