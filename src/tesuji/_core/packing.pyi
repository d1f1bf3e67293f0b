"""Packing rectangles on strips and sheets."""

from collections.abc import Sequence

import tesuji._core.search


class Problem:
    """What is to be packed; tesuji.packing makes it of people's numbers."""

    def __init__(self, kinds: Sequence[tuple[int, int, int, bool, float]], sheets: Sequence[tuple[int, int, int, int]], *, objective: str = 'height', kerf: int = 0, guillotine: bool = False, side: str = 'taller', playout: str = 'fit') -> None:
        """
        kinds: (width, height, count, may turn, worth); sheets: (width, height or 0 for a strip, count, cost).
        """

    @property
    def bound(self) -> float:
        """No packing is better."""

    @property
    def num_items(self) -> int: ...

class Packing:
    """Packing as a game of one player; see docs/algorithms/packing.md."""

    def __init__(self, problem: Problem) -> None: ...

    @property
    def num_distinct_moves(self) -> int: ...

    @property
    def to_play(self) -> int: ...

    @property
    def is_over(self) -> bool: ...

    @property
    def value(self) -> float:
        """Height, worth or cost; only when the game is over."""

    @property
    def bound(self) -> float:
        """No continuation is better."""

    @property
    def goal(self) -> str: ...

    @property
    def waste(self) -> int:
        """The move that wastes the lowest gap."""

    @property
    def gaps(self) -> list[tuple[int, int, int]]:
        """x, y and width of each, with the kerf."""

    @property
    def num_left(self) -> int: ...

    @property
    def num_sheets(self) -> int:
        """That are used so far."""

    @property
    def cost(self) -> int:
        """Of these."""

    def legal_moves(self) -> list[int]: ...

    def play(self, move: int) -> None:
        """ValueError if the move is not legal."""

    def copy(self) -> Packing: ...

    def key(self) -> int:
        """Equal states have equal keys."""

    def placements(self, moves: Sequence[int]) -> list[tuple[int, int, int, bool, int, int]]:
        """kind, x, y, is turned, sheet, kind of sheet of each rectangle."""

    def playout_values(self, count: int, seed: int) -> list[float]: ...

    def first_order(self, number: int) -> list[int]:
        """Moves by decreasing area, width, height or perimeter."""

    def moves_in_order(self, order: Sequence[int], by_fit: bool) -> list[int]: ...

    def make_search(self, config: tesuji._core.search.SearchConfig, seed: int) -> tesuji._core.search.Search:
        """The native search over this state; tesuji.search asks for it."""

    def make_nested(self, level: int, num_threads: int, seed: int) -> tesuji._core.search.NestedSearch:
        """A nested search from this state; tesuji.search.solve asks for it."""

    def make_orders(self, patience: int, num_threads: int, seed: int, begin_with: Sequence[int] = [], reads_by_fit: bool = True) -> tesuji._core.search.IndependentSearch:
        """
        A local search over orders of moves from this state; tesuji.search.solve asks for it.
        """

    def make_nrpa(self, config: tesuji._core.search.NrpaConfig, num_threads: int, seed: int) -> tesuji._core.search.IndependentSearch:
        """
        A nested rollout policy adaptation from this state; tesuji.search.solve asks for it.
        """
