"""Golden graphs: whole graphs of small searches, one thread, one seed, as JSON in tests/data/golden.

A change that should not alter behaviour leaves them alone; one that does rewrites them with scripts/golden and says
why.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from search.toy_games import Nim, Picks, RandomTree
from tesuji.games import Connect4, Hex, TicTacToe
from tesuji.go import Board
from tesuji.search import (
    BAST,
    PUCT,
    RAVE,
    UCB1,
    HorizonPrior,
    MinimumMSE,
    Search,
    SearchConfig,
    UCB1Tuned,
    VirtualVisits,
    Widening,
)

__all__ = ["FOLDER", "SEARCHES", "graph_of", "text_of"]

FOLDER = Path(__file__).parents[1] / "data" / "golden"
SEED = 20_08  # any number will do


def connect4_in_the_middle() -> Connect4:
    game = Connect4()
    for column in (3, 3, 3, 2, 2, 4, 1, 3, 1, 2):
        game.play(column)
    return game


def crowded_board() -> Board:
    board = Board(5, rules="tromp-taylor", komi=0.5)
    for move in ("C3", "C4", "D4", "B3", "D3", "C2", "D2", "B2"):
        board.play(move)
    return board


SEARCHES: dict[str, tuple[Any, SearchConfig, int]] = {
    # name: (makes the game, config, simulations)
    "tictactoe_ucb1": (TicTacToe, SearchConfig(), 80),
    "connect4_solver": (connect4_in_the_middle, SearchConfig(solver=True), 120),
    "hex4_rave": (lambda: Hex(4), SearchConfig(selection=UCB1(c=0.3), amaf=RAVE(k=50, c=0.1), maturity=2), 60),
    "picks_widening_priors": (
        lambda: Picks(seed=8, cells=6, length=5),
        SearchConfig(
            amaf=MinimumMSE(bias=0.02),
            prior=VirtualVisits(visits=4),
            widening=Widening(scale=1.5, rate=1 / 4, minimum=2),
        ),
        100,
    ),
    "nim_dag": (lambda: Nim(14), SearchConfig(graph="dag", solver=True, expansion="all-children", maturity=3), 150),
    "tree_bast": (
        lambda: RandomTree(seed=9, branching=4, depth=5, takes_turns=False),
        SearchConfig(selection=BAST()),
        120,
    ),
    "go5_rave": (crowded_board, SearchConfig(selection=UCB1(c=0.0), amaf=RAVE(k=300), maturity=3), 60),
    "connect4_tuned_full_memory": (
        connect4_in_the_middle,
        SearchConfig(selection=UCB1Tuned(), memory_bytes=6_000, first_play_urgency=0.9),
        400,
    ),
    "picks_puct_whole_path": (
        lambda: Picks(seed=10, cells=5, length=4),
        SearchConfig(selection=PUCT(), prior=HorizonPrior(horizon=6), expansion="whole-path", graph="dag"),
        60,
    ),
    "nim_shared_values": (lambda: Nim(14), SearchConfig(graph="shared-values", table_entries=20), 150),
    "nim_shared_counts": (lambda: Nim(14), SearchConfig(graph="shared-counts"), 150),
    "nim_multipath": (lambda: Nim(14), SearchConfig(graph="multipath", max_ancestors=5), 150),
}


def graph_of(name: str) -> dict[str, Any]:
    """Everything about one of the searches, as plain numbers."""
    make, config, simulations = SEARCHES[name]
    search = Search(make(), config)
    result = search.run(simulations=simulations, seed=SEED)
    graph: dict[str, Any] = {"config": json.loads(msgspec.json.encode(config)), "seed": SEED}
    graph |= {"simulations": result.simulations, "best_move": result.best_move}
    return graph | {column: numbers.tolist() for column, numbers in search.graph().items()}


def text_of(graph: dict[str, Any]) -> str:
    """JSON with one column per line, so that a difference can be read."""
    return "{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in graph.items()) + "\n}\n"


def main() -> None:
    """Rewrite the golden files; say which ones changed."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path in FOLDER.glob("*.json"):
        if path.stem not in SEARCHES:
            path.unlink()
            print(f"{path.name}: removed")
    for name in SEARCHES:
        path, text = FOLDER / f"{name}.json", text_of(graph_of(name))
        changed = not path.exists() or path.read_text() != text
        path.write_text(text)
        print(f"{path.name}: {'written' if changed else 'as before'}, {len(text):,} bytes")


if __name__ == "__main__":
    sys.exit(main())
