"""Boards as PNG pictures."""

from __future__ import annotations

import builtins
import subprocess
import sys

import numpy as np
import pytest

from tesuji.go import Board
from tesuji.go.view.picture import BoardPicture, MissingExtraError, draw_figure, save_png

pytest.importorskip("matplotlib", reason="the extra 'plot' is not installed")

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def pixels(path):
    from matplotlib.image import imread

    return np.asarray(imread(path))[:, :, :3]


@pytest.fixture
def board():
    board = Board(9)
    for vertex in ("E5", "C3", "G7", "G3"):
        board.play(vertex)
    return board


def test_save_png__writes_a_picture(board, tmp_path):
    path = save_png(tmp_path / "board.png", BoardPicture(board=board))
    assert path.read_bytes().startswith(PNG_SIGNATURE)
    height, width, _ = pixels(path).shape
    assert height == width > 300


def test_save_png__stones_are_black_and_white_on_wood(board, tmp_path):
    image = pixels(save_png(tmp_path / "board.png", BoardPicture(board=board)))
    size = image.shape[0]
    cell = 0.5 * 110
    middle = size / 2

    def at(row, column, dx=0.22, dy=0.28):
        return image[round(middle + (row - 4 + dy) * cell), round(middle + (column - 4 + dx) * cell)]

    assert at(4, 4).max() < 0.35  # E5, black
    assert at(6, 2).min() > 0.65  # C3, white
    red, green, blue = at(1, 1)
    assert red > green > blue  # wood


def test_save_png__the_same_position_gives_the_same_picture(board, tmp_path):
    first = save_png(tmp_path / "a.png", BoardPicture(board=board)).read_bytes()
    assert save_png(tmp_path / "b.png", BoardPicture(board=board)).read_bytes() == first


@pytest.mark.parametrize("change", ["ownership", "labels", "numbers", "title"])
def test_save_png__each_extra_shows(board, tmp_path, change):
    extras = {
        "ownership": np.linspace(-1, 1, 81).reshape(9, 9),
        "labels": {0: "1", 10: "2", board.pass_move: "3"},
        "numbers": True,
        "title": "A title",
    }
    plain = save_png(tmp_path / "plain.png", BoardPicture(board=board)).read_bytes()
    assert save_png(tmp_path / "more.png", BoardPicture(board=board, **{change: extras[change]})).read_bytes() != plain


def test_draw_figure__boards_stand_side_by_side(board):
    figure = draw_figure(BoardPicture(board=board, title="left"), BoardPicture(board=Board(13), caption="one\ntwo"))
    left, right = (axes.get_position() for axes in figure.axes)
    assert left.x1 < right.x0
    assert right.x1 <= 1
    assert min(left.y0, right.y0) >= 0


def test_draw_figure__long_text_stays_within_the_board():
    figure = draw_figure(BoardPicture(board=Board(5), title="name " * 50, caption="word " * 50))
    figure.draw_without_rendering()
    edge = figure.get_figwidth() * figure.dpi
    assert figure.texts
    assert all(text.get_window_extent().x1 <= edge for text in figure.texts)
    assert all(text.get_window_extent().y0 >= 0 for text in figure.texts)


@pytest.mark.parametrize(("width", "height"), [(1, 1), (2, 7), (25, 25)])
def test_draw_figure__takes_every_size(width, height):
    board = Board(width, height)
    board.play(board.pass_move)
    assert draw_figure(BoardPicture(board=board, numbers=True)).axes


def test_draw_figure__no_board_is_an_error():
    with pytest.raises(ValueError, match="no board to draw"):
        draw_figure()


@pytest.fixture
def without_matplotlib(monkeypatch):
    real_import = builtins.__import__

    def import_all_else(name, *args, **kwargs):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real_import(name, *args, **kwargs)

    monkeypatch.delitem(sys.modules, "tesuji.search.view.figure", raising=False)
    monkeypatch.setattr(builtins, "__import__", import_all_else)


@pytest.mark.usefixtures("without_matplotlib")
def test_missing_matplotlib__the_error_names_the_extra(board):
    with pytest.raises(MissingExtraError, match=r"pip install '?\S+\[plot\]"):
        draw_figure(BoardPicture(board=board))


def test_import__does_not_import_matplotlib():
    code = "import sys, tesuji.go.view.picture; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
