"""Priors of Go moves: the product of strengths and its roots by hand, properties in random games, bad files.

In pictures `*` is the move that is asked about; X moves, unless `x` or `o` is the stone that moved last. Every picture
is also turned, mirrored and asked with exchanged colours. What features a move has is tested in `test_features.py`.
"""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from go.playout_pictures import board_of, forms, marked
from go.twin_games import TwinGames, twin_games
from tesuji.go import Board
from tesuji.go.knowledge import GoGame
from tesuji.go.knowledge.features import LEVELS
from tesuji.go.knowledge.playouts import DEFAULT
from tesuji.go.knowledge.priors import PriorWeights, explain, parse_strengths, priors, standard_strengths
from tesuji.search import Search, SearchConfig, VirtualVisits

CAPTURE = """
    . X X . .
    X O O * .
    . X X . .
    . . . . .
    """


def weights_of(path: Path, text: str, **fields: float) -> PriorWeights:
    """Weights whose strengths are those of a text."""
    file = path / "strengths.txt"
    file.write_text(text, encoding="utf-8")
    return PriorWeights(strengths=str(file), **fields)  # type: ignore[arg-type]


def priors_by_move(board: Board, weights: PriorWeights | None = None) -> dict[int, float]:
    moves, found = priors(board, weights)
    return dict(zip(moves.tolist(), found.tolist(), strict=True))


# The formula ----


def test_strength__is_the_product_of_a_moves_features(tmp_path: Path) -> None:
    """On an empty 5x5 board: lines, the shape of the corner, and the 3x3 code of all other points on the edge."""
    text = """
        # a comment
        8 line 1 open small
        4 line 2 open small
        2 line 3 open small
        0.5 3x3 ./###/..*../.../.
        0.25 shape #/###/##*../#../.
        """
    weights = weights_of(tmp_path, text, roots=0, pass_=0.8)
    found = priors_by_move(Board(5), weights)
    strengths = {0: 8 * 0.25, 1: 8 * 0.5, 2: 8 * 0.5, 6: 4.0, 12: 2.0, 25: 0.8}
    for move, strength in strengths.items():
        assert found[move] == pytest.approx(strength / 4.0), Board(5).vertex(move)


@pytest.mark.parametrize("roots", [0, 1, 2, 5])
@pytest.mark.parametrize("floor", [0.0, 0.1, 1.0])
def test_prior__is_a_root_of_the_share_of_the_best_raised_to_the_floor(
    tmp_path: Path, roots: int, floor: float
) -> None:
    weights = weights_of(tmp_path, "0.0625 line 1 open small\n16 line 3 open small", roots=roots, floor=floor, pass_=0)
    found = priors_by_move(Board(5), weights)
    expected = {12: 16.0, 6: 1.0, 0: 0.0625, 25: 0.0}  # the centre, the second line, the first, pass
    for move, strength in expected.items():
        assert found[move] == pytest.approx(floor + (1 - floor) * (strength / 16) ** (1 / 2**roots))


def test_prior__without_any_strength_all_points_are_equal(tmp_path: Path) -> None:
    found = priors_by_move(Board(5), weights_of(tmp_path, "", roots=0, pass_=0.5))
    assert found.pop(25) == pytest.approx(0.5)
    assert set(found.values()) == {1.0}


def test_pass__may_be_the_best_move_or_the_only_one(tmp_path: Path) -> None:
    found = priors_by_move(Board(5), weights_of(tmp_path, "", roots=0, pass_=4.0))
    assert found.pop(25) == 1.0
    assert set(found.values()) == {0.25}
    assert priors_by_move(Board(1)) == {1: 1.0}
    assert priors_by_move(Board(1), PriorWeights(pass_=0.0)) == {1: 1.0}


@pytest.mark.parametrize("kind", ["saves", "last", "other", "caught"])
def test_strength__of_a_level_counts_where_the_move_has_it_and_nowhere_else(tmp_path: Path, kind: str) -> None:
    weights = weights_of(tmp_path, f"9 capture {kind} 2", roots=1)
    for signs, me in forms(CAPTURE):
        board = board_of(signs, me)
        found = priors_by_move(board, weights)
        others = {prior for move, prior in found.items() if move not in (marked(signs)[0], board.pass_move)}
        assert found[marked(signs)[0]] == 1.0
        assert list(others) == [pytest.approx(1 / 3 if kind == "other" else 1.0)]


# Those that come with Tesuji ----


def test_standard_strengths__say_something_of_every_level_that_games_show() -> None:
    known = standard_strengths()
    assert known.levels.shape == (len(LEVELS),)
    assert [name for name, strength in zip(LEVELS, known.levels, strict=True) if strength == 1] == ["fate-distance 0"]
    assert np.count_nonzero(known.codes != 1.0) > 1000
    assert len(known.shapes) > 1000


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("capture saves 2", "capture other 2"),
        ("capture other 3+", "capture other 1"),
        ("escape free 2", "escape caught 2"),
        ("last-distance 2", "last-distance 17+"),
        ("line 3 open large", "line 1 open large"),
    ],
)
def test_standard_strengths__order_what_players_order(better: str, worse: str) -> None:
    known = standard_strengths()
    assert known.levels[LEVELS.index(better)] > known.levels[LEVELS.index(worse)]


def test_priors__of_a_capture_and_of_an_empty_corner() -> None:
    for signs, me in forms(CAPTURE):
        found = priors_by_move(board_of(signs, me))
        assert max(found, key=lambda move: found[move]) == marked(signs)[0]
    corner = priors_by_move(Board(9))
    assert corner[0] < corner[40] / 2


# Why a move is strong ----


def test_explain__multiplies_to_the_share_of_the_strongest_move() -> None:
    board = Board(9)
    for move in ("E5", "E4", "D4", "F5", "D5", "C3", "F4"):
        board.play(move)
    found = priors_by_move(board, PriorWeights(roots=0))
    products = {
        move: math.prod(strength for _, strength in explain(board, move)) for move in found if move != board.pass_move
    }
    best = max(products.values())
    for move, product in products.items():
        assert found[move] == pytest.approx(product / best, rel=1e-4)


def test_explain__names_the_features_strongest_first() -> None:
    for signs, me in forms(CAPTURE):
        parts = explain(board_of(signs, me), marked(signs)[0])
        names, strengths = zip(*parts, strict=True)
        assert "capture other 2" in names
        assert "line 1 near small" not in names
        assert list(strengths) == sorted(strengths, reverse=True)
        assert set(names) <= {*LEVELS, "3x3", "shape"}


def test_explain__other_strengths_than_the_standard_ones() -> None:
    known = parse_strengths("3 line 3 open small\n2 shape ./.../..*../.../.")
    assert explain(Board(9), 20, known) == [("line 3 open small", 3.0), ("shape", 2.0)]
    assert explain(Board(9), 0, known) == []


@pytest.mark.parametrize("move", [81, -1, 10**6])
def test_explain__a_move_without_features_is_named(move: int) -> None:
    with pytest.raises(ValueError, match=f"move {move} has no features"):
        explain(Board(9), move)


# Properties ----


@given(twins=twin_games())
@settings(max_examples=100, deadline=None)
def test_priors__are_the_same_for_exchanged_colours_and_mirrored_boards(twins: TwinGames) -> None:
    board, other, mirror = twins
    moves, found = priors(board)
    assert moves.tolist() == board.legal_moves(board.color_to_play).tolist()
    assert found.dtype == np.float32
    assert ((found >= 0) & (found <= 1)).all()
    assert found.max() == 1.0
    assert priors(other)[0].tolist() == moves.tolist()
    np.testing.assert_allclose(priors(other)[1], found, rtol=1e-6)
    of_mirror = priors_by_move(mirror)
    assert [of_mirror[twins.mirrored(move)] for move in moves.tolist()] == pytest.approx(found.tolist(), rel=1e-6)


def test_search__gives_its_root_these_priors() -> None:
    board = Board(7)
    for move in ("D4", "C3", "E2"):
        board.play(move)
    game = GoGame(board, DEFAULT, PriorWeights())
    result = Search(game, SearchConfig(prior=VirtualVisits())).run(simulations=10, seed=1)
    known = priors_by_move(board)
    for move, prior in zip(result.moves.tolist(), result.priors.tolist(), strict=True):
        assert prior == pytest.approx(known[move], rel=1e-6)


def test_criticality__is_heard_by_nodes_that_are_made_after_some_playouts() -> None:
    config, game = SearchConfig(prior=VirtualVisits()), Board(5)

    def priors_below(criticality: float, simulations: int) -> set[float]:
        search = Search(GoGame(game, DEFAULT, PriorWeights(criticality=criticality)), config)
        search.run(simulations=simulations, seed=1)
        return set(search.graph()["edge_prior"].tolist())

    assert priors_below(0.0, 60) == priors_below(1000.0, 60)
    assert priors_below(0.0, 600) != priors_below(1000.0, 600)


# Files ----


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("line 3 open small", "it does not begin with a number; a line begins with a strength"),
        ("fast line 3 open small", "it does not begin with a number; a line begins with a strength"),
        ("-1 line 3 open small", "the strength is -1; it must lie in 0.001..1,000"),
        ("0 line 3 open small", "the strength is 0; it must lie in 0.001..1,000"),
        ("nan line 3 open small", "the strength is nan; it must lie in 0.001..1,000"),
        ("inf line 3 open small", "the strength is inf; it must lie in 0.001..1,000"),
        ("1e39 line 3 open small", "the strength is 1e39; it must lie in 0.001..1,000"),
        ("1e-50 line 3 open small", "the strength is 1e-50; it must lie in 0.001..1,000"),
        ("2", "this is not a feature; the names are in tesuji.go.knowledge.features.LEVELS"),
        ("2 line 3", "this is not a feature; the names are in tesuji.go.knowledge.features.LEVELS"),
        ("2 capture saves 4", "this is not a feature; the names are in tesuji.go.knowledge.features.LEVELS"),
        ("2 shape", "this is not a shape; write rows of 1, 3, 5, 3 and 1 signs of . X O # with * in the middle"),
        ("2 3x3 .../.*./...", "this is not a shape; write rows of 1, 3, 5, 3 and 1 signs"),
        ("2 3x3 X/.../..*../.../.", "this has stones two steps away; a 3x3 shape has . there"),
        ("2 shape ./.../..*../.../?", "this is not a shape; write rows of 1, 3, 5, 3 and 1 signs"),
    ],
)
def test_parse__names_the_file_the_line_and_the_remedy(line: str, message: str) -> None:
    text = f"# a comment\n\n2 line 1 open small\n{line}\n"
    with pytest.raises(ValueError, match=f"^{re.escape(f'mine.txt, line 4: {message}')}"):
        parse_strengths(text, "mine.txt")


def test_parse__strengths_hold_for_all_turned_forms() -> None:
    known = parse_strengths("2 shape ./X../..*../.../.\n3 3x3 ./X../..*../.../.\n4 line 1 near small")
    assert len(known.shapes) == 4
    assert set(known.shapes.values()) == {2.0}
    assert np.count_nonzero(known.codes == 3.0) == 4
    assert np.count_nonzero(known.codes == 1.0) == 2**16 - 4
    assert known.levels[LEVELS.index("line 1 near small")] == 4.0
    assert np.count_nonzero(known.levels == 1.0) == len(LEVELS) - 1


def test_parse__the_strongest_and_the_weakest_give_priors_that_are_numbers(tmp_path: Path) -> None:
    for strength in (1000, 0.001):
        everything = "".join(f"{strength} {level}\n" for level in LEVELS)
        weights = weights_of(tmp_path, f"{everything}{strength} 3x3 ./.../..*../.../.", criticality=1000.0, pass_=1e6)
        for signs, me in forms(CAPTURE):
            assert np.isfinite(priors(board_of(signs, me), weights)[1]).all()


def test_file__that_is_not_there_is_named() -> None:
    with pytest.raises(OSError, match=r"nowhere\.txt"):
        priors(Board(5), PriorWeights(strengths="nowhere.txt"))


# Weights ----


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"roots": -1}, "roots is -1; it must be a number in 0..10"),
        ({"roots": 1.5}, "roots is 1.5; it must be a whole number"),
        ({"roots": 11}, "roots is 11; it must be a number in 0..10"),
        ({"floor": -0.1}, "floor is -0.1; it must be a number in 0..1"),
        ({"floor": math.nan}, "floor is nan; it must be a number in 0..1"),
        ({"floor": "low"}, "floor is 'low'; it must be a number"),
        ({"criticality": -1.0}, "criticality is -1.0; it must be a number in 0..1,000"),
        ({"criticality": math.inf}, "criticality is inf; it must be a number in 0..1,000"),
        ({"pass_": -1.0}, "pass_ is -1.0; it must be a number in 0..1,000,000"),
        ({"pass_": None}, "pass_ is None; it must be a number"),
    ],
)
def test_weights__that_are_wrong_are_named(fields: dict[str, object], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=f"^{re.escape(message)}$"):
        PriorWeights(**fields)  # type: ignore[arg-type]
