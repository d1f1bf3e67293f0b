"""Stones that kill from inside, and stones that only die: rooms, one picture each.

A room is what O encloses, `X` are stones inside, `#` is wall. X is to move: `+` is a self-atari of three stones or more
that kills, because what it leaves when it is taken is one eye; `-` is one that throws the stones away, mostly out of a
seki. Other empty points are `.`. Every room is also turned, mirrored and played with exchanged colours, and O's moves
in it are asked as well. The signs were checked against exact reading (`tesuji.go.knowledge.reading`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np
import pytest

from go.playout_pictures import SIMPLE_KO, forms
from tesuji._core import go as native
from tesuji.go import Board, Color
from tesuji.go.knowledge.playouts import PlayoutPolicy
from tesuji.go.knowledge.reading import read_chain

Around = Literal["sealed", "second eye", "way out"]
NAKADE = PlayoutPolicy(self_atari="nakade")
SIZE = 12
CORNERS = {"centre": (2, 2), "edge": (0, 2), "corner": (0, 0)}  # where the upper left point of a room lies

CENTRE = """
    .+XX   +XX+   +XX/.##   X+X/.##   X+X/#.#   XX+/#+#   +X/X+   ++/XX   .+#/#XX   X+#/#X.   -XXX-   XX-X.
    -XX-/X###   -X-X/X###   XXX-/#+##   XX-X/#-##   +X-/XX#   --X/XX#   X-X/X#.   XX-/X#.   -XX/.##/X##
    -X./X##/X##   XX+/#X#/#-#   X-X/#.#/#X#   .X-#/##XX   XX-#/##X.   -X#/#X+/#X#   X-#/#X-/#X#   -X#/#XX/##-
    X-#/#XX/##-   X-#/#X#/#-X   .X#/#-#/#XX   #+#/+XX/#X#   #X#/XX+/#+#   -XX-X/X####   X-X-X/#X###   .-XXX/##X##
    XXX-/X+##   X-XX/X#-#   XXX-/-##X   --XX/X###/X###   XXX-/#+X#   X-X./#X##/#X##   -XXX#/###X-   X+-/XXX
    XX-/+X#/X##   +X-/XX#/#X#   -XX#/X#-X   XXX/-#X/.##   XX+#/#XX-   -XX/#X#/X-#   -X-/#X#/#X#/#X#   X-X##/##X-X
    X-X#/##X-/##X#   -XX#/##X-/###X   XXX#/##-#/##.X   XX#/+X-/#X#   +X#/XXX/##-   -X##/#XX-/#X##   X-##/#XXX/##-#
    X-##/#XXX/###-   -X#/#X-/XX#   X-#/#XX/#-#/#X#   XX##/#-X#/##-X   XX#/#-#/#XX/#-#   .-#/#X#/#X#/#XX
    #+##/XXX-/#X##   #X##/-X-X/##X#
"""
EDGE = """
    .+XX   .X+X   +X./X##   X+./X##   +XX/#+#   XX+/#+#   +X/X+   XX/++   X+#/#X.   .+#/#XX   XX-X.   -XXX-
    X-XX/.###   X-.X/X###   +XX-/#X##   -XXX/#-##   +XX/-X#   -XX/X-#   -XX/X#-   .-X/X#X   XX-/X##/-##
    XX-/-##/X##   XX+/#X#/#-#   -X-/#X#/#X#   X-X#/##-X   -XX#/##-X   -X#/#XX/#+#   XX#/#-X/#.#   XX#/#-./##X
    X-#/#XX/##-   X-#/#X#/#-X   X-#/#X#/#X-   #X#/+XX/#+#   #X#/+X+/#X#   XXX-X/-####   XXXX-/#-###   X-XX/.#X#
    XX-X/X###/-###   -XXX/#X+#   XX-X/#-##/#X##   XX-/X+X   -XX#/#+XX   X-X##/##X-X   XX#/+XX/##-   -X##/#XXX/#-##
    XX##/#-X-/##X#   XX#/#X-/-X#   X-#/#XX/#X#/#-#   X-#/#X#/#XX/#-#   #X##/XXX-/#+##   #X##/XX-./##X#
"""
CORNER = """
    .+XX   .X+X   XX+/+##   X+X/.##   +X+/#X#   +XX/#+#   XX/++   X+/+X   X+#/#X.   +X#/#X+   XX-.X   X.-XX
    XXX-/+###   X-XX/.###   XXX-/#+##   XX-X/#-##   XXX/++#   XX+/X+#   XXX/+#-   XX-/-#X   X+X/X##/-##
    X-X/-##/X##   XX+/#X#/#-#   -X-/#X#/#X#   X-X#/##-X   -XX#/##X-   -X#/#X+/#X#   X-#/#XX/#-#   XX#/#-X/##.
    XX#/#X-/##.   XX#/#-#/#X.   X-#/#X#/#X-   #+#/+XX/#X#   XXXX-/#-###   XXX-/X+##   XXX-/X#-#   XX-./X##X
    XX-X/X###/-###   XXX-/#+X#   -XX-#/###XX   XX-/X+#/X##   -X+#/#XXX   XXX/#-#/.X#   -X-/#X#/#X#/#X#
    -XX#/##XX/##-#   -XX#/##X-/###X   XXX#/##X#/##-.   X+#/XX-/#X#   XX##/#X-./###X   X-#/#X#/#XX/#-#
    #-##/-XXX/#X##
"""
ROOMS = [
    (where, room) for where, rooms in (("centre", CENTRE), ("edge", EDGE), ("corner", CORNER)) for room in rooms.split()
]


def picture(where: str, room: str, around: Around) -> str:
    """The whole board: O's wall around the room, X everywhere else with two eyes; or with an eye or air for O."""
    top, left = CORNERS[where]
    space = {
        (row + top, column + left): sign
        for row, signs in enumerate(room.split("/"))
        for column, sign in enumerate(signs)
        if sign != "#"
    }
    signs = np.full((SIZE, SIZE), "X")
    signs[SIZE - 1, SIZE - 1] = signs[SIZE - 1, SIZE - 3] = "."
    wall = {(r + i, c + j) for r, c in space for i in (-1, 0, 1) for j in (-1, 0, 1)} - space.keys()
    wall = {(r, c) for r, c in wall if r >= 0 and c >= 0}
    row, column = max(wall, key=lambda at: (at[1], at[0]))  # the lowest stone of the wall's right side
    if around == "second eye":
        signs[max(0, row - 1) : row + 2, column + 1 : column + 3] = "O"
        signs[row, column + 1] = "."
    elif around == "way out":
        signs[max(0, row - 1) : row + 2, column + 1 :] = "."
    for at in wall:
        signs[at] = "O"
    for at, sign in space.items():
        signs[at] = sign
    return "\n".join(" ".join(line) for line in signs)


def positions(where: str, room: str, around: Around) -> Iterator[tuple[np.ndarray, Color, str]]:
    for signs, me in forms(picture(where, room, around)):
        text = "\n".join(" ".join(sign if sign in "XO" else "." for sign in line) for line in signs)
        yield signs.reshape(-1), me, text


def is_acceptable(text: str, color: Color, point: int) -> bool:
    board = Board.from_text(text, to_play=color, rules=SIMPLE_KO)
    return bool(native.is_acceptable(board, NAKADE.native(board.num_points), point))


@pytest.mark.parametrize(("where", "room"), ROOMS)
def test_self_atari__kills_from_inside_or_is_refused(where: str, room: str) -> None:
    for signs, me, text in positions(where, room, "sealed"):
        for point in np.flatnonzero(np.isin(signs, ["+", "-"])).tolist():
            assert is_acceptable(text, me, point) == (signs[point] == "+"), text


@pytest.mark.parametrize("around", ["second eye", "way out"])
@pytest.mark.parametrize(("where", "room"), ROOMS)
def test_self_atari__is_no_nakade_if_the_enemy_has_a_second_eye_or_a_way_out(
    where: str, room: str, around: Around
) -> None:
    for signs, me, text in positions(where, room, around):
        for point in np.flatnonzero(np.isin(signs, ["+", "-"])).tolist():
            assert not is_acceptable(text, me, point), text


@pytest.mark.parametrize(("where", "room"), ROOMS)
def test_self_atari__the_owner_of_a_room_fills_it_only_to_capture(where: str, room: str) -> None:
    for signs, me, text in positions(where, room, "sealed"):
        for point in np.flatnonzero(np.isin(signs, ["+", "-", "."])).tolist():
            board = Board.from_text(text, to_play=me.opponent, rules=SIMPLE_KO)
            if not board.is_legal(point):
                continue
            board.play(point)
            if board.chain(point).size < 3 or board.liberties(point).size > 1:
                continue
            assert is_acceptable(text, me.opponent, point) == (board.captured(me) > 0), text


@pytest.mark.slow
@pytest.mark.parametrize(("where", "room"), ROOMS)
def test_rooms__are_what_exact_reading_makes_of_them(where: str, room: str) -> None:
    signs, me, text = next(positions(where, room, "sealed"))
    for point in np.flatnonzero(np.isin(signs, ["+", "-"])).tolist():
        board = Board.from_text(text, to_play=me, rules=SIMPLE_KO)
        board.play(point)
        wall = next(p for p in range(board.num_points) if board.color_at(p) == me.opponent)
        region = np.flatnonzero(np.isin(signs, ["+", "-", "."])).tolist() + board.chain(point).tolist()
        inside = {p for p in region if p < SIZE * (SIZE - 1)}
        outcome = read_chain(board, wall, inside, me.opponent).outcome
        assert (outcome in ("dead", "ko")) == (signs[point] == "+"), (outcome, text)
