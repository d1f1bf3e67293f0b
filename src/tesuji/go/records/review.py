"""A game judged move by move: what each move cost its player, what was better, and how it is called.

Every position of the game is searched, and where another move was played than the engine's choice, the position after
that choice too. What a move lost is the difference of its player's win rate after the best move and after the move
played, both as the search for the next player sees it. (The win rate before the move will not do: a search thinks a few
points too well of the side to move, so that even its own choices seem to lose.) Marks follow from the loss alone:

    good            loses less than 5 points of a hundred, or is the engine's own choice
    inaccuracy      5 and more
    mistake         10 and more
    blunder         20 and more

Two searches are never exactly of one opinion: losses of a few points are noise, the more so the fewer the simulations.

It reads and writes no files: `tesuji.go.records.review_sgf` does, and `tesuji.go.view.review_chart` draws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal

import msgspec

from tesuji.go.engine import Analysis, Engine
from tesuji.go.knowledge.life import final_score
from tesuji.go.records.sgf import GameRecord
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color
from tesuji.go.rules.vertex import to_vertex

__all__ = [
    "MARKS",
    "Judgement",
    "Look",
    "Mark",
    "Outlook",
    "PlayerSummary",
    "Turn",
    "expected_score_for_black",
    "mark_of",
    "outlook_by",
    "review",
    "summarised",
    "turns_of",
    "worst_first",
]

Mark = Literal["good", "inaccuracy", "mistake", "blunder"]
MARKS: dict[Mark, float] = {"blunder": 0.20, "mistake": 0.10, "inaccuracy": 0.05}
"""From which loss of win rate on a move is called so; the worst first."""
_LONGEST_LINE = 10


class Outlook(msgspec.Struct, frozen=True, kw_only=True):
    """What is expected of a position.

    Attributes
    ----------
    value_for_black : float
        Win rate, 0..1; of a game that is over its result.
    score_for_black : float
        Points, komi included.
    line : list of int
        How the game should go on; empty when it is over.
    simulations : int
        Behind it; 0 when the game is over.
    """

    value_for_black: float
    score_for_black: float
    line: list[int]
    simulations: int

    def value_for(self, color: Color) -> float:
        """Win rate of a player, 0..1."""
        return self.value_for_black if color == Color.BLACK else 1.0 - self.value_for_black


Look = Callable[[Board], Outlook | None]
"""Judges a position for the side to move; None: the review shall stop."""


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """A move of the game with the boards around it; `before` has its player to move, `after` the next one."""

    number: int
    color: Color
    move: int
    before: Board
    after: Board


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """A move, and what the engine thinks of it.

    Attributes
    ----------
    number : int
        Of the move in the game; 1 is the first.
    color : Color
        Who played it.
    move : int
        A point or pass.
    value_before, value_best, value_after : float
        Win rate of the player who moved, 0..1: before the move, after the best move, after the move played.
    score_for_black : float
        Expected points after the move, komi included.
    line : list of int
        The best line instead; begins with the best move, empty after the end of the game.
    simulations : int
        Of the search that found it.
    """

    number: int
    color: Color
    move: int
    value_before: float
    value_best: float
    value_after: float
    score_for_black: float
    line: list[int]
    simulations: int

    @property
    def best(self) -> int | None:
        """The engine's choice; None after the end of the game."""
        return self.line[0] if self.line else None

    @property
    def is_best(self) -> bool:
        """Whether the player chose as the engine would have."""
        return self.best is None or self.move == self.best

    @property
    def loss(self) -> float:
        """Win rate given away, 0..1; never negative, and 0 for the engine's own choice."""
        return 0.0 if self.is_best else max(0.0, self.value_best - self.value_after)

    @property
    def mark(self) -> Mark:
        """How the move is called."""
        return mark_of(self.loss)

    @property
    def value_for_black(self) -> float:
        """Black's win rate after the move."""
        return self.value_after if self.color == Color.BLACK else 1.0 - self.value_after

    @property
    def value_for_black_before(self) -> float:
        """Black's win rate before the move."""
        return self.value_before if self.color == Color.BLACK else 1.0 - self.value_before

    def to_dict(self, width: int, height: int) -> dict[str, Any]:
        """Plain values with moves as vertices, for JSON."""
        return {
            "number": self.number,
            "color": str(self.color),
            "move": to_vertex(self.move, width, height),
            "mark": self.mark,
            "loss": round(self.loss, 4),
            "winrate_before": round(self.value_before, 4),
            "winrate_best": round(self.value_best, 4),
            "winrate_after": round(self.value_after, 4),
            "winrate_black": round(self.value_for_black, 4),
            "score_black": round(self.score_for_black, 1),
            "best_line": [to_vertex(move, width, height) for move in self.line],
            "simulations": self.simulations,
        }


class PlayerSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The moves of one player taken together; `mean_loss` is win rate per move, 0..1."""

    color: Color
    moves: int
    best_moves: int
    mean_loss: float
    inaccuracies: int
    mistakes: int
    blunders: int


def mark_of(loss: float) -> Mark:
    """How a move is called that gives away so much win rate (0..1)."""
    return next((mark for mark, least in MARKS.items() if loss >= least), "good")


def turns_of(record: GameRecord) -> list[Turn]:
    """Replay a game, with the boards around every move.

    Raises
    ------
    SgfError
        If a move or a set-up is illegal; nothing needs to be searched to know that.
    """
    setups = {setup.before for setup in record.setups}
    turns = []
    for index, board in enumerate(record.boards()):
        if index == len(record.moves):
            break
        color, move = record.moves[index]
        before = _turned(board.copy(), color)
        after = before.copy()
        if after.is_legal(move, color):  # if not, the next board raises with the move's number
            after.play(move, color)
        if index + 1 < len(record.moves) and index + 1 not in setups:
            _turned(after, record.moves[index + 1][0])
        turns.append(Turn(number=index + 1, color=color, move=move, before=before, after=after))
    return turns


def _turned(board: Board, color: Color) -> Board:
    """The board itself, with this player to move."""
    if board.color_to_play != color:
        board.color_to_play = color
    return board


def outlook_by(
    engine: Engine,
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Look:
    """A way to look at positions: a new search each time, the result where the game is over.

    Parameters
    ----------
    engine : Engine
        Who searches.
    simulations, seconds : optional
        Limits per position, instead of the engine's own.
    is_stopped : callable
        Asked a few times a second; True ends the search, and its position is not judged.
    """

    def look(board: Board) -> Outlook | None:
        if board.is_over:
            return _result_of(board)
        analysis = engine.analyse(
            board, simulations=simulations, seconds=seconds, on_progress=lambda _so_far: not is_stopped()
        )
        return None if is_stopped() else _outlook(board, analysis)

    return look


def review(turns: Iterable[Turn], look: Look) -> Iterator[Judgement]:
    """Judge moves one after the other, until they are through or `look` says to stop.

    A position that ends one turn and begins the next is looked at once.
    """
    last: tuple[Board, Outlook] | None = None
    for turn in turns:
        before = last[1] if last is not None and last[0] == turn.before else look(turn.before)
        after = None if before is None else look(turn.after)
        if before is None or after is None:
            return
        best = after if before.line[:1] in ([], [turn.move]) else look(_after_best(turn, before.line[0]))
        if best is None:
            return
        last = (turn.after, after)
        yield _judgement(turn, before, best, after)


def _after_best(turn: Turn, best: int) -> Board:
    """The board after the best move, with the same player to move as after the move played."""
    board = turn.before.copy()
    board.play(best)
    return _turned(board, turn.after.color_to_play)


def summarised(judgements: Iterable[Judgement]) -> list[PlayerSummary]:
    """One summary for each player that has moves, Black's first."""
    by_color: dict[Color, list[Judgement]] = {Color.BLACK: [], Color.WHITE: []}
    for judgement in judgements:
        by_color[judgement.color].append(judgement)
    return [_summary(color, own) for color, own in by_color.items() if own]


def worst_first(judgements: Iterable[Judgement], limit: int) -> list[Judgement]:
    """The moves that lost most, at most `limit`; good ones are left out."""
    marked = [judgement for judgement in judgements if judgement.mark != "good"]
    return sorted(marked, key=lambda judgement: (-judgement.loss, judgement.number))[:limit]


def expected_score_for_black(board: Board, analysis: Analysis) -> float:
    """Points on the board by ownership, less komi and the handicap bonus of area rules."""
    bonus = board.handicap if board.rules.scoring == "area" and board.rules.handicap_bonus == "n" else 0
    return float(analysis.ownership.sum()) - board.komi - bonus


def _outlook(board: Board, analysis: Analysis) -> Outlook:
    winrate = analysis.winrate
    return Outlook(
        value_for_black=winrate if board.color_to_play == Color.BLACK else 1.0 - winrate,
        score_for_black=expected_score_for_black(board, analysis),
        line=list(analysis.moves[0].pv[:_LONGEST_LINE]) if analysis.moves else [],
        simulations=analysis.simulations,
    )


def _result_of(board: Board) -> Outlook:
    score = final_score(board)
    value = {Color.BLACK: 1.0, Color.WHITE: 0.0, Color.EMPTY: 0.5}[score.winner]
    return Outlook(value_for_black=value, score_for_black=score.margin, line=[], simulations=0)


def _judgement(turn: Turn, before: Outlook, best: Outlook, after: Outlook) -> Judgement:
    return Judgement(
        number=turn.number,
        color=turn.color,
        move=turn.move,
        value_before=before.value_for(turn.color),
        value_best=best.value_for(turn.color),
        value_after=after.value_for(turn.color),
        score_for_black=after.score_for_black,
        line=before.line,
        simulations=before.simulations,
    )


def _summary(color: Color, own: Sequence[Judgement]) -> PlayerSummary:
    marks = [judgement.mark for judgement in own]
    return PlayerSummary(
        color=color,
        moves=len(own),
        best_moves=sum(judgement.is_best for judgement in own),
        mean_loss=sum(judgement.loss for judgement in own) / len(own),
        inaccuracies=marks.count("inaccuracy"),
        mistakes=marks.count("mistake"),
        blunders=marks.count("blunder"),
    )
