"""Draws docs/images/demo.svg, the picture in the README: what `tesuji demo` shows after it has thought."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

from tesuji.go import Engine, EngineConfig
from tesuji.go.rules.vertex import to_vertex
from tesuji.go.view.demo import ANALYSIS_SIMULATIONS, MASTER_GAME
from tesuji.go.view.diagram import analysis_view

WIDTH = 76


def main() -> None:
    """Think about the demo's position and save the terminal's picture of it."""
    board = MASTER_GAME.board()
    analysis = Engine(EngineConfig(seed=1)).analyse(board, simulations=ANALYSIS_SIMULATIONS)
    console = Console(
        record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor", highlight=False
    )
    console.print("[bold]$ tesuji demo[/bold]")
    console.print(f"{MASTER_GAME.black} - {MASTER_GAME.white}, {MASTER_GAME.event}, move {board.num_moves}\n")
    console.print(analysis_view(board, analysis))
    best = to_vertex(analysis.moves[0].move, board.width, board.height)
    if best == MASTER_GAME.played:
        console.print(f"\nTakemiya played {MASTER_GAME.played}: the same move.")
    console.save_svg(str(Path(__file__).with_name("demo.svg")), title="Tesuji thinks about a position")


if __name__ == "__main__":
    main()
