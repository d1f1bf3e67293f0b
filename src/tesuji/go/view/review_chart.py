"""A review as a chart: Black's win rate over the game, the moves that changed it, and what every move lost.

Values in, a matplotlib figure out (the extra ``plot``, imported when a chart is made). Nothing is told by colour alone:
a blunder is a diamond and a mistake a circle, filled black or white by who played it, and the worst carry their names.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from tesuji.go.records.review import Judgement, worst_first
from tesuji.go.rules.color import Color
from tesuji.go.rules.vertex import to_vertex
from tesuji.go.view.picture import MissingExtraError
from tesuji.words import how_to_install

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["ReviewChart", "check_can_draw", "draw_chart", "is_chart_of", "save_chart"]

_INK, _PAPER, _GRID = "#1b1f24", "#fffdf8", "#d9d4c8"
_BLACKS_SHARE, _WHITES_SHARE = "#b9b4a8", "#f6f1e4"
_ORANGE, _VERMILION = "#e69f00", "#d55e00"  # Okabe and Ito's: told apart by every kind of eye
_SHAPES = {"mistake": ("o", _ORANGE, 52), "blunder": ("D", _VERMILION, 62)}
_NAMED = 6  # the worst moves carry their names
_TEXT_SIZE = 9.5
_SOURCE = "tesuji analyse"


class ReviewChart(msgspec.Struct, frozen=True, kw_only=True):
    """What a chart shows.

    Attributes
    ----------
    judgements : sequence of Judgement
        In order; where moves are missing the curve has a gap.
    width, height : int
        The size of the board, for the names of moves.
    num_moves : int
        Of the whole game.
    title, subtitle : str
        The players; komi, result and how the moves were judged.
    game : str
        `tesuji.go.records.review_sgf.digest_of` the game; kept in the file.
    """

    judgements: Sequence[Judgement]
    width: int
    height: int
    num_moves: int
    title: str
    subtitle: str
    game: str = ""


def check_can_draw() -> None:
    """Say early that matplotlib is missing.

    Raises
    ------
    MissingExtraError
        If it is.
    """
    _figure_type()


def is_chart_of(path: Path, game: str) -> bool:
    """Whether a file is a chart that `save_chart` made of this game."""
    with path.open("rb") as file:
        return f"{_SOURCE} {game}".encode() in file.read(4096)


def save_chart(path: Path, chart: ReviewChart, *, dpi: int = 150) -> None:
    """Write a chart as PNG; an existing file is replaced.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    figure = draw_chart(chart)
    about = {"Software": "Tesuji", "Source": f"{_SOURCE} {chart.game}"}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # a name in a script that the font lacks: boxes will do
        figure.savefig(path, dpi=dpi, format="png", facecolor=_PAPER, metadata=about)


def draw_chart(chart: ReviewChart) -> Figure:
    """Return the chart as a matplotlib figure, for notebooks and for further drawing."""
    figure = _figure_type()(figsize=(10.0, 5.6), facecolor=_PAPER)
    curve, losses = figure.subplots(2, 1, sharex=True, height_ratios=(3.2, 1.0))
    figure.subplots_adjust(left=0.075, right=0.975, top=0.855, bottom=0.095, hspace=0.09)
    plain: dict[str, Any] = {"x": 0.075, "color": _INK, "parse_math": False}  # a dollar in a name is not a formula
    figure.text(y=0.945, s=_cut(chart.title, 90), fontsize=14, fontweight="bold", va="center", **plain)
    figure.text(y=0.893, s=_cut(chart.subtitle, 140), fontsize=_TEXT_SIZE, va="center", **plain)
    for part in _unbroken(chart.judgements):
        _draw_curve(curve, part)
    _draw_marks(curve, chart)
    _finish_curve(curve, chart.num_moves)
    _draw_losses(losses, chart.judgements)
    return figure


def _figure_type() -> type[Figure]:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError(f"charts need matplotlib, which is not installed: {how_to_install('plot')}") from error
    return Figure


def _unbroken(judgements: Sequence[Judgement]) -> list[list[Judgement]]:
    """The judgements cut where moves are missing."""
    parts: list[list[Judgement]] = []
    for judgement in judgements:
        if not parts or parts[-1][-1].number + 1 != judgement.number:
            parts.append([])
        parts[-1].append(judgement)
    return parts


def _draw_curve(axes: Axes, part: Sequence[Judgement]) -> None:
    numbers = [part[0].number - 1, *(judgement.number for judgement in part)]
    values = [100 * part[0].value_for_black_before, *(100 * judgement.value_for_black for judgement in part)]
    axes.fill_between(numbers, 0, values, color=_BLACKS_SHARE, linewidth=0, zorder=1)
    axes.fill_between(numbers, values, 100, color=_WHITES_SHARE, linewidth=0, zorder=1)
    axes.plot(numbers, values, color=_INK, linewidth=1.5, solid_joinstyle="round", zorder=3)


def _draw_marks(axes: Axes, chart: ReviewChart) -> None:
    for mark, (shape, color, area) in _SHAPES.items():
        for side, face in ((Color.BLACK, "black"), (Color.WHITE, "white")):
            found = [j for j in chart.judgements if j.mark == mark and j.color == side]
            axes.scatter(
                [j.number for j in found], [100 * j.value_for_black for j in found], s=area, marker=shape,
                facecolor=face, edgecolor=color, linewidth=2.2, zorder=5, clip_on=False,
                label=f"{mark} of {side.name.title()}" if found else None,
            )  # fmt: skip
    _name_worst(axes, chart)
    if axes.get_legend_handles_labels()[0]:
        axes.figure.legend(
            loc="lower right", bbox_to_anchor=(0.98, 0.0), ncols=4, frameon=False, fontsize=_TEXT_SIZE - 0.5,
            handletextpad=0.2, columnspacing=1.2, borderaxespad=0.2, labelcolor=_INK,
        )  # fmt: skip


def _name_worst(axes: Axes, chart: ReviewChart) -> None:
    """Write move, vertex and loss beside the worst marks: Black's below, White's above, farther off if need be."""
    taken: list[tuple[float, float]] = []
    marked = [judgement for judgement in chart.judgements if judgement.mark in _SHAPES]
    for judgement in worst_first(marked, _NAMED):
        value, across = 100 * judgement.value_for_black, judgement.number / max(chart.num_moves, 1)
        sign = 1 if value < 12 or (judgement.color == Color.WHITE and value <= 88) else -1
        for points in (9, 26):
            center = value + sign * 0.45 * (points + 8)  # in percent: a point is 0.45 of them
            if 3 < center < 97 and all(abs(across - x) > 0.09 or abs(center - y) > 6 for x, y in taken):
                taken.append((across, center))
                _name_move(axes, judgement, chart, across, sign * points)
                break


def _name_move(axes: Axes, judgement: Judgement, chart: ReviewChart, across: float, offset: int) -> None:
    axes.annotate(
        f"{judgement.number} {to_vertex(judgement.move, chart.width, chart.height)}  −{100 * judgement.loss:.0f}",
        (judgement.number, 100 * judgement.value_for_black), xytext=(0, offset), textcoords="offset points",
        ha="left" if across < 0.05 else "right" if across > 0.95 else "center", va="bottom" if offset > 0 else "top",
        fontsize=_TEXT_SIZE - 1, color=_INK, zorder=6,
        bbox={"boxstyle": "round,pad=0.15", "facecolor": _PAPER, "edgecolor": "none", "alpha": 0.8},
    )  # fmt: skip


def _finish_curve(axes: Axes, num_moves: int) -> None:
    axes.axhline(50, color=_INK, linewidth=0.8, linestyle=(0, (4, 3)), zorder=2)
    axes.set(xlim=(0, max(num_moves, 1)), ylim=(0, 100), yticks=range(0, 101, 25))
    axes.set_yticklabels([f"{tick} %" for tick in range(0, 101, 25)])
    axes.set_ylabel("Black's win rate", fontsize=_TEXT_SIZE, color=_INK)
    _plain_frame(axes)


def _draw_losses(axes: Axes, judgements: Sequence[Judgement]) -> None:
    """Bars: Black's losses upwards, White's downwards."""
    for side, face, sign in ((Color.BLACK, "black", 1), (Color.WHITE, "white", -1)):
        own = [j for j in judgements if j.color == side]
        axes.bar(
            [j.number for j in own], [sign * 100 * j.loss for j in own], width=0.9, color=face, edgecolor=_INK,
            linewidth=0.5, zorder=3,
        )  # fmt: skip
    most = max(20.0, 110 * max((j.loss for j in judgements), default=0.0))
    axes.axhline(0, color=_INK, linewidth=0.8, zorder=4)
    axes.set_ylim(-most, most)
    axes.yaxis.set_major_formatter(lambda value, _position: f"{abs(value):.0f}")
    axes.set_xlabel("move", fontsize=_TEXT_SIZE, color=_INK)
    axes.set_ylabel("lost, %", fontsize=_TEXT_SIZE, color=_INK)
    for name, place in (("Black", 0.93), ("White", 0.07)):
        axes.text(
            0.006, place, name, transform=axes.transAxes, fontsize=_TEXT_SIZE - 1, color=_INK,
            va="top" if place > 0.5 else "bottom", zorder=5,
        )  # fmt: skip
    axes.xaxis.get_major_locator().set_params(integer=True)  # type: ignore[call-arg]  # a MaxNLocator, by default
    axes.grid(axis="y", color=_GRID, linewidth=0.6)
    _plain_frame(axes)


def _plain_frame(axes: Axes) -> None:
    axes.set_facecolor(_PAPER)
    axes.set_axisbelow(True)
    axes.tick_params(colors=_INK, labelsize=_TEXT_SIZE - 0.5, width=0.7)
    axes.spines[["top", "right"]].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set(color=_INK, linewidth=0.7)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
