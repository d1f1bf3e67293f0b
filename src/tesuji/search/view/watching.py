"""A search in a terminal while it runs: the best moves, renewed a few times a second."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING

from tesuji.search.view.table import as_html, as_rich, headline

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from tesuji.search.result import SearchResult

__all__ = ["LiveTable", "view_of_result"]


def view_of_result(result: SearchResult, limit: int) -> RenderableType:
    """Headline, table and main line."""
    from rich.console import Group
    from rich.text import Text

    def line(words: str, style: str = "") -> Text:
        return Text(words, style=style, no_wrap=True, overflow="ellipsis")

    return Group(
        line(f"{result.names.title}: {headline(result)}", style="bold"),
        as_rich(result, limit),
        line(f"main line: {result.names.line(result.main_line)}"),
        line(f"{result.simulations_per_s:,.0f} simulations a second"),
    )


class LiveTable:
    """A context whose table on the terminal shows the result it was given last; the table stays when it ends.

    Where output goes to a pipe or a file only the last one is printed. In a notebook the table is renewed below the
    cell and goes when it ends: the result, which the cell returns, shows itself.

    Parameters
    ----------
    console : rich.console.Console, optional
        Where; standard output if not given.
    limit : int
        How many moves.
    """

    def __init__(self, console: Console | None, limit: int) -> None:
        from rich.console import Console
        from rich.live import Live

        self._console = console or Console(highlight=False)
        is_terminal = self._console.is_terminal and not self._console.is_jupyter
        self._live = Live(console=self._console, auto_refresh=False) if is_terminal else None
        self._cell = _Cell() if self._console.is_jupyter else None
        self._limit = limit
        self._last: SearchResult | None = None

    def __enter__(self) -> LiveTable:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()
        elif self._cell is not None:
            self._cell.show("")
        elif self._last is not None:
            self._console.print(view_of_result(self._last, self._limit))

    def show(self, result: SearchResult) -> None:
        """Let the table show this."""
        self._last = result
        if self._live is not None:
            self._live.update(view_of_result(result, self._limit), refresh=True)
        elif self._cell is not None:
            self._cell.show(as_html(result, self._limit))


class _Cell:
    """A place below the cell of a notebook that can be written again."""

    def __init__(self) -> None:
        from IPython.display import HTML, display

        self._html = HTML
        self._place = display(HTML(""), display_id=True)

    def show(self, text: str) -> None:
        """Replace what is there."""
        self._place.update(self._html(text))
