"""The HTML page of a graph: its numbers, and that it needs nothing but itself."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("jinja2")

from search.toy_games import Nim
from tesuji.games import NATIVE_GAMES, Connect4, Hex, Knapsack, SameGame, make_game
from tesuji.games.appearance import as_text
from tesuji.go import Board
from tesuji.search import RAVE, Search, SearchConfig


class Hostile(Nim):
    """Moves whose names would break out of a script, a tag or an attribute."""

    def move_name(self, move: int) -> str:
        return ["</script><script>alert(1)</script>", '"><b>', "&amp;\u2028"][move]


def written(folder: Path, game: Any, simulations: int = 500, max_nodes: int = 10_000, **config: Any) -> str:
    result = Search(game, SearchConfig(**config)).run(simulations=simulations, seed=1)
    return result.to_html(folder / "graph.html", max_nodes).read_text(encoding="utf-8")


def numbers_in(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    numbers: dict[str, Any] = json.loads(found[1])
    return numbers


def test_to_html__the_rows_of_the_root_are_those_of_the_result(tmp_path: Path) -> None:
    search = Search(Hex(4), SearchConfig(amaf=RAVE()))
    result = search.run(simulations=2_000, seed=1)
    numbers = numbers_in(result.to_html(tmp_path / "graph.html").read_text(encoding="utf-8"))
    rows = range(numbers["first"][0], numbers["first"][1])
    shown = {numbers["names"][numbers["move"][i]]: (numbers["edgeVisits"][i], numbers["mean"][i]) for i in rows}
    expected = {
        result.name(int(move)): (int(visits), round(1000 * float(value)))
        for move, visits, value in zip(result.moves, result.visits, result.values, strict=True)
        if visits
    }
    assert shown.keys() == expected.keys()
    assert all(abs(shown[name][1] - expected[name][1]) <= 1 and shown[name][0] == expected[name][0] for name in shown)
    assert [numbers["edgeVisits"][i] for i in rows] == sorted((v for v, _ in expected.values()), reverse=True)


@pytest.mark.parametrize("graph", ["tree", "dag"])
def test_to_html__every_visit_is_shown_or_counted_as_left_out(tmp_path: Path, graph: str) -> None:
    numbers = numbers_in(written(tmp_path, Connect4(), simulations=3_000, max_nodes=200, graph=graph))
    assert len(numbers["mover"]) <= 200
    for node, walks in enumerate(numbers["walks"]):
        shown = sum(numbers["edgeVisits"][numbers["first"][node] : numbers["first"][node + 1]])
        assert shown + numbers["moreVisits"][node] == walks
        assert numbers["moreMoves"][node] >= 0
    assert numbers["walks"][0] == 3_000
    assert max(numbers["child"]) == len(numbers["mover"]) - 1


def test_to_html__needs_nothing_from_elsewhere(tmp_path: Path) -> None:
    page = written(tmp_path, Board(5), amaf=RAVE())
    assert not re.search(r"""(src|href)\s*=|@import|url\(|https?:""", page)
    assert "default-src 'none'" in page


def test_to_html__names_cannot_break_out(tmp_path: Path) -> None:
    page = written(tmp_path, Hostile(7))
    assert "<script>alert" not in page
    assert '"><b>' not in page
    assert "</script><script>alert(1)</script>" in numbers_in(page)["names"]


def test_to_html__shows_the_position_at_the_root(tmp_path: Path) -> None:
    search = Search(Board(5))
    search.run(simulations=50, seed=1)
    search.advance(12)
    result = search.run(simulations=50)
    page = result.to_html(tmp_path / "graph.html").read_text(encoding="utf-8")
    assert "White to move." in page
    assert re.search(r"3 \. \. X \. \. 3", page)


def test_to_html__of_one_node_and_of_a_game_without_words(tmp_path: Path) -> None:
    page = written(tmp_path, Nim(9), max_nodes=1)
    assert "The 1 most visited of" in page
    assert numbers_in(page)["moreMoves"] == [3]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("chromium") is None, reason="chromium is not installed")
def test_to_html__opens_and_finds_in_a_browser(tmp_path: Path) -> None:
    page = written(tmp_path, Connect4(), simulations=5_000, graph="dag")
    steps = """
      byId("all").click(); const all = items.length;
      byId("none").click(); const none = items.length;
      toggle(0); const one = items.length; const board = byId("position").textContent; toggle(0);
      query.value = "4"; find();
      document.title = JSON.stringify([all, none, one, items.length, found.querySelectorAll("button").length, board]);
    """
    (tmp_path / "driven.html").write_text(page.replace("</body>", f"<script>{steps}</script></body>"), encoding="utf-8")
    chromium = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    command = [*chromium, "--virtual-time-budget=2000", "--dump-dom", (tmp_path / "driven.html").as_uri()]
    dom = subprocess.run(command, capture_output=True, text=True, timeout=600, check=True).stdout
    title = re.search(r"<title>(.*?)</title>", dom)
    assert title
    all_open, none_open, one_open, closed_again, found, board = json.loads(html.unescape(title[1]))
    numbers = numbers_in(page)
    assert board == texts_in(numbers)[numbers["child"][0]] != numbers["drawings"]["root"]
    assert all_open >= len(numbers["move"])
    assert none_open == closed_again < one_open < all_open
    assert found == 30


@pytest.mark.parametrize("name", NATIVE_GAMES)
def test_page__draws_the_board_of_every_game(name: str, tmp_path: Path) -> None:
    game = make_game(name)
    result = Search(game, SearchConfig(memory_bytes=2**24)).run(simulations=20, seed=1)
    page = result.to_html(tmp_path / "page.html").read_text(encoding="utf-8")
    lines = [line.strip() for line in as_text(game).splitlines() if line.strip()]
    assert all(line in html.unescape(page) for line in lines)


def texts_in(numbers: dict[str, Any]) -> list[str]:
    """The positions of the nodes, put together as the page does it."""
    drawings = numbers["drawings"]
    texts = {0: drawings["root"]}

    def text_of(node: int) -> str:
        if node not in texts:
            change, signs = drawings["change"][node], list(text_of(drawings["parent"][node]))
            for place, sign in zip(change[::2], change[1::2], strict=True) if isinstance(change, list) else ():
                signs[place] = sign
            texts[node] = change if isinstance(change, str) else "".join(signs)
        return texts[node]

    return [text_of(node) for node in range(len(numbers["mover"]))]


def assert_positions_are_those_of_the_moves(game: Any, numbers: dict[str, Any], names: Any, draw: Any) -> None:
    texts = texts_in(numbers)
    by_name = {names(move): move for move in range(game.num_distinct_moves)}
    states, compared = {0: game}, 0
    for node in range(len(texts)):  # a parent comes before its children: it has more visits
        for edge in range(numbers["first"][node], numbers["first"][node + 1]):
            if node not in states or numbers["child"][edge] in states:
                continue
            state = states[node].copy()
            state.play(by_name[numbers["names"][numbers["move"][edge]]])
            states[numbers["child"][edge]] = state
            assert texts[numbers["child"][edge]] == draw(state)
            compared += 1
    assert compared > 10


@pytest.mark.parametrize("name", NATIVE_GAMES)
def test_page__every_node_has_the_position_that_its_moves_lead_to(name: str, tmp_path: Path) -> None:
    game = make_game(name)
    search = Search(game, SearchConfig(memory_bytes=2**24))
    result = search.run(simulations=400, seed=1)
    numbers = numbers_in(result.to_html(tmp_path / "page.html", max_nodes=40).read_text(encoding="utf-8"))
    assert_positions_are_those_of_the_moves(game, numbers, result.name, as_text)


@pytest.mark.parametrize("graph", ["tree", "dag"])
def test_page__positions_of_go(graph: str, tmp_path: Path) -> None:
    board = Board(5)
    board.play("C3")
    numbers = numbers_in(written(tmp_path, board, simulations=1_000, max_nodes=100, graph=graph))
    assert numbers["drawings"]["root"] == board.to_text()
    assert_positions_are_those_of_the_moves(board, numbers, board.move_name, Board.to_text)


def test_page__positions_of_a_game_of_ones_own_and_of_none(tmp_path: Path) -> None:
    class Drawn(Nim):
        def __str__(self) -> str:
            return "|" * len(list(self.legal_moves())) or "over"

    numbers = numbers_in(written(tmp_path, Drawn(9), simulations=200))
    assert set(texts_in(numbers)) <= {"|", "||", "|||", "over"}
    assert numbers["drawings"]["root"] == "|||"
    assert numbers_in(written(tmp_path, SameGame("11\n22"), simulations=20))["drawings"]["root"] == "11\n22\n"
    assert numbers_in(written(tmp_path, Knapsack([1, 2], [3, 4], 2), simulations=20))["drawings"]["root"] == ""
