"""The room where rectangles are packed: a problem, the best plan so far, and how it improved.

A problem comes as the text of a file (`tesuji.packing.files`); the plan is kept with it, and the next search begins
from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from tesuji.packing import PackingProblem, Plan
from tesuji.packing.colors import colors_of, labels_of
from tesuji.packing.files import parse_problem
from tesuji.packing.packing import pack_problem
from tesuji.packing.plan import plan_from_moves
from tesuji.packing.svg import caption_of, to_svg
from tesuji.search import Solved
from tesuji.web.desk import Desk, Document
from tesuji.web.page import Handler, Page
from tesuji.web.searches import Job

__all__ = ["PackingRoom", "PlanDocument", "SavedPlan", "new_plan"]

_REPORT_S = 0.2
_Name = Annotated[str, msgspec.Meta(max_length=80)]
_Length = Annotated[float, msgspec.Meta(gt=0, le=1e9)]

EXAMPLE = """name,width,height,count
shelf,80,30,6
side,60,190,4
door,40,180,3
back,76,60,2
drawer,36,18,12
plinth,76,10,4
"""


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a page adds to a problem or changes of it; None: as the file has it."""

    width: _Length | None = None
    rotate: bool | None = None
    kerf: Annotated[float, msgspec.Meta(ge=0, le=1e6)] | None = None
    guillotine: bool | None = None
    max_height: _Length | None = None


class SavedPlan(msgspec.Struct, kw_only=True):
    """A plan on the shelf: the problem's text, and the moves that make the plan."""

    title: str
    name: str
    text: str
    options: Options = Options()
    moves: tuple[int, ...] = ()
    curve: list[tuple[float, float]] = []
    seconds: float = 0.0


class PlanDocument(Document):
    """A problem with its plan, open."""

    event = "packing"

    def __init__(self, id_: str, desk: Desk, saved: SavedPlan) -> None:
        super().__init__(id_, desk)
        self.saved = saved
        self._job: Job[Plan] | None = None
        self._problem: PackingProblem | None = None
        self.why_not = ""
        self._set_up()

    def _set_up(self) -> None:
        """Make the problem; a file that does not say a width waits for one."""
        given = msgspec.structs.asdict(self.saved.options)
        specification = parse_problem(self.saved.text, self.saved.name).with_options(**given)
        most = self.desk.settings.limits.packing_items
        if sum(item.count for item in specification.items) > most:
            raise ValueError(f"there are more than {most:,} rectangles; pack them with tesuji packing solve")
        self.num_items = sum(item.count for item in specification.items)
        if specification.width is None and specification.sheets is None:
            self._problem, self.why_not = None, "width"
            return
        self._problem, self.why_not = specification.problem(), ""

    def opened(self) -> dict[str, Any]:
        """Everything."""
        return {
            "id": self.id,
            "title": self.saved.title,
            "options": self.saved.options,
            "items": self.num_items,
            "missing": self.why_not,
            "running": self._job is not None,
            "plan": self._shown(),
        }

    def _plan(self) -> Plan | None:
        if self._problem is None or not self.saved.moves:
            return None
        return plan_from_moves(self._problem, self.saved.moves)

    def _shown(self) -> dict[str, Any] | None:
        plan = self._plan()
        return None if plan is None else shown_plan(plan, self.saved.curve, self.saved.seconds)

    def change(self, options: Options) -> None:
        """Other options: another problem, and the plan is void."""
        before = self.saved.options
        self.stop()
        self.saved.options = options
        try:
            self._set_up()
        except ValueError:
            self.saved.options = before
            self._set_up()
            raise
        self.saved.moves, self.saved.curve, self.saved.seconds = (), [], 0.0
        self.save()
        self.tell(self.opened())

    def run(self, seconds: float) -> None:
        """Search for a better plan, from the one there is."""
        problem = self._problem
        if problem is None:
            raise ValueError("say how wide the strip is")
        self.stop()
        earlier, curve, before_s = self._plan(), list(self.saved.curve), self.saved.seconds

        def work(job: Job[Plan]) -> Plan:
            best: list[float] = []

            def heard(so_far: Solved) -> bool:
                solution = so_far.best_solution
                if solution is not None and (not best or solution.value != best[-1]):
                    best.append(solution.value)
                    return job.report((solution.moves, so_far.seconds, so_far.simulations))
                return job.report((None, so_far.seconds, so_far.simulations))

            return pack_problem(
                problem,
                seconds=seconds,
                begin_with=earlier,
                seed=self.desk.settings.seed,
                on_progress=heard,
                report_s=_REPORT_S,
            )

        def better(moves: tuple[int, ...], at_s: float) -> None:
            plan = plan_from_moves(problem, moves)
            now = self._plan()
            sign = 1 if plan.objective == "worth" else -1
            if now is None or sign * plan.value > sign * now.value or not curve:
                self.saved.moves = moves
                curve.append((before_s + at_s, plan.value))
                self.saved.curve = curve

        def heard(found: tuple[tuple[int, ...] | None, float, int]) -> None:
            moves, at_s, simulations = found
            self.saved.seconds = before_s + at_s
            if moves is not None:
                better(moves, at_s)
                self.tell({"plan": self._shown(), "running": True, "simulations": simulations}, key="plan")
            else:
                self.tell({"seconds": self.saved.seconds, "running": True, "simulations": simulations}, key="time")

        def ended(plan: Plan) -> None:
            self._job = None
            better(plan.moves, plan.seconds)
            self.save()
            self.tell({"plan": self._shown(), "running": False}, key="plan")

        def failed(error: str) -> None:
            self._job = None
            self.tell({"running": False, "remark": error})

        self._job = self.searches.start(work, owner=self, on_report=heard, on_end=ended, on_error=failed)
        self.tell({"running": True})

    def stop(self) -> None:
        """End the search; the best plan so far stays."""
        if self._job is not None:
            self._job.stop()
            self._job = None
            self.save()
            self.tell({"running": False})

    def go_away(self) -> None:
        """Nobody looks."""
        self.stop()
        super().go_away()

    def save(self) -> None:
        """Keep it."""
        self.desk.shelf.write(self.id, self.saved)

    def svg(self) -> str:
        """The plan as a picture.

        Raises
        ------
        ValueError
            If there is none yet.
        """
        plan = self._plan()
        if plan is None:
            raise ValueError("there is no plan yet; search first")
        return to_svg(plan)

    def json(self) -> str:
        """The plan as `tesuji packing show` reads it."""
        plan = self._plan()
        if plan is None:
            raise ValueError("there is no plan yet; search first")
        return msgspec.json.format(msgspec.json.encode(plan.to_dict()), indent=1).decode()


def shown_plan(plan: Plan, curve: list[tuple[float, float]], seconds: float) -> dict[str, Any]:
    """A plan for the page: rectangles on sheets, and what is known of it."""
    colors, labels = colors_of(plan), labels_of(plan)
    return {
        "caption": caption_of(plan),
        "value": plan.value,
        "bound": plan.bound,
        "optimal": plan.is_optimal,
        "used": plan.used_share,
        "unplaced": list(plan.unplaced)[:50],
        "sheets": [[sheet.width, max(sheet.height, sheet.used_height)] for sheet in plan.sheets],
        "rectangles": [
            [one.sheet, one.x, one.y, one.width, one.height, color, label]
            for one, color, label in zip(plan.placements, colors, labels, strict=True)
        ],
        "curve": curve,
        "seconds": seconds,
    }


def new_plan(text: str, name: str, desk: Desk) -> PlanDocument:
    """A problem of a file's text, on the shelf.

    Raises
    ------
    PackingError
        If it is none.
    """
    safe = name.replace("\\", "/").rpartition("/")[2][:60] or "problem.csv"
    document = PlanDocument(desk.shelf.new_id("plan"), desk, SavedPlan(title=safe, name=safe, text=text))
    document.save()
    return document


# --- what a page can ask ----------------------------------------------------------------------------------------------


class _Which(msgspec.Struct, forbid_unknown_fields=True):
    id: _Name


class _New(msgspec.Struct, forbid_unknown_fields=True):
    text: Annotated[str, msgspec.Meta(max_length=2_000_000)]
    name: Annotated[str, msgspec.Meta(max_length=200)] = "problem.csv"


class _Change(msgspec.Struct, forbid_unknown_fields=True):
    id: _Name
    options: Options


class _Run(msgspec.Struct, forbid_unknown_fields=True):
    id: _Name
    seconds: Annotated[float, msgspec.Meta(gt=0, le=600)] = 10.0


class PackingRoom:
    """The commands of the room."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """By name."""
        return {
            "packing.offer": self._offer,
            "packing.new": self._new,
            "packing.enter": self._enter,
            "packing.leave": self._leave,
            "packing.delete": self._delete,
            "packing.change": self._change,
            "packing.run": self._run,
            "packing.stop": self._stop,
            "packing.file": self._file,
        }

    def plan(self, id_: str) -> PlanDocument:
        """An open plan."""
        return self._desk.get(id_, PlanDocument, SavedPlan, lambda i, saved: PlanDocument(i, self._desk, saved))

    async def _offer(self, page: Page, of: dict[str, Any]) -> Any:
        del page, of
        return {"saved": self._desk.shelf.summaries("plan", 30), "example": EXAMPLE}

    async def _new(self, page: Page, of: dict[str, Any]) -> Any:
        del page
        asked = msgspec.convert(of, _New)
        return {"id": self._desk.put(new_plan(asked.text, asked.name, self._desk)).id}

    async def _enter(self, page: Page, of: dict[str, Any]) -> Any:
        plan = self.plan(msgspec.convert(of, _Which).id)
        plan.watch(page)
        return plan.opened()

    async def _leave(self, page: Page, of: dict[str, Any]) -> Any:
        self.plan(msgspec.convert(of, _Which).id).leave(page)

    async def _delete(self, page: Page, of: dict[str, Any]) -> Any:
        del page
        which = msgspec.convert(of, _Which)
        self.plan(which.id)
        self._desk.delete(which.id)

    async def _change(self, page: Page, of: dict[str, Any]) -> Any:
        del page
        asked = msgspec.convert(of, _Change)
        self.plan(asked.id).change(asked.options)

    async def _run(self, page: Page, of: dict[str, Any]) -> Any:
        del page
        asked = msgspec.convert(of, _Run)
        self.plan(asked.id).run(asked.seconds)

    async def _stop(self, page: Page, of: dict[str, Any]) -> Any:
        del page
        self.plan(msgspec.convert(of, _Which).id).stop()

    async def _file(self, page: Page, of: dict[str, Any]) -> Any:
        del page
        plan = self.plan(msgspec.convert(of, _Which).id)
        return {"svg": plan.svg(), "json": plan.json(), "name": plan.saved.title.rpartition(".")[0] or "plan"}
