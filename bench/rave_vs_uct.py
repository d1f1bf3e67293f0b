"""Plays RAVE against plain UCT at Hex, with the same number of simulations a move; prints wins with their interval.

    python bench/rave_vs_uct.py                                   200 games on 11x11, 2,000 simulations a move
    python bench/rave_vs_uct.py --k 1000 --uct-c 0.5 --games 40   other constants, a smaller sample

Every opening of two random moves is played twice, with the colours exchanged, so that neither side gains from who moves
first. Each move is a new search with one thread: no side keeps a graph from the move before. A game depends on `--seed`
and its own number only, so the result is the same with any number of processes. Both sides play their most visited
move. The interval is Wilson's, and takes games as independent.
"""

from __future__ import annotations

import argparse
import functools
import math
import multiprocessing
import os
import random
import sys
import time

import msgspec

from tesuji.games import Hex
from tesuji.provenance import collect
from tesuji.search import RAVE, UCB1, Search, SearchConfig

Z_95 = 1.959964
OPENING_MOVES = 2


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """What is played."""

    size: int
    simulations: int
    seed: int
    rave: SearchConfig
    uct: SearchConfig


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """How a game went."""

    rave_first: bool
    rave_won: bool
    moves: int


def wilson(wins: int, games: int, z: float = Z_95) -> tuple[float, float]:
    """The interval of a share of wins (Wilson 1927)."""
    if games == 0:
        return 0.0, 1.0
    share = wins / games
    scale = 1 + z * z / games
    middle = (share + z * z / (2 * games)) / scale
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / scale
    return max(0.0, middle - half), min(1.0, middle + half)


def opening(match: Match, pair: int) -> list[int]:
    """The two random moves of a pair of games."""
    return random.Random(f"{match.seed} opening {pair}").sample(range(match.size**2), OPENING_MOVES)


def play(match: Match, number: int) -> Outcome:
    """Play one game; even numbers give RAVE the first move."""
    game = Hex(match.size)
    played = opening(match, number // 2)
    for move in played:
        game.play(move)
    rave_player = number % 2
    seeds = random.Random(f"{match.seed} game {number}")
    while not game.is_over:
        config = match.rave if game.to_play == rave_player else match.uct
        found = Search(game, config).run(simulations=match.simulations, seed=seeds.getrandbits(63))
        game.play(found.best_move)
        played.append(found.best_move)
    winner = 0 if game.value == 1 else 1
    return Outcome(rave_first=rave_player == 0, rave_won=winner == rave_player, moves=len(played))


def show_progress(outcomes: list[Outcome], games: int, started: float) -> None:
    """Rewrite the line on stderr."""
    wins = sum(outcome.rave_won for outcome in outcomes)
    left_s = (time.perf_counter() - started) / len(outcomes) * (games - len(outcomes))
    ending = "\r" if sys.stderr.isatty() and len(outcomes) < games else "\n"
    if ending == "\n" and len(outcomes) < games and len(outcomes) % 20:
        return  # a file needs no line a game
    print(f"{len(outcomes)} of {games} games, RAVE won {wins}, {left_s:.0f} s left   ", end=ending, file=sys.stderr)


def report(match: Match, outcomes: list[Outcome], wall_s: float) -> None:
    """Print the result as it goes into a note."""
    lines = [("all games", outcomes)]
    lines += [
        (f"RAVE moves {name}", [outcome for outcome in outcomes if outcome.rave_first is first])
        for name, first in (("first", True), ("second", False))
    ]
    board = f"Hex {match.size}x{match.size}"
    print(f"\n{board}, {match.simulations:,} simulations a move, random openings of {OPENING_MOVES} moves\n")
    print(f"RAVE: {match.rave.selection}, {match.rave.amaf}\nUCT:  {match.uct.selection}\n")
    print("| | games | RAVE won | share | 95 % (Wilson) |\n|---|---:|---:|---:|---|")
    for name, some in lines:
        wins = sum(outcome.rave_won for outcome in some)
        low, high = wilson(wins, len(some))
        share = wins / max(1, len(some))
        print(f"| {name} | {len(some)} | {wins} | {100 * share:.1f} % | {100 * low:.1f} to {100 * high:.1f} % |")
    length = sum(outcome.moves for outcome in outcomes) / max(1, len(outcomes))
    origin = collect(seed=match.seed, wall_time_s=wall_s)
    print(f"\n{length:.1f} moves a game. Tesuji {origin.version}, commit {origin.commit}, seed {match.seed}.")


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    parser.add_argument("--size", type=int, default=11, help="of the board")
    parser.add_argument("--games", type=int, default=200, help="an even number: openings are played twice")
    parser.add_argument("--simulations", type=int, default=2_000, help="a move, of both sides")
    parser.add_argument("--k", type=float, default=300.0, help="RAVE's: beta = sqrt(k / (3n + k))")
    parser.add_argument("--rave-c", type=float, default=0.0, help="exploration of the RAVE side")
    parser.add_argument("--uct-c", type=float, default=0.2, help="exploration of the UCT side")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if options.games < 2 or options.games % 2:
        parser.error(f"--games {options.games} is not an even number above 0: every opening is played twice")
    return options


def main() -> None:
    """Play the match."""
    options = parse_arguments()
    match = Match(
        size=options.size,
        simulations=options.simulations,
        seed=options.seed,
        rave=SearchConfig(selection=UCB1(c=options.rave_c), amaf=RAVE(k=options.k)),
        uct=SearchConfig(selection=UCB1(c=options.uct_c)),
    )
    started = time.perf_counter()
    outcomes: list[Outcome] = []
    with multiprocessing.Pool(options.processes) as pool:
        try:
            for outcome in pool.imap_unordered(functools.partial(play, match), range(options.games)):
                outcomes.append(outcome)
                show_progress(outcomes, options.games, started)
        except KeyboardInterrupt:
            print("\nStopped; what is played is reported.", file=sys.stderr)
            pool.terminate()
    report(match, outcomes, time.perf_counter() - started)


if __name__ == "__main__":
    main()
