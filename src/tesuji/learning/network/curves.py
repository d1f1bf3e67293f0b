"""The curves of a training as a page: ``curve.jsonl`` to ``curves.html``, which needs nothing else to be looked at."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

__all__ = ["read_curve", "write_page"]

_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 640, 220, 48, 24
_TITLES = {
    "top1": "The move played is the network's first",
    "top5": "... is among its first five",
    "winner": "It knows the winner",
    "owner": "Points whose owner it knows",
    "policy": "Loss of the move (natural logarithm)",
}


def read_curve(folder: Path) -> list[dict[str, Any]]:
    """The lines of a training's curve; a last line that was cut short is left out."""
    lines = []
    for line in (folder / "curve.jsonl").read_text().splitlines():
        try:
            lines.append(json.loads(line))
        except json.JSONDecodeError:
            continue
    return lines


def write_page(folder: Path) -> Path:
    """Draw the curves of a training."""
    curve = read_curve(folder)
    sets = sorted({name for line in curve for name in line["held_out"]})
    parts = []
    for name in sets:
        parts.append(f"<h2>Held out: {html.escape(name)}</h2>")
        for figure, title in _TITLES.items():
            points = [
                (line["step"], line["held_out"][name][figure])
                for line in curve
                if figure in line["held_out"].get(name, {})
            ]
            if points:
                parts.append(f"<h3>{title}: {points[-1][1]:.3f}</h3>{_drawn(points)}")
    page = (
        "<!doctype html><meta charset=utf-8><title>A training</title>"
        "<style>body{font:15px sans-serif;max-width:46em;margin:2em auto}svg{background:#f7f7f5}</style>"
        f"<h1>A training of {curve[-1]['step'] if curve else 0:,} steps</h1>{''.join(parts)}"
    )
    path = folder / "curves.html"
    path.write_text(page, encoding="utf-8")
    return path


def _drawn(points: Sequence[tuple[float, float]]) -> str:
    """A line through points, with the ends of both axes named."""
    most_x = max(x for x, _ in points) or 1.0
    low, high = min(y for _, y in points), max(y for _, y in points)
    span = (high - low) or 1.0

    def place(x: float, y: float) -> str:
        across = _LEFT + (_WIDTH - _LEFT - 10) * x / most_x
        down = 10 + (_HEIGHT - _BOTTOM - 20) * (1 - (y - low) / span)
        return f"{across:.1f},{down:.1f}"

    line = " ".join(place(x, y) for x, y in points)
    return (
        f'<svg width="{_WIDTH}" height="{_HEIGHT}" role="img">'
        f'<polyline points="{line}" fill="none" stroke="#2a6" stroke-width="2"/>'
        f'<text x="4" y="16" font-size="12">{high:.3f}</text>'
        f'<text x="4" y="{_HEIGHT - _BOTTOM - 6}" font-size="12">{low:.3f}</text>'
        f'<text x="{_WIDTH - 90}" y="{_HEIGHT - 6}" font-size="12">{most_x:,.0f} steps</text></svg>'
    )
