"""Diagrams for papers."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tesuji.go import Board
from tesuji.go.view.printed import PrintedDiagram, drawing_of
from tesuji.search.view.shapes import write_drawing

KO = ("C4", "B4", "D3", "A3", "C2", "B2", "B3", "C3")  # White takes the ko at C3 and Black's B3 is gone


def _game(*moves: str) -> Board:
    board = Board(5)
    for move in moves:
        board.play(move)
    return board


def _parts(diagram: PrintedDiagram, tag: str) -> list[ElementTree.Element]:
    return [
        element for element in ElementTree.fromstring(drawing_of(diagram).svg()).iter() if element.tag.endswith(tag)
    ]


def _texts(diagram: PrintedDiagram) -> list[str | None]:
    return [element.text for element in _parts(diagram, "text")]


def test_diagram__has_a_disc_for_every_stone() -> None:
    discs = [disc for disc in _parts(PrintedDiagram(board=_game("C3", "D4", "A1")), "circle") if disc.get("stroke")]
    assert [(disc.get("cx"), disc.get("cy"), disc.get("fill")) for disc in discs] == [
        ("3", "1", "#ffffff"), ("2", "2", "#000000"), ("0", "4", "#000000")
    ]  # fmt: skip


def test_numbers__captured_stones_stay_and_later_moves_there_are_noted() -> None:
    board = _game(*KO, "E5", "E4", "B3")
    diagram = PrintedDiagram(board=board, numbers=(7, 11), coordinates=False)
    assert diagram.notes == "11 at 7"
    assert sorted(_texts(diagram)) == ["10", "7", "8", "9"]


def test_numbers__a_pass_is_noted() -> None:
    assert PrintedDiagram(board=_game("C3", "pass", "D4"), numbers=(1, 3)).notes == "2 pass"


def test_part__shows_only_what_is_in_it() -> None:
    diagram = PrintedDiagram(board=_game("A1", "E5"), part=(2, 0, 4, 2))
    discs = [disc for disc in _parts(diagram, "circle") if disc.get("stroke")]
    assert len(discs) == 1
    assert _texts(diagram) == ["C", "D", "E", "5", "4", "3"]


@pytest.mark.parametrize(
    "more",
    [
        {"part": (3, 0, 2, 2)},
        {"part": (0, 0, 5, 5)},
        {"numbers": (0, 1)},
        {"numbers": (2, 9)},
        {"style": "x"},
        {"cell_cm": 99},
    ],
)
def test_diagram__what_is_not_there_is_refused(more: dict) -> None:
    with pytest.raises(ValueError, match="part|numbers|style|size"):
        PrintedDiagram(board=_game("C3", "D4"), **more)


def test_labels__markup_stays_text() -> None:
    diagram = PrintedDiagram(board=Board(5), labels={0: "<&>"}, coordinates=False)
    assert _texts(diagram) == ["<&>"]


def test_marks__each_has_its_shape() -> None:
    marks = dict(enumerate(("triangle", "square", "circle", "cross")))
    diagram = PrintedDiagram(board=Board(5), marks=marks, coordinates=False)
    closed = [path for path in _parts(diagram, "path") if path.get("d", "").endswith("Z")]
    assert len(closed) == 2


def test_write__the_ending_says_how(tmp_path: Path) -> None:
    diagram = PrintedDiagram(board=_game("C3"))
    assert write_drawing(drawing_of(diagram), tmp_path / "a.svg").read_text().startswith("<svg")
    with pytest.raises(ValueError, match=r"\.txt"):
        write_drawing(drawing_of(diagram), tmp_path / "a.txt")
    pytest.importorskip("matplotlib")
    assert write_drawing(drawing_of(diagram), tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
    assert drawing_of(diagram).rendered("png", dpi=50).startswith(b"\x89PNG")
    assert drawing_of(diagram).rendered("pdf") == drawing_of(diagram).rendered("pdf")  # no date in it
