"""Every room under axe-core, the checker of accessibility that browsers' makers use: dark and light, no violation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from web.browsing import ROOMS, new_game, opened_page, type_move, until, watch_a_match

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")


def _violations(page: Any) -> list[str]:
    """What axe finds, of any weight: the rule, how grave it is, and where."""
    found = axe.Axe().run(page).response["violations"]
    return [f"{one['id']} ({one['impact']}): {[node['target'] for node in one['nodes'][:3]]}" for one in found]


def _in_play(page: Any, site: str) -> None:
    new_game(page, site, size="9")
    type_move(page, "E5")
    page.click("#hint")
    page.wait_for_selector(".side-b table")


def _in_count(page: Any, site: str) -> None:
    new_game(page, site, size="5")
    for move in ("C3", "pass", "pass"):
        type_move(page, move)
    page.wait_for_selector("#accept")


def _in_study(page: Any, site: str) -> None:
    page.goto(f"{site}/#/study")
    page.fill("textarea", "(;SZ[9]KM[7.5]PB[A]PW[B]C[A comment];B[ee];W[ce](;B[ge]TR[cc])(;B[gg]))")
    page.click("#open-text")
    page.wait_for_selector(".tree-svg")
    page.click("#analyse")
    page.wait_for_selector(".candidate")
    page.click("#analyse")
    for summary in page.locator(".room summary").all():
        summary.click()


def _in_search(page: Any, site: str) -> None:
    page.goto(f"{site}/#/search")
    page.select_option("#game", "hex")
    page.select_option("#size", "5")
    page.click("#begin")
    page.click("#compare")
    page.wait_for_selector("#preset-1")
    page.fill("#simulations", "500")
    page.press("#simulations", "Tab")
    page.click("#run")
    page.wait_for_selector("#differences tbody tr")
    page.locator(".graph details summary").first.click()


def _in_compare(page: Any, site: str) -> None:
    watch_a_match(page, site, f"axe {page.evaluate('performance.timeOrigin')}")


def _in_pictures(page: Any, site: str) -> None:
    _in_study(page, site)
    page.click("#pictures")
    until(page, "document.querySelector('.paper img')?.naturalWidth > 0")


def _in_packing(page: Any, site: str) -> None:
    page.goto(f"{site}/#/packing")
    page.click("#begin")
    page.fill("#width", "250")
    page.press("#width", "Tab")
    until(page, "document.querySelector('#run')?.disabled === false")
    page.fill("#seconds", "1")
    page.click("#run")
    until(page, "document.querySelectorAll('.plan .part').length === 31")


def test_axe__finds_a_fault_where_there_is_one(browser: Any, site: str) -> None:
    with opened_page(browser) as page:
        page.goto(f"{site}/#/play")
        page.wait_for_selector("#begin")
        page.evaluate("document.querySelector('main').append(document.createElement('button'))")
        assert any(found.startswith("button-name (critical)") for found in _violations(page))


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_axe__finds_nothing_at_the_doors_of_the_rooms(browser: Any, site: str, colours: str) -> None:
    with opened_page(browser, color_scheme=colours) as page:
        for room in ROOMS:
            page.goto(f"{site}/#/{room}")
            page.wait_for_selector(f".room.{room} .panel")
            assert _violations(page) == [], room


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("enter", [_in_play, _in_count, _in_study, _in_search, _in_compare, _in_pictures, _in_packing])
def test_axe__finds_nothing_inside(browser: Any, site: str, colours: str, enter: Callable[[Any, str], None]) -> None:
    with opened_page(browser, color_scheme=colours) as page:
        enter(page, site)
        assert _violations(page) == []
