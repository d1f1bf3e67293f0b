"""Figures that are made of the runs of another figure, so that nothing is searched twice.

The UCT-DAG report draws the same searches as errors and as ratios; the tables of Huang, Connell and McQuade (2003) are
of the same players. The runs of the one that is named second hold all
that the first needs: ``tesuji papers report DIR --as NAME --out OTHER``.
"""

from __future__ import annotations

__all__ = ["runs_of"]

_RUNS = {
    "uct-dag/fig-3.1": "uct-dag/fig-3.3",
    "uct-dag/fig-3.2": "uct-dag/fig-3.3",
    "uct-dag/fig-3.5": "uct-dag/fig-3.6",
    "uct-dag/fig-c.7": "uct-dag/fig-3.7",
    "uct-dag/fig-c.3": "uct-dag/fig-c.4",
    "uct-dag/fig-c.5": "uct-dag/fig-c.6",
    "huang-2003/table-1": "huang-2003/tables",
    "huang-2003/table-2": "huang-2003/tables",
    "huang-2003/table-3": "huang-2003/tables",
    "huang-2003/table-4": "huang-2003/tables",
    "huang-2003/table-5": "huang-2003/tables",
}


def runs_of(name: str) -> str:
    """The experiment whose runs an experiment may be reported from; its own if there is no other."""
    return _RUNS.get(name, name)
