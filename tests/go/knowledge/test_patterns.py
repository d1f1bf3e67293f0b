"""3x3 patterns: the reader and its errors, the table, and each pattern that comes with Tesuji as a picture.

The table is compared with a matcher written here once more, sign by sign. In pictures `*` is the point that is asked
about; every picture is also turned, mirrored and played with exchanged colours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tesuji.go import Board
from tesuji.go.knowledge.patterns import Pattern, expand, parse_patterns, standard_patterns
from tesuji.go.knowledge.playouts import PlayoutPolicy, candidates

EMPTY, BLACK, WHITE, OFF = range(4)
BOTH, ONLY_X, ONLY_O, NOBODY = 3, 1, 2, 0  # who should play, as the bits of the table

STANDARD = Path(__file__).parents[3] / "src" / "tesuji" / "go" / "knowledge" / "data" / "patterns.txt"

# The neighbours of a point in the order of a code's fields, from the low end.
FIELDS = ((1, 0), (1, 2), (0, 1), (2, 1), (0, 0), (0, 2), (2, 0), (2, 2))


def grid_of(code: int) -> NDArray[np.int64]:
    """The 3x3 neighbourhood of a code."""
    grid = np.zeros((3, 3), dtype=np.int64)
    for field, place in enumerate(FIELDS):
        grid[place] = code >> 2 * field & 3
    return grid


def code_of(grid: NDArray[np.int64]) -> int:
    return sum(int(grid[place]) << 2 * field for field, place in enumerate(FIELDS))


def turns(grid: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    for start in (grid, grid.T):
        for quarter in range(4):
            yield np.rot90(start, quarter)


def exchanged(grid: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.array([EMPTY, WHITE, BLACK, OFF])[grid]


# The reader ----


def test_parse_patterns__reads_signs_players_and_exceptions() -> None:
    text = """
        # a comment, and an empty one:
        #
        X plays
        XO?
        O.#
        x.o
        except
        XO?
        O.O
        ?.?
        except
        XO?
        O..
        ?O?

        ...
        ...
        ###
        """
    assert parse_patterns(text) == [
        Pattern(("XO?", "O.#", "x.o"), ("X",), (("XO?", "O.O", "?.?"), ("XO?", "O..", "?O?"))),
        Pattern(("...", "...", "###")),
    ]


def test_parse_patterns__an_edge_is_no_comment_and_a_comment_may_stand_inside_a_pattern() -> None:
    assert parse_patterns("?X?\n# the edge is below\no.O\n###") == [Pattern(("?X?", "o.O", "###"))]


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing here\n"])
def test_parse_patterns__a_text_without_patterns_has_none(text: str) -> None:
    assert parse_patterns(text) == []
    assert not expand([]).any()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("X@X\n...\n???", "mine.txt, line 1: it has another sign; use . X O # ? x o"),
        ("XOX\n. .\n???", "mine.txt, line 2: it has another sign; use . X O # ? x o"),
        ("# a comment\n\nXOX\n...\n??", "mine.txt, line 5: it has 2 signs; a line has three"),
        ("XOXX\n...\n???", "mine.txt, line 1: it has 4 signs; a line has three"),
        ("XOX\n.X.\n???", "mine.txt, line 2: the middle is 'X'; it is where to play, so '.'"),
        ("XOX\n.?.\n???", "mine.txt, line 2: the middle is '?'; it is where to play, so '.'"),
        ("XOX\n...", "mine.txt, line 1: a pattern has three lines of three signs, here are 2"),
        ("XOX\n...\n\n???", "mine.txt, line 1: a pattern has three lines of three signs, here are 2"),
        ("X plays", "mine.txt, line 1: a pattern has three lines of three signs, here are 0"),
        ("XOX\n...\n???\nXOX", "mine.txt, line 4: it follows a whole pattern; separate patterns by empty lines"),
        ("XOX\n...\n???\nX plays", "mine.txt, line 4: it follows a whole pattern; separate patterns by empty"),
        ("XOX\n...\n???\nexcept\nXOX\n...", "mine.txt, line 4: a pattern has three lines of three signs, here are 2"),
        ("XOX\n...\n???\nexcept\nXOX\n.O.\n???", "mine.txt, line 6: the middle is 'O'; it is where to play, so '.'"),
        ("except\nXOX\n...\n???", "mine.txt, line 1: it has another sign; use . X O # ? x o"),
        ("Y plays\nXOX\n...\n???", "mine.txt, line 1: it has another sign; use . X O # ? x o"),
    ],
)
def test_parse_patterns__names_the_line_what_is_wrong_and_the_remedy(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        parse_patterns(text, "mine.txt")


def test_policy__a_malformed_pattern_file_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("XOX\n...\n??!\n")
    with pytest.raises(ValueError, match=r"mine\.txt, line 3: it has another sign"):
        candidates(Board(5), "pattern", PlayoutPolicy(patterns=str(file)))


def test_policy__a_missing_pattern_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"nowhere\.txt"):
        candidates(Board(5), "pattern", PlayoutPolicy(patterns=str(tmp_path / "nowhere.txt")))


def test_policy__plays_the_patterns_of_its_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("X plays\n.O.\n...\n...\n")  # straight below an enemy stone that stands alone
    board = Board(5)
    board.play("C4")
    mine = PlayoutPolicy(patterns=str(file))
    assert [board.vertex(move) for move in candidates(board, "pattern", mine)] == ["B4", "D4", "C3"]
    assert candidates(board, "pattern", PlayoutPolicy()) == []


# The table ----


def looks_like(grid: NDArray[np.int64], rows: tuple[str, str, str]) -> bool:
    """Whether a neighbourhood, black being X, is drawn by three rows."""
    meant = {".": "0", "X": "1", "O": "2", "#": "3", "?": "0123", "x": "023", "o": "013"}
    return all(str(grid[place]) in meant[rows[place[0]][place[1]]] for place in FIELDS)


def players_at(grid: NDArray[np.int64], patterns: list[Pattern]) -> int:
    """Who should play in a neighbourhood, as the bits of the table."""
    players = 0
    for pattern in patterns:
        for turned in turns(grid):
            for black, seen in (("X", turned), ("O", exchanged(turned))):
                if looks_like(seen, pattern.rows) and not any(looks_like(seen, rows) for rows in pattern.exceptions):
                    players |= (1 if black in pattern.players else 0) | (
                        2 if "XO".replace(black, "") in pattern.players else 0
                    )
    return players


SIGN = st.sampled_from(".XO#?xo???")
ROWS = st.builds(
    lambda signs: ("".join(signs[:3]), f"{signs[3]}.{signs[4]}", "".join(signs[5:])),
    st.lists(SIGN, min_size=8, max_size=8),
)
PATTERNS = st.lists(
    st.builds(Pattern, ROWS, st.sampled_from([("X", "O"), ("X",), ("O",)]), st.lists(ROWS, max_size=2).map(tuple)),
    min_size=1,
    max_size=3,
)


@given(patterns=PATTERNS, codes=st.lists(st.integers(0, 2**16 - 1), min_size=50, max_size=50))
@settings(max_examples=15, deadline=None)
def test_expand__agrees_with_reading_the_signs_one_by_one(patterns: list[Pattern], codes: list[int]) -> None:
    table = expand(patterns)
    for code in [*codes, *np.flatnonzero(table)[:50].tolist()]:
        assert table[code] == players_at(grid_of(code), patterns)


def test_standard_patterns__agree_with_reading_the_signs_one_by_one() -> None:
    patterns = parse_patterns(STANDARD.read_text(encoding="utf-8"))
    codes = np.random.Generator(np.random.PCG64(1)).integers(0, 2**16, size=600).tolist()
    assert [int(standard_patterns()[code]) for code in codes] == [players_at(grid_of(code), patterns) for code in codes]


@given(patterns=PATTERNS)
@settings(max_examples=10, deadline=None)
def test_expand__turning_and_mirroring_change_nothing_and_colours_exchange_the_players(patterns: list[Pattern]) -> None:
    assert_symmetric(expand(patterns))


def test_standard_patterns__turning_and_mirroring_change_nothing_and_colours_exchange_the_players() -> None:
    assert_symmetric(standard_patterns())


def assert_symmetric(table: NDArray[np.uint8]) -> None:
    codes = np.arange(1 << 16)
    fields = {place: codes >> 2 * field & 3 for field, place in enumerate(FIELDS)}

    def moved(places: dict[tuple[int, int], tuple[int, int]]) -> NDArray[np.int64]:
        return sum(fields[places[place]] << 2 * field for field, place in enumerate(FIELDS))

    turned = moved({(row, column): (column, 2 - row) for row, column in FIELDS})
    mirrored = moved({(row, column): (row, 2 - column) for row, column in FIELDS})
    other = sum(np.array([0, 2, 1, 3])[fields[place]] << 2 * field for field, place in enumerate(FIELDS))
    assert np.array_equal(table[turned], table)
    assert np.array_equal(table[mirrored], table)
    assert np.array_equal(table[other], np.array([0, 2, 1, 3])[table])


@pytest.mark.parametrize(
    ("sign", "meant"),
    [(".", {0}), ("X", {1}), ("O", {2}), ("#", {3}), ("?", {0, 1, 2, 3}), ("x", {0, 2, 3}), ("o", {0, 1, 3})],
)
def test_expand__each_sign_means_what_the_file_says(sign: str, meant: set[int]) -> None:
    # Everything but the north is given and lopsided, so that no turned or exchanged form of the pattern matches.
    table = expand([Pattern((f"X{sign}X", "O.X", "OOX"), ("X",))])
    found = set()
    for north in range(4):
        grid = np.array([[1, north, 1], [2, 0, 1], [2, 2, 1]])
        if table[code_of(grid)]:
            found.add(north)
    assert found == meant


@pytest.mark.parametrize(("line", "players"), [("", BOTH), ("X plays\n", ONLY_X), ("O plays\n", ONLY_O)])
def test_expand__who_plays(line: str, players: int) -> None:
    table = expand(parse_patterns(f"{line}XOO\n...\n..."))
    grid = np.array([[1, 2, 2], [0, 0, 0], [0, 0, 0]])
    assert table[code_of(grid)] == players
    assert table[code_of(exchanged(grid))] == {BOTH: BOTH, ONLY_X: ONLY_O, ONLY_O: ONLY_X}[players]


def test_expand__an_exception_takes_positions_out_of_its_own_pattern_only() -> None:
    cut, other = "XO.\nO..\n...", "X plays\nXO?\nO.?\n..?"
    grid = np.array([[1, 2, 0], [2, 0, 0], [0, 0, 0]])
    assert expand(parse_patterns(cut))[code_of(grid)] == BOTH
    assert expand(parse_patterns(f"{cut}\nexcept\nXO?\nO.?\n???"))[code_of(grid)] == NOBODY
    assert expand(parse_patterns(f"{cut}\nexcept\nXO?\nO.?\n???\n\n{other}"))[code_of(grid)] == ONLY_X


def test_standard_patterns__cannot_be_written_to() -> None:
    with pytest.raises(ValueError, match="read-only"):
        standard_patterns()[0] = 1


# Each pattern that comes with Tesuji ----


def boards_with_point(picture: str) -> Iterator[tuple[Board, int, bool]]:
    """The board and the point `*` of a picture, of its turned and mirrored forms, and whether colours are exchanged."""
    signs = np.array([line.split() for line in picture.split("\n") if line.strip()])
    for turned in turns(signs):
        for swapped in (False, True):
            rows = "\n".join(" ".join(row) for row in turned).replace("*", ".")
            board = Board.from_text(rows.translate(str.maketrans("XO", "OX")) if swapped else rows)
            yield board, int(np.flatnonzero(turned.reshape(-1) == "*")[0]), swapped


PICTURES = {
    "hane, enclosing": (
        """
        . . . . .
        . X O X .
        . . * . .
        . . . . .
        """,
        BOTH,
    ),
    "hane, enclosing, whatever is on the other side": (
        """
        . . . . .
        . X O X .
        . . * . .
        . O X O .
        """,
        BOTH,
    ),
    "hane, not cutting": (
        """
        . . . . .
        . X O . .
        . . * . .
        . O . X .
        """,
        BOTH,
    ),
    "hane, bent": (
        """
        . . . . .
        . X O O .
        . X * . .
        . . . . .
        """,
        BOTH,
    ),
    "hane against a wall": (
        """
        . . . . .
        . X O O .
        . . * . .
        . . . . .
        """,
        ONLY_X,
    ),
    "cut": (
        """
        . . . . .
        . X O . .
        . O * . .
        . . . . .
        """,
        BOTH,
    ),
    "cut of two stones that a third joins no more": (
        """
        . . . . .
        . X O . .
        . O * O .
        . . X . .
        """,
        BOTH,
    ),
    "cut through": (
        """
        . . . . .
        . . X . .
        . O * O .
        . . . . .
        """,
        BOTH,
    ),
    "cut in the corner": (
        """
        . . . . .
        O X . . .
        * O . . .
        """,
        BOTH,
    ),
    "edge: chase": (
        """
        . . . . .
        . X . . .
        . O * . .
        """,
        BOTH,
    ),
    "edge: block": (
        """
        . . . . .
        . . X . .
        . . * O .
        """,
        BOTH,
    ),
    "edge: descend, and stop the descent": (
        """
        . . . . .
        . . X O .
        . . * . .
        """,
        BOTH,
    ),
    "edge: descend, and cut": (
        """
        . . . . .
        . . X O .
        . O * X .
        """,
        BOTH,
    ),
}
# Where `x` and `o` decide: `x.O` at the edge and `ooo` behind a hole, as Fuego's GoUctPatterns has MoGo's patterns.
PICTURES_WITH_WILDCARDS = {
    "cut through to a friend": (
        """
        . . . . .
        . . X . .
        . O * O .
        . . X . .
        . . . . .
        """,
        BOTH,
    ),
    "cut through, closed behind": (
        """
        . . . . .
        . . X . .
        . O * O .
        . . O . .
        . . . . .
        """,
        NOBODY,
    ),
    "edge: block on both sides": (
        """
        . . . . .
        . . X . .
        . O * O .
        """,
        BOTH,
    ),
    "edge: a block where X stands already": (
        """
        . . . . .
        . . X . .
        . X * O .
        """,
        NOBODY,
    ),
    "edge: stop the descent beside a friend": (
        """
        . . . . .
        . . X O .
        . X * O .
        """,
        BOTH,
    ),
}
NO_PATTERNS = {
    "an empty board": """
        . . . .
        . * . .
        . . . .
        """,
    "a lone stone beside": """
        . . . .
        . X . .
        . * . .
        . . . .
        """,
    "a wall": """
        . . . . .
        . X X X .
        . . * . .
        . . . . .
        """,
    "an enclosed point": """
        . O . .
        O * O .
        . O . .
        . . . .
        """,
    "a hane whose other side is not open": """
        . . . . .
        . X O . .
        . . * . .
        . . X . .
        . . . . .
        """,
    "a cut where a third stone joins them": """
        . . . . .
        . X O . .
        . O * O .
        . . . . .
        """,
    "the edge with nothing near": """
        . . . .
        . . . .
        . * . .
        """,
    "a two-point board": ". *",
    "a corner beside one stone": """
        * X
        . .
        """,
}


def assert_players(picture: str, players: int) -> None:
    for board, point, swapped in boards_with_point(picture):
        expected = {BOTH: BOTH, NOBODY: NOBODY, ONLY_X: ONLY_O, ONLY_O: ONLY_X}[players] if swapped else players
        assert standard_patterns()[board.code3x3(point)] == expected, board.to_text()


@pytest.mark.parametrize("name", PICTURES)
def test_standard_patterns__picture(name: str) -> None:
    assert_players(*PICTURES[name])


@pytest.mark.parametrize("name", PICTURES_WITH_WILDCARDS)
def test_standard_patterns__picture_where_a_wildcard_decides(name: str) -> None:
    assert_players(*PICTURES_WITH_WILDCARDS[name])


@pytest.mark.parametrize("name", NO_PATTERNS)
def test_standard_patterns__no_pattern(name: str) -> None:
    assert_players(NO_PATTERNS[name], NOBODY)


def test_standard_patterns__leaving_any_pattern_out_changes_some_picture() -> None:
    patterns = parse_patterns(STANDARD.read_text(encoding="utf-8"))
    pictures = [picture for picture, _ in (PICTURES | PICTURES_WITH_WILDCARDS).values()]
    asked = [board.code3x3(point) for picture in pictures for board, point, _ in boards_with_point(picture)]
    for pattern in patterns:
        if pattern.rows == ("?XO", "X.O", "###"):
            continue  # every board that it fits has a cut or a descent to be stopped as well
        without = expand([other for other in patterns if other != pattern])
        assert not np.array_equal(without[asked], standard_patterns()[asked]), pattern
