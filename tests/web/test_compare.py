"""The room where players are compared, without a browser."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from tesuji.experiments.players import parse_player
from tesuji.experiments.run.match import match
from tesuji.web.opening import open_file
from tesuji.web.settings import WebSettings
from web.client import PageClient, Refused, page_of, serving

PLAYERS = {
    name: parse_player(text, name=name)
    for name, text in {"a": "tesuji:simulations=2", "b": "tesuji:simulations=4"}.items()
}


def _wait(is_it: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 600
    while not is_it() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert is_it()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("stores") / "two players.db"
    match(PLAYERS["a"], PLAYERS["b"], games=4, game="connect4", store_path=path)
    return path


def test_store__its_standings_and_games_are_shown(tmp_path: Path, store: Path) -> None:
    settings, place = open_file(WebSettings(folder=tmp_path), store)
    assert place == "compare/two players"
    with serving(tmp_path, stores=settings.stores) as client, page_of(client) as page:
        assert [line["name"] for line in page.ask("compare.offer")["stores"]] == ["two players"]
        report = page.ask("compare.enter", name="two players")
        assert report["standings"]["games"] == report["total"] == 4
        assert [player["name"] for player in report["standings"]["players"]] == ["a", "b"]
        game = page.ask("compare.game", name="two players", index=0)
        assert len(game["positions"]) == len(game["moves"]) + 1
        assert game["positions"][1]["owner"].count("0") == 1


def test_store__only_those_of_the_folder_and_the_command_line_have_names(tmp_path: Path, store: Path) -> None:
    (tmp_path / "folder").mkdir()
    with serving(tmp_path / "folder") as client, page_of(client) as page:
        for name in (str(store), str(store.with_suffix("")), "../stores/two players", "two players", ""):
            for command in ("compare.enter", "compare.pause", "compare.resume"):
                with pytest.raises(Refused, match="no store"):
                    page.ask(command, name=name)


def test_match__is_started_watched_paused_and_resumed_from_the_page(tmp_path: Path) -> None:
    with serving(tmp_path, players=PLAYERS) as client, page_of(client) as page:
        page.ask("compare.start", name="m 1", players=["a", "b"], game="tictactoe", games=2000)
        report = page.ask("compare.enter", name="m 1")
        live = page.until(lambda event: event.get("standings", {}).get("games", 0) > 0)
        assert live["running"]
        assert report["total"] == 2000
        with pytest.raises(Refused, match="being played already"):
            page.ask("compare.resume", name="m 1")
        page.ask("compare.pause", name="m 1")
        _wait(lambda: not page.ask("compare.enter", name="m 1")["running"])
        paused = page.ask("compare.enter", name="m 1")
        assert 0 < paused["standings"]["games"] < 2000
        assert paused["failure"] == ""
        page.ask("compare.resume", name="m 1")
        _wait(lambda: page.ask("compare.enter", name="m 1")["standings"]["games"] > paused["standings"]["games"])
    with serving(tmp_path, players=PLAYERS) as client, page_of(client) as page:  # its end has paused the match
        assert not page.ask("compare.offer")["stores"][0]["running"]


def test_match__players_are_those_of_the_config(tmp_path: Path, store: Path) -> None:
    with serving(tmp_path, players=PLAYERS, stores=(store,)) as client, page_of(client) as page:
        for players in (["a", "gnugo-l10"], ["a", "sh -c 'touch x'"], ["a", "gtp: x"]):
            with pytest.raises(Refused, match="knows no player"):
                page.ask("compare.start", name="x", players=players)
        for name in ("../x", "/tmp/x", "a/b", ".x", "", "x\n", "x" * 61):
            with pytest.raises(Refused, match="not a name|length"):
                page.ask("compare.start", name=name, players=["a", "b"])
        with pytest.raises(Refused, match="openings|regex|match"):
            page.ask("compare.start", name="x", players=["a", "b"], openings="/etc/passwd")
        with pytest.raises(Refused):
            page.ask("compare.start", name="x", players=["a", "b"], game="/tmp/x.py:X")
    others = {name: msgspec.structs.replace(spec, settings={"simulations": 9}) for name, spec in PLAYERS.items()}
    with serving(tmp_path, players=others, stores=(store,)) as client, page_of(client) as page:
        refused = pytest.raises(
            Refused, match="other settings"
        )  # a store is not a way to run what somebody wrote into it
        with refused:
            page.ask("compare.resume", name="two players")


def test_store__what_is_none_is_refused(tmp_path: Path, page: PageClient) -> None:
    (tmp_path / "bad.db").write_bytes(b"SQLite format 3\x00" + b"\x00" * 500)
    with pytest.raises(Exception, match="bad.db|database|store"):
        open_file(WebSettings(folder=tmp_path), tmp_path / "bad.db")
    assert page.ask("compare.offer")["stores"] == []
