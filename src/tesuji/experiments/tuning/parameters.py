"""Parameters under trial: their bounds, and how their values reach a player.

A player is described by a text, as `players.parse_player` reads it, and by GTP commands sent after the start. Wherever
``{name}`` stands in them, the value of the parameter of that name is put; a tesuji player takes a parameter without a
place as a setting of that name. ``{{`` and ``}}`` are plain braces; ``{seed}``, ``{size}`` and ``{threads}`` are left
to `gtp_player.py`, which fills them in for each game.

Values are rounded to six significant digits before they are played: the stored value is the one that was played. How
the next values are chosen is not here: see `samplers.py` and `sweep.py`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from tesuji.experiments.players import parse_player
from tesuji.experiments.players.settings import checked_settings, parse_value
from tesuji.experiments.records import PlayerSpec, Setting

__all__ = ["ParameterRange", "PlayerTemplate", "name_of_values", "parse_grid"]

_PLACE = re.compile(r"\{\{|\}\}|\{(?!(?:seed|size|threads)\})([^{}]*)\}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


class ParameterRange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One parameter of a player, with the values it may take.

    Attributes
    ----------
    name : str
        Letters, digits and ``_``; ``{name}`` is replaced by the value.
    type : {"float", "int", "choice"}
        Of its values. A list of ``choices`` makes it a choice.
    low, high : float
        The ends of the range, both allowed.
    log : bool
        Whether equal factors, not equal steps, are equally interesting; ``low`` must be positive.
    choices : tuple
        The values of a choice: at least two, all different.
    start : value or None
        Where the player stands today; verification plays against it. None: the middle of the range, the first choice.
    """

    name: str
    type: Literal["float", "int", "choice"] = "float"
    low: float | None = None
    high: float | None = None
    log: bool = False
    choices: tuple[Setting, ...] = ()
    start: Setting | None = None

    def __post_init__(self) -> None:
        if not _NAME.match(self.name):
            raise ValueError(f"parameter {self.name!r}: a name has letters, digits and '_' and begins with no digit")
        if self.is_choice:
            self._check_choices()
        else:
            self._check_range()
        if self.start is not None and not self.allows(self.start):
            raise ValueError(f"parameter {self.name}: start is {self.start!r}; it must be {self.range_text}")

    def _check_choices(self) -> None:
        if len(self.choices) < 2 or len({repr(choice) for choice in self.choices}) < len(self.choices):
            raise ValueError(
                f"parameter {self.name}: choices are {list(self.choices)}; give two or more, all different"
            )
        if self.low is not None or self.high is not None or self.log:
            raise ValueError(f"parameter {self.name} has choices: leave out low, high and log")

    def _check_range(self) -> None:
        if self.low is None or self.high is None or not -math.inf < self.low < self.high < math.inf:
            raise ValueError(f"parameter {self.name}: low is {self.low}, high is {self.high}; give low < high")
        if self.log and self.low <= 0:
            raise ValueError(f"parameter {self.name}: low is {self.low:g}; with log = true it must be positive")
        if self.type == "int" and not (self.low == int(self.low) and self.high == int(self.high)):
            raise ValueError(f"parameter {self.name}: low and high of an int are whole numbers")

    @property
    def is_choice(self) -> bool:
        """Whether its values have no order."""
        return self.type == "choice" or bool(self.choices)

    @property
    def bounds(self) -> tuple[float, float]:
        """The ends of the range of a number."""
        if self.low is None or self.high is None:
            raise ValueError(f"parameter {self.name} has choices and no range")
        return self.low, self.high

    @property
    def range_text(self) -> str:
        """What it may be, in words."""
        if self.is_choice:
            return "one of " + ", ".join(map(str, self.choices))
        low, high = self.bounds
        return f"{'a whole number ' if self.type == 'int' else ''}from {low:g} to {high:g}"

    def allows(self, value: Setting) -> bool:
        """Whether a value is one of those it may take."""
        if self.is_choice:
            return any(value == choice and type(value) is type(choice) for choice in self.choices)
        if isinstance(value, str | bool):
            return False
        low, high = self.bounds
        return low <= value <= high and (self.type == "float" or value == int(value))

    @property
    def start_value(self) -> Setting:
        """Where the player stands today."""
        if self.start is not None:
            return self.rounded(self.start)
        if self.is_choice:
            return self.choices[0]
        low, high = self.bounds
        return self.rounded(math.sqrt(low * high) if self.log else (low + high) / 2)

    def rounded(self, value: Setting) -> Setting:
        """Return the value as it is played: an int whole, a float in six digits, both within the range."""
        if self.is_choice or isinstance(value, str):
            return value
        low, high = self.bounds
        clipped = min(max(float(value), low), high)
        return round(clipped) if self.type == "int" else min(max(float(f"{clipped:.6g}"), low), high)


class PlayerTemplate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A player with places for parameters.

    Attributes
    ----------
    player : str
        As `players.parse_player` reads it, with ``{name}`` where values go.
    setup : tuple of str
        GTP commands sent once after the start, with places too.
    """

    player: str
    setup: tuple[str, ...] = ()

    @property
    def places(self) -> set[str]:
        """The names that stand in braces."""
        texts = (self.player, *self.setup)
        return {match[1] for text in texts for match in _PLACE.finditer(text) if match[1] is not None}

    def check(self, names: Sequence[str]) -> None:
        """Raise ValueError if a place is of none of these parameters."""
        for place in sorted(self.places - set(names)):
            known = ", ".join(names)
            raise ValueError(f"'{{{place}}}' names no parameter (there is {known}); write '{{{{' and '}}}}' for braces")

    def fill(self, values: Mapping[str, Setting], *, name: str) -> PlayerSpec:
        """Return the player with these values, under this name.

        Raises
        ------
        ValueError
            If a value reaches no place of a program, or is not a setting of a tesuji player.
        """
        player = parse_player(_put(self.player, values), name=name)
        setup = tuple(_put(command, values) for command in self.setup)
        rest = {key: value for key, value in values.items() if key not in self.places}
        if rest and player.kind != "tesuji":
            raise ValueError(f"parameter {next(iter(rest))} has no place: write '{{{next(iter(rest))}}}' where it goes")
        settings = {**player.settings, **checked_settings(rest)}
        return msgspec.structs.replace(player, setup=player.setup + setup, settings=settings)


def _put(text: str, values: Mapping[str, Setting]) -> str:
    def replacement(match: re.Match[str]) -> str:
        return match[0][0] if match[1] is None else _text(values[match[1]])

    return _PLACE.sub(replacement, text)


def _text(value: Setting) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def name_of_values(values: Mapping[str, Setting]) -> str:
    """Return values as reports name them: ``c=0.7 preset=rave``."""
    return " ".join(f"{key}={_text(value)}" for key, value in values.items())


def parse_grid(text: str) -> tuple[str, list[Setting]]:
    """Read ``c=0,0.5,1``, ``c=0:2:5`` (from 0 to 2 in five values) or ``k=10:1000:3:log`` (equal factors).

    Returns
    -------
    tuple
        The parameter's name and its values, as numbers where they are numbers.
    """
    name, equals, right = (part.strip() for part in text.partition("="))
    if not (equals and right and _NAME.match(name)):
        raise ValueError(f"'{text}' is not a grid: write a name and its values, like c=0,0.5,1 or c=0:2:5")
    values = _steps(text, right.split(":")) if ":" in right else [_value(part) for part in right.split(",")]
    if len({_text(value) for value in values}) < len(values) or len(values) < 2:
        raise ValueError(f"'{text}': a grid has two or more values, all different")
    return name, values


def _value(text: str) -> Setting:
    if not text.strip():
        raise ValueError("a value of the grid is empty: write values between single commas")
    return parse_value(text.strip())


def _steps(text: str, parts: Sequence[str]) -> list[Setting]:
    try:
        low, high, count = float(parts[0]), float(parts[1]), int(parts[2])
        is_log = parts[3:] == ["log"]
        if len(parts) > 3 + is_log or count < 2 or not low < high or (is_log and low <= 0):
            raise ValueError
    except (ValueError, IndexError):
        raise ValueError(
            f"'{text}': steps are LOW:HIGH:COUNT or LOW:HIGH:COUNT:log; LOW < HIGH (above 0 for log), COUNT 2 or more"
        ) from None
    shares = [step / (count - 1) for step in range(count)]
    if is_log:  # three digits are near enough to equal factors, and can be read
        values = [low, *(float(f"{low * (high / low) ** share:.3g}") for share in shares[1:-1]), high]
    else:
        values = [float(f"{low + (high - low) * share:.6g}") for share in shares]
    whole = "." not in parts[0] + parts[1] and all(value == int(value) for value in values)
    return [int(value) for value in values] if whole else list(values)
