"""What an experiment is: who plays whom, under which conditions, how often. `MatchSpec`, and how it is read from TOML.

A match is a tournament of two. A spec holds all that decides which games are played, and nothing else: how many run
at once, where, and what is written is not part of it, so that the same spec resumes on another machine. Whatever can
be known to be wrong is refused here: `MatchSpec` when it is made, `check` before the first game.

It schedules nothing: see `schedule.py`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from tesuji.experiments.records import Conditions, PlayerSpec
from tesuji.experiments.run.spec_file import Place, SpecError, SpecFile, converted, refuse_unknown
from tesuji.experiments.stats.elo import Sprt

if TYPE_CHECKING:
    from tesuji.experiments.run.workers import Workers

__all__ = ["DEFAULT_GAMES", "MAX_SPRT_GAMES", "MatchSpec", "check", "read_spec", "spec_from", "spec_json"]

DEFAULT_GAMES = 100
MAX_SPRT_GAMES = 20_000
_MOST_GAMES = 10_000_000


class MatchSpec(msgspec.Struct, frozen=True, kw_only=True):
    """Games between two players or more.

    Attributes
    ----------
    players : tuple of PlayerSpec
        At least two, with different names. An SPRT is about the first of two.
    conditions : Conditions
        Of every game.
    format : {"round-robin", "gauntlet"}
        Everybody against everybody, or one against all others.
    champion : str
        That one, in a gauntlet; empty: the first.
    games : int
        Of each pairing, both colours together; with an SPRT the most there can be. 0: 100, or 20,000 with an SPRT.
    sprt : Sprt or None
        Play until the test decides.
    openings : str
        Where games begin, as `openings.py` reads it: ``empty``, ``random:4``, files.
    seed : int
        Of everything random.
    anchors : dict
        Players whose rating is known: name to Elo.

    Raises
    ------
    SpecError
        For what no match can be made of; a ValueError that knows the place of the value.
    """

    players: tuple[PlayerSpec, ...]
    conditions: Conditions = Conditions()
    format: Literal["round-robin", "gauntlet"] = "round-robin"
    champion: str = ""
    games: int = 0
    sprt: Sprt | None = None
    openings: str = "empty"
    seed: int = 1
    anchors: dict[str, float] = {}

    def __post_init__(self) -> None:
        self._check_players()
        self._check_numbers()
        check_conditions(self.conditions)
        games = self.games or (MAX_SPRT_GAMES if self.sprt else DEFAULT_GAMES)
        msgspec.structs.force_setattr(self, "games", games)
        if self.format == "gauntlet":
            msgspec.structs.force_setattr(self, "champion", self.champion or self.names[0])

    @property
    def names(self) -> tuple[str, ...]:
        """Of the players, in their order."""
        return tuple(player.name for player in self.players)

    @property
    def pairings(self) -> tuple[tuple[PlayerSpec, PlayerSpec], ...]:
        """Who meets whom, each pairing once."""
        if self.format == "gauntlet":
            champion = self.players[self.names.index(self.champion)]
            return tuple((champion, other) for other in self.players if other is not champion)
        return tuple((one, other) for i, one in enumerate(self.players) for other in self.players[i + 1 :])

    @property
    def num_games(self) -> int:
        """Of all pairings together; with an SPRT the most there can be."""
        return len(self.pairings) * self.games

    def _check_players(self) -> None:
        if len(self.players) < 2:
            raise SpecError(("players",), f"{len(self.players)} players; a match needs at least two")
        for i, name in enumerate(self.names):
            if not name.strip() or not name.isprintable() or len(name) > 100:
                raise SpecError(
                    ("players", i, "name"), f"player {i + 1} is called {name[:100]!r}; give it a printable name"
                )
            if name in self.names[:i]:
                raise SpecError(("players", i, "name"), f"two players are called {name!r}; give each a name of its own")
        for name in self.anchors:
            if name not in self.names:
                raise SpecError(("anchors", name), f"anchor {name!r} is not a player; {self._choose()}")
        if self.champion and self.format != "gauntlet":
            raise SpecError(("champion",), f"a {self.format} has no champion; leave it out, or play a gauntlet")
        if self.champion and self.champion not in self.names:
            raise SpecError(("champion",), f"champion {self.champion!r} is not a player; {self._choose()}")
        if self.sprt and len(self.players) != 2:
            raise SpecError(("sprt",), f"an SPRT is about two players; there are {len(self.players)}")

    def _choose(self) -> str:
        return f"choose from {', '.join(self.names)}"

    def _check_numbers(self) -> None:
        if not 0 <= self.games <= _MOST_GAMES:
            raise SpecError(("games",), f"games is {self.games}; it must lie in 1..{_MOST_GAMES:,}")
        if not 0 <= self.seed < 2**63:
            raise SpecError(("seed",), f"seed is {self.seed}; it must lie in 0..2**63-1")


def check_conditions(conditions: Conditions, place: Place = ("conditions",)) -> None:
    """Refuse conditions under which nobody can play.

    Raises
    ------
    SpecError
        That knows which value is wrong.
    """
    from tesuji.experiments.table import lay_table

    so_far = Conditions(game=conditions.game)
    for name in conditions.__struct_fields__:
        so_far = msgspec.structs.replace(so_far, **{name: getattr(conditions, name)})
        try:
            lay_table(so_far)
        except ValueError as error:
            raise SpecError((*place, name), str(error)) from error


# --- TOML -------------------------------------------------------------------------------------------------------------


def read_spec(path: Path | str) -> tuple[MatchSpec, SpecFile]:
    """Read a spec from a TOML file.

    Returns
    -------
    spec, file
        Whoever goes on to `check` it or to play it does so inside ``with file.naming_lines():``, so that what is found
        wrong then names its line too.

    Raises
    ------
    ValueError
        That names the file, the line, the value and the remedy.
    OSError
        If the file cannot be read.
    """
    file = SpecFile.read(path)
    with file.naming_lines():
        return spec_from(file.data), file


def spec_from(data: dict[str, Any]) -> MatchSpec:
    """Make a spec of plain values, as a TOML file has them.

    ``players`` is a list. Each one is a text as the command line takes it, or a table with that text as ``player`` and
    whatever fields of `PlayerSpec` it adds or replaces, or a table of fields only.

    Raises
    ------
    SpecError
        For what is unknown, missing or wrong.
    """
    refuse_unknown(data, (), MatchSpec.__struct_fields__)
    for name, kind in (("conditions", Conditions), ("sprt", Sprt)):
        if isinstance(table := data.get(name), dict):
            refuse_unknown(table, (name,), kind.__struct_fields__)
    players = data.get("players", [])
    if not isinstance(players, list):
        raise SpecError(("players",), "players is not a list; write a table [[players]] for each")
    made = [_player_from(player, ("players", i)) for i, player in enumerate(players)]
    return converted({**data, "players": made}, MatchSpec)


def _player_from(player: Any, place: Place) -> PlayerSpec:
    from tesuji.experiments.players import parse_player

    if isinstance(player, str):
        player = {"player": player}
    if not isinstance(player, dict):
        raise SpecError(place, f"player {player!r} is neither a text nor a table")
    refuse_unknown(player, place, ("player", *PlayerSpec.__struct_fields__))
    fields = dict(player)
    if "player" not in fields:
        return converted(fields, PlayerSpec, place)
    text, name = fields.pop("player"), fields.get("name")
    if not isinstance(text, str):
        raise SpecError((*place, "player"), f"player is {text!r}; it must be a text, like 'gnugo-l10'")
    try:
        parsed = parse_player(text, name=name if isinstance(name, str) else None)
    except ValueError as error:
        raise SpecError((*place, "player"), str(error)) from error
    whole = {**msgspec.to_builtins(parsed), **fields}
    if isinstance(settings := fields.get("settings"), dict):
        whole["settings"] = {**parsed.settings, **settings}
    return converted(whole, PlayerSpec, place)


def spec_json(spec: msgspec.Struct) -> bytes:
    """A spec as a store keeps it; two specs that mean the same are the same bytes."""
    return msgspec.json.encode(spec, order="sorted")


# --- engines ----------------------------------------------------------------------------------------------------------


def check(spec: MatchSpec, workers: Workers | None = None) -> dict[str, str]:
    """Start every player once, and refuse those that do not start or cannot play under the conditions.

    Parameters
    ----------
    spec
        Whose players.
    workers
        Where: engines need to be there, not here. If not given, in this process.

    Returns
    -------
    dict
        Name to what the player calls itself.

    Raises
    ------
    SpecError
        That knows the player.
    """
    tasks = [(i, player, spec.conditions) for i, player in enumerate(spec.players)]
    found: dict[int, tuple[bool, str]] = {}
    if workers is None:
        found = {task[0]: check_one(task) for task in tasks}
    else:
        workers.run(
            check_one,
            tasks,
            on_result=lambda task, answer: found.update({task[0]: answer}),
            on_failure=lambda task, why: found.update({task[0]: (False, why)}),
        )
    for i, name in enumerate(spec.names):
        can_play, said = found[i]
        if not can_play:
            raise SpecError(("players", i), said if f"player {name!r}" in said else f"player {name!r}: {said}")
    return {name: found[i][1] for i, name in enumerate(spec.names)}


def check_one(task: tuple[int, PlayerSpec, Conditions]) -> tuple[bool, str]:
    """Start one player; say whether it can play, and what it calls itself or why not."""
    from tesuji.experiments.players import check_player

    _, player, conditions = task
    try:
        return True, check_player(player, conditions)
    except (ValueError, OSError) as error:
        return False, str(error)
