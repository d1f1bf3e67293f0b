"""From a spec to its games, one after the other: who plays whom, from which opening, with which seed.

The same spec gives the same games. Games come in pairs, the same opening with both colours. In each round every
pairing plays one pair, so that all pairings advance evenly and a cross table means something at any time. All pairings
play the same opening in a round; when a list of openings ends it begins again.

It plays nothing: see `match.py`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterator, Sequence

from tesuji.experiments.play.openings import Opening, make_openings
from tesuji.experiments.records import GameTask, PlayerSpec
from tesuji.experiments.run.spec import MatchSpec
from tesuji.experiments.run.spec_file import SpecError

__all__ = ["schedule", "seed_of"]


def schedule(spec: MatchSpec, *, without: Container[int] = ()) -> Iterator[GameTask]:
    """The games of a spec in the order in which they are begun, made when they are asked for.

    Game ``2 * p`` and game ``2 * p + 1`` are pair ``p``. With an odd number of games the last round has one game of
    each pairing, and the second index of its pairs is left out.

    Parameters
    ----------
    spec
        Whose games.
    without
        Indices of games that are there already, and cost nothing here.

    Raises
    ------
    SpecError
        If the openings cannot be read or played; at once, not when games are asked for.
    """
    try:
        openings = make_openings(spec.openings, spec.conditions, spec.seed)
    except (ValueError, OSError) as error:
        raise SpecError(("openings",), str(error)) from error
    return _games(spec, openings, without)


def _games(spec: MatchSpec, openings: Sequence[Opening], without: Container[int]) -> Iterator[GameTask]:
    num_openings = len(openings)
    for game_round, pairs in enumerate(_rounds(spec)):
        left = [(index, seats) for index, seats in pairs if index not in without]
        if not left:
            continue
        opening = openings[game_round % num_openings]
        for index, (first, second) in left:
            yield GameTask(
                index=index,
                pair=index // 2,
                first=first,
                second=second,
                conditions=spec.conditions,
                opening=tuple(opening.moves),
                opening_name=opening.name,
                seed=seed_of(spec.seed, index),
            )


def _rounds(spec: MatchSpec) -> Iterator[list[tuple[int, tuple[PlayerSpec, PlayerSpec]]]]:
    """The games of each round: index, and who moves first and second."""
    pairings = spec.pairings
    for begin in range(0, spec.games, 2):
        games = []
        for number, (one, other) in enumerate(pairings):
            index = begin * len(pairings) + 2 * number
            games.append((index, (one, other)))
            if begin + 1 < spec.games:
                games.append((index + 1, (other, one)))
        yield games


def seed_of(seed: int, index: int) -> int:
    """The seed of a game: a hash of the experiment's seed and the game's index, below 2**63."""
    digest = hashlib.blake2b(f"{seed}/{index}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 1
