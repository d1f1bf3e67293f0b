"""SameGame, knapsack and the travelling salesman as Python sees them, against plain second opinions."""

from __future__ import annotations

import math
import pickle
import random
from collections import Counter
from typing import Any

import pytest

from tesuji.games import TSP, Knapsack, OnePlayerGame, SameGame, check_game
from tesuji.search import Nested, solve


class PlainSameGame:
    """The rules once more: columns as lists of colours, lowest first."""

    def __init__(self, picture: str) -> None:
        rows = picture.split()
        self.height = len(rows)
        self.columns = [[row[x] for row in reversed(rows) if row[x] != "."] for x in range(len(rows[0]))]
        self.columns = [column for column in self.columns if column]
        self.score = 0

    def groups(self) -> dict[int, set[tuple[int, int]]]:
        cells = {(x, y): color for x, column in enumerate(self.columns) for y, color in enumerate(column)}
        found: dict[int, set[tuple[int, int]]] = {}
        seen: set[tuple[int, int]] = set()
        for start in sorted(cells):
            if start in seen:
                continue
            group, todo = {start}, [start]
            while todo:
                x, y = todo.pop()
                for near in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
                    if near not in group and cells.get(near) == cells[start]:
                        group.add(near)
                        todo.append(near)
            seen |= group
            if len(group) >= 2:
                found[min(group)[0] * self.height + min(group)[1]] = group
        return found

    def play(self, move: int) -> None:
        group = self.groups()[move]
        self.score += (len(group) - 2) ** 2
        self.columns = [
            [color for y, color in enumerate(column) if (x, y) not in group] for x, column in enumerate(self.columns)
        ]
        self.columns = [column for column in self.columns if column]

    def value(self) -> int:
        left = Counter(color for column in self.columns for color in column)
        return self.score + (1000 if not left else -sum((count - 2) ** 2 for count in left.values()))


BOARDS = [(15, 15, 5), (15, 15, 9), (1, 15, 2), (15, 1, 2), (4, 7, 3), (2, 2, 1), (8, 8, 2)]


@pytest.mark.parametrize(("width", "height", "colors"), BOARDS)
def test_samegame__random_play_agrees_with_the_plain_rules(width: int, height: int, colors: int) -> None:
    rng = random.Random(width * 100 + colors)
    for seed in range(6):
        game = SameGame.random(width, height, colors, seed=seed)
        plain = PlainSameGame(game.picture)
        while not game.is_over:
            assert game.legal_moves() == sorted(plain.groups())
            move = rng.choice(game.legal_moves())
            game.play(move)
            plain.play(move)
            assert game.score == plain.score
        assert plain.groups() == {}
        assert game.value == plain.value()


@pytest.mark.parametrize(
    ("picture", "moves", "value"),
    [
        ("11", [0], 1000),  # nothing for two stones, the bonus for the empty board
        ("111\n111", [0], 16 + 1000),
        ("12\n21", [], 0),
        ("1", [], -1),  # one stone left: (1 - 2)^2
        ("121212", [], -2),  # three of each colour: twice (3 - 2)^2
        ("22\n11", [0, 0], 1000),  # what was row 1 falls to row 0
        ("1.\n.1", [0], 1000),  # a picture with holes: stones fall before the first move
        ("12.\n12.\n...", [0, 0], 1000),  # the right column closes to the left
    ],
)
def test_samegame__pictures(picture: str, moves: list[int], value: float) -> None:
    game = SameGame(picture)
    for move in moves:
        game.play(move)
    assert (game.is_over, game.value) == (True, value)


def test_samegame__an_empty_column_closes_and_what_is_left_costs() -> None:
    game = SameGame("121\n131\n121")
    game.play(0)
    assert game.picture == "21.\n31.\n21.\n"
    assert game.legal_moves() == [3]
    game.play(3)
    assert (game.is_over, game.score) == (True, 2)
    assert game.value == 2 - 0 - 1  # two stones of 2 cost nothing, one of 3 costs (1 - 2)^2


@pytest.mark.parametrize("playout", ["uniform", "tabu-color"])
def test_samegame__playouts_end_and_replay(playout: str) -> None:
    game = SameGame.random(seed=3, playout=playout)
    for seed in range(20):
        solved = solve(game, strategy=Nested(level=0), simulations=1, seed=seed)
        assert solved.best_solution is not None
        state = game.copy()
        for move in solved.best_solution.moves:
            state.play(move)
        assert (state.is_over, state.value) == (True, solved.best_solution.value)


def test_samegame__a_uniform_playout_takes_every_group_as_often() -> None:
    """Groups of 2, 3 and 6 stones: what the first move of a playout is."""
    game = SameGame("1122233\n4545433\n4545433")
    sizes = {move: len(group) for move, group in PlainSameGame(game.picture).groups().items()}
    assert sorted(sizes.values()) == [2, 2, 2, 2, 2, 2, 3, 6]
    first = Counter()
    count = 4000
    for seed in range(count):
        solved = solve(game, strategy=Nested(level=0), simulations=1, seed=seed)
        assert solved.best_solution is not None
        first[solved.best_solution.moves[0]] += 1
    expected = count / len(sizes)
    chi_square = sum((first[move] - expected) ** 2 / expected for move in sizes)
    assert chi_square < 24.3  # the 99.9 % quantile for 7 degrees of freedom


def test_samegame__the_tabu_colour_is_taken_last() -> None:
    game = SameGame("11112\n33332\n11112\n33332", playout="tabu-color")  # eight stones of 1, as of 3; 1 comes first
    for seed in range(30):
        solved = solve(game, strategy=Nested(level=0), simulations=1, seed=seed)
        assert solved.best_solution is not None
        state = game.copy()
        for move in solved.best_solution.moves:
            others = [other for other in state.legal_moves() if _color(state, other) != "1"]
            assert move in others or not others
            state.play(move)


def _color(game: SameGame, move: int) -> str:
    rows = game.picture.split()
    return rows[len(rows) - 1 - move % game.height][move // game.height]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SameGame(""), "0x0 is outside 1x1..15x15"),
        (lambda: SameGame("1" * 16), "16x1 is outside"),
        (lambda: SameGame("12\n1"), 'the row "1" has 1 cells, the first one 2'),
        (lambda: SameGame("1x"), "'x' is not a stone"),
        (lambda: SameGame("10"), "'0' is not a stone"),
        (lambda: SameGame("11", playout="wild"), "playout is 'wild'; it must be 'uniform' or 'tabu-color'"),
        (lambda: SameGame.random(15, 15, 0, seed=1), "0 colours are outside 1..9"),
        (lambda: SameGame.random(15, 16, 5, seed=1), "15x16 is outside"),
        (lambda: Knapsack([], [], 5), "0 weights and 0 worths"),
        (lambda: Knapsack([1], [1, 2], 5), "1 weights and 2 worths"),
        (lambda: Knapsack([0], [1], 5), "a weight is 0; it must lie in 1..1000000"),
        (lambda: Knapsack([1], [-3], 5), "a worth is -3"),
        (lambda: Knapsack([1], [1], -1), "a capacity is -1"),
        (lambda: Knapsack.random(65, seed=1), "65 items are outside 1..64"),
        (lambda: TSP([1.0], [1.0]), "1 x and 1 y coordinates; give 2..64"),
        (lambda: TSP([1.0, math.nan], [1.0, 2.0]), "city 1 lies at"),
        (lambda: TSP([1.0, 1e300], [1.0, 2.0]), "city 1 lies at"),
        (lambda: TSP.random(1, seed=1), "1 cities are outside 2..64"),
    ],
)
def test_bad_input__is_refused(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


GAMES = [
    SameGame.random(6, 6, 3, seed=1),
    SameGame.random(15, 15, 9, seed=2),
    Knapsack.random(12, seed=1),
    Knapsack.random(64, seed=2),
    TSP.random(6, seed=1),
    TSP.random(64, seed=2),
]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{type(game).__name__}-{game.num_distinct_moves}")
def test_games__keep_the_contract(game: Any) -> None:
    assert isinstance(game, OnePlayerGame)
    check_game(game, games=3)
    twin = pickle.loads(pickle.dumps(game))
    assert twin.key() == game.key()
    assert twin.legal_moves() == game.legal_moves()


def test_knapsack__takes_items_in_ascending_order_while_they_fit() -> None:
    game = Knapsack([5, 4, 3, 9], [10, 7, 5, 1], 9)
    assert game.legal_moves() == [0, 1, 2, 3]
    game.play(0)
    assert (game.legal_moves(), game.room) == ([1, 2], 4)
    game.play(2)
    assert (game.is_over, game.value) == (True, 15.0)


def test_tsp__the_trip_goes_back_home() -> None:
    game = TSP([0.0, 3.0, 3.0], [0.0, 0.0, 4.0])
    game.play(1)
    game.play(2)
    assert (game.is_over, game.value) == (True, 3.0 + 4.0 + 5.0)


@pytest.mark.parametrize(("value", "rule"), [(math.nan, "finite number"), (math.inf, "finite number")])
def test_check_game__a_value_that_is_no_number_breaks_the_contract(value: float, rule: str) -> None:
    class Coin:
        goal, num_distinct_moves, is_over = "maximise", 1, False

        def __init__(self) -> None:
            self.value = value

        def legal_moves(self) -> list[int]:
            return [] if self.is_over else [0]

        def play(self, _: int) -> None:
            self.is_over = True

        def copy(self) -> Coin:
            twin = Coin()
            twin.is_over = self.is_over
            return twin

        def key(self) -> int:
            return int(self.is_over)

    with pytest.raises(ValueError, match=rule):
        check_game(Coin())
