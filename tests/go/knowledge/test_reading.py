"""Life and death read to the end: pictures in all turns and both colours, and the whole game tree as second opinion."""

from __future__ import annotations

import numpy as np
import pytest

from tesuji.go import Board, Color
from tesuji.go.knowledge.problem import framed
from tesuji.go.knowledge.reading import Outcome, read_chain

# The chain at stake is black (X) and holds the marked stone (#); white stands around it. What becomes of it if White
# moves first, and if Black does.
PICTURES: dict[str, tuple[str, Outcome, Outcome]] = {
    "three in a row": (
        """
        . . . X O .
        # X X X O .
        O O O O O .
        . . . . . .
        """,
        "dead",
        "alive",
    ),
    "four in a row": (
        """
        . . . . X O .
        # X X X X O .
        O O O O O O .
        . . . . . . .
        """,
        "alive",
        "alive",
    ),
    "two points are one eye": (
        """
        . . X O .
        # X X O .
        O O O O .
        . . . . .
        """,
        "dead",
        "dead",
    ),
    "two eyes": (
        """
        . X . X O
        # X X X O
        O O O O O
        . . . . .
        """,
        "alive",
        "alive",
    ),
    "square four": (
        """
        O O O O O .
        O X X X X O
        O X . . X O
        O X . . X O
        O # X X X O
        O O O O O O
        . . . . . .
        """,
        "dead",
        "dead",
    ),
    "pyramid four": (
        """
        . . . X O .
        X . # X O .
        X X X O O .
        O O O O . .
        . . . . . .
        """,
        "dead",
        "alive",
    ),
    "bent three in the corner": (
        """
        . . X O .
        . X X O .
        # X O O .
        O O O . .
        . . . . .
        """,
        "dead",
        "alive",
    ),
    "three enemy stones in a row of five: seki": (
        """
        O X . O O O . X O
        O # X X X X X X O
        O O O O O O O O O
        . . . . . . . . .
        """,
        "seki",
        "seki",
    ),
    "the second eye is a ko": (
        """
        . X . X O .
        X # X O O .
        O O O O . .
        . . . . . .
        """,
        "ko",
        "ko",
    ),
}


def problem_of(picture: str, turn: int, swaps: bool) -> tuple[Board, int, list[int]]:
    signs = np.array([line.split() for line in picture.strip().splitlines()])
    signs = np.rot90(signs.T if turn >= 4 else signs, turn % 4)
    anchor = int(np.flatnonzero(signs.ravel() == "#")[0])
    stones = np.where(signs == "#", "X", signs)
    if swaps:
        stones = np.array([["OX."["XO.".index(sign)] for sign in row] for row in stones])
    board = Board.from_text("\n".join(" ".join(row) for row in stones))
    region, pending = {anchor}, [anchor]
    for point in pending:
        for other in board.neighbours(point):
            inner = board.color_at(other) not in (0, board.color_at(anchor)) and len(board.chain(other)) == 3
            if other not in region and (inner or board.color_at(other) in (0, board.color_at(anchor))):
                region.add(other)
                pending.append(other)
    return board, anchor, sorted(region)


@pytest.mark.parametrize("swaps", [False, True])
@pytest.mark.parametrize("turn", range(8))
@pytest.mark.parametrize("name", PICTURES)
def test_read_chain__shapes_of_eyes(name: str, turn: int, swaps: bool) -> None:
    picture, if_attacked, if_defended = PICTURES[name]
    board, anchor, region = problem_of(picture, turn, swaps)
    owner = Color(board.color_at(anchor))
    assert read_chain(board, anchor, region, owner.opponent).outcome == if_attacked
    assert read_chain(board, anchor, region, owner).outcome == if_defended


def test_read_chain__what_is_too_large_is_unknown() -> None:
    board = Board(9)
    board.play("E5")
    reading = read_chain(board, board.point("E5"), range(81), Color.WHITE, max_nodes=200)
    assert reading.outcome == "unknown"
    assert reading.line == []


def test_read_chain__without_a_stone_there_is_nothing_to_read() -> None:
    with pytest.raises(ValueError, match="no stone at E5"):
        read_chain(Board(9), 40, [], Color.BLACK)


def exhaustive(
    board: Board, anchor: int, region: list[int], mover: Color, owner: Color, passes: int, seen: tuple
) -> bool:  # type: ignore[type-arg]
    """Whether the chain is captured, by the whole game tree: simple ko, no repetition, eyes may be filled."""
    if board.color_at(anchor) != owner:
        return True
    if passes == 2:
        return False
    key = (board.grid.tobytes(), int(mover), board.ko, passes)
    for move in [*region, board.pass_move]:
        if not board.is_legal(move, mover):
            continue
        after = board.copy()
        after.play(move, mover)
        now = (after.grid.tobytes(), int(mover.opponent), after.ko, passes + 1 if move == board.pass_move else 0)
        if now in seen or now == key:
            continue
        captured = exhaustive(after, anchor, region, mover.opponent, owner, now[3], (*seen, key))
        if captured == (mover is not owner):
            return captured
    return mover is owner


@pytest.mark.parametrize("seed", range(40))
def test_read_chain__agrees_with_the_whole_game_tree(seed: int) -> None:
    rng = np.random.default_rng(seed)
    stones = rng.choice([".", "X", "."], size=(2, 3), p=[0.45, 0.45, 0.1])
    rows = [" ".join([*stones[0], "O", "."]), " ".join([*stones[1], "O", "."]), "O O O O .", ". . . . ."]
    if "X" not in stones or (stones == "X").sum() > 4:
        pytest.skip("no chain, or one without room")
    board = Board.from_text("\n".join(rows), rules="japanese")
    anchor = int(np.flatnonzero(board.grid.ravel() == Color.BLACK)[0])
    region = [row * 5 + column for row in range(2) for column in range(3)]
    for first in (Color.BLACK, Color.WHITE):
        reading = read_chain(board, anchor, region, first)
        if reading.outcome in ("ko", "unknown"):
            continue
        captured = exhaustive(board, anchor, region, first, Color.BLACK, 0, ())
        assert captured == (reading.outcome == "dead"), board


# Problems -------------------------------------------------------------------------------------------------------------


def test_framed__the_side_further_out_attacks_and_the_rest_of_the_board_is_its_own() -> None:
    board = Board(19)
    board.place(Color.WHITE, ["R2", "Q2", "P2", "P1"])
    board.place(Color.BLACK, ["O1", "O2", "O3", "P3", "Q3", "R3", "S3", "S2"])
    problem = framed(board)
    assert (problem.attacker, problem.defender) == (Color.BLACK, Color.WHITE)
    assert board.vertex(problem.anchor) in ("R2", "Q2", "P2", "P1")
    assert problem.board.color_at(board.point("K11")) == Color.BLACK
    assert {board.point(vertex) for vertex in ("Q1", "R1", "S1")} <= set(problem.region)
    assert framed(board, board.point("S2")).attacker is Color.WHITE


def test_framed__a_problem_needs_both_colours() -> None:
    with pytest.raises(ValueError, match="both colours"):
        framed(Board(9))
