"""What a notebook shows: one picture of each thing, and the example notebook runs."""

from __future__ import annotations

import builtins
import importlib.util
import json
import re
import sys
import types
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from tesuji.experiments.records import GameRecord, Reason
from tesuji.games import Connect4, Hex
from tesuji.go import Analysis, Board, Candidate, Engine, EngineConfig
from tesuji.go.records.sgf import load, to_sgf
from tesuji.go.view.svg import BoardPicture, board_svg
from tesuji.search import Search, SearchConfig

ROOT = Path(__file__).parent.parent
NOTEBOOK = ROOT / "examples" / "tour.ipynb"


def runner():
    spec = importlib.util.spec_from_file_location("notebook", ROOT / "scripts" / "notebook.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def displayed(monkeypatch):
    """A notebook as rich and matplotlib see it; what is shown besides the value of a cell is listed."""
    shown = []

    class ZMQInteractiveShell:  # rich knows a notebook by this name
        pass

    class Handle:
        def update(self, thing):
            shown.append(thing)

    def display(*things, **options):
        shown.extend(things)
        return Handle()

    module = types.ModuleType("IPython.display")
    module.display, module.HTML = display, str
    monkeypatch.setitem(sys.modules, "IPython", types.ModuleType("IPython"))
    monkeypatch.setitem(sys.modules, "IPython.display", module)
    monkeypatch.setattr(builtins, "get_ipython", ZMQInteractiveShell, raising=False)
    return shown


@pytest.mark.parametrize("make", [Connect4, lambda: Hex(5), lambda: Search(Connect4()).run(simulations=50, seed=1)])
def test_notebook__asking_for_the_pictures_of_a_value_prints_nothing(displayed, make, capsys):
    runner().shown_as(make())
    assert displayed == []
    assert capsys.readouterr().out == ""


def test_notebook__a_watched_search_leaves_only_its_result(displayed):
    result = Search(Connect4()).watch(simulations=2000, seed=1)
    assert displayed[-1] == ""  # the live table is gone, and the cell shows the result
    assert any("<table>" in shown for shown in displayed)
    assert "<table>" in result._repr_html_()


# --- boards -----------------------------------------------------------------------------------------------------------


def svg(text):
    assert "NaN" not in text
    return ET.fromstring(text)


def circles(picture, fill):
    return [
        (float(one.get("cx")), float(one.get("cy")))
        for one in picture.iter("{http://www.w3.org/2000/svg}circle")
        if one.get("fill") == fill
    ]


def texts(picture):
    return [one.text for one in picture.iter("{http://www.w3.org/2000/svg}text")]


def test_board_svg__has_every_stone_where_it_stands():
    board = Board(9, 5)
    for vertex in ("A1", "J5", "C3"):
        board.play(vertex)
    picture = svg(board._repr_svg_())
    assert circles(picture, "url(#tesuji-black)") == [(2, 2), (0, 4)]
    assert circles(picture, "url(#tesuji-white)") == [(8, 0)]
    assert texts(picture).count("J") == 2
    assert texts(picture).count("5") == 2


@pytest.mark.parametrize("size", [1, 2, 9, 19, 25])
def test_board_svg__is_well_formed_on_every_size(size):
    board = Board(size)
    if size > 1:
        board.play(0)
    svg(board._repr_svg_())
    svg(board.position._repr_svg_())


def test_board_svg__text_of_others_stays_text():
    board = Board(9)
    hostile = '<script>alert("&")</script>'
    picture = BoardPicture(board=board, title=hostile, caption=f"{hostile}\n{hostile}", labels={3: "<b>"})
    drawn = board_svg(picture)
    assert "<script" not in drawn
    assert texts(svg(drawn)).count(hostile) == 3


def test_board_svg__marks_the_last_move_labels_and_owners():
    board = Board(9)
    board.play("E5")
    board.play("pass")
    assert 'r="0.22"' not in board_svg(BoardPicture(board=board))
    board.undo()
    assert 'r="0.22"' in board_svg(BoardPicture(board=board))
    owners = np.zeros((9, 9))
    owners[0, 0], owners[4, 4] = -1, 1
    drawn = board_svg(BoardPicture(board=board, ownership=owners, labels={board.pass_move: "1", 5: "2"}))
    assert drawn.count('fill="#fafafa"') == 1
    assert 'fill="#0d0d0d"' not in drawn  # a safe stone needs no mark
    assert texts(svg(drawn)).count("2") == 3  # two of the coordinates, one label


def test_board_svg__numbers_are_those_of_stones_that_still_stand():
    board = Board(5)
    for vertex in ("A1", "A2", "C3", "B1"):  # the last takes the first
        board.play(vertex)
    shown = texts(svg(board_svg(BoardPicture(board=board, numbers=True))))
    assert [shown.count(str(number)) - 2 for number in range(1, 6)] == [0, 1, 1, 1, 0]  # two of each at the edge


# --- analyses, records, charts, graphs --------------------------------------------------------------------------------


def test_analysis__is_a_line_and_a_table_and_in_a_notebook_a_board():
    board = Board(9)
    board.play("E5")
    analysis = Engine(EngineConfig(seed=1)).analyse(board, simulations=200)
    best = board.vertex(analysis.moves[0].move)
    assert repr(analysis).startswith(f"<Analysis: 200 simulations in {analysis.seconds:.2f} s, best move {best}, White")
    assert "array(" not in repr(analysis)
    page = analysis._repr_html_()
    svg(re.search(r"<svg.*?</svg>", page, re.DOTALL)[0])
    assert f"<td>{best}</td>" in page


def test_analysis__without_a_position_is_still_a_line():
    grid = np.zeros((9, 9))
    analysis = Analysis([Candidate(40, 7, 0.5, [40])], grid, grid, 7, 0.0, 1)
    assert repr(analysis) == "<Analysis: 7 simulations in 0.00 s, 50.0 % for the side to move>"
    assert "<svg" not in analysis._repr_html_()


def test_record__is_its_last_position_with_the_players_names():
    board = Board(9)
    board.play("E5")
    record = load(to_sgf(board, black="<Ann>", white="Ben", result="B+R"))
    assert repr(record) == "<GameRecord: <Ann> - Ben, 9x9, 1 move, B+R>"
    picture = svg(record._repr_svg_())
    assert "<Ann> - Ben" in texts(picture)
    assert circles(picture, "url(#tesuji-black)") == [(4, 4)]


def test_record__that_cannot_be_replayed_has_no_picture():
    record = load(b"(;GM[1]SZ[9];B[ee];W[ee])")
    assert record._repr_svg_() is None
    assert "2 moves" in repr(record)


def test_record_of_a_match__is_short_and_a_picture():
    sgf = to_sgf(Board(9)).decode()
    shared = {"index": 3, "pair": 1, "first": "a<b", "second": "c", "winner": "first", "reason": Reason.SCORE}
    record = GameRecord(score="B+3.5", sgf=sgf, num_moves=60, **shared)
    assert repr(record) == "<GameRecord 3: a<b - c, B+3.5 (score), 60 moves>"
    assert "a&lt;b" in record._repr_html_()
    assert "<svg" in record._repr_html_()
    other = GameRecord(score="B+R", sgf="a game of hex\na1 <b2>\n", **shared)._repr_html_()
    assert "<pre>a game of hex\na1 &lt;b2&gt;\n</pre>" in other


def test_chart__is_a_picture_where_nobody_prepared_matplotlib():
    pytest.importorskip("matplotlib")
    figure = Search(Connect4()).run(simulations=50, seed=1).plot()
    assert figure._repr_png_().startswith(b"\x89PNG")


@pytest.mark.parametrize("config", [SearchConfig(), SearchConfig(graph="dag")])
def test_graph__every_node_of_the_drawing_stands_once_behind_its_parent(config):
    result = Search(Connect4(), config).run(simulations=3000, seed=1)
    drawing = result.to_svg(max_nodes=40)
    picture = svg(drawing)
    boxes = [one for one in picture.iter("{http://www.w3.org/2000/svg}rect") if one.get("stroke")]
    places = [(float(box.get("x")), float(box.get("y"))) for box in boxes]
    assert len(places) == 40 == len(set(places))
    assert texts(picture)[0] == "start"
    assert f"{result.simulations:,}" in texts(picture)
    dashed = drawing.count("stroke-dasharray")
    assert (dashed > 0) == (config.graph == "dag")
    assert drawing._repr_svg_() == drawing


def test_graph__of_one_node_is_a_drawing_too():
    assert texts(svg(Search(Connect4()).run(simulations=1, seed=1).to_svg(max_nodes=1)))[0] == "start"


# --- the example ------------------------------------------------------------------------------------------------------


def kinds(notebook):
    return [
        [sorted(output.get("data", [output["output_type"]])) for output in cell["outputs"]]
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
    ]


def test_example__runs_and_shows_what_the_file_shows():
    pytest.importorskip("matplotlib")
    stored = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert kinds(runner().run(stored)) == kinds(stored)
    pictures = [kind for cell in kinds(stored) for output in cell for kind in output if kind != "text/plain"]
    assert {"image/svg+xml", "image/png", "text/html"} <= set(pictures)


def test_runner__names_the_cell_that_fails():
    cell = {"cell_type": "code", "source": ["1 / 0"], "outputs": [], "metadata": {}}
    with pytest.raises(ZeroDivisionError) as failure:
        runner().run({"cells": [cell]})
    assert failure.value.__notes__ == ["cell 1:\n1 / 0"]
