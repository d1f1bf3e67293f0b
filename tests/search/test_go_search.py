"""Go under the search: what is special about it beside the other games (superko, passes, eyes, rules, komi)."""

from __future__ import annotations

import numpy as np
import pytest

from search.graph_view import GraphView
from tesuji.go import Board, Color
from tesuji.search import RAVE, UCB1, Search, SearchConfig


def walk_all(search: Search, board: Board, limit: int = 4_000) -> int:
    """Replay every path of the graph on boards; how many edges there were. Every visited move must be legal there."""
    graph = GraphView(search.graph())
    todo, num_edges = [(board.copy(), graph.root)], 0
    while todo and num_edges < limit:
        state, node = todo.pop()
        assert node.mover == (0 if state.to_play == Color.BLACK else 1)
        for edge in node.edges:
            if edge.visits == 0:
                continue
            num_edges += 1
            after = state.copy()
            after.play(edge.move)  # raises IllegalMove if it is not
            if edge.child >= 0:
                todo.append((after, graph.nodes[edge.child]))
    return num_edges


@pytest.mark.parametrize("rules", ["chinese", "japanese", "tromp-taylor", "aga", "new-zealand"])
def test_tree__every_move_that_was_walked_is_legal_under_the_boards_rules(rules: str) -> None:
    """A small crowded board, so that kos and repetitions are met."""
    board = Board.from_text(
        """
        . X O .
        X O . O
        . X O .
        X . X O
        """,
        rules=rules,
    )
    search = Search(board, SearchConfig(selection=UCB1(c=1.4)))
    search.run(simulations=3_000, seed=1)
    assert walk_all(search, board) > 1_000


def test_superko__a_repetition_of_the_game_before_the_root_is_not_played() -> None:
    board = Board.from_text(
        """
        . X O . .
        X . X O .
        . X O . .
        . . . . .
        . . . . .
        """,
        to_play=Color.WHITE,
        rules="tromp-taylor",
    )
    board.play("B4")  # white takes nothing: it is suicide unless it captures
