"""A server and pages in a real browser: what the tests in Debian's chromium share."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tesuji.experiments.players import parse_player
from tesuji.web.server import make_app
from tesuji.web.serving import bind, with_port
from tesuji.web.settings import Limits, WebSettings

__all__ = ["EVIL", "PATIENCE_S", "ROOMS", "click_point", "new_game", "opened_page", "served", "type_move", "until"]

PLAYERS = {
    name: parse_player(text, name=name)
    for name, text in {"a": "tesuji:simulations=2", "b": "tesuji:simulations=4"}.items()
}
ROOMS = ("play", "study", "search", "compare", "pictures", "packing")
EVIL = "<img src=x onerror=document.title='hacked'>"
PATIENCE_S = 600  # for whatever comes: a machine may be busy, and a test ends sooner where it is not


@contextmanager
def served(folder: Path, port: int = 0, **more: Any) -> Iterator[str]:
    """A server in a thread; its address."""
    import uvicorn

    listening = bind("127.0.0.1", port)
    settings = WebSettings(folder=folder, players=PLAYERS, seed=1, limits=Limits(searches=1, away_s=0.2), **more)
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


@contextmanager
def opened_page(browser: Any, **options: Any) -> Iterator[Any]:
    """A page in a window of its own; an error in its console fails the test."""
    context = browser.new_context(**{"viewport": {"width": 1200, "height": 850}, "accept_downloads": True, **options})
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE_S)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    yield page
    context.close()
    assert wrong == []


def until(page: Any, script: str) -> None:
    """Wait until something is true; Playwright's own way needs eval in the page, which the policy forbids."""
    deadline = time.monotonic() + PATIENCE_S
    while not page.evaluate(script):
        assert time.monotonic() < deadline, script
        page.wait_for_timeout(50)


def type_move(page: Any, move: str) -> None:
    """Type a move, and wait until it is in the list."""
    before = page.locator("ol.moves li").count()
    page.fill(".typed input", move)
    page.press(".typed input", "Enter")
    until(page, f"document.querySelectorAll('ol.moves li').length > {before}")


def click_point(page: Any, column: int, row: int, size: int) -> None:
    """Click on a point of a Go board."""
    box = page.locator(".board-svg").bounding_box()
    cell = box["width"] / (size - 1 + 2.04)
    page.mouse.click(box["x"] + (1.02 + column) * cell, box["y"] + (1.02 + row) * cell)


def new_game(page: Any, site: str, *, size: str, opponent: str = "you") -> None:
    """Begin a game of Go."""
    page.goto(f"{site}/#/play")
    page.select_option("#size", size)
    page.locator("label.field", has_text="White").locator("select").select_option(opponent)
    page.click("#begin")
    page.wait_for_selector(".typed")


def watch_a_match(page: Any, site: str, name: str) -> None:
    """Start a match on the page, pause it after a game, and open that game."""
    page.goto(f"{site}/#/compare")
    page.fill("#match-name", name)
    page.locator("label.field", has_text="Game").locator("select").first.select_option("tictactoe")
    page.fill("#match-games", "5000")
    page.press("#match-games", "Tab")
    page.click("#start")
    page.wait_for_selector("#games tbody tr")
    page.click("#pause")
    page.wait_for_selector("#resume")
    page.locator("#games tbody tr button").first.click()
    page.wait_for_selector("input[type=range]")
