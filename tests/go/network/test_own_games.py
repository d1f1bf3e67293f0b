"""Games that the engine plays with itself: repeatable, kept line by line, read as positions, learnt from."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from tesuji.cli import main
from tesuji.go import Board
from tesuji.go.knowledge.network import GoNetwork
from tesuji.go.network.own_games import OwnGame, OwnGamesFile, OwnGameTask, own_lessons, play_own_game
from tesuji.learning.network.model import ModelError, read_model

TASK = OwnGameTask(size=7, simulations=8, drawn_moves=4, network=None)


def test_play_own_game__repeats_itself_and_says_what_the_searches_saw() -> None:
    game = play_own_game(TASK)
    assert game == play_own_game(TASK)
    assert game != play_own_game(msgspec.structs.replace(TASK, number=1))
    board = Board(7, komi=game.komi)
    for move, looked_at in zip(game.moves, game.visits, strict=True):
        assert all(board.is_legal(each) for each, _ in looked_at)
        board.play(move)
    assert game.winner in (0, 1)
    if game.margin is not None:
        assert (game.margin > 0) == (game.winner == 0)
        assert len(game.owners) == 49


def test_play_own_game__sizes_that_no_network_learns_are_refused() -> None:
    with pytest.raises(ValueError, match="7 to 19 lines"):
        OwnGameTask(size=5)


def test_own_lessons__shares_results_and_komi_are_the_movers(tmp_path: Path) -> None:
    file = OwnGamesFile(tmp_path / "own.jsonl", TASK)
    game = OwnGame(
        number=0, size=7, komi=5.5, moves=[24, 10, 38], visits=[[(24, 3), (25, 1)], [(10, 4)], [(38, 1), (49, 1)]],
        winner=1, margin=-3.5, owners=[1] * 7 + [-1] * 42,
    )  # fmt: skip
    file.add(game)
    lessons = own_lessons([tmp_path / "own.jsonl"])
    [positions] = [*lessons.training.values(), *lessons.held_out.values()]
    assert positions.shares is not None
    np.testing.assert_allclose(positions.shares[0, [24, 25]], [0.75, 0.25], atol=1e-3)
    np.testing.assert_allclose(positions.shares[2, [38, 49]], [0.5, 0.5], atol=1e-3)
    assert positions.wins.tolist() == [0, 1, 0]
    assert positions.scores.tolist() == [-3.5, 3.5, -3.5]
    np.testing.assert_allclose(positions.scalars[:, 0], [-0.55, 0.55, -0.55], atol=1e-6)


def test_own_games_file__goes_on_where_it_was_and_survives_a_line_cut_short(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    first = OwnGamesFile(path, TASK)
    for task in first.missing(2):
        first.add(play_own_game(task))
    path.write_bytes(path.read_bytes()[:-20])
    again = OwnGamesFile(path, TASK)
    assert [task.number for task in again.missing(3)] == [1, 2]
    for task in again.missing(3):
        again.add(play_own_game(task))
    assert OwnGamesFile(path, TASK).missing(3) == []
    assert own_lessons([path]).num_games == 3
    with pytest.raises(ValueError, match="played otherwise"):
        OwnGamesFile(path, msgspec.structs.replace(TASK, simulations=9))
    (tmp_path / "other").write_text("{}\n")
    with pytest.raises(ValueError, match="not a file of `tesuji learn games`"):
        own_lessons([tmp_path / "other"])


def test_own_lessons__a_game_that_breaks_the_rules_is_passed_over(tmp_path: Path) -> None:
    file = OwnGamesFile(tmp_path / "own.jsonl", TASK)
    file.add(OwnGame(number=0, size=7, komi=7.5, moves=[3, 3], visits=[[(3, 1)], [(3, 1)]], winner=0))
    file.add(OwnGame(number=1, size=7, komi=7.5, moves=[3], visits=[[(99, 1)]], winner=0))
    lessons = own_lessons([tmp_path / "own.jsonl"])
    assert (lessons.num_games, lessons.num_passed_over) == (0, 2)


def test_learn_games__plays_and_goes_on_and_a_network_learns_from_them(tmp_path: Path) -> None:
    for library in ("torch", "onnx", "onnxruntime"):
        pytest.importorskip(library)
    own, folder = tmp_path / "own.jsonl", tmp_path / "net"
    play = ["learn", "games", str(own), "--size", "7", "--simulations", "8", "--network", "none", "--jobs", "1"]
    for games in ("1", "2"):
        done = CliRunner().invoke(main, [*play, "--games", games])
        assert done.exit_code == 0, done.output
        assert f"{games} games in" in done.output
    learn = ["learn", "network", "--own", str(own), "--batch", "16"]
    small = [*learn, "--folder", str(folder), "--blocks", "2", "--channels", "16", "--steps", "2"]
    done = CliRunner().invoke(main, small)
    assert done.exit_code == 0, done.output
    more = [*learn, "--folder", str(tmp_path / "more"), "--begin", str(folder / "network.tesuji"), "--steps", "1"]
    done = CliRunner().invoke(main, more)
    assert done.exit_code == 0, done.output
    description, _ = read_model(tmp_path / "more" / "network.tesuji")
    assert description.name == "2x16"
    assert (description.provenance["own_games"], description.provenance["begun_with"]) == (2, "network.tesuji")


def test_learn_network__nothing_to_learn_from_is_an_error(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["learn", "network", "--folder", str(tmp_path / "net"), "--steps", "1"])
    assert done.exit_code == 2
    assert "nothing to learn from" in done.output


def test_begin__the_network_that_ships_is_begun_with_as_it_is(tmp_path: Path) -> None:
    for library in ("torch", "onnx", "onnxruntime"):
        pytest.importorskip(library)
    from importlib import resources

    from tesuji.learning.network.architecture import Network
    from tesuji.learning.network.begin import weights_of
    from tesuji.learning.network.export import write_network

    with resources.as_file(resources.files("tesuji.go.knowledge") / "data" / "network.tesuji") as shipped:
        shape, weights = weights_of(shipped)
    assert shape.name == "5x96/48"
    network = Network(shape)
    network.load_state_dict(weights)
    write_network(tmp_path / "again.tesuji", network.eval(), game="go", provenance={})
    board = Board(9)
    board.play("E5")
    one, other = (GoNetwork.load(name).judge(board) for name in ("shipped-float32", tmp_path / "again.tesuji"))
    np.testing.assert_allclose(one.shares, other.shares, atol=1e-4)
    np.testing.assert_allclose(one.wins, other.wins, atol=1e-4)
    (tmp_path / "bad").write_bytes(b"no network")
    with pytest.raises(ModelError):
        weights_of(tmp_path / "bad")
