"""The prediction curve: how often the move played is among the strongest, overall and by phase, as text and picture."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tesuji.go.knowledge.position_key import WHITE
from tesuji.go.knowledge.priors import PriorWeights, priors
from tesuji.go.masters.fitting import TOPS, Lines, Prediction
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color
from tesuji.words import how_to_install

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["curve_figure", "curve_picture", "curve_text", "judged_by_priors"]

_SHOWN = (1, 2, 5, 7, 10, 15, 50)


def curve_text(prediction: Prediction) -> str:
    """A table: a row for all moves and one for each phase."""
    lines = ["moves        judged " + " ".join(f"top {count:<4}" for count in _SHOWN)]

    def row(name: str, part: Prediction) -> str:
        return f"{name:12} {len(part.ranks):6,} " + " ".join(f"{part.top(count):7.1%} " for count in _SHOWN)

    lines.append(row("all", prediction))
    lines += [row(f"{first + 1}..{first + 40}", part) for first, part in prediction.phases() if len(part.ranks)]
    return "\n".join(lines)


def judged_by_priors(
    games: Lines,
    size: int,
    weights: PriorWeights,
    positions: int,
    *,
    seed: int = 1,
    on_progress: Callable[[float], None] | None = None,
) -> Prediction:
    """How the priors of an engine, as a search gets them, see moves that were played.

    Parameters
    ----------
    games : Lines
        Those to judge by; at most one position of each is taken, in their order.
    size : int
        Lines of their boards.
    weights : PriorWeights
        The priors.
    positions : int
        How many moves to judge.
    seed : int
        Of which position of a game.
    on_progress : callable, optional
        Told how much is done, 0..1.
    """
    rng = np.random.default_rng(seed)
    rows = []
    for game in range(min(positions, len(games))):
        line = games.moves[games.starts[game] : games.starts[game + 1]]
        if not len(line):
            continue
        number = int(rng.integers(len(line)))
        board = Board(size, rules="japanese")
        for move in line[:number].tolist():
            board.play_as_recorded(move & ~WHITE, Color.WHITE if move & WHITE else Color.BLACK)
        played = int(line[number])
        if played & ~WHITE == board.pass_move:
            continue
        board.color_to_play = Color.WHITE if played & WHITE else Color.BLACK
        moves, found = priors(board, weights)
        own = found[moves == (played & ~WHITE)]
        if len(own):
            others = found[moves != board.pass_move]
            rows.append((number, int((others >= own[0]).sum()) - 1))
        if on_progress is not None:
            on_progress((game + 1) / positions)
    numbers, ranks = np.array(rows, np.int64).reshape(-1, 2).T
    return Prediction(numbers, ranks, np.full(len(ranks), np.nan))


def curve_picture(prediction: Prediction, path: Path) -> None:
    """The same as a picture in a file; needs matplotlib."""
    curve_figure(prediction).savefig(path, dpi=120)


def curve_figure(prediction: Prediction) -> Figure:
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
    return figure
