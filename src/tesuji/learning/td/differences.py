"""Learning by temporal differences: each prediction is moved towards the next one, the last towards the outcome.

Sutton (1988), "Learning to Predict by the Methods of Temporal Differences"; equation 2 of Huang, Connell and McQuade
(2003) is TD(0). Players take turns and a prediction is the mover's, so predictions are compared in the first player's
view: from the mover's it is the negative of the next one that a prediction is moved towards.

One object follows one game. Which moves are made is not decided here.
"""

from __future__ import annotations

from tesuji.learning.td.network import Floats, Gradient, ValueNetwork

__all__ = ["Differences"]


class Differences:
    """Follows a game and changes the network on the way.

    Parameters
    ----------
    network : ValueNetwork
        Learns.
    rate : float
        Alpha of equation 2.
    trace_decay : float
        Lambda, 0..1: how much of a difference reaches the predictions before the last; 0 is TD(0).
    """

    def __init__(self, network: ValueNetwork, rate: float, trace_decay: float = 0.0) -> None:
        self._network, self._rate, self._decay = network, rate, trace_decay
        self._value = 0.0  # the last prediction, the first player's view
        self._trace: Gradient | None = None

    def see(self, inputs: Floats, player: int) -> None:
        """The position after a move of this player (0 or 1), as that player sees it: shape (inputs,)."""
        sign = 1.0 if player == 0 else -1.0
        self._learn(sign * float(self._network.values(inputs[None])[0]))
        value, gradient = self._network.value_and_gradient(inputs)  # of the weights as they are now
        self._value = sign * value
        self._trace = self._extended(gradient, sign)

    def end(self, outcome: float) -> None:
        """The outcome for the first player, -1..1, in place of the next prediction."""
        self._learn(outcome)
        self._trace = None

    @property
    def prediction(self) -> float:
        """The last one, the first player's view."""
        return self._value

    def _learn(self, target: float) -> None:
        if self._trace is not None:
            self._network.add(self._trace, self._rate * (target - self._value))

    def _extended(self, gradient: Gradient, sign: float) -> Gradient:
        if self._trace is None or self._decay == 0:
            return Gradient(sign * gradient.hidden, sign * gradient.output)
        return Gradient(
            self._decay * self._trace.hidden + sign * gradient.hidden,
            self._decay * self._trace.output + sign * gradient.output,
        )
