"""GTP vertices and SGF points, there and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tesuji.go.rules.vertex import parse_sgf_point, parse_vertex, printable, quoted, to_sgf_point, to_vertex

sizes = st.integers(1, 25)


@st.composite
def moves(draw: st.DrawFn) -> tuple[int, int, int]:
    width, height = draw(sizes), draw(sizes)
    return draw(st.integers(0, width * height)), width, height


@pytest.mark.parametrize(
    ("vertex", "sgf", "width", "height", "point"),
    [
        ("A1", "aa", 1, 1, 0),
        ("A19", "aa", 19, 19, 0),
        ("T1", "ss", 19, 19, 360),
        ("D4", "dp", 19, 19, 15 * 19 + 3),
        ("H1", "hi", 9, 9, 8 * 9 + 7),
        ("J1", "ii", 9, 9, 8 * 9 + 8),
        ("J9", "ia", 9, 9, 8),
        ("Z25", "ya", 25, 25, 24),
        ("Z1", "yy", 25, 25, 624),
        ("U6", "tt", 25, 25, 19 * 25 + 19),
        ("C5", "ca", 3, 5, 2),
        ("E3", "ea", 5, 3, 4),
        ("pass", "", 19, 19, 361),
        ("pass", "", 3, 5, 15),
    ],
)
def test_a_move_has_one_name_in_each_notation(vertex: str, sgf: str, width: int, height: int, point: int) -> None:
    assert to_vertex(point, width, height) == vertex
    assert to_sgf_point(point, width, height) == sgf
    assert parse_vertex(vertex, width, height) == point
    assert parse_sgf_point(sgf, width, height) == point


@given(moves())
def test_every_move_of_every_board_survives_both_notations(move: tuple[int, int, int]) -> None:
    point, width, height = move
    assert parse_vertex(to_vertex(point, width, height), width, height) == point
    assert parse_sgf_point(to_sgf_point(point, width, height), width, height) == point


@pytest.mark.parametrize("text", ["d4", "D4", "D04"])
def test_parse_vertex__capitals_and_a_leading_zero_do_not_matter(text: str) -> None:
    assert parse_vertex(text, 19, 19) == 15 * 19 + 3


@pytest.mark.parametrize("text", ["pass", "PASS", "Pass"])
def test_parse_vertex__pass_in_any_case(text: str) -> None:
    assert parse_vertex(text, 9, 9) == 81


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("I5", "leave out the letter I"),
        ("i5", "leave out the letter I"),
        ("K1", "columns run from A to J"),
        ("A10", "rows from 1 to 9"),
        ("A0", "rows from 1 to 9"),
        ("", "as in D4"),
        ("D", "as in D4"),
        ("4D", "as in D4"),
        ("D-4", "as in D4"),
        ("D4 ", "as in D4"),
        ("D4\n", "as in D4"),
        ("D\uff14", "as in D4"),
        ("\u0130" + "1", "as in D4"),
        ("D100", "as in D4"),
        ("D" * 100_000, "100000 characters"),
    ],
)
def test_parse_vertex__an_error_names_the_text_and_the_rule(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as caught:
        parse_vertex(text, 9, 9)
    assert str(caught.value).startswith(quoted(text))
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("ja", "from aa to ii"),
        ("aj", "from aa to ii"),
        ("a", "two small letters"),
        ("aaa", "two small letters"),
        ("AA", "two small letters"),
        ("1a", "two small letters"),
        ("a]", "two small letters"),
        ("\u00e9a", "two small letters"),
    ],
)
def test_parse_sgf_point__an_error_names_the_text_and_the_rule(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_sgf_point(text, 9, 9)


@pytest.mark.parametrize(("width", "height"), [(9, 9), (19, 19), (19, 5)])
def test_parse_sgf_point__tt_is_a_pass_up_to_19(width: int, height: int) -> None:
    assert parse_sgf_point("tt", width, height) == width * height


def test_parse_sgf_point__tt_is_a_point_on_a_larger_board() -> None:
    assert parse_sgf_point("tt", 20, 20) == 19 * 20 + 19
    with pytest.raises(ValueError, match="off the board"):
        parse_sgf_point("tt", 25, 9)


@pytest.mark.parametrize("name", [to_vertex, to_sgf_point])
@pytest.mark.parametrize("point", [-1, 82, 10**9])
def test_a_number_that_is_no_point_has_no_name(name: object, point: int) -> None:
    assert callable(name)
    with pytest.raises(ValueError, match="0 to 80, and 81 is a pass"):
        name(point, 9, 9)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("本因坊 A.", "本因坊 A."),
        ("\x1b[31mred", "?[31mred"),
        ("a\tb\r\nc", "a b  c"),
        ("\x00\x9b\u202e", "???"),
        ("", ""),
    ],
)
def test_printable__nothing_can_steer_a_terminal(text: str, shown: str) -> None:
    assert printable(text) == shown
