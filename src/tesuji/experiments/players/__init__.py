"""Who plays: the search, the engine and GTP programs, from the words of a command line or a file."""

from tesuji.experiments.players.player import (
    Answer,
    Player,
    TimeLeft,
    check_player,
    open_player,
    parse_player,
    player_seed,
)

__all__ = ["Answer", "Player", "TimeLeft", "check_player", "open_player", "parse_player", "player_seed"]
