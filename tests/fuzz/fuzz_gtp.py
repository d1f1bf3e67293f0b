"""Coverage-guided fuzzing of the GTP server, by hand; not part of the tests.

    pip install atheris
    python tests/fuzz/fuzz_gtp.py -max_total_time=300 CORPUS_FOLDER

Every line must get a well-formed reply, none an internal error, and a refused command must leave the game as it was.
A crash found becomes a line of tests/go/test_gtp.py.
"""

from __future__ import annotations

import os
import sys
import tempfile
from copy import copy
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["tesuji", "sgfmill"]):
    from tesuji.go.board import Board
    from tesuji.go.color import Color
    from tesuji.go.gtp import GtpServer

MAX_LINES = 40


class FirstMove:
    """An engine that answers at once."""

    def genmove(self, board: Board, color: Color, **_: object) -> int:
        """Take the first legal point."""
        return int(board.legal_moves(color)[0])


def state(gtp: GtpServer) -> tuple[object, ...]:
    """All that a refused command must not change."""
    return gtp.board.copy(), {color: copy(clock) for color, clock in gtp.clocks.items()}, gtp.is_done


def talk(data: bytes) -> None:
    """Feed the lines to a server."""
    gtp = GtpServer(FirstMove(), Board(5))
    for line in data.split(b"\n")[:MAX_LINES]:
        if b"/" in line or b".." in line:  # stay in the folder
            continue
        before = state(gtp)
        reply = gtp.reply(line)
        assert not reply or (reply[:1] in (b"=", b"?") and reply.endswith(b"\n\n") and b"\n\n" not in reply[:-2]), reply
        assert b"internal error" not in reply, reply
        assert reply.startswith(b"=") or state(gtp) == before, "a refused command changed the game"


def main() -> None:
    """Fuzz inside a folder of its own, because some commands write files."""
    folder = Path(sys.argv[-1]).resolve()
    if folder.is_dir():
        sys.argv[-1] = str(folder)
    os.chdir(tempfile.mkdtemp(prefix="fuzz-gtp-"))
    Path("game.sgf").write_bytes(b"(;SZ[5];B[aa];W[bb];B[cc])")
    atheris.Setup(sys.argv, talk)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
