"""The page in Debian's chromium: every room, and the attacks that need a browser. Skipped where there is none."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tesuji.experiments.players import parse_player

uvicorn = pytest.importorskip("uvicorn")
sync_api = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium")
if CHROMIUM is None:
    pytest.skip("chromium is not installed (scripts/setup installs it as root)", allow_module_level=True)

from tesuji.web.server import make_app  # noqa: E402
from tesuji.web.serving import bind, with_port  # noqa: E402
from tesuji.web.settings import Limits, WebSettings  # noqa: E402

PLAYERS = {
    name: parse_player(text, name=name)
    for name, text in {"a": "tesuji:simulations=2", "b": "tesuji:simulations=4"}.items()
}
ROOMS = ("play", "study", "search", "compare", "pictures", "packing")
EVIL = "<img src=x onerror=document.title='hacked'>"


@contextmanager
def served(folder: Path, port: int = 0) -> Iterator[str]:
    """A server in a thread; its address."""
    listening = bind("127.0.0.1", port)
    settings = WebSettings(folder=folder, players=PLAYERS, seed=1, limits=Limits(searches=1, away_s=0.2))
    app = make_app(with_port(settings, listening))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("web")) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        try:
            launched = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        except sync_api.Error as error:
            pytest.skip(f"chromium does not start here: {str(error).splitlines()[0]}")
        yield launched
        launched.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1200, "height": 850}, accept_downloads=True)
    page = context.new_page()
    page.set_default_timeout(60_000)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    yield page
    context.close()
    assert wrong == []


def _until(page: Any, script: str) -> None:
    """Wait until something is true; Playwright's own way needs eval in the page, which the policy forbids."""
    deadline = time.monotonic() + 60
    while not page.evaluate(script):
        assert time.monotonic() < deadline, script
        page.wait_for_timeout(50)


def _type(page: Any, move: str) -> None:
    """Type a move, and wait until it is in the list."""
    before = page.locator("ol.moves li").count()
    page.fill(".typed input", move)
    page.press(".typed input", "Enter")
    _until(page, f"document.querySelectorAll('ol.moves li').length > {before}")


def _click(page: Any, column: int, row: int, size: int) -> None:
    """Click on a point of a Go board."""
    box = page.locator(".board-svg").bounding_box()
    cell = box["width"] / (size - 1 + 2.04)
    page.mouse.click(box["x"] + (1.02 + column) * cell, box["y"] + (1.02 + row) * cell)


def _new_game(page: Any, site: str, *, size: str, opponent: str = "you") -> None:
    page.goto(f"{site}/#/play")
    page.select_option("#size", size)
    page.locator("label.field", has_text="White").locator("select").select_option(opponent)
    page.click("#begin")
    page.wait_for_selector(".typed")


def test_play__a_game_to_its_end_and_the_count(page: Any, site: str) -> None:
    _new_game(page, site, size="5")
    for move in ("C1", "A5", "C2", "pass", "C3", "pass", "C4", "pass", "C5", "pass", "pass"):
        _type(page, move)
    page.wait_for_selector("#accept")
    _until(page, "document.querySelectorAll('.dead').length === 1")  # A5 is proposed
    _click(page, 0, 0, 5)
    _until(page, "document.querySelectorAll('.dead').length === 0")
    _click(page, 0, 0, 5)
    _until(page, "document.querySelectorAll('.dead').length === 1")
    page.click("#accept")
    _until(page, "document.querySelector('.status')?.textContent.startsWith('Black wins by')")


def test_play__the_engine_answers_and_a_reload_loses_nothing(page: Any, site: str) -> None:
    _new_game(page, site, size="9", opponent="level:beginner")
    _click(page, 4, 4, 9)
    _until(page, "document.querySelectorAll('ol.moves li').length === 2")
    page.reload()
    _until(page, "document.querySelectorAll('ol.moves li').length === 2")
    assert page.locator(".stone.p0").count() == 1
    page.locator(".board").focus()
    for key in ("ArrowLeft", "ArrowLeft", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    _until(page, "document.querySelectorAll('ol.moves li').length >= 3")


def test_play__the_page_comes_back_when_the_server_does(browser: Any, tmp_path: Path) -> None:
    page = browser.new_page()
    with served(tmp_path) as address:
        _new_game(page, address, size="9")
        _type(page, "E5")
    page.wait_for_selector("#offline:not([hidden])")
    with served(tmp_path, int(address.rpartition(":")[2])):
        page.wait_for_selector("#offline", state="hidden")
        _until(page, "document.querySelectorAll('ol.moves li').length === 1")
    page.close()


def test_study__a_review_an_edit_and_a_record_that_another_parser_reads(page: Any, site: str) -> None:
    sgfmill = pytest.importorskip("sgfmill.sgf")
    page.goto(f"{site}/#/study")
    page.fill("textarea", f"(;SZ[9]KM[7.5]PB[{EVIL}]PW[B]C[{EVIL}];B[ee];W[ce];B[ge])")
    page.click("#open-text")
    page.wait_for_selector(".tree-svg")
    assert EVIL in page.locator(".side-b h2").first.text_content()
    assert page.locator("img[src=x]").count() == 0
    page.click("#analyse")
    page.wait_for_selector(".candidate")
    page.click("#analyse")
    page.locator("summary", has_text="Review").click()
    page.select_option("#strength", "200")
    page.click("#review")
    _until(page, "document.querySelector('#review')?.textContent === 'Review this line'")
    page.keyboard.press("End")
    _until(page, "document.querySelectorAll('.stone').length === 3")
    page.click("[data-tool=TR]")
    _click(page, 0, 0, 9)
    page.wait_for_selector(".mark")
    page.click("[data-tool=play]")
    _click(page, 8, 8, 9)
    _until(page, "document.querySelectorAll('.tree-node').length === 5")
    with page.expect_download() as download:
        page.click("#save")
    game = sgfmill.Sgf_game.from_bytes(Path(download.value.path()).read_bytes())
    assert len(game.get_main_sequence()) == 5
    assert game.get_main_sequence()[3].get("TR") == {(8, 0)}
    assert "hacked" not in page.title()
    page.click("#pictures")
    _until(page, "document.querySelector('.paper img')?.naturalWidth > 0")
    with page.expect_download() as download:
        page.click("#save-svg")
    assert Path(download.value.path()).read_text().startswith("<svg")


def test_search__two_searches_are_compared(page: Any, site: str) -> None:
    page.goto(f"{site}/#/search")
    page.select_option("#game", "hex")
    page.select_option("#size", "5")
    page.click("#begin")
    page.click("#compare")
    page.wait_for_selector("#preset-1")
    page.select_option("#preset-1", "uct")
    page.fill("#simulations", "500")
    page.press("#simulations", "Tab")
    page.click("#run")
    page.wait_for_selector("#differences tbody tr")
    page.locator(".graph details summary").first.click()
    page.wait_for_selector(".graph details details")


def test_compare__a_match_is_watched_and_paused(page: Any, site: str) -> None:
    page.goto(f"{site}/#/compare")
    page.fill("#match-name", "from the page")
    page.locator("label.field", has_text="Game").locator("select").first.select_option("tictactoe")
    page.fill("#match-games", "5000")
    page.press("#match-games", "Tab")
    page.click("#start")
    page.wait_for_selector("#games tbody tr")
    page.click("#pause")
    page.wait_for_selector("#resume")
    page.locator("#games tbody tr button").first.click()
    page.wait_for_selector("input[type=range]")


def test_packing__a_plan_is_drawn(page: Any, site: str) -> None:
    page.goto(f"{site}/#/packing")
    page.click("#begin")
    page.fill("#width", "250")
    page.press("#width", "Tab")
    _until(page, "document.querySelector('#run')?.disabled === false")
    page.fill("#seconds", "1")
    page.click("#run")
    _until(page, "document.querySelectorAll('.plan .part').length === 31")


def test_phone__no_room_is_wider_than_the_screen(page: Any, site: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    for room in ROOMS:
        page.goto(f"{site}/#/{room}")
        page.wait_for_selector(f".room.{room} .panel")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, room
    _new_game(page, site, size="19")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_attack__another_site_gets_neither_the_socket_nor_a_file(browser: Any, site: str, tmp_path: Path) -> None:
    with served(tmp_path) as other:
        page = browser.new_page()
        page.goto(f"{other}/static/icon.svg")  # a page of another origin, without our policy on connections
        page.goto("data:text/html,<p>another site")
        opened = page.evaluate(
            """address => new Promise((done) => {
                 const socket = new WebSocket(address);
                 socket.onopen = () => done("open");
                 socket.onerror = () => done("refused");
               })""",
            site.replace("http", "ws") + "/live",
        )
        read = page.evaluate("address => fetch(address).then(() => 'read', () => 'refused')", f"{site}/static/app.js")
        assert (opened, read) == ("refused", "refused")
        page.close()


def test_attack__no_script_but_the_pages_own_runs(browser: Any, site: str) -> None:
    page = browser.new_page()
    page.goto(f"{site}/#/play")
    page.wait_for_selector("#begin")
    ran = page.evaluate(
        """() => { const script = document.createElement("script");
             try { script.textContent = "document.title = 'hacked'"; } catch { return "refused"; }
             document.body.append(script);
             return document.title; }"""
    )
    assert "hacked" not in ran
    page.close()
