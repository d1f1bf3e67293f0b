"""Does a game keep the contract? Random play looks for the shortest sequence that shows it does not."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from tesuji.games.compiled import CompiledGame
from tesuji.games.plain import EndlessFunction
from tesuji.games.protocol import Game, OnePlayerGame, check_members

__all__ = ["BrokenGame", "check_game"]

Seen: TypeAlias = dict[int, tuple[object, ...]]  # what every key met so far belonged to
Promise: TypeAlias = Callable[..., None]

_MOST_SEEN = 200_000
_MOST_SHOWN = 40
_MOST_LINES = 1_000_000  # of one call of a compiled game's function, run as plain Python
_PLAIN_GAMES = 5


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
        if len(moves) > _MOST_SHOWN:
            shown = f"{' '.join(map(str, moves[:_MOST_SHOWN]))} ... ({len(moves)} moves)"
        super().__init__(f"{rule}; shown by: {shown}")
        self.rule = rule
        self.moves = moves


def check_game(game: Game | OnePlayerGame, *, games: int = 50, max_moves: int = 10_000, seed: int = 1) -> None:
    """Play a game at random and check everything the search relies on.

    Copies are independent and equal, keys agree with the state, moves lie in range and are playable, replaying the
    moves gives the same state, the game ends, and its value lies in 0..1 (one player: is a finite number, and no better
    than any ``bound`` on the way). A compiled game's functions run as plain Python first, where one that loops can be
    stopped; then compiled and plain must agree.

    Parameters
    ----------
    game : Game or OnePlayerGame
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
    TypeError
        For an object that lacks members of the contract.
    """
    check_members(game)
    rng = random.Random(seed)
    if isinstance(game, CompiledGame):
        _check_random_games(game.plain(_MOST_LINES), min(games, _PLAIN_GAMES), max_moves, rng)
        _check_twin(game, rng)
    _check_random_games(game, games, max_moves, rng)


def _check_random_games(game: Any, games: int, max_moves: int, rng: random.Random) -> None:
    shortest: BrokenGame | None = None
    seen: Seen = {}
    for _ in range(games):
        found = _check_one(game, rng, max_moves, seen)
        if found is not None and (shortest is None or len(found.moves) < len(shortest.moves)):
            shortest = found
    if shortest is not None:
        raise shortest


def _check_one(start: Any, rng: random.Random, max_moves: int, seen: Seen) -> BrokenGame | None:
    """Play one random game; the first broken rule, if any."""
    moves: list[int] = []

    def promise(holds: bool, rule: str, extra: Sequence[int] = ()) -> None:
        if not holds:
            raise BrokenGame(rule, [*moves, *extra])

    try:
        untouched = _signature(start)
        state = start.copy()
        bounds: list[float] = []
        while not state.is_over:
            bounds += _bound_of(state, promise)
            promise(len(moves) < max_moves, f"a game ends (this one had not after {max_moves} moves)")
            _check_state(state, promise)
            _check_key(state, seen, promise)
            for move in state.legal_moves():
                _check_move(state, move, seen, promise)
            move = rng.choice(list(state.legal_moves()))
            state.play(move)
            moves.append(move)
        promise(not list(state.legal_moves()), "a game that is over has no legal moves")
        _check_value(state, promise)
        for made, bound in enumerate([*bounds, *_bound_of(state, promise)]):
            _check_bound(state, bound, made, promise)
        again = start.copy()
        for move in moves:
            again.play(move)
        promise(_signature(again) == _signature(state), "the same moves lead to the same state")
        promise(again.value == state.value, "the same moves lead to the same value")
        promise(_signature(start) == untouched, "playing on a copy leaves the original alone")
    except BrokenGame as broken:
        return broken
    except EndlessFunction as endless:
        return BrokenGame(f"every function returns ({endless})", moves)
    return None


def _is_for_one(state: Any) -> bool:
    return hasattr(state, "goal")


def _mover(state: Any) -> object:
    return 0 if _is_for_one(state) else state.to_play


def _check_value(state: Any, promise: Promise) -> None:
    if _is_for_one(state):
        goals = ("maximise", "minimise")
        promise(state.goal in goals, f"goal is 'maximise' or 'minimise' (it is {state.goal!r})")
        promise(math.isfinite(state.value), f"the value of a solution is a finite number (it is {state.value!r})")
    else:
        promise(0 <= state.value <= 1, f"the value of an ended game lies in 0..1 (it is {state.value!r})")


def _bound_of(state: Any, promise: Promise) -> list[float]:
    """The bound, if a game of one player has one."""
    if not _is_for_one(state) or not hasattr(state, "bound"):
        return []
    promise(not math.isnan(state.bound), "a bound is a number (it is nan)")
    return [state.bound]


def _check_bound(state: Any, bound: float, made: int, promise: Promise) -> None:
    beats = state.value > bound if state.goal == "maximise" else state.value < bound
    promise(
        not beats,
        f"no solution is better than a bound on the way to it (after {made} moves the bound was {bound!r}, "
        f"the value is {state.value!r})",
    )


def _check_twin(game: CompiledGame, rng: random.Random) -> None:
    """Compiled and plain, the functions say the same; whole numbers that grow too large are the usual reason if not."""
    state, twin = game.copy(), game.plain()
    moves: list[int] = []
    while True:
        looks, twins = (_looks(game) + _opinions(game) for game in (state, twin))
        if looks != twins:
            raise BrokenGame(f"compiled functions agree with plain ones (compiled {looks}, plain {twins})", moves)
        if state.is_over:
            return
        moves.append(rng.choice(state.legal_moves()))
        state.play(moves[-1])
        twin.play(moves[-1])


def _looks(state: Any) -> tuple[object, ...]:
    """What distinguishes states from outside: who moves, whether it is over and for how much, the legal moves."""
    over = bool(state.is_over)
    return _mover(state), over, state.value if over else None, tuple(sorted(state.legal_moves()))


def _opinions(state: Any) -> tuple[object, ...]:
    """What a game may say besides: a bound and priors."""
    legal = list(state.legal_moves())
    return getattr(state, "bound", None), tuple(state.priors(legal)) if legal and hasattr(state, "priors") else None


def _signature(state: Any) -> tuple[object, ...]:
    return state.key() & (2**64 - 1), *_looks(state)


def _check_key(state: Any, seen: Seen, promise: Promise, extra: Sequence[int] = ()) -> None:
    key = state.key() & (2**64 - 1)
    looks = _looks(state)
    known = seen.setdefault(key, looks) if len(seen) < _MOST_SEEN else seen.get(key, looks)
    promise(known == looks, "states with different moves, movers or values have different keys", extra)


def _check_state(state: Any, promise: Promise) -> None:
    legal = list(state.legal_moves())
    promise(bool(legal), "a game that is not over has a legal move")
    promise(len(set(legal)) == len(legal), "legal_moves() lists no move twice")
    limit = state.num_distinct_moves
    for move in legal:
        promise(0 <= move < limit, f"moves lie in 0..{limit - 1} (it lists {move})")
    promise(_mover(state) in (0, 1), f"to_play is 0 or 1 (it is {_mover(state)!r})")
    twin = state.copy()
    promise(_signature(twin) == _signature(state), "a copy is equal to its original")
    if hasattr(state, "priors"):
        priors = list(state.priors(legal))
        promise(len(priors) == len(legal), f"priors(moves) has one number per move (it has {len(priors)})")
        promise(all(0 <= prior <= 1 for prior in priors), f"priors lie in 0..1 (they are {priors})")


def _check_move(state: Any, move: int, seen: Seen, promise: Promise) -> None:
    """What one move does to keys and copies."""
    before = _signature(state)
    after = state.copy()
    try:
        after.play(move)
    except Exception as error:
        promise(False, f"every listed move can be played (move {move} raised {type(error).__name__}: {error})", [move])
    promise(_signature(state) == before, "playing on a copy leaves the original alone", [move])
    promise(_mover(after) == _mover(state) or after.key() != state.key(), "a move changes the key", [move])
    _check_key(after, seen, promise, [move])
