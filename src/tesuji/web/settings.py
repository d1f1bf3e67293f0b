"""What the server is started with: where it listens, which folder is its own, whom it knows, what it allows.

The page never sees these values and cannot change them. Opponents and players of matches are named in a TOML file
on the server (`read_players`), written as on a command line; the page only says a name.
"""

from __future__ import annotations

import ipaddress
import os
import sys
import tomllib
from pathlib import Path

import msgspec

from tesuji.experiments.players import parse_player
from tesuji.experiments.records import PlayerSpec

__all__ = ["PORT", "Limits", "WebSettings", "default_folder", "is_loopback", "read_players"]

PORT = 8361
CONFIG_NAME = "web.toml"


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What pages may use.

    Attributes
    ----------
    message_bytes : int
        Of one message of a page; a larger one ends the connection.
    sgf_bytes, sgf_nodes : int
        Of a record that is opened.
    packing_items : int
        Rectangles of a problem.
    pages : int
        Connections at once.
    documents : int
        Games, studies and plans kept in the folder.
    open_documents : int
        Of these in memory at once; the others wait on the disk.
    searches : int
        That run at once; the others wait their turn.
    searches_per_page : int
        That a page may have, waiting ones among them.
    search_mb : int
        Memory of one search's graph.
    search_s : float
        The longest that one search runs.
    away_s : float
        How long a search goes on when the last page that watched it is gone: a reload takes less.
    matches : int
        That run at once.
    """

    message_bytes: int = 4_000_000
    sgf_bytes: int = 2_000_000
    sgf_nodes: int = 20_000
    packing_items: int = 2_000
    pages: int = 100
    documents: int = 1_000
    open_documents: int = 64
    searches: int = max(1, os.cpu_count() or 1)
    searches_per_page: int = 2
    search_mb: int = 256
    search_s: float = 600.0
    away_s: float = 3.0
    matches: int = 1


class WebSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How the server is started.

    Attributes
    ----------
    folder : Path
        Its own: games, studies, plans and stores of matches lie there, and nothing else is touched.
    host, port : str, int
        Where it listens.
    names : tuple of str
        By which others may call it (the Host of a request), besides addresses and localhost.
    token : str
        What a browser has to show once; needed unless `host` is the loopback.
    players : dict of str to PlayerSpec
        Opponents and players of matches by name.
    stores : tuple of Path
        Stores of matches that were named on the command line.
    own_games : dict of str to str
        Games of your own that were named on the command line: what pages call them, and where they are.
    limits : Limits
        What pages may use.
    seed : int or None
        Of every search; None draws one each time.
    """

    folder: Path
    host: str = "127.0.0.1"
    port: int = PORT
    names: tuple[str, ...] = ()
    token: str = ""
    players: dict[str, PlayerSpec] = {}
    stores: tuple[Path, ...] = ()
    own_games: dict[str, str] = {}
    limits: Limits = Limits()
    seed: int | None = None

    def __post_init__(self) -> None:
        if not is_loopback(self.host) and len(self.token) < 16:
            raise ValueError(
                f"host {self.host!r} can be reached from other machines, which needs a token of 16 signs or more;"
                " leave --host out, or let --token draw one"
            )


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def default_folder() -> Path:
    """Where the server keeps its documents if nobody says: the place that the system has for such."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", "")
    else:
        base = os.environ.get("XDG_DATA_HOME", "")
    return (Path(base) if base else Path.home() / ".local" / "share") / "tesuji" / "web"


def read_players(path: Path) -> dict[str, PlayerSpec]:
    """Read the players that pages may name.

    The file has a table ``[players]``: a name, and a player as `tesuji match` takes it.

    Raises
    ------
    ValueError
        For a file that is none, and a player that is none; names it.
    OSError
        If it cannot be read.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is not a TOML file: {error}") from error
    if unknown := sorted(data.keys() - {"players"}):
        raise ValueError(f"{path}: there is no table [{unknown[0]}]; write [players]")
    table = data.get("players", {})
    if not isinstance(table, dict):
        raise ValueError(f'{path}: players is not a table; write [players] and lines such as gnu = "gnugo-l10"')
    return {name: _player(path, name, text) for name, text in table.items()}


def _player(path: Path, name: str, text: object) -> PlayerSpec:
    if not isinstance(text, str):
        raise ValueError(f'{path}: player {name!r} is {text!r}; write it as a text, such as "gnugo-l10"')
    if not name.strip() or not name.isprintable() or len(name) > 60:
        raise ValueError(f"{path}: {name[:60]!r} is not a name of a player; use up to 60 printable signs")
    try:
        return parse_player(text, name=name)
    except ValueError as error:
        raise ValueError(f"{path}: player {name!r}: {error}") from error
