"""Perfect play where it is known: tic-tac-toe, late Connect Four, Hex 4x4, Nim; the truth comes from `solvers`."""

from __future__ import annotations

import pytest

from search.solvers import SmallHex, late_positions, minimax
from search.toy_games import Nim
from tesuji.games import Connect4, Hex, TicTacToe
from tesuji.search import RAVE, UCB1, Search, SearchConfig

SOLVER = SearchConfig(solver=True)
PROOF = {0.0: ("lost", "won"), 0.5: ("drawn", "drawn"), 1.0: ("won", "lost")}  # by value, for the first and the second


def after(game: TicTacToe | Connect4 | Hex, *moves: int) -> TicTacToe | Connect4 | Hex:
    """A copy of a game with some more moves."""
    game = game.copy()
    for move in moves:
        game.play(move)
    return game


# Tic-tac-toe ----


@pytest.mark.parametrize("opening", range(9))
def test_tictactoe__every_opening_is_proved_a_draw(opening: int) -> None:
    game = after(TicTacToe(), opening)
    assert minimax(game) == 0.5
    result = Search(game, SOLVER).run(simulations=100_000, seed=1)
    assert (result.proof, result.value) == ("drawn", 0.5)
    assert minimax(after(game, result.best_move)) == 0.5


@pytest.mark.parametrize("solver", [True, False], ids=["with proofs", "by statistics alone"])
@pytest.mark.parametrize("opening", range(9))
def test_tictactoe__the_search_draws_against_itself_from_every_opening(opening: int, solver: bool) -> None:
    game = after(TicTacToe(), opening)
    while not game.is_over:
        game.play(Search(game, SearchConfig(solver=solver)).run(simulations=10_000, seed=1).best_move)
    assert game.value == 0.5


def test_tictactoe__every_position_that_is_proved_is_proved_right() -> None:
    known: dict[int, float] = {}
    minimax(TicTacToe(), known)
    todo, seen, num_proved = [TicTacToe()], set(), 0
    while todo:
        game = todo.pop()
        for move in game.legal_moves():
            child = after(game, move)
            if not child.is_over and child.key() not in seen:
                seen.add(child.key())
                todo.append(child)
        num_stones = sum(game.owner(square) >= 0 for square in range(9))
        if num_stones < 4:  # earlier ones would cost most of the time and are covered by the openings
            continue
        result = Search(game, SOLVER).run(simulations=2_000, seed=1)
        assert result.proof == PROOF[known[game.key()]][game.to_play]
        num_proved += 1
    assert num_proved == 4_186  # 4,520 positions are not over, 334 of them have fewer than four stones


# Connect Four ----


@pytest.mark.parametrize(
    ("config", "count"),
    [
        pytest.param(SOLVER, 55, id="with proofs"),
        pytest.param(SearchConfig(), 55, id="by statistics alone"),
        pytest.param(SearchConfig(solver=True, graph="dag"), 55, id="dag"),
        pytest.param(SearchConfig(solver=True), 1000, id="many positions", marks=pytest.mark.slow),
    ],
)
def test_connect4__late_positions_are_answered_right_with_20_000_simulations(config: SearchConfig, count: int) -> None:
    num_right = num_proofs = 0
    for game, values in late_positions(count, seed=1):
        result = Search(game, config).run(simulations=20_000, seed=1)
        best = max(values.values())
        num_right += values[result.best_move] == best
        if result.proof:
            num_proofs += 1
            assert result.proof == {1: "won", 0: "drawn", -1: "lost"}[best]
        for move, proof in zip(result.moves.tolist(), result.proofs.tolist(), strict=True):
            assert proof == 0 or proof - 2 == values[move]
    assert num_right >= 0.95 * count
    assert (num_proofs > count / 3) == config.solver


# Hex ----


@pytest.fixture(scope="module")
def hex4() -> SmallHex:
    return SmallHex(4)


@pytest.mark.parametrize("graph", ["tree", "dag"])
def test_hex__every_opening_on_4x4_is_proved_as_exhaustive_search_says(hex4: SmallHex, graph: str) -> None:
    for opening in range(16):
        game = after(Hex(4), opening)
        result = Search(game, SearchConfig(solver=True, graph=graph)).run(simulations=500_000, seed=1)
        assert result.proof == ("lost" if hex4.first_wins(1 << opening, 0) else "won"), opening
        if result.proof == "won":
            assert not hex4.first_wins(1 << opening, 1 << result.best_move)


def test_hex__statistics_alone_know_the_winner_of_every_opening_on_4x4(hex4: SmallHex) -> None:
    for opening in range(16):
        game = after(Hex(4), opening)
        result = Search(game, SearchConfig(selection=UCB1(c=0.4), amaf=RAVE(k=100))).run(simulations=40_000, seed=1)
        first_wins = hex4.first_wins(1 << opening, 0)
        assert (result.value < 0.5) == first_wins, (opening, result.value)
        if not first_wins:
            assert not hex4.first_wins(1 << opening, 1 << result.best_move)


@pytest.mark.parametrize("opening", range(9))
def test_hex__every_opening_on_3x3_is_proved_as_minimax_says(opening: int) -> None:
    game = after(Hex(3), opening)
    result = Search(game, SOLVER).run(simulations=20_000, seed=1)
    assert result.proof == PROOF[minimax(game)][1]
    assert SmallHex(3).first_wins(1 << opening, 0) == (minimax(game) == 1.0)


# Nim ----


@pytest.mark.parametrize("stones", range(1, 14))
@pytest.mark.parametrize("graph", ["tree", "dag"])
def test_nim__heaps_that_are_multiples_of_four_are_lost_and_others_won_by_leaving_one(stones: int, graph: str) -> None:
    result = Search(Nim(stones), SearchConfig(solver=True, graph=graph)).run(simulations=20_000, seed=1)
    assert result.proof == ("won" if stones % 4 else "lost")
    if stones % 4:
        assert result.best_move + 1 == stones % 4
