"""A table of shared values that outlives the game: through the engine, GTP and a match."""

from __future__ import annotations

import io
from pathlib import Path

import msgspec
import pytest

from tesuji.experiments.play.referee import play_game
from tesuji.experiments.players import parse_player
from tesuji.experiments.records import Conditions
from tesuji.experiments.run.schedule import schedule
from tesuji.experiments.run.spec import MatchSpec
from tesuji.go import Board
from tesuji.go.engine import Engine, EngineConfig
from tesuji.go.engine.presets import engine_preset
from tesuji.go.gtp.server import GtpServer
from tesuji.search.files.table_file import TableFileError, load_table


def remembering(path: Path) -> EngineConfig:
    return msgspec.structs.replace(engine_preset("no-group"), simulations=60, seed=1, table_file=str(path))


def visits_in(path: Path) -> int:
    """Of all entries together."""
    return int(load_table(path).columns["visits"].sum())


def test_end_game__writes_what_the_next_game_begins_with(tmp_path: Path) -> None:
    path = tmp_path / "9x9.table"
    engine, board = Engine(remembering(path)), Board(9)
    engine.genmove(board)
    assert not path.exists()  # the game goes on
    engine.end_game()
    first = visits_in(path)
    assert first > 60
    again = Engine(remembering(path))
    again.genmove(board)
    again.end_game()
    assert visits_in(path) > first + 60  # what was known, and what was added


def test_genmove__another_game_ends_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "9x9.table"
    engine, board, other = Engine(remembering(path)), Board(9), Board(9)
    other.play(other.point("E5"))
    engine.genmove(other)
    engine.genmove(board)
    assert path.exists()


def test_end_game__without_a_file_only_forgets() -> None:
    engine = Engine(msgspec.structs.replace(engine_preset("no-group"), simulations=10))
    engine.genmove(Board(9))
    engine.end_game()
    engine.end_game()


def test_config__a_table_file_needs_shared_values() -> None:
    with pytest.raises(ValueError, match="table_file keeps shared values, graph is 'tree'"):
        EngineConfig(table_file="x.table")


def test_genmove__a_table_of_another_board_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "9x9.table"
    engine = Engine(remembering(path))
    engine.genmove(Board(9))
    engine.end_game()
    with pytest.raises(TableFileError, match=r"cannot begin with 9x9\.table"):
        engine.genmove(Board(7))


def test_gtp__clear_board_and_the_end_of_the_conversation_write_it(tmp_path: Path) -> None:
    path = tmp_path / "9x9.table"
    server = GtpServer(Engine(remembering(path)), Board(9))
    server.reply(b"genmove b\n")
    server.reply(b"clear_board\n")
    cleared = visits_in(path)
    server = GtpServer(Engine(remembering(path)), Board(9))
    server.run(io.BytesIO(b"genmove b\nquit\n"), io.BytesIO())
    assert visits_in(path) > cleared


def test_match__a_player_writes_it_when_its_game_is_over(tmp_path: Path) -> None:
    path = tmp_path / "5x5.table"
    learner = parse_player(f"learner=tesuji:preset=no-group,simulations=5,table_file={path}")
    other = parse_player("other=tesuji:preset=uct,simulations=5")
    spec = MatchSpec(players=(learner, other), conditions=Conditions(size=5, komi=6.5), games=2, seed=1)
    for task in schedule(spec):
        play_game(task)
    assert len(load_table(path)) > 0
