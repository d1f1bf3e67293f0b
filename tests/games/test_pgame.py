"""P-games against a slow reading of their description, and against what must hold of every one of them."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import ref_pgame
from tesuji.games import PGame, PGamePosition, PGameSpec, check_game

SMALL = [(2, 6), (2, 9), (3, 4), (4, 5), (7, 2), (10, 3)]


def made(breadth: int, depth: int, **fields: Any) -> PGame:
    return PGame(PGameSpec(breadth=breadth, depth=depth, **fields))


@settings(max_examples=60, deadline=None)
@given(
    size=st.sampled_from([*SMALL, (1, 5), (2, 1)]),
    combination=st.sampled_from([0.0, 0.01, 0.1, 0.3, 0.7, 0.95]),
    seed=st.integers(0, 2**64 - 1),
    num_groups=st.integers(0, 8),
    in_range=st.booleans(),
)
def test_draw__is_the_game_that_the_description_gives(
    size: Any, combination: float, seed: int, num_groups: int, in_range: bool
) -> None:
    groups = (num_groups, 0.8, 0.7)
    want = ref_pgame.draw(*size, combination, seed, mixed_root=False, amounts_in_range=in_range, groups=groups)
    fields = {"amounts_in_range": in_range, "num_groups": num_groups, "group_size": 0.8, "group_bias": 0.7}
    game = made(*size, combination=combination, seed=seed, mixed_root=False, **fields)
    number = {id(node): i for i, node in enumerate(want.nodes)}
    assert game.level_sizes.tolist() == [len(level) for level in want.levels]
    assert game.scores.tolist() == [node.score for node in want.nodes]
    assert game.children().tolist() == [[number[id(c)] for c in node.children] for node in want.nodes if node.children]
    assert game.first_wins().tolist() == [node.first_wins() for node in want.nodes]
    assert game.group_masks.tolist() == ([node.groups for node in want.nodes] if num_groups else [])


@pytest.mark.parametrize("seed", range(20))
def test_draw__roots_without_a_choice_are_drawn_again_and_counted(seed: int) -> None:
    want = ref_pgame.draw(3, 4, 0.2, seed)
    game = made(3, 4, combination=0.2, seed=seed)
    assert game.num_redraws == want.num_redraws
    assert game.scores.tolist() == [node.score for node in want.nodes]
    assert 0 < len(game.winning_moves) < 3


def test_draw__some_roots_are_drawn_again() -> None:
    assert sum(made(2, 8, seed=seed).num_redraws for seed in range(30)) > 0


@pytest.mark.parametrize("combination", [0.0, 0.1, 0.3])
@pytest.mark.parametrize("size", SMALL)
def test_play__all_paths_to_a_node_have_one_length_and_one_score(size: tuple[int, int], combination: float) -> None:
    game = made(*size, combination=combination, seed=5, mixed_root=False)
    children, starts = game.children(), np.cumsum([0, *game.level_sizes])
    seen: dict[int, int] = {}
    for moves in itertools.product(range(size[0]), repeat=size[1]):
        node = 0
        for level, move in enumerate(moves, start=1):
            node = int(children[node, move])
            assert starts[level] <= node < starts[level + 1]
        seen[node] = seen.get(node, 0) + 1
    assert sorted(seen) == list(range(starts[-2], starts[-1]))  # every leaf is reached
    assert sum(seen.values()) == size[0] ** size[1]
    assert (max(seen.values()) > 1) == (combination > 0)


def _brute_force(position: PGamePosition, score: int, game: PGame) -> bool:
    """Whether the first player wins, by trying everything and adding amounts up."""
    if position.is_over:
        return score > 0
    scores, won = game.scores, []
    for move in position.legal_moves():
        after = position.copy()
        after.play(move)
        won.append(_brute_force(after, score + int(scores[after.node]) - int(scores[position.node]), game))
    return any(won) if position.to_play == 0 else all(won)


@pytest.mark.parametrize("combination", [0.0, 0.2])
@pytest.mark.parametrize("size", SMALL)
def test_values__are_those_of_brute_force(size: tuple[int, int], combination: float) -> None:
    for seed in range(5):
        game = made(*size, combination=combination, seed=seed, mixed_root=False)
        start = game.start()
        assert start.value == float(_brute_force(start, 0, game))
        for move in start.legal_moves():
            after = start.copy()
            after.play(move)
            assert start.is_winning(move) == _brute_force(after, int(game.scores[after.node]), game)


def test_amounts__of_a_tree_are_uniform_on_0_to_127_for_each_player() -> None:
    game = made(2, 17, seed=3, mixed_root=False)
    starts, children = np.cumsum([0, *game.level_sizes]), game.children()
    for level, sign in ((16, 1), (15, -1)):  # moves of the first player, of the second
        parents = np.arange(starts[level], starts[level + 1])
        amounts = sign * (game.scores[children[parents]] - game.scores[parents][:, None]).ravel()
        counts = np.bincount(amounts, minlength=128)
        assert len(counts) == 128
        expected = len(amounts) / 128
        chi_square = float(((counts - expected) ** 2 / expected).sum())
        assert abs(chi_square - 127) < 5 * math.sqrt(2 * 127)
    assert game.num_amounts_out_of_range == 0


@pytest.mark.parametrize("combination", [0.01, 0.3, 0.9])
def test_amounts__stay_in_range_if_that_is_asked_for(combination: float) -> None:
    game = made(3, 8, combination=combination, seed=2, mixed_root=False, amounts_in_range=True)
    assert game.num_amounts_out_of_range == 0
    assert game.num_nodes < made(3, 8, seed=2, mixed_root=False).num_nodes


def test_amounts__out_of_range_are_counted() -> None:
    game = made(3, 8, combination=0.2, seed=2, mixed_root=False)
    starts, out = np.cumsum([0, *game.level_sizes]), 0
    for level in range(8):
        parents = np.arange(starts[level], starts[level + 1])
        amounts = (game.scores[game.children()[parents]] - game.scores[parents][:, None]) * (
            1 if level % 2 == 0 else -1
        )
        out += int(((amounts < 0) | (amounts > 127)).sum())
    assert game.num_amounts_out_of_range == out > 0


@pytest.mark.parametrize("combination", [0.01, 0.1, 0.3])
def test_combination__is_the_share_of_each_level_that_is_merged(combination: float) -> None:
    game = made(6, 8 if combination < 0.3 else 9, combination=combination, seed=9, mixed_root=False)
    sizes = game.level_sizes.astype(float)
    for above, size in itertools.pairwise(sizes):
        drawn = 6 * above
        if drawn > 5_000:
            deviation = math.sqrt(combination * (1 - combination) / drawn)
            assert abs((drawn - size) / drawn - combination) < 5 * deviation


@pytest.mark.parametrize("size", SMALL)
def test_unfolded__is_the_tree_of_all_paths(size: tuple[int, int]) -> None:
    game = made(*size, combination=0.3, seed=4, mixed_root=False, num_groups=2, group_size=0.5)
    tree = game.unfolded()
    breadth, depth = size
    assert tree.level_sizes.tolist() == [breadth**level for level in range(depth + 1)]
    assert tree.num_amounts_out_of_range >= game.num_amounts_out_of_range
    same = np.zeros(tree.num_nodes, int)  # the game's node behind each of the tree's
    for node, children in enumerate(tree.children()):
        same[children] = game.children()[same[node]]
    assert len(set(tree.children().ravel().tolist())) == tree.num_nodes - 1  # one parent each
    assert tree.scores.tolist() == game.scores[same].tolist()
    assert tree.first_wins().tolist() == game.first_wins()[same].tolist()
    assert tree.group_masks.tolist() == game.group_masks[same].tolist()


@pytest.mark.parametrize("combination", [0.0, 0.25])
def test_position__keeps_the_contract_of_a_game(combination: float) -> None:
    check_game(made(3, 5, combination=combination, seed=1).start())


def test_position__outlives_whoever_made_it() -> None:
    position = made(2, 10, seed=1).start().copy()  # nobody else holds the game
    while not position.is_over:
        position.play(1)
    assert position.value in (0.0, 1.0)
    with pytest.raises(ValueError, match="move 0 is not legal"):
        position.play(0)


@pytest.mark.parametrize("move", [-1, 2, 1000])
def test_position__moves_that_do_not_exist_are_refused(move: int) -> None:
    position = made(2, 4, seed=1).start()
    with pytest.raises(ValueError, match=f"move {move} is not legal"):
        position.play(move)
    with pytest.raises(ValueError, match=f"move {move} is not legal"):
        position.is_winning(move)


# --- groups -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "bias"), [(1.0, 1.0), (1.0, 0.0), (0.5, 0.85), (0.25, 0.7)])
def test_groups__take_winning_and_losing_moves_as_often_as_asked(size: float, bias: float) -> None:
    game = made(6, 7, seed=2, num_groups=3, group_size=size, group_bias=bias)
    starts = np.cumsum([0, *game.level_sizes])
    is_own = np.repeat([level % 2 == 1 for level in range(8)], game.level_sizes)  # the first player moved here
    is_winning = game.first_wins() == is_own
    is_deep = np.arange(game.num_nodes) >= starts[5]
    for group in range(3):
        inside = (game.group_masks >> group & 1).astype(bool)
        assert not inside[: starts[2]].any()  # no groups at the root
        for moves, share in ((is_winning & is_deep, size * bias), (~is_winning & is_deep, size * (1 - bias))):
            assert abs(inside[moves].mean() - share) <= 5 * math.sqrt(share * (1 - share) / moves.sum())


def test_groups__are_independent_of_each_other() -> None:
    masks = made(6, 7, seed=2, num_groups=2, group_size=0.5, group_bias=0.5).group_masks[43:]
    both, one, other = (float(((masks & bits) == bits).mean()) for bits in (3, 1, 2))
    assert abs(both - one * other) < 5 * math.sqrt(both / len(masks))


def test_groups__are_named_sets_of_moves() -> None:
    game = made(5, 4, seed=6, num_groups=2, group_size=0.6, group_bias=0.7)
    start = game.start()
    assert start.groups(overlap=True) == start.groups(overlap=False) == {}
    position = start.copy()
    position.play(2)
    members = {
        name: [move for move, child in enumerate(game.children()[position.node]) if game.group_masks[child] >> bit & 1]
        for bit, name in enumerate(["group 1", "group 2"])
    }
    named = {name: moves for name, moves in members.items() if moves}
    left = [move for move in range(5) if all(move not in moves for moves in members.values())]
    assert position.groups(overlap=True) == {**named, "else": [0, 1, 2, 3, 4]}
    assert position.groups(overlap=False) == {**named, **({"else": left} if left else {})}
    for _ in range(3):
        position.play(0)
    assert position.groups(overlap=True) == {}


def test_groups__without_overlap_every_move_is_in_one_of_the_groups() -> None:
    game = made(4, 6, seed=8, num_groups=3, group_size=0.5, group_bias=0.8)
    for first, second in itertools.product(range(4), repeat=2):
        position = game.start()
        position.play(first)
        position.play(second)
        groups = position.groups(overlap=False)
        assert sorted({move for moves in groups.values() for move in moves}) == [0, 1, 2, 3]
        assert not any(set(groups.get("else", [])) & set(moves) for name, moves in groups.items() if name != "else")


def test_groups__change_nothing_of_the_game() -> None:
    plain, grouped = made(3, 6, combination=0.1, seed=3), made(3, 6, combination=0.1, seed=3, num_groups=4)
    assert plain.scores.tolist() == grouped.scores.tolist()
    assert plain.children().tolist() == grouped.children().tolist()


# --- bad input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"breadth": 0}, r"breadth is 0; it must lie in 1\.\.10000"),
        ({"breadth": -3}, "breadth is -3"),
        ({"breadth": 10**12}, r"breadth is 1000000000000"),
        ({"depth": 0}, r"depth is 0; it must lie in 1\.\.1000"),
        ({"depth": 10_000}, "depth is 10000"),
        ({"combination": -0.1}, r"combination is -0.1; it must be a probability, 0\.\.1"),
        ({"combination": 1.5}, "combination is 1.5"),
        ({"combination": 1.0}, "combination is 1; it must be below 1"),
        ({"combination": math.nan}, "combination is nan"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": 2**64}, "seed is 18446744073709551616"),
        ({"num_groups": 9}, r"num_groups is 9; it must lie in 0\.\.8"),
        ({"num_groups": -1}, "num_groups is -1"),
        ({"group_size": 1.1}, "group_size is 1.1"),
        ({"group_bias": -0.5}, "group_bias is -0.5"),
        ({"group_bias": math.inf}, "group_bias is inf"),
        ({"breadth": 1}, "mixed_root=False"),
        ({"memory_bytes": -1}, "memory_bytes is -1"),
    ],
)
def test_spec__refuses_what_is_out_of_range(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        PGameSpec(**{"breadth": 2, "depth": 4, **fields})


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"breadth": 2.5}, "breadth is 2.5; it must be a whole number"),
        ({"depth": "4"}, "depth is '4'"),
        ({"seed": None}, "seed is None"),
        ({"combination": "much"}, "combination is 'much'; it must be a number"),
    ],
)
def test_spec__refuses_what_is_no_number(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(TypeError, match=words):
        PGameSpec(**{"breadth": 2, "depth": 4, **fields})


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"breadth": 2, "depth": 30}, "has 2147483647 nodes, which need 8858370044 bytes; the cap is 1073741824"),
        ({"breadth": 10_000, "depth": 1_000}, "has more than 1e308 nodes"),
        ({"breadth": 8, "depth": 12}, "has 78536544841 nodes"),
        ({"breadth": 2, "depth": 40, "combination": 0.1}, "has about 36566443490 nodes"),
        ({"breadth": 2, "depth": 4, "memory_bytes": 100}, "has 31 nodes, which need 128 bytes; the cap is 100"),
    ],
)
def test_spec__a_game_beyond_its_cap_is_refused_with_its_size(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        PGameSpec(**fields)


def test_draw__a_dag_that_turns_out_larger_than_expected_is_refused() -> None:
    for cap in range(1_000, 3_000, 50):  # somewhere the average fits and some game does not
        try:
            specs = [PGameSpec(breadth=2, depth=8, combination=0.2, seed=s, memory_bytes=cap) for s in range(40)]
        except ValueError:
            continue
        with pytest.raises(ValueError, match="has more than"):
            list(map(PGame, specs))
        return
    pytest.fail("no cap was large enough")


def test_unfolded__a_tree_beyond_the_cap_is_refused_with_its_size() -> None:
    game = made(2, 30, combination=0.3, seed=1, mixed_root=False)
    with pytest.raises(ValueError, match="has 2147483647 nodes"):
        game.unfolded()


def test_draw__a_root_that_is_never_mixed_is_refused_after_many_tries() -> None:
    with pytest.raises(ValueError, match="none of 20000 roots"):
        made(2, 1, combination=0.9999999, seed=1)  # both moves are always merged
