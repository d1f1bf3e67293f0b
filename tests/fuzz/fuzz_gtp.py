"""Random and damaged lines for the GTP server, by hand; a short run is part of the tests.

    python tests/fuzz/fuzz_gtp.py --lines 10000000 --seed 1
    python tests/fuzz/fuzz_gtp.py --coverage CORPUS_FOLDER -max_total_time=300     coverage-guided, needs atheris

The engine answers at once, so the protocol is all that is tried. Every line must get a well-formed reply, none an
internal error, nothing else may be printed, and a refused command must leave the game as it was. A line that fails is
printed and becomes a line of tests/go/gtp/test_gtp.py.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

if "--coverage" in sys.argv:
    import atheris

    with atheris.instrument_imports(include=["tesuji"]):
        from go.quick_engine import QuickEngine
        from tesuji.go.gtp import GtpServer
        from tesuji.go.rules.board import Board
else:
    from go.quick_engine import QuickEngine
    from tesuji.go.gtp import GtpServer
    from tesuji.go.rules.board import Board

GAME_LINES = 40
"""Lines of a conversation, before another one begins."""
FILES_KEPT = 1000
GAME = b"(;SZ[5];B[aa];W[bb];B[cc])"
GOOD = [
    b"boardsize 5", b"boardsize 3 4", b"rectangular_boardsize 4 3", b"clear_board", b"komi 6.5", b"play b C3",
    b"play white d2", b"play b pass", b"play w pass", b"genmove b", b"12 genmove white", b"reg_genmove w", b"undo",
    b"gg-undo 2", b"showboard # please", b"boardsize 7", b"fixed_handicap 4", b"place_free_handicap 3",
    b"set_free_handicap A1 B2 C3", b"set_position b A1 w B2 b C3", b"gogui-setup b A1 w B2 e C3",
    b"gogui-setup_player w", b"gogui-play_sequence b A1 w A2 b pass", b"time_settings 300 30 5", b"time_left b 10 2",
    b"kgs-time_settings byoyomi 300 30 5", b"kgs-time_settings none", b"kata-time_settings fischer 60 5",
    b"kata-time_settings fischer-capped 60 5 90 -1", b"kata-list_time_settings", b"kgs-rules japanese",
    b"kata-set-rules tromp-taylor", b'kata-set-rules {"ko":"SIMPLE","suicide":true}', b"kata-get-rules",
    b"scoring_system territory", b"kgs-chat game me hello", b"kgs-game_over", b"known_command play", b"list_commands",
    b"name", b"version", b"protocol_version", b"stop", b"cputime", b"gomill-cpu_time", b"gomill-describe_engine",
    b"gomill-explain_last_move", b"gomill-genmove_ex b claim", b"gomill-genmove_ex", b"printsgf", b"printsgf out.sgf",
    b"loadsgf game.sgf 3", rb"gomill-savesgf out.sgf PB=A\_B RE=W+3.5", b"gogui-analyze_commands", b"gogui-title",
    b"gogui-version 1.5", b"gogui-interrupt", b"gogui-sigint", b"# interrupt", b"tesuji-winrate", b"tesuji-visits",
    b"tesuji-prior", b"tesuji-rave", b"tesuji-ownership", b"tesuji-criticality", b"tesuji-principal_variation",
    b"tesuji-search", b"tesuji-show verbose 0", b"param", b"param simulations 9", b"param seed 3",
    b"kata-get-param maxVisits", b"kata-set-param maxVisits 9", b"kata-list-params", b"clear_cache",
    b"cgos-opponent_name GnuGo", b"cgos-opponent_rating 1800?", b"cgos-gameover B+Resign", b"lz-analyze 10",
    b"lz-analyze b 1 minmoves 2 maxmoves 1", b"lz-analyze w interval 50 avoid w A1,B2 1 avoid b C3 5",
    b"kata-analyze b 50 ownership true rootInfo true", b"kata-analyze allow b A1,pass 1", b"kata-analyze pvVisits true",
    b"lz-genmove_analyze b 100000", b"kata-genmove_analyze w ownership true", b"kata-search_analyze b",
    b"cgos-genmove_analyze w", b"get_komi", b"kata-search b", b"kata-get-models", b"kata-set-rule ko SIMPLE",
    b"kata-get-params", b'kata-set-params {"maxVisits":9,"seed":2}', b"rectangular_boardsize 3:4", b"printsgf -",
]  # fmt: skip
RARE = [b"final_score", b"final_status_list dead", b"final_status C3", b"kgs-genmove_cleanup b", b"tesuji-groups"]
"""They play out games, which takes a thousand times as long as the others."""
WORDS = [
    b"b", b"W", b"green", b"C3", b"I5", b"Z25", b"pass", b"resign", b"0", b"1", b"-1", b"3", b"5", b"5.5", b"1e9",
    b"nan", b"dead", b"true", b"avoid", b"allow", b"ownership", b"interval", b"maxmoves", b"A1,B2,pass", b",", b"none",
    b"game.sgf", b"out.sgf", b"RE=0", b"{", b'{"ko":"SIMPLE"}', b"999999999", b"1" * 50, b"\xff\xfe", b"\xc3\xa4", b"#",
    b"",
]  # fmt: skip


def state(gtp: GtpServer) -> tuple[object, ...]:
    """All that a refused command must not change."""
    config = gtp.engine.config if isinstance(gtp.engine, QuickEngine) else None
    return gtp.board.copy(), dict(gtp.clocks), gtp.is_done, config


def check(gtp: GtpServer, line: bytes) -> None:
    """Answer one line and look at the reply."""
    before = state(gtp)
    reply = gtp.reply(line)
    assert not reply or (reply[:1] in (b"=", b"?") and reply.endswith(b"\n\n") and b"\n\n" not in reply[:-2]), reply
    assert b"internal error" not in reply, reply
    assert reply.startswith(b"=") or state(gtp) == before, "a refused command changed the game"


def stays_here(line: bytes) -> bool:
    """Whether no file outside the folder can be meant."""
    return b"/" not in line and b".." not in line


def random_line(dice: random.Random) -> bytes:
    """A good line, one with other words, or one with other bytes."""
    line = dice.choice(RARE) if dice.random() < 0.01 else dice.choice(GOOD)
    kind = dice.randrange(4)
    if kind == 0:
        return line
    if kind == 1:
        words = line.split()
        for _ in range(dice.choice((1, 1, 2, 5))):
            words.insert(dice.randrange(1, len(words) + 1), dice.choice(WORDS))
        return b" ".join(words)
    if kind == 2:
        return b" ".join((line.split()[0], *dice.choices(WORDS, k=dice.randrange(5))))
    return damaged(line, dice)


def damaged(line: bytes, dice: random.Random) -> bytes:
    """The same with some bytes changed, cut out or doubled; still one line."""
    data = bytearray(line)
    for _ in range(dice.choice((1, 1, 2, 8))):
        at = dice.randrange(len(data) + 1)
        end = min(len(data), at + dice.randrange(8))
        data[at:end] = dice.choice((dice.randbytes(dice.randrange(4)), bytes(data[at:end]) * 2, b"", b"\x00", b"\t"))
    return bytes(data).replace(b"\n", b" ")


def run(num_lines: int, seed: int) -> None:
    """Try so many lines; the one that fails is in the error."""
    dice = random.Random(seed)
    gtp, printed = GtpServer(QuickEngine(), Board(5)), io.StringIO()
    with own_folder(), contextlib.redirect_stdout(printed):
        for number in range(num_lines):
            if number % GAME_LINES == 0 or gtp.is_done:
                gtp = GtpServer(QuickEngine(), Board(5))
            if number % FILES_KEPT == FILES_KEPT - 1:
                tidy()
            line = random_line(dice)
            try:
                if stays_here(line):
                    check(gtp, line)
                assert not printed.getvalue(), "something was printed"
            except Exception as error:
                raise AssertionError(f"seed {seed}, line {number}: {line!r}") from error


@contextlib.contextmanager
def own_folder() -> Iterator[None]:
    """Be in a folder of one's own, because some commands write files."""
    with tempfile.TemporaryDirectory(prefix="fuzz-gtp-") as folder, contextlib.chdir(folder):
        Path("game.sgf").write_bytes(GAME)
        yield


def tidy() -> None:
    """Take away the files that commands have written, and lay out the game that they read."""
    for path in Path().iterdir():
        path.unlink()
    Path("game.sgf").write_bytes(GAME)


def talk(data: bytes) -> None:
    """Feed lines to a server, for a fuzzer that looks at coverage."""
    gtp = GtpServer(QuickEngine(), Board(5))
    for line in filter(stays_here, data.split(b"\n")[:GAME_LINES]):
        check(gtp, line)


def main() -> None:
    """Words of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--coverage", type=Path, metavar="CORPUS_FOLDER", help="let atheris choose the lines")
    said, others = parser.parse_known_args()
    if said.coverage:
        atheris.Setup([sys.argv[0], *others, str(said.coverage.resolve())], talk)
        with own_folder():
            atheris.Fuzz()
    began_s = time.perf_counter()
    run(said.lines, said.seed)
    wall_s = time.perf_counter() - began_s
    print(f"{said.lines:,} lines in {wall_s:.1f} s, {said.lines / wall_s:,.0f} a second; nothing found")


if __name__ == "__main__":
    main()
