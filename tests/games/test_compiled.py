"""Games compiled from Python: they keep the contract, agree with the other ways to write one, and fail with words."""

from __future__ import annotations

import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba")

from games.compiled_games import NIM, legal_moves, nim, play, playout
from search.toy_games import Nim
from tesuji.games import BrokenGame, CompiledGame, Connect4, Game, check_game
from tesuji.games.connect4 import PlainConnect4, compiled_connect4
from tesuji.search import RAVE, UCB1, Search, SearchConfig


@pytest.fixture(scope="module")
def connect4() -> CompiledGame:
    return compiled_connect4()


class Wrapped:
    """The native Connect Four as a plain object, so that the core's uniform playouts serve it."""

    num_distinct_moves = 7

    def __init__(self, game: Connect4) -> None:
        self.game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def copy(self) -> Wrapped:
        return Wrapped(self.game.copy())


def graphs_of(games: list[Any], config: SearchConfig, simulations: int = 3_000) -> list[dict[str, Any]]:
    graphs = []
    for game in games:
        search = Search(game, config)
        search.run(simulations=simulations, seed=3)
        graphs.append(search.graph())
    return graphs


# One game, three ways ----


def test_check_game__passes_connect_four_in_all_three_ways(connect4: CompiledGame) -> None:
    for game in (Connect4(), connect4, PlainConnect4()):
        assert isinstance(game, Game)
        check_game(game, games=10)


def test_random_play__agrees_move_for_move_in_all_three_ways(connect4: CompiledGame) -> None:
    rng = random.Random(1)
    for _ in range(100):
        games = [Connect4(), connect4.copy(), PlainConnect4(), connect4.plain()]
        while not games[0].is_over:
            looks = [(game.to_play, game.is_over, list(game.legal_moves())) for game in games]
            assert looks == [looks[0]] * 4
            move = rng.choice(looks[0][2])
            for game in games:
                game.play(move)
        assert [game.value for game in games] == [games[0].value] * 4
        assert [list(game.legal_moves()) for game in games] == [[]] * 4


@pytest.mark.parametrize(
    "config",
    [
        SearchConfig(),
        SearchConfig(selection=UCB1(c=0.3), amaf=RAVE(k=100)),
        SearchConfig(graph="dag", solver=True),
        SearchConfig(expansion="all-children", maturity=3),
        SearchConfig(expansion="whole-path"),
    ],
    ids=["tree", "RAVE", "dag", "all children", "whole path"],
)
def test_search__one_seed_gives_one_graph_whoever_wrote_the_game(connect4: CompiledGame, config: SearchConfig) -> None:
    compiled, plain, native = graphs_of([connect4, PlainConnect4(), Wrapped(Connect4())], config, 1_000)
    for column in compiled:
        np.testing.assert_array_equal(compiled[column], plain[column], err_msg=column)
        np.testing.assert_array_equal(compiled[column], native[column], err_msg=column)


def test_search__a_playout_of_the_games_own_that_draws_alike_gives_the_same_graph() -> None:
    own, uniform = graphs_of([nim(playout=playout), nim()], SearchConfig())
    for column in own:
        np.testing.assert_array_equal(own[column], uniform[column], err_msg=column)


def test_search__proves_nim_on_two_threads_as_the_plain_game_does() -> None:
    result = Search(nim(), SearchConfig(solver=True, threads=2)).run(simulations=200_000, seed=1)
    plain = Search(Nim(10), SearchConfig(solver=True)).run(simulations=20_000, seed=1)
    assert (result.best_move, result.proof) == (plain.best_move, plain.proof) == (1, "won")


# The state ----


def test_state__is_read_and_written_by_field() -> None:
    game = nim()
    game.state.heap = 7
    assert game.state.heap == 7
    twin = game.copy()
    twin.play(2)
    assert (game.state.heap, twin.state.heap, twin.to_play) == (7, 4, 1)
    assert game.key() != twin.key()
    assert "7" in repr(game)


def test_key__may_be_the_games_own() -> None:
    game = nim(key=lambda state: 2 * state.heap + state.to_play)
    assert game.key() == 20
    game.play(0)
    assert game.key() == 19
    check_game(game, games=5)


def test_to_play__may_be_a_function() -> None:
    dtype = np.dtype([("heap", np.int64), ("turn", np.int8)])

    def take(state: Any, move: int) -> None:
        state.heap -= move + 1
        state.turn += 1

    game = nim(
        dtype=dtype, play=take, to_play=lambda state: state.turn % 2, value=lambda state: 1.0 if state.turn % 2 else 0.0
    )
    check_game(game, games=5)


def test_play__refuses_what_is_not_legal() -> None:
    game = nim()
    for move in (-1, 3, 10**6):
        with pytest.raises(ValueError, match=f"move {move} is not legal here"):
            game.play(move)
    assert game.state.heap == 10


# What does not compile ----


def misspelt(state: Any, move: int) -> None:
    state.heaps -= move + 1


def unnamed(state: Any, move: int) -> None:
    state.heap = nowhere[move]  # noqa: F821


def two_types(state: Any, move: int) -> None:
    taken = 1
    if move:
        taken = "two"
    state.heap = taken


def opened(state: Any, move: int) -> None:
    with open("heap") as file:  # noqa: PTH123
        state.heap = len(file.read())


def helped(state: Any, move: int) -> None:
    state.heap = helper(move)


def helper(move: int) -> Any:
    return object().stones + move


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (misspelt, r"play does not compile: test_compiled.py, line \d+, `state.heaps -= move \+ 1`: the record has no "
                   r"field 'heaps'; it has heap, to_play"),
        (unnamed, r"test_compiled.py, line \d+, `state.heap = nowhere\[move\].*`: NameError: name 'nowhere' is not"),
        (two_types, r"test_compiled.py, line \d+, .*: Cannot unify"),
        (opened, r"play does not compile: .*with .*not supported"),
        (helped, r"test_compiled.py, line \d+, `return object\(\).stones \+ move`"),
    ],
)  # fmt: skip
def test_compile__the_error_is_the_line_that_matters(broken: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        nim(play=broken)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"play": lambda state, move: 3}, "play returns .*; it must return nothing"),
        ({"value": lambda state: "won"}, r"value returns Literal\[str\]\(won\); it must return a number in 0..1"),
        ({"legal_moves": lambda state, moves: None}, "legal_moves returns none; it must return how many"),
        ({"is_over": lambda state: (state.heap, 1)}, "is_over returns .*; it must return True or False"),
        ({"play": lambda state: None}, r"play takes 1 arguments; it is called as play\(state, move\)"),
        ({"legal_moves": lambda state: 3}, r"it is called as legal_moves\(state, moves\)"),
        ({"value": 0.5}, "value is 0.5; it must be a function"),
        ({"value": abs}, "it must be a plain function"),
    ],
)
def test_functions__that_cannot_serve_are_named(changes: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        nim(**changes)


def test_functions__that_yield_are_refused() -> None:
    def yields(state: Any, moves: Any) -> Any:
        yield 1

    with pytest.raises(TypeError, match="legal_moves yields; it must return"):
        nim(legal_moves=yields)


@pytest.mark.parametrize(
    ("dtype", "message"),
    [
        (np.int64, "a state is a record, but the dtype is int64"),
        ([("heap", object), ("to_play", "i1")], "field 'heap' is of type object"),
        ([("heap", "U8"), ("to_play", "i1")], "field 'heap' is of type <U8"),
        ([("heap", ">i8"), ("to_play", "i1")], "field 'heap' is of type >i8; .* byte order"),
        ([("heap", "i8"), ("to_play", "i1"), ("inner", [("x", "i1")])], "field 'inner'"),
        ([("heap", "i8", 2**18), ("to_play", "i1")], "the record has 2097153 bytes"),
        ([("heap", "i8")], "no field 'to_play'"),
    ],
)
def test_dtype__of_the_wrong_layout_is_refused(dtype: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        nim(dtype=dtype)


@pytest.mark.parametrize("number", [0, -1, 2**21, 2.5, None, True])
def test_num_distinct_moves__must_make_sense(number: Any) -> None:
    with pytest.raises(ValueError, match="num_distinct_moves is"):
        nim(num_distinct_moves=number)


# What fails while it runs ----


def lists_seven(state: Any, moves: Any) -> int:
    count = legal_moves(state, moves)
    if state.heap == 5:
        moves[0] = 7
    return count


def lists_too_many(state: Any, moves: Any) -> int:
    return 4 if state.heap == 5 else legal_moves(state, moves)


def writes_too_far(state: Any, moves: Any) -> int:
    count = legal_moves(state, moves)
    if state.heap == 5:
        moves[3] = 0
    return count


def lists_none(state: Any, moves: Any) -> int:
    return 0 if state.heap == 5 else legal_moves(state, moves)


def refuses(state: Any, move: int) -> None:
    if state.heap == 5 and move == 1:
        raise ArithmeticError("two of five may not be taken")
    play(state, move)


def calls_a_third_player(state: Any, move: int) -> None:
    play(state, move)
    state.to_play = 2


def overpays(state: Any) -> float:
    return 1.5


def knows_nothing(state: Any) -> float:
    return np.nan


def refills(state: Any, move: int) -> None:
    play(state, move)
    if state.heap == 0:
        state.heap = 5


BROKEN: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"legal_moves": lists_seven}, ValueError, r"legal_moves lists 7; moves lie in 0..2; the state was \(5, "),
    ({"legal_moves": lists_too_many}, ValueError, r"legal_moves returned a count outside 0..3; the state was \(5, "),
    ({"legal_moves": writes_too_far}, IndexError, "out of bounds"),
    ({"legal_moves": lists_none}, RuntimeError, "lists no legal move"),
    ({"play": refuses}, ArithmeticError, "two of five may not be taken"),
    ({"play": calls_a_third_player}, ValueError, "to_play is 2; it must be 0"),
    ({"value": overpays}, ValueError, "value is 1.5; it must lie in 0..1"),
    ({"value": knows_nothing}, ValueError, "value is nan; it must lie in 0..1"),
    ({"playout": lambda state, random: state.heap + 2.0}, ValueError, "value is .*; it must lie in 0..1"),
]


@pytest.mark.parametrize(("changes", "error", "message"), BROKEN)
def test_search__a_failure_arrives_as_an_exception_and_the_interpreter_lives(
    changes: dict[str, Any], error: type[Exception], message: str
) -> None:
    game = nim(**changes)
    for config in (
        SearchConfig(),
        SearchConfig(threads=2),
        SearchConfig(expansion="whole-path"),
        SearchConfig(amaf=RAVE()),
    ):
        if "playout" in changes and config.expansion == "whole-path":
            continue
        with pytest.raises(error, match=message):
            Search(game, config).run(simulations=2_000, seed=1)


def test_search__the_exception_says_in_which_state_the_function_was() -> None:
    with pytest.raises(ArithmeticError) as caught:
        Search(nim(play=refuses)).run(simulations=2_000, seed=1)
    assert "of a compiled game, run again as plain Python; the state was (" in caught.value.__notes__[0]


def test_search__a_game_that_never_ends_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="did not end within [0-9]+ random moves"):
        Search(nim(play=refills)).run(simulations=10, seed=1)


def test_search__can_go_on_after_a_failure() -> None:
    game = nim(play=refuses)
    search = Search(game)
    with pytest.raises(ArithmeticError):
        search.run(simulations=2_000, seed=1)
    game.state.heap = 4
    assert Search(game).run(simulations=500, seed=1).simulations == 500


# What check_game finds ----


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"legal_moves": lists_seven}, "moves lie in 0..2"),
        ({"play": refuses}, "every listed move can be played .*two of five"),
        ({"play": refills}, "a game ends"),
        ({"value": overpays}, "the value of an ended game lies in 0..1"),
        ({"key": lambda state: state.heap}, "different keys"),
    ],
)
def test_check_game__names_the_rule_that_a_compiled_game_breaks(changes: dict[str, Any], rule: str) -> None:
    with pytest.raises(BrokenGame, match=rule):
        check_game(nim(**changes), games=20, max_moves=300)


def test_check_game__stops_a_function_that_loops() -> None:
    def spins(state: Any) -> bool:
        while state.heap == 4:
            pass
        return state.heap == 0

    with pytest.raises(BrokenGame, match="was still running after 1,000,000 lines"):
        check_game(nim(is_over=spins), games=20)


def test_check_game__finds_where_compiled_and_plain_differ() -> None:
    game = nim()
    game._functions = nim(value=lambda state: 0.0)._functions  # compiled with one, explained by the other
    with pytest.raises(BrokenGame, match="compiled functions agree with plain ones"):
        check_game(game, games=5)


# Around it ----


def test_compile__functions_are_compiled_again_when_a_helper_changed() -> None:
    names: dict[str, Any] = {}
    exec("def worth(): return 1.0\ndef value(state): return worth()", names)
    game = nim(value=names["value"], initial=lambda state: None)
    assert game.value == 1.0
    exec("def worth(): return 0.25", names)
    assert nim(value=names["value"], initial=lambda state: None).value == 0.25


def test_compile__a_function_may_call_itself() -> None:
    names: dict[str, Any] = {}
    exec("def halves(n):\n    if n <= 0: return 0\n    return 1 + halves(n // 2)", names)
    exec("def value(state): return halves(state.heap) / 10", names)
    assert nim(value=names["value"]).value == 0.4


def test_import__tesuji_does_not_import_numba() -> None:
    program = "import sys, tesuji.games, tesuji.search, tesuji.go; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_compile__without_numba_says_what_to_install() -> None:
    program = (
        "import sys; sys.modules['numba'] = None\n"
        "from tesuji.games.connect4 import compiled_connect4\n"
        "try:\n    compiled_connect4()\nexcept ImportError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert "pip install " in done.stdout
    assert "[compiled]" in done.stdout


def test_functions__that_numba_compiled_already_are_taken() -> None:
    from numba import njit

    check_game(nim(play=njit(play)), games=5)


def test_record__larger_than_a_states_own_room_works() -> None:
    dtype = np.dtype([*NIM.descr, ("padding", np.int8, 500)])
    assert Search(nim(dtype=dtype), SearchConfig(solver=True)).run(simulations=5_000, seed=1).best_move == 1
