"""The room of pictures: a study or a game that was played as a diagram for papers, as `tesuji diagram` draws it."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from tesuji.go.rules.board import Board
from tesuji.go.view.printed import PrintedDiagram, drawing_of
from tesuji.search.view.printed import PrintedGame
from tesuji.search.view.printed import drawing_of as drawing_of_game
from tesuji.search.view.shapes import Drawing, Mark
from tesuji.web.page import Handler, Page
from tesuji.web.play import PlayRoom
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

    def __init__(self, studies: StudyRoom, games: PlayRoom) -> None:
        self._studies, self._games = studies, games
        self._drawing = asyncio.Semaphore(1)  # matplotlib takes a processor for a second

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """By name."""
        return {"pictures.draw": self._draw}

    async def _draw(self, page: Page, of: dict[str, Any]) -> Any:
        del page
        asked = msgspec.convert(of, _Draw)
        drawing, about = self._game(asked) if asked.id.startswith("play") else self._study(asked)
        async with self._drawing:
            data = await asyncio.to_thread(drawing.rendered, asked.form)
        content = data.decode() if asked.form == "svg" else base64.b64encode(data).decode()
        return {"content": content, **about}

    def _study(self, asked: _Draw) -> tuple[Drawing, dict[str, Any]]:
        study = self._studies.study(asked.id)
        board = study.board.copy()
        marks = marks_of(study.at, board.width, board.height)
        return _drawn(
            board,
            asked,
            marks={mark["cell"]: _MARKS[mark["kind"]] for mark in marks if mark["kind"] in _MARKS},
            labels={mark["cell"]: mark["text"] for mark in marks if mark["kind"] == "LB"},
        )

    def _game(self, asked: _Draw) -> tuple[Drawing, dict[str, Any]]:
        """A game that was played: Go as a study is drawn, another one as its board."""
        played = self._games.game(asked.id)
        if isinstance(played.game, Board):
            return _drawn(played.game.copy(), asked, {}, {})
        if not played.face.layout()["cells"]:
            raise ValueError(f"{played.face.title} has no board that could be drawn")
        if asked.corners is not None:
            raise ValueError("a part of the board can be drawn at Go only; leave the corners empty")
        moves = list(played.saved.moves)
        first, last = asked.first, len(moves) if asked.last is None else asked.last
        diagram = PrintedGame(
            start=played.start,
            moves=moves,
            numbers=None if first is None or not moves else (first, last),
            coordinates=asked.coordinates,
            style=asked.style,
            cell_cm=asked.cell_cm,
        )
        return drawing_of_game(diagram), {"notes": "", "moves": len(moves)}


def _drawn(
    board: Board, asked: _Draw, marks: Mapping[int, Mark], labels: Mapping[int, str]
) -> tuple[Drawing, dict[str, Any]]:
    diagram = PrintedDiagram(
        board=board,
        part=None if asked.corners is None else _part(board, asked.corners),
        marks=marks,
        labels=labels,
        numbers=_numbers(board, asked.first, asked.last),
        coordinates=asked.coordinates,
        style=asked.style,
        cell_cm=asked.cell_cm,
    )
    return drawing_of(diagram), {"notes": diagram.notes, "moves": board.num_moves}


def _part(board: Board, corners: tuple[str, str]) -> tuple[int, int, int, int]:
    points = [board.point(corner) for corner in corners]
    if board.pass_move in points:
        raise ValueError("a pass is not a corner; write two points, as in A1 and K10")
    (top, left), (bottom, right) = (divmod(point, board.width) for point in points)
    return min(left, right), min(top, bottom), max(left, right), max(top, bottom)


def _numbers(board: Board, first: int | None, last: int | None) -> tuple[int, int] | None:
    if first is None or not board.num_moves:
        return None
    return first, board.num_moves if last is None else last
