"""The board in the browser: play, study, see a search, compare players, make pictures, pack rectangles.

`tesuji web` starts it. A server on this machine holds all state and does all thinking; the page draws what it is told
and knows no rules. The idea is GoKnot's (Tesis, chapter 6.1: a board, an editor of records and an analysis tool in
one) and GEM's (6.2: a tool that runs in any browser).
"""

from __future__ import annotations

__all__: list[str] = []
