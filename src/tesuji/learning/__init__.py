"""Learning from play: what simulations and games teach is kept, and used by later ones.

`WinLossStates` keeps win rates in a byte each::

    scale = WinLossStates()                     # all proportions n/m with m <= 21, as bytes
    states = scale.zeros(1_000_000)             # a million (state, action) pairs, never tried
    scale.learn(states, [7, 7, 12], [True, True, False])
    scale.rate(states[7]), scale.is_above(states[[7, 12]])

`tesuji.learning.td` is for players that learn by temporal differences.

How it works: ``docs/algorithms/win-loss-states.md``. Nothing here knows a particular game; what is of Go is in
`tesuji.go`.
"""

from tesuji.learning.win_loss_states import WinLossStates

__all__ = ["WinLossStates"]
