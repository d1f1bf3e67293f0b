"""Packing rectangles on strips and sheets, by the search.

>>> from tesuji.packing import pack
>>> plan = pack([(6, 4), (4, 4), (5, 3, 2)], width=10, seconds=1)
>>> plan.height, plan.bound, plan.is_optimal
(7, 7, True)

`pack` is the one line; `PackingProblem` is the same in steps, and its `game` is what the search plays.
"""

from tesuji.packing.items import Item, PackingError, Sheet
from tesuji.packing.packing import pack
from tesuji.packing.plan import Placement, Plan
from tesuji.packing.problem import PackingProblem
from tesuji.packing.verifier import verify

__all__ = ["Item", "PackingError", "PackingProblem", "Placement", "Plan", "Sheet", "pack", "verify"]
