"""Whole policies: what a single move does, methods, origins, ends, bad input."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from go.playout_pictures import BLACK, PLAIN, READER, SIMPLE_KO, WHITE
from reference.vertices import points_at
from tesuji._core import go as native
from tesuji.go import NEW_ZEALAND, Board, Color, Rules
from tesuji.go.knowledge import GoGame
from tesuji.go.knowledge.playouts import (
    CAPTURE_ESCAPE_PATTERN,
    FUEGO,
    MOGO,
    ORIGINS,
    POLICIES,
    RULES,
    UNIFORM,
    URGENCY,
    PlayoutPolicy,
    candidates,
    run_playouts,
)
from tesuji.search import RAVE, Search, SearchConfig

# What a single move does: playouts of length one, told apart by the margin that they leave ----


def one_move(policy: PlayoutPolicy, board: Board) -> PlayoutPolicy:
    return replace(policy, length_coefficient=1.5 / board.num_points)


def margins_of_one_move(board: Board, policy: PlayoutPolicy, playouts: int = 2000, seed: int = 1) -> dict[int, float]:
    """How often each margin is left, as a share."""
    margins, _ = run_playouts(board, one_move(policy, board), playouts, seed=seed)
    values, counts = np.unique(margins, return_counts=True)
    return {int(value): count / playouts for value, count in zip(values, counts, strict=True)}


ONE_MOVE_IN_A_CORNER = """
    . . O
    O O O
    """


@pytest.mark.parametrize(("probability", "origin"), [(1.0, "pass"), (0.0, "random")])
def test_self_atari_probability__of_refusing_random_moves(probability: float, origin: str) -> None:
    board = Board.from_text(ONE_MOVE_IN_A_CORNER)
    policy = PlayoutPolicy(self_atari="never", self_atari_probability=probability)
    _, origins = run_playouts(board, one_move(policy, board), 50, seed=1)
    assert origins[origin] == 50


def test_self_atari_probability__in_between_refuses_sometimes() -> None:
    board = Board.from_text(ONE_MOVE_IN_A_CORNER)
    policy = PlayoutPolicy(self_atari="never", self_atari_probability=0.75)
    _, origins = run_playouts(board, one_move(policy, board), 4000, seed=1)
    assert origins["pass"] / 4000 == pytest.approx(0.75, abs=0.03)


def test_mends_eyes__a_random_move_with_one_empty_neighbour_goes_there() -> None:
    board = Board.from_text("O . . .")
    # B1 takes the stone, C1 and D1 do not; with mending D1 becomes C1. B1 stays: it captures.
    assert margins_of_one_move(board, PLAIN).keys() == {4, 1, 0}
    assert margins_of_one_move(board, replace(PLAIN, mends_eyes=True)).keys() == {4, 1}


def test_mends_eyes__not_where_the_neighbour_has_no_other_empty_point() -> None:
    board = Board.from_text("O . .")
    assert margins_of_one_move(board, replace(PLAIN, mends_eyes=True)).keys() == {3, 0}


# A chain of four and one of one, both in atari; the margins after taking them differ.
FOUR_OR_ONE = """
    O O O O . X
    X X X X . X
    X . . . . X
    O . X . . X
    """


@pytest.mark.parametrize(
    "policy",
    [PlayoutPolicy(rules=(("capture", 1.0),)), replace(CAPTURE_ESCAPE_PATTERN, list_limit=0)],
    ids=["ordered", "weighted"],
)
def test_capture__a_chain_is_taken_as_often_as_it_has_stones(policy: PlayoutPolicy) -> None:
    shares = margins_of_one_move(Board.from_text(FOUR_OR_ONE), policy)
    assert sorted(shares.values()) == pytest.approx([1 / 5, 4 / 5], abs=0.03)


def test_weighted__an_escape_that_captures_counts_for_both_chains_and_again_as_a_capture() -> None:
    board = Board.from_text(
        """
        . . X . . . .
        . X O . . . .
        . O X . . . .
        . . O . . . .
        . . . . . . .
        """
    )
    # Running counts 1; taking the attacker 1 + 1 as an escape and 1 as a capture.
    shares = margins_of_one_move(board, replace(CAPTURE_ESCAPE_PATTERN, list_limit=0))
    assert sorted(shares.values()) == pytest.approx([1 / 4, 3 / 4], abs=0.03)


def test_weighted__an_escape_that_is_the_capture_itself_is_listed_once() -> None:
    board = Board.from_text(
        """
        O O X . . O X .
        X . . . . X X .
        O . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """
    )
    # B4 saves one stone and takes two: 1 + 2 as an escape, 2 as a capture. E5 takes one stone.
    shares = margins_of_one_move(board, replace(CAPTURE_ESCAPE_PATTERN, list_limit=0))
    assert sorted(shares.values()) == pytest.approx([1 / 6, 5 / 6], abs=0.03)


def test_escape__an_attacker_that_touches_the_chain_at_three_places_is_taken_once() -> None:
    board = Board.from_text(
        """
        . O O O X X .
        O X X X O . .
        . O O . O . .
        . . . . . . .
        """
    )
    found = native.candidates(board, PLAIN.native(board.num_points), RULES.index("escape"))
    assert found == points_at(board, "A4")


def test_urgency__weighs_captures_by_their_stones() -> None:
    board = Board.from_text(
        """
        O O O . X
        X X X X .
        . . . . .
        """
    )
    # Taking three stones weighs 31, each of the other six points 1.
    shares = margins_of_one_move(board, replace(URGENCY, pattern_urgency=0.0), playouts=4000)
    assert max(shares.values()) == pytest.approx(31 / 37, abs=0.03)


def test_urgency__looks_at_every_point_of_the_largest_board() -> None:
    rows = [["."] * 25 for _ in range(25)]
    rows[24][23:] = ["X", "O"]
    board = Board.from_text("\n".join(" ".join(row) for row in rows))
    assert len(margins_of_one_move(board, URGENCY)) == 2  # taking the corner stone weighs 11 of some 640


def test_margin_weight__is_the_share_of_the_margin_in_a_playouts_value() -> None:
    board = Board.from_text(
        """
        . X .
        X X X
        . X .
        """,
        komi=3.0,
    )
    # Nothing but passing is left, and the first simulation is one playout: black wins by six points of nine.
    for weight in (0.0, 0.02, 0.5, 1.0):
        found = Search(GoGame(board, PlayoutPolicy(margin_weight=weight))).run(simulations=1, seed=1)
        assert float(found.values[0]) == pytest.approx((1 - weight) + weight * (0.5 + 0.5 * 6 / 9), abs=1e-6)


# Methods, origins, ends ----


def moves_of(origins: dict[str, int]) -> int:
    return sum(origins.values())


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule not in ("last-good-reply", "edge", "node")])
def test_origins__a_rule_is_counted_where_it_moves_and_not_where_it_is_off(rule: str) -> None:
    # The others learn, and need a search or tables.
    _, on = run_playouts(Board(9), PlayoutPolicy(rules=((rule, 1.0),)), 30, seed=1)
    _, off = run_playouts(Board(9), PlayoutPolicy(rules=((rule, 0.0),)), 30, seed=1)
    assert on[rule] > 0
    assert {name for name, count in on.items() if count} == {rule, "random", "pass"}
    assert {name for name, count in off.items() if count} == {"random", "pass"}


def test_origins__a_rule_is_tried_as_often_as_its_probability_says() -> None:
    board = Board.from_text(FOUR_OR_ONE)
    policy = PlayoutPolicy(rules=(("capture", 0.3),))
    _, origins = run_playouts(board, one_move(policy, board), 4000, seed=1)
    assert origins["capture"] / 4000 == pytest.approx(0.3, abs=0.03)
    assert moves_of(origins) == 4000


def test_ordered__the_first_rule_that_finds_a_move_plays_it() -> None:
    board = Board.from_text(FOUR_OR_ONE)
    for order, first in ((("capture", "fill-board"), "capture"), (("nakade", "capture"), "capture")):
        policy = PlayoutPolicy(rules=tuple((rule, 1.0) for rule in order))
        _, origins = run_playouts(board, one_move(policy, board), 100, seed=1)
        assert origins[first] == 100


LONG_LIST = """
    . . . . . . . . .
    . O O O O O . . .
    O X X X X X . . .
    . O O O O O . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    """


def test_weighted__fill_board_is_tried_only_while_the_list_is_shorter_than_its_limit() -> None:
    board = Board.from_text(LONG_LIST)  # one escape, of five stones
    for limit, is_filled in ((5, False), (6, True)):
        policy = replace(CAPTURE_ESCAPE_PATTERN, list_limit=limit, fill_board_tries=1000)
        _, origins = run_playouts(board, one_move(policy, board), 200, seed=1)
        assert (origins["fill-board"] > 0) == is_filled
        assert origins["escape"] > 0


@pytest.mark.parametrize("policy", [CAPTURE_ESCAPE_PATTERN, URGENCY], ids=["weighted", "urgency"])
def test_origins__captures_are_counted_as_captures(policy: PlayoutPolicy) -> None:
    _, origins = run_playouts(Board(9), policy, 50, seed=1)
    assert origins["capture"] > 0


def test_uniform__has_random_moves_and_passes_only() -> None:
    _, origins = run_playouts(Board(9), UNIFORM, 50, seed=1)
    assert {name for name, count in origins.items() if count} == {"random", "pass"}
    assert tuple(origins) == ORIGINS


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_length_coefficient__limits_the_moves_of_a_playout(policy: PlayoutPolicy) -> None:
    _, origins = run_playouts(Board(9), replace(policy, length_coefficient=0.5), 20, seed=1)
    assert moves_of(origins) == 20 * 40  # half of 81, and nobody passes so early
    margins, origins = run_playouts(Board(9), replace(policy, length_coefficient=0.001), 20, seed=1)
    assert moves_of(origins) == 0
    assert not margins.any()


def test_mercy__ends_a_playout_when_one_side_has_enough_stones_more() -> None:
    _, origins = run_playouts(Board(9), replace(MOGO, mercy=0.001), 20, seed=1)  # at least one stone
    assert moves_of(origins) == 20
    margins, short = run_playouts(Board(9), replace(MOGO, mercy=0.2), 100, seed=1)
    _, whole = run_playouts(Board(9), MOGO, 100, seed=1)
    assert moves_of(short) < 0.9 * moves_of(whole)
    assert np.abs(margins).min() > 0


@pytest.mark.parametrize(
    "picture",
    [
        ".",
        """
        . X .
        X X X
        """,
        """
        . X O .
        X X O O
        . X O .
        """,
    ],
    ids=["1x1", "two eyes", "two eyes each"],
)
@pytest.mark.parametrize("to_play", [BLACK, WHITE])
def test_no_legal_move__every_rule_finds_none_and_playouts_pass(picture: str, to_play: Color) -> None:
    board = Board.from_text(picture, to_play=to_play, rules=SIMPLE_KO)
    for name, policy in POLICIES.items():
        assert all(candidates(board, rule, policy) == [] for rule in RULES)
        margins, origins = run_playouts(board, policy, 10, seed=1)
        assert origins == dict.fromkeys(ORIGINS, 0) | {"pass": 20}, name
        assert len(set(margins.tolist())) == 1


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_run_playouts__one_seed_gives_one_result_and_another_gives_another(policy: PlayoutPolicy) -> None:
    margins, origins = run_playouts(Board(9), policy, 30, seed=7)
    again, same = run_playouts(Board(9), policy, 30, seed=7)
    other, _ = run_playouts(Board(9), policy, 30, seed=8)
    assert np.array_equal(margins, again)
    assert origins == same
    assert not np.array_equal(margins, other)


def test_run_playouts__leaves_the_board_as_it_was() -> None:
    board = Board.from_text(FOUR_OR_ONE)
    before = board.copy()
    run_playouts(board, FUEGO, 5, seed=1)
    candidates(board, "escape", READER)
    assert board == before


SIZES = [(1, 1), (1, 2), (2, 2), (3, 3), (1, 9), (9, 1), (5, 7), (9, 9), (13, 13), (19, 5), (19, 19), (25, 3), (25, 25)]


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_policies__play_out_boards_of_every_size(size: tuple[int, int], policy: PlayoutPolicy) -> None:
    """That every move of these playouts is legal is asked in core/tests/test_tactics.cpp."""
    board = Board(*size)
    for _ in range(2):
        margins, origins = run_playouts(board, policy, 5, seed=3)
        assert np.abs(margins).max() <= board.num_points
        assert moves_of(origins) <= 5 * max(1, policy.length_coefficient * board.num_points)
        board.play("pass")


CHOICES = st.lists(st.integers(0, 2**16), max_size=50)


@given(
    size=st.tuples(st.integers(1, 7), st.integers(1, 7)),
    choices=CHOICES,
    policy=st.sampled_from([PLAIN, READER, *POLICIES.values(), PlayoutPolicy(self_atari="never")]),
    rules=st.sampled_from([SIMPLE_KO, NEW_ZEALAND]),
)
@settings(max_examples=150, deadline=None)
def test_candidates__are_legal_and_do_what_their_rule_says(
    size: tuple[int, int], choices: list[int], policy: PlayoutPolicy, rules: Rules
) -> None:
    board = Board(*size, rules=rules)
    for choice in choices:
        moves = board.legal_moves(board.color_to_play).tolist()
        board.play(moves[choice % len(moves)])
    # Playouts observe the simple ko and play no suicide; a superko of the rules is the tree's affair.
    now = board.position.board(rules=SIMPLE_KO)
    legal = set(now.legal_moves(now.color_to_play).tolist()) - {board.pass_move}
    found = {rule: set(candidates(board, rule, policy)) for rule in RULES}
    for rule, moves in found.items():
        assert moves <= legal, rule
    takes = {move for move in legal if stones_taken(now, move) > 0}
    assert found["capture"] == takes
    assert found["capture-last"] <= takes
    assert found["defend"] <= found["escape"]
    for move in found["escape"] - takes:
        after = now.copy()
        after.play(move)
        assert len(after.liberties(move)) >= 2
    for move in found["fill-board"]:
        assert now.code3x3(move) == 0


def stones_taken(board: Board, move: int) -> int:
    after = board.copy()
    enemy = Color(3 - board.color_to_play)
    before = after.captured(enemy)
    after.play(move)
    return after.captured(enemy) - before


# Bad input ----


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"rules": (("ladder", 1.0),)}, "'ladder' is not a rule of playouts; choose from capture-last, defend"),
        ({"rules": (("random", 1.0),)}, "'random' is not a rule of playouts; choose from capture-last, defend"),
        ({"rules": (("capture", 1.5),)}, "the probability of 'capture' is 1.5; it must lie in 0..1"),
        ({"rules": (("capture", -0.1),)}, "the probability of 'capture' is -0.1; it must lie in 0..1"),
        ({"rules": (("capture", math.nan),)}, "the probability of 'capture' is nan; it must lie in 0..1"),
        ({"rules": (("capture", math.inf),)}, "the probability of 'capture' is inf; it must lie in 0..1"),
        ({"rules": (("capture", "often"),)}, "the probability of 'capture' is 'often'; it must lie in 0..1"),
        ({"method": "random"}, "method is 'random'; choose from ordered, weighted, urgency"),
        ({"self_atari": "maybe"}, "self_atari is 'maybe'; choose from allowed, never, small, nakade"),
        ({"self_atari_probability": 2.0}, "self_atari_probability is 2.0; it must lie in 0..1"),
        ({"mercy": -0.5}, "mercy is -0.5; it must lie in 0..1"),
        ({"margin_weight": math.nan}, "margin_weight is nan; it must lie in 0..1"),
        ({"fill_board_tries": -1}, "fill_board_tries is -1; it must lie in 0..1,000"),
        ({"list_limit": -1}, "list_limit is -1; it must lie in 0..1,000,000"),
        ({"length_coefficient": 0.0}, "length_coefficient is 0.0; it must lie in 0.0001..100"),
        ({"length_coefficient": math.nan}, "length_coefficient is nan; it must lie in 0.0001..100"),
        ({"pattern_urgency": -1.0}, "pattern_urgency is -1.0; it must lie in 0..1,000,000"),
    ],
)
def test_policy__bad_values_are_named_with_their_rule_and_remedy(fields: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        PlayoutPolicy(**fields)


def test_policy__no_rules_is_uniform_play() -> None:
    assert PlayoutPolicy(rules=()).is_uniform
    assert PlayoutPolicy() == UNIFORM
    assert not MOGO.is_uniform


def test_candidates__an_unknown_rule_is_named() -> None:
    with pytest.raises(ValueError, match="'atari' is not a rule of playouts; choose from capture-last"):
        candidates(Board(9), "atari")


@pytest.mark.parametrize("playouts", [0, -3])
def test_run_playouts__there_must_be_some(playouts: int) -> None:
    with pytest.raises(ValueError, match=f"playouts is {playouts}; it must be at least 1"):
        run_playouts(Board(9), MOGO, playouts, seed=1)


def test_amaf_share__amaf_hears_the_first_moves_of_a_playout_only() -> None:
    def amaf_visits(share: float) -> int:
        policy = replace(PLAIN, amaf_share=share, self_atari="never")  # not the uniform policy, which has no such limit
        config = SearchConfig(amaf=RAVE())
        return int(Search(GoGame(Board(5), policy), config).run(simulations=200, seed=1).amaf_visits.sum())

    none, half, all_of_them = amaf_visits(0.0), amaf_visits(0.5), amaf_visits(100.0)
    assert none < half < all_of_them
    assert none >= 200  # the moves of the tree itself
