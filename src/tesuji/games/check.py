"""Does a game keep the contract? Random play looks for the shortest sequence that shows it does not."""

from __future__ import annotations

import random
from collections.abc import Callable

from tesuji.games.protocol import Game

__all__ = ["BrokenGame", "check_game"]


class BrokenGame(ValueError):  # noqa: N818 - the game is broken, not this exception
    """A game breaks its contract.

    Attributes
    ----------
    rule : str
        What was promised.
    moves : list of int
        The moves from the starting state that show it.
    """

    def __init__(self, rule: str, moves: list[int]) -> None:
        shown = " ".join(map(str, moves)) if moves else "no move at all"
        super().__init__(f"{rule}; shown by: {shown}")
        self.rule = rule
        self.moves = moves


def check_game(game: Game, *, games: int = 50, max_moves: int = 10_000, seed: int = 1) -> None:
    """Play a game at random and check everything the search relies on.

    Copies are independent and equal, keys agree with the state, moves lie in range and are playable, replaying the
    moves gives the same state, the game ends, and its value lies in 0..1.

    Parameters
    ----------
    game : Game
        The starting state; left unchanged.
    games : int
        How many random games are played.
    max_moves : int
        When a game counts as endless.
    seed : int
        Of the random play.

    Raises
    ------
    BrokenGame
        Names the rule that is broken and the shortest sequence of moves found that shows it.
    """
    rng = random.Random(seed)
    shortest: BrokenGame | None = None
    for _ in range(games):
        found = _check_one(game, rng, max_moves)
        if found is not None and (shortest is None or len(found.moves) < len(shortest.moves)):
            shortest = found
    if shortest is not None:
        raise shortest


def _check_one(start: Game, rng: random.Random, max_moves: int) -> BrokenGame | None:
    """Play one random game; the first broken rule, if any."""
    moves: list[int] = []

    def promise(holds: bool, rule: str, extra: list[int] | None = None) -> None:
        if not holds:
            raise BrokenGame(rule, moves + (extra or []))

    try:
        untouched = _signature(start)
        state = start.copy()
        while not state.is_over:
            promise(len(moves) < max_moves, f"a game ends (this one had not after {max_moves} moves)")
            _check_state(state, promise)
            move = rng.choice(list(state.legal_moves()))
            _check_move(state, move, promise)
            state.play(move)
            moves.append(move)
        promise(not list(state.legal_moves()), "a game that is over has no legal moves")
        promise(0 <= state.value <= 1, f"the value of an ended game lies in 0..1 (it is {state.value!r})")
        again = start.copy()
        for move in moves:
            again.play(move)
        promise(_signature(again) == _signature(state), "the same moves lead to the same state")
        promise(again.value == state.value, "the same moves lead to the same value")
        promise(_signature(start) == untouched, "playing on a copy leaves the original alone")
    except BrokenGame as broken:
        return broken
    return None


def _signature(state: Game) -> tuple[object, ...]:
    over = state.is_over
    return state.key() & (2**64 - 1), state.to_play, over, tuple(sorted(state.legal_moves()))


def _check_state(state: Game, promise: Callable[..., None]) -> None:
    legal = list(state.legal_moves())
    promise(bool(legal), "a game that is not over has a legal move")
    promise(len(set(legal)) == len(legal), "legal_moves() lists no move twice")
    limit = state.num_distinct_moves
    for move in legal:
        promise(0 <= move < limit, f"moves lie in 0..{limit - 1} (it lists {move})")
    promise(state.to_play in (0, 1), f"to_play is 0 or 1 (it is {state.to_play!r})")
    twin = state.copy()
    promise(_signature(twin) == _signature(state), "a copy is equal to its original")


def _check_move(state: Game, move: int, promise: Callable[..., None]) -> None:
    """What one move does to keys and copies."""
    before = _signature(state)
    after = state.copy()
    try:
        after.play(move)
    except Exception as error:
        promise(False, f"every listed move can be played (move {move} raised {type(error).__name__}: {error})", [move])
    promise(_signature(state) == before, "playing on a copy leaves the original alone", [move])
    if after.to_play != state.to_play:
        others = [m for m in state.legal_moves() if m != move]
        promise(after.key() != state.key(), "a move changes the key", [move])
        for other in others[:3]:
            sibling = state.copy()
            sibling.play(other)
            differs = _signature(sibling)[3] != _signature(after)[3]
            promise(
                not differs or sibling.key() != after.key(),
                f"states with different moves have different keys (moves {move} and {other} give one key)",
                [move],
            )
