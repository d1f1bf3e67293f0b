"""Pictures: a Manhattan plot of a statistic, principal components of a panel, a confusion matrix, a search's progress.

Values in, a matplotlib figure out; `save` and `to_svg` are at the edge. No global state: no pyplot.
"""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tesuji.genetics.genotypes import MISSING, genome_order

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["calibration", "confusion", "manhattan", "principal_components", "progress", "save", "to_svg"]

INK, ACCENT, PALE = "#1b1f24", "#1f5f8b", "#a9c4d6"
_COLOURS = ["#1f5f8b", "#c8553d", "#5b8c5a", "#8a6fae", "#c9a227", "#4fa3a5", "#7a5c48", "#d17ba4"]
_MARKS = "os^Dv<>P*X"


def _axes(width: float, height: float) -> tuple[Figure, Axes]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    from tesuji.search.view.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=8)
    return figure, axes


def manhattan(
    chromosomes: Sequence[str],
    positions: NDArray[np.integer],
    values: NDArray[np.float64],
    *,
    label: str,
    line: float | None = None,
    line_label: str = "",
    highlighted: Sequence[int] = (),
) -> Figure:
    """A statistic along the genome; SNPs of unknown place stand in the file's order.

    `line` is a limit that is drawn; `highlighted` are places in the arrays that are marked.
    """
    figure, axes = _axes(9, 3.2)
    names = sorted(set(chromosomes), key=genome_order)
    where = np.array(chromosomes)
    x = np.zeros(len(values))
    ticks, start = [], 0.0
    for number, name in enumerate(names):
        here = np.flatnonzero(where == name)
        own = positions[here].astype(float)
        own = own if (own > 0).any() else np.arange(len(here), dtype=float)
        x[here] = own + start
        axes.scatter(x[here], values[here], s=3, color=(ACCENT, PALE)[number % 2], linewidths=0, rasterized=True)
        ticks.append(start + own.max() / 2 if len(own) else start)
        start = float(x[here].max()) * 1.0 + (own.max() - own.min()) * 0.02 + 1
    if len(highlighted):
        chosen = list(highlighted)
        axes.scatter(x[chosen], values[chosen], s=26, facecolors="none", edgecolors="#c8553d", linewidths=1.2)
    if line is not None:
        axes.axhline(line, color=INK, linewidth=0.8, linestyle="--")
        axes.annotate(
            line_label, (0.995, line), xycoords=("axes fraction", "data"), ha="right", va="bottom", fontsize=8
        )
    axes.set_xticks(ticks, names, fontsize=7)
    axes.set_xlabel("chromosome" if names != ["0"] else "SNP, in the file's order", fontsize=9)
    axes.set_ylabel(label, fontsize=9)
    axes.margins(x=0.005)
    return figure


def principal_components(copies: NDArray[np.int8], labels: NDArray[np.int32], groups: Sequence[str]) -> Figure:
    """The individuals on the first two components of a panel's genotypes, of shape (SNPs, individuals)."""
    figure, axes = _axes(5.2, 4.4)
    known = copies != MISSING
    count = np.maximum(known.sum(axis=1, keepdims=True), 1)
    mean = np.where(known, copies, 0).sum(axis=1, keepdims=True) / count
    centred = np.where(known, copies - mean, 0.0)
    scale = centred.std(axis=1, keepdims=True)
    table = (centred / np.where(scale > 0, scale, 1)).T
    u, s, _ = np.linalg.svd(table, full_matrices=False)
    points = u[:, :2] * s[:2]
    if points.shape[1] < 2:
        points = np.column_stack([points, np.zeros(len(points))])
    jitter = np.random.default_rng(1).normal(0, 0.04, points.shape)  # few SNPs: many individuals on one spot
    for number, group in enumerate(groups):
        here = labels == number
        x, y = (points + jitter)[here].T
        axes.scatter(
            x,
            y,
            s=14,
            marker=_MARKS[number // len(_COLOURS) % len(_MARKS)],
            color=_COLOURS[number % len(_COLOURS)],
            alpha=0.6,
            linewidths=0,
            label=group,
        )
    shares = s**2 / max(float((s**2).sum()), 1e-12)
    axes.set_xlabel(f"first component ({100 * shares[0]:.0f} % of the variance)", fontsize=9)
    second = 100 * shares[1] if len(shares) > 1 else 0
    axes.set_ylabel(f"second component ({second:.0f} %)", fontsize=9)
    axes.legend(fontsize=8, frameon=False, markerscale=1.4, ncols=1 + (len(groups) > 12))
    return figure


def confusion(table: Sequence[Sequence[int]], groups: Sequence[str]) -> Figure:
    """Own groups down, assigned groups across, shares of each row as shades."""
    size = 1.6 + 0.5 * len(groups)
    figure, axes = _axes(size + 0.6, size)
    counts = np.array(table, float)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    for i in range(len(groups)):
        for j in range(len(groups)):
            if counts[i, j]:
                shade = "white" if shares[i, j] > 0.55 else INK
                axes.text(j, i, f"{int(counts[i, j])}", ha="center", va="center", fontsize=8, color=shade)
    axes.set_xticks(range(len(groups)), groups, rotation=40, ha="right", fontsize=8)
    axes.set_yticks(range(len(groups)), groups, fontsize=8)
    axes.set_xlabel("assigned", fontsize=9)
    axes.set_ylabel("own group", fontsize=9)
    axes.spines[:].set_visible(False)
    return figure


def calibration(bins: Sequence[tuple[float, float, int]]) -> Figure:
    """How often those are right who are said to be right with some probability."""
    figure, axes = _axes(3.6, 3.3)
    axes.plot([0, 1], [0, 1], color=PALE, linewidth=1)
    x, y, n = zip(*bins, strict=True) if bins else ((), (), ())
    axes.plot(x, y, color=ACCENT, linewidth=1)
    axes.scatter(x, y, s=[12 + 60 * count / max(n) for count in n] if n else [], color=ACCENT)
    axes.set_xlabel("probability given", fontsize=9)
    axes.set_ylabel("share that was right", fontsize=9)
    axes.set_xlim(0, 1.03)
    axes.set_ylim(0, 1.03)
    return figure


def progress(improvements: Sequence[tuple[float, float]], end_s: float, label: str) -> Figure:
    """The best value by time."""
    figure, axes = _axes(5.2, 2.6)
    x = [max(seconds, 1e-3) for seconds, _ in improvements] + [max(end_s, 2e-3)]
    y = [value for _, value in improvements]
    axes.step(x, [*y, y[-1]], where="post", color=ACCENT)
    axes.set_xscale("log")
    axes.set_xlabel("seconds", fontsize=9)
    axes.set_ylabel(label, fontsize=9)
    return figure


def save(figure: Figure, path: Path) -> None:
    """Write a picture; the ending decides on the kind."""
    figure.savefig(path, dpi=150)


def to_svg(figure: Figure) -> str:
    """A picture as SVG, to stand inside a page; its ids are its own."""
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    svg = text.getvalue()
    svg = svg[svg.index("<svg") :]
    mark = f"f{zlib.crc32(svg.encode())}-"
    return re.sub(r'(id="|url\(#|href="#)', lambda found: found[0] + mark, svg)
