"""A server with one page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx2")

from web.client import PageClient, page_of, serving


@pytest.fixture
def page(tmp_path: Path) -> Iterator[PageClient]:
    with serving(tmp_path) as client, page_of(client) as page:
        yield page
