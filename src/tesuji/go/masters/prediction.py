"""The prediction curve: how often the move played is among the strongest, overall and by phase, as text and picture."""

from __future__ import annotations

from pathlib import Path

from tesuji.go.masters.fitting import TOPS, Prediction
from tesuji.words import how_to_install

__all__ = ["curve_picture", "curve_text"]

_SHOWN = (1, 2, 5, 7, 10, 15, 50)


def curve_text(prediction: Prediction) -> str:
    """A table: a row for all moves and one for each phase."""
    lines = ["moves        judged " + " ".join(f"top {count:<4}" for count in _SHOWN)]

    def row(name: str, part: Prediction) -> str:
        return f"{name:12} {len(part.ranks):6,} " + " ".join(f"{part.top(count):7.1%} " for count in _SHOWN)

    lines.append(row("all", prediction))
    lines += [row(f"{first + 1}..{first + 40}", part) for first, part in prediction.phases() if len(part.ranks)]
    return "\n".join(lines)


def curve_picture(prediction: Prediction, path: Path) -> None:
    """The same as a picture; needs matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError(f"a picture needs matplotlib; {how_to_install('plot')}") from error
    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.add_subplot()
    counts = range(1, max(TOPS) + 1)
    for first, part in prediction.phases():
        if len(part.ranks) >= 100:
            name = f"moves {first + 1} to {first + 40}"
            axes.plot(counts, [100 * part.top(count) for count in counts], linewidth=1, label=name)
    axes.plot(counts, [100 * prediction.top(count) for count in counts], "k", linewidth=2.5, label="all moves")
    axes.set(xscale="log", xlabel="strongest moves looked at", ylabel="move played is among them, %", ylim=(0, 100))
    axes.set_xticks(TOPS, [str(count) for count in TOPS])
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    figure.savefig(path, dpi=120)
