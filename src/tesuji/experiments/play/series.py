"""Games between trained players (`tesuji.learning.td`), or against uniform play: files in, margins out.

Nothing is learnt in them. Whole matches of whole programs are `referee.py`'s.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from tesuji.experiments.players.expert import GtpExpert, open_expert
from tesuji.go.opening.player import OpeningPlayer
from tesuji.go.opening.task import OpeningTask
from tesuji.learning.td.games import GameTask
from tesuji.learning.td.play import Mover, best_moves, play_game, uniform_moves
from tesuji.learning.td.player_file import Header, PlayerFileError, check_player, read_player
from tesuji.learning.td.task import OutcomeError, Task

__all__ = ["play_series"]

_MOST_FAILURES = 10


def play_series(
    file: Path, against: Path | None, games: int, expert: str | None, rng: np.random.Generator
) -> Iterator[float]:
    """Play games and yield each one's margin for the player of `file`, who begins every other one.

    Parameters
    ----------
    file, against : Path
        Trained players; None: uniform play.
    games : int
        How many; those that an expert lost are played again.
    expert : str or None
        Who finishes openings of Go; None: whoever did in the training.
    rng : numpy.random.Generator
        Of everything random.

    Raises
    ------
    PlayerFileError
        For files that are not players, or of different games.
    """
    header, _ = read_player(file)
    with ExitStack() as stack:
        task = _task(file, header, expert, stack)
        player = _mover(file, task)
        other = uniform_moves(task) if against is None else _mover(against, _task_like(task, against))
        failures = number = 0
        while number < games:
            seats = (player, other) if number % 2 == 0 else (other, player)
            try:
                margin = play_game(task, seats, rng)
            except OutcomeError:
                failures += 1
                if failures > _MOST_FAILURES:
                    raise
                continue
            yield margin if number % 2 == 0 else -margin
            number += 1


def _task(file: Path, header: Header, expert: str | None, stack: ExitStack) -> Task:
    about = header.task
    if about.get("game") != "go":
        if expert is not None:
            raise ValueError(f"{file.name} plays {about.get('game')}, which needs no expert; leave it out")
        return GameTask(
            about.get("game", ""), about.get("features", ""), int(about["size"]) if "size" in about else None
        )
    player, settings = OpeningPlayer.load(file), header.settings
    who = open_expert(expert or settings.get("expert", "tesuji:16"))
    if isinstance(who, GtpExpert):
        stack.enter_context(who)
    komi = float(settings.get("komi", "5.5"))
    return OpeningTask(player.features, who, size=player.width, moves_per_side=player.moves_per_side, komi=komi)


def _task_like(task: Task, file: Path) -> Task:
    """The task of another player of the same game, who may see other features."""
    header, _ = read_player(file)
    for name in ("game", "size"):
        if header.task.get(name) != task.identity.get(name):
            raise PlayerFileError(
                f"{file.name} plays {name} {header.task.get(name)}, the other {task.identity.get(name)};"
                " they must play the same"
            )
    if isinstance(task, OpeningTask):
        return OpeningTask(
            OpeningPlayer.load(file).features,
            task.expert,
            size=task.begin().width,
            moves_per_side=task.moves_per_side,
            komi=task.begin().komi,
        )
    assert isinstance(task, GameTask)
    return GameTask(task.game, header.task.get("features", ""), task.size)


def _mover(file: Path, task: Task) -> Mover:
    header, training = read_player(file)
    check_player(file.name, header, training, task)
    return best_moves(task, training.network)
