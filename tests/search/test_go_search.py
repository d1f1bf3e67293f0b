"""Go under the search: what is special about it beside the other games (superko, passes, eyes, rules, komi)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from search.graph_view import GraphView
from tesuji.go import Board, Color, EngineConfig
from tesuji.search import RAVE, UCB1, Search, SearchConfig

CROWDED = """
. X O .
X O . O
. X O .
X . X O
"""


def replay(search: Search, board: Board, limit: int = 3_000) -> tuple[int, int]:
    """Replay the graph on boards: every move walked is legal. How many there were, and how many repetitions."""
    graph = GraphView(search.graph())
    todo, num_walked, num_repetitions = [(board.copy(), graph.root)], 0, 0
    while todo and num_walked < limit:
        state, node = todo.pop()
        assert node.mover == (0 if state.color_to_play == Color.BLACK else 1)
        for edge in node.edges:
            if edge.visits == 0:
                num_repetitions += "repeat" in (state.why_illegal(edge.move) or "")
                continue
            num_walked += 1
            after = state.copy()
            after.play(edge.move)  # raises IllegalMove if it is not
            if edge.child >= 0:
                todo.append((after, graph.nodes[edge.child]))
    return num_walked, num_repetitions


@pytest.mark.parametrize("rules", ["chinese", "japanese", "tromp-taylor", "aga", "new-zealand"])
def test_tree__every_move_that_was_walked_is_legal_under_the_boards_rules(rules: str) -> None:
    """A small crowded board, so that kos and repetitions are met."""
    board = Board.from_text(CROWDED, rules=rules)
    search = Search(board, SearchConfig(selection=UCB1(c=1.4)))
    search.run(simulations=8_000, seed=1)
    num_walked, num_repetitions = replay(search, board)
    assert num_walked >= 3_000
    assert (num_repetitions > 0) == (rules != "japanese")  # which has no superko


def test_root__a_move_that_would_repeat_an_earlier_position_of_the_game_is_not_walked() -> None:
    """Black takes the ko, white throws in, ... until retaking would restore a position: superko forbids it."""
    board = Board.from_text(CROWDED, rules="tromp-taylor")
    forbidden: list[int] = []
    for seed in range(300):
        moves = [m for m in board.legal_moves().tolist() if m != board.pass_move]
        if board.is_over or not moves:
            break
        forbidden = [p for p in range(16) if board.color_at(p) == 0 and "repeat" in (board.why_illegal(p) or "")]
        if forbidden:
            break
        board.play(moves[seed % len(moves)])
    assert forbidden, "the game met no repetition"
    result = Search(board).run(simulations=2_000, seed=1)
    for move, visits in zip(result.moves.tolist(), result.visits.tolist(), strict=True):
        assert visits == 0 or move not in forbidden
    assert result.best_move not in forbidden


def test_pass__two_of_them_end_the_game_with_its_area() -> None:
    """Black owns the board and white has just passed: black's pass wins for certain."""
    board = Board.from_text(
        """
        . X X .
        X X X X
        X X X X
        . X X .
        """,
        to_play=Color.WHITE,
        komi=7.5,
    )
    board.play("pass")
    result = Search(board, SearchConfig(solver=True)).run(simulations=1_000, seed=1)
    assert (result.proof, result.best_move, result.value) == ("won", board.pass_move, 1.0)
    assert result.simulations < 100


def test_pass__a_board_that_ended_is_searched_as_if_play_resumed() -> None:
    board = Board(5)
    board.play("pass")
    board.play("pass")
    result = Search(board).run(simulations=200, seed=1)
    assert result.visits.sum() == 200
    assert board.is_over


def test_eyes__own_eyes_are_not_filled() -> None:
    board = Board.from_text(
        """
        . X . X O
        X X X X O
        O O O O O
        . . . . .
        . . . . .
        """
    )
    result = Search(board).run(simulations=500, seed=1)
    eyes = {0, 2}
    assert not eyes & set(result.moves.tolist())


def test_advance__a_move_that_the_search_leaves_out_is_followed_all_the_same() -> None:
    """The opponent may fill its own eye: that is bad but legal."""
    board = Board.from_text(
        """
        . X . X O
        X X X X O
        O O O O O
        . . . . .
        . . . . .
        """
    )
    search = Search(board)
    search.run(simulations=500, seed=1)
    search.advance(0)
    result = search.run(simulations=500)
    assert result.visits.sum() == 500
    assert 0 not in result.moves


def test_advance__an_illegal_move_is_refused() -> None:
    board = Board(5)
    board.play("C3")
    search = Search(board)
    search.run(simulations=100, seed=1)
    for move in (12, 26, -1, 1000):
        with pytest.raises(ValueError, match=f"{move}|C3"):
            search.advance(move)
    assert search.run(simulations=10).visits.sum() == 110


@pytest.mark.parametrize(("komi", "wins"), [(-9.5, True), (8.5, True), (9.5, False)])
def test_komi__decides_a_3x3_board_that_black_owns_after_the_centre(komi: float, wins: bool) -> None:
    """On 3x3 black wins by nine points, the whole board, with the centre (van der Werf 2003)."""
    config = SearchConfig(selection=UCB1(c=0.5), amaf=RAVE(k=100))
    result = Search(Board(3, komi=komi), config).run(simulations=10_000, seed=1)
    assert (result.value > 0.5) == wins
    if komi == 8.5:
        assert result.best_move == 4


@pytest.mark.parametrize("rules", ["chinese", "tromp-taylor"])
@pytest.mark.parametrize(("width", "komi"), [(w, k) for w in (2, 3) for k in (-2.5, -0.5, 0, 0.5, 2.5, 3, 3.5)])
def test_solver__agrees_with_exhaustive_play_on_a_strip(width: int, komi: float, rules: str) -> None:
    def best_margin(board: Board) -> float:
        if board.is_over:
            return board.score().margin
        margins = []
        for move in board.legal_moves().tolist():
            after = board.copy()
            after.play(move)
            margins.append(best_margin(after))
        return max(margins) if board.color_to_play == Color.BLACK else min(margins)

    board = Board(width, 1, rules=rules, komi=komi)
    margin = best_margin(board)
    result = Search(board, SearchConfig(solver=True)).run(simulations=10_000, seed=1)
    assert result.proof == ("won" if margin > 0 else "lost" if margin < 0 else "drawn")


@pytest.mark.parametrize("graph", ["dag", "shared-counts", "multipath"])
def test_solver__is_refused_in_a_dag_under_superko(graph: Any) -> None:
    """Whether a move is forbidden depends on the path; a proof that a dag hands to another path would not."""
    config = SearchConfig(solver=True, graph=graph, memory_bytes=2**22)
    with pytest.raises(ValueError, match="superko"):
        Search(Board(3, rules="chinese"), config).run(simulations=10, seed=1)


def test_solver__shares_no_proof_with_shared_values() -> None:
    """So it proves under superko what it proves in a tree."""
    board = Board(4, 1, rules="tromp-taylor", komi=0.5)
    proofs = {
        graph: Search(board, SearchConfig(solver=True, graph=graph)).run(simulations=10_000, seed=1).proof
        for graph in ("tree", "shared-values")
    }
    assert proofs["tree"] == proofs["shared-values"] != ""


@pytest.mark.parametrize("graph", ["dag", "shared-counts", "multipath"])
def test_priors__that_look_at_the_last_moves_are_refused_where_nodes_have_several_parents(graph: Any) -> None:
    engine = EngineConfig()
    config = msgspec.structs.replace(engine.search, graph=graph, width=None)
    with pytest.raises(ValueError, match="look at the last moves.*use graph='tree' or 'shared-values'"):
        Search(engine.game_at(Board(9)), config).run(simulations=10, seed=1)


def test_shared_values__the_engine_keeps_its_table_from_move_to_move() -> None:
    engine = EngineConfig()
    search = Search(engine.game_at(Board(9)), msgspec.structs.replace(engine.search, graph="shared-values"))
    for _ in range(3):
        result = search.run(simulations=2_000, seed=1)
        assert result.counts["transposition_hits"] > 0
        search.advance(result.best_move)
    assert 0 < search.result().counts["table_entries"] < 2_000
    assert result.counts["collisions"] == 0


def test_rave__finds_the_vital_point() -> None:
    """Black must kill the corner to win: white lives with 8 points of 36 by playing there first, and komi is 25.5."""
    board = Board.from_text(
        """
        . . . O X .
        O O O O X .
        X X X X X .
        . . . . . .
        . . . . . .
        . . . . . .
        """,
        komi=25.5,
    )
    config = SearchConfig(selection=UCB1(c=0.1), amaf=RAVE(k=500))
    assert Search(board, config).run(simulations=5_000, seed=1).best_move == 1
