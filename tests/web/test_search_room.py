"""The room where searches are seen, without a browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from tesuji.games import Connect4
from tesuji.search import Search, SearchConfig
from tesuji.web.bench import FREE
from tesuji.web.opening import open_file
from tesuji.web.settings import WebSettings
from web.client import PageClient, Refused, page_of, serving


def _ended(event: dict) -> bool:
    return event.get("running") == []


@pytest.mark.parametrize(
    "setup",
    [
        {"game": "go", "size": 9},
        {"game": "hex", "size": 5},
        {"game": "connect4"},
        {"game": "pgame", "breadth": 3, "depth": 6},
    ],
)
def test_search__its_moves_history_and_graph_are_there(page: PageClient, setup: dict) -> None:
    bench = page.ask("search.new", setup=setup)
    page.ask("search.configure", id=bench["id"], sides=[{}], simulations=500)
    page.ask("search.run", id=bench["id"])
    page.until(_ended)
    found = page.ask("search.enter", id=bench["id"])["found"][0]
    assert found["moves"][0]["visits"] >= found["moves"][-1]["visits"]
    assert found["simulations"] == 500 or found["proof"]
    assert [moment["n"] for moment in found["history"]] == sorted(moment["n"] for moment in found["history"])
    graph = found["graph"]
    assert len(graph["first"]) == len(graph["mover"]) + 1
    assert max(graph["child"]) < len(graph["mover"])


def test_search__two_configs_side_by_side(page: PageClient) -> None:
    id_ = page.ask("search.new", setup={"game": "hex", "size": 5})["id"]
    sides = [{"preset": "default"}, {"preset": "uct", "settings": {"exploration": "1.5"}}]
    page.ask("search.configure", id=id_, sides=sides, simulations=300)
    page.ask("search.run", id=id_)
    page.until(_ended)
    one, other = page.ask("search.enter", id=id_)["found"]
    assert one["moves"][0]["amaf"] is not None
    assert other["moves"][0]["amaf"] is None


def test_search__a_position_is_played_to_and_taken_back(page: PageClient) -> None:
    id_ = page.ask("search.new", setup={"game": "connect4"})["id"]
    page.ask("search.play", id=id_, move=3)
    assert page.until(lambda event: event.get("moves"))["moves"] == ["4"]
    with pytest.raises(Refused):
        page.ask("search.play", id=id_, move=99)
    page.ask("search.back", id=id_)
    assert page.until(lambda event: event.get("moves") == [])


def test_configs__what_takes_more_than_a_search_may_or_names_a_file_cannot_be_set(page: PageClient) -> None:
    id_ = page.ask("search.new", setup={"game": "go", "size": 9})["id"]
    for name in ("threads", "memory_mb", "table_file", "patterns", "prior_strengths", "book", "__class__", "seed"):
        with pytest.raises(Refused, match="cannot be set here"):
            page.ask("search.configure", id=id_, sides=[{"settings": {name: "/etc/passwd"}}], simulations=10)
    sides = [{"settings": {"graph": "shared-values", "table_entries": "2000000000"}}]
    with pytest.raises(Refused, match="at most"):
        page.ask("search.configure", id=id_, sides=sides, simulations=10)
    assert not any("file" in name or "path" in name for name in FREE)


def test_configs__a_wrong_one_is_explained(page: PageClient) -> None:
    id_ = page.ask("search.new", setup={"game": "hex", "size": 5})["id"]
    with pytest.raises(Refused, match="there is no preset 'none'"):
        page.ask("search.configure", id=id_, sides=[{"preset": "none"}], simulations=10)
    with pytest.raises(Refused, match="exploration"):
        page.ask("search.configure", id=id_, sides=[{"settings": {"exploration": "much"}}], simulations=10)


def test_search__stops_with_the_page(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        with page_of(client) as page:
            id_ = page.ask("search.new", setup={"game": "go", "size": 19})["id"]
            page.ask("search.configure", id=id_, sides=[{}, {}], simulations=5_000_000)
            page.ask("search.run", id=id_)
            assert len(client.server.searches) == 2
        import time

        for _ in range(500):
            if not len(client.server.searches):
                break
            time.sleep(0.02)
        assert len(client.server.searches) == 0


def test_graph__a_saved_one_is_shown(tmp_path: Path) -> None:
    search = Search(Connect4(), SearchConfig())
    search.run(simulations=300, seed=1)
    path = search.save(tmp_path / "four.graph")
    settings, place = open_file(WebSettings(folder=tmp_path / "folder"), path)
    room, _, id_ = place.partition("/")
    assert room == "search"
    with serving(settings.folder) as client, page_of(client) as page:
        bench = page.ask("search.enter", id=id_)
        assert bench["found"][0]["graph"]["names"][:2] == ["1", "2"]
        with pytest.raises(Refused, match="graph from a file"):
            page.ask("search.run", id=id_)
