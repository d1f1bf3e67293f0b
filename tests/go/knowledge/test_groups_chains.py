"""Groups of moves by what they do to chains: saves, kills, threats, liberties, chains, chain-makers; in pictures."""

from __future__ import annotations

from go.group_pictures import assert_groups
from go.playout_pictures import SIMPLE_KO
from reference.vertices import points_at
from tesuji.go import Board, Color
from tesuji.go.knowledge.groups import (
    Border,
    Chains,
    EnemyChainMakers,
    EnemyKills,
    EnemyThreats,
    FriendlyChainMakers,
    FriendlySaves,
    FriendlyThreats,
    ManyLiberties,
    find,
)

# friendly-saves ----


def test_friendly_saves__extends() -> None:
    assert_groups(
        FriendlySaves(),
        """
        . . O . . .
        . O X * . .
        . . O . . .
        . . . . . .
        """,
    )


def test_friendly_saves__connects_to_a_chain_with_liberties() -> None:
    assert_groups(
        FriendlySaves(),
        """
        X * X .
        O O X .
        . . . .
        """,
    )


def test_friendly_saves__takes_a_stone_beside_the_chain_or_extends() -> None:
    assert_groups(
        FriendlySaves(),
        """
        . . X . . .
        . X O * . .
        . O X * . .
        . . O . . .
        . . . . . .
        """,
    )


def test_friendly_saves__takes_a_stone_where_extending_is_of_no_use() -> None:
    assert_groups(
        FriendlySaves(),
        """
        X X . .
        O * . .
        X . O .
        O O . .
        """,
    )


def test_friendly_saves__does_not_run_into_another_atari() -> None:
    assert_groups(
        FriendlySaves(),
        """
        . . . . .
        O O O . .
        O X . . .
        """,
    )


def test_friendly_saves__a_stone_without_atari_needs_none() -> None:
    assert_groups(
        FriendlySaves(),
        """
        . . O . .
        . O X . .
        . . . . .
        """,
    )


def test_friendly_saves__small_chains_can_be_left_out() -> None:
    assert_groups(
        FriendlySaves(min_stones=2),
        """
        . . O . . O O .
        . O X . O X X *
        . . O . . O O .
        . . . . . . . .
        """,
    )


def test_friendly_saves__one_move_saves_two_chains_and_is_there_once() -> None:
    assert_groups(
        FriendlySaves(),
        """
        . O . O .
        O X * X O
        . O . O .
        . . . . .
        """,
    )


def test_friendly_saves_and_kills__have_no_move_that_ko_forbids() -> None:
    board = Board.from_text(
        """
        . . . . . .
        . . O X . .
        . O X . X .
        . . O X . .
        . . . . . .
        """,
        to_play=Color.WHITE,
        rules=SIMPLE_KO,
    )
    board.play("D3")
    assert board.in_atari(*points_at(board, "D3"))
    assert find(board, [FriendlySaves(), EnemyKills()]) == []


# enemy-kills ----


def test_enemy_kills__takes_a_stone() -> None:
    assert_groups(
        EnemyKills(),
        """
        . . X . .
        . X O * .
        . . X . .
        """,
    )


def test_enemy_kills__takes_from_inside_without_a_liberty_of_its_own() -> None:
    assert_groups(
        EnemyKills(),
        """
        * O X .
        O O X .
        X X X .
        . . . .
        """,
    )


def test_enemy_kills__two_liberties_are_too_many() -> None:
    assert_groups(
        EnemyKills(),
        """
        . . . . .
        . X O . .
        . . X . .
        """,
    )


def test_enemy_kills__small_chains_can_be_left_out() -> None:
    assert_groups(
        EnemyKills(min_stones=2),
        """
        . . X . . X X .
        . X O . X O O *
        . . X . . X X .
        """,
    )


def test_enemy_kills__stones_of_all_chains_that_a_move_takes_count() -> None:
    assert_groups(
        EnemyKills(min_stones=2),
        """
        . X . X .
        X O * O X
        . X . X .
        """,
    )


# enemy-threats, friendly-threats ----


def test_enemy_threats__are_the_liberties_of_enemy_chains_that_have_few() -> None:
    assert_groups(
        EnemyThreats(),
        """
        . . X . . .
        . X O * . .
        . . * . . .
        . . . . . .
        """,
    )


def test_enemy_threats__three_liberties_are_no_threat_unless_asked_for() -> None:
    picture = """
        . * . . .
        X O * . .
        . * . . .
        . . . . .
        """
    assert_groups(EnemyThreats(), picture.replace("*", "."))
    assert_groups(EnemyThreats(max_liberties=3), picture)


def test_enemy_threats__a_corner_stone_that_nobody_touches_is_under_no_threat() -> None:
    assert_groups(
        EnemyThreats(),
        """
        O . . .
        . . . .
        . . X .
        """,
    )


def test_friendly_threats__are_the_liberties_of_own_chains_that_have_few() -> None:
    assert_groups(
        FriendlyThreats(),
        """
        . . O . . .
        . O X * . .
        . . * . . .
        . . . . . .
        """,
    )


def test_friendly_threats__of_atari_only() -> None:
    assert_groups(
        FriendlyThreats(max_liberties=1),
        """
        X O . O .
        * . O X *
        . . . O .
        . X O . .
        . . X . .
        """,
    )


# many-liberties ----


def test_many_liberties__a_lone_stone_has_four_and_is_not_enough() -> None:
    assert_groups(
        ManyLiberties(),
        """
        . . . . .
        . . . . .
        . . . . .
        . . . . .
        """,
    )


def test_many_liberties__four_are_the_points_off_the_edge() -> None:
    assert_groups(
        ManyLiberties(min_liberties=4),
        """
        . . . . . .
        . * * * * .
        . * * * * .
        . . . . . .
        """,
    )


def test_many_liberties__extends_a_stone() -> None:
    assert_groups(
        ManyLiberties(),
        """
        . . . . . . .
        . . . * . . .
        . . * X * . .
        . . . * . . .
        . . . . . . .
        . . . . . . .
        """,
    )


def test_many_liberties__counts_a_liberty_of_two_chains_once() -> None:
    """Three stones with eight places beside them, one of which two stones share."""
    assert_groups(
        ManyLiberties(min_liberties=7),
        """
        . . . . . . .
        . . X * . . .
        . . * X . . .
        . . . . . . .
        . . . . . . .
        """,
    )
    assert_groups(
        ManyLiberties(min_liberties=8),
        """
        . . . . . . .
        . . X . . . .
        . . . X . . .
        . . . . . . .
        . . . . . . .
        """,
    )


def test_many_liberties__counts_what_a_capture_frees() -> None:
    picture = """
        X X X X
        X O O *
        X X X X
        """
    assert_groups(ManyLiberties(min_liberties=2), picture)
    assert_groups(ManyLiberties(min_liberties=3), picture.replace("*", "."))


# chains ----


def test_chains__each_chain_has_a_group_of_its_liberties() -> None:
    assert_groups(
        Chains(max_liberties=5),
        """
        . * . . . . .
        * X O . . . .
        * X O . . . .
        . * . . . . .
        . . . . . . .
        """,
        """
        . . * . . . .
        . X O * . . .
        . X O * . . .
        . . * . . . .
        . . . . . . .
        """,
    )


def test_chains__lone_stones_and_chains_with_many_liberties_have_none() -> None:
    assert_groups(
        Chains(max_liberties=4),
        """
        . . . . . . .
        . X O . . . .
        . . O . O * .
        . . . . O X *
        . . . . O X *
        . . . . . * .
        . . . . . . .
        """,
    )


def test_chains__single_stones_if_asked_for() -> None:
    assert_groups(
        Chains(min_stones=1, max_liberties=2),
        """
        X * . .
        * . . .
        . . . O
        """,
        """
        X . . .
        . . . *
        . . * O
        """,
    )


def test_chains__two_chains_with_the_same_liberty_have_a_group_each() -> None:
    assert_groups(Chains(max_liberties=1), "X X * O O", "X X * O O")


def test_chains__a_chain_whose_liberties_cannot_be_played_has_none() -> None:
    """X cannot fill its own eye, nor play into the enemy's."""
    assert_groups(
        Chains(max_liberties=2),
        """
        . X O .
        X X O O
        X O O .
        """,
    )


# friendly-chain-makers, enemy-chain-makers ----


def test_friendly_chain_makers__join_two_chains() -> None:
    assert_groups(
        FriendlyChainMakers(),
        """
        . . . . . .
        . X * X . .
        . * . . . .
        . X . . X .
        . . . . . .
        """,
    )


def test_friendly_chain_makers__make_a_large_chain() -> None:
    assert_groups(
        FriendlyChainMakers(),
        """
        . * * * . .
        * X X X * .
        . * * * . .
        . . . . . .
        . X X . . .
        """,
    )


def test_friendly_chain_makers__two_ends_of_one_chain_are_one_chain() -> None:
    assert_groups(
        FriendlyChainMakers(min_stones=9),
        """
        . . . . .
        . X . X .
        . X . X .
        . X X X .
        . . . . .
        """,
    )


def test_enemy_chain_makers__are_where_the_enemy_would_join_two_chains() -> None:
    assert_groups(
        EnemyChainMakers(),
        """
        . . . . . .
        . O * O . .
        . * . . . .
        . O X . O .
        . . . . . .
        """,
    )


def test_enemy_chain_makers__smaller_chains_if_asked_for() -> None:
    assert_groups(
        EnemyChainMakers(min_stones=3),
        """
        . * * . .
        * O O * .
        . * * . .
        . . . . .
        . . O X .
        """,
    )


def test_enemy_chain_makers__not_where_it_would_be_suicide() -> None:
    """White's stones at the corner have one liberty, and filling it would take their last one."""
    assert_groups(
        EnemyChainMakers(),
        """
        . O X .
        O X X .
        X X . .
        . . . .
        """,
    )
    assert_groups(
        Border(),
        """
        * O X *
        O X X *
        X X . *
        * * * *
        """,
    )
