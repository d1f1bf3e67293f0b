"""What a newcomer sees first: Tesuji thinks about a real position, then plays a short 9x9 game against itself.

The demo is an ordinary caller of the library (`Engine`, `to_sgf`, the drawings), short enough to learn from. It leaves
``tesuji-demo.sgf`` and ``tesuji-demo.png``, with whatever there is by the time Ctrl-C stops it. It measures nothing.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from rich.console import Group, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.text import Text

from tesuji.go.engine import Analysis, Engine, EngineConfig
from tesuji.go.knowledge.life import final_score
from tesuji.go.records.sgf import to_sgf
from tesuji.go.rules.board import Board
from tesuji.go.rules.vertex import to_vertex
from tesuji.go.view.diagram import (
    BLACK,
    COLOR_NAMES,
    BoardDiagram,
    Sparkline,
    WinRateBar,
    analysis_view,
    candidate_labels,
    progress,
)
from tesuji.go.view.picture import BoardPicture, MissingExtraError, save_png
from tesuji.provenance import collect
from tesuji.writing import write_whole

if TYPE_CHECKING:
    from rich.console import Console
from tesuji.words import program

__all__ = ["MASTER_GAME", "MasterGame", "SelfPlay", "run_demo", "self_play"]

SGF_NAME, PNG_NAME = "tesuji-demo.sgf", "tesuji-demo.png"

# Simulations make the demo repeat exactly; the seconds only keep a slow machine inside the minute.
ANALYSIS_SIMULATIONS, ANALYSIS_SECONDS = 400_000, 8.0
MOVE_SIMULATIONS, MOVE_SECONDS = 40_000, 0.4


class MasterGame(msgspec.Struct, frozen=True, kw_only=True):
    """A position of a recorded game, and how the game went on."""

    black: str
    white: str
    event: str
    komi: float
    moves: str
    """Up to the position: vertices, Black first."""
    played: str
    """What was played there."""
    result: str

    def board(self) -> Board:
        """Return the position."""
        board = Board(9, komi=self.komi)
        for vertex in self.moves.split():
            board.play(vertex)
        return board


MASTER_GAME = MasterGame(
    black="Tanimura Yoshiyuki 7p",
    white="Takemiya Masaki 9p",
    event="Mini-Go 2000",
    komi=6.5,
    moves="F3 E6 E5 D5 F6 F7 F5 D6 G7 G8 C3 D4 B5 B6 D3 E4 F4 E3 E2 D2 C2",
    played="F2",
    result="White won by half a point",
)


class SelfPlay(msgspec.Struct, kw_only=True):
    """A game of the engine against itself, so far."""

    board: Board
    values_for_black: list[float] = []
    """Black's win rate as the engine saw it before each move, 0..1."""
    result: str = ""
    """For instance ``B+3.5`` or ``W+R``; empty while it is not decided."""

    def comments(self) -> dict[int, str]:
        """Return the SGF comment of each move."""
        return {
            number: f"Black wins {100 * value:.1f} %" for number, value in enumerate(self.values_for_black, start=1)
        }


def run_demo(console: Console, *, out: Path, seed: int = 1, max_moves: int = 100) -> bool:
    """Run the whole demo on a console.

    Parameters
    ----------
    console
        Where to draw; colours, width and pipes are its business.
    out
        The directory for the SGF and the PNG; made if it is not there.
    seed
        Of the searches: the same seed shows the same demo, unless the machine is so slow that the clock ends a search.
    max_moves
        When to stop the game against itself, if it is not over before.

    Returns
    -------
    bool
        Whether it came to its end; False after Ctrl-C, when what was there has been left all the same.
    """
    out.mkdir(parents=True, exist_ok=True)
    position = MASTER_GAME.board()
    game = SelfPlay(board=Board(9))
    analysis, is_whole = None, True
    try:
        _introduce(console, position)
        analysis = _think(position, seed)
        _show_thoughts(console, position, analysis)
        console.print("\n[bold]2. A game against itself[/bold]\n")
        with Live(_game_view(game), console=console, refresh_per_second=8, transient=True) as live:
            self_play(game, seed=seed, max_moves=max_moves, on_move=lambda: live.update(_game_view(game)))
    except KeyboardInterrupt:
        is_whole = False
        console.print("Stopped; what is there is kept.")
    if game.board.num_moves:
        console.print(_game_view(game))
    _leave_files(console, out, position, analysis, game, seed)
    if is_whole:
        _say_what_next(console, out)
    return is_whole


def self_play(game: SelfPlay, *, seed: int, max_moves: int, on_move: Callable[[], None] = lambda: None) -> None:
    """Let the engine play both sides of `game` until it is over, one side resigns, or `max_moves` are played."""
    engine = Engine(EngineConfig(seed=seed, simulations=MOVE_SIMULATIONS, seconds=MOVE_SECONDS))
    board = game.board
    while not board.is_over and board.num_moves < max_moves:
        analysis = engine.analyse(board)
        if analysis.winrate < engine.config.resign_below:
            game.result = "W+R" if int(board.color_to_play) == BLACK else "B+R"
            return
        game.values_for_black.append(_value_for_black(board, analysis))
        board.play(analysis.moves[0].move)
        on_move()
    if board.is_over:
        game.result = str(final_score(board))


def _introduce(console: Console, position: Board) -> None:
    from tesuji import __version__

    console.print(f"[bold]Tesuji {__version__}[/bold]: Monte-Carlo tree search for Go\n")
    console.print("[bold]1. A real position[/bold]")
    players = f"{MASTER_GAME.black} (Black) - {MASTER_GAME.white} (White)"
    console.print(f"{players}, {MASTER_GAME.event}, after move {position.num_moves}.")
    mover = COLOR_NAMES[int(position.color_to_play)]
    console.print(f"The last move is in brackets; {mover} is to play.\n")
    console.print(BoardDiagram(position))
    console.print()


def _think(position: Board, seed: int) -> Analysis:
    engine = Engine(EngineConfig(seed=seed))
    with progress("thinking", ANALYSIS_SIMULATIONS, unit="simulations") as report:
        return engine.analyse(
            position,
            simulations=ANALYSIS_SIMULATIONS,
            seconds=ANALYSIS_SECONDS,
            on_progress=lambda so_far: report(so_far.simulations),
        )


def _show_thoughts(console: Console, position: Board, analysis: Analysis) -> None:
    speed = analysis.simulations / max(analysis.seconds, 1e-9)
    console.print(f"{analysis.simulations:,} simulations in {analysis.seconds:.1f} s ({speed:,.0f} a second):\n")
    console.print(analysis_view(position, analysis))
    best = to_vertex(analysis.moves[0].move, position.width, position.height)
    master = MASTER_GAME.black if int(position.color_to_play) == BLACK else MASTER_GAME.white
    verdict = "the same move" if best == MASTER_GAME.played else f"Tesuji prefers {best}"
    console.print(f"\n{master} played {MASTER_GAME.played}: {verdict}. {MASTER_GAME.result}.")


def _game_view(game: SelfPlay) -> RenderableType:
    board, values = game.board, game.values_for_black
    state = f"move {board.num_moves}"
    if board.last_move is not None:
        state += f": {to_vertex(board.last_move, board.width, board.height)}"
    parts: list[RenderableType] = [BoardDiagram(board), Text(state + _ending(game))]
    if values:
        parts += [WinRateBar(values[-1]), Sparkline(values, title="Black's win rate by move")]
    return Group(*parts)


def _ending(game: SelfPlay) -> str:
    if not game.result:
        return ""
    loser = COLOR_NAMES[int(game.board.color_to_play)]
    return f"; {loser} resigns" if game.result.endswith("R") else f"; result {game.result}"


def _leave_files(
    console: Console, out: Path, position: Board, analysis: Analysis | None, game: SelfPlay, seed: int
) -> None:
    provenance = collect(seed=seed, config={"simulations": MOVE_SIMULATIONS, "seconds": MOVE_SECONDS})
    properties = {"EV": "tesuji demo", "DT": provenance.date[:10], "GC": json.dumps(provenance.to_dict())}
    sgf = to_sgf(
        game.board, black="Tesuji", white="Tesuji", result=game.result, comments=game.comments(), properties=properties
    )
    write_whole(out / SGF_NAME, sgf)
    left = [(str(out / SGF_NAME), "its game against itself, with the win rate of each move")]
    try:
        save_png(out / PNG_NAME, *_pictures(position, analysis, game))
        left.append((str(out / PNG_NAME), "what it thought and played, as a picture"))
    except MissingExtraError as error:
        left.append(("no picture", str(error)))
    _print_list(console, "Left for you", left)


def _pictures(position: Board, analysis: Analysis | None, game: SelfPlay) -> list[BoardPicture]:
    mover = COLOR_NAMES[int(position.color_to_play)]
    thought = BoardPicture(
        board=position, title=f"{mover} to play", caption=f"{MASTER_GAME.black} - {MASTER_GAME.white}"
    )
    if analysis is not None:
        line = " ".join(to_vertex(move, position.width, position.height) for move in analysis.moves[0].pv[:8])
        thought = msgspec.structs.replace(
            thought,
            labels=candidate_labels(analysis.moves),
            ownership=analysis.ownership,
            caption=f"{thought.caption}\n{mover} wins {100 * analysis.winrate:.0f} %: {line}",
        )
    if not game.board.num_moves:
        return [thought]
    caption = f"{game.board.num_moves} moves{_ending(game)}"
    return [thought, BoardPicture(board=game.board, title="Tesuji against itself", caption=caption, numbers=True)]


def _value_for_black(board: Board, analysis: Analysis) -> float:
    return analysis.winrate if int(board.color_to_play) == BLACK else 1.0 - analysis.winrate


def _say_what_next(console: Console, out: Path) -> None:
    tesuji = program()
    steps = [
        (f"{tesuji} gtp", "play against it: enter this as an engine in Sabaki or GoGui"),
        (f"{tesuji} show {shlex.quote(str(out / SGF_NAME))} --move 20", "draw a position of any SGF"),
        (f"{tesuji} bench", "how fast it is on this machine"),
        (f"{tesuji} --help", "everything else"),
    ]
    _print_list(console, "What to try next", steps)


def _print_list(console: Console, title: str, entries: Sequence[tuple[str, str]]) -> None:
    console.print(f"\n[bold]{title}[/bold]")
    for name, purpose in entries:
        console.print(Text(f"  {name}", style="bold"), soft_wrap=True)  # a command or path stays in one piece to copy
        console.print(Padding(Text(purpose), (0, 0, 0, 6)))
