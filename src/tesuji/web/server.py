"""The server: a Starlette application of one page, its files and one WebSocket, and uvicorn around it.

All state lives on the event loop; searches run on a few threads (`searches.py`). A room is an object whose handlers
answer commands of pages; what it opens lies on the desk (`desk.py`) and on the shelf (`shelf.py`).
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator

from starlette.applications import Starlette
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from tesuji.web.assets import Assets
from tesuji.web.bench import SearchRoom
from tesuji.web.compare import CompareRoom
from tesuji.web.desk import Desk
from tesuji.web.guard import Guard
from tesuji.web.packing import PackingRoom
from tesuji.web.page import Handler, Page
from tesuji.web.pictures import PictureRoom
from tesuji.web.play import PlayRoom
from tesuji.web.searches import Searches
from tesuji.web.settings import WebSettings
from tesuji.web.study_room import StudyRoom

__all__ = ["Server", "make_app"]


class Server:
    """What all pages share.

    Attributes
    ----------
    settings : WebSettings
        How it was started.
    searches : Searches
        The threads.
    desk : Desk
        The open documents.
    pages : set of Page
        Those that are connected.
    """

    def __init__(self, settings: WebSettings) -> None:
        self.settings = settings
        self.searches = Searches(settings.limits)
        self.desk = Desk(settings, self.searches)
        self.pages: set[Page] = set()
        self.assets = Assets()
        self._handlers: dict[str, Handler] = {}
        self._compare = CompareRoom(self.desk)
        studies = StudyRoom(self.desk)
        games = PlayRoom(self.desk)
        rooms = games, studies, SearchRoom(self.desk), self._compare, PictureRoom(studies, games)
        for room in (*rooms, PackingRoom(self.desk)):
            self._handlers.update(room.handlers)

    async def socket(self, socket: WebSocket) -> None:
        """Serve one page until it is gone."""
        if len(self.pages) >= self.settings.limits.pages:
            await socket.close(1013, "too many pages")
            return
        await socket.accept()
        page = Page(socket, self.settings.limits)
        self.pages.add(page)
        try:
            await page.serve(self._handlers)
        finally:
            self.pages.discard(page)
            self.searches.stop_all_of(page)

    def close(self) -> None:
        """End all searches, and keep what is open."""
        self.desk.close()
        self._compare.close()
        self.searches.close()


def make_app(settings: WebSettings) -> ASGIApp:
    """The application, guarded.

    Raises
    ------
    OSError
        If the folder cannot be made.
    """
    server = Server(settings)

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            server.close()

    app = Starlette(
        routes=[
            Route("/", server.assets.page),
            Route("/static/{name}", server.assets.file),
            WebSocketRoute("/live", server.socket),
        ],
        lifespan=lifespan,
    )
    app.state.server = server
    return Guard(app, settings)
