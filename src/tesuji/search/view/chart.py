"""A result as a chart: the moves at the root, how often each was visited and what it is worth.

A result in, a matplotlib figure out (the extra ``plot``, imported when a chart is made). No pyplot, no global state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tesuji.search.view.table import headline, most_visited
from tesuji.words import how_to_install

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from tesuji.search.result import SearchResult

__all__ = ["draw_chart"]

_INK, _SOFT, _GRID, _PAPER = "#1b1f24", "#59636e", "#d9dee3", "#ffffff"
_BAR, _BEST, _VALUE = "#a9c4d6", "#1f5f8b", "#b4501e"
_PROOFS = ("", "lost", "drawn", "won")
_TEXT_SIZE = 9


def draw_chart(result: SearchResult, limit: int = 20) -> Figure:
    """Draw the most visited moves: visits as bars, values beside them as dots on a scale from lost to won.

    What AMAF and the priors say are hollow marks, where the config has them; what is proved is said in a word.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    """
    if type(limit) is not int or limit < 1:
        raise ValueError(f"limit is {limit!r}; it must be a whole number, at least 1")
    shown = most_visited(result, limit)
    figure = _figure(height=1.6 + 0.27 * len(shown))
    visits, values = figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
    _draw_visits(visits, result, shown)
    _draw_values(values, result, shown)
    title: dict[str, Any] = {"x": 0.01, "ha": "left", "fontsize": _TEXT_SIZE + 1, "fontweight": "bold", "color": _INK}
    figure.suptitle(f"{result.names.title}: {headline(result)}", parse_math=False, **title)
    left_out = len(result.moves) - len(shown)
    if left_out:
        figure.supxlabel(f"and {left_out:,} more moves", fontsize=_TEXT_SIZE, color=_SOFT, x=0.01, ha="left")
    return figure


def _draw_visits(axes: Axes, result: SearchResult, shown: list[int]) -> None:
    visits = [int(result.visits[i]) for i in shown]
    colors = [_BEST if result.moves[i] == result.best_move else _BAR for i in shown]
    axes.barh(range(len(shown)), visits, color=colors, height=0.72)
    total, most = max(1, int(result.visits.sum())), max([1, *visits])
    for row, number in enumerate(visits):
        label = f"{number:,}  ({100 * number / total:.1f} %)"
        axes.annotate(label, (number, row), (4, 0), textcoords="offset points", va="center", fontsize=8, color=_SOFT)
    axes.set_xlim(0, 1.28 * most)
    axes.set_ylim(len(shown) - 0.4, -0.6)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_yticks(range(len(shown)), [result.name(int(result.moves[i])) for i in shown])
    _finish(axes, "visits")


def _draw_values(axes: Axes, result: SearchResult, shown: list[int]) -> None:
    axes.axvline(0.5, color=_SOFT, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
    for label, mark, known, numbers in (
        ("value", _Mark("o", _VALUE, _VALUE), result.visits > 0, result.values),
        ("AMAF", _Mark("s", _BEST, "none"), result.amaf_visits > 0, result.amaf_values),
        ("prior", _Mark("D", _BEST, "none"), np.full(len(result.moves), result.priors.any()), result.priors),
    ):
        marked = [(float(numbers[i]), row) for row, i in enumerate(shown) if known[i]]
        if marked:
            axes.plot(*zip(*marked, strict=True), mark.shape, color=mark.edge, mfc=mark.fill, markersize=5, label=label)
    left, right = axes.get_xlim()
    axes.set_xlim(min(left, 0.45), max(right, 0.55) + 0.12 * (right - left) * bool(result.proofs.any()))
    beside: dict[str, Any] = {"xytext": (7, 0), "textcoords": "offset points", "va": "center", "fontsize": 8}
    for row, i in enumerate(shown):
        if word := _PROOFS[result.proofs[i]]:
            axes.annotate(word, (float(result.values[i]), row), color=_INK, **beside)
    _finish(axes, "value for the side to move")
    if len(axes.get_legend_handles_labels()[0]) > 1:
        axes.legend(loc="lower left", bbox_to_anchor=(-0.03, 1), ncols=3, frameon=False, fontsize=8, borderpad=0.2)


class _Mark(NamedTuple):
    shape: str
    edge: str
    fill: str


def _figure(height: float) -> Figure:
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        from tesuji.search.view.figure import Figure
    except ImportError as error:
        raise ImportError(f"charts need matplotlib, which is not installed: {how_to_install('plot')}") from error
    figure = Figure(figsize=(8.4, height), layout="constrained", facecolor=_PAPER)
    FigureCanvasAgg(figure)
    return figure


def _finish(axes: Axes, label: str) -> None:
    axes.set_xlabel(label, fontsize=_TEXT_SIZE, color=_INK)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(_INK)
    axes.tick_params(colors=_INK, labelsize=_TEXT_SIZE, width=0.7)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color=_GRID, linewidth=0.6)
    axes.set_axisbelow(True)
