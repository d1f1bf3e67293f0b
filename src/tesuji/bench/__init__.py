"""What `tesuji bench` measures, a module each.

``board``: the cost of light playouts. ``search``: the search beside OpenSpiel's, with one thread and with two, and what
it costs in memory. ``games``: games that Python wrote, and evaluators. ``pgame``: artificial games as trees and DAGs.
``states``: win/loss states beside records of wins and visits. ``signature``: a hash over fixed searches that says
whether behaviour has changed.

Machines are noisy, so speed is a ratio of things that run in turns, or instructions by ``callgrind``, which repeat.
Nothing here judges strength; that takes games.
"""

__all__ = ["BenchError"]


class BenchError(RuntimeError):
    """A benchmark cannot run here; the message says what to do about it."""
