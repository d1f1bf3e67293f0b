"""A game in the terminal against the search or, at Go, the engine: `tesuji play`.

`Dialogue` reads what is typed, lets a rival answer (`rival.py`), and draws; `setting.py` sets the game up, `saving.py`
writes it down. How boards look and moves are called is in `tesuji.games.terminal` and, for Go, in `go_view.py`.
"""

from tesuji.play.dialogue import Dialogue
from tesuji.play.saving import saved_game
from tesuji.play.setting import Setting, make_setting, play

__all__ = ["Dialogue", "Setting", "make_setting", "play", "saved_game"]
