"""The Go Text Protocol, version 2, with what GoGui, KGS, CGOS, gomill, Leela Zero and KataGo add to it.

`server.py` moves lines and replies, `session.py` holds the game, and each family of commands is a module with a table
of small handlers. `tests/data/transcripts` shows what programs say; docs/howto/gtp.md lists what is answered.
"""

from tesuji.go.gtp.players import Analyst, ConfiguredPlayer, Player
from tesuji.go.gtp.server import GtpServer
from tesuji.gtp.words import GtpError

__all__ = ["Analyst", "ConfiguredPlayer", "GtpError", "GtpServer", "Player"]
