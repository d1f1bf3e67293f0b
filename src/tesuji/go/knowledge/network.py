"""The network that knows Go: what it sees beside the planes, the one that ships, and networks as evaluators.

Three numbers go with the planes of `core/go/planes.hpp`, for the side to move: the komi it gets (tens of points), how
strong its player is (a tenth of the dan grade on a server; 1 for professionals), and the size of the board. Without
onnxruntime (the extra ``network``) nothing here can be loaded, and the engine plays without.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tesuji._core import go as _native
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color
from tesuji.learning.network.model import Judgements, Model
from tesuji.learning.network.processor import multiplies_bytes
from tesuji.search.evaluator import LeafBatch

__all__ = ["NUM_PLANES", "NUM_SCALARS", "PROFESSIONAL", "SHIPPED", "SHIPPED_NAMES", "GoNetwork", "scalars_of"]

NUM_PLANES: int = _native.NUM_PLANES
NUM_SCALARS = 3
PROFESSIONAL = 1.0
"""The strength of a professional, and of a player whose rank is unknown."""
SHIPPED = "shipped"
"""The network that comes with Tesuji: in int8 where the processor is made for that, else in float32."""
_SHIPPED_FILES = {"float32": "network.tesuji", "int8": "network-int8.tesuji"}
SHIPPED_NAMES = (SHIPPED, *(f"{SHIPPED}-{arithmetic}" for arithmetic in _SHIPPED_FILES))
"""Its names; the later ones say in which arithmetic."""
_SYMMETRIES = 8
_LEAST_LINES, _MOST_LINES = 7, 19
_KOMIS = -10.0, 20.0  # beyond, more komi is no longer better for White


def scalars_of(to_play: NDArray[Any], komi: float, strength: float, num_points: int) -> NDArray[np.float32]:
    """What a network is told beside the planes.

    Parameters
    ----------
    to_play : int array of shape (n,)
        0 black, 1 white.
    komi : float
        White's.
    strength : float
        Of the side to move, 0..1.
    num_points : int
        Of the board.

    Returns
    -------
    float32 array of shape (n, 3)
    """
    numbers = np.empty((len(to_play), NUM_SCALARS), np.float32)
    numbers[:, 0] = np.where(to_play == 0, -komi, komi) / 10
    numbers[:, 1] = strength
    numbers[:, 2] = (num_points**0.5 - 14) / 5
    return numbers


class GoNetwork:
    """A network that judges positions of Go.

    Parameters
    ----------
    model : Model
        For Go's planes.
    """

    def __init__(self, model: Model) -> None:
        self.model = model

    @classmethod
    def load(cls, path: Path | str = SHIPPED) -> GoNetwork:
        """Read a network from a file, or the one that ships.

        Parameters
        ----------
        path : Path or str
            A file, or one of `SHIPPED_NAMES`.

        Raises
        ------
        ModelError
            For a file that is none, is damaged or is of another game; without onnxruntime.
        """
        return _loaded(str(path))

    @staticmethod
    def knows(board: Board) -> bool:
        """Whether networks have learnt from anything like this board: 7 to 19 lines, komi from -10 to 20."""
        sizes, (least, most) = {board.width, board.height}, _KOMIS
        return min(sizes) >= _LEAST_LINES and max(sizes) <= _MOST_LINES and least <= board.komi <= most

    def judge(self, board: Board, *, strength: float = PROFESSIONAL, averages: bool = True) -> Judgements:
        """Judge one position, for the side to move.

        Parameters
        ----------
        board : Board
            Left unchanged.
        strength : float
            Of the side to move, 0..1.
        averages : bool
            Whether the position is judged from all eight sides (four on a board that is not a square).
        """
        planes = _native.board_planes(board)[None]
        is_white = board.color_to_play == Color.WHITE
        scalars = scalars_of(np.array([int(is_white)]), board.komi, strength, board.num_points)
        return self._averaged(planes, scalars) if averages else self.model.judge(planes, scalars)

    def evaluator(
        self, komi: float, *, strength: float = PROFESSIONAL
    ) -> Callable[[LeafBatch], tuple[NDArray[np.float32], NDArray[np.float32]]]:
        """The network as a search wants it: black's chance to win and the shares of the moves.

        A batch of one position, such as the root of a search, is judged from all sides.
        """

        def evaluate(batch: LeafBatch) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
            planes = batch.states
            scalars = scalars_of(batch.to_play, komi, strength, planes.shape[2] * planes.shape[3])
            judged = self._averaged(planes, scalars) if len(batch) == 1 else self.model.judge(planes, scalars)
            return np.where(batch.to_play == 0, judged.wins, 1 - judged.wins).astype(np.float32), judged.shares

        return evaluate

    def _averaged(self, planes: NDArray[np.uint8], scalars: NDArray[np.float32]) -> Judgements:
        rows, columns = planes.shape[2:]
        symmetries = [s for s in range(_SYMMETRIES) if rows == columns or not s & 4]
        images = np.stack([_turned(planes[0], s) for s in symmetries])
        judged = self.model.judge(images, np.repeat(scalars, len(symmetries), axis=0))
        points = rows * columns
        boards = judged.shares[:, :points].reshape(-1, rows, columns)
        shares = np.mean([_turned_back(board, s) for board, s in zip(boards, symmetries, strict=True)], axis=0)
        owned = np.mean([_turned_back(board, s) for board, s in zip(judged.owned, symmetries, strict=True)], axis=0)
        return Judgements(
            np.append(shares.reshape(-1), judged.shares[:, points:].mean(axis=0)).astype(np.float32)[None],
            judged.wins.mean(keepdims=True),
            judged.scores.mean(keepdims=True),
            owned.astype(np.float32)[None],
        )


def _turned(points: NDArray[Any], symmetry: int) -> NDArray[Any]:
    """An image by rows and columns; the symmetries are numbered as in `tesuji.learning.network.batches`."""
    if symmetry & 1:
        points = points[..., ::-1, :]
    if symmetry & 2:
        points = points[..., ::-1]
    return points.swapaxes(-1, -2) if symmetry & 4 else points


def _turned_back(points: NDArray[Any], symmetry: int) -> NDArray[Any]:
    if symmetry & 4:
        points = points.swapaxes(-1, -2)
    return _turned(points, symmetry & 3)


@cache
def _loaded(name: str) -> GoNetwork:
    if name not in SHIPPED_NAMES:
        return GoNetwork(Model.load(name, game="go", planes=NUM_PLANES, scalars=NUM_SCALARS))
    arithmetic = name.removeprefix(SHIPPED).removeprefix("-") or ("int8" if multiplies_bytes() else "float32")
    file = resources.files("tesuji.go.knowledge") / "data" / _SHIPPED_FILES[arithmetic]
    with resources.as_file(file) as shipped:
        return GoNetwork(Model.load(shipped, game="go", planes=NUM_PLANES, scalars=NUM_SCALARS))
