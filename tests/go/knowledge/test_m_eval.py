"""M-eval step by step: qualities, encoding, value along a direction, the short search, virtual wins; and its file."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from tesuji._core import go as native
from tesuji.go import Board
from tesuji.go.engine import Engine, EngineConfig
from tesuji.go.engine.parameters import applied_to_engine
from tesuji.go.knowledge.m_eval import (
    MEVAL_QUALITIES,
    MEval,
    MEvalFile,
    MEvalSettings,
    OpeningQualities,
    learnt_direction,
    read_m_eval,
)
from tesuji.go.knowledge.position_key import WHITE, turned_points
from tesuji.go.knowledge.priors import PriorWeights, standard_native_strengths
from tesuji.go.masters.joseki import JosekiTable
from tesuji.go.masters.m_eval_building import pattern_file
from tesuji.go.masters.qualities import QUALITIES, qualities
from tesuji.go.masters.regions import REGIONS, seen

HALF = 0.5**0.5


class Planted(msgspec.Struct):
    """A pattern of a region at its first place, with Black's points at the end and moves that followed, B or W."""

    region: int
    stones: str
    mean: float
    moves: str = ""


def planted(*patterns: Planted, encoder: np.ndarray | None = None) -> MEvalFile:
    """A file that knows these patterns; the standard error of each is zero."""
    rows = []
    for one in patterns:
        region, board = REGIONS[one.region], placed(one.stones)
        here = seen(region, 0, np.asarray(board.grid, np.uint8).reshape(1, -1))
        form = int(here.forms[0])
        points = region.places[0, form & 1].tolist()
        moves = [
            points.index(board.point(word[1:])) | (WHITE if (word[0] == "W") != (form >= 2) else 0)
            for word in one.moves.split()
        ]
        mean = region.num_points - one.mean if form >= 2 else one.mean
        stones = np.asarray(board.grid, np.uint8).ravel()[points]
        stones = np.array([0, 2, 1], np.uint8)[stones] if form >= 2 else stones
        rows.append((one.region, int(here.keys[0]), mean, moves, np.pad(stones, (0, 87 - len(stones)))))
    rows.sort(key=lambda row: row[:2])
    columns = {
        "regions": np.array([row[0] for row in rows], np.uint8),
        "keys": np.array([row[1] for row in rows], np.uint64),
        "stones": np.array([row[4] for row in rows], np.uint8),
        "counts": np.full(len(rows), 9, np.uint32),
        "means": np.array([row[2] for row in rows], np.float32),
        "deviations": np.zeros(len(rows), np.float32),
        "starts": np.cumsum([0, *(len(row[3]) for row in rows)]),
        "moves": np.array([move for row in rows for move in row[3]], np.uint16),
        "times": np.ones(sum(len(row[3]) for row in rows), np.uint32),
    }
    file = pattern_file(JosekiTable(columns, 9))
    return file if encoder is None else msgspec.structs.replace(file, encoder=encoder)


def placed(stones: str) -> Board:
    """A board with stones like BD16 WC3."""
    board = Board(19)
    for word in stones.split():
        board.place(1 if word[0] == "B" else 2, [board.point(word[1:])])
    return board


def only(*names: str) -> np.ndarray:
    """An encoder whose first number is one quality, and whose second is another."""
    found = np.zeros((8, 2))
    for column, name in enumerate(names):
        found[MEVAL_QUALITIES.index(name), column] = 1.0
    return found


def m_eval(file: MEvalFile, share: float = 0.5, intensity: float = 1.0) -> native.MEval:
    return native.MEval(file.native_patterns(), standard_native_strengths(), file.encoder.tolist(), share, intensity, 6)


# The upper left corner is the first place of a corner; the upper side is the first of a side.
CORNER = Planted(0, "BD16", 20.0, "WC14 WE17 BC14")
APPROACHED = Planted(0, "BD16 WC14", 16.0, "BF17 BD15")
FAR = Planted(0, "BD16 WE17", 24.0)
ANSWERED = Planted(0, "BD16 WC14 BF17", 30.0)
WEAKER = Planted(0, "BD16 WC14 BD15", 18.0)


# Qualities ------------------------------------------------------------------------------------------------------------


def test_qualities__those_without_patterns_are_the_plain_ones_of_python() -> None:
    rng = np.random.default_rng(2)
    measure = OpeningQualities(planted(CORNER))
    for moves in (10, 40, 120, 250):
        board = Board(19)
        for _ in range(moves):
            legal = board.legal_moves()
            board.play(int(rng.choice(legal[legal != board.pass_move])))
        found, plain = measure(board), qualities(board)
        for index, name in enumerate(QUALITIES):
            assert found[:, MEVAL_QUALITIES.index(name)] == pytest.approx(plain[:, index]), name


@pytest.mark.parametrize("turn", range(8))
@pytest.mark.parametrize("exchanged", [False, True])
def test_qualities__territory_of_a_corner_however_it_is_turned(turn: int, exchanged: bool) -> None:
    board, point = Board(19), Board(19).point
    for stone, color in (("D16", 1), ("C14", 2)):
        board.place(3 - color if exchanged else color, [int(turned_points(19, 19, turn)[point(stone)])])
    found = OpeningQualities(planted(CORNER, APPROACHED))(board)[:, 0]
    assert found[:: -1 if exchanged else 1] == pytest.approx([16 * 66 / 36, 20 * 66 / 36])  # as a corner of 66 points


def test_qualities__a_big_corner_hides_the_small_one_and_ends_where_a_stone_stands_beside_it() -> None:
    measure = OpeningQualities(planted(CORNER, Planted(1, "BD16", 44.0)))
    assert measure(placed("BD16"))[:, 0] == pytest.approx([44, 22])
    assert measure(placed("BD16 WK17"))[:, 0] == pytest.approx([20 * 66 / 36, 16 * 66 / 36])


def test_qualities__sides() -> None:
    found = OpeningQualities(planted(Planted(2, "BD16 BK17 BQ16", 55.0)))(placed("BD16 BK17 BQ16"))
    assert found[:, MEVAL_QUALITIES.index("terriInSide")] == pytest.approx([55, 32])


def test_qualities__what_looks_the_same_to_both_is_worth_the_same_to_both() -> None:
    found = OpeningQualities(planted(Planted(2, "BD17 WQ17", 50.0)))(placed("BD17 WQ17"))
    assert found[:, MEVAL_QUALITIES.index("terriInSide")] == pytest.approx([43.5, 43.5])


def test_qualities__urgent_points_count_for_the_other() -> None:
    """A cut beside a lone white stone: points that White wants are Black's gain."""
    urgent = MEVAL_QUALITIES.index("strenUrgent")
    measure = OpeningQualities(planted(CORNER))
    one, other = measure(placed("BK10 WK11 BL11")), measure(placed("WK10 BK11 WL11"))
    assert one[0, urgent] != one[1, urgent]
    assert one[:, urgent].tolist() == other[::-1, urgent].tolist()
    assert measure(Board(19))[:, urgent].tolist() == [0, 0]


# Encoding and value ---------------------------------------------------------------------------------------------------


def test_encoding__is_the_product_with_the_encoder() -> None:
    encoder = np.random.default_rng(1).normal(size=(8, 2))
    row = np.arange(8.0)
    found = m_eval(planted(CORNER, encoder=encoder)).encoding(row.tolist())
    assert found == pytest.approx((row @ encoder).tolist())


def test_value__is_the_encoding_along_the_direction() -> None:
    evaluation = m_eval(planted(CORNER, APPROACHED, encoder=only("strenStones", "terriCorner")))
    evaluation.direction = [0.6, 0.8]
    board = placed("BD16")
    board.color_to_play = 2
    for _, first, second, value in evaluation.search(board, -1, 1):
        assert value == pytest.approx(0.6 * first + 0.8 * second)


# The short search -----------------------------------------------------------------------------------------------------


def searched(file: MEvalFile, depth: int, around: int = -1) -> dict[str, float]:
    board = placed("BD16")
    board.color_to_play = 2
    evaluation = m_eval(file)
    evaluation.direction = [1.0, 0.0]
    return {board.vertex(move): first for move, first, _, _ in evaluation.search(board, around, depth)}


def test_search__one_move_deep_judges_where_it_leads() -> None:
    known = (CORNER, APPROACHED, FAR)
    found = searched(planted(*known, encoder=only("terriCorner")), 1)
    scale = 66 / 36
    assert found == pytest.approx({"C14": (20 - 16) * scale, "E17": (12 - 24) * scale})  # for White


def test_search__the_answer_that_is_best_for_the_other_counts() -> None:
    """Black answers C14 at F17, which is worth more to Black than D15."""
    known = (CORNER, APPROACHED, FAR, ANSWERED, WEAKER)
    found = searched(planted(*known, encoder=only("terriCorner")), 2)
    assert found["C14"] == pytest.approx((6 - 30) * 66 / 36)
    assert found["E17"] == pytest.approx((12 - 24) * 66 / 36)  # nobody went on there


def test_search__a_pattern_that_ends_keeps_its_territory() -> None:
    found = searched(planted(CORNER, encoder=only("terriCorner")), 4)
    assert found == pytest.approx({"C14": (16 - 20) * 66 / 36, "E17": (16 - 20) * 66 / 36})


def test_search__what_is_not_understood_stays_constant() -> None:
    """A side with stones that is not known at first counts for nothing when a move makes it known."""
    side = Planted(2, "BD16 WE17", 80.0)
    board = placed("BD16")
    board.color_to_play = 2
    evaluation = m_eval(planted(CORNER, side, encoder=only("terriInSide")))
    evaluation.direction = [1.0, 0.0]
    assert {row[1] for row in evaluation.search(board, -1, 1)} == {0.0}


def test_search__only_patterns_around_the_last_move_count() -> None:
    file, board = planted(CORNER, encoder=only("terriCorner")), Board(19)
    assert searched(file, 2, board.point("D16")).keys() == {"C14", "E17"}
    assert searched(file, 2, board.point("Q4")) == {}
    assert searched(file, 0) == {}


def test_search__other_boards_are_refused() -> None:
    with pytest.raises(ValueError, match="19x19"):
        m_eval(planted(CORNER)).search(Board(9))


# Virtual wins ---------------------------------------------------------------------------------------------------------


def test_with_wins__only_values_above_the_average_raise_a_prior() -> None:
    evaluation = m_eval(planted(CORNER), share=0.25, intensity=2.0)
    assert evaluation.with_wins(0.4, 0.0) == pytest.approx(0.4)
    assert evaluation.with_wins(0.4, -1.0) == pytest.approx(0.4)
    assert evaluation.with_wins(0.4, 0.1) == pytest.approx(0.4 + 0.25 * (0.7 - 0.4))
    assert evaluation.with_wins(0.4, 9.0) == pytest.approx(0.4 + 0.25 * 0.6)  # no more than all wins
    assert evaluation.with_wins(0.95, 0.1) == pytest.approx(0.95)  # wins never lower one


def priors_with(evaluation: native.MEval, board: Board, root_move: int) -> np.ndarray:
    weights = PriorWeights().native(19, 19)
    evaluation.root_move = root_move
    weights.m_eval = evaluation
    return np.array(native.priors(board, weights, list(range(361))))


def test_priors__the_better_joseki_move_gains_and_nothing_else_changes() -> None:
    board = Board(19)
    board.play("D16")
    plain = np.array(native.priors(board, PriorWeights().native(19, 19), list(range(361))))
    file = planted(CORNER, APPROACHED, FAR, encoder=only("terriCorner"))
    found = priors_with(m_eval(file, share=0.9), board, root_move=1)
    raised = np.flatnonzero(found != plain).tolist()
    assert [board.vertex(move) for move in raised] == ["C14"]
    assert found[raised] > plain[raised]


@pytest.mark.parametrize(("depth", "speaks"), [(0, True), (3, True), (4, False), (7, False)])
def test_priors__below_the_fourth_level_of_the_tree_nothing_is_added(depth: int, speaks: bool) -> None:
    board = Board(19)
    board.play("D16")
    plain = np.array(native.priors(board, PriorWeights().native(19, 19), list(range(361))))
    file = planted(CORNER, APPROACHED, FAR, encoder=only("terriCorner"))
    found = priors_with(m_eval(file, share=0.9), board, root_move=1 - depth)
    assert bool((found != plain).any()) == speaks


# The direction --------------------------------------------------------------------------------------------------------


def test_learnt_direction__turns_towards_what_won() -> None:
    encodings = np.array([[3.0, 0.0], [0.0, 3.05], [2.0, 0.0], [0.0, 2.05], [1.0, 0.0], [0.0, 1.05]])
    rates = np.array([0.9, 0.1, 0.8, 0.1, 0.7, 0.1])  # the first axis wins
    found = learnt_direction((HALF, HALF), encodings, rates, 0.1)
    assert found[0] > HALF > found[1]
    assert np.hypot(*found) == pytest.approx(1)


def test_learnt_direction__two_points_more_are_needed() -> None:
    encodings = np.array([[3.0, 0.0], [0.0, 3.05]])
    rates = np.array([0.9, 0.1])  # one point for the first axis at the first rank, none at the second
    assert learnt_direction((HALF, HALF), encodings, rates, 0.1) == pytest.approx((HALF, HALF))


def test_learnt_direction__equal_rates_give_no_points() -> None:
    encodings = np.random.default_rng(1).normal(size=(30, 2))
    assert learnt_direction((0.6, 0.8), encodings, np.full(30, 0.5), 0.3) == pytest.approx((0.6, 0.8))


def test_learnt_direction__no_moves_leave_it() -> None:
    assert learnt_direction((0.6, 0.8), np.zeros((0, 2)), np.zeros(0), 0.3) == pytest.approx((0.6, 0.8))


# The file and the engine ----------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "m.npz"
    planted(CORNER, APPROACHED, FAR, ANSWERED, encoder=only("strenLibert", "terriCorner") / 4).write(path)
    return path


def test_file__comes_back_as_it_was_written(file: Path) -> None:
    found = read_m_eval(file)
    assert len(found.keys) == 4
    assert found.encoder[MEVAL_QUALITIES.index("terriCorner"), 1] == 0.25


@pytest.mark.parametrize(
    ("change", "message"),
    [({"version": np.array(99)}, "of version 99"), ({"size": np.array(9)}, "9x9"), ({"encoder": np.ones(3)}, "broken")],
)
def test_file__of_another_version_or_size_is_refused_with_the_command(
    file: Path, change: dict[str, np.ndarray], message: str
) -> None:
    with np.load(file) as loaded:
        columns = dict(loaded) | change
    np.savez(file, **columns)
    with pytest.raises(ValueError, match=message) as caught:
        read_m_eval(file)
    assert "tesuji masters m-eval" in str(caught.value)


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"not a file", b"\0" * 100])
def test_file__anything_else_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.npz"
    path.write_bytes(data)
    with pytest.raises(ValueError, match="tesuji masters m-eval"):
        read_m_eval(path)


@pytest.mark.parametrize("name", ["moves", "starts", "keys", "points", "stone_keys", "kinds"])
def test_file__columns_that_do_not_fit_are_refused(file: Path, name: str) -> None:
    with np.load(file) as loaded:
        columns = dict(loaded)
    columns[name] = columns[name][:-1]
    np.savez(file, **columns)
    with pytest.raises(ValueError, match="broken"):
        read_m_eval(file)


def test_engine__plays_with_it_and_learns_a_direction_only_on_19x19(file: Path) -> None:
    config = EngineConfig(simulations=60, seed=1, m_eval=MEvalSettings(file=str(file), step=0.3))
    engine = Engine(config)
    board = Board(19)
    board.play("D16")
    assert engine.genmove(board) in board.legal_moves()
    with pytest.raises(ValueError, match="this one is 9x9"):
        engine.genmove(Board(9))
    assert Engine(config.replace(m_eval=MEvalSettings(file="standard"))).genmove(Board(9)) != "resign"


def test_engine__the_same_seed_gives_the_same_search_and_off_is_as_before(file: Path) -> None:
    board = Board(19)
    board.play("D16")

    def visits(setting: str) -> list[tuple[int, int]]:
        config = applied_to_engine({"m_eval": setting, "m_eval_visits": 200, "seed": 3}, EngineConfig())
        return [(one.move, one.visits) for one in Engine(config).analyse(board, simulations=150).moves]

    assert visits(str(file)) == visits(str(file))
    assert visits(str(file)) != visits("off")


def test_engine__a_new_game_begins_with_the_plain_direction(file: Path) -> None:
    evaluation = MEval(MEvalSettings(file=str(file)), 40.0)
    board = Board(19)
    board.play("D16")
    evaluation.begin(board)
    evaluation.native.direction = [1.0, 0.0]
    board.play("C14")
    evaluation.begin(board)
    assert evaluation.direction == (1.0, 0.0)
    evaluation.begin(Board(19))
    assert evaluation.direction == pytest.approx((HALF, HALF))


def test_settings__what_does_not_go_together_is_refused() -> None:
    on = MEvalSettings(file="standard")
    with pytest.raises(ValueError, match="virtual visits"):
        EngineConfig(m_eval=on, network="shipped")
    with pytest.raises(ValueError, match="m_eval_intensity is -1"):
        MEvalSettings(intensity=-1.0)
    with pytest.raises(ValueError, match="m_eval is empty"):
        MEvalSettings(file="")
