"""The room where games are studied: a record with variations, and the engine's opinion on every position of it.

A study (`Study`) is a record, a place in it, and what is known of its positions. The engine analyses the place where
somebody looks, while somebody looks; a review goes through a whole line in the background. What both find is kept with
the record. In a problem the engine answers each move of a person (`tesuji.go.engine.solver`).

All pages of a study share its place: two people look at one board.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec

from tesuji.go.engine import Analysis, Engine, EngineConfig
from tesuji.go.engine.solver import Solution, solve
from tesuji.go.knowledge.life import chain_status
from tesuji.go.records.review import Judgement, outlook_by, review, turns_of
from tesuji.go.records.sgf_tree import escaped, simple_text
from tesuji.go.rules.board import Board
from tesuji.web.analysing import playout_of, shown_analysis
from tesuji.web.desk import Desk, Document
from tesuji.web.faces import GoFace
from tesuji.web.record_tree import Node, RecordTree, SavedNode, marks_of, move_name
from tesuji.web.searches import Job

__all__ = ["SavedStudy", "Study", "Value", "title_of"]

ABOUT = ("PB", "BR", "PW", "WR", "EV", "RO", "PC", "DT", "RE", "KM", "RU", "HA", "GN", "GC")
_SAVE_S = 1.0  # after a step through the game
_REPORT_S = 0.1
_SOLVER_SIMULATIONS = 3_000


class Value(msgspec.Struct, array_like=True):
    """What is known of a position: Black's win rate and points, and the simulations behind it."""

    winrate: float
    score: float
    simulations: int


class SavedStudy(msgspec.Struct, kw_only=True):
    """A study on the shelf.

    Attributes
    ----------
    title : str
        For lists.
    nodes : list of SavedNode
        The record.
    at : int
        The place in it.
    values : dict of int to Value
        By node.
    judgements : dict of int to dict
        What a review said of a move, by node (`tesuji.go.records.review.Judgement.to_dict`).
    remarks : list of str
        What was odd about the file it came from.
    anchor : int or None
        While a problem is tried: a stone of the chain at stake.
    """

    title: str
    nodes: list[SavedNode]
    at: int = 0
    values: dict[int, Value] = {}
    judgements: dict[int, dict[str, Any]] = {}
    remarks: list[str] = []
    anchor: int | None = None


class Study(Document):
    """A study that is open."""

    event = "study"

    def __init__(self, id_: str, desk: Desk, saved: SavedStudy) -> None:
        super().__init__(id_, desk)
        self.saved = saved
        self.tree = RecordTree(saved.nodes)
        self.at = self.tree.nodes.get(saved.at, self.tree.root)
        self.board = self.tree.board_at(self.at)
        self.face = GoFace(self.board)
        self.is_analysing = False
        self._analysis: Job[Analysis] | None = None
        self._review: Job[None] | None = None
        self._answer: Job[Solution] | None = None
        self._saving: asyncio.TimerHandle | None = None
        self.verdict = ""

    # --- what pages see -----------------------------------------------------------------------------------------------

    def opened(self) -> dict[str, Any]:
        """Everything."""
        return {
            "id": self.id,
            "layout": self.face.layout(),
            "remarks": self.saved.remarks,
            **self.tree_shown(),
            **self.place(),
        }

    def tree_shown(self) -> dict[str, Any]:
        """The record: nodes as [number, parent, colour, move, whether something is said], and what it is about."""
        width, height = self.board.width, self.board.height
        nodes = [
            [
                node.id,
                -1 if node.parent is None else node.parent.id,
                node.color,
                move_name(node, width, height) or ("+" if node.has_setup else ""),
                1 if "C" in node.properties else 0,
            ]
            for node in self.tree.walk()
        ]
        return {"tree": nodes, "about": self.about(), "title": self.saved.title}

    def about(self) -> dict[str, str]:
        """Players, event, result..."""
        root = self.tree.root.properties
        return {name: simple_text(root[name][0]) for name in ABOUT if root.get(name)}

    def place(self) -> dict[str, Any]:
        """Where the study stands."""
        node, board = self.at, self.board
        line = self.tree.line(node)
        return {
            "at": node.id,
            "position": self.face.picture(board, self._last(board)),
            "comment": node.comment,
            "marks": marks_of(node, board.width, board.height),
            "children": self._children(),
            "line": [one.id for one in line],
            "values": {one.id: self.saved.values[one.id] for one in line if one.id in self.saved.values},
            "judged": {one.id: self.saved.judgements[one.id] for one in line if one.id in self.saved.judgements},
            "analysing": self.is_analysing,
            "reviewing": self._review is not None,
            "problem": self.saved.anchor is not None,
            "answering": self._answer is not None,
            "verdict": self.verdict,
        }

    def _last(self, board: Board) -> int | None:
        return board.last_move if self.at.color else board.num_points

    def _children(self) -> list[dict[str, Any]]:
        """The moves that follow, for the board: where, and which node."""
        found = []
        for child in self.at.children:
            name = move_name(child, self.board.width, self.board.height)
            if name and name not in ("pass", "?"):
                found.append({"cell": self.board.point(name), "node": child.id, "name": name})
        return found

    def changed(self, *, tree: bool = True) -> None:
        """The record has changed, or the place: keep it and tell."""
        self.board = self.tree.board_at(self.at)
        if tree:
            self.save()
        elif self._saving is None:
            self._saving = asyncio.get_running_loop().call_later(_SAVE_S, self.save)
        self.tell({**(self.tree_shown() if tree else {}), **self.place()}, key="tree" if tree else "place")
        self._look()

    def save(self) -> None:
        """Keep it."""
        if self._saving is not None:
            self._saving.cancel()
            self._saving = None
        self.saved.at = self.at.id
        self.saved.nodes = self.tree.saved()
        known = self.tree.nodes.keys()
        self.saved.values = {id_: value for id_, value in self.saved.values.items() if id_ in known}
        self.saved.judgements = {id_: said for id_, said in self.saved.judgements.items() if id_ in known}
        self.desk.shelf.write(self.id, self.saved)

    # --- moving about and editing -------------------------------------------------------------------------------------

    def go_to(self, id_: int) -> None:
        """Look at another node."""
        node = self.tree.node(id_)
        self.tree.board_at(node)
        self.at = node
        self.changed(tree=False)

    def play(self, move: int) -> None:
        """A person's move: along the record, or a new variation. In a problem the engine answers."""
        if not 0 <= move <= self.board.pass_move:
            raise ValueError(f"{move} is not a point of this board")
        if (reason := self.board.why_illegal(move)) is not None:
            raise ValueError(reason)
        self._check_size()
        known = len(self.tree.nodes)
        self.at = self.tree.play(self.at, self.board, move)
        self.changed(tree=len(self.tree.nodes) > known)
        if self.saved.anchor is not None:
            self._answer_problem()

    def delete(self) -> None:
        """Take the node at which the study stands away, with all after it."""
        self.at = self.tree.remove(self.at)
        self.changed()

    def promote(self) -> None:
        """Make this variation the main line."""
        self.tree.promote(self.at)
        self.changed()

    def comment(self, words: str) -> None:
        """Say something about this position."""
        self.at.properties.pop("C", None)
        if words.strip():
            self.at.properties["C"] = [escaped(words)]
        self.save()
        self.tell({**self.tree_shown(), "at": self.at.id, "comment": self.at.comment}, key="comment")

    def mark(self, point: int, kind: str) -> None:
        """Put a mark, or take it off; a letter or a number is the next one that is free."""
        self._on_board(point)
        property_ = "LB" if kind in ("letter", "number") else kind
        used = {mark["text"] for mark in marks_of(self.at, self.board.width, self.board.height)}
        signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if kind == "letter" else [str(number) for number in range(1, 400)]
        label = next((sign for sign in signs if sign not in used), "*")
        self.tree.mark(self.at, self.board, point, property_, label)
        self.changed()

    def set_up(self, point: int, color: int) -> None:
        """Put a stone down outside play, or take one off."""
        self._on_board(point)
        self._check_size()
        before = {name: list(values) for name, values in self.at.properties.items()}
        node = self.tree.set_up(self.at, self.board, point, color)
        try:
            self.tree.board_at(node)
        except ValueError:
            if node is self.at:
                node.properties = before
            else:
                self.tree.remove(node)
            raise
        self.at = node
        self.changed()

    def turn(self) -> None:
        """Let the other player move."""
        node = self.at if not self.at.color else self.tree.add(self.at, {})
        node.properties["PL"] = [b"W" if self.board.to_play == 0 else b"B"]
        self.at = node
        self.changed()

    def describe(self, about: dict[str, str]) -> None:
        """Change what the record says about the game."""
        root = self.tree.root.properties
        before = dict(root)
        for name, words in about.items():
            if name not in ABOUT:
                raise ValueError(f"{name[:10]!r} is not written here; there is {', '.join(ABOUT)}")
            root.pop(name, None)
            if words.strip():
                root[name] = [escaped(" ".join(words.split())[:200])]
        try:
            self.tree.board_at(self.at)
        except ValueError:
            self.tree.root.properties = before
            raise
        self.saved.title = title_of(self.about())
        self.changed()

    def _on_board(self, point: int) -> None:
        if not 0 <= point < self.board.num_points:
            raise ValueError(f"{point} is not a point of this board")

    def _check_size(self) -> None:
        if len(self.tree.nodes) >= self.desk.settings.limits.sgf_nodes:
            raise ValueError(f"the record has {len(self.tree.nodes):,} nodes, and may not have more; delete some")

    # --- what the engine thinks ---------------------------------------------------------------------------------------

    def analyse(self, is_on: bool) -> None:
        """Let the engine look at wherever the study stands, or no longer."""
        self.is_analysing = is_on
        self._look()
        self.tell({"analysing": is_on}, key="analysing")

    def come_back(self) -> None:
        """Somebody looks: the analysis goes on."""
        if self.is_analysing and self._analysis is None:
            self._look()

    def go_away(self) -> None:
        """Nobody looks: nothing is searched."""
        super().go_away()
        self._analysis = self._review = self._answer = None
        if self._saving is not None:
            self.save()

    def _look(self) -> None:
        """Begin the analysis of the place, if one is wanted and somebody sees it."""
        if self._analysis is not None:
            self._analysis.stop()
            self._analysis = None
        if not self.is_analysing or not self.watchers or self.board.is_over:
            return
        node, board, engine = self.at, self.board.copy(), self._engine()
        limit_s = self.desk.settings.limits.search_s

        def work(job: Job[Analysis]) -> Analysis:
            job.stop_by(engine.stop)
            return engine.analyse(
                board, seconds=limit_s, report_s=_REPORT_S,
                on_progress=lambda so_far: job.report(shown_analysis(board, so_far, self.face.name)),
            )  # fmt: skip

        def heard(shown: dict[str, Any]) -> None:
            value = Value(shown["black"], shown["score"], shown["simulations"])
            known = self.saved.values.get(node.id)
            if known is None or known.simulations <= value.simulations:
                self.saved.values[node.id] = value
                if self._saving is None:
                    self._saving = asyncio.get_running_loop().call_later(5 * _SAVE_S, self.save)
            self.tell({"at": node.id, "analysis": shown}, key="analysis")

        self._analysis = self.searches.start(
            work, owner=self, on_report=heard, on_error=lambda error: self.tell({"remark": error})
        )

    def _engine(self, **more: Any) -> Engine:
        config = EngineConfig(seed=self.desk.settings.seed, **more)
        memory = self.desk.settings.limits.search_mb << 20
        search = msgspec.structs.replace(config.search, memory_bytes=memory)
        return Engine(msgspec.structs.replace(config, search=search))

    def groups(self) -> dict[str, str]:
        """Every stone with what becomes of it: alive, dead or seki."""
        return {str(point): status for point, status in chain_status(self.board).items()}

    def playout(self, seed: int) -> dict[str, Any]:
        """One playout of the engine from here, move by move."""
        return playout_of(self.board, seed)

    # --- the whole game -----------------------------------------------------------------------------------------------

    def review(self, simulations: int) -> None:
        """Judge every move of the line through this place, in the background; what is judged already stays."""
        self.stop_review()
        line = [node for node in self.tree.line(self.at) if node.color]
        turns = turns_of(self.tree.record_at(line[-1])) if line else []
        left = [(node, turn) for node, turn in zip(line, turns, strict=True) if not self._is_judged(node, simulations)]
        if not left:
            raise ValueError("every move of this line is judged already; ask for more simulations")
        engine = self._engine()
        width, height = self.board.width, self.board.height

        def work(job: Job[None]) -> None:
            job.stop_by(engine.stop)
            look = outlook_by(engine, simulations=simulations, is_stopped=lambda: job.is_stopped)
            nodes = {turn.number: node.id for node, turn in left}
            for judgement in review([turn for _, turn in left], look):
                if not job.report((nodes[judgement.number], judgement)):
                    return

        def heard(found: tuple[int, Judgement]) -> None:
            id_, judgement = found
            self.saved.judgements[id_] = judgement.to_dict(width, height)
            self.saved.values[id_] = Value(judgement.value_for_black, judgement.score_for_black, judgement.simulations)
            num_done = sum(self._is_judged(node, simulations) for node in line)
            self.tell({"judged": {id_: self.saved.judgements[id_]}, "values": {id_: self.saved.values[id_]},
                       "progress": [num_done, len(line)], "reviewing": True})  # fmt: skip
            if self._saving is None:
                self._saving = asyncio.get_running_loop().call_later(5 * _SAVE_S, self.save)

        def ended(_nothing: None) -> None:
            self._review = None
            self.save()
            self.tell({"reviewing": False, "progress": None})

        def failed(error: str) -> None:
            self._review = None
            self.tell({"reviewing": False, "remark": error})

        self._review = self.searches.start(work, owner=self, on_report=heard, on_end=ended, on_error=failed)
        self.tell({"reviewing": True})

    def stop_review(self) -> None:
        """End the review; what was judged stays."""
        if self._review is not None:
            self._review.stop()
            self._review = None
            self.tell({"reviewing": False, "progress": None})

    def _is_judged(self, node: Node, simulations: int) -> bool:
        said = self.saved.judgements.get(node.id)
        return said is not None and said["simulations"] >= simulations

    # --- problems -----------------------------------------------------------------------------------------------------

    def try_problem(self, is_on: bool) -> None:
        """Begin to try the problem that the board shows, or end that."""
        from tesuji.go.knowledge.problem import framed

        self.verdict = ""
        self.saved.anchor = framed(self.board).anchor if is_on else None
        self.save()
        self.tell(self.place(), key="place")

    def solution(self, done: Callable[[dict[str, Any]], None], owner: object) -> None:
        """Solve what the board shows, and tell who asked."""
        board, engine, anchor = self.board.copy(), self._engine(simulations=_SOLVER_SIMULATIONS), self.saved.anchor
        self.searches.start(
            lambda _job: solve(board, engine, anchor=anchor),
            owner=owner,
            on_end=lambda found: done(self._solution_shown(found)),
            on_error=lambda error: done({"remark": error}),
        )

    def _solution_shown(self, found: Solution) -> dict[str, Any]:
        return {
            "outcome": found.outcome,
            "way": found.way,
            "success": found.is_success,
            "line": found.line[:20],
            "names": [self.face.name(move) for move in found.line[:20]],
            "winrate": found.winrate,
            "nodes": found.num_nodes,
        }

    def _answer_problem(self) -> None:
        board, anchor, node = self.board.copy(), self.saved.anchor, self.at
        assert anchor is not None
        if not board.color_at(anchor):
            self.verdict = "dead"
            self.tell(self.place(), key="place")
            return
        engine = self._engine(simulations=_SOLVER_SIMULATIONS)

        def answered(found: Solution) -> None:
            self._answer = None
            self.verdict = found.outcome
            if self.at is node and found.line and board.is_legal(found.move):
                self.at = self.tree.play(node, board, found.move)
                self.changed()
                if not self.board.color_at(anchor):
                    self.verdict = "dead"
            self.tell(self.place(), key="place")

        def failed(error: str) -> None:
            self._answer = None
            self.tell({"remark": error})

        self._answer = self.searches.start(
            lambda _job: solve(board, engine, anchor=anchor), owner=self, on_end=answered, on_error=failed
        )


def title_of(about: dict[str, str]) -> str:
    """A study in a list: players and event, or what it has."""
    players = " - ".join(about[name] for name in ("PB", "PW") if about.get(name))
    words = [players, about.get("GN", "") or about.get("EV", ""), about.get("DT", "")]
    return ", ".join(word for word in words if word)[:120] or "A study"
