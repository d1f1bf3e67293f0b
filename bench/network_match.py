"""Two Go engines that get about the same processor time, measured in the match itself. Behind docs/results/network.md.

    python bench/network_match.py games.jsonl preset=network,simulations=150 simulations=400 --size 9 --games 200

A player is settings of the engine with commas between, as after `tesuji:` in `tesuji match`; `after`, `visits`,
`weight` and `batch_size` change how its network is asked (`tesuji.search.Evaluation`). On a machine with other
work on it a second on the clock means nothing: both get simulations, and what they cost is measured in processor time
of this process, move by move. Random seeds 1, 2, ... a game, colours in turn, komi 7.5. Each game is a line of the
file; the same command goes on from there. The interval is Wilson's.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from tesuji.experiments.stats.elo import wilson
from tesuji.go import Board, Engine, final_score
from tesuji.go.engine.network import NETWORK_EVALUATION
from tesuji.go.engine.parameters import ENGINE_PARAMETERS
from tesuji.go.engine.resolve import resolve

_EVALUATION: dict[str, type[int] | type[float]] = {"after": int, "visits": int, "weight": float, "batch_size": int}


def engine_of(words: str, seed: int) -> Engine:
    """An engine from its settings in words."""
    settings = dict(word.split("=", 1) for word in words.split(",") if word)
    preset = settings.pop("preset", None)
    asked = {name: kind(settings.pop(name)) for name, kind in _EVALUATION.items() if name in settings}
    parsed = {name: ENGINE_PARAMETERS[name].parsed(text) for name, text in settings.items()}
    config = resolve("go", preset, {**parsed, "seed": seed})
    if asked:
        config = config.replace(search=config.search.replace(evaluation=NETWORK_EVALUATION.replace(**asked)))
    return Engine(config)


def play(players: list[str], size: int, number: int) -> dict[str, Any]:
    """One game; who is first in the list has black in games with an even number."""
    engines = [engine_of(words, number + 1) for words in players]
    board, spent, moves = Board(size), [0.0, 0.0], [0, 0]
    won = None
    while not board.is_over and board.num_moves < 3 * size * size:
        who = (int(board.to_play) + number) % 2
        began = time.process_time()
        move = engines[who].genmove(board)
        spent[who] += time.process_time() - began
        moves[who] += 1
        if move == "resign":
            won = 1 - who
            break
        board.play(move)
    if won is None:
        won = (0 if final_score(board).margin > 0 else 1) ^ (number % 2)
    return {"game": number, "won": won, "spent_s": spent, "moves": moves, "length": board.num_moves}


def main() -> None:
    """Play what is missing, and say how it went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", type=Path)
    parser.add_argument("players", nargs=2)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--games", type=int, default=100)
    given = parser.parse_args()
    what = {"players": given.players, "size": given.size}
    lines = [json.loads(line) for line in given.store.read_text().splitlines()] if given.store.exists() else []
    if lines and lines[0] != what:
        raise SystemExit(f"{given.store} holds another match: {lines[0]}; name another file")
    with given.store.open("a") as store:
        if not lines:
            store.write(json.dumps(what) + "\n")
        games = lines[1:]
        for number in range(len(games), given.games):
            games.append(play(given.players, given.size, number))
            store.write(json.dumps(games[-1]) + "\n")
            store.flush()
    wins = sum(game["won"] == 0 for game in games)
    interval = wilson(wins, len(games))
    costs = [sum(g["spent_s"][who] for g in games) / sum(g["moves"][who] for g in games) for who in (0, 1)]
    print(
        f"{given.players[0]} won {wins} of {len(games)} against {given.players[1]} on {given.size}x{given.size} "
        f"({100 * wins / len(games):.0f} %; 95 %: {100 * interval.low:.0f} to {100 * interval.high:.0f} %); "
        f"processor time a move {costs[0]:.4f} s, {costs[1]:.4f} s"
    )


if __name__ == "__main__":
    main()
