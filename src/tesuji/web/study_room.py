"""What a page can ask in the room of studies: words to calls of `tesuji.web.study.Study`."""

from __future__ import annotations

import asyncio
import base64
import binascii
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import msgspec

from tesuji.go.records.sgf import to_sgf
from tesuji.go.rules.board import Board
from tesuji.web.desk import Desk
from tesuji.web.page import Handler, Page
from tesuji.web.record_tree import RecordTree
from tesuji.web.setups import GameSetup
from tesuji.web.study import ABOUT, SavedStudy, Study, title_of

__all__ = ["StudyRoom", "new_study"]

_Name = Annotated[str, msgspec.Meta(max_length=80)]


class _Which(msgspec.Struct, forbid_unknown_fields=True):
    id: _Name


class _Open(msgspec.Struct, forbid_unknown_fields=True):
    text: str = ""
    bytes: str = ""


class _New(msgspec.Struct, forbid_unknown_fields=True):
    setup: GameSetup


class _Node(msgspec.Struct, forbid_unknown_fields=True):
    id: _Name
    node: int


class _Move(msgspec.Struct, forbid_unknown_fields=True):
    id: _Name
    move: int | None = None
    text: _Name | None = None


class _Comment(msgspec.Struct, forbid_unknown_fields=True):
    id: _Name
    text: Annotated[str, msgspec.Meta(max_length=100_000)]


class _Mark(msgspec.Struct, forbid_unknown_fields=True):
    id: _Name
    point: int
    kind: Literal["TR", "SQ", "CR", "MA", "letter", "number"]


class _SetUp(msgspec.Struct, forbid_unknown_fields=True):
    id: _Name
    point: int
    color: Literal[0, 1, 2]


class _About(msgspec.Struct, forbid_unknown_fields=True):
    id: _Name
    about: dict[_Name, Annotated[str, msgspec.Meta(max_length=1000)]]


class _Switch(msgspec.Struct, forbid_unknown_fields=True):
    id: _Name
    on: bool


class _Review(msgspec.Struct, forbid_unknown_fields=True):
    id: _Name
    simulations: Annotated[int, msgspec.Meta(ge=10, le=100_000)] = 1_000


class _Playout(msgspec.Struct, forbid_unknown_fields=True):
    id: _Name
    seed: Annotated[int, msgspec.Meta(ge=0, lt=2**31)] = 1


def new_study(data: bytes, desk: Desk) -> Study:
    """A study of a record, on the shelf.

    Raises
    ------
    ValueError
        If it is not a record, or too large.
    """
    limits = desk.settings.limits
    if len(data) > limits.sgf_bytes:
        raise ValueError(f"the record has {len(data):,} bytes; at most {limits.sgf_bytes:,} are read")
    tree, remarks = RecordTree.from_sgf(data, limits.sgf_nodes)
    saved = SavedStudy(title="", nodes=tree.saved(), remarks=list(remarks)[:20])
    study = Study(desk.shelf.new_id("study"), desk, saved)
    saved.title = title_of(study.about())
    study.save()
    return study


class StudyRoom:
    """The commands of the room."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """By name."""
        return {
            "study.list": self._list,
            "study.open": self._take_in,
            "study.new": self._new,
            "study.enter": self._enter,
            "study.leave": self._leave,
            "study.delete": self._delete,
            "study.sgf": self._sgf,
            "study.go": self._with(_Node, lambda study, of: study.go_to(of.node)),
            "study.play": self._play,
            "study.remove": self._with(_Which, lambda study, _of: study.delete()),
            "study.promote": self._with(_Which, lambda study, _of: study.promote()),
            "study.comment": self._with(_Comment, lambda study, of: study.comment(of.text)),
            "study.mark": self._with(_Mark, lambda study, of: study.mark(of.point, of.kind)),
            "study.setup": self._with(_SetUp, lambda study, of: study.set_up(of.point, of.color)),
            "study.turn": self._with(_Which, lambda study, _of: study.turn()),
            "study.about": self._with(_About, lambda study, of: study.describe(of.about)),
            "study.analyse": self._with(_Switch, lambda study, of: study.analyse(of.on)),
            "study.review": self._with(_Review, lambda study, of: study.review(of.simulations)),
            "study.stop_review": self._with(_Which, lambda study, _of: study.stop_review()),
            "study.problem": self._with(_Switch, lambda study, of: study.try_problem(of.on)),
            "study.solve": self._solve,
            "study.groups": self._groups,
            "study.playout": self._playout,
        }

    def study(self, id_: str) -> Study:
        """An open study."""
        return self._desk.get(id_, Study, SavedStudy, lambda i, saved: Study(i, self._desk, saved))

    async def _list(self, page: Page, of: dict[str, Any]) -> Any:
        del page, of
        return {"saved": self._desk.shelf.summaries("study", 50), "about": ABOUT}

    async def _take_in(self, page: Page, of: dict[str, Any]) -> Any:
        del page
        asked = msgspec.convert(of, _Open)
        try:
            data = base64.b64decode(asked.bytes, validate=True) if asked.bytes else asked.text.encode()
        except binascii.Error as error:
            raise ValueError("the record was damaged on the way; try again") from error
        study = await asyncio.to_thread(new_study, data, self._desk)
        return {"id": self._desk.put(study).id}

    async def _new(self, page: Page, of: dict[str, Any]) -> Any:
        del page
        board = msgspec.convert(of, _New).setup.start()
        if not isinstance(board, Board):
            raise ValueError("studies are of Go; other games are played, and their searches seen")
        return {"id": self._desk.put(new_study(to_sgf(board), self._desk)).id}

    async def _enter(self, page: Page, of: dict[str, Any]) -> Any:
        study = self.study(msgspec.convert(of, _Which).id)
        study.watch(page)
        return study.opened()

    async def _leave(self, page: Page, of: dict[str, Any]) -> Any:
        self.study(msgspec.convert(of, _Which).id).leave(page)

    async def _delete(self, page: Page, of: dict[str, Any]) -> Any:
        del page
        which = msgspec.convert(of, _Which)
        self.study(which.id)
        self._desk.delete(which.id)

    async def _sgf(self, page: Page, of: dict[str, Any]) -> Any:
        del page
        study = self.study(msgspec.convert(of, _Which).id)
        return {"text": study.tree.to_sgf().decode(), "name": _file_name(study.saved.title)}

    async def _play(self, page: Page, of: dict[str, Any]) -> Any:
        del page
        asked = msgspec.convert(of, _Move)
        study = self.study(asked.id)
        move = asked.move if asked.text is None else study.face.parse(asked.text.strip())
        if move is not None:
            study.play(move)

    async def _solve(self, page: Page, of: dict[str, Any]) -> Any:
        study = self.study(msgspec.convert(of, _Which).id)
        at = study.at.id
        study.solution(lambda found: page.tell("study", {"id": study.id, "at": at, "solution": found}), page)

    async def _groups(self, page: Page, of: dict[str, Any]) -> Any:
        del page
        return await asyncio.to_thread(self.study(msgspec.convert(of, _Which).id).groups)

    async def _playout(self, page: Page, of: dict[str, Any]) -> Any:
        del page
        asked = msgspec.convert(of, _Playout)
        return await asyncio.to_thread(self.study(asked.id).playout, asked.seed)

    def _with(self, kind: type[Any], do: Callable[[Study, Any], None]) -> Handler:
        async def handle(page: Page, of: dict[str, Any]) -> Any:
            del page
            asked = msgspec.convert(of, kind)
            do(self.study(asked.id), asked)

        return handle


def _file_name(title: str) -> str:
    """A title as the name of a file: letters, digits and hyphens."""
    return "-".join("".join(sign if sign.isalnum() else " " for sign in title).split())[:60] or "study"
