"""The base policy (Basaldúa, 4.6): atari tactics, eyes with and without potential, what is skipped and comes back."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from go.playout_pictures import BLACK, PLAIN, SIMPLE_KO, WHITE, assert_finds, board_of, forms, marked
from tesuji._core import go as native
from tesuji.go import Board
from tesuji.go.knowledge.playouts import BASE, POLICIES, PlayoutPolicy, candidates, run_playouts

# atari tactics ----


@pytest.mark.parametrize(
    "picture",
    [
        # White ran to two liberties: the ladder goes on, from the side that leaves it one.
        """
        . . . . . . .
        . . X X . . .
        . X O o * . .
        . . X . . . .
        . . . . . . .
        """,
        # Black's stone was put into atari: it runs.
        """
        . . . . . .
        . . O . . .
        . O X o . .
        . . * . . .
        . . . . . .
        . . . . . .
        """,
        # Or takes what put it there.
        """
        . . . . . .
        . O X . . .
        O X o * . .
        . * X . . .
        . . . . . .
        """,
        # White moved into atari itself.
        """
        . X . . .
        X o * . .
        . X . . .
        . . . . .
        """,
    ],
    ids=["a ladder goes on", "an atari is answered", "the attacker is taken too", "self-atari is punished"],
)
def test_atari_tactics__answers_what_the_last_move_did_with_ataris(picture: str) -> None:
    assert_finds("atari-tactics", picture)


@pytest.mark.parametrize(
    "picture",
    [
        # The chain reached three liberties: no move puts it into atari again.
        """
        . . . . . . .
        . . X . . . .
        . X O o . . .
        . . . . . . .
        . . . . . . .
        """,
        # Two liberties, but it did not run from an atari.
        """
        . . . . .
        . X o . .
        . . X . .
        . . . . .
        """,
        """
        . . . . .
        . . o . .
        . . . X .
        """,
    ],
    ids=["three liberties", "no atari before", "nothing happened"],
)
def test_atari_tactics__lets_everything_else_be(picture: str) -> None:
    assert_finds("atari-tactics", picture)


def test_atari_tactics__plays_a_ladder_to_its_end() -> None:
    """Each side's answer is one move at every step, until the prey is taken at the edge."""
    board = Board(9, rules=SIMPLE_KO)
    board.place(WHITE, ["D4"])
    board.place(BLACK, ["C4", "D3", "E3", "C5"])
    board.color_to_play = BLACK
    board.play("E4")
    steps = 0
    while (found := candidates(board, "atari-tactics", PLAIN)) and board.grid.ravel()[board.point("D4")] == WHITE:
        assert len(found) <= 2, board.to_text()
        board.play(found[0])
        steps += 1
    assert steps >= 8
    board.play("pass")  # nothing saves it at the edge
    assert candidates(board, "capture", PLAIN) == [board.point("H9")], board.to_text()


def test_atari_tactics__surer_the_longer_a_ladder_runs() -> None:
    native_policy = BASE.native(81)
    assert native_policy.atari_first == pytest.approx(0.3405)
    assert native_policy.atari_certain == 8
    always = replace(BASE, atari_first=1.0)
    never = replace(BASE, atari_first=0.0, rules=(("atari-tactics", 0.0), ("pattern", 0.4812)))
    shares = []
    for policy in (never, BASE, always):
        _, origins = run_playouts(Board(9), policy, 400, seed=1)
        shares.append(origins["atari-tactics"] / sum(origins.values()))
    assert shares[0] == 0
    assert 0 < shares[1] < shares[2]


# what is skipped comes before random moves ----


def test_skipping__what_no_draw_played_is_played_before_random_moves() -> None:
    found = """
        . . . . .
        . X . . .
        . o O . .
        . . . . .
        . . . . .
        """
    for signs, me in forms(found):
        board = board_of(signs, me)
        expected = set(candidates(board, "pattern", BASE))
        if expected:
            break
    assert expected
    skipping = replace(BASE, rules=(("pattern", 0.0),))
    _, origins = run_playouts(board, skipping, 200, seed=1)
    assert origins["pattern"] == 0
    assert origins["skipped"] > 200  # one at least in every playout
    ordered = replace(skipping, method="ordered")
    _, origins = run_playouts(board, ordered, 200, seed=1)
    assert origins["skipped"] == 0


def test_base__shares_of_moves_are_near_those_of_the_source() -> None:
    """Table 4.8, isGO(base): 7.60 % atari tactics, 17.66 % patterns, 19.04 % skipped, over three sizes of board."""
    _, origins = run_playouts(Board(13), BASE, 300, seed=1)
    shares = {name: count / sum(origins.values()) for name, count in origins.items()}
    assert shares["edge"] == shares["node"] == 0
    assert 0.03 < shares["atari-tactics"] < 0.20
    assert 0.08 < shares["pattern"] < 0.30
    assert 0.05 < shares["skipped"] < 0.30
    assert 0.005 < shares["mended"] < 0.10
    assert sum(shares.values()) == pytest.approx(1)


# eyes ----

EYES = {
    "diagonals are friends": (
        """
        X X X
        X * X
        X X X
        """,
        "nn",
    ),
    "one empty diagonal": (
        """
        . . . . .
        . . X X .
        . X * X .
        . X X X .
        . . . . .
        """,
        "nn",
    ),
    "two empty diagonals": (
        """
        . . . . .
        . . X . .
        . X * X .
        . X X X .
        . . . . .
        """,
        "ny",
    ),
    "an empty diagonal at the edge": (
        """
        X * X .
        . X X .
        . . . .
        """,
        "ny",
    ),
    "an empty diagonal that is itself an eye": (
        """
        * X .
        X . X
        . X X
        """,
        "nn",
    ),
    "a false eye": (
        """
        * X .
        X O .
        . . .
        """,
        "yy",
    ),
}


@pytest.mark.parametrize("name", EYES)
def test_eyes__with_and_without_potential(name: str) -> None:
    picture, kinds = EYES[name]
    for signs, me in forms(picture):
        board = board_of(signs, me)
        (point,) = marked(signs)
        for has_potential, kind in zip((True, False), kinds, strict=True):
            policy = replace(PLAIN, eye_potential=has_potential).native(board.num_points)
            assert native.is_acceptable(board, policy, point) == (kind == "y"), (has_potential, board.to_text())


def test_eyes__playouts_without_potential_end_too() -> None:
    for policy in (replace(BASE, eye_potential=False), PlayoutPolicy(eye_potential=False)):
        margins, origins = run_playouts(Board(7), policy, 100, seed=2)
        assert np.abs(margins).max() <= 49
        assert origins["pass"] > 0


# the rest of the policy ----


def test_base__preserves_a_seki() -> None:
    """Whoever takes one of the two shared liberties is taken itself; nobody does."""
    picture = """
        * X X X *
        O O O O O
        X X X X X
        . X . X .
        """
    for signs, _ in forms(picture):
        for color in (BLACK, WHITE):
            board = board_of(signs, color)
            for point in marked(signs):
                assert not native.is_acceptable(board, BASE.native(board.num_points), point), board.to_text()
    board = board_of(next(iter(forms(picture)))[0])
    margins, _ = run_playouts(board, BASE, 50, seed=1)
    assert set(margins.tolist()) == {len("XXXXXXXXXXeye") - len("OOOOO")}


def test_base__improves_random_moves_to_mend_eyes() -> None:
    _, with_mending = run_playouts(Board(9), BASE, 300, seed=1)
    _, without = run_playouts(Board(9), replace(BASE, mends_eyes=False), 300, seed=1)
    assert with_mending["mended"] > 0
    assert without["mended"] == 0


@pytest.mark.parametrize("name", ["base", "learning", "default-learning"])
def test_policies__have_names(name: str) -> None:
    assert POLICIES[name].learns == ("learning" in name)


def test_policies__bad_values_are_named() -> None:
    with pytest.raises(ValueError, match=r"atari_first is 1\.5; it must lie in 0\.\.1"):
        replace(BASE, atari_first=1.5)
    with pytest.raises(ValueError, match=r"atari_certain is 1; it must lie in 2\.\.1,000"):
        replace(BASE, atari_certain=1)
