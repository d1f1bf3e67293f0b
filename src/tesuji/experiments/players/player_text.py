"""Players as they are written on a command line: words to a `PlayerSpec`.

==================================  ===================================================================================
``tesuji``                          the search in this process, as it ships
``tesuji:simulations=100``          with settings, separated by commas; `settings.SETTINGS` lists them
``gnugo-l10``                       GNU Go at a level, 0 to 10, told the rules, the ko and a seed
``gnugo-l10:main_s=300``            with a clock
``pachi -t =5000``                  any program that speaks GTP, with its arguments
``gtp:main_s=300,move_s=30 pachi``  the same with a clock and the referee's patience
``fast=tesuji:simulations=100``     any of these with a name before it
==================================  ===================================================================================

Every player may have ``main_s``, ``byoyomi_s``, ``byoyomi_stones``, ``move_s`` and ``threads``, the fields of
`PlayerSpec`. Nothing is started here: see `players.py`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import PurePath

import msgspec

from tesuji.experiments.players.settings import SETTINGS, checked_settings, parse_value
from tesuji.experiments.records import PlayerSpec, Setting
from tesuji.go.rules.vertex import quoted
from tesuji.search.parameters import nearest

__all__ = ["GNUGO", "PLAYER_FIELDS", "parse_player", "split_command"]

PLAYER_FIELDS = ("main_s", "byoyomi_s", "byoyomi_stones", "move_s", "threads")
"""Fields of any player that its text may set."""
GNUGO = re.compile(r"gnugo-l([0-9]{1,3})")
"""The short command of GNU Go at a level."""

_NAMED = re.compile(r"([A-Za-z0-9][A-Za-z0-9_.+-]*)=(?!=)(.+)", re.DOTALL)
_WITH_SETTINGS = re.compile(r"[A-Za-z0-9_-]+:([A-Za-z0-9_]+=[^ =]*)?")
_LONGEST_NAME = 60


def parse_player(text: str, *, name: str | None = None) -> PlayerSpec:
    """Read a player as it is written on a command line.

    Parameters
    ----------
    text : str
        The player, as the head of this module shows.
    name : str, optional
        Instead of the one in the text. If there is none at all, the text itself is the name.

    Raises
    ------
    ValueError
        For an unknown setting, a GNU Go level that does not exist, or a command that cannot be split.
    """
    named = _NAMED.fullmatch(text.strip())
    if named:
        name, text = name or named[1], named[2]
    text = text.strip().removesuffix(":")
    if not text:
        raise ValueError("a player is missing; write for instance tesuji, gnugo-l10 or a GTP command line")
    head, colon, rest = text.partition(":")
    if head == "tesuji":
        return _tesuji(name or text, _settings(rest) if colon else {})
    if GNUGO.fullmatch(head):
        return _program(name or text, _checked_gnugo(head), _settings(rest) if colon else {})
    if head == "gtp" and colon:
        words, _, command = rest.partition(" ")
        return _program(name or _short(command), command.strip(), _settings(words))
    if _WITH_SETTINGS.match(text) or re.fullmatch(r"gnugo(-\S*)?", text):
        raise ValueError(
            f"there is no player {quoted(text)}; write tesuji, tesuji:simulations=1000, gnugo-l10 or a GTP command line"
        )
    return _program(name or _short(text), text, {})


def _settings(text: str) -> dict[str, Setting]:
    settings: dict[str, Setting] = {}
    for word in filter(None, text.split(",")):
        key, equals, value = (part.strip() for part in word.partition("="))
        if not equals or not key or not value:
            raise ValueError(f"{quoted(word)} is not a setting; write name=value, separated by commas")
        if key in settings:
            raise ValueError(f"the setting {quoted(key)} is given twice")
        settings[key] = parse_value(value)
    return settings


def _tesuji(name: str, settings: Mapping[str, Setting]) -> PlayerSpec:
    fields, rest = _fields_of(settings, (*PLAYER_FIELDS, *SETTINGS))
    return msgspec.convert({"name": name, "kind": "tesuji", "settings": checked_settings(rest), **fields}, PlayerSpec)


def _program(name: str, command: str, settings: Mapping[str, Setting]) -> PlayerSpec:
    fields, _ = _fields_of(settings, PLAYER_FIELDS)
    split_command(command)
    return msgspec.convert({"name": name, "kind": "gtp", "command": command, **fields}, PlayerSpec)


def _fields_of(
    settings: Mapping[str, Setting], known: Sequence[str]
) -> tuple[dict[str, int | float], dict[str, Setting]]:
    """Take the fields of the player out of its settings."""
    for key in settings:
        if key not in known:
            raise ValueError(f"there is no setting {quoted(key)}; {nearest(key, known)}")
    fields = {key: _checked_field(key, value) for key, value in settings.items() if key in PLAYER_FIELDS}
    return fields, {key: value for key, value in settings.items() if key not in fields}


def _checked_field(key: str, value: Setting) -> int | float:
    is_whole = key in ("byoyomi_stones", "threads")
    if isinstance(value, bool | str) or not 0 <= value < 1e9 or (is_whole and value != int(value)):
        raise ValueError(f"{key} is {value!r}; it must be a {'whole ' if is_whole else ''}number, 0 or more")
    if key == "threads" and not 1 <= value <= 256:
        raise ValueError(f"threads is {value}; it must lie in 1..256")
    return int(value) if is_whole else value


def _checked_gnugo(head: str) -> str:
    match = GNUGO.fullmatch(head)
    if match is None or not 0 <= int(match[1]) <= 10:
        raise ValueError(f"{quoted(head)} is not a level of GNU Go; write gnugo-l0 to gnugo-l10")
    return head


def split_command(command: str) -> list[str]:
    """A command as a shell would split it; ValueError if it is none."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"the command {quoted(command)} cannot be split into words: {error}") from error
    if not words:
        raise ValueError("the command of the player is empty; give a program that speaks GTP")
    return words


def _short(command: str) -> str:
    """A command as a name: directories cut, not too long."""
    name = " ".join(
        PurePath(word).name if word.startswith(("/", "./", "../", "~")) else word for word in split_command(command)
    )
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 3] + "..."
