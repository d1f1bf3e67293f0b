"""The files of the page, read once from the package: no address of a request becomes a path.

They are plain ES modules, a style sheet and texts, served as they lie in ``static``; nothing is built or bundled.
"""

from __future__ import annotations

import hashlib
from importlib import resources

import msgspec
from starlette.requests import Request
from starlette.responses import Response

__all__ = ["Asset", "Assets"]

_TYPES = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
}


class Asset(msgspec.Struct, frozen=True):
    """A file of the page."""

    content: bytes
    kind: str
    tag: str


class Assets:
    """All files of the page by their names; ``index.html`` is the page."""

    def __init__(self) -> None:
        folder = resources.files("tesuji.web").joinpath("static")
        self.files: dict[str, Asset] = {}
        for file in folder.iterdir():
            kind = _TYPES.get(file.name.rpartition(".")[2])
            if kind is not None:
                content = file.read_bytes()
                self.files[file.name] = Asset(content, kind, f'"{hashlib.sha256(content).hexdigest()[:16]}"')

    @property
    def num_bytes(self) -> int:
        """Of all of them, as they travel."""
        return sum(len(file.content) for file in self.files.values())

    async def page(self, request: Request) -> Response:
        """The page itself."""
        return self._answer("index.html", request)

    async def file(self, request: Request) -> Response:
        """Another file, by name."""
        return self._answer(request.path_params["name"], request)

    def _answer(self, name: str, request: Request) -> Response:
        asset = self.files.get(name)
        if asset is None:
            return Response("There is no such file.\n", status_code=404, media_type="text/plain")
        headers = {"etag": asset.tag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == asset.tag:
            return Response(status_code=304, headers=headers)
        return Response(asset.content, headers={**headers, "content-type": asset.kind})
