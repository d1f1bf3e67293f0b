"""A game of somebody's own on the page: ``tesuji web mygame.py:MyGame``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tesuji.cli import main
from tesuji.web.setups import own_games
from web.browsing import opened_page, served, until
from web.client import Refused, page_of, serving

NIM = """
class Nim:
    num_distinct_moves = 3
    def __init__(self, left=7, to_play=0):
        self.left, self.to_play = left, to_play
    @property
    def is_over(self):
        return self.left == 0
    @property
    def value(self):
        return float(self.to_play == 1)
    def legal_moves(self):
        return list(range(min(3, self.left)))
    def play(self, move):
        self.left, self.to_play = self.left - move - 1, 1 - self.to_play
    def copy(self):
        return Nim(self.left, self.to_play)
    def key(self):
        return self.left * 2 + self.to_play
    def move_name(self, move):
        return f"take {move + 1}"
    def __str__(self):
        return "|" * self.left + " <sticks>"
"""


@pytest.fixture
def nim(tmp_path: Path) -> str:
    (tmp_path / "mygame.py").write_text(NIM)
    return f"{tmp_path / 'mygame.py'}:Nim"


def test_own_game__is_played_against_a_level_and_comes_back(nim: str, tmp_path: Path) -> None:
    own = own_games(nim)
    with serving(tmp_path / "w", own_games=own) as client, page_of(client) as page:
        assert page.ask("play.offer")["games"][0] == {"game": "Nim", "title": "Nim", "sizes": [], "own": 0}
        assert page.ask("play.look", game="Nim")["position"]["text"] == "||||||| <sticks>"
        game = page.ask("play.new", setup={"game": "Nim"}, seats=["you", "level:strong"])
        page.ask("play.move", id=game["id"], text="Take 2")
        state = page.until(lambda event: len(event.get("moves", ())) == 2)
        assert state["moves"] == ["take 2", "take 1"]  # it leaves four, which wins
        assert [name for _, name in state["position"]["moves"]] == ["take 1", "take 2", "take 3"]
        with pytest.raises(Refused, match="not a move here"):
            page.ask("play.move", id=game["id"], text="take 4")
        bench = page.ask("search.new", setup={"game": "Nim"})
        page.ask("search.run", id=bench["id"])
        assert page.until(lambda event: "now" in event and event["now"]["proof"])["now"]["best"] == "take 3"
    with serving(tmp_path / "w", own_games=own) as client, page_of(client) as page:
        assert page.ask("play.open", id=game["id"])["moves"] == ["take 2", "take 1"]
    with (
        serving(tmp_path / "w") as client,
        page_of(client) as page,
        pytest.raises(Refused, match="tesuji web mygame.py:MyGame"),
    ):
        page.ask("play.open", id=game["id"])


@pytest.mark.parametrize("name", ["os:system", "mygame.py:Nim", "Nim", "../mygame.py:Nim"])
def test_attack__a_page_names_no_python(nim: str, tmp_path: Path, name: str) -> None:
    del nim
    with serving(tmp_path / "w") as client, page_of(client) as page, pytest.raises(Refused, match="there is no game"):
        page.ask("play.look", game=name)


@pytest.mark.parametrize(
    ("name", "words"),
    [("mygame.py:Chess", "Nim"), ("none.py:Nim", "none.py"), ("broken.py:X", "broken.py"), ("mygame.py:", "mygame.py")],
)
def test_web__a_game_that_cannot_be_made_is_refused_before_anything_starts(
    nim: str, tmp_path: Path, name: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    del nim
    (tmp_path / "broken.py").write_text("1/0")
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["web", name, "--no-browser", "--folder", "w"])
    assert result.exit_code == 2
    assert words in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_browser__an_own_game_is_its_text_and_buttons(browser: Any, nim: str, tmp_path: Path) -> None:
    with served(tmp_path / "w", own_games=own_games(nim)) as site, opened_page(browser) as page:
        page.goto(f"{site}/#/play")
        page.wait_for_selector(".own-board")
        assert page.locator(".own-board").text_content() == "||||||| <sticks>"
        page.click("#begin")
        page.wait_for_selector(".typed")
        page.click("text=take 3")
        until(page, "document.querySelectorAll('ol.moves li').length === 2")
        until(page, "document.querySelector('.moves-list button')?.disabled === false")
