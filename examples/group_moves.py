"""Group the moves of a game, and see which kind of move the search likes; let it learn how much to trust each kind.

python examples/group_moves.py
"""

from __future__ import annotations

from tesuji.games import Connect4
from tesuji.search import Grouping, LearnedBiases, Search

MIDDLE, EDGES = (2, 3, 4), (0, 6)


def find(state: Connect4) -> dict[str, list[int]]:
    """Columns in the middle, and columns at the edges; the others are in no group."""
    moves = state.legal_moves()
    return {"middle": [m for m in moves if m in MIDDLE], "edges": [m for m in moves if m in EDGES]}


def main() -> None:
    """Search Connect Four with two groups, twice."""
    grouping = Grouping(find=find, kinds=("middle", "edges"), overlap=False, biases=LearnedBiases())
    search = Search(Connect4(), grouping=grouping)
    for _ in range(2):  # biases are learned at the end of a run
        result = search.run(simulations=5_000, seed=1)
        for group in result.groups:
            columns = " ".join(result.name(move) for move in group.moves)
            print(f"{group.name:7} columns {columns:7} {group.visits:6,} visits, value {group.value:.3f}")
        print("biases:", {name: round(bias, 2) for name, bias in search.group_biases.items()})
    print(result)


if __name__ == "__main__":
    main()
