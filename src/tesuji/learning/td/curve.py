"""A learning curve to look at: in a terminal, and as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from tesuji.learning.td.training import CurvePoint

__all__ = ["drawn_curve", "save_curves", "small_curve"]

_ROWS = 10
_COLUMNS = 60


def drawn_curve(curve: Sequence[CurvePoint], columns: int = _COLUMNS, rows: int = _ROWS) -> str:
    """The share of tests won over the games of training, as lines of text from 100 % down to 0 %.

    Where there are more tests than columns, a column is the mean of its tests.
    """
    if not curve:
        return "no test yet"
    last = max(curve[-1].trained, 1)
    width = min(columns, len(curve))
    found: list[list[float]] = [[] for _ in range(width)]
    for point in curve:
        found[min(width - 1, point.trained * width // (last + 1))].append(point.rate)
    levels = [round(rows * sum(each) / len(each)) if each else None for each in found]
    lines = []
    for row in range(rows, -1, -1):
        label = f"{100 * row // rows:>3} %" if row in (0, rows // 2, rows) else " " * 5
        marks = "".join("*" if level == row else "." if 2 * row == rows else " " for level in levels)
        lines.append(f"{label} |{marks}".rstrip())
    lines.append(f"{'':5} +{'-' * width}")
    lines.append(f"{'':7}0{f'{last:,} games':>{max(width - 1, 12)}}")
    return "\n".join(lines)


def small_curve(curve: Sequence[CurvePoint], columns: int = 20, *, is_plain: bool = False) -> str:
    """The last tests as one sign each: a bar from 0 to 100 %, or in plain text a digit, the tens of the percentage."""
    rates = [point.rate for point in curve[-columns:]]
    signs = "0123456789" if is_plain else "▁▂▃▄▅▆▇█"
    return "".join(signs[min(int(rate * len(signs)), len(signs) - 1)] for rate in rates)


def save_curves(path: Path, curves: Mapping[str, Sequence[CurvePoint]]) -> None:
    """Write a picture of learning curves by name; needs matplotlib."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    for name, curve in curves.items():
        axes.plot([point.trained for point in curve], [100 * point.rate for point in curve], label=name, linewidth=1.2)
    axes.axhline(50, color="grey", linewidth=0.8, linestyle=":")
    axes.set(xlabel="games of training", ylabel="% won against uniform play", ylim=(0, 100))
    axes.legend(frameon=False)
    figure.savefig(path, dpi=150)
