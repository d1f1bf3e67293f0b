"""The bookkeeping of `tesuji bench engine`. How fast anything is, is not asserted here."""

from __future__ import annotations

import json

import msgspec
import pytest
from click.testing import CliRunner

from tesuji import cli
from tesuji.bench import engine
from tesuji.bench.board import BoardRow, update_rows
from tesuji.bench.engine import LIBEGO, REFERENCES, Effort, EngineReport, EngineRow, Range, ThreadSpeed, to_text

TINY = Effort(preset="uct", sizes=(9, 5), threads=(2,), seconds=0.002, rounds=2, memory_simulations=50)
PACHI = "Pachi, no network"


def row(**changes):
    default = EngineRow(
        size=9, per_s=16_000.0, light_per_s=200_000.0, libego_per_s=165_000.0,
        times=dict.fromkeys(REFERENCES, Range(1.2, 1.7)), threads=[], bytes_per_simulation=200.0,
        memory_simulations=100_000, bytes_target=250,
    )  # fmt: skip
    return msgspec.structs.replace(default, **changes)


def speed(**changes):
    default = ThreadSpeed(threads=2, per_s=30_000.0, speed_up=1.8, num_cpus=1.99, target=1.75)
    return msgspec.structs.replace(default, **changes)


def board_row(size, instructions, **changes):
    default = BoardRow(
        size=size, variant="light", instructions=instructions, moves=111.0, playouts_per_s=None, compiler="g++ 12",
        flags="-O3",
    )  # fmt: skip
    return msgspec.structs.replace(default, **changes)


@pytest.fixture
def counts(monkeypatch, tmp_path):
    """Committed instructions of a test's own."""
    path = tmp_path / "board.json"
    monkeypatch.setattr(engine, "committed_path", lambda: path)
    return lambda *rows: update_rows(path, rows)


@pytest.fixture(scope="module")
def report():
    return engine.measure_engine(TINY)


# --- the scale --------------------------------------------------------------------------------------------------------


def test_libego__is_slower_than_our_playouts_by_the_ratio_of_instructions(counts):
    counts(board_row(9, 12_100))
    assert engine._libego_here(9, 200_000.0) == 100_000.0  # half of libego's 24,200, so twice as fast


def test_libego__of_several_compilers_the_strictest_counts_and_other_rows_do_not(counts):
    counts(
        board_row(9, 12_100),
        board_row(9, 14_520, compiler="clang++ 17"),
        board_row(9, 99_000, variant="tactical"),
        board_row(13, 99_000),
    )
    assert engine._libego_here(9, 200_000.0) == pytest.approx(120_000.0)


def test_libego__is_unknown_on_other_boards_and_without_committed_counts(counts):
    assert engine._libego_here(9, 200_000.0) is None
    counts(board_row(9, 12_100), board_row(7, 8_000))
    assert engine._libego_here(7, 200_000.0) is None


def test_times__combine_both_ends_of_both_rates():
    times = dict(engine._times(9, 7_000.0, 128_000.0))
    # Pachi's 6,200 to 7,400 at libego's 108,000 to 128,000: here 6,200 at least and 7,400 * 128 / 108 at most.
    assert times[PACHI] == pytest.approx((7_000 / (7_400 * 128 / 108), 7_000 / 6_200))
    assert list(times) == list(REFERENCES)


def test_times__a_machine_twice_as_fast_makes_us_half_as_good():
    slow, fast = (dict(engine._times(19, 4_000.0, libego))[PACHI] for libego in (26_000.0, 52_000.0))
    assert slow.low == pytest.approx(2 * fast.low)
    assert slow.high == pytest.approx(2 * fast.high)


def test_references__are_known_for_the_same_boards_and_are_ranges():
    for rates in REFERENCES.values():
        assert rates.keys() == LIBEGO.keys()
        assert all(rate.low <= rate.high for rate in rates.values())


@pytest.mark.parametrize(
    ("times", "beats"), [(Range(1.3, 1.9), True), (Range(1.29, 1.9), None), (Range(0.9, 1.29), False)]
)
def test_row__the_whole_range_has_to_reach_the_target(times, beats):
    assert row(times={PACHI: times}).beats_pachi is beats


def test_row__without_a_reference_there_is_no_verdict():
    assert (row(times={}).times_pachi, row(times={}).beats_pachi) == (None, None)


# --- measuring --------------------------------------------------------------------------------------------------------


def test_effort__one_thread_is_always_measured_and_nothing_twice():
    effort = Effort(threads=(4, 2, 2), sizes=(9, 9))
    assert effort.threads == (1, 2, 4)
    assert effort.sizes == (9,)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"sizes": ()}, "sizes are"),
        ({"sizes": (9, 26)}, "26"),
        ({"threads": (0,)}, "threads are"),
        ({"seconds": 0.0}, "seconds"),
        ({"seconds": float("nan")}, "seconds"),
        ({"rounds": 0}, "0 rounds"),
        ({"preset": "pachi"}, "no preset 'pachi'.*uct-rave"),
    ],
)
def test_effort__refuses_what_cannot_be_measured(changes, words):
    with pytest.raises(ValueError, match=words):
        Effort(**changes)


def test_turns__everybody_has_one_in_every_round_and_beginners_change():
    log, steps = [], []
    contestants = [lambda seed, name=name: log.append((name, seed)) or 10 for name in "abc"]
    found = engine._in_turns(contestants, 3, lambda: steps.append(len(log)))
    assert "".join(name for name, _ in log) == "abcbcacab"
    assert [[turn.number for turn in turns] for turns in found] == [[10, 10, 10]] * 3
    assert [seed for name, seed in log if name == "a"] == [1, 2, 3]
    assert steps == list(range(1, 10))


def test_threads__the_speed_up_is_taken_within_a_round():
    one = [engine.Turn(100, 1.0, 1.0), engine.Turn(10, 1.0, 1.0), engine.Turn(30, 1.0, 1.0)]
    two = [engine.Turn(180, 1.0, 2.0), engine.Turn(19, 1.0, 1.0), engine.Turn(48, 1.0, 2.0)]
    found = engine._thread_speed(2, one, two)
    assert found.speed_up == 1.8  # the median of 1.8, 1.9 and 1.6
    assert (found.per_s, found.num_cpus, found.target) == (48.0, 2.0, 1.75)
    assert engine._thread_speed(3, one, two).target is None


@pytest.mark.parametrize(
    ("changes", "is_met"),
    [
        ({"speed_up": 1.75}, True),
        ({"speed_up": 1.74}, False),
        ({"speed_up": 1.5, "num_cpus": 1.6}, None),
        ({"speed_up": 1.5, "target": None}, None),
    ],
)
def test_threads__a_busy_machine_cannot_miss_the_target(changes, is_met):
    assert speed(**changes).is_met is is_met


def test_measure__has_a_row_for_each_board(report):
    assert [found.size for found in report.rows] == [9, 5]
    for found in report.rows:
        assert found.per_s > 0
        assert found.light_per_s > 0
        assert found.bytes_per_simulation > 0
        assert found.memory_simulations == 50
        assert [one.threads for one in found.threads] == [2]
    assert report.rows[1].times == {}  # nobody measured 5x5
    assert report.rows[0].bytes_target == 250
    assert report.rows[1].bytes_target is None


def test_measure__reports_every_step():
    steps = []
    engine.measure_engine(TINY, on_step=steps.append)
    assert steps == list(range(1, engine.num_steps(TINY) + 1))


def test_measure__says_where_it_comes_from(report):
    assert report.provenance.config["preset"] == "uct"
    assert report.effort == TINY


# --- as text ----------------------------------------------------------------------------------------------------------


def verdicts(text, title):
    """The last word of each board's line in the table that begins with a title."""
    (part,) = [part for part in text.split("\n\n") if part.startswith("board") and title in part]
    return [line.split()[-1] for line in part.splitlines()[1:]]


def test_text__says_which_targets_are_missed(report):
    rows = [
        row(times=dict.fromkeys(REFERENCES, Range(1.4, 1.9)), threads=[speed(speed_up=1.6)]),
        row(size=13, threads=[speed(num_cpus=1.5, speed_up=1.4)], bytes_target=None),
        row(
            size=19, times=dict.fromkeys(REFERENCES, Range(0.8, 1.1)), bytes_per_simulation=1_001.0, bytes_target=1_000
        ),
    ]
    text = to_text(msgspec.structs.replace(report, rows=rows, load=0.5))
    assert verdicts(text, "times Pachi") == ["met", "open", "MISSED"]
    assert verdicts(text, "speed-up") == ["MISSED", "busy"]
    assert verdicts(text, "bytes") == ["met", "-", "MISSED"]
    assert "load 0.5 at the start" in text
    assert max(map(len, text.splitlines())) <= 80


def test_text__explains_how_others_are_scaled(report):
    text = to_text(msgspec.structs.replace(report, rows=[row()]))
    assert "Pachi, no network" in text
    assert "108,000 to 128,000" in text
    assert "Estimated, for libego is not here" in text
    assert "bench/board.json" in text


def test_text__without_references_and_threads_says_so(report):
    text = to_text(msgspec.structs.replace(report, rows=[row(size=7, libego_per_s=None, times={})]))
    assert "Nothing to compare with" in text
    assert "speed-up" not in text


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def bench_engine():
    return lambda *words: CliRunner().invoke(cli.main, ["bench", "engine", *words], prog_name="tesuji")


@pytest.fixture
def small(monkeypatch):
    """Bytes after a few simulations only."""
    monkeypatch.setattr(engine, "_MEMORY_SIMULATIONS", {})
    monkeypatch.setattr(engine, "_MEMORY_SIMULATIONS_ELSE", 50)


def test_command__measures_what_the_options_say(bench_engine, small):
    result = bench_engine("--preset", "uct", "--sizes", "5", "--seconds", "0.01", "--threads", "1")
    assert result.exit_code == 0, result.output
    assert "The preset 'uct'" in result.stdout
    assert "5x5" in result.stdout


def test_command__json_is_the_whole_report(bench_engine, small):
    result = bench_engine("--preset", "uct", "--sizes", "9,5", "--seconds", "0.01", "--threads", "2", "--json")
    decoded = msgspec.convert(json.loads(result.stdout), EngineReport)
    assert [found.size for found in decoded.rows] == [9, 5]
    assert decoded.effort.threads == (1, 2)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--sizes", "9;13"), "--sizes is '9;13'"),
        (("--threads", ""), "--threads is ''"),
        (("--sizes", "99"), "sizes are [99]"),
        (("--preset", "best"), "there is no preset 'best'"),
    ],
)
def test_command__bad_options_are_one_line(bench_engine, words, said):
    result = bench_engine(*words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_command__its_help_has_examples_and_fits_a_terminal(bench_engine):
    result = bench_engine("--help")
    assert "tesuji bench engine --sizes 9 --seconds 1" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80
