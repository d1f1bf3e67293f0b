"""The native games where they are printed: a board instead of an address, in a terminal and in a notebook.

The drawings are those of `tesuji.games.terminal`, imported when a game is shown and not before.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

__all__ = ["as_html", "as_text", "show_boards_of", "text_of"]

_WIDTH = 120  # columns; wider than any board
_PAGE = '<pre style="font-family:monospace;line-height:1.25;white-space:pre">{code}</pre>'


def show_boards_of(*kinds: type) -> None:
    """Give native types a ``repr`` and a picture for notebooks."""
    for kind in kinds:
        setattr(kind, "__repr__", _repr)  # noqa: B010 - the stubs, which are generated, do not know it
        setattr(kind, "_repr_html_", as_html)  # noqa: B010


def as_text(game: Any) -> str:
    """The board of a native game as plain text."""
    drawing = _diagram(game)
    plain = getattr(drawing, "plain", None)  # without a console, which takes ten times as long
    return text_of(drawing) if plain is None else str(plain)


def as_html(game: Any) -> str:
    """The board of a native game in colours, for a notebook."""
    console = _console(file=io.StringIO(), record=True, force_terminal=True, color_system="truecolor")
    console.print(_diagram(game))
    return console.export_html(inline_styles=True, code_format=_PAGE)


def text_of(renderable: RenderableType, width: int = _WIDTH) -> str:
    """Whatever `rich` can print, as plain text without blank ends."""
    text = io.StringIO()
    _console(file=text, color_system=None, width=width).print(renderable)
    return "\n".join(line.rstrip() for line in text.getvalue().rstrip().splitlines())


def _repr(game: Any) -> str:
    from tesuji.games.terminal import view_of

    view = view_of(game)
    turn = "the game is over" if game.is_over else f"{view.players[view.mover(game)]} to move"
    return f"<{view.title}, {turn}>\n{as_text(game)}"


def _console(**options: Any) -> Console:
    from rich.console import Console

    # In a notebook rich would show what it prints there, whatever file it is given.
    return Console(**{"width": _WIDTH, "legacy_windows": False, "highlight": False, "force_jupyter": False, **options})


def _diagram(game: Any) -> RenderableType:
    from tesuji.games.terminal import view_of

    return view_of(game).diagram(game)
