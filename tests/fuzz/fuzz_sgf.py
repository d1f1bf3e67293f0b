"""Coverage-guided fuzzing of the SGF reader, by hand; not part of the tests.

    pip install atheris
    python tests/fuzz/fuzz_sgf.py -max_total_time=300 CORPUS_FOLDER

Any bytes must be read or refused with SgfError, and what is read must come back the same when it is written.
A crash found becomes a line of tests/go/records/test_sgf.py.
"""

from __future__ import annotations

import itertools
import sys

import atheris

with atheris.instrument_imports(include=["tesuji"]):
    from tesuji.go.records.sgf import SgfError, load, read_games, to_sgf

MAX_LINES = 8


def read(data: bytes) -> None:
    """Ask all that can be asked of a file."""
    message = ""
    games = []
    try:
        for record in itertools.islice(read_games(data, on_error=lambda _: None), MAX_LINES):
            assert len(record.comments) <= len(record.nodes)
            for line in itertools.islice(record.lines(), MAX_LINES):
                games.append((line, line.replay()))
                assert sum(1 for _ in line.boards()) == len(line.moves) + 1
    except SgfError as error:
        message = str(error)
    assert len(message) < 400, message
    for line, board in games:
        again = load(to_sgf(board, black=line.black, result=line.result, comments=line.comments)).replay()
        assert again == board, "written and read again, the game is another one"


def main() -> None:
    """Fuzz until the time is up."""
    atheris.Setup(sys.argv, read)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
