"""Groups of moves: what is grouped, how it is walked, what is proved and told of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search.graph_view import EdgeView, GraphView, NodeView
from search.solvers import minimax
from search.toy_games import GraphGame, Nim, Picks, RandomTree, hash_of
from tesuji.games import Connect4, Hex, PGame, PGameSpec, TicTacToe
from tesuji.go import Board
from tesuji.search import BAST, RAVE, UCB1, EpsilonGreedy, Grouping, Search, SearchConfig, UCB1Tuned, Widening
from tesuji.search.choices import one_two_five, search_choices

MODES = pytest.mark.parametrize("graph", ["tree", "dag"])
OVERLAP = pytest.mark.parametrize("overlap", [True, False], ids=["overlap", "no overlap"])
CENTRE = (2, 3, 4)


def sides_and_centre(state: Any) -> dict[str, list[int]]:
    """Of Connect Four: two groups that leave columns 1 and 5 alone."""
    moves = state.legal_moves()
    return {"centre": [m for m in moves if m in CENTRE], "side": [m for m in moves if m in (0, 6)]}


COLUMNS = Grouping(find=sides_and_centre, kinds=("centre", "side"))


def scattered(state: Any, *, seed: int = 1) -> dict[str, list[int]]:
    """Two groups of moves as a hash of the state says; some states have none."""
    bits = hash_of(seed, state.key())
    if bits % 5 == 0:
        return {}
    moves = list(state.legal_moves())
    return {name: [m for m in moves if hash_of(bits, place, m) % 2] for place, name in enumerate(("a", "b"))}


def replaced(grouping: Grouping, **fields: Any) -> Grouping:
    return msgspec.structs.replace(grouping, **fields)


def grouped_nodes(graph: GraphView) -> list[NodeView]:
    return [node for node in graph.nodes if node.edges and node.edges[0].group >= 0]


def members(graph: GraphView, edge: EdgeView) -> list[int]:
    """The moves of a group, which are known once it was walked."""
    return [member.move for member in graph.nodes[edge.child].edges] if edge.child >= 0 else []


def one_move_game(*values: float) -> GraphGame:
    """The first player makes one move; each is worth what is given."""
    leaves = {f"leaf {move}": value for move, value in enumerate(values)}
    return GraphGame({"root": (0, {move: f"leaf {move}" for move in range(len(values))}), **leaves}, "root")


# --- one walk after the other -----------------------------------------------------------------------------------------


class Counted:
    """Visits and sum of a choice."""

    def __init__(self) -> None:
        self.visits, self.value = 0, 0.0


def scores(choices: Sequence[Counted], c: float) -> list[float]:
    """UCB1; what was never tried comes first."""
    total = sum(choice.visits for choice in choices)
    return [
        choice.value / choice.visits + c * math.sqrt(math.log(total) / choice.visits) if choice.visits else math.inf
        for choice in choices
    ]


def taken(before: Sequence[Counted], after: Sequence[EdgeView], c: float) -> int:
    """Which choice the last walk took; it must have been the best, as far as 32-bit floats can say."""
    (place,) = (i for i, (old, new) in enumerate(zip(before, after, strict=True)) if new.visits > old.visits)
    found = scores(before, c)
    assert found[place] >= max(found) - 2e-5
    return place


def test_walks__two_overlapping_groups_are_counted_as_by_hand() -> None:
    # Moves 0, 1, 2 are worth 1, 0 and 0.5; groups a = {0, 1} and b = {1, 2}. With c = 0 the better mean is taken, and
    # what was never tried comes first:
    #   walks 1, 2: one move of each group. Then the group with the higher mean is tried on until its mean is lower.
    # After both moves of a and both of b are known, a stands at (1 + 0) / 2 = 0.5 and b at (0 + 0.5) / 2 = 0.25: every
    # further walk goes through a to move 0.
    game = one_move_game(1.0, 0.0, 0.5)
    grouping = Grouping(find=lambda _: {"a": [0, 1], "b": [1, 2]}, kinds=("a", "b"), overlap=False)
    search = Search(game, SearchConfig(selection=UCB1(c=0.0)), grouping=grouping)
    result = search.run(simulations=40, seed=2)
    a, b = result.groups
    assert [group.name for group in result.groups] == ["a", "b"]
    assert (a.moves, b.moves) == ([0, 1], [1, 2])
    assert a.visits + b.visits == 40
    assert a.visits >= 37
    through_a = {edge.move: edge for edge in GraphView(search.graph()).nodes[a_node(search)].edges}
    assert through_a[1].visits <= 1
    assert through_a[0].visits == a.visits - through_a[1].visits
    assert a.value == pytest.approx(through_a[0].visits / a.visits)
    assert result.best_move == 0
    assert result.visits.sum() == 40


def a_node(search: Search) -> int:
    return next(edge.child for edge in GraphView(search.graph()).root.edges if edge.group == 1)


@pytest.mark.parametrize("c", [0.0, 0.4, 1.0, 3.0])
@OVERLAP
@MODES
def test_walks__follow_ucb1_first_among_groups_then_among_their_moves(graph: str, overlap: bool, c: float) -> None:
    values = (0.9, 0.2, 0.65, 0.4, 0.5)
    found = {"a": [0, 1, 3], "b": [1, 2]}
    config = SearchConfig(selection=UCB1(c=c), graph=graph, memory_bytes=2**20)
    search = Search(
        one_move_game(*values), config, grouping=Grouping(find=lambda _: found, kinds=("a", "b"), overlap=overlap)
    )
    search.run(simulations=1, seed=3)
    root = GraphView(search.graph()).root
    order = [members(GraphView(search.graph()), edge) for edge in root.edges]
    groups, moves = [Counted() for _ in order], [[Counted() for _ in group] for group in order]
    for simulation in range(1, 120):
        if simulation > 1:
            search.run(simulations=1)
        view = GraphView(search.graph())
        group = taken(groups, view.root.edges, c)
        node = view.nodes[view.root.edges[group].child]
        place = taken(moves[group], node.edges, c)
        for choice in (groups[group], moves[group][place]):
            choice.visits += 1
            choice.value += values[order[group][place]]
        assert view.root.edges[group].value == pytest.approx(groups[group].value, abs=1e-4)
        assert node.edges[place].value == pytest.approx(moves[group][place].value, abs=1e-4)
        assert [edge.visits for edge in view.root.edges] == [choice.visits for choice in groups]


def test_walks__groups_of_one_move_each_are_visited_as_the_moves_of_a_plain_search() -> None:
    game = one_move_game(0.9, 0.2, 0.65, 0.4, 0.51)
    kinds = tuple(f"move {move}" for move in range(5))
    grouping = Grouping(find=lambda _: {name: [move] for move, name in enumerate(kinds)}, kinds=kinds, overlap=False)
    config = SearchConfig(selection=UCB1(c=0.8))
    plain, grouped = (Search(game, config, grouping=g).run(simulations=2_000, seed=5) for g in (None, grouping))
    assert plain.visits.tolist() == grouped.visits.tolist()
    assert plain.values == pytest.approx(grouped.values)


def test_walks__groups_of_one_move_each_find_what_a_plain_search_finds() -> None:
    kinds = tuple(f"column {move}" for move in range(7))
    grouping = Grouping(find=lambda s: {kinds[m]: [m] for m in s.legal_moves()}, kinds=kinds, overlap=False)
    config = SearchConfig(selection=UCB1(c=1.0), graph="dag")
    plain, grouped = (Search(Connect4(), config, grouping=g).run(simulations=20_000, seed=1) for g in (None, grouping))
    assert plain.best_move == grouped.best_move == 3
    assert plain.value == pytest.approx(grouped.value, abs=0.03)


def test_walks__are_capped_in_moves_not_in_edges() -> None:
    config = SearchConfig(max_depth=3)
    result = Search(Connect4(), config, grouping=COLUMNS).run(simulations=3_000, seed=1)
    assert result.depths[4:].sum() == 0
    assert result.depths[3] > 1_000


# --- which groups -----------------------------------------------------------------------------------------------------


@MODES
def test_groups__without_overlap_every_move_that_is_in_no_group_is_in_else(graph: str) -> None:
    search = Search(Connect4(), SearchConfig(graph=graph), grouping=replaced(COLUMNS, overlap=False))
    search.run(simulations=500, seed=1)
    view = GraphView(search.graph())
    nodes = grouped_nodes(view)
    assert len(nodes) > 50
    for node in nodes:
        by_kind = {edge.group: members(view, edge) for edge in node.edges}
        assert len(by_kind) == len(node.edges)
        together = [move for moves in by_kind.values() for move in moves]
        assert len(together) == len(set(together))
        assert not set(by_kind.get(0, [])) & {0, 2, 3, 4, 6}


def test_groups__with_overlap_else_holds_all_moves() -> None:
    search = Search(Connect4(), grouping=COLUMNS)
    search.run(simulations=500, seed=1)
    view = GraphView(search.graph())
    for node in grouped_nodes(view):
        by_kind = {edge.group: set(members(view, edge)) for edge in node.edges}
        assert not by_kind[0] or by_kind[0] >= set().union(*by_kind.values())
    assert {group.name: group.moves for group in search.result().groups} == {
        "else": [0, 1, 2, 3, 4, 5, 6], "centre": [2, 3, 4], "side": [0, 6],
    }  # fmt: skip


def test_groups__else_is_absent_where_it_would_be_empty() -> None:
    grouping = Grouping(find=lambda s: {"all": s.legal_moves()}, kinds=("all",), overlap=False)
    result = Search(TicTacToe(), grouping=grouping).run(simulations=100, seed=1)
    assert [group.name for group in result.groups] == ["all"]


def test_groups__a_state_without_groups_has_its_moves_as_edges() -> None:
    grouping = Grouping(
        find=lambda s: {"first": []} if s.to_play == 0 else {"first": s.legal_moves()[:1]}, kinds=("first",)
    )
    search = Search(TicTacToe(), grouping=grouping)
    result = search.run(simulations=300, seed=1)
    assert result.groups == []
    view = GraphView(search.graph())
    groups = {edge.child for edge in view.edges if edge.group >= 0}
    states = [node for number, node in enumerate(view.nodes) if number not in groups and node.edges]
    assert {(node.mover, node.edges[0].group >= 0) for node in states} == {(0, False), (1, True)}


@MODES
def test_groups__a_move_in_two_groups_leads_to_one_node_in_a_dag_and_to_two_in_a_tree(graph: str) -> None:
    game = one_move_game(1.0, 0.0, 0.5)
    grouping = Grouping(find=lambda _: {"a": [0, 1], "b": [1, 2]}, kinds=("a", "b"), overlap=False)
    search = Search(game, SearchConfig(graph=graph, memory_bytes=2**20), grouping=grouping)
    search.run(simulations=50, seed=1)
    view = GraphView(search.graph())
    edges = [member for edge in view.root.edges for member in view.nodes[edge.child].edges if member.move == 1]
    assert len({edge.child for edge in edges}) == (1 if graph == "dag" else 2)
    if graph == "dag":
        assert view.nodes[edges[0].child].visits == sum(edge.visits for edge in edges)


def test_find__gets_a_state_of_its_own_and_the_last_moves() -> None:
    seen: set[tuple[int, ...]] = set()

    def find(state: Connect4, last_moves: tuple[int, ...]) -> dict[str, list[int]]:
        twin = Connect4()
        for move in last_moves:
            twin.play(move)
        assert twin.key() == state.key()
        seen.add(last_moves)
        moves = state.legal_moves()
        state.play(moves[0])  # its own: nobody minds
        return {"near": [m for m in moves if last_moves and abs(m - last_moves[-1]) <= 1]}

    search = Search(Connect4(), grouping=Grouping(find=find, kinds=("near",), uses_last_moves=True))
    search.run(simulations=300, seed=1)
    search.advance(3)
    search.run(simulations=300)
    assert () in seen
    assert max(len(moves) for moves in seen) > 3
    assert search.result().groups[1].moves == [2, 3, 4]


# --- sums and statistics ----------------------------------------------------------------------------------------------

CONFIGS = [
    SearchConfig(),
    SearchConfig(graph="dag", memory_bytes=2**26),
    SearchConfig(selection=UCB1Tuned(), expansion="all-children"),
    SearchConfig(selection=BAST()),
    SearchConfig(selection=EpsilonGreedy(), expansion="whole-path"),
    SearchConfig(amaf=RAVE(k=100), widening=Widening()),
    SearchConfig(amaf=RAVE(k=100), graph="dag", maturity=5, memory_bytes=2**26),
    SearchConfig(solver=True),
    SearchConfig(parallel="roots", threads=3, memory_bytes=2**26),
]


def check_sums(search: Search, simulations: int) -> None:
    """Visits add up everywhere, whatever the groups."""
    view = GraphView(search.graph())
    walked = sum(edge.visits for edge in view.root.edges)
    assert walked == view.root.visits
    for node in grouped_nodes(view):
        for edge in node.edges:
            if edge.child < 0:
                assert edge.visits == 0
                continue
            group = view.nodes[edge.child]
            assert edge.move == -1 - edge.group
            assert edge.amaf_visits == 0
            assert group.mover == node.mover
            assert group.visits == edge.visits
            assert group.value == pytest.approx(edge.value, abs=1e-3)
            ended_here = group.visits - sum(member.visits for member in group.edges)
            assert ended_here == 0 or group.proof  # a walk ends in a group only where it is proved
    result = search.result()
    if result.groups:
        assert result.visits.sum() == sum(group.visits for group in result.groups)
    assert result.visits.sum() == simulations


@pytest.mark.parametrize("config", CONFIGS, ids=range(len(CONFIGS)))
@OVERLAP
def test_sums__visits_add_up_for_every_kind_of_search(config: SearchConfig, overlap: bool) -> None:
    search = Search(Connect4(), config, grouping=replaced(COLUMNS, overlap=overlap))
    done = search.run(simulations=2_000, seed=7).simulations
    if config.parallel == "roots":
        assert search.result().visits.sum() == done == sum(group.visits for group in search.result().groups)
    else:
        check_sums(search, done)


@pytest.mark.parametrize("parallel", ["lock-free", "global-lock"])
@MODES
def test_sums__threads_lose_nothing(graph: str, parallel: str) -> None:
    config = SearchConfig(graph=graph, threads=4, parallel=parallel, memory_bytes=2**26)
    game = PGame(PGameSpec(breadth=6, depth=8, num_groups=2, group_size=0.7, group_bias=0.8, seed=1))
    start = game.start()
    start.play(0)
    search = Search(start, config, grouping=Grouping(find=game.groups))
    done = search.run(simulations=30_000, seed=1).simulations
    assert done == 30_000
    check_sums(search, done)


@OVERLAP
@MODES
def test_sums__memory_that_is_full_loses_nothing_at_the_root(graph: str, overlap: bool) -> None:
    config = SearchConfig(graph=graph, memory_bytes=60_000)
    search = Search(Connect4(), config, grouping=replaced(COLUMNS, overlap=overlap))
    assert search.run(simulations=8_000, seed=1).simulations == 8_000
    assert search.result().counts["bytes"] <= 60_000
    view = GraphView(search.graph())
    assert view.root.visits == sum(edge.visits for edge in view.root.edges) == 8_000
    assert len(grouped_nodes(view)) > 10


@MODES
def test_run__the_same_seed_gives_the_same_graph_however_it_is_divided(graph: str) -> None:
    config = SearchConfig(graph=graph, memory_bytes=2**24)
    whole, divided = (Search(Connect4(), config, grouping=COLUMNS) for _ in range(2))
    whole.run(simulations=900, seed=11)
    for part in (1, 99, 800):
        divided.run(simulations=part, seed=11)
    for name, column in whole.graph().items():
        assert column.tolist() == divided.graph()[name].tolist(), name


def test_advance__keeps_the_most_visited_node_of_the_move() -> None:
    search = Search(Connect4(), grouping=COLUMNS)
    search.run(simulations=2_000, seed=1)
    view = GraphView(search.graph())
    edges = [m for edge in view.root.edges for m in view.nodes[edge.child].edges if m.move == 3]
    assert len(edges) == 2
    search.advance(3)
    assert GraphView(search.graph()).root.visits == max(view.nodes[edge.child].visits for edge in edges)
    assert search.run(simulations=100).main_line


def test_result__the_main_line_is_of_moves_by_their_visits_over_all_groups() -> None:
    search = Search(Hex(4), grouping=Grouping(find=scattered, kinds=("a", "b")))
    result = search.run(simulations=3_000, seed=1)
    assert result.best_move == result.moves[np.argmax(result.visits)] == result.main_line[0]
    state = Hex(4)
    for move in result.main_line:
        assert move in state.legal_moves()
        state.play(move)
    for move, line in zip(result.moves.tolist(), result.lines, strict=True):
        assert line[0] == move


def test_amaf__moves_learn_and_groups_do_not() -> None:
    search = Search(Hex(4), SearchConfig(amaf=RAVE(k=50)), grouping=Grouping(find=scattered, kinds=("a", "b")))
    result = search.run(simulations=2_000, seed=1)
    assert (result.amaf_visits >= result.visits).all()
    view = GraphView(search.graph())
    for node in grouped_nodes(view):
        for edge in node.edges:
            assert edge.amaf_visits == 0
            for member in view.nodes[edge.child].edges:
                assert member.visits <= member.amaf_visits <= view.nodes[edge.child].visits


def test_evaluator__of_values_judges_leaves_below_groups() -> None:
    config = SearchConfig(threads=2)
    search = Search(Connect4(), config, evaluator=lambda batch: np.full(len(batch), 0.5), grouping=COLUMNS)
    result = search.run(simulations=2_000, seed=1)
    assert result.values[result.visits > 0] == pytest.approx(0.5)
    check_sums(search, 2_000)


# --- proofs -----------------------------------------------------------------------------------------------------------

SOLVING = st.builds(
    SearchConfig,
    solver=st.just(True),
    selection=st.sampled_from([UCB1(), UCB1(c=0.0), UCB1(c=2.0), EpsilonGreedy(), UCB1Tuned()]),
    amaf=st.sampled_from([None, RAVE(k=20)]),
    expansion=st.sampled_from(["one-child", "all-children", "whole-path"]),
    maturity=st.sampled_from([1, 3]),
    memory_bytes=st.just(2**24),
) | st.builds(SearchConfig, solver=st.just(True), graph=st.just("dag"), memory_bytes=st.just(2**24))
GAMES = st.one_of(
    st.builds(RandomTree, seed=st.integers(0, 10**6), branching=st.integers(1, 4), takes_turns=st.booleans()),
    st.builds(Picks, seed=st.integers(0, 10**6), cells=st.integers(3, 5), length=st.integers(1, 3)),
    st.builds(Nim, st.integers(1, 9)),
)
PROOFS = {0.0: ("lost", "won"), 0.5: ("drawn", "drawn"), 1.0: ("won", "lost")}  # by value, for the first and the second


@given(game=GAMES, config=SOLVING, overlap=st.booleans(), groups=st.integers(0, 10**6))
@settings(max_examples=120, deadline=None)
def test_proofs__agree_with_minimax_whatever_the_groups(
    game: Any, config: SearchConfig, overlap: bool, groups: int
) -> None:
    if game.is_over:
        return
    grouping = Grouping(find=lambda state: scattered(state, seed=groups), kinds=("a", "b"), overlap=overlap)
    search = Search(game, config, grouping=grouping)
    result = search.run(simulations=600, seed=1)
    truth = minimax(game)
    assert result.proof in ("", PROOFS[truth][game.to_play])
    if result.proof:
        after = game.copy()
        after.play(result.best_move)
        assert minimax(after) == truth
    view = GraphView(search.graph())
    todo = [(game, view.root)]
    while todo:
        state, node = todo.pop()
        if node.proof:
            assert (node.proof - 1) / 2 == minimax(state)
        for edge in node.edges:
            passage = view.nodes[edge.child].edges if edge.child >= 0 else ()
            children = passage if edge.group >= 0 else (edge,)
            for member in children:
                after = state.copy()
                after.play(member.move)
                if member.proof:
                    assert (member.proof - 1) / 2 == minimax(after)
                if member.child > 0:
                    todo.append((after, view.nodes[member.child]))


@OVERLAP
def test_proofs__a_small_game_is_proved_with_groups(overlap: bool) -> None:
    grouping = Grouping(find=scattered, kinds=("a", "b"), overlap=overlap)
    result = Search(Nim(9), SearchConfig(solver=True), grouping=grouping).run(simulations=100_000, seed=1)
    assert result.proof == "won"
    assert result.simulations < 20_000


# --- Go, P-games, pictures --------------------------------------------------------------------------------------------


def test_go__a_group_of_moves_that_superko_forbids_is_walked_once_at_most() -> None:
    # The function names every move that the rules allow, so "else" holds those that would repeat the position. Its
    # board plays the walk by the rules, and would refuse such a move. What a group holds is known once it was walked:
    # that walk ends there, and no other comes.
    def find(board: Board) -> dict[str, list[int]]:
        return {f"move {m}": [m] for m in board.legal_moves().tolist()}

    grouping = Grouping(find=find, kinds=tuple(f"move {m}" for m in range(7)), overlap=False)
    config = SearchConfig(expansion="whole-path", max_depth=40)
    search = Search(Board(3, 2, rules="tromp-taylor"), config, grouping=grouping)
    result = search.run(simulations=1_500, seed=1)
    assert result.simulations == result.visits.sum() == 1_500
    forbidden = [edge for edge in GraphView(search.graph()).edges if edge.group == 0]
    assert len(forbidden) > 10
    assert max(edge.visits for edge in forbidden) <= 1


def test_p_games__native_groups_are_those_of_the_position() -> None:
    game = PGame(PGameSpec(breadth=5, depth=5, num_groups=2, group_size=0.8, group_bias=0.7, seed=4))
    for overlap in (True, False):
        native = Grouping(find=game.groups, overlap=overlap)

        def find(position: Any) -> Mapping[str, list[int]]:
            return {name: moves for name, moves in position.groups(overlap=True).items() if name != "else"}

        told = Grouping(find=find, kinds=game.groups.kinds, overlap=overlap)
        config = SearchConfig(expansion="whole-path", graph="dag", memory_bytes=2**24)
        first, second = (Search(game.start(), config, grouping=g) for g in (native, told))
        assert first.run(simulations=500, seed=1).groups == second.run(simulations=500, seed=1).groups == []
        for name, column in first.graph().items():
            assert column.tolist() == second.graph()[name].tolist(), name
        assert any(edge.group == 2 for edge in GraphView(first.graph()).edges)


def test_choices__with_groups_are_the_best_moves_of_searches_of_that_length() -> None:
    game = PGame(PGameSpec(breadth=4, depth=7, num_groups=1, group_bias=0.9, seed=3))
    grouping = Grouping(find=game.groups)
    config = SearchConfig(
        selection=UCB1(c=1.0), expansion="whole-path", graph="dag", final_move="best-value", memory_bytes=2**24
    )
    counts = one_two_five(1_000)
    found = search_choices(game.start(), config, counts=counts, seeds=[1, 2], grouping=grouping)
    plain = search_choices(game.start(), config, counts=counts, seeds=[1, 2])
    assert found.num_nodes[0, -1] > plain.num_nodes[0, -1]
    for row, seed in enumerate([1, 2]):
        for column, count in enumerate(counts):
            result = Search(game.start(), config, grouping=grouping).run(simulations=count, seed=seed)
            assert found.moves[row, column] == result.best_move
            assert found.num_nodes[row, column] == result.counts["nodes"]


def test_pictures__name_groups_in_braces() -> None:
    search = Search(Connect4(), grouping=COLUMNS)
    result = search.run(simulations=500, seed=1)
    dot = result.to_dot(20)
    assert "{centre}: " in dot
    assert '"4: ' in dot  # a column, as people count


def test_pictures__the_page_names_groups(tmp_path: Any) -> None:
    result = Search(Connect4(), grouping=COLUMNS).run(simulations=500, seed=1)
    page = result.to_html(tmp_path / "graph.html").read_text()
    assert '"{else}"' in page
    assert '"{side}"' in page
