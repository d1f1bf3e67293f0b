"""Groups of moves in the Go engine: the search finds those of `tesuji.go.knowledge.groups`, and settings reach them."""

from __future__ import annotations

import msgspec
import pytest

from tesuji.go import Board, Engine, EngineConfig
from tesuji.go.engine.parameters import applied_to_engine
from tesuji.go.engine.presets import ENGINE_PRESETS, engine_preset
from tesuji.go.knowledge.groups import (
    ROWS,
    Border,
    Chains,
    EnemyKills,
    FriendlySaves,
    GoGroups,
    ManhattanEnemy,
    ManhattanFriendly,
    ManhattanTotal,
    ManyLiberties,
    find,
)
from tesuji.go.knowledge.playouts import UNIFORM
from tesuji.search import Grouping, LearnedBiases, Search, SearchConfig
from tesuji.search.parameters import ParameterError

ALL_ROWS = tuple(row() for row in ROWS.values())
LIGHT = EngineConfig(search=SearchConfig(), playouts=UNIFORM, priors=None, simulations=300, seed=1)
TACTICAL = EngineConfig(search=SearchConfig(), uses_symmetry=False, simulations=300, seed=1)
MOVES = ("E5", "D4", "D5", "E4", "F4", "C4")


def with_rows(config: EngineConfig, *rows: object) -> EngineConfig:
    return msgspec.structs.replace(config, groups=Grouping(find=GoGroups(rows)))


def groups_at_root(search: Search) -> list[tuple[str, list[int]]]:
    """Kinds and moves, without the catch-all group and without numbers."""
    groups = search.result().groups
    return sorted((group.name.rstrip("0123456789").rstrip(), group.moves) for group in groups if group.name != "else")


# In the search ----


@pytest.mark.parametrize("config", [LIGHT, TACTICAL], ids=["light playouts", "playouts that know Go"])
def test_search__has_the_groups_that_find_shows_after_every_move(config: EngineConfig) -> None:
    board = Board(9)
    search = with_rows(config, *ALL_ROWS).search_at(board)
    for vertex in MOVES:
        search.run(simulations=2000)
        assert groups_at_root(search) == sorted((group.kind, group.moves) for group in find(board, ALL_ROWS))
        board.play(vertex)
        search.advance(board.moves[-1][1])


def test_search__a_position_without_groups_is_searched_plainly() -> None:
    board = Board(9)
    plain = LIGHT.search_at(board).run(simulations=500, seed=3)
    grouped = with_rows(LIGHT, EnemyKills()).search_at(board)
    first = grouped.run(simulations=1, seed=3)
    assert first.groups == []
    assert sorted(first.moves) == sorted(plain.moves)


def test_search__kinds_without_overlap_leave_the_other_moves_to_else() -> None:
    board = Board(5)
    config = msgspec.structs.replace(LIGHT, groups=Grouping(find=GoGroups((Border(),)), overlap=False))
    groups = {group.name: group.moves for group in config.search_at(board).run(simulations=100, seed=1).groups}
    border = find(board, [Border()])[0].moves
    assert groups["border"] == border
    assert groups["else"] == sorted(set(range(26)) - set(border))  # with the pass


def test_search__learned_biases_can_be_used_again() -> None:
    config = msgspec.structs.replace(
        LIGHT, groups=Grouping(find=GoGroups((ManhattanEnemy(), Border())), biases=LearnedBiases(min_visits=20))
    )
    board = Board(9)
    board.play("E5")
    search = config.search_at(board)
    search.run(simulations=3000, seed=1)
    learned = search.group_biases
    assert learned.keys() == {"else", "manhattan-enemy", "border"}
    Grouping(find=GoGroups((ManhattanEnemy(), Border())), biases=learned)


def test_search__another_game_refuses_gos_groups() -> None:
    from tesuji.games import Connect4

    with pytest.raises(ValueError, match="is of another game"):
        Search(Connect4(), grouping=Grouping(find=GoGroups((Border(),)))).run(simulations=1)


def test_search__rows_that_look_at_the_last_moves_need_a_tree() -> None:
    board = Board(5)
    dag = SearchConfig(graph="dag")
    with pytest.raises(ValueError, match="depend on the path"):
        Search(board, dag, grouping=Grouping(find=GoGroups((ManhattanTotal(),))))
    result = Search(board, dag, grouping=Grouping(find=GoGroups((Border(),)))).run(simulations=200, seed=1)
    assert [group.name for group in result.groups] == ["else", "border"]


def test_groups__no_row_and_a_row_twice_are_refused() -> None:
    with pytest.raises(ValueError, match="is not a row of groups"):
        GoGroups(("border",))
    with pytest.raises(ValueError, match="border comes twice"):
        GoGroups((Border(), Border()))


# In the engine ----


@pytest.mark.parametrize("rows", [(ManhattanEnemy(), ManhattanFriendly()), ALL_ROWS], ids=["two", "all"])
def test_engine__plays_a_game_with_groups(rows: tuple[object, ...]) -> None:
    engine = Engine(with_rows(msgspec.structs.replace(LIGHT, simulations=50), *rows))
    board = Board(5)
    while not board.is_over and len(board.moves) < 60:
        move = engine.genmove(board)
        if move == "resign":
            break
        board.play(move)
    assert board.moves


def test_engine__the_same_seed_gives_the_same_move() -> None:
    engine = with_rows(LIGHT, *ALL_ROWS)
    board = Board(9)
    board.play("E5")
    assert Engine(engine).genmove(board) == Engine(engine).genmove(board)


def test_engine__groups_and_priors_exclude_each_other() -> None:
    with pytest.raises(ValueError, match="groups are for searches without priors"):
        with_rows(EngineConfig(), Border())


# Presets ----


def test_presets__are_table_3_1() -> None:
    rows = {
        "base": None,
        "no-group": None,
        "man-group": (ManhattanEnemy(), ManhattanFriendly()),
        "man-group-small": (ManhattanEnemy(), ManhattanFriendly()),
        "james-group": (ManhattanTotal(), EnemyKills(), FriendlySaves(), ManyLiberties()),
        "james-group-no-man": (EnemyKills(), FriendlySaves(), ManyLiberties()),
    }
    for name, expected in rows.items():
        config = engine_preset(name)
        assert (config.groups.find.rows if config.groups else None) == expected
        assert config.playouts == UNIFORM
        assert (config.search.amaf, config.search.prior, config.priors) == (None, None, None)
        assert config.search.graph == ("tree" if name == "base" else "shared-values")
    entries = {name: ENGINE_PRESETS[name].search.table_entries for name in rows if name != "base"}
    assert {name for name, number in entries.items() if number == 50_000} == {"man-group-small"}
    assert set(entries.values()) == {50_000, 500_000}


@pytest.mark.parametrize("name", ["no-group", "man-group", "man-group-small", "james-group", "james-group-no-man"])
def test_presets__the_search_is_bases_with_a_table(name: str) -> None:
    entries = engine_preset(name).search.table_entries
    base = msgspec.structs.replace(engine_preset("base").search, graph="shared-values", table_entries=entries)
    assert engine_preset(name).search == base
    assert Engine(msgspec.structs.replace(engine_preset(name), simulations=200, seed=1)).genmove(Board(9)) != "resign"


# Flat names ----


def test_parameters__rows_come_in_with_their_defaults_and_keep_what_is_set() -> None:
    base = engine_preset("uct")
    config = applied_to_engine({"groups": "manhattan-enemy chains", "chains_max_liberties": 3}, base)
    assert config.groups == Grouping(find=GoGroups((ManhattanEnemy(), Chains(max_liberties=3))))
    more = applied_to_engine({"groups": "border chains", "border_distance": 1}, config)
    assert more.groups == Grouping(find=GoGroups((Border(distance=1), Chains(max_liberties=3))))
    assert applied_to_engine({"groups": "none"}, more) == base


def test_parameters__biases_are_set_learned_and_taken_out() -> None:
    config = applied_to_engine({"groups": "border", "groups_biases": "fixed", "bias_border": 0.2}, engine_preset("uct"))
    assert config.groups.biases == {"border": 0.2}
    learned = applied_to_engine({"groups_biases": "learned", "bias_min_visits": 50, "bias_else": 0.75}, config)
    assert learned.groups.biases == LearnedBiases(start={"border": 0.2, "else": 0.75}, min_visits=50)
    assert applied_to_engine({"groups_biases": "none"}, learned).groups.biases is None


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"groups": "manhattan"}, "groups has 'manhattan', which is not a row; choose from border, manhattan-enemy"),
        ({"groups": "border border"}, "border comes twice"),
        ({"groups": "border", "chains_max_liberties": 3}, "chains_max_liberties has no meaning here; add groups=chain"),
        ({"border_distance": 1}, "border_distance has no meaning here; add groups=border"),
        ({"groups_overlap": False}, "groups_overlap has no meaning here; add groups="),
        ({"groups": "border", "bias_border": 0.2}, "bias_border has no meaning here; add groups_biases=fixed"),
        ({"groups": "border", "border_distance": -1}, "distance of border is -1; it must be a whole number in 0..50"),
        ({"groups": "border", "groups_biases": "fixed", "bias_border": 1.5}, "it must lie in 0..1"),
        ({"groups": "border", "groups_biases": "fixed", "bias_chains": 0.5}, "the kinds are else, border"),
    ],
)
def test_parameters__what_is_wrong_is_named(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        applied_to_engine(settings, engine_preset("uct"))


def test_parameters__groups_on_top_of_priors_say_how_to_go_on() -> None:
    with pytest.raises(ParameterError, match="prior_visits=0"):
        applied_to_engine({"groups": "border"}, EngineConfig())
    assert applied_to_engine({"groups": "border", "prior_visits": 0}, EngineConfig()).groups is not None
