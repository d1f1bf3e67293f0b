"""Groupings that are wrong, and features that do not go with groups: one clear error each, and the search goes on."""

from __future__ import annotations

from typing import Any

import pytest

from tesuji.games import Connect4, PGame, PGameSpec, TicTacToe
from tesuji.search import (
    EpsilonGreedy,
    Grouping,
    LearnedBiases,
    Search,
    SearchConfig,
    UCB1Tuned,
)
from tesuji.search.choices import search_choices


def first_move(state: Any) -> dict[str, list[int]]:
    return {"first": list(state.legal_moves())[:1]}


FIRST = Grouping(find=first_move, kinds=("first",))


# --- what a grouping is -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"find": 3, "kinds": ("a",)}, "find is 3; it must be a function, or native groups"),
        ({"find": first_move}, "a function needs kinds: the names of the groups that it may return"),
        ({"find": first_move, "kinds": ("a", "b", "a")}, "the kind 'a' is there twice; name each once"),
        ({"find": first_move, "kinds": ("else",)}, "'else' is the catch-all group, which the search makes itself"),
        ({"find": first_move, "kinds": ("",)}, "'' is not a name of a kind"),
        ({"find": first_move, "kinds": (7,)}, "7 is not a name of a kind; it must be a word"),
        ({"find": first_move, "kinds": ("a",) * 70_000}, "there are 70,000 kinds; the most is 65,535"),
        ({"find": first_move, "kinds": ("a",), "overlap": 1}, "overlap is 1; it must be True or False"),
    ],
)
def test_grouping__that_is_none_is_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        Grouping(**fields)


def test_grouping__native_groups_bring_their_own_kinds() -> None:
    game = PGame(PGameSpec(breadth=2, depth=3, num_groups=2))
    assert Grouping(find=game.groups).names == ("else", "group 1", "group 2")
    with pytest.raises(ValueError, match="native groups bring their own: leave it out"):
        Grouping(find=game.groups, kinds=("a", "b"))


def test_search__takes_nothing_but_a_grouping() -> None:
    with pytest.raises(TypeError, match="it must be a Grouping"):
        Search(TicTacToe(), grouping=first_move)  # type: ignore[arg-type]


# --- what a function returns ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        ({"first": [0, 99]}, "the group 'first' holds move 99, which is not legal there; name legal moves only"),
        ({"first": [-1]}, "the group 'first' holds move -1, which is not legal there"),
        ({"first": [2, 3, 2]}, "the group 'first' holds move 2 twice; name it once"),
        ({"last": [0]}, "the grouping named a group 'last'; its kinds are first"),
        ({"else": [0]}, "the grouping named a group 'else': that is the catch-all group, which the search makes"),
        ({3: [0]}, "the grouping named a group 3; its kinds are first"),
        ([0, 1], r"the grouping returned \[0, 1\]; it must be a mapping from names to moves"),
        (None, "the grouping returned None; it must be a mapping from names to moves"),
        ({"first": 3}, "the group 'first' is 3; it must be a list of moves, whole numbers"),
        ({"first": ["D4"]}, r"the group 'first' is \['D4'\]; it must be a list of moves, whole numbers"),
        ({"first": [1.5]}, r"the group 'first' is \[1.5\]; it must be a list of moves"),
        ({"first": None}, "the group 'first' is None; it must be a list of moves"),
    ],
)
@pytest.mark.parametrize("threads", [1, 3])
def test_find__what_it_returns_is_checked(returned: Any, message: str, threads: int) -> None:
    grouping = Grouping(find=lambda state: returned, kinds=("first",))
    search = Search(Connect4(), SearchConfig(threads=threads), grouping=grouping)
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        search.run(simulations=100, seed=1)


@pytest.mark.parametrize("threads", [1, 3])
def test_find__an_exception_ends_the_run_and_the_next_one_goes_on(threads: int) -> None:
    is_broken = [False]

    def find(state: Connect4) -> dict[str, list[int]]:
        if is_broken[0]:
            raise RuntimeError("out of ideas")
        return first_move(state)

    search = Search(Connect4(), SearchConfig(threads=threads), grouping=Grouping(find=find, kinds=("first",)))
    search.run(simulations=200, seed=1)
    is_broken[0] = True
    with pytest.raises(RuntimeError, match="out of ideas"):
        search.run(simulations=10_000)
    is_broken[0] = False
    assert search.run(simulations=300).simulations == 300


# --- what does not go together ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("selection", [UCB1Tuned(), EpsilonGreedy()])
@pytest.mark.parametrize("biases", [{"first": 0.9}, LearnedBiases()], ids=["fixed", "learned"])
def test_config__biases_need_ucb1(selection: Any, biases: Any) -> None:
    grouping = Grouping(find=first_move, kinds=("first",), biases=biases)
    with pytest.raises(ValueError, match="biases of groups scale the bonus of UCB1: use selection=UCB1"):
        Search(Connect4(), SearchConfig(selection=selection), grouping=grouping).run(simulations=10, seed=1)


def test_config__groups_that_depend_on_the_path_need_a_tree() -> None:
    grouping = Grouping(find=lambda state, last_moves: first_move(state), kinds=("first",), uses_last_moves=True)
    with pytest.raises(ValueError, match="a dag shares states: use graph='tree'"):
        Search(Connect4(), SearchConfig(graph="dag"), grouping=grouping)


def test_search__native_groups_of_another_game_are_refused() -> None:
    game = PGame(PGameSpec(breadth=2, depth=3, num_groups=1))
    with pytest.raises(ValueError, match="is of another game; give this one a function"):
        Search(TicTacToe(), grouping=Grouping(find=game.groups)).run(simulations=10, seed=1)


def test_choices__are_noted_with_native_groups_only() -> None:
    game = PGame(PGameSpec(breadth=2, depth=3, num_groups=1))
    with pytest.raises(ValueError, match="answers are noted with PGame.groups only"):
        search_choices(game.start(), SearchConfig(), counts=[1], seeds=[1], grouping=FIRST)
