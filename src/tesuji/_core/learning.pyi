"""Proportions of wins as small integers."""

from typing import Annotated, overload

import numpy
import numpy.typing
from numpy.typing import NDArray


def win_loss_tables(end: int, z: float, threshold: float, jump: float) -> tuple[numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.uint32], int]:
    """
    Where a win and a loss lead, the wins and trials of each state, and the lowest state at the threshold.
    """

@overload
def learn(win: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], loss: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], states: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], at: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], won: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

@overload
def learn(win: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], loss: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], states: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu')], at: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], won: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

@overload
def learn(win: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], loss: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], states: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu')], at: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], won: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
    """
    Update states in the order of the results; an element may come more than once.
    """
