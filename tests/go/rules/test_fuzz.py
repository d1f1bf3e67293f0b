"""Random and damaged input: GTP and SGF answer with their documented errors, and a refused command changes nothing.

`tests/fuzz` holds the targets for long runs and for a coverage-guided fuzzer; what they find becomes a line of
`tests/go/gtp/test_gtp.py` or `tests/go/records/test_sgf.py`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from copy import copy
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from fuzz import fuzz_gtp
from tesuji.go.gtp import GtpServer
from tesuji.go.records.sgf import SgfError, load, read_games, to_sgf
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color

quick = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

COMMANDS = sorted(GtpServer(None, Board(5)).commands)  # type: ignore[arg-type]
VALID_LINES = [
    b"boardsize 5",
    b"boardsize 3 7",
    b"clear_board",
    b"komi 6.5",
    b"play b C3",
    b"play white d2",
    b"play b pass",
    b"genmove b",
    b"12 genmove white",
    b"reg_genmove w",
    b"undo",
    b"showboard # please",
    b"boardsize 9",
    b"fixed_handicap 4",
    b"place_free_handicap 3",
    b"set_free_handicap A1 B2 C3",
    b"final_score",
    b"final_status_list dead",
    b"final_status C3",
    b"time_settings 300 30 5",
    b"time_left b 10 2",
    b"kgs-rules japanese",
    b"known_command play",
    b"printsgf",
    b"loadsgf game.sgf 3",
    b"printsgf out.sgf",
]
GAME = (
    b"(;GM[1]FF[4]CA[UTF-8]SZ[5:4]KM[5.5]HA[2]RU[NZ]PB[M\xc3\xbcller \\]]AB[aa:bb][ee]AW[cc]AE[dd]PL[W]C[a (b; c]"
    b";W[ca](;B[db];W[];B[tt])(;AE[ca]B[da];W[dc]))"
)


class FirstMove:
    """An engine that answers at once."""

    def genmove(self, board: Board, color: Color, **_: object) -> int:
        return int(board.legal_moves(color)[0])


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[None]:
    """Let the file commands loose in a folder of their own."""
    before = Path.cwd()
    os.chdir(tmp_path)
    Path("game.sgf").write_bytes(b"(;SZ[5];B[aa];W[bb];B[cc])")
    yield
    os.chdir(before)


@st.composite
def damaged(draw: st.DrawFn, originals: list[bytes]) -> bytes:
    """One of the originals with a few bytes replaced, dropped, doubled or cut off."""
    data = bytearray(draw(st.sampled_from(originals)))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(data)))
        until = draw(st.integers(at, min(len(data), at + 8)))
        data[at:until] = draw(st.one_of(st.binary(max_size=4), st.just(bytes(data[at:until]) * 2), st.just(b"")))
    return bytes(data)


words = st.one_of(
    st.sampled_from(COMMANDS),
    st.sampled_from(
        ["b", "W", "C3", "I5", "Z25", "pass", "0", "-1", "9", "5.5", "1e9", "nan", "dead", "game.sgf", "1" * 50]
    ),
    st.text(max_size=8),
)
gtp_lines = st.one_of(
    damaged(VALID_LINES),
    st.lists(words, max_size=5).map(lambda line: " ".join(line).encode("utf-8", "surrogatepass")),
    st.binary(max_size=40),
).filter(lambda line: b"/" not in line and b".." not in line)  # stay in the folder


def state(gtp: GtpServer) -> tuple[object, ...]:
    return gtp.board.copy(), {color: copy(clock) for color, clock in gtp.clocks.items()}, gtp.is_done


def test_gtp__lines_of_every_command_with_other_words_and_bytes() -> None:
    fuzz_gtp.run(3000, seed=1)


def test_gtp__the_fuzzer_knows_every_command() -> None:
    tried = {line.split()[-1 if line.startswith(b"# ") else 0].decode() for line in fuzz_gtp.GOOD + fuzz_gtp.RARE}
    numbered = {"12", "interrupt"}
    assert tried - numbered == set(GtpServer(fuzz_gtp.QuickEngine(), Board(5)).commands) - {"quit"}


@quick
@given(st.lists(gtp_lines, max_size=12))
@example([b"play b C3", b"play b C3"])
@example([b"set_free_handicap A1 pass"])
def test_gtp__any_lines_get_replies_and_a_refusal_changes_nothing(lines: list[bytes]) -> None:
    gtp = GtpServer(FirstMove(), Board(5))
    for line in lines:
        before = state(gtp)
        reply = gtp.reply(line)
        assert reply == b"" or (reply[:1] in (b"=", b"?") and reply.endswith(b"\n\n") and b"\n\n" not in reply[:-2])
        assert b"internal error" not in reply
        if not reply.startswith(b"="):
            assert state(gtp) == before


def read(data: bytes) -> str:
    """Ask all that can be asked of a file; return the reason if it is refused."""
    reason = ""
    games = []
    try:
        for record in read_games(data, on_error=lambda _: None):
            assert len(record.comments) <= len(record.nodes)
            for line in record.lines():
                games.append((line, line.replay()))
                assert sum(1 for _ in line.boards()) == len(line.moves) + 1
    except SgfError as error:
        reason = str(error)
    for line, board in games:
        again = load(to_sgf(board, black=line.black, result=line.result, comments=line.comments)).replay()
        assert again == board
    return reason


@quick
@given(st.one_of(damaged([GAME]), damaged([GAME, GAME + GAME]), st.binary(max_size=60)))
@example(GAME)
def test_sgf__any_bytes_are_read_or_refused(data: bytes) -> None:
    assert len(read(data)) < 400


properties = st.sampled_from(
    ["B", "W", "AB", "AW", "AE", "PL", "C", "SZ", "KM", "HA", "RU", "CA", "PB", "FF", "GM", "XY"]
)
values = st.one_of(
    st.sampled_from(
        [b"aa", b"bb", b"cc", b"dd", b"ab:cc", b"", b"tt", b"B", b"5", b"4:5", b"6.5", b"2", b"Japanese", b"UTF-8"]
    ),
    st.binary(max_size=5),
)
nodes = st.dictionaries(properties, st.lists(values, min_size=1, max_size=3), max_size=4).map(
    lambda node: b";" + b"".join(name.encode() + b"".join(b"[" + v + b"]" for v in some) for name, some in node.items())
)
trees = st.recursive(
    st.lists(nodes, min_size=1, max_size=4).map(b"".join),
    lambda below: st.tuples(nodes, st.lists(below, max_size=3)).map(
        lambda parts: parts[0] + b"".join(b"(" + part + b")" for part in parts[1])
    ),
    max_leaves=8,
).map(lambda tree: b"(" + tree + b")")


@quick
@given(trees)
def test_sgf__trees_of_odd_properties_are_read_or_refused(data: bytes) -> None:
    assert len(read(data)) < 400
