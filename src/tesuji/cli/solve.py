"""The command ``solve``: problems of life and death. Words to calls; what it does is in `tesuji.go.engine.solver`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tesuji.cli.command import WithExamples

if TYPE_CHECKING:
    from tesuji.go.engine.solver import Solution

__all__ = ["solve"]

_SHOWN_MOVES = 12


@click.command(
    cls=WithExamples,
    short_help="Solve problems of life and death.",
    examples=[
        ("tesuji solve problem.sgf", "what lives, what dies, and how"),
        ("tesuji solve problem.sgf --target R2", "if it takes the wrong chain for the one at stake"),
        ("tesuji solve problems.sgf --nodes 200000", "read longer before playouts are asked"),
    ],
)
@click.argument("game", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="PROBLEM.SGF")
@click.option("--target", metavar="VERTEX", help="A stone of the chain at stake.", show_default="guessed")
@click.option(
    "--to-play",
    type=click.Choice(["black", "white"]),
    show_default="as the record says",
    help="Who moves first.",
)
@click.option(
    "--nodes",
    metavar="N",
    default=30_000,
    show_default=True,
    type=click.IntRange(min=0),
    help="Positions read at most for each question of the proof.",
)
@click.option(
    "--simulations",
    metavar="N",
    default=10_000,
    show_default=True,
    type=click.IntRange(min=1),
    help="Simulations of the search, where there is no proof.",
)
@click.option("--seed", metavar="N", default=1, show_default=True, type=click.IntRange(min=0), help="Of the search.")
def solve(game: Path, target: str | None, to_play: str | None, nodes: int, simulations: int, seed: int) -> None:
    """Solve the problems of PROBLEM.SGF: the position at its start, for the side to move.

    It guesses which chain is at stake and closes the board around the diagram, then reads to the end: alive, dead,
    seki or ko, with the line. What is too large to be read is searched by playouts, and the answer is an opinion.
    """
    from tesuji.go import Color, Engine, EngineConfig
    from tesuji.go.engine.solver import solve as solved
    from tesuji.go.records.sgf import read_games
    from tesuji.go.view.diagram import BoardDiagram, make_console

    console = make_console()
    engine = Engine(EngineConfig(simulations=simulations, seconds=None, seed=seed))
    try:
        for number, record in enumerate(read_games(game), start=1):
            for remark in record.remarks:
                click.echo(f"{game}: {remark}", err=True)
            board = record.replay(0)
            if to_play is not None:
                board.color_to_play = Color.BLACK if to_play == "black" else Color.WHITE
            anchor = None if target is None else board.point(target)
            console.print(f"{game}, problem {number}" if number > 1 else f"{game}", style="bold", markup=False)
            console.print(BoardDiagram(board))
            console.print(answer_text(solved(board, engine, anchor=anchor, max_nodes=nodes)), markup=False)
    except ValueError as error:
        raise ValueError(f"{game}: {error}") from error


def answer_text(solution: Solution) -> str:
    """A solution in words."""
    problem, board = solution.problem, solution.problem.board
    mover, defender = str(solution.mover).capitalize(), str(problem.defender).capitalize()
    line = " ".join(board.vertex(move) for move in solution.line[:_SHOWN_MOVES])
    at_stake = f"{defender}'s chain at {board.vertex(problem.anchor)}"
    if solution.way == "searched":
        share = 100 * (solution.winrate or 0.0)
        return f"{mover} to play: {line}\n{at_stake}: not proved; playouts give {mover} {share:.0f} %."
    words = {
        "alive": "lives",
        "dead": "is dead",
        "seki": "lives in seki",
        "ko": "depends on a ko",
        "unknown": "is not known",
    }
    first = line if solution.is_success else f"no move helps; for instance {line}" if line else "no move helps"
    return (
        f"{mover} to play: {first}\n"
        f"{at_stake} {words[solution.outcome]}: proved, {solution.num_nodes:,} positions read."
    )
