"""The levels of `tesuji web` against each other: 9x9 Go, both colours in turn, komi 7.5. Behind docs/results/web.md.

python bench/web_levels.py 40
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

from tesuji.experiments.stats.elo import wilson
from tesuji.go import Board, final_score
from tesuji.search.levels import LEVELS, Level
from tesuji.web.opponents import GoLevel
from tesuji.web.searches import Job, Searches
from tesuji.web.settings import Limits, WebSettings


def play(black: Level, white: Level, seed: int) -> bool:
    """Whether Black wins."""
    settings = WebSettings(folder=Path(), seed=seed)
    players = [GoLevel(level, settings) for level in (black, white)]
    board, job = Board(9), Job(Searches(Limits()), None, None)
    while not board.is_over and board.num_moves < 240:
        thought = players[board.to_play].choose(board, [], None, job)
        if thought.move == "resign":
            return board.to_play == 1
        board.play(thought.move)
    return final_score(board).margin > 0


def main() -> None:
    """Every level against the one below it."""
    games = int(sys.argv[1])
    for weak, strong in list(pairwise(LEVELS))[: int(sys.argv[2]) if len(sys.argv) > 2 else None]:
        won = sum(play(strong, weak, n) if n % 2 else not play(weak, strong, n) for n in range(games))
        interval = wilson(won, games)
        sure = f"{100 * interval.low:.0f} to {100 * interval.high:.0f} %"
        print(f"{strong.name} won {won} of {games} against {weak.name} ({sure})", flush=True)


if __name__ == "__main__":
    main()
