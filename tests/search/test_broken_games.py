"""The search over games that break the contract: an error that says what is wrong, on any thread, never a hang.

Each search runs in this process, so a crash would fail the whole file.
"""

from __future__ import annotations

import itertools
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from search.toy_games import Nim, RandomTree
from tesuji.games import Hex, check_game
from tesuji.search import RAVE, UCB1, Search, SearchConfig, VirtualVisits, solve

CONFIGS = {
    "tree": SearchConfig(),
    "dag": SearchConfig(graph="dag", memory_bytes=2**22),
    "RAVE": SearchConfig(amaf=RAVE(), selection=UCB1(c=0.2)),
    "solver": SearchConfig(solver=True),
    "whole path": SearchConfig(expansion="whole-path", memory_bytes=2**24),
    "all children": SearchConfig(expansion="all-children", memory_bytes=2**24),
    "two threads": SearchConfig(threads=2),
    "two threads, one lock": SearchConfig(threads=2, parallel="global-lock"),
    "two roots": SearchConfig(threads=2, parallel="roots"),
}
every_config = pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS.keys())


class Circle(Nim):
    """Never ends: the heap is filled up again."""

    def play(self, move: int) -> None:
        super().play(move)
        if self.stones <= 0:
            self.stones = 5


class StuckLater(Nim):
    """Lists no move at a heap of 3, and is not over."""

    def legal_moves(self) -> Sequence[int]:
        return [] if self.stones == 3 else super().legal_moves()


class WorthTooMuch(Nim):
    value = 1.5


class WorthNothingKnown(Nim):
    value = float("nan")


class WorthNone(Nim):
    value = None


class ThirdPlayer(Nim):
    def play(self, move: int) -> None:
        super().play(move)
        self.to_play = 2


class MovesOffTheScale(Nim):
    def legal_moves(self) -> Sequence[int]:
        return [*super().legal_moves(), 3]


class NegativeMoves(Nim):
    def legal_moves(self) -> Sequence[int]:
        return [-1, *super().legal_moves()]


class MovesThatAreNoNumbers(Nim):
    def legal_moves(self) -> Sequence[Any]:
        return ["one", "two"]


class MoreAndMoreMoves(RandomTree):
    """Says that there are three moves, and later a hundred thousand."""

    @property
    def num_distinct_moves(self) -> int:
        return 100_000 if len(getattr(self, "path", ())) else 3

    @num_distinct_moves.setter
    def num_distinct_moves(self, number: int) -> None:
        pass

    def legal_moves(self) -> Sequence[int]:
        return [] if self.is_over else [99_999] if self.path else [0, 1, 2]


class UndecidedEnd(Nim):
    is_over = "perhaps"


@every_config
@pytest.mark.parametrize(
    ("game", "error", "message"),
    [
        (StuckLater(8), (ValueError, RuntimeError), "lists no legal move"),
        (WorthTooMuch(6), ValueError, "value is 1.5"),
        (WorthNothingKnown(6), ValueError, "value is nan"),
        (WorthNone(6), ValueError, "value is None"),
        (ThirdPlayer(6), ValueError, "to_play is 2; it must be 0"),
        (MovesOffTheScale(6), ValueError, r"legal_moves\(\) lists 3; moves lie in 0..2"),
        (NegativeMoves(6), ValueError, r"legal_moves\(\) lists -1"),
        (MovesThatAreNoNumbers(6), ValueError, "one"),
        (MoreAndMoreMoves(1, depth=6), ValueError, "99999"),
        (UndecidedEnd(6), ValueError, "is_over is 'perhaps'"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Nim | RandomTree) else "",
)
def test_search__names_what_is_wrong_with_a_game(game: Any, error: Any, message: str, config: SearchConfig) -> None:
    with pytest.raises(error, match=message):
        Search(game, config).run(simulations=300, seed=1)


@pytest.mark.parametrize("name", ["tree", "dag", "whole path", "two threads"])
def test_search__a_game_that_never_ends_is_an_error_and_no_endless_loop(name: str) -> None:
    with pytest.raises(RuntimeError, match="did not end within [0-9]+ random moves"):
        Search(Circle(5), CONFIGS[name]).run(simulations=300, seed=1)


def test_search__a_key_that_is_no_number_is_named() -> None:
    class Nameless(Nim):
        def key(self) -> Any:
            return "seven"

    with pytest.raises(ValueError, match=r"key\(\) is 'seven'"):
        Search(Nameless(7), SearchConfig(graph="dag", memory_bytes=2**22)).run(simulations=50, seed=1)


@pytest.mark.parametrize("number", [0, -3, 2**28 + 1, 2**40, 3.5, None])
def test_search__a_number_of_moves_that_cannot_be_is_named(number: Any) -> None:
    class Wrong(Nim):
        @property
        def num_distinct_moves(self) -> Any:
            return number

        @num_distinct_moves.setter
        def num_distinct_moves(self, value: int) -> None:
            pass

    with pytest.raises((ValueError, TypeError), match="num_distinct_moves"):
        Search(Wrong(7)).run(simulations=50, seed=1)


@pytest.mark.parametrize(
    "priors", [[float("nan")] * 3, [0.5, 2.0, 0.5], [-7.0] * 3, [0.5] * 2, [0.5] * 4, ["high"] * 3, 0.5]
)
def test_search__priors_that_are_none_are_refused(priors: Any) -> None:
    class Prejudiced(Nim):
        def priors(self, moves: Sequence[int]) -> Any:
            return priors if len(moves) == 3 else [0.5] * len(moves)

    with pytest.raises((ValueError, TypeError)):
        Search(Prejudiced(9), SearchConfig(prior=VirtualVisits())).run(simulations=50, seed=1)


# Exceptions of the game ----


class SurpriseError(Exception):
    pass


def surprising(method: str, when: int) -> Any:
    """A game of Nim whose method (or property) raises at its `when`-th call, on whatever thread that is."""
    calls = threading.Lock(), [0]

    def count() -> None:
        lock, number = calls
        with lock:
            number[0] += 1
            now = number[0]
        if now >= when:
            raise SurpriseError(method, now)

    class Surprising(Nim):
        pass

    if method in ("is_over", "value"):
        original = getattr(Nim, method)
        setattr(Surprising, method, property(lambda self: (count(), original.fget(self))[1]))
    else:
        plain = getattr(Nim, method)
        setattr(Surprising, method, lambda self, *given: (count(), plain(self, *given))[1])
    return Surprising(12)


@every_config
@pytest.mark.parametrize("method", ["copy", "is_over", "value", "legal_moves", "play", "key"])
def test_search__an_exception_of_the_game_comes_back_as_itself(method: str, config: SearchConfig) -> None:
    if method == "key" and config.graph == "tree":
        pytest.skip("a tree asks for no key")
    for when in (2, 5, 12):
        with pytest.raises(SurpriseError) as caught:
            Search(surprising(method, when), config).run(simulations=10**6, seed=1)
        assert caught.value.args[0] == method
        assert caught.traceback[-1].name in ("count", "<lambda>")


@pytest.mark.parametrize("threads", [1, 2])
def test_search__can_be_used_after_an_exception(threads: int) -> None:
    class Moody(Nim):
        fails = False

        def play(self, move: int) -> None:
            if Moody.fails:
                raise SurpriseError
            super().play(move)

    search = Search(Moody(20), SearchConfig(threads=threads))
    search.run(simulations=100, seed=1)
    Moody.fails = True
    with pytest.raises(SurpriseError):
        search.run(simulations=100)
    Moody.fails = False
    result = search.run(simulations=200)
    assert result.simulations == 200
    assert result.visits.sum() == 300, "the simulation that failed left nothing behind"
    graph = search.graph()
    assert (graph["edge_value"] <= graph["edge_visits"]).all()


def test_search__an_illegal_move_that_the_game_lists_ends_in_the_games_own_error() -> None:
    class Liar(Nim):
        def play(self, move: int) -> None:
            if self.stones == 4 and move == 2:
                raise ValueError("three stones may not be taken of four")
            super().play(move)

    with pytest.raises(ValueError, match="three stones may not be taken of four"):
        Search(Liar(9)).run(simulations=5_000, seed=1)


def test_search__a_game_whose_copies_share_their_state_is_no_danger() -> None:
    """The search cannot tell; it must neither hang nor crash."""

    class Shared(Nim):
        def copy(self) -> Any:
            return self

    try:
        result = Search(Shared(9)).run(simulations=500, seed=1)
    except (ValueError, RuntimeError):
        return
    assert result.visits.sum() <= 500


# Objects that are no games ----


class DotsAndBoxes:
    num_distinct_moves = 12
    to_play = 0
    is_over = False
    value = 0.5

    def legal_moves(self) -> list[int]:
        return [0]

    def play(self, move: int) -> None: ...


@pytest.mark.parametrize("use", [Search, check_game], ids=["Search", "check_game"])
def test_contract__all_missing_members_are_named_at_once(use: Any) -> None:
    rule = (
        r"DotsAndBoxes has no copy\(\) and key\(\): the contract of a game is to_play, num_distinct_moves, is_over, "
        r"value, legal_moves\(\), play\(move\), copy\(\), key\(\) \(for one player: goal instead of to_play\)"
    )
    with pytest.raises(TypeError, match=rule):
        use(DotsAndBoxes())


def test_contract__a_problem_for_one_player_needs_no_to_play() -> None:
    class Problem:
        goal = "maximise"

    rule = r"Problem has no num_distinct_moves, is_over, value, legal_moves\(\), play\(move\), copy\(\) and key\(\)"
    with pytest.raises(TypeError, match=rule):
        Search(Problem())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=rule):
        solve(Problem(), simulations=1)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [None, 7, "hex", Nim])
def test_contract__what_is_no_game_is_told_so(wrong: Any) -> None:
    message = "Nim is a class; give a game, such as Nim" if wrong is Nim else "the contract of a game is"
    with pytest.raises(TypeError, match=message):
        Search(wrong)


def test_contract__a_list_of_moves_is_no_method() -> None:
    class Fixed(Nim):
        legal_moves = [0, 1]  # type: ignore[assignment]  # noqa: RUF012

    with pytest.raises(TypeError, match=r"Fixed has no legal_moves\(\)"):
        Search(Fixed(9))


def test_contract__a_value_that_is_only_known_at_the_end_is_not_asked_for_before() -> None:
    class Strict(Nim):
        @property
        def value(self) -> float:
            if not self.is_over:
                raise ValueError("the game is not over")
            return super().value

    assert Search(Strict(5)).run(simulations=50, seed=1).simulations == 50


def test_contract__what_wraps_a_native_game_is_asked_itself() -> None:
    class Half:
        """Hex whose first player may only use the first two cells that are free."""

        def __init__(self, game: Hex) -> None:
            self.game = game

        def __getattr__(self, name: str) -> Any:
            return getattr(self.game, name)

        def legal_moves(self) -> list[int]:
            return list(self.game.legal_moves())[: 2 if self.game.to_play == 0 else None]

        def copy(self) -> Half:
            return Half(self.game.copy())

    assert Search(Half(Hex(3))).run(simulations=50, seed=1).moves.tolist() == [0, 1]  # type: ignore[arg-type]


# Games that do not return ----


def test_legal_moves__an_iterator_without_end_is_refused() -> None:
    class Endless(Nim):
        def legal_moves(self) -> Any:
            return itertools.repeat(0)

    with pytest.raises(ValueError, match=r"legal_moves\(\) lists more than the 3 moves that exist"):
        Search(Endless(9)).run(simulations=10, seed=1)


LOOPING = """
import os
import sys
from search.toy_games import Nim
from tesuji.search import Search, SearchConfig

class Looping(Nim):
    def legal_moves(self):
        if self.stones < 9:
            os.write(1, b"looping\\n")  # at once: print writes the line and its end apart, and threads come between
            while True:
                pass
        return super().legal_moves()

try:
    Search(Looping(9), SearchConfig(threads=int(sys.argv[1]))).run(simulations=1_000, seed=1, report_s=3600)
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send")
@pytest.mark.parametrize("threads", [1, 4])
def test_legal_moves__a_loop_without_end_can_be_interrupted(threads: int) -> None:
    """Python tells its main thread only of Ctrl-C; those that loop elsewhere must hear of it too."""
    command = [sys.executable, "-c", LOOPING, str(threads)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1]
    ) as process:
        assert process.stdout is not None
        try:
            for _ in range(threads):
                assert process.stdout.readline() == "looping\n"
            process.send_signal(signal.SIGINT)
            assert process.communicate(timeout=600) == ("interrupted\n", "")
        finally:
            process.kill()


# What is nearly right ----


def test_search__numpy_s_numbers_and_bools_will_do() -> None:
    """A game over arrays has them everywhere."""

    class Arrays(Nim):
        is_over = property(lambda self: np.bool_(self.stones == 0))  # type: ignore[assignment]
        value = property(lambda self: np.float32(self.to_play == 1))  # type: ignore[assignment]

        def legal_moves(self) -> Any:
            return np.arange(min(3, self.stones))

        def key(self) -> Any:
            return np.uint64(2 * self.stones + self.to_play)

    check_game(Arrays(9))
    result = Search(Arrays(9), SearchConfig(graph="dag", solver=True)).run(simulations=500, seed=1)
    assert result.best_move == 0
