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
from tesuji.games import Connect4, Hex, Knapsack, SameGame, TicTacToe
from tesuji.go import Board
from tesuji.search import (
    BAST,
    PUCT,
    RAVE,
    UCB1,
    EpsilonGreedy,
    Grouping,
    HorizonPrior,
    MinimumMSE,
    OnePlayer,
    ProgressiveBias,
    Search,
    SearchConfig,
    UCB1Tuned,
    VirtualVisits,
    Widening,
)

__all__ = ["FOLDER", "SEARCHES", "Golden", "graph_of", "text_of"]

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


class Golden(msgspec.Struct, frozen=True):
    """A search whose whole graph is kept: what makes its game, its config, how many simulations, its groups."""

    make: Any
    config: SearchConfig
    simulations: int
    grouping: Grouping | None = None


def low_and_high(state: Any) -> dict[str, list[int]]:
    """Two groups that share a move and leave one alone."""
    moves = list(state.legal_moves())
    return {"low": moves[:2], "high": moves[1:-1]}


SEARCHES: dict[str, Golden] = {
    "tictactoe_ucb1": Golden(TicTacToe, SearchConfig(), 80),
    "connect4_solver": Golden(connect4_in_the_middle, SearchConfig(solver=True), 120),
    "hex4_rave": Golden(lambda: Hex(4), SearchConfig(selection=UCB1(c=0.3), amaf=RAVE(k=50, c=0.1), maturity=2), 60),
    "picks_widening_priors": Golden(
        lambda: Picks(seed=8, cells=6, length=5),
        SearchConfig(
            amaf=MinimumMSE(bias=0.02),
            prior=VirtualVisits(visits=4),
            widening=Widening(scale=1.5, rate=1 / 4, minimum=2),
        ),
        100,
    ),
    "nim_dag": Golden(
        lambda: Nim(14), SearchConfig(graph="dag", solver=True, expansion="all-children", maturity=3), 150
    ),
    "tree_bast": Golden(
        lambda: RandomTree(seed=9, branching=4, depth=5, takes_turns=False),
        SearchConfig(selection=BAST()),
        120,
    ),
    "go5_rave": Golden(crowded_board, SearchConfig(selection=UCB1(c=0.0), amaf=RAVE(k=300), maturity=3), 60),
    "connect4_tuned_full_memory": Golden(
        connect4_in_the_middle,
        SearchConfig(selection=UCB1Tuned(), memory_bytes=6_000, first_play_urgency=0.9),
        400,
    ),
    "picks_puct_whole_path": Golden(
        lambda: Picks(seed=10, cells=5, length=4),
        SearchConfig(selection=PUCT(), prior=HorizonPrior(horizon=6), expansion="whole-path", graph="dag"),
        60,
    ),
    "nim_shared_values": Golden(lambda: Nim(14), SearchConfig(graph="shared-values", table_entries=20), 150),
    "nim_shared_counts": Golden(lambda: Nim(14), SearchConfig(graph="shared-counts"), 150),
    "nim_multipath": Golden(lambda: Nim(14), SearchConfig(graph="multipath", max_ancestors=5), 150),
    "connect4_epsilon": Golden(
        connect4_in_the_middle,
        SearchConfig(selection=EpsilonGreedy(), expansion="all-children"),
        80,
    ),
    "picks_bias": Golden(lambda: Picks(seed=11, cells=6, length=5), SearchConfig(prior=ProgressiveBias()), 80),
    "picks_width": Golden(
        lambda: Picks(seed=12, cells=6, length=5),
        SearchConfig(prior=VirtualVisits(visits=4), width=2, width_walks=10),
        80,
    ),
    "connect4_groups": Golden(
        connect4_in_the_middle,
        SearchConfig(),
        100,
        Grouping(find=low_and_high, kinds=("low", "high"), biases={"low": 0.9}),
    ),
    "connect4_groups_dag": Golden(
        connect4_in_the_middle,
        SearchConfig(graph="dag", solver=True),
        100,
        Grouping(find=low_and_high, kinds=("low", "high"), overlap=False),
    ),
    "samegame_one_player": Golden(lambda: SameGame("1123\n2131\n3312\n1223"), SearchConfig(), 100),
    "knapsack_penalty": Golden(
        lambda: Knapsack([3, 5, 7, 4, 6], [4, 6, 9, 5, 7], 12),
        SearchConfig(one_player=OnePlayer(revisit="penalty")),
        100,
    ),
}


def changes_of(config: SearchConfig) -> dict[str, Any]:
    """The fields that are not as they are by default: a new field with a default changes no graph, and no file."""
    default = json.loads(msgspec.json.encode(SearchConfig()))
    return {name: value for name, value in json.loads(msgspec.json.encode(config)).items() if value != default[name]}


def graph_of(name: str) -> dict[str, Any]:
    """Everything about one of the searches, as plain numbers."""
    golden = SEARCHES[name]
    search = Search(golden.make(), golden.config, grouping=golden.grouping)
    result = search.run(simulations=golden.simulations, seed=SEED)
    graph: dict[str, Any] = {"config": changes_of(golden.config), "seed": SEED}
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
