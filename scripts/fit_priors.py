"""Fits the strengths of the Go engine's features to recorded games: ``src/tesuji/go/knowledge/data/strengths.txt``.

    python scripts/fit_priors.py ../shared/data/games/*.sgf.xz

The chance that a player chose a move is modelled as its share of the strengths of all legal moves, a strength being the
product of its features' (a Bradley-Terry model). The logarithms of the strengths maximise the likelihood of the moves
that were played, less a penalty on their squares; found by L-BFGS. One game in ten, by a hash of its moves, is kept out
and only judged. Files hold one SGF a line.
"""

from __future__ import annotations

import argparse
import lzma
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from tesuji.go import Board
from tesuji.go.knowledge.features import LEVELS, move_features, shape_to_text, turned_shapes
from tesuji.go.records.sgf import load

TARGET = Path(__file__).resolve().parent.parent / "src" / "tesuji" / "go" / "knowledge" / "data" / "strengths.txt"
HEAD = """\
# How strong the features of a Go move are; 1 says nothing, and the strengths of a move's features are multiplied.
# Fitted to {positions:,} moves of recorded games by scripts/fit_priors.py; docs/algorithms/go-priors.md tells how.
# A line is a strength and a level of a feature, or a shape around the move (*): its player's stones are X.
"""
NEAR = (1 << 16) - 1


class Choices(NamedTuple):
    """Positions in which a player chose.

    Attributes
    ----------
    shapes : int64 array of shape (moves,)
        Of all legal moves of all positions, one after the other, in the least of their turned forms.
    levels : int32 array of shape (moves, blocks)
        Likewise.
    sizes : int64 array of shape (positions,)
        How many moves belong to each position.
    chosen : int64 array of shape (positions,)
        Which of them was played.
    kept_out : bool array of shape (positions,)
        Whether it is only for judging.
    small : bool array of shape (positions,)
        Whether the board is small.
    """

    shapes: NDArray[np.int64]
    levels: NDArray[np.int32]
    sizes: NDArray[np.int64]
    chosen: NDArray[np.int64]
    kept_out: NDArray[np.bool_]
    small: NDArray[np.bool_]


def main() -> None:
    """Read, fit, judge, write."""
    parser = argparse.ArgumentParser(description="Fit the strengths of features to recorded games.")
    parser.add_argument("files", nargs="+", type=Path, help="one SGF a line, .xz")
    parser.add_argument("--games", type=int, default=4000, help="per file, at most (default: 4000)")
    parser.add_argument("--positions", type=int, default=6, help="per game on large boards (default: 6; small: all)")
    parser.add_argument("--least", type=int, default=50, help="a shape seen less often has no strength (default: 50)")
    parser.add_argument("--penalty", type=float, default=2.0, help="on squared logarithms (default: 2)")
    parser.add_argument("--iterations", type=int, default=90)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=TARGET)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    choices = read(options.files, options.games, options.positions, rng)
    print(f"{len(choices.sizes):,} positions, {len(choices.shapes):,} moves")
    names, columns = number_features(choices, options.least)
    weights = fit(choices, columns, len(names), options.penalty, options.iterations)
    for small in (True, False):
        print(judge(choices, columns, weights, small))
    options.out.write_text(as_text(names, weights, int((~choices.kept_out).sum())), encoding="utf-8")


def read(paths: list[Path], num_games: int, per_game: int, rng: np.random.Generator) -> Choices:
    """Positions of a random part of the games."""
    shapes, levels, sizes, chosen, kept_out, small = [], [], [], [], [], []
    for path in paths:
        with lzma.open(path, "rt", encoding="ascii") as file:
            lines = file.readlines()
        for index in rng.permutation(len(lines))[:num_games]:
            is_kept_out = zlib.crc32(lines[index].partition(";B[")[2].encode()) % 10 == 0
            for board, move in positions(lines[index], per_game, rng):
                moves = [int(m) for m in board.legal_moves() if m != board.pass_move]
                found = move_features(board, moves)
                shapes.append(found.shapes)
                levels.append(found.levels)
                sizes.append(len(moves))
                chosen.append(moves.index(move))
                kept_out.append(is_kept_out)
                small.append(board.width <= 11)
    least = turned_shapes(np.concatenate(shapes).astype(np.int64)).min(axis=0)
    return Choices(
        least, np.concatenate(levels), np.array(sizes), np.array(chosen), np.array(kept_out), np.array(small)
    )


def positions(text: str, per_game: int, rng: np.random.Generator) -> Iterator[tuple[Board, int]]:
    """Boards of a game with the move that was played; all of a small board, some of a large one."""
    record = load(text.encode())
    board = record.replay(0)
    count = len(record.moves)
    wanted = set(range(count)) if board.width <= 11 else set(rng.choice(count, min(per_game, count), replace=False))
    for number, (color, move) in enumerate(record.moves):
        if number in wanted and board.color_to_play == color and move != board.pass_move and board.is_legal(move):
            yield board, move
        board.play(move, color)


def number_features(choices: Choices, least: int) -> tuple[list[str], list[NDArray[np.int64]]]:
    """Names of all features that get a weight, and for every move its indices; len(names) stands for none."""
    names = list(LEVELS)
    columns = [column.astype(np.int64) for column in choices.levels.T]
    near = turned_shapes(choices.shapes & NEAR).min(axis=0)
    for kind, shapes in (("3x3", near), ("shape", choices.shapes)):
        found, inverse, counts = np.unique(shapes, return_inverse=True, return_counts=True)
        frequent = counts >= least
        numbers = np.where(frequent, len(names) + np.cumsum(frequent) - 1, -1)
        names += [f"{kind} {shape_to_text(int(shape))}" for shape in found[frequent]]
        columns.append(numbers[inverse])
    return names, [np.where(column < 0, len(names), column) for column in columns]


def fit(
    choices: Choices, columns: list[NDArray[np.int64]], num_weights: int, penalty: float, iterations: int
) -> NDArray[np.float64]:
    """The logarithms of the strengths."""
    rows = np.repeat(~choices.kept_out, choices.sizes)
    used = [column[rows] for column in columns]
    sizes = choices.sizes[~choices.kept_out]
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    chosen = starts + choices.chosen[~choices.kept_out]

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        log_chances = log_softmax(scores(used, weights), starts, sizes)
        error = np.exp(log_chances)
        error[chosen] -= 1
        slope = sum(np.bincount(column, weights=error, minlength=num_weights + 1) for column in used)
        assert isinstance(slope, np.ndarray)
        return (
            float(-log_chances[chosen].sum() + penalty / 2 * (weights**2).sum()),
            slope[:-1] + penalty * weights,
        )

    found = minimize(loss, np.zeros(num_weights), jac=True, method="L-BFGS-B", options={"maxiter": iterations})
    print(f"{num_weights:,} weights, mean log-likelihood {-found.fun / len(sizes):.3f} after {found.nit} iterations")
    return np.asarray(found.x)


def scores(columns: list[NDArray[np.int64]], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum of each move's weights."""
    padded = np.append(weights, 0.0)
    total = np.zeros(len(columns[0]))
    for column in columns:
        total += padded[column]
    return total


def log_softmax(
    values: NDArray[np.float64], starts: NDArray[np.int64], sizes: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The logarithm of each value's share of its position."""
    shifted = values - np.repeat(np.maximum.reduceat(values, starts), sizes)
    return np.asarray(shifted - np.repeat(np.log(np.add.reduceat(np.exp(shifted), starts)), sizes))


def judge(choices: Choices, columns: list[NDArray[np.int64]], weights: NDArray[np.float64], small: bool) -> str:
    """How well the moves of games that were kept out are predicted."""
    asked = choices.kept_out & (choices.small == small)
    if not asked.any():
        return "no game was kept out"
    rows = np.repeat(asked, choices.sizes)
    values = scores([column[rows] for column in columns], weights)
    sizes = choices.sizes[asked]
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    chosen = starts + choices.chosen[asked]
    ranks = np.add.reduceat(values > np.repeat(values[chosen], sizes), starts)
    likelihood = log_softmax(values, starts, sizes)[chosen].mean()
    board = "small boards" if small else "large boards"
    return (
        f"{board}: {len(sizes):,} moves kept out, first choice {np.mean(ranks == 0):.1%}, "
        f"among five {np.mean(ranks < 5):.1%}, mean log-likelihood {likelihood:.3f}"
    )


def as_text(names: list[str], weights: NDArray[np.float64], num_positions: int) -> str:
    """The file."""
    lines = [f"{np.exp(weight):.4g} {name}\n" for name, weight in zip(names, weights, strict=True)]
    return HEAD.format(positions=num_positions) + "".join(lines)


if __name__ == "__main__":
    main()
