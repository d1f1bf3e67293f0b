"""The benchmark's bookkeeping and the signature. How fast anything is, is not asserted here."""

from __future__ import annotations

import json
import re
import stat
from pathlib import Path

import msgspec
import pytest

from tesuji.bench import BenchError, board
from tesuji.bench.board import BoardRow, compare_rows, measure_board, read_rows, update_rows
from tesuji.bench.signature import signature

FAKE_PROGRAM = """#!/bin/sh
echo '{"size": 9, "variant": "light", "playouts": 100, "seconds": 0.01, "moves": 111.0, "black_wins": 0.5,
 "compiler": "g++ 12.2.0", "flags": "-O3"}'
"""


def row(instructions=20_000, **changes):
    default = BoardRow(
        size=9,
        variant="light",
        instructions=instructions,
        moves=111.0,
        playouts_per_s=50_000.0,
        compiler="g++ 12.2.0",
        flags="-O3",
    )
    return msgspec.structs.replace(default, **changes)


def program(directory, text):
    path = directory / "tesuji-bench-board"
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.mark.parametrize(("instructions", "fails"), [(20_000, False), (21_000, False), (21_001, True), (15_000, False)])
def test_compare__fails_when_instructions_grew_by_more_than_five_percent(instructions, fails):
    (comparison,) = compare_rows([row(instructions)], [row(20_000)])
    assert comparison.failed is fails


@pytest.mark.parametrize("other", [{"compiler": "g++ 13.1.0"}, {"flags": "-O2"}, {"size": 19}, {"variant": "hashed"}])
def test_compare__another_compiler_flag_size_or_variant_is_no_yardstick(other):
    (comparison,) = compare_rows([row(99_000)], [row(20_000, **other)])
    assert comparison.committed is None
    assert not comparison.failed


def test_update__keeps_the_rows_of_other_compilers_and_replaces_its_own(tmp_path):
    path = tmp_path / "bench" / "board.json"
    update_rows(path, [row(20_000), row(30_000, compiler="clang++ 17")])
    update_rows(path, [row(19_000)])
    assert {(r.compiler, r.instructions) for r in read_rows(path)} == {("g++ 12.2.0", 19_000), ("clang++ 17", 30_000)}


def test_update__leaves_this_machines_clock_out(tmp_path):
    path = tmp_path / "board.json"
    update_rows(path, [row()])
    assert [entry["playouts_per_s"] for entry in json.loads(path.read_text())] == [None]


def test_read__a_missing_file_has_no_rows_and_a_broken_one_is_an_error(tmp_path):
    assert read_rows(tmp_path / "none.json") == []
    (tmp_path / "broken.json").write_text("[{]")
    with pytest.raises(BenchError, match=r"broken\.json is not a list of benchmark rows"):
        read_rows(tmp_path / "broken.json")


def test_measure__start_up_cancels_out_of_the_count(monkeypatch, tmp_path):
    monkeypatch.setattr(board, "_program", lambda: program(tmp_path, FAKE_PROGRAM))
    monkeypatch.setattr(board, "has_valgrind", lambda: True)
    monkeypatch.setattr(board, "_count", lambda _path, _size, _variant, playouts: 1_000_000 + 20_000 * playouts)
    steps = []
    (measured,) = measure_board(sizes=[9], variants=["light"], playouts=100, on_step=steps.append)
    assert measured.instructions == 20_000
    assert measured.playouts_per_s == 10_000.0
    assert steps == [1, 2]


def test_measure__without_valgrind_there_is_speed_and_no_count(monkeypatch, tmp_path):
    monkeypatch.setattr(board, "_program", lambda: program(tmp_path, FAKE_PROGRAM))
    monkeypatch.setattr(board, "has_valgrind", lambda: False)
    (measured,) = measure_board(sizes=[9], variants=["light"])
    assert measured.instructions is None
    assert measured.playouts_per_s == 10_000.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#!/bin/sh\necho no\n", "printed something unexpected"),
        ("#!/bin/sh\necho 'unknown size 9' >&2; exit 2\n", "exit code 2: unknown size 9"),
        ("#!/bin/sh\nkill -ILL $$\n", "x86-64-v3"),
        ("not a program", "cannot be run here"),
    ],
)
def test_measure__a_program_that_fails_is_one_clear_error(monkeypatch, tmp_path, text, message):
    monkeypatch.setattr(board, "_program", lambda: program(tmp_path, text))
    with pytest.raises(BenchError, match=re.escape(message)):
        measure_board(sizes=[9], variants=["light"])


def test_measure__the_real_program_plays_uniform_playouts_of_the_known_length():
    try:
        board._program()
    except BenchError as error:
        pytest.skip(str(error))
    try:
        rows = [board._row(board._time(board._program(), 9, variant, 4_000), None) for variant in board.VARIANTS]
    except BenchError as error:
        pytest.skip(str(error))
    assert len({measured.moves for measured in rows}) == 1  # what is kept track of does not change what is played
    assert rows[0].moves == pytest.approx(111.15, rel=0.02)  # a flood-fill reference: 111.15 +- 0.11


def test_signature__is_sixteen_hex_digits_and_the_one_that_is_committed():
    """As `scripts/check` compares it; what is committed came from another run, and often from another machine."""
    found = signature()
    assert re.fullmatch(r"[0-9a-f]{16}", found)
    assert found == (Path(__file__).parents[1] / "bench" / "signature.txt").read_text().strip()
