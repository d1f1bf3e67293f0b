"""One random game three times: as it is, with exchanged colours, and mirrored at the main diagonal."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import strategies as st

from tesuji.go import CHINESE, NEW_ZEALAND, Board, Color


class TwinGames(NamedTuple):
    """Boards after the same moves."""

    board: Board
    other: Board  # colours exchanged
    mirror: Board

    def mirrored(self, move: int) -> int:
        """A move of `board` as `mirror` has it."""
        width, height = self.board.width, self.board.height
        return move if move == self.board.pass_move else move % width * height + move // width


@st.composite
def twin_games(draw: st.DrawFn) -> TwinGames:
    """Of up to 40 moves on boards of 1x1 to 7x7, with suicide and without."""
    width, height = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    rules = draw(st.sampled_from([CHINESE, NEW_ZEALAND]))
    twins = TwinGames(*(Board(*size, rules=rules) for size in ((width, height), (width, height), (height, width))))
    twins.other.color_to_play = Color.WHITE
    for choice in draw(st.lists(st.integers(0, 2**16), max_size=40)):
        moves = twins.board.legal_moves(twins.board.color_to_play).tolist()
        move = moves[choice % len(moves)]
        twins.board.play(move)
        twins.other.play(move)
        twins.mirror.play(twins.mirrored(move))
    return twins
