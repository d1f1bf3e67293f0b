"""Documents that are open: who watches them, and when they are put away.

A document is a game that is played, a study, a search or a plan. Pages watch it and are told what changes. When the
last page leaves, its searches stop after a moment; when too many are open, those that nobody watches are closed. All of
it is on the shelf as well, so that a page, or a server, that starts again finds it as it was.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import msgspec

from tesuji.web.page import Page
from tesuji.web.searches import Searches
from tesuji.web.settings import WebSettings
from tesuji.web.shelf import Shelf

__all__ = ["Desk", "Document"]

D = TypeVar("D", bound="Document")


class Document:
    """Something that pages look at together.

    Parameters
    ----------
    id_ : str
        Its name on the shelf.
    desk : Desk
        Where it lies.
    """

    event = "document"
    """What events of it are called."""

    def __init__(self, id_: str, desk: Desk) -> None:
        self.id, self.desk = id_, desk
        self.watchers: set[Page] = set()
        self._parting: asyncio.TimerHandle | None = None

    @property
    def searches(self) -> Searches:
        """Where its searches run."""
        return self.desk.searches

    def watch(self, page: Page) -> None:
        """Let a page see what happens."""
        if self._parting is not None:
            self._parting.cancel()
            self._parting = None
        if page not in self.watchers:
            self.watchers.add(page)
            page.on_leave.add(partial(self.leave, page))
        self.come_back()

    def leave(self, page: Page) -> None:
        """A page looks at something else, or is gone."""
        if page not in self.watchers:
            return
        self.watchers.discard(page)
        page.on_leave = {leave for leave in page.on_leave if not _is_leave_of(leave, self)}
        if not self.watchers and self._parting is None:
            wait_s = self.desk.settings.limits.away_s
            self._parting = asyncio.get_running_loop().call_later(wait_s, self._part)

    def tell(self, what: Any, key: str | None = None) -> None:
        """Tell all who watch; an older message with the same key, if it still waits, is replaced."""
        for page in self.watchers:
            page.tell(self.event, {"id": self.id, **what}, None if key is None else f"{self.id}/{key}")

    def _part(self) -> None:
        self._parting = None
        if not self.watchers:
            self.go_away()

    def come_back(self) -> None:
        """Somebody looks at it."""

    def go_away(self) -> None:
        """Nobody looks at it any more: its searches stop."""
        self.searches.stop_all_of(self)

    def close(self) -> None:
        """It is put away."""
        if self._parting is not None:
            self._parting.cancel()
        self.go_away()


class Desk:
    """All open documents.

    Parameters
    ----------
    settings : WebSettings
        Limits and folder.
    searches : Searches
        Where documents search.
    """

    def __init__(self, settings: WebSettings, searches: Searches) -> None:
        self.settings, self.searches = settings, searches
        self.shelf = Shelf(settings.folder, settings.limits)
        self._open: dict[str, Document] = {}

    def put(self, document: D) -> D:
        """Lay a new document on the desk."""
        self._make_room()
        self._open[document.id] = document
        return document

    def get(self, id_: str, kind: type[D], saved: type[msgspec.Struct], make: Callable[[str, Any], D]) -> D:
        """A document by its id, from the shelf if it is not open.

        Raises
        ------
        NoDocument
            If there is none.
        """
        there = self._open.get(id_)
        if isinstance(there, kind):
            return there
        return self.put(make(id_, self.shelf.read(id_, saved)))

    def delete(self, id_: str) -> None:
        """Close a document and remove it for good."""
        if (document := self._open.pop(id_, None)) is not None:
            document.close()
        self.shelf.delete(id_)

    def close(self) -> None:
        """Put all away."""
        for document in self._open.values():
            document.close()
        self._open.clear()

    def _make_room(self) -> None:
        for id_, document in list(self._open.items()):
            if len(self._open) < self.settings.limits.open_documents:
                return
            if not document.watchers:
                document.close()
                del self._open[id_]
        if len(self._open) >= self.settings.limits.open_documents + self.settings.limits.pages:
            raise ValueError("too many games and studies are open; close some of the pages")


def _is_leave_of(leave: Callable[[], None], document: Document) -> bool:
    return isinstance(leave, partial) and getattr(leave.func, "__self__", None) is document
