"""Features of Go moves: each level in a picture, distances and lines by their formulas, shapes against a plain reader.

In pictures `*` is the move that is asked about; X moves, unless `x` or `o` is the stone that moved last. Every picture
is also turned, mirrored and asked with exchanged colours.
"""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from go.playout_pictures import board_of, forms, marked
from go.twin_games import TwinGames, twin_games
from tesuji._core import go as native
from tesuji.go import NEW_ZEALAND, Board, Color, Rules
from tesuji.go.knowledge.features import LEVELS, move_features, shape_from_text, shape_to_text, turned_shapes

SIZES = {"1": 1, "2": 2, "3+": 3}


def levels_of(board: Board, move: int) -> list[str]:
    """The names of a move's levels, in the order of `LEVELS`."""
    return [LEVELS[level] for level in sorted(move_features(board, [move]).levels[0].tolist()) if level >= 0]


def level_of(block: str, board: Board, move: int) -> str | None:
    """Which level of a block a move has."""
    found = [name for name in levels_of(board, move) if name.startswith(f"{block} ")]
    assert len(found) <= 1, f"{found} are of one block"
    return found[0] if found else None


def shape_of(board: Board, move: int) -> int:
    return int(move_features(board, [move]).shapes[0])


def assert_level(block: str, expected: str | None, picture: str) -> None:
    for signs, me in forms(picture):
        board = board_of(signs, me)
        assert level_of(block, board, marked(signs)[0]) == expected, board.to_text()


# Names ----


def test_levels__are_all_different_and_as_many_as_the_core_has() -> None:
    assert len(set(LEVELS)) == len(LEVELS) == sum(native.block_levels())


# Captures ----


def row(sign: str, stones: int, end: str) -> str:
    return f"{sign} " * stones + end


def saves(n: int) -> str:
    """The stones above the chain are in atari themselves."""
    return f"""
        . O {row("X", n, ". . .")}
        . X {row("O", n, "* . .")}
        . . {row("X", n, ". . .")}
        """


def takes_last(n: int) -> str:
    return f"""
        . {row("X", n, ". . .")}
        X {row("O", n - 1, "o * . .")}
        . {row("X", n, ". . .")}
        . {row(".", n, ". . .")}
        """


def takes_other(n: int) -> str:
    return takes_last(n).replace("o", "O")


def takes_caught(n: int) -> str:
    """On the edge, where it would not get away."""
    return f"""
        . {row(".", n, ". . .")}
        X {row("X", n, ". . .")}
        {row("O", n, "* . . .")}
        """


CAPTURES = {"saves": saves, "last": takes_last, "other": takes_other, "caught": takes_caught}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", CAPTURES)
def test_capture__by_kind_and_stones(kind: str, size: str) -> None:
    assert_level("capture", f"capture {kind} {size}", CAPTURES[kind](SIZES[size]))


def test_capture__counts_three_stones_at_most() -> None:
    assert_level("capture", "capture other 3+", takes_other(5))


def test_capture__saving_own_stones_comes_before_all_else() -> None:
    """A chain that moved last and could not run, beside own stones in atari; then of two chains the one that saves."""
    assert_level("capture", "capture saves 1", saves(1).replace("X O *", "X o *"))
    both = """
        . O X . X X .
        . X O * O O X
        . . X . X X .
        """
    assert_level("capture", "capture saves 1", both)


def test_capture__of_two_chains_of_one_kind_the_larger_counts() -> None:
    both = """
        . . . . . . . .
        . X . X X . . .
        X O * O O X . .
        . X . X X . . .
        . . . . . . . .
        """
    assert_level("capture", "capture caught 2", both)


@pytest.mark.parametrize(
    "picture",
    [
        """
        . X . . .
        X O . * .
        . X . . .
        """,
        """
        . X . . .
        . O * . .
        . X . . .
        """,
        """
        . O . . .
        O X * . .
        . O . . .
        """,
    ],
    ids=["beside the liberty", "two liberties", "own stones"],
)
def test_capture__only_at_the_last_liberty_of_an_enemy_chain(picture: str) -> None:
    assert_level("capture", None, picture)


# Escapes ----


def escape_free(n: int) -> str:
    return f"""
        . . {row("O", n, ". . .")}
        . O {row("X", n, "* . .")}
        . . {row("O", n, ". . .")}
        """


def escape_caught(n: int) -> str:
    return f"""
        . {row(".", n, ". . .")}
        O {row("O", n, ". . .")}
        {row("X", n, "* . . .")}
        """


LADDER_TO_RUN_INTO = """
    . . . . . . . . .
    . . . . . . . . .
    . . O O . . . . .
    . O X * . . . . .
    . . O . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    """


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("end", ["free", "caught"])
def test_escape__by_where_it_leads_and_stones(end: str, size: str) -> None:
    pictures = {"free": escape_free, "caught": escape_caught}
    assert_level("escape", f"escape {end} {size}", pictures[end](SIZES[size]))


def test_escape__into_a_ladder_is_caught_unless_the_ladder_is_broken() -> None:
    assert_level("escape", "escape caught 1", LADDER_TO_RUN_INTO)
    broken = LADDER_TO_RUN_INTO.replace(". . O . . . . . .", ". . O . X . . . .")
    assert_level("escape", "escape free 1", broken)


def test_escape__that_captures_has_both() -> None:
    picture = """
        . X . O .
        X O * X O
        . X . O .
        """
    assert_level("escape", "escape free 1", picture)
    assert_level("capture", "capture other 1", picture)


def test_escape__of_two_chains_the_larger_counts() -> None:
    picture = """
        . O . O O . .
        O X * X X O .
        . O . O O . .
        . . . . . . .
        """
    assert_level("escape", "escape caught 2", picture)


def test_escape__not_where_no_own_chain_is_in_atari() -> None:
    assert_level("escape", None, escape_free(1).replace(". O X *", ". . X *"))


# Ataris ----


def atari_free(n: int) -> str:
    return f"""
        . . {row(".", n, ". . .")}
        . . {row("X", n, ". . .")}
        . . {row("O", n, "* . .")}
        . . {row("X", n, ". . .")}
        . . {row(".", n, ". . .")}
        """


def atari_caught(n: int) -> str:
    return f"""
        . . {row(".", n, ". . .")}
        . . {row(".", n, ". . .")}
        . . {row("X", n, ". . .")}
        . . {row("O", n, "* . .")}
        """


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("end", ["free", "caught"])
def test_atari__by_where_the_chain_gets_and_stones(end: str, size: str) -> None:
    pictures = {"free": atari_free, "caught": atari_caught}
    assert_level("atari", f"atari {end} {size}", pictures[end](SIZES[size]))


@pytest.mark.parametrize(
    "picture",
    [
        """
        . . . . .
        X . . . .
        O * O . .
        """,
        takes_other(1),
        """
        . . . . .
        . . O * .
        . . X . .
        . . . . .
        """,
    ],
    ids=["a self-atari that threatens", "a capture", "three liberties"],
)
def test_atari__does_not_count(picture: str) -> None:
    assert_level("atari", None, picture)


# Self-ataris ----


@pytest.mark.parametrize("size", SIZES)
def test_self_atari__by_stones(size: str) -> None:
    n = SIZES[size] - 1
    picture = f"""
        * {row("X", n, "O . .")}
        . {row("O", n, ". . .")}
        . {row(".", n, ". . .")}
        """
    assert_level("self-atari", f"self-atari {size}", picture)


@pytest.mark.parametrize("picture", [takes_other(1), atari_free(1), ". . .\n. * .\n. . ."])
def test_self_atari__not_where_two_liberties_or_a_capture_are(picture: str) -> None:
    assert_level("self-atari", None, picture)


def test_self_atari__suicide_counts_where_it_is_legal() -> None:
    board = Board.from_text(". X O\nO O O\n. . .", rules=NEW_ZEALAND, to_play=Color.BLACK)
    assert level_of("self-atari", board, 0) == "self-atari 2"


# Urgent answers ----

NAKADE = """
    O . * . O .
    O O O o O .
    . . . . . .
    . . . . . .
    """
LOW_LIBERTIES = """
    . . . . . .
    . . . . . .
    . . X X . .
    . * o . . .
    """


def test_urgent__what_playouts_would_answer_to_the_last_move() -> None:
    assert_level("urgent", "urgent nakade", NAKADE)
    assert_level("urgent", "urgent low-liberties", LOW_LIBERTIES)


@pytest.mark.parametrize("picture", [NAKADE, LOW_LIBERTIES])
def test_urgent__not_without_a_last_move_or_elsewhere(picture: str) -> None:
    assert_level("urgent", None, picture.replace("o", "O"))
    assert_level("urgent", None, re.sub(r"\.$", "*", picture.replace("*", ".").rstrip()))


# Distances ----


def named_distance(board: Board, a: int, b: int) -> str:
    rows, columns = abs(a // board.width - b // board.width), abs(a % board.width - b % board.width)
    distance = max(2, rows + columns + max(rows, columns))
    return "17+" if distance >= 17 else str(distance)


@pytest.mark.parametrize(("width", "height"), [(9, 9), (19, 19), (13, 5), (7, 7)])
@pytest.mark.parametrize("place", [0.0, 0.3, 0.99])
def test_distance__to_the_last_two_moves_by_the_formula(width: int, height: int, place: float) -> None:
    board = Board(width, height)
    first = int(place * board.num_points)
    second = (first + board.num_points // 2) % board.num_points
    board.play(first)
    board.play(second)
    seen = set()
    for move in board.legal_moves(board.color_to_play).tolist()[:-1]:
        assert level_of("last-distance", board, move) == f"last-distance {named_distance(board, move, second)}"
        assert level_of("own-distance", board, move) == f"own-distance {named_distance(board, move, first)}"
        seen.add(level_of("last-distance", board, move))
    assert len(seen) > 5


def test_distance__there_is_none_to_a_pass_or_to_a_move_that_was_not_made() -> None:
    board = Board(9)
    blocks = ("last-distance", "own-distance", "fate-distance")
    assert [level_of(block, board, 40) for block in blocks] == [None, None, None]
    board.play(41)
    assert [level_of(block, board, 40) for block in blocks] == ["last-distance 2", None, "fate-distance 1"]
    board.play("pass")
    assert [level_of(block, board, 40) for block in blocks] == [None, "own-distance 2", None]
    board.play("pass")
    assert [level_of(block, board, 40) for block in blocks] == [None, None, None]


@pytest.mark.parametrize(
    ("distance", "line"),
    [
        ("1", ". o * . . . . . ."),
        ("2", ". o . * . . . . ."),
        ("3", ". o . . * . . . ."),
        ("4+", ". o . . . * . . ."),
        ("4+", ". o . . . . * . ."),
        ("1", ". o O O O O * . ."),
        ("2", ". o X X X X * . ."),
        ("3", ". o . X X X * . ."),
        ("3", ". o . O O O * . ."),
        ("2", ". o . O . . . . .\n. . * . . . . . ."),
    ],
    ids=[
        "beside",
        "2",
        "3",
        "4",
        "5",
        "along its chain",
        "across a chain",
        "a point and a chain",
        "not its chain",
        "round a corner",
    ],
)
def test_fate_distance__a_chain_is_one_step(distance: str, line: str) -> None:
    empty = ". . . . . . . . ."
    assert_level("fate-distance", f"fate-distance {distance}", f"{empty}\n{line}\n{empty}")


def test_fate_distance__is_none_at_the_point_of_the_last_move_itself() -> None:
    """White killed its own stone at A3, and black asks for the same point."""
    board = Board.from_text(". X .\nX . .\n. . .", rules=NEW_ZEALAND, to_play=Color.WHITE)
    board.play("A3")
    assert level_of("fate-distance", board, 0) == "fate-distance 0"
    assert level_of("last-distance", board, 0) == "last-distance 2"


# Lines ----


def line_name(board: Board, move: int, stones: set[int]) -> str:
    r, c = divmod(move, board.width)
    line = 1 + min(r, c, board.height - 1 - r, board.width - 1 - c, 4)
    near = any(abs(p // board.width - r) <= 2 and abs(p % board.width - c) <= 2 for p in stones)
    small = max(board.width, board.height) <= 11
    return f"line {line}{'+' * (line == 5)} {'near' if near else 'open'} {'small' if small else 'large'}"


@pytest.mark.parametrize(("width", "height"), [(9, 9), (11, 11), (12, 12), (19, 19), (13, 5), (5, 13), (7, 7), (1, 3)])
def test_line__by_stones_near_it_and_by_the_size_of_the_board(width: int, height: int) -> None:
    board = Board(width, height)
    stones: set[int] = set()
    for place in (None, 0, board.num_points // 2):
        if place is not None:
            board.play(place)
            stones.add(place)
        for move in board.legal_moves(board.color_to_play).tolist()[:-1]:
            assert level_of("line", board, move) == line_name(board, move, stones)


def test_line__every_level_was_met() -> None:
    met = set()
    for size in (9, 13):
        for stone in (0, 4 * size + 3, size * size // 2 - 1):
            board = Board(size)
            board.play(stone)
            met |= {level_of("line", board, move) for move in board.legal_moves(board.color_to_play).tolist()[:-1]}
    assert met == {name for name in LEVELS if name.startswith("line ")}


# Shapes ----


def shape_text(board: Board, move: int) -> str:
    """The shape around a point, read off the board sign by sign."""
    r, c = divmod(move, board.width)
    me = board.color_to_play

    def sign(row: int, column: int) -> str:
        if not (0 <= row < board.height and 0 <= column < board.width):
            return "#"
        color = board.color_at(row * board.width + column)
        return "." if color == 0 else "X" if color == me else "O"

    spans = ((-2, 0), (-1, 1), (0, 2), (1, 1), (2, 0))
    rows = ["".join(sign(r + down, c + right) for right in range(-span, span + 1)) for down, span in spans]
    rows[2] = f"{rows[2][:2]}*{rows[2][3:]}"
    return "/".join(rows)


@given(
    size=st.sampled_from([(9, 9), (7, 7), (13, 5), (5, 13), (2, 3), (1, 1), (1, 6), (12, 12)]),
    choices=st.lists(st.integers(0, 2**16), max_size=60),
)
@settings(max_examples=60, deadline=None)
def test_shape__is_what_stands_around_the_move(size: tuple[int, int], choices: list[int]) -> None:
    board = Board(*size)
    for choice in choices:
        moves = board.legal_moves(board.color_to_play).tolist()
        board.play(moves[choice % len(moves)])
    for move in board.legal_moves(board.color_to_play).tolist():
        if move != board.pass_move:
            assert shape_to_text(shape_of(board, move)) == shape_text(board, move)


@pytest.mark.parametrize(
    ("width", "height", "move", "text"),
    [
        (9, 9, 0, "#/###/##*../#../."),
        (9, 9, 1, "#/###/#.*../.../."),
        (9, 9, 10, "#/.../#.*../.../."),
        (9, 9, 20, "./.../..*../.../."),
        (7, 7, 48, "./..#/..*##/###/#"),
        (13, 5, 64, "./..#/..*##/###/#"),
        (1, 1, 0, "#/###/##*##/###/#"),
        (2, 1, 0, "#/###/##*.#/###/#"),
    ],
)
def test_shape__behind_the_edge_everything_is_off_the_board(width: int, height: int, move: int, text: str) -> None:
    rules = Rules(
        name="any", scoring="area", ko="simple", suicide=True, pass_stones=False, handicap_bonus="none", komi=0.0
    )
    board = Board(width, height, rules=rules)
    if board.is_legal(move):
        assert shape_to_text(shape_of(board, move)) == text
    assert shape_text(board, move) == text


@given(shape=st.integers(0, 2**24 - 1))
@settings(max_examples=300, deadline=None)
def test_text__of_a_shape_reads_back_as_the_same(shape: int) -> None:
    text = shape_to_text(shape)
    assert [len(row) for row in text.split("/")] == [1, 3, 5, 3, 1]
    assert shape_from_text(text) == shape


def test_text__has_a_place_of_its_own_for_every_field() -> None:
    texts = {shape_to_text(value << (2 * field)) for field in range(12) for value in (1, 2, 3)}
    assert len(texts) == 36
    assert all(len(re.findall("[XO#]", text)) == 1 for text in texts)
    assert shape_to_text(0) == "./.../..*../.../."


@pytest.mark.parametrize(
    "text",
    ["", "*", "./.../..*../...", "./.../..X../.../.", "./.../.*.../.../.", "./.../..*.x/.../.", "./.../..*../.../. ."],
)
def test_text__that_is_no_shape_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="this is not a shape; write rows of 1, 3, 5, 3 and 1 signs"):
        shape_from_text(text)


def test_turned_shapes__are_the_shapes_of_turned_boards() -> None:
    picture = """
        . X . . . .
        O . . X . .
        . X * . O .
        . . O . . .
        . . X . . .
        """
    expected = None
    for signs, me in forms(picture):
        shape = shape_of(board_of(signs, me), marked(signs)[0])
        turned = turned_shapes(np.array([shape], dtype=np.int64))[:, 0].tolist()
        assert turned[0] == shape
        expected = expected or set(turned)
        assert set(turned) == expected
    assert expected is not None
    assert len(expected) == 8


# All features together ----


@given(twins=twin_games())
@settings(max_examples=60, deadline=None)
def test_features__are_the_same_for_exchanged_colours_and_mirrored_boards(twins: TwinGames) -> None:
    board, other, mirror = twins
    for move in set(board.legal_moves(board.color_to_play).tolist()) - {board.pass_move}:
        assert levels_of(other, move) == levels_of(board, move) == levels_of(mirror, twins.mirrored(move))
        assert shape_of(other, move) == shape_of(board, move)
        assert shape_of(mirror, twins.mirrored(move)) in turned_shapes(
            np.array([shape_of(board, move)], dtype=np.int64)
        )


def test_features__of_many_moves_are_those_of_each() -> None:
    board = Board(9)
    for move in ("E5", "E4", "D4", "F5", "D5"):
        board.play(move)
    moves = board.legal_moves(board.color_to_play).tolist()[:-1]
    found = move_features(board, moves)
    assert found.shapes.shape == (len(moves),)
    assert found.levels.shape == (len(moves), len(native.block_levels()))
    for i, move in enumerate(moves):
        assert (found.levels[i] == move_features(board, [move]).levels[0]).all()
        assert found.shapes[i] == shape_of(board, move)
    assert move_features(board, []).shapes.shape == (0,)


@pytest.mark.parametrize("move", [-1, 40, 81, 82, 10**6])
def test_features__only_legal_points_have_any(move: int) -> None:
    board = Board(9)
    board.play(40)
    with pytest.raises(ValueError, match=f"move {move} has no features; give legal points, without pass"):
        move_features(board, [0, move])
