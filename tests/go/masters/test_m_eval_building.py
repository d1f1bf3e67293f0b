"""The file of M-eval made from games, and both versions' qualities behind one interface."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tesuji.go import Board
from tesuji.go.knowledge.m_eval import MEVAL_QUALITIES, read_m_eval
from tesuji.go.knowledge.position_key import WHITE
from tesuji.go.masters.database import GameDatabase
from tesuji.go.masters.game import GameInfo, StoredGame
from tesuji.go.masters.joseki import JosekiSettings, JosekiTable, build_joseki
from tesuji.go.masters.m_eval_building import MOST_MOVES, build_m_eval, encoder_from, pattern_file
from tesuji.go.masters.quality_sets import VERSIONS, quality_set


def random_game(seed: int) -> StoredGame:
    rng, board, moves = np.random.default_rng(seed), Board(19), []
    openings = [int(point) for point in (60, 72, 288, 300, 98, 110)]
    for number in range(70):
        legal = board.legal_moves()
        free = [move for move in openings if move in legal]
        move = free[0] if number < 5 and free else int(rng.choice(legal[legal != board.pass_move]))
        moves.append(move | (WHITE if number % 2 else 0))
        board.play(move)
    return StoredGame(GameInfo(width=19, height=19), [], [], np.array(moves, np.uint16))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, JosekiTable]:
    path = tmp_path_factory.mktemp("m-eval") / "g.db"
    with GameDatabase(path, create=True) as database:
        database.add([random_game(seed) for seed in range(12)])
        return path, build_joseki(database, JosekiSettings(playouts=2))


def test_build__a_file_that_can_be_read_with_an_encoder_of_deviation_one(
    made: tuple[Path, JosekiTable], tmp_path: Path
) -> None:
    path, table = made
    with GameDatabase(path) as database:
        built = build_m_eval(database, table)
    assert (built.file.games, built.file.positions) == (12, 24)
    assert built.weights.shape == (8, 2)
    territory = built.weights[:2].sum(axis=0)
    assert territory[1] > territory[0]  # the second number is the territorial one
    built.file.write(tmp_path / "m.npz")
    assert np.array_equal(read_m_eval(tmp_path / "m.npz").encoder, built.file.encoder)


def test_build__keeps_the_most_frequent_continuations(made: tuple[Path, JosekiTable]) -> None:
    _, table = made
    file = pattern_file(table)
    assert np.diff(file.starts.astype(int)).max() <= MOST_MOVES
    first = int(np.argmax(np.diff(table.columns["starts"])))
    kept = file.moves[file.starts[first] : file.starts[first + 1]]
    assert kept.tolist() == table.columns["moves"][int(table.columns["starts"][first]) :][: len(kept)].tolist()


def test_build__too_few_games(made: tuple[Path, JosekiTable]) -> None:
    with GameDatabase(made[0]) as database, pytest.raises(ValueError, match="too few"):
        build_m_eval(database, made[1], most=3)


def test_encoder_from__both_players_count_alike() -> None:
    measured = np.random.default_rng(1).gamma(2.0, 1.0, (200, 2, 8))
    encoder, weights = encoder_from(measured)
    turned, _ = encoder_from(measured[:, ::-1])
    differences = measured[:, 0] - measured[:, 1]
    assert (differences @ encoder).std(axis=0) == pytest.approx([1, 1])
    deviations = measured.reshape(-1, 8).std(axis=0)
    assert encoder * deviations[:, None] == pytest.approx(weights)
    assert (differences @ turned).std(axis=0) == pytest.approx([1, 1])


@pytest.mark.parametrize("version", VERSIONS)
def test_quality_set__exchanged_colours_exchange_the_rows(made: tuple[Path, JosekiTable], version: int) -> None:
    chosen = quality_set(version, pattern_file(made[1]), playouts=400)
    board, other = Board(19), Board(19)
    for number, move in enumerate((60, 72, 288, 300, 98, 110, 180, 62)):
        board.place(1 + number % 2, [move])
        other.place(2 - number % 2, [move])
    found, turned = chosen.measure(board), chosen.measure(other)
    assert found.shape == (2, len(chosen.names))
    assert (found >= 0).all()
    sums = np.maximum(1.0, found.sum(axis=0))
    assert found / sums == pytest.approx(turned[::-1] / sums, abs=0.1)  # playouts are drawn
    certain = [i for i, name in enumerate(chosen.names) if not name.startswith("own")]
    assert found[:, certain] == pytest.approx(turned[::-1, certain])


def test_quality_set__version_2_is_table_3_2_and_there_is_no_third(made: tuple[Path, JosekiTable]) -> None:
    file = pattern_file(made[1])
    assert quality_set(2, file).names == MEVAL_QUALITIES
    assert len(set(quality_set(1, file).names)) == 15
    with pytest.raises(ValueError, match="versions 1 and 2"):
        quality_set(3, file)


def test_playing__needs_no_scikit_learn() -> None:
    code = (
        "import sys; sys.modules['sklearn'] = None; import tesuji.go.engine.engine, tesuji.go.masters.m_eval_building"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
