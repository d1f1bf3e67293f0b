"""The page in Debian's chromium: every room, and the attacks that need a browser. Skipped where there is none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from web.browsing import EVIL, ROOMS, click_point, new_game, opened_page, served, type_move, until, watch_a_match


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    with opened_page(browser) as page:
        yield page


def test_play__a_game_to_its_end_and_the_count(page: Any, site: str) -> None:
    new_game(page, site, size="5")
    for move in ("C1", "A5", "C2", "pass", "C3", "pass", "C4", "pass", "C5", "pass", "pass"):
        type_move(page, move)
    page.wait_for_selector("#accept")
    until(page, "document.querySelectorAll('.dead').length === 1")  # A5 is proposed
    click_point(page, 0, 0, 5)
    until(page, "document.querySelectorAll('.dead').length === 0")
    click_point(page, 0, 0, 5)
    until(page, "document.querySelectorAll('.dead').length === 1")
    page.click("#accept")
    until(page, "document.querySelector('.status')?.textContent.startsWith('Black wins by')")


def test_play__the_engine_answers_and_a_reload_loses_nothing(page: Any, site: str) -> None:
    new_game(page, site, size="9", opponent="level:beginner")
    click_point(page, 4, 4, 9)
    until(page, "document.querySelectorAll('ol.moves li').length === 2")
    page.reload()
    until(page, "document.querySelectorAll('ol.moves li').length === 2")
    assert page.locator(".stone.p0").count() == 1
    page.locator(".board").focus()
    for key in ("ArrowLeft", "ArrowLeft", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    until(page, "document.querySelectorAll('ol.moves li').length >= 3")


def test_play__the_page_comes_back_when_the_server_does(browser: Any, tmp_path: Path) -> None:
    page = browser.new_page()
    with served(tmp_path) as address:
        new_game(page, address, size="9")
        type_move(page, "E5")
    page.wait_for_selector("#offline:not([hidden])")
    with served(tmp_path, int(address.rpartition(":")[2])):
        page.wait_for_selector("#offline", state="hidden")
        until(page, "document.querySelectorAll('ol.moves li').length === 1")
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
    until(page, "document.querySelector('#review')?.textContent === 'Review this line'")
    page.keyboard.press("End")
    until(page, "document.querySelectorAll('.stone').length === 3")
    page.click("[data-tool=TR]")
    click_point(page, 0, 0, 9)
    page.wait_for_selector(".mark")
    page.click("[data-tool=play]")
    click_point(page, 8, 8, 9)
    until(page, "document.querySelectorAll('.tree-node').length === 5")
    with page.expect_download() as download:
        page.click("#save")
    game = sgfmill.Sgf_game.from_bytes(Path(download.value.path()).read_bytes())
    assert len(game.get_main_sequence()) == 5
    assert game.get_main_sequence()[3].get("TR") == {(8, 0)}
    assert "hacked" not in page.title()
    page.click("#pictures")
    until(page, "document.querySelector('.paper img')?.naturalWidth > 0")
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
    watch_a_match(page, site, "from the page")


def test_packing__a_plan_is_drawn(page: Any, site: str) -> None:
    page.goto(f"{site}/#/packing")
    page.click("#begin")
    page.fill("#width", "250")
    page.press("#width", "Tab")
    until(page, "document.querySelector('#run')?.disabled === false")
    page.fill("#seconds", "1")
    page.click("#run")
    until(page, "document.querySelectorAll('.plan .part').length === 31")


def test_phone__no_room_is_wider_than_the_screen(page: Any, site: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    for room in ROOMS:
        page.goto(f"{site}/#/{room}")
        page.wait_for_selector(f".room.{room} .panel")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, room
        box = page.locator("#rooms [aria-current]").bounding_box()  # where one is can be seen
        assert 0 <= box["x"] <= 360 - box["width"] + 1, room
    new_game(page, site, size="19")
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
