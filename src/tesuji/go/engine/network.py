"""What asks the network: which one, at which leaves, and what is said where there is none to ask.

The network itself is `tesuji.go.knowledge.network.GoNetwork`; how it is asked is told in docs/algorithms/network.md.
"""

from __future__ import annotations

import warnings
from functools import cache

from tesuji.go.knowledge.network import SHIPPED, GoNetwork
from tesuji.learning.network.model import is_runnable
from tesuji.search import Evaluation
from tesuji.words import how_to_install

__all__ = ["NETWORK_EVALUATION", "NetworkWarning", "evaluation_on", "is_ready"]

NETWORK_EVALUATION = Evaluation(weight=0.75, after=6, visits=6, batch_size=8)
"""A leaf is asked about at its seventh visit; the answer counts as many visits as the playouts before it."""


class NetworkWarning(UserWarning):
    """The engine plays without its network."""


def evaluation_on(threads: int) -> Evaluation:
    """How a search of that many threads asks: half of a thread's time goes to the network."""
    return NETWORK_EVALUATION.replace(batches_in_flight=(threads + 1) // 2)


def is_ready(name: str) -> bool:
    """Load a network by its file or name; False without onnxruntime for ``shipped``, which is said once.

    Raises
    ------
    ModelError
        For a file that is not a network; for any but ``shipped`` without onnxruntime.
    """
    if name == SHIPPED and not is_runnable():
        _say_what_is_missing()
        return False
    GoNetwork.load(name)
    return True


@cache
def _say_what_is_missing() -> None:
    warnings.warn(
        f"the network plays with onnxruntime, which is not installed, so the engine plays without: "
        f"{how_to_install('network')}",
        NetworkWarning,
        stacklevel=3,
    )
