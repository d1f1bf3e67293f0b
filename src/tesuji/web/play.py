"""The room where games are played: a person against an opponent, two people, or two opponents to watch.

A game (`PlayedGame`) is its set-up, its seats and its moves; all else follows from these and is kept on the shelf after
every move. The opponent thinks on a search thread as long as somebody looks, and begins again when a page comes back.
In Go two passes lead to the count: the dead stones that the playouts see are proposed, people mark others by hand.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
import numpy as np

from tesuji.games.moves_file import moves_text
from tesuji.go.knowledge.life import Judgement, counted, judge
from tesuji.go.records.sgf import to_sgf
from tesuji.go.rules.board import Board
from tesuji.search.levels import LEVELS
from tesuji.web.desk import Desk, Document
from tesuji.web.faces import face_of
from tesuji.web.opponents import Opponent, Thought, opponent_for
from tesuji.web.page import Handler, Page
from tesuji.web.searches import Job
from tesuji.web.setups import GameSetup, games_for_page
from tesuji.web.timing import Clocks, ClockSetting, SavedClocks

__all__ = ["PlayRoom", "PlayedGame", "SavedGame"]

YOU = "you"
_HINTS = 3
_HINT_SIMULATIONS = 2_000
Phase = Literal["play", "score", "over"]


class SavedGame(msgspec.Struct, kw_only=True):
    """A game on the shelf.

    Attributes
    ----------
    title : str
        For lists.
    setup : GameSetup
        Before the first move.
    seats : tuple of str
        Who sits there: ``you``, ``level:NAME`` or ``player:NAME``.
    moves : list of int
        In order.
    phase : {"play", "score", "over"}
        Whether it is played, counted or done.
    result : str
        As SGF writes results.
    dead, seki : list of int
        Stones, while it is counted.
    setting, clocks : optional
        Of the clocks, where there are any.
    """

    title: str
    setup: GameSetup
    seats: tuple[str, str]
    moves: list[int] = []
    phase: Phase = "play"
    result: str = ""
    dead: list[int] = []
    seki: list[int] = []
    setting: ClockSetting | None = None
    clocks: SavedClocks | None = None


class PlayedGame(Document):
    """A game that is open."""

    event = "play"

    def __init__(self, id_: str, desk: Desk, saved: SavedGame) -> None:
        super().__init__(id_, desk)
        self.saved = saved
        start = saved.setup.start(desk.settings.own_games)
        self.face = face_of(start)
        self.start, self.game = start, start.copy()
        for move in saved.moves:
            self.game.play(move)
        self._opponents: dict[int, Opponent] = {
            seat: opponent_for(who, saved.setup, desk.settings) for seat, who in enumerate(saved.seats) if who != YOU
        }
        self._thinking: Job[Thought] | None = None
        self._judging: Job[Judgement] | None = None
        self._clocks = None if saved.setting is None else Clocks(saved.setting, saved.clocks)
        self._flag: asyncio.TimerHandle | None = None
        self.remark = ""
        self.thought: dict[str, Any] | None = None

    # --- what pages see -----------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Everything but the layout."""
        saved = self.saved
        state = {
            "id": self.id,
            "position": self.face.picture(self.game, saved.moves[-1] if saved.moves else None),
            "moves": [self.face.name(move) for move in saved.moves],
            "phase": saved.phase,
            "result": saved.result,
            "seats": saved.seats,
            "thinking": self._thinking is not None,
            "counting": self._judging is not None,
            "waiting": self._thinking is not None and not self._thinking.is_running,
            "remark": self.remark,
            "thought": self.thought,
            "clocks": None if self._clocks is None else self._clocks.shown(),
        }
        if saved.phase == "score":
            state["dead"] = saved.dead
            state["score"] = self._score()
        return state

    def opened(self) -> dict[str, Any]:
        """The state with all that is sent once."""
        setup = self.saved.setup
        words: dict[str, Any] = {"game": setup.game, "title": self.face.title, "goal": self.face.goal}
        if isinstance(self.game, Board):
            words |= {"komi": self.game.komi, "rules": self.game.rules.name, "handicap": self.game.handicap}
        return {**self.state(), "layout": self.face.layout(), "about": words}

    def told(self) -> None:
        """Keep it, and tell all who watch."""
        self.save()
        self.tell(self.state(), key="state")

    def save(self) -> None:
        """Keep it."""
        if self._clocks is not None:
            self.saved.clocks = self._clocks.saved()
        self.desk.shelf.write(self.id, self.saved)

    # --- what people do -----------------------------------------------------------------------------------------------

    def play(self, move: int) -> None:
        """A person moves."""
        if self.saved.phase != "play":
            raise ValueError("the game is over; begin a new one")
        if self.saved.seats[self.game.to_play] != YOU:
            raise ValueError("it is not your turn")
        self._move(move)

    def undo(self) -> None:
        """Take back until a person is to move again, one person's move at least."""
        moves = self.saved.moves
        kept = len(moves) - 1
        while kept >= 0 and self.saved.seats[self._mover_before(kept)] != YOU:
            kept -= 1
        if kept < 0:
            raise ValueError("there is nothing to take back: no move of yours has been played")
        self._stop_thinking()
        self.saved.moves = moves[:kept]
        self._replay()
        self.saved.phase, self.saved.result, self.saved.dead, self.thought = "play", "", [], None
        self._go_on()

    def resign(self) -> None:
        """The person to move gives up; while an opponent thinks, the person opposite does."""
        if self.saved.phase != "play":
            raise ValueError("the game is over already")
        loser = self.game.to_play
        if self.saved.seats[loser] != YOU:
            loser = 1 - loser
        if self.saved.seats[loser] != YOU:
            raise ValueError("nobody here plays in this game; watch, or begin one of your own")
        self._stop_thinking()
        self._end(f"{'BW'[1 - loser]}+R")

    def toggle_dead(self, point: int) -> None:
        """Mark a chain as dead, or as alive again."""
        board = self._counted_board()
        if not 0 <= point < board.num_points or not board.color_at(point):
            raise ValueError("there is no stone; mark the stones that are dead")
        chain, dead = set(board.chain(point).tolist()), set(self.saved.dead)
        self.saved.dead = sorted(dead - chain if point in dead else dead | chain)
        self.saved.seki = [stone for stone in self.saved.seki if stone not in chain]
        self.told()

    def accept_score(self) -> None:
        """The count stands."""
        self._counted_board()
        self._end(str(counted(self.game, self.saved.dead, self.saved.seki)))

    def play_on(self) -> None:
        """The players do not agree on what is dead: they take their passes back and go on."""
        self._counted_board()
        while self.saved.moves and self.saved.moves[-1] == self.game.pass_move:
            self.saved.moves.pop()
        self._replay()
        self.saved.phase, self.saved.dead = "play", []
        self._go_on()

    def hint(self, page: Page) -> None:
        """Show a page what the engine would play."""
        if self.saved.phase != "play":
            raise ValueError("the game is over; there is nothing to hint at")
        position, name = self.game.copy(), self.face.name

        def think(job: Job[list[dict[str, Any]]]) -> list[dict[str, Any]]:
            return _hints(position, self.saved.setup.game, self.desk.settings.seed, name, job)

        self.searches.start(
            think,
            owner=page,
            on_end=lambda found: page.tell("play", {"id": self.id, "hints": found}, key=f"{self.id}/hints"),
            on_error=lambda error: page.tell("play", {"id": self.id, "remark": error}),
        )

    def sgf(self) -> str:
        """The game as a record; of another game than Go its moves in words."""
        if not isinstance(self.game, Board):
            about = ", ".join(f"{a} {_called(b)}" for a, b in zip(self.face.players, self.saved.seats, strict=True))
            return moves_text(self.start, [self.face.name(move) for move in self.saved.moves], about, self.saved.result)
        black, white = (_called(who) for who in self.saved.seats)
        return to_sgf(self.game, black=black, white=white, result=self.saved.result).decode()

    # --- what happens by itself ---------------------------------------------------------------------------------------

    def come_back(self) -> None:
        """Somebody looks: who is to move thinks, and clocks run."""
        self._go_on(is_new=False)

    def go_away(self) -> None:
        """Nobody looks: nobody thinks, and clocks stand still."""
        self._stop_thinking()
        if self._clocks is not None:
            self._clocks.pause()
            self.save()
        self._stop_flag()
        for opponent in self._opponents.values():
            opponent.close()

    def _move(self, move: int) -> None:
        if reason := self.face.why_illegal(self.game, move):
            raise ValueError(reason)
        if self._clocks is not None:
            self._clocks.moved(self.game.to_play)
        self.game.play(move)
        self.saved.moves.append(move)
        self.remark = ""
        self._go_on()

    def _go_on(self, *, is_new: bool = True) -> None:
        """After whatever has changed: the end, the count, or the next turn."""
        self._stop_flag()
        if self.saved.phase == "play" and self.game.is_over:
            self._finish()
        elif self.saved.phase == "score" and self._judging is None and not (self.saved.dead or YOU in self.saved.seats):
            self._finish()  # the server ended while it was counted
        elif self.saved.phase == "play" and (self.watchers or is_new):
            if self._clocks is not None:
                self._clocks.start(self.game.to_play)
                self._set_flag()
            if self.game.to_play in self._opponents and self._thinking is None:
                self._think()
        if is_new:
            self.told()

    def _finish(self) -> None:
        board = self.game
        if isinstance(board, Board) and not board.rules.removes_dead:
            self._end(str(board.score()), tells=False)
        elif isinstance(board, Board):
            self.saved.phase = "score"
            final = board.copy()
            self._judging = self.searches.start(lambda _job: judge(final), owner=self, on_end=self._judged)
        else:
            self._finish_other()

    def _judged(self, judged: Judgement) -> None:
        """The playouts' opinion on life and death: a proposal, where a person may have another."""
        self._judging = None
        if self.saved.phase != "score":
            return
        self.saved.dead, self.saved.seki = judged.points("dead"), judged.points("seki")
        if YOU in self.saved.seats:
            self.told()
        else:
            self.accept_score()

    def _finish_other(self) -> None:
        value = self.game.value
        self._end("0" if value == 0.5 else f"{'B' if value > 0.5 else 'W'}+", tells=False)

    def _end(self, result: str, *, tells: bool = True) -> None:
        self.saved.phase, self.saved.result = "over", result
        self._stop_flag()
        if self._clocks is not None:
            self._clocks.pause()
        if tells:
            self.told()

    def _think(self) -> None:
        seat = self.game.to_play
        opponent, position, moves = self._opponents[seat], self.game.copy(), list(self.saved.moves)
        clock = None if self._clocks is None else self._clocks.clock(seat)
        self._thinking = self.searches.start(
            lambda job: opponent.choose(position, moves, clock, job),
            owner=self,
            on_end=lambda thought: self._answered(seat, thought),
            on_error=self._failed,
        )

    def _answered(self, seat: int, thought: Thought) -> None:
        self._thinking = None
        if self.saved.phase != "play" or self.game.to_play != seat:
            return
        self.thought = {
            "seat": seat,
            "winrate": thought.winrate,
            "line": [self.face.name(move) for move in thought.line[:12]],
        }
        if thought.move == "resign":
            self._end(f"{'BW'[1 - seat]}+R")
            return
        try:
            self._move(thought.move)
        except ValueError as error:
            self._failed(str(error))

    def _failed(self, error: str) -> None:
        self._thinking = None
        self.remark = error
        self.told()

    def _stop_thinking(self) -> None:
        if self._thinking is not None:
            self._thinking.stop()
            self._thinking = None

    # --- clocks -------------------------------------------------------------------------------------------------------

    def _set_flag(self) -> None:
        assert self._clocks is not None
        seat = self.game.to_play
        left_s = max(0.0, self._clocks.until_lost_s(seat)) + 0.05
        self._flag = asyncio.get_running_loop().call_later(left_s, self._fall, seat)

    def _fall(self, seat: int) -> None:
        """A player's time is over; one that thinks is given a second more, which the connection may have cost."""
        if self.saved.phase == "play" and self.game.to_play == seat:
            self._stop_thinking()
            self._end(f"{'BW'[1 - seat]}+T")

    def _stop_flag(self) -> None:
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None

    # --- small questions ----------------------------------------------------------------------------------------------

    def _counted_board(self) -> Board:
        if self.saved.phase != "score" or not isinstance(self.game, Board):
            raise ValueError("there is nothing to count: stones are counted after two passes")
        return self.game

    def _score(self) -> dict[str, Any]:
        found = counted(self.game, self.saved.dead, self.saved.seki)
        return {"black": found.black, "white": found.white, "text": str(found)}

    def _replay(self) -> None:
        self.game = self.start.copy()
        for move in self.saved.moves:
            self.game.play(move)

    def _mover_before(self, number: int) -> int:
        """Who made a move."""
        position = self.start.copy()
        for move in self.saved.moves[:number]:
            position.play(move)
        return int(position.to_play)


def _called(who: str) -> str:
    return "You" if who == YOU else who.partition(":")[2]


def _hints(
    position: Any, game: str, seed: int | None, name: Any, job: Job[list[dict[str, Any]]]
) -> list[dict[str, Any]]:
    """The best moves with their win rates and lines."""
    from tesuji.go.engine import Engine, EngineConfig
    from tesuji.search import Search
    from tesuji.search.presets import presets_of

    if isinstance(position, Board):
        engine = Engine(EngineConfig(simulations=_HINT_SIMULATIONS, seed=seed))
        job.stop_by(engine.stop)
        best = engine.analyse(position, on_progress=lambda _so_far: not job.is_stopped).moves[:_HINTS]
        rows = [(one.move, one.winrate, one.visits, one.pv) for one in best]
    else:
        search = Search(position, presets_of(game)["default"])
        job.stop_by(search.stop)
        found = search.run(simulations=_HINT_SIMULATIONS, seed=seed, on_progress=lambda _so_far: not job.is_stopped)
        order = np.argsort(-found.visits.astype(np.int64), kind="stable").tolist()
        chosen = sorted(order, key=lambda i: int(found.moves[i]) != found.best_move)[:_HINTS]
        rows = [(int(found.moves[i]), float(found.values[i]), int(found.visits[i]), found.lines[i]) for i in chosen]
    return [
        {"move": move, "name": name(move), "winrate": rate, "visits": visits, "line": [name(m) for m in line[:8]]}
        for move, rate, visits, line in rows
    ]


# --- what a page can ask ----------------------------------------------------------------------------------------------

_Name = Annotated[str, msgspec.Meta(max_length=80)]


class _New(msgspec.Struct, forbid_unknown_fields=True):
    setup: GameSetup
    seats: tuple[_Name, _Name]
    clock: ClockSetting | None = None


class _Which(msgspec.Struct, forbid_unknown_fields=True):
    id: _Name


class _Move(msgspec.Struct, forbid_unknown_fields=True):
    id: _Name
    move: int | None = None
    text: _Name | None = None


class _Point(msgspec.Struct, forbid_unknown_fields=True):
    id: _Name
    point: int


class PlayRoom:
    """The commands of the room."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """By name."""
        return {
            "play.offer": self._offer,
            "play.look": self._look,
            "play.new": self._new,
            "play.open": self._open,
            "play.leave": self._leave,
            "play.delete": self._delete,
            "play.move": self._move,
            "play.undo": self._simply(PlayedGame.undo),
            "play.resign": self._simply(PlayedGame.resign),
            "play.dead": self._dead,
            "play.accept": self._simply(PlayedGame.accept_score),
            "play.resume": self._simply(PlayedGame.play_on),
            "play.hint": self._hint,
            "play.sgf": self._sgf,
        }

    def game(self, id_: str) -> PlayedGame:
        """An open game."""
        return self._desk.get(id_, PlayedGame, SavedGame, lambda i, saved: PlayedGame(i, self._desk, saved))

    async def _offer(self, page: Page, of: dict[str, Any]) -> Any:
        del page, of
        return {
            "games": games_for_page(self._desk.settings.own_games),
            "levels": [level.name for level in LEVELS],
            "players": [
                {"name": name, "games": ["go"] if spec.kind == "gtp" else []}
                for name, spec in self._desk.settings.players.items()
            ],
            "saved": self._desk.shelf.summaries("play", 30),
        }

    async def _look(self, page: Page, of: dict[str, Any]) -> Any:
        """A game before its first move, for the page to show while somebody chooses."""
        del page
        start = msgspec.convert(of, GameSetup).start(self._desk.settings.own_games)
        face = face_of(start)
        return {"layout": face.layout(), "position": face.picture(start, None), "goal": face.goal}

    async def _new(self, page: Page, of: dict[str, Any]) -> Any:
        new = msgspec.convert(of, _New)
        face = face_of(new.setup.start(self._desk.settings.own_games))
        title = f"{face.title}: {_called(new.seats[0])} - {_called(new.seats[1])}"
        saved = SavedGame(title=title, setup=new.setup, seats=new.seats, setting=new.clock)
        game = PlayedGame(self._desk.shelf.new_id("play"), self._desk, saved)
        game.save()
        self._desk.put(game).watch(page)
        return game.opened()

    async def _open(self, page: Page, of: dict[str, Any]) -> Any:
        game = self.game(msgspec.convert(of, _Which).id)
        game.watch(page)
        return game.opened()

    async def _leave(self, page: Page, of: dict[str, Any]) -> Any:
        self.game(msgspec.convert(of, _Which).id).leave(page)

    async def _delete(self, page: Page, of: dict[str, Any]) -> Any:
        del page
        which = msgspec.convert(of, _Which)
        self.game(which.id)
        self._desk.delete(which.id)

    async def _move(self, page: Page, of: dict[str, Any]) -> Any:
        del page
        asked = msgspec.convert(of, _Move)
        game = self.game(asked.id)
        if asked.text is not None:
            game.play(game.face.parse(asked.text.strip()))
        elif asked.move is not None:
            game.play(asked.move)
        return game.state()

    async def _dead(self, page: Page, of: dict[str, Any]) -> Any:
        del page
        asked = msgspec.convert(of, _Point)
        self.game(asked.id).toggle_dead(asked.point)

    async def _hint(self, page: Page, of: dict[str, Any]) -> Any:
        self.game(msgspec.convert(of, _Which).id).hint(page)

    async def _sgf(self, page: Page, of: dict[str, Any]) -> Any:
        del page
        game = self.game(msgspec.convert(of, _Which).id)
        return {"text": game.sgf(), "name": f"{game.saved.setup.game}-{game.id[-6:]}"}

    def _simply(self, do: Any) -> Handler:
        async def handle(page: Page, of: dict[str, Any]) -> Any:
            del page
            game = self.game(msgspec.convert(of, _Which).id)
            do(game)
            return game.state()

        return handle
