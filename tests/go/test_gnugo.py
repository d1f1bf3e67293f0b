"""GNU Go 3.8 as a second opinion on counting: random 9x9 games played to the end, scored by both under Chinese rules.

The games are light playouts played on a `Board`, so they end with two passes and with no dame left but those of seki.
Our score takes off what `dead_stones` finds; GNU Go's is its `final_score`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator

import pytest

from tesuji.go import CHINESE, Board, dead_stones, play_randomly

NUM_GAMES = 200
GNUGO = shutil.which("gnugo", path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/games")

pytestmark = pytest.mark.skipif(GNUGO is None, reason="GNU Go is not installed (Debian: apt install gnugo)")


class GnuGo:
    """A running GNU Go that answers GTP commands."""

    def __init__(self) -> None:
        assert GNUGO is not None
        self.process = subprocess.Popen(
            [GNUGO, "--mode", "gtp", "--chinese-rules"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, *commands: str) -> str:
        """Sends commands and returns the answer to the last one."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("".join(f"{command}\n" for command in commands))
        self.process.stdin.flush()
        answer = ""
        for command in commands:
            lines = []
            while (line := self.process.stdout.readline()) != "\n":
                assert line, f"GNU Go ended at {command!r}"
                lines.append(line.rstrip("\n"))
            assert lines[0].startswith("="), f"GNU Go refuses {command!r}: {lines}"
            answer = "\n".join(lines)[1:].strip()
        return answer

    def load(self, board: Board) -> None:
        """Plays the moves of a board; GNU Go would refuse an illegal one."""
        moves = [f"play {color} {board.vertex(move)}" for color, move in board.moves]
        self.ask(f"boardsize {board.width}", "clear_board", f"komi {board.komi}", *moves)


@pytest.fixture(scope="module")
def gnugo() -> Iterator[GnuGo]:
    player = GnuGo()
    yield player
    player.ask("quit")
    player.process.wait(timeout=10)


def random_game(seed: int) -> Board:
    board = Board(9, rules=CHINESE, komi=7.5)
    play_randomly(board, seed)
    assert board.is_over
    return board


def margin_of(result: str) -> float:
    """Black's margin from ``B+3.5``, ``W+0.5`` or ``0``."""
    return 0.0 if result == "0" else float(result[2:]) * (1 if result[0] == "B" else -1)


def test_score__agrees_with_gnugo_on_random_games_played_to_the_end(gnugo: GnuGo) -> None:
    differences = []
    for seed in range(NUM_GAMES):
        board = random_game(seed)
        gnugo.load(board)
        theirs = gnugo.ask("final_score")
        dead = dead_stones(board)
        ours = board.score(dead)
        if ours.margin != margin_of(theirs):
            their_dead = gnugo.ask("final_status_list dead").split()
            their_seki = gnugo.ask("final_status_list seki").split()
            differences.append(
                f"game {seed}: ours {ours} with {[board.vertex(p) for p in dead]} dead, GNU Go {theirs} with "
                f"{their_dead} dead and {their_seki} in seki, as it stands {board.score()}\n{board.to_text()}"
            )
    rate = 1 - len(differences) / NUM_GAMES
    print(f"\n{NUM_GAMES} random 9x9 games: GNU Go agrees on {rate:.1%}", *differences, sep="\n\n")
    assert rate >= 0.98, "\n\n".join(differences)


def test_score__agrees_with_gnugo_before_dead_stones_are_taken_off(gnugo: GnuGo) -> None:
    """Tromp-Taylor counting of the same boards: stones and what they surround, nothing judged."""
    for seed in range(40):
        board = random_game(seed)
        if dead_stones(board):
            continue
        gnugo.load(board)
        assert board.score().margin == margin_of(gnugo.ask("final_score")), board
