"""Plots of results: values in, a matplotlib figure out; `save` writes it at the edge.

No global state: every figure is made without pyplot and drawn by the Agg backend, so threads and servers may call this.
The look is for paper: white ground, dark text, one accent colour, labels instead of legends where that is possible.
Computing the values is `elo.py`'s and `standings.py`'s work.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from tesuji.words import how_to_install

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "BarredCurve",
    "barred_plot",
    "curves_plot",
    "length_plot",
    "line_plot",
    "rates_plot",
    "rating_plot",
    "response_plot",
    "save",
    "sweep_plot",
    "to_svg",
]

INK, ACCENT, PALE, GRID = "#1b1f24", "#1f5f8b", "#a9c4d6", "#d9dee3"
_TEXT_SIZE = 9


class RatingBar(Protocol):
    """What `rating_plot` draws: `elo.Rating` is one."""

    @property
    def name(self) -> str:
        """Of the player."""
        ...

    @property
    def elo(self) -> float:
        """The estimate."""
        ...

    @property
    def low(self) -> float:
        """The lower end of its interval."""
        ...

    @property
    def high(self) -> float:
        """The upper end."""
        ...


def rating_plot(ratings: Sequence[RatingBar], *, title: str = "Ratings") -> Figure:
    """Draw Elo ratings with their intervals, strongest at the top.

    An infinite end of an interval (a player that won or lost everything) becomes an arrow to the edge.
    """
    figure, axes = _figure(width=6.3, height=0.9 + 0.32 * max(len(ratings), 2))
    finite = [x for bar in ratings for x in (bar.elo, bar.low, bar.high) if math.isfinite(x)] or [0.0]
    margin = max(50.0, 0.08 * (max(finite) - min(finite)))
    left, right = min(finite) - margin, max(finite) + margin
    for row, bar in enumerate(ratings):
        low, high = max(bar.low, left), min(bar.high, right)
        axes.plot([low, high], [row, row], color=ACCENT, linewidth=1.6, solid_capstyle="butt", zorder=2)
        for end, is_open, mark in ((low, bar.low < left, "<"), (high, bar.high > right, ">")):
            shape, size = (mark, 5) if is_open else ("|", 7)
            axes.plot(end, row, marker=shape, color=ACCENT, markersize=size, clip_on=False, zorder=2)
        if math.isfinite(bar.elo):
            axes.plot(bar.elo, row, marker="o", color=ACCENT, markersize=5, zorder=3)
    axes.set_yticks(range(len(ratings)), [_plain(bar.name) for bar in ratings])
    axes.set_ylim(len(ratings) - 0.4, -0.6)
    axes.set_xlim(left, right)
    _name(axes, x="Elo", title=title)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x", color=GRID, linewidth=0.6)
    return figure


def length_plot(lengths: Sequence[int], *, title: str = "Length of the games") -> Figure:
    """Draw how many moves the games had, as a histogram with the median."""
    import numpy as np

    figure, axes = _figure(width=6.3, height=2.4)
    if lengths:
        values = np.asarray(lengths)
        low, high = int(values.min()), int(values.max())
        width = max(1, math.ceil((high - low + 1) / 40))  # whole moves, so that no bin is fuller by its edges
        edges = [edge - 0.5 for edge in range(low, high + width + 1, width)]
        axes.hist(values, bins=edges, color=PALE, edgecolor="white", linewidth=0.4)
        median = float(np.median(values))
        axes.axvline(median, color=ACCENT, linewidth=1.2)
        axes.annotate(
            f"median {median:g}", (median, 1), xycoords=("data", "axes fraction"),
            xytext=(4, -4), textcoords="offset points", va="top", color=ACCENT,
        )  # fmt: skip
    _name(axes, x="moves", y="games", title=title)
    axes.grid(axis="y", color=GRID, linewidth=0.6)
    return figure


def sweep_plot(
    values: Sequence[float],
    rates: Sequence[float],
    low: Sequence[float],
    high: Sequence[float],
    *,
    parameter: str,
    title: str = "",
    is_log: bool = False,
    reference: float | None = 0.5,
    label: str = "win rate",
) -> Figure:
    """Draw a rate at each value of a parameter, with intervals (figures 6 and 7 of Pividori 2015 look like this).

    Parameters
    ----------
    values, rates, low, high
        Of one length: where, the estimate, its interval.
    is_log
        Whether the parameter's axis is logarithmic; all values must then be above 0.
    reference
        A horizontal line to compare with; None: none.
    """
    figure, axes = _figure(width=6.3, height=3.4)
    if reference is not None:
        axes.axhline(reference, color=INK, linewidth=0.7, linestyle=(0, (4, 3)), zorder=1)
    below = [rate - end for rate, end in zip(rates, low, strict=True)]
    above = [end - rate for rate, end in zip(rates, high, strict=True)]
    axes.errorbar(
        values, rates, yerr=[below, above], color=ACCENT, marker="o", markersize=4.5, linewidth=1.2, capsize=3
    )
    _finish_curve(axes, x=parameter, y=label, title=title, is_log=is_log)
    return figure


def rates_plot(rates: Mapping[str, tuple[float, float, float]], *, title: str = "", label: str = "win rate") -> Figure:
    """Draw rates of named things with their intervals, side by side, as figures 3.12 and 3.13 of the UCT-DAG report.

    Parameters
    ----------
    rates
        Name -> the estimate and the two ends of its interval, 0..1.
    """
    figure, axes = _figure(width=6.3, height=3.4)
    for place, (rate, low, high) in enumerate(rates.values()):
        axes.plot([place, place], [low, high], color=ACCENT, linewidth=1.6, marker="_", markersize=9, zorder=2)
        axes.plot(place, rate, marker="o", color=ACCENT, markersize=5, zorder=3)
    axes.set_xticks(range(len(rates)), list(rates), rotation=20, ha="right")
    axes.set_xlim(-0.6, len(rates) - 0.4)
    axes.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f} %")
    axes.grid(axis="y", color=GRID, linewidth=0.6)
    _name(axes, x="", y=label, title=title)
    return figure


def response_plot(
    values: Sequence[float],
    mean: Sequence[float],
    low: Sequence[float],
    high: Sequence[float],
    *,
    parameter: str,
    optimum: float | None = None,
    optimum_low: float | None = None,
    optimum_high: float | None = None,
    title: str = "",
    is_log: bool = False,
    label: str = "win rate",
) -> Figure:
    """Draw a fitted response curve with its band, and the optimum with its interval.

    Parameters
    ----------
    values, mean, low, high
        The curve, on a grid fine enough to look smooth.
    optimum, optimum_low, optimum_high
        The estimated best value and its interval; None: not drawn.
    """
    figure, axes = _figure(width=6.3, height=3.4)
    axes.fill_between(values, low, high, color=PALE, alpha=0.5, linewidth=0)
    axes.plot(values, mean, color=ACCENT, linewidth=1.6)
    if optimum_low is not None and optimum_high is not None:
        axes.axvspan(optimum_low, optimum_high, color=INK, alpha=0.07, linewidth=0)
    if optimum is not None:
        axes.axvline(optimum, color=INK, linewidth=0.9)
        axes.annotate(
            f"{optimum:.4g}",
            (optimum, 0),
            xycoords=("data", "axes fraction"),
            xytext=(4, 4),
            textcoords="offset points",
        )
    _finish_curve(axes, x=parameter, y=label, title=title, is_log=is_log)
    return figure


def line_plot(
    x: Sequence[float],
    y: Sequence[float],
    low: Sequence[float] | None = None,
    high: Sequence[float] | None = None,
    *,
    x_label: str = "games",
    y_label: str = "Elo",
    title: str = "",
    reference: float | None = 0.0,
) -> Figure:
    """Draw a curve with a band: a learning curve, or Elo and its interval over the games of a match.

    Points that are not finite are left out, so the first games, which say nothing yet, do not spoil the axis.
    """
    figure, axes = _figure(width=6.3, height=2.8)
    if reference is not None:
        axes.axhline(reference, color=INK, linewidth=0.7, linestyle=(0, (4, 3)), zorder=1)
    if low is not None and high is not None:
        band = [p for p in zip(x, low, high, strict=True) if all(map(math.isfinite, p))]
        axes.fill_between(
            [p[0] for p in band], [p[1] for p in band], [p[2] for p in band], color=PALE, alpha=0.5, linewidth=0
        )
    points = [p for p in zip(x, y, strict=True) if all(map(math.isfinite, p))]
    axes.plot([p[0] for p in points], [p[1] for p in points], color=ACCENT, linewidth=1.4)
    _finish_curve(axes, x=x_label, y=y_label, title=title)
    return figure


def curves_plot(
    x: Sequence[float],
    curves: Mapping[str, Sequence[float]],
    *,
    x_label: str,
    y_label: str,
    title: str = "",
) -> Figure:
    """Draw several curves over one logarithmic axis, each named at its right end; names make room for each other."""
    figure, axes = _figure(width=6.3, height=4.2)
    ranked = sorted(curves, key=lambda name: curves[name][-1])
    shown = [y for curve in curves.values() for y in curve if math.isfinite(y)]
    gap = 0.05 * (max(shown) - min(shown))
    heights = _spread([curves[name][-1] for name in ranked], gap)
    for rank, (name, height) in enumerate(zip(ranked, heights, strict=True), 1):
        axes.plot(x, curves[name], color=ACCENT, alpha=0.25 + 0.75 * rank / len(ranked), linewidth=1.4)
        axes.annotate(
            _plain(name),
            xy=(x[-1], curves[name][-1]),
            xytext=(1.25 * x[-1], height),
            arrowprops={"arrowstyle": "-", "color": PALE, "linewidth": 0.7, "relpos": (0, 0.5)},
            annotation_clip=False,
            va="center",
            fontsize=_TEXT_SIZE,
            color=INK,
        )
    axes.set_ylim(min(shown) - gap, max(*shown, *heights) + gap)
    _finish_curve(axes, x=x_label, y=y_label, title=title, is_log=True)
    return figure


class BarredCurve(NamedTuple):
    """What `barred_plot` draws: points, each with a bar from it to one end of its interval."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    end: Sequence[float]


def barred_plot(
    curves: Sequence[BarredCurve], *, x_label: str, y_label: str, title: str = "", reference: float | None = None
) -> Figure:
    """Draw curves on logarithmic axes with one-sided bars (the figures of the UCT-DAG report look like this).

    Points that a logarithm does not have are left out: an error of 0 ends its curve.
    """
    from matplotlib import colormaps

    figure, axes = _figure(width=6.3, height=4.0)
    if reference is not None:
        axes.axhline(reference, color=INK, linewidth=0.7, linestyle=(0, (4, 3)), zorder=1)
    colors = colormaps["viridis"]([0.9 * i / max(1, len(curves) - 1) for i in range(len(curves))])
    axes.set_yscale("log")
    for color, curve in zip(colors, curves, strict=True):
        points = [p for p in zip(*curve[1:], strict=True) if all(map(math.isfinite, p)) and p[1] > 0]
        axes.plot([p[0] for p in points], [p[1] for p in points], color=color, marker="o", markersize=3, linewidth=1.2)
        axes.vlines([p[0] for p in points], *_bars(points), color=color, linewidth=0.8)
        axes.plot([], [], color=color, label=_plain(curve.label))
    axes.legend(frameon=False, fontsize=_TEXT_SIZE - 1, labelcolor=INK)
    _finish_curve(axes, x=x_label, y=y_label, title=title, is_log=True)
    return figure


def _spread(heights: Sequence[float], gap: float) -> list[float]:
    """Ascending heights, moved as little as it takes to keep them apart: neighbours that are too close give way."""
    places = list(heights)
    for _ in range(1000):
        for i in range(1, len(places)):
            missing = places[i - 1] + gap - places[i]
            if missing > 1e-3 * gap:
                places[i - 1] -= missing / 2
                places[i] += missing / 2
    return places


def _bars(points: Sequence[Sequence[float]]) -> tuple[list[float], list[float]]:
    """The lower and the upper ends of bars from y to an end, which may lie below or above it, but not at 0."""
    ends = [end if end > 0 else y for _, y, end in points]
    pairs = [sorted((y, end)) for (_, y, _), end in zip(points, ends, strict=True)]
    return [low for low, _ in pairs], [high for _, high in pairs]


def save(figure: Figure, path: Path, *, dpi: int = 200) -> Path:
    """Write a figure as PNG, SVG or PDF, whatever the path's ending says; the same figure gives the same bytes."""
    undated = {".png": {"Software": None}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    figure.savefig(path, dpi=dpi, metadata=undated.get(path.suffix))
    return path


def to_svg(figure: Figure) -> str:
    """The figure as an ``<svg>`` element for an HTML page, letters as outlines, so that it looks alike everywhere."""
    from io import StringIO

    text = StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    return text.getvalue().partition("<svg")[1] + text.getvalue().partition("<svg")[2]


def _figure(width: float, height: float) -> tuple[Figure, Axes]:
    """A figure of that many inches with one set of axes, and no other connection to matplotlib's state."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        from tesuji.search.view.figure import Figure
    except ImportError as error:
        raise ImportError(f"plots need matplotlib: {how_to_install('lab')}") from error
    figure = Figure(figsize=(width, height), layout="constrained", facecolor="white")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(INK)
        axes.spines[side].set_linewidth(0.7)
    axes.tick_params(colors=INK, labelsize=_TEXT_SIZE, width=0.7)
    axes.set_axisbelow(True)
    return figure, axes


def _plain(text: str) -> str:
    """Names are names: between two dollar signs matplotlib would read a formula."""
    return text.replace("$", r"\$")


def _name(axes: Axes, *, x: str, y: str = "", title: str = "") -> None:
    axes.set_xlabel(_plain(x), fontsize=_TEXT_SIZE, color=INK)
    axes.set_ylabel(_plain(y), fontsize=_TEXT_SIZE, color=INK)
    if title:
        axes.set_title(_plain(title), loc="left", fontsize=_TEXT_SIZE + 1, fontweight="bold", color=INK)


def _finish_curve(axes: Axes, *, x: str, y: str, title: str, is_log: bool = False) -> None:
    if is_log:
        axes.set_xscale("log")
    _name(axes, x=x, y=y, title=title)
    axes.grid(axis="y", color=GRID, linewidth=0.6)
