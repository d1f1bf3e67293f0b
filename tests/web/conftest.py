"""A server with one page, and a browser with a server."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx2")
pytest.importorskip("uvicorn")

from web.client import PageClient, page_of, serving


@pytest.fixture
def page(tmp_path: Path) -> Iterator[PageClient]:
    with serving(tmp_path) as client, page_of(client) as page:
        yield page


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's chromium; whatever needs it is skipped where there is none."""
    sync_api = pytest.importorskip("playwright.sync_api")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("chromium is not installed (scripts/setup installs it as root)")
    with sync_api.sync_playwright() as playwright:
        try:
            launched = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"], timeout=240_000)
        except sync_api.Error as error:
            pytest.skip(f"chromium does not start here: {str(error).splitlines()[0]}")
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server for the tests of one file; its address."""
    from web.browsing import served

    with served(tmp_path_factory.mktemp("web")) as address:
        yield address
