"""A search in a terminal while it runs: the best moves, renewed a few times a second."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tesuji.search.table import as_rich, headline

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console, RenderableType

    from tesuji.search.result import SearchResult

__all__ = ["live_table", "view_of_result"]


def view_of_result(result: SearchResult, limit: int) -> RenderableType:
    """Headline, table and main line."""
    from rich.console import Group
    from rich.text import Text

    speed = f", {result.simulations_per_s:,.0f} a second" if result.seconds else ""
    return Group(
        Text(f"{result.names.title}: {headline(result)}{speed}", style="bold"),
        as_rich(result, limit),
        Text(f"main line: {result.names.line(result.main_line)}", no_wrap=True, overflow="ellipsis"),
    )


@contextlib.contextmanager
def live_table(console: Console | None, limit: int) -> Iterator[Callable[[SearchResult], None]]:
    """A table on the terminal that shows whatever result it was given last; it stays when the context ends.

    Where output goes to a pipe or a file only the last one is printed.
    """
    from rich.console import Console
    from rich.live import Live

    console = console or Console(highlight=False)
    last: list[SearchResult] = []
    if console.is_terminal:
        with Live(console=console, auto_refresh=False) as live:
            yield lambda result: live.update(view_of_result(result, limit), refresh=True)
    else:
        yield lambda result: last.__setitem__(slice(None), [result])
        for result in last:
            console.print(view_of_result(result, limit))
