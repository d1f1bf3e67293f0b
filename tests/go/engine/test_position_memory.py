"""The memory of positions in Go: keys that rotations share, what is learnt and used, files, parameters."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tesuji.go import Board, Color, Engine
from tesuji.go.engine.parameters import applied_to_engine
from tesuji.go.engine.position_memory import PositionMemory
from tesuji.go.engine.resolve import resolve
from tesuji.go.knowledge import GoGame
from tesuji.go.knowledge.playouts import DEFAULT, PlayoutPolicy
from tesuji.go.knowledge.priors import PriorWeights
from tesuji.search import Search, SearchConfig, VirtualVisits
from tesuji.search.parameters import ParameterError
from tesuji.search.playouts import KnownPositions, RecordedPlayouts, StopAtKnown

PICTURE = """
    . X O . .
    X X O O .
    . X X O O
    X X O O .
    . X O . O
"""


def turned(board: Board, *, mirror: bool = False) -> Board:
    """The board turned by a quarter, or mirrored."""
    grid = np.fliplr(board.grid) if mirror else np.rot90(board.grid)
    image = Board.from_text("\n".join(" ".join(".XO"[color] for color in row) for row in grid))
    image.color_to_play = board.color_to_play
    return image


def half_full(size: int = 7) -> Board:
    """A board with stones at random, a little more than half of it."""
    board, random = Board(size), np.random.default_rng(2)
    while 2 * np.count_nonzero(board.grid) <= board.num_points + 2:
        moves = board.legal_moves()
        board.play(int(random.choice(moves[moves != board.pass_move])))
    return board


def full_game(board: Board, simulations: int = 60, **known: object) -> Engine:
    settings = {f"known_{name}".rstrip("_"): value for name, value in known.items()}
    config = resolve("go", "default", {"simulations": simulations, "seed": 1, "known": 1, **settings})
    engine = Engine(config)
    engine.analyse(board)
    return engine


# --- keys -------------------------------------------------------------------------------------------------------------


def test_image_key__rotations_share_it_and_mirrors_do_not() -> None:
    board = Board.from_text(PICTURE)
    quarter = turned(board)
    half = turned(quarter)
    keys = {board.image_key(), quarter.image_key(), half.image_key(), turned(half).image_key()}
    assert len(keys) == 1
    assert turned(board, mirror=True).image_key() not in keys


def test_image_key__tells_the_side_to_move_and_passes_apart() -> None:
    board = Board.from_text(PICTURE)
    black = board.image_key()
    board.play("pass")
    passed = board.image_key()
    board.color_to_play = Color.BLACK
    assert len({black, passed, board.image_key()}) == 3


def test_image_key__tells_a_ko_apart_and_turns_it_too() -> None:
    ko = Board.from_text(". X O . .\nX O . O .\n. X O . .\n. . . . .\n. . . . .")
    ko.play("C4")
    free = Board.from_text(ko.position.to_text())
    free.color_to_play = Color.WHITE
    assert ko.ko is not None
    assert ko.image_key() != free.image_key()
    far = Board.from_text(". . . . .\n. . . . .\n. . O X .\n. O . O X\n. . O X .")
    far.play("C2")
    assert far.ko is not None
    assert far.image_key() == ko.image_key()


def test_image_key__a_board_that_is_no_square_has_two_images() -> None:
    board = Board.from_text("X . .\n. O .")
    half = Board.from_text(". O .\n. . X")
    other = Board.from_text(". . X\n. O .")
    assert board.image_key() == half.image_key() != other.image_key()


# --- playouts by steps ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", [PlayoutPolicy(), DEFAULT], ids=["light", "default"])
def test_steps__a_search_whose_playouts_are_recorded_is_the_same_search(policy: PlayoutPolicy) -> None:
    game = GoGame(Board(9), policy, PriorWeights() if policy is DEFAULT else None)
    config = SearchConfig(prior=VirtualVisits()) if policy is DEFAULT else SearchConfig()
    recorded = RecordedPlayouts(capacity=10)
    plain = Search(game, config).run(simulations=300, seed=5)
    watched = Search(game, config, playouts=recorded).run(simulations=300, seed=5)
    assert watched.visits.tolist() == plain.visits.tolist()
    assert watched.values.tolist() == plain.values.tolist()
    assert recorded.num_playouts >= 290
    assert all(len(playout.moves) > 20 for playout in recorded.playouts)


def test_unused__a_memory_that_sleeps_changes_nothing() -> None:
    plain = Engine(resolve("go", "default", {"simulations": 200, "seed": 3})).analyse(Board(9))
    engine = Engine(resolve("go", "default", {"simulations": 200, "seed": 3, "known": 1}))
    sleeping = engine.analyse(Board(9))
    assert [(move.move, move.visits, move.winrate) for move in sleeping.moves] == [
        (move.move, move.visits, move.winrate) for move in plain.moves
    ]
    assert engine.remembered is not None
    assert engine.remembered.counts.playouts == 0
    assert len(engine.remembered.positions) == 0


# --- the four uses ----------------------------------------------------------------------------------------------------


def test_learns__tree_and_playouts_enter_positions() -> None:
    board = half_full()
    sizes = {}
    for learns in ("nothing", "tree", "playouts", "all"):
        remembered = full_game(board, learns=learns, weight=10**6).remembered
        assert remembered is not None
        sizes[learns] = len(remembered.positions)
        root = remembered.positions.find(board)[1]
        assert (root > 0) == (learns in ("tree", "all"))
    assert sizes["nothing"] == 0
    assert 0 < sizes["tree"] < sizes["all"]
    assert 0 < sizes["playouts"] <= sizes["all"]


def test_learns__the_root_has_every_result_of_its_playouts() -> None:
    board = half_full()
    remembered = full_game(board, learns="all", weight=10**6, priors=False).remembered
    assert remembered is not None
    mean, weight = remembered.positions.find(board)
    assert weight == remembered.counts.playouts
    assert 0 <= mean <= 1


def test_stops__playouts_end_at_known_positions() -> None:
    board = half_full()
    going, stopping = (full_game(board, stops=stops, weight=2, simulations=200) for stops in (False, True))
    assert going.remembered is not None
    assert stopping.remembered is not None
    whole, short = going.remembered.counts, stopping.remembered.counts
    assert whole.stopped == 0 < short.stopped
    assert short.moves / short.playouts < whole.moves / whole.playouts


def test_threads__share_one_memory() -> None:
    board = half_full(9)
    known = StopAtKnown(positions=KnownPositions(1 << 12), min_weight=2, learns="all", gives_priors=True)
    config = SearchConfig(prior=VirtualVisits(), threads=2)
    result = Search(GoGame(board, DEFAULT, PriorWeights()), config, playouts=known).run(simulations=1_000, seed=1)
    assert result.visits.sum() >= 1_000
    assert 0 < known.counts.stopped <= known.counts.playouts <= 1_000
    assert 0 <= known.positions.find(board)[0] <= 1


def test_priors__the_move_to_a_known_position_has_its_value() -> None:
    board = Board.from_text(PICTURE)
    positions = KnownPositions(1024)
    after = board.copy()
    after.play("E5")
    positions.add(turned(after), 0.875, 20)  # its image is enough
    known = StopAtKnown(positions=positions, learns="nothing", stops=False, gives_priors=True)
    game = GoGame(board, DEFAULT, PriorWeights())
    config = SearchConfig(prior=VirtualVisits())
    result = Search(game, config, playouts=known).run(simulations=50, seed=1)
    plain = Search(game, config).run(simulations=50, seed=1)
    at = result.moves.tolist().index(board.point("E5"))
    assert result.priors[at] == pytest.approx(0.875)
    assert plain.priors[plain.moves.tolist().index(board.point("E5"))] != pytest.approx(0.875)


def test_back_up__visits_count_and_means_stay() -> None:
    board = Board.from_text(PICTURE)
    positions = KnownPositions(1024)
    for move in board.legal_moves():
        after = board.copy()
        after.play(int(move))
        positions.add(after, 0.25, 100)
    game, config = GoGame(board, DEFAULT, None), SearchConfig(maturity=10**6)
    for back_up in ("value", "visits"):
        known = StopAtKnown(positions=positions, learns="nothing", back_up=back_up)
        result = Search(game, config, playouts=known).run(simulations=100, seed=1)
        tried = result.visits > 0
        assert result.visits.sum() == 100
        assert np.allclose(result.values[tried], 0.25)  # black moves; the first visit has the known value


def test_superko__a_known_position_does_not_make_a_repetition_legal() -> None:
    """Random moves on a small board until a move would repeat a position; the position behind it is known as won."""
    board, random, forbidden = Board(4), np.random.default_rng(7), []
    while not forbidden:
        if board.is_over or len(board.moves) > 300:
            board = Board(4)
        moves = board.legal_moves()
        board.play(int(random.choice(moves)))
        forbidden = [p for p in range(16) if board.color_at(p) == 0 and "repeat" in (board.why_illegal(p) or "")]
        if board.is_over:
            forbidden = []
    positions = KnownPositions(1024)
    for point in forbidden:
        loose = Board(4, rules="japanese")
        loose.place(Color.BLACK, [p for p in range(16) if board.color_at(p) == Color.BLACK])
        loose.place(Color.WHITE, [p for p in range(16) if board.color_at(p) == Color.WHITE])
        loose.color_to_play = board.color_to_play
        loose.play(point)
        positions.add(loose, float(board.color_to_play == Color.BLACK), 10**6)
    known = StopAtKnown(positions=positions, gives_priors=True)
    game = GoGame(board, DEFAULT, PriorWeights())
    result = Search(game, SearchConfig(prior=VirtualVisits(visits=100)), playouts=known).run(simulations=300, seed=1)
    visits = dict(zip(result.moves.tolist(), result.visits.tolist(), strict=True))
    assert all(visits.get(point, 0) == 0 for point in forbidden)
    assert board.is_legal(result.best_move)


# --- between moves and games ------------------------------------------------------------------------------------------


def test_memory__is_kept_between_moves_and_games_of_one_kind() -> None:
    board = Board.from_text(PICTURE)
    engine = full_game(board)
    assert engine.remembered is not None
    known = len(engine.remembered.positions)
    engine.end_game()
    engine.analyse(board)
    assert len(engine.remembered.positions) >= known > 0
    engine.analyse(Board(7))
    assert len(engine.remembered.positions) == 0, "another board begins anew"


def test_file__outlives_the_engine(tmp_path: Path) -> None:
    board, file = Board.from_text(PICTURE), tmp_path / "known.positions"
    settings = {"simulations": 60, "seed": 1, "known": 1, "known_file": str(file), "resign_below": 0.0}
    first = Engine(resolve("go", "default", settings))
    first.genmove(board)
    first.end_game()
    assert first.remembered is not None
    again = Engine(resolve("go", "default", {**settings, "known_learns": "nothing"}))
    again.genmove(board)
    assert again.remembered is not None
    assert len(again.remembered.positions) == len(first.remembered.positions) > 0
    assert again.remembered.positions.find(board) == first.remembered.positions.find(board)


def test_file__of_another_board_or_komi_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "known.positions"
    KnownPositions(64).save(file, Board(9))
    KnownPositions(64).load(file, Board(9))
    for other in (Board(13), Board(9, komi=0.5), None):
        with pytest.raises(ValueError, match="known.positions: these are positions of another game"):
            KnownPositions(64).load(file, other)
    engine = Engine(resolve("go", "default", {"known": 1, "known_file": str(file)}))
    with pytest.raises(ValueError, match="another game, board or komi"):
        engine.genmove(Board(5))


# --- parameters -------------------------------------------------------------------------------------------------------


def test_parameters__have_flat_names() -> None:
    config = resolve("go", "default", {"known": 32, "known_back_up": "visits", "known_learns": "tree"})
    assert config.known == PositionMemory(megabytes=32, back_up="visits", learns="tree")
    assert resolve("go", "default", {}).known.megabytes == 0


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"known": -1}, "known is -1 MB; it must lie in 0..32768, and 1 is the smallest"),
        ({"known": 1, "known_weight": 0}, "known_weight is 0"),
        ({"known": 1, "known_filling": 1.5}, "known_filling is 1.5"),
        ({"known": 1, "known_learns": "books"}, "known_learns"),
        ({"known_file": "x"}, "give known=MB"),
        ({"known": 1, "known_back_up": "visits", "graph": "shared-values"}, "known_back_up=visits is for graph='tree'"),
    ],
)
def test_parameters__refuse_what_makes_no_sense(settings: dict[str, object], message: str) -> None:
    with pytest.raises((ParameterError, ValueError), match=message):
        applied_to_engine(settings, resolve("go", "default", {}))
