"""Go's groups of moves as values, and against a slow reader that plays every move on the reference board.

The pictures of the rows are in test_groups_near.py and test_groups_chains.py.
"""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from go.rules.test_properties import CHOICES, RULES, play_choices
from reference.ref_groups import chain_groups, is_member, searched_points
from tesuji.go import Board, Rules
from tesuji.go.knowledge.groups import ROWS, Border, Chains, ManhattanEnemy, find, kind_of

SIZES = st.tuples(st.integers(1, 7), st.integers(1, 7))
SINGLE = [kind for kind in ROWS if kind != "chains"]


def row_with(kind: str, parameter: int) -> object:
    """A row whose only parameter has a value."""
    (name,) = ROWS[kind].__struct_fields__
    return ROWS[kind](**{name: parameter})


# Against the reference ----


@given(rules=RULES, size=SIZES, choices=CHOICES, parameter=st.integers(1, 6))
@settings(max_examples=150, deadline=None)
def test_find__every_row_agrees_with_the_reference(
    rules: Rules, size: tuple[int, int], choices: list[int], parameter: int
) -> None:
    board, reference = play_choices(rules, size, choices)
    points = searched_points(reference)
    rows = [row_with(kind, parameter) for kind in SINGLE]
    found = {group.kind: group.moves for group in find(board, rows)}
    expected = {
        kind: members
        for kind in SINGLE
        if (members := [point for point in points if is_member(reference, kind, point, parameter)])
    }
    assert found == expected


@given(rules=RULES, size=SIZES, choices=CHOICES, stones=st.integers(1, 4), liberties=st.integers(1, 5))
@settings(max_examples=80, deadline=None)
def test_find__chains_agree_with_the_reference(
    rules: Rules, size: tuple[int, int], choices: list[int], stones: int, liberties: int
) -> None:
    board, reference = play_choices(rules, size, choices)
    found = [group.moves for group in find(board, [Chains(min_stones=stones, max_liberties=liberties)])]
    assert found == chain_groups(reference, searched_points(reference), stones, liberties)


# Values ----


def test_find__groups_come_in_the_order_of_the_rows_and_without_the_pass() -> None:
    board = Board(5)
    board.play("C3")
    rows = [ManhattanEnemy(distance=50), Border(distance=50)]
    assert [group.kind for group in find(board, rows)] == ["manhattan-enemy", "border"]
    assert all(board.pass_move not in group.moves for group in find(board, rows))


def test_find__works_on_every_size_that_there_is() -> None:
    for size in (2, 9, 10, 13, 14, 19, 20, 25):
        (group,) = find(Board(size), [Border(distance=50)])
        assert group.moves == list(range(size * size))


def test_rows__are_called_as_in_the_table() -> None:
    assert {kind: kind_of(row()) for kind, row in ROWS.items()} == {kind: kind for kind in ROWS}
    assert len(ROWS) == 14


@pytest.mark.parametrize("kind", ROWS)
@pytest.mark.parametrize("value", [-1, 1000, 1.5, "3", True, None])
def test_rows__refuse_parameters_out_of_range(kind: str, value: object) -> None:
    name = ROWS[kind].__struct_fields__[0]
    with pytest.raises(ValueError, match=rf"{name} of {kind} is .*; it must be a whole number in"):
        ROWS[kind](**{name: value})


def test_find__refuses_what_is_no_row() -> None:
    with pytest.raises(ValueError, match="'border' is not a row of groups; write one such as Border"):
        find(Board(5), ["border"])
    with pytest.raises(ValueError, match="border comes twice; name each row once"):
        find(Board(5), [Border(), Border(distance=1)])


def test_rows__are_values() -> None:
    assert Border() == Border(distance=0) != Border(distance=1)
    assert msgspec.structs.replace(Chains(), min_stones=3) == Chains(min_stones=3)
