"""Boards, tables and ownership maps in a terminal."""

from __future__ import annotations

import io

import numpy as np
import pytest
from rich.console import Console

from tesuji.go import Board
from tesuji.go.engine import Engine, EngineConfig
from tesuji.go.rules.vertex import parse_vertex, to_vertex
from tesuji.go.view.diagram import (
    BoardDiagram,
    CandidateTable,
    Sparkline,
    WinRateBar,
    analysis_view,
    candidate_labels,
    star_points,
)


def rendered(renderable, *, width=80, color=None, encoding="utf-8", no_color=False):
    """What a console of this kind shows, without the blanks at line ends."""
    buffer = io.BytesIO()
    file = io.TextIOWrapper(buffer, encoding=encoding, write_through=True)
    console = Console(
        file=file, width=width, force_terminal=color is not None, color_system=color, no_color=no_color, highlight=False
    )
    console.print(renderable)
    return "\n".join(line.rstrip() for line in buffer.getvalue().decode(encoding).splitlines())


@pytest.fixture
def board():
    board = Board(5)
    board.play("B4")
    board.play("D2")
    return board


@pytest.fixture(scope="module")
def thought():
    """A position and a short search of it."""
    board = Board(9)
    for vertex in ("E5", "C3", "G7"):
        board.play(vertex)
    return board, Engine(EngineConfig(seed=1)).analyse(board, simulations=500)


def test_board__in_a_pipe_it_is_plain_text_with_the_last_move_in_brackets(board):
    assert rendered(BoardDiagram(board)) == (
        "    A B C D E\n"
        " 5  . . . . .  5\n"
        " 4  . X . . .  4\n"
        " 3  . . . . .  3\n"
        " 2  . . .(O).  2\n"
        " 1  . . . . .  1\n"
        "    A B C D E"
    )


def test_board__the_plain_picture_reads_back_as_the_same_stones(thought):
    board, _ = thought
    picture = rendered(BoardDiagram(board)).replace("(", " ").replace(")", " ").replace("+", ".")
    assert np.array_equal(Board.from_text(picture).grid, board.grid)


def test_board__in_colour_it_brings_its_own_background(board):
    text = rendered(BoardDiagram(board), color="truecolor")
    assert "\x1b[" in text
    assert "●" in text
    assert "┌" in text
    assert "48;2;222;184;114" in text  # wood


@pytest.mark.parametrize(
    "plain", [{"color": "truecolor", "no_color": True}, {"color": "truecolor", "encoding": "ascii"}]
)
def test_board__without_colour_or_box_characters_it_is_ascii(board, plain):
    text = rendered(BoardDiagram(board), **plain)
    assert text.isascii()
    assert "\x1b[3" not in text
    assert "(O)" in text


def test_board__labels_stand_on_their_points(board):
    text = rendered(BoardDiagram(board, labels={parse_vertex("A1", 5, 5): "1", parse_vertex("E5", 5, 5): "2"}))
    assert " 1  1 . . . .  1" in text
    assert " 5  . . . . 2  5" in text


@pytest.mark.parametrize(("width", "height"), [(1, 1), (1, 7), (7, 1), (25, 25), (3, 19)])
@pytest.mark.parametrize("color", [None, "truecolor", "standard"])
def test_board__every_size_has_a_line_per_row_and_one_of_letters_on_each_side(width, height, color):
    lines = rendered(BoardDiagram(Board(width, height)), color=color, width=100).splitlines()
    assert len(lines) == height + 2


def test_board__a_pass_is_marked_nowhere(board):
    board.play("pass")
    assert "(" not in rendered(BoardDiagram(board))


def test_ownership__letters_say_whose_and_how_surely(board):
    ownership = np.zeros((5, 5))
    ownership[0] = [1.0, 0.4, 0.0, -0.4, -1.0]
    text = rendered(BoardDiagram(board, ownership=ownership))
    assert " 5  X x . o O  5" in text


def test_ownership__shades_run_from_dark_to_light(board):
    ownership = np.zeros((5, 5))
    ownership[0] = [1.0, 0.5, 0.0, -0.5, -1.0]
    text = rendered(BoardDiagram(board, ownership=ownership), color="truecolor")
    shades = ["48;2;104;78;44", "48;2;163;131;79", "48;2;222;184;114", "48;2;237;214;170", "48;2;252;244;226"]
    places = [text.index(shade, text.index("5")) for shade in shades]
    assert places[0] < places[1]
    assert places[3] < places[4]


def test_candidates__each_row_has_move_visits_win_rate_and_main_line(thought):
    board, analysis = thought
    rows = rendered(CandidateTable(board, analysis, limit=3)).splitlines()
    assert "White wins" in rows[0]
    assert "visits" in rows[0]
    assert "main line" in rows[0]
    assert len(rows) == 4
    for row, candidate in zip(rows[1:], analysis.moves, strict=False):
        assert to_vertex(candidate.move, 9, 9) in row
        assert f"{candidate.visits:,}" in row
        assert f"{100 * candidate.winrate:.1f} %" in row


@pytest.mark.parametrize("width", [40, 50, 100])
def test_candidates__a_narrow_terminal_cuts_the_main_line_and_nothing_else(thought, width):
    board, analysis = thought
    rows = rendered(CandidateTable(board, analysis, limit=3), width=width).splitlines()
    for row, candidate in zip(rows[1:], analysis.moves, strict=False):
        assert to_vertex(candidate.move, 9, 9) in row
        assert f"{candidate.visits:,}" in row
        assert f"{100 * candidate.winrate:.1f} %" in row


def test_candidates__labels_number_the_points_by_rank(thought):
    _, analysis = thought
    labels = candidate_labels(analysis.moves, limit=3)
    assert [labels[candidate.move] for candidate in analysis.moves[:3]] == ["1", "2", "3"]


@pytest.mark.parametrize("width", [24, 40, 60, 80, 200])
def test_analysis__no_line_is_wider_than_the_terminal(thought, width):
    board, analysis = thought
    assert all(len(line) <= width for line in rendered(analysis_view(board, analysis), width=width).splitlines())


def test_analysis__boards_stand_side_by_side_only_where_there_is_room(thought):
    board, analysis = thought
    letters = "A B C D E F G H J"
    assert max(line.count(letters) for line in rendered(analysis_view(board, analysis), width=80).splitlines()) == 2
    assert max(line.count(letters) for line in rendered(analysis_view(board, analysis), width=40).splitlines()) == 1


def test_win_rate_bar__both_sides_add_up():
    assert rendered(WinRateBar(0.75)) == "Black 75.0 %  ##################------  25.0 % White"


def test_win_rate_bar__shrinks_with_the_terminal():
    assert rendered(WinRateBar(0.5), width=36) == "Black 50.0 %  ####----  50.0 % White"


def test_sparkline__bars_in_a_terminal_and_tenths_in_a_pipe():
    line = Sparkline([0.0, 0.5, 1.0], title="Black")
    assert "Black  ▁▅█" in rendered(line, color="truecolor")
    assert rendered(line) == "Black  059"


def test_sparkline__what_does_not_fit_is_the_oldest():
    assert rendered(Sparkline([0.9] * 50 + [0.1] * 5, title="Black"), width=20) == "Black  " + "9" * 8 + "1" * 5


@pytest.mark.parametrize(
    ("width", "height", "stars"),
    [
        (9, 9, "C7 G7 E5 C3 G3"),
        (13, 13, "D10 K10 G7 D4 K4"),
        (19, 19, "D16 K16 Q16 D10 K10 Q10 D4 K4 Q4"),
        (6, 6, ""),
        (9, 5, ""),
    ],
)
def test_star_points__lie_where_players_expect_them(width, height, stars):
    assert star_points(width, height) == {parse_vertex(vertex, width, height) for vertex in stars.split()}
