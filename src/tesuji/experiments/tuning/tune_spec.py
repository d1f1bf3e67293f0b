"""What a tuning run is: a player with places for parameters, opponents, conditions, how to search and how long.

`TuneSpec`, and how it is read from TOML. The games are those of a gauntlet (`spec.py`) in which the player changes its
parameters from trial to trial; nothing is played here: see `tune.py`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from tesuji.experiments.records import Conditions, PlayerSpec, Setting
from tesuji.experiments.run.spec import MatchSpec, spec_from
from tesuji.experiments.run.spec_file import Place, SpecError, SpecFile, converted, refuse_unknown
from tesuji.experiments.tuning.parameters import ParameterRange, PlayerTemplate
from tesuji.experiments.tuning.samplers import METHODS, Method

__all__ = ["CANDIDATE", "START", "TUNED", "TuneSpec", "read_tune_spec", "tune_spec_from"]

CANDIDATE, TUNED, START = "candidate", "tuned", "start"
"""What games and tables call the player under trial, the one that tuning found, and the one it began with."""

_TRIAL_GAMES = 10  # of one trial with Optuna, at least
_MOST_GAMES = 10_000_000


class TuneSpec(msgspec.Struct, frozen=True, kw_only=True):
    """A search for the best parameters of a player.

    Attributes
    ----------
    player : PlayerTemplate
        Who is tuned, with ``{name}`` where parameters go.
    opponents : tuple of PlayerSpec
        Whom it plays, in turn.
    parameters : tuple of ParameterRange
        What may vary.
    conditions : Conditions
        Of every game.
    method : str
        ``clop``; or of Optuna ``tpe``, ``random``, ``qmc``, ``gp`` (needs torch), ``cmaes`` (needs cmaes).
    games : int
        Of the search. It may be raised later: the same store goes on.
    games_per_trial : int
        Played with the same values. 0: one with CLOP; with Optuna ten or more, both colours against every opponent.
    verify : int
        Games of the match between the tuned values and the start values, at the end; 0: none.
    openings : str
        Where games begin, as `openings.py` reads it.
    seed : int
        Of everything random.

    Raises
    ------
    SpecError
        For what cannot be tuned; a ValueError that knows the place of the value.
    """

    player: PlayerTemplate
    opponents: tuple[PlayerSpec, ...]
    parameters: tuple[ParameterRange, ...]
    conditions: Conditions = Conditions()
    method: Method = "clop"
    games: int = 1000
    games_per_trial: int = 0
    verify: int = 200
    openings: str = "empty"
    seed: int = 1

    def __post_init__(self) -> None:
        self._check_parameters()
        if self.method not in METHODS:
            raise SpecError(("method",), f"method is {self.method!r}; choose from {', '.join(METHODS)}")
        for name, lowest in (("games", 1), ("games_per_trial", 0), ("verify", 0)):
            if not lowest <= getattr(self, name) <= _MOST_GAMES:
                raise SpecError((name,), f"{name} is {getattr(self, name)}; it must lie in {lowest}..{_MOST_GAMES:,}")
        if not self.opponents:
            raise SpecError(("opponents",), "there is no opponent; write for instance opponents = ['gnugo-l1']")
        try:
            self.match(self.games)
        except SpecError as error:
            raise SpecError(_place_here(error.place), str(error)) from error

    def _check_parameters(self) -> None:
        if not self.parameters:
            raise SpecError(("parameters",), "there is nothing to tune; write a table [[parameters]] for each")
        names = [parameter.name for parameter in self.parameters]
        for i, name in enumerate(names):
            if name in names[:i]:
                raise SpecError(("parameters", i, "name"), f"two parameters are called {name}; give each its own name")
        try:
            self.player.check(names)
            for values in self.corners():
                self.player.fill(values, name=CANDIDATE)
        except ValueError as error:
            raise SpecError(("player",), str(error)) from error

    @property
    def start(self) -> dict[str, Setting]:
        """The values to begin with, by name."""
        return {parameter.name: parameter.start_value for parameter in self.parameters}

    def corners(self) -> list[dict[str, Setting]]:
        """Values whose players are tried before the first game: the start, the ends of ranges, every choice."""
        count = max(3, *(len(parameter.choices) for parameter in self.parameters))
        return [self.start, *({p.name: _nth(p, i) for p in self.parameters} for i in range(count))]

    @property
    def trial_games(self) -> int:
        """How many games are played with the same values."""
        if self.games_per_trial:
            return self.games_per_trial
        if self.method == "clop":
            return 1
        fair = 2 * len(self.opponents)
        return fair * -(-_TRIAL_GAMES // fair)

    @property
    def num_games(self) -> int:
        """Of the search: whole trials."""
        return self.trial_games * -(-self.games // self.trial_games)

    def match(self, games: int) -> MatchSpec:
        """Return the gauntlet whose games are played, at least so many; the candidate has its start values."""
        rounds = -(-games // (2 * len(self.opponents)))
        return MatchSpec(
            players=(self.player.fill(self.start, name=CANDIDATE), *self.opponents),
            conditions=self.conditions,
            format="gauntlet",
            games=2 * rounds,
            openings=self.openings,
            seed=self.seed,
        )

    def verification(self, values: dict[str, Setting]) -> MatchSpec:
        """Return the match of these values against the start values."""
        return MatchSpec(
            players=(self.player.fill(values, name=TUNED), self.player.fill(self.start, name=START)),
            conditions=self.conditions,
            games=self.verify,
            openings=self.openings,
            seed=self.seed + 1,  # games of their own
        )

    def identity(self) -> bytes:
        """What a store belongs to: all but the number of games. A reader of matches can read it too."""
        plain = msgspec.to_builtins(self.match(self.games))
        del plain["games"]
        tuned = msgspec.to_builtins(self)
        plain["tune"] = {
            "player": tuned["player"],
            "parameters": tuned["parameters"],
            "method": self.method,
            "games_per_trial": self.trial_games,
        }
        return msgspec.json.encode(plain, order="sorted")


def _nth(parameter: ParameterRange, index: int) -> Setting:
    if parameter.is_choice:
        return parameter.choices[index % len(parameter.choices)]
    return parameter.rounded((*parameter.bounds, parameter.start_value)[index % 3])


def _place_here(place: Place) -> Place:
    """Where a value of the gauntlet stands in the tuning spec: its players after the first are the opponents."""
    if len(place) > 1 and place[0] == "players" and isinstance(place[1], int) and place[1] > 0:
        return ("opponents", place[1] - 1, *place[2:])
    return ("player",) if place[:1] == ("players",) else place


# --- TOML -------------------------------------------------------------------------------------------------------------


def read_tune_spec(path: Path | str) -> tuple[TuneSpec, SpecFile]:
    """Read a spec from a TOML file; what is found wrong names its line (see `spec.read_spec`)."""
    file = SpecFile.read(path)
    with file.naming_lines():
        return tune_spec_from(file.data), file


def tune_spec_from(data: dict[str, Any]) -> TuneSpec:
    """Make a spec of plain values, as a TOML file has them.

    ``player`` is a text or a table with ``player`` and ``setup``; ``opponents`` are as in a tournament;
    ``parameters`` a list of tables.

    Raises
    ------
    SpecError
        For what is unknown, missing or wrong.
    """
    refuse_unknown(data, (), TuneSpec.__struct_fields__)
    if "player" not in data:
        raise SpecError((), "player is missing; write for instance player = 'tesuji:simulations=200'")
    player = {"player": data["player"]} if isinstance(data["player"], str) else data["player"]
    if not isinstance(player, dict):
        raise SpecError(("player",), "player is neither a text nor a table; write a table [player]")
    refuse_unknown(player, ("player",), PlayerTemplate.__struct_fields__)
    return converted(
        {
            **data,
            "player": converted(player, PlayerTemplate, ("player",)),
            "opponents": _opponents(data),
            "parameters": _parameters(data.get("parameters", [])),
        },
        TuneSpec,
    )


def _opponents(data: dict[str, Any]) -> tuple[PlayerSpec, ...]:
    """Read them as a tournament does, and the conditions with them."""
    opponents = data.get("opponents", [])
    if not isinstance(opponents, list):
        raise SpecError(("opponents",), "opponents is not a list; write a table [[opponents]] for each")
    if not opponents:
        return ()
    gauntlet = {key: value for key, value in data.items() if key in ("conditions", "openings", "seed")}
    try:
        return spec_from({**gauntlet, "players": [{"name": CANDIDATE, "kind": "tesuji"}, *opponents]}).players[1:]
    except SpecError as error:
        here = _place_here(error.place)
        there, named = (".".join(map(str, place)) for place in (error.place, here))
        raise SpecError(here, str(error).replace(there, named)) from error


def _parameters(parameters: Any) -> tuple[ParameterRange, ...]:
    if not isinstance(parameters, list) or not all(isinstance(table, dict) for table in parameters):
        raise SpecError(("parameters",), "parameters is not a list of tables; write a table [[parameters]] for each")
    for i, table in enumerate(parameters):
        refuse_unknown(table, ("parameters", i), ParameterRange.__struct_fields__)
    return tuple(converted(table, ParameterRange, ("parameters", i)) for i, table in enumerate(parameters))
