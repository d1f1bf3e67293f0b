"""Options that several commands of the laboratory share, and what they mean: conditions, clocks, workers, stores.

Words to values of `tesuji.experiments`, which is imported when a command runs. No command is here.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tesuji.cli.command import RULE_NAMES, GameName, UserError

if TYPE_CHECKING:
    from tesuji.experiments.records import Conditions, PlayerSpec
    from tesuji.experiments.run.workers import DaskWorkers, LocalWorkers
    from tesuji.experiments.stats.elo import Sprt
from tesuji.words import GAME_NAMES

__all__ = [
    "WHAT_IS_A_PLAYER",
    "condition_options",
    "conditions_from",
    "default_store",
    "equipped",
    "json_option",
    "make_workers",
    "opening_option",
    "player_from",
    "seed_option",
    "sprt_from",
    "store_option",
    "worker_options",
]

F = TypeVar("F", bound=Callable[..., Any])
WHAT_IS_A_PLAYER = (
    "A player is `tesuji:simulations=1000,preset=uct` (the search in this process), `gnugo-l10` (GNU Go at a level), "
    "or the quoted command line of any program that speaks GTP."
)
_CLOCK = re.compile(r"(?P<main>[0-9.]+)?(?:\+(?P<period>[0-9.]+)(?:/(?P<stones>[0-9]+))?)?")
_LONGEST_PART = 32


def _stacked(*options: Callable[[F], F]) -> Callable[[F], F]:
    """One decorator of many; the first option comes first in the help."""

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


condition_options = _stacked(
    click.option(
        "--game",
        type=GameName(),
        default="go",
        show_default=True,
        metavar="NAME",
        help=f"What is played: {', '.join(GAME_NAMES)}, or a game of yours: mygame.py:MyGame.",
    ),
    click.option(
        "--size",
        metavar="N",
        type=click.IntRange(2, 25),
        show_default="go 9, hex and y 11, gomoku 15, havannah 8",
        help="Lines of the board, or cells of a side.",
    ),
    click.option("--komi", metavar="X", type=float, show_default="the rules' own", help="Points for White (go)."),
    click.option(
        "--rules",
        type=click.Choice(RULE_NAMES),
        default="chinese",
        show_default=True,
        metavar="NAME",
        help=f"How the referee counts (go): {', '.join(RULE_NAMES)}.",
    ),
    click.option(
        "--handicap",
        metavar="N",
        default=0,
        show_default="none",
        type=click.IntRange(0, 9),
        help="Fixed handicap stones, 2 to 9 (go).",
    ),
    click.option(
        "--move-limit",
        metavar="N",
        default=0,
        show_default="three times the points",
        type=click.IntRange(min=0),
        help="Count the game as it stands after so many moves.",
    ),
    click.option(
        "--time",
        "clock",
        metavar="CLOCK",
        show_default="none",
        help="For players without a clock of their own: 300 (seconds for the game), 60+10 (then 10 s a move), 60+30/5 "
        "(then 5 moves in 30 s).",
    ),
    click.option(
        "--threads",
        metavar="N",
        default=1,
        show_default=True,
        type=click.IntRange(1, 256),
        help="Cores of each player that does not say itself.",
    ),
)

worker_options = _stacked(
    click.option(
        "--jobs",
        metavar="N",
        type=click.IntRange(min=1),
        show_default="cores / threads",
        help="Games at once on this machine.",
    ),
    click.option("--pin", is_flag=True, help="Let each game keep to cores of its own."),
    click.option("--cluster", metavar="ADDRESS", help="Play on a Dask cluster instead: tcp://host:8786."),
)

store_option = click.option(
    "--store",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    show_default="named after the players",
    help="Where the games are kept. The same command with the same file resumes.",
)
opening_option = click.option(
    "--openings",
    metavar="WHAT",
    default="empty",
    show_default=True,
    help="Each is played once with each colour: empty, random:4 (four random moves), games.sgf:8 or a folder of SGF "
    "files (their first 8 moves), book:lines.txt (one a line).",
)
seed_option = click.option(
    "--seed",
    metavar="N",
    default=1,
    show_default=True,
    type=click.IntRange(min=0),
    help="The random seed: the same number, the same result.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")


def conditions_from(
    game: Any, size: int | None, komi: float | None, rules: str, handicap: int, move_limit: int
) -> Conditions:
    """Return the conditions that the options describe."""
    from tesuji.experiments.records import Conditions

    return Conditions(game=game, size=size or 0, komi=komi, rules=rules, handicap=handicap, max_moves=move_limit)


def player_from(text: str, *, clock: str | None, threads: int) -> PlayerSpec:
    """Return the player that a word describes, with a clock and cores where it does not say itself."""
    from tesuji.experiments.players import parse_player

    return equipped(parse_player(text), clock=clock, threads=threads)


def equipped(player: PlayerSpec, *, clock: str | None, threads: int) -> PlayerSpec:
    """Return a player with a clock and cores where it has none of its own."""
    import msgspec

    if clock is not None and not (player.main_s or player.byoyomi_s):
        player = msgspec.structs.replace(player, **_clock_from(clock))
    return player if player.threads or threads == 1 else msgspec.structs.replace(player, threads=threads)


def _clock_from(text: str) -> dict[str, float | int]:
    match = _CLOCK.fullmatch(text.strip())
    try:
        if not match or not text.strip():
            raise ValueError
        main, period = float(match["main"] or 0), float(match["period"] or 0)
        stones = int(match["stones"] or 1) if period else 0
        if not 0 < main + period < 1e9 or (match["stones"] and not stones):
            raise ValueError
    except ValueError:
        raise UserError(f"--time is '{text}': write seconds, like 300, or 60+10, or 60+30/5") from None
    return {"main_s": main, "byoyomi_s": period, "byoyomi_stones": stones}


def sprt_from(text: str) -> Sprt:
    """Return the test that ``0,10`` or ``0,10,0.05,0.05`` describes."""
    from tesuji.experiments.stats.elo import Sprt

    try:
        numbers = [float(part) for part in text.split(",")]
        if len(numbers) not in (2, 4):
            raise ValueError
    except ValueError:
        raise UserError(
            f"--sprt is '{text}': write two Elo differences, like 0,10 (and two error rates, like 0,10,0.05,0.05)"
        ) from None
    return Sprt(**dict(zip(("elo0", "elo1", "alpha", "beta"), numbers, strict=False)))


def make_workers(jobs: int | None, pin: bool, cluster: str | None, *, threads: int = 1) -> LocalWorkers | DaskWorkers:
    """Return who plays: processes of this machine, or a cluster."""
    from tesuji.experiments.run.workers import DaskWorkers, LocalWorkers

    if cluster is None:
        return LocalWorkers(jobs or max(1, _num_cores() // threads), pin=pin, threads=threads)
    if jobs is not None or pin:
        raise UserError("--jobs and --pin are about this machine: leave them out with --cluster, whose workers decide")
    if not re.fullmatch(r"([a-z]+://)?\S+:[0-9]+", cluster):
        raise UserError(f"--cluster is '{cluster}': write the scheduler's address, like tcp://host:8786")
    return DaskWorkers(cluster)


def _num_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def default_store(*parts: str, ending: str = "db") -> Path:
    """Return a file name made of words: ``gnugo-l1-vs-gnugo-l10-9x9.db``.

    A part that is cut short gets a few letters that tell it from others that begin alike.
    """
    return Path("-".join(filter(None, map(_plain, parts))) + f".{ending}")


def _plain(text: str) -> str:
    plain = re.sub(r"[^A-Za-z0-9.=+_-]+", "_", text).strip("._-")
    if len(plain) <= _LONGEST_PART:
        return plain
    return f"{plain[:_LONGEST_PART]}~{hashlib.blake2b(text.encode(), digest_size=2).hexdigest()}"
