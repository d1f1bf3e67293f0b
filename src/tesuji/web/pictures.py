"""The room of pictures: a position of a study as a diagram for papers, drawn as `tesuji diagram` does."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from tesuji.go.rules.board import Board
from tesuji.go.view.printed import Mark, PrintedDiagram, rendered
from tesuji.web.page import Handler, Page
from tesuji.web.record_tree import marks_of
from tesuji.web.study_room import StudyRoom

__all__ = ["PictureRoom"]

_MARKS: dict[str, Mark] = {"TR": "triangle", "SQ": "square", "CR": "circle", "MA": "cross"}
_Name = Annotated[str, msgspec.Meta(max_length=80)]
_Corner = Annotated[str, msgspec.Meta(max_length=4)]


class _Draw(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    id: _Name
    form: Literal["svg", "pdf", "png"] = "svg"
    first: Annotated[int, msgspec.Meta(ge=1, le=100_000)] | None = None
    last: Annotated[int, msgspec.Meta(ge=1, le=100_000)] | None = None
    corners: tuple[_Corner, _Corner] | None = None
    coordinates: bool = True
    style: Literal["print", "wood"] = "print"
    cell_cm: Annotated[float, msgspec.Meta(ge=0.2, le=3)] = 0.5


class PictureRoom:
    """The command of the room."""

    def __init__(self, studies: StudyRoom) -> None:
        self._studies = studies
        self._drawing = asyncio.Semaphore(1)  # matplotlib takes a processor for a second

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """By name."""
        return {"pictures.draw": self._draw}

    async def _draw(self, page: Page, of: dict[str, Any]) -> Any:
        del page
        asked = msgspec.convert(of, _Draw)
        study = self._studies.study(asked.id)
        board = study.board.copy()
        marks = marks_of(study.at, board.width, board.height)
        diagram = PrintedDiagram(
            board=board,
            part=None if asked.corners is None else _part(board, asked.corners),
            marks={mark["cell"]: _MARKS[mark["kind"]] for mark in marks if mark["kind"] in _MARKS},
            labels={mark["cell"]: mark["text"] for mark in marks if mark["kind"] == "LB"},
            numbers=_numbers(board, asked.first, asked.last),
            coordinates=asked.coordinates,
            style=asked.style,
            cell_cm=asked.cell_cm,
        )
        async with self._drawing:
            data = await asyncio.to_thread(rendered, diagram, asked.form)
        content = data.decode() if asked.form == "svg" else base64.b64encode(data).decode()
        return {"content": content, "notes": diagram.notes, "moves": board.num_moves}


def _part(board: Board, corners: tuple[str, str]) -> tuple[int, int, int, int]:
    points = [board.point(corner) for corner in corners]
    if board.pass_move in points:
        raise ValueError("a pass is no corner; write two points, as in A1 and K10")
    (top, left), (bottom, right) = (divmod(point, board.width) for point in points)
    return min(left, right), min(top, bottom), max(left, right), max(top, bottom)


def _numbers(board: Board, first: int | None, last: int | None) -> tuple[int, int] | None:
    if first is None or not board.num_moves:
        return None
    return first, board.num_moves if last is None else last
