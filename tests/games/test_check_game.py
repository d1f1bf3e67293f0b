"""`check_game` passes every game there is, and of a broken one it names the rule and shows the shortest sequence."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from search.toy_games import Bandit, GraphGame, Nim, Picks, RandomTree, hash_of
from tesuji.games import (
    NATIVE_GAMES,
    Breakthrough,
    BrokenGame,
    Connect4,
    Game,
    Gomoku,
    Havannah,
    Hex,
    Othello,
    TicTacToe,
    Y,
    check_game,
)

GAMES = {
    "tic-tac-toe": TicTacToe,
    "Connect Four": Connect4,
    "Hex 1x1": lambda: Hex(1),
    "Hex 4x4": lambda: Hex(4),
    "Hex 6x6": lambda: Hex(6),
    "Gomoku 5x5": lambda: Gomoku(5),
    "Y of 1": lambda: Y(1),
    "Y of 4": lambda: Y(4),
    "Havannah of 4": lambda: Havannah(4),
    "Nim": lambda: Nim(20),
    "a drawn graph": lambda: GraphGame({"S": (0, {0: "L", 1: "R"}), "L": 0.0, "R": (0, {3: "L"})}, "S"),
    "a random tree": lambda: RandomTree(seed=4, depth=7),
    "a random tree out of turn": lambda: RandomTree(seed=5, depth=7, takes_turns=False),
    "picks": lambda: Picks(seed=6, cells=7),
}


@pytest.mark.parametrize("name", GAMES)
def test_check_game__passes_a_sound_game_and_leaves_it_alone(name: str) -> None:
    game = GAMES[name]()
    before = game.key(), game.to_play, list(game.legal_moves())
    assert check_game(game, games=20) is None
    assert (game.key(), game.to_play, list(game.legal_moves())) == before


@pytest.mark.parametrize("game", [*(kind.make() for kind in NATIVE_GAMES.values()), Nim(5)], ids=[*NATIVE_GAMES, "nim"])
def test_protocol__is_fulfilled_by_native_games_and_plain_objects(game: Any) -> None:
    assert isinstance(game, Game)
    assert not isinstance(object(), Game)


@pytest.mark.parametrize("make", [lambda: Hex(11), Othello, Breakthrough, lambda: Gomoku(7), lambda: Y(8)])
def test_check_game__passes_larger_games(make: Any) -> None:
    check_game(make(), games=2)


def test_check_game__passes_a_game_that_is_under_way() -> None:
    game = Connect4()
    for move in (3, 3, 3, 2, 2, 4):
        game.play(move)
    check_game(game, games=2)


@pytest.mark.slow
@pytest.mark.parametrize("name", NATIVE_GAMES)
def test_check_game__passes_every_native_game_on_its_own_size(name: str) -> None:
    check_game(NATIVE_GAMES[name].make(), games=3)


# Broken games ----


class Illegal(Picks):
    """Lists cell 0 as well when it is taken already and three moves were made."""

    def legal_moves(self) -> Sequence[int]:
        moves = list(super().legal_moves())
        return [0, *moves] if self.num_taken == 3 and 0 not in moves else moves

    def play(self, move: int) -> None:
        if (self.taken[0] | self.taken[1]) >> move & 1:
            raise ValueError(f"cell {move} is taken")
        super().play(move)


class Forgetful(Picks):
    """Its key ignores the second player's cells."""

    def key(self) -> int:
        return hash_of(3, self.taken[0], self.num_taken)


class BlindInACorner(Picks):
    """Its key takes cells 4 and 5 for one."""

    def key(self) -> int:
        return hash_of(3, *(cells & 15 | (cells >> 1 | cells) & 16 for cells in self.taken), self.num_taken)


class BlindToTheMover(Nim):
    """Its key tells the heap and not whose turn it is."""

    def key(self) -> int:
        return self.stones


class Endless(Nim):
    def play(self, move: int) -> None:
        super().play(move)
        self.stones = self.stones or 5


class Overpaid(Nim):
    @property
    def value(self) -> float:
        return 2.0 * (self.to_play == 1)


class SharedState(Picks):
    """Copies share their cells."""

    def __init__(self, *settings: Any) -> None:
        super().__init__(*settings)
        self.cells = [0, 0]

    @property
    def taken(self) -> tuple[int, int]:
        return tuple(getattr(self, "cells", (0, 0)))

    @taken.setter
    def taken(self, taken: tuple[int, int]) -> None:
        self.cells = getattr(self, "cells", [0, 0])
        self.cells[:] = taken

    def copy(self) -> Any:
        twin = type(self)(self.seed, self.num_distinct_moves, self.length, self.values, self.takes_turns)
        twin.cells, twin.moves = self.cells, list(self.moves)
        return twin


class NoCopy(Nim):
    def copy(self) -> Any:
        return self


class WrongCopy(Nim):
    """Copies give the move back to the first player."""

    def copy(self) -> Any:
        return type(self)(self.stones, self.num_distinct_moves)


class Twice(Nim):
    def legal_moves(self) -> Sequence[int]:
        return [0, *super().legal_moves()]


class OffTheScale(Nim):
    def legal_moves(self) -> Sequence[int]:
        return [*super().legal_moves(), 7] if self.stones == 4 else super().legal_moves()


class Stuck(Nim):
    def legal_moves(self) -> Sequence[int]:
        return [] if self.stones == 6 else super().legal_moves()


class MovesAfterTheEnd(Nim):
    def legal_moves(self) -> Sequence[int]:
        return super().legal_moves() if self.stones else [0]


class ThirdPlayer(Nim):
    def play(self, move: int) -> None:
        super().play(move)
        self.to_play = 2

    def key(self) -> int:
        return 4 * self.stones + self.to_play


class Moody(Picks):
    """The same moves lead to different values."""

    rng = random.Random(1)

    @property
    def value(self) -> float:
        return self.rng.random()


class Prejudiced(Nim):
    def priors(self, moves: Sequence[int]) -> Sequence[float]:
        return [1.5 for _ in moves]


@pytest.mark.parametrize(
    ("game", "rule", "length"),
    [
        # The shortest sequence takes cell 0 and two others, then lists it again.
        (Illegal(cells=6, length=5), "every listed move can be played", 4),
        # Two second moves after the same first one have the same key.
        (Forgetful(cells=6, length=5), "different keys", 2),
        (BlindInACorner(cells=6, length=5), "different keys", 1),
        (BlindToTheMover(6), "different keys", None),
        (Overpaid(6), r"value of an ended game lies in 0\.\.1", 3),
        (SharedState(1, 6, 5), "playing on a copy leaves the original alone", 1),
        (NoCopy(9), "playing on a copy leaves the original alone", 1),
        (WrongCopy(9), "a copy is equal to its original", 1),
        (Twice(9), "lists no move twice", 0),
        (OffTheScale(9), r"moves lie in 0\.\.2 \(it lists 7\)", 2),
        (Stuck(9), "a game that is not over has a legal move", 1),
        (MovesAfterTheEnd(6), "a game that is over has no legal moves", 2),
        (ThirdPlayer(9), r"to_play is 0 or 1 \(it is 2\)", 1),
        (Prejudiced(9), r"priors lie in 0\.\.1", 0),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Nim | Picks) else "",
)
def test_check_game__names_the_broken_rule_and_shows_the_shortest_sequence(
    game: Any, rule: str, length: int | None
) -> None:
    with pytest.raises(BrokenGame, match=rule) as caught:
        check_game(game)
    assert isinstance(caught.value, ValueError)
    if length is not None:
        assert len(caught.value.moves) == length
    if caught.value.moves:
        assert " ".join(map(str, caught.value.moves)) in str(caught.value)
    else:
        assert "no move at all" in str(caught.value)


def test_check_game__a_game_that_never_ends_is_named_by_its_limit() -> None:
    with pytest.raises(BrokenGame, match="a game ends") as caught:
        check_game(Endless(5), max_moves=100, games=3)
    assert len(caught.value.moves) == 100


def test_check_game__a_game_that_never_ends_is_named_in_a_message_that_can_be_read() -> None:
    with pytest.raises(BrokenGame, match="a game ends") as caught:
        check_game(Endless(5), games=1)
    assert len(str(caught.value)) < 2_000


def test_check_game__a_value_that_changes_between_looks_is_found() -> None:
    with pytest.raises(BrokenGame):
        check_game(Moody(cells=6, length=5))
    with pytest.raises(BrokenGame):
        check_game(Bandit([0.5, 0.5], random.Random(1)))


def test_check_game__the_sequence_it_shows_can_be_replayed() -> None:
    with pytest.raises(BrokenGame) as caught:
        check_game(Illegal(cells=6, length=5))
    game = Illegal(cells=6, length=5)
    *before, last = caught.value.moves
    for move in before:
        game.play(move)
    assert last in game.legal_moves()
    with pytest.raises(ValueError, match="is taken"):
        game.play(last)


def test_check_game__an_exception_of_the_game_outside_of_play_comes_back_as_itself() -> None:
    class Exploding(Nim):
        def key(self) -> int:
            raise ZeroDivisionError("at the key")

    with pytest.raises(ZeroDivisionError, match="at the key"):
        check_game(Exploding(5))
