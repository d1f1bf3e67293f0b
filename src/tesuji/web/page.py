"""One browser page: its WebSocket, what it asks and what it is told.

A page sends requests (`Request`), one at a time, and gets an answer to each; besides, it is told events of what it
watches. An event of the same key that still waits to be sent is replaced: a slow page sees fewer pictures of a search,
and never an old one. When the connection ends, the page leaves all that it watched, and its searches stop.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from tesuji.web.settings import Limits

__all__ = ["Handler", "Page", "Request"]

Handler = Callable[["Page", dict[str, Any]], Awaitable[Any]]
_LOG = logging.getLogger("tesuji.web")
_WAITING = 200  # events of different keys that a page may be behind


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a page asks: a number of its own, a command and what the command needs."""

    n: int
    do: str
    of: dict[str, Any] = {}


class Page:
    """A connected page.

    Attributes
    ----------
    on_leave : set of callables
        Called when it is gone.
    """

    def __init__(self, socket: WebSocket, limits: Limits) -> None:
        self._socket, self._limits = socket, limits
        self._outbox: dict[str, bytes] = {}
        self._has_mail = asyncio.Event()
        self._number = 0
        self.on_leave: set[Callable[[], None]] = set()

    def tell(self, event: str, what: Any, key: str | None = None) -> None:
        """Send an event; one of the same key that still waits is replaced. On the event loop only."""
        if key is None:
            self._number += 1
            key = f"#{self._number}"
        self._outbox[key] = msgspec.json.encode({"event": event, "of": what})
        if len(self._outbox) > _WAITING:
            self._outbox.pop(next(iter(self._outbox)))
        self._has_mail.set()

    async def serve(self, handlers: dict[str, Handler]) -> None:
        """Answer until the connection ends."""
        posting = asyncio.create_task(self._post())
        try:
            while True:
                message = await self._socket.receive()
                if message["type"] == "websocket.disconnect":
                    break
                data = message.get("text") or message.get("bytes") or ""
                if len(data) > self._limits.message_bytes:
                    await self._socket.close(1009, "too large")
                    break
                await self._send(await self._answer(data, handlers))
        except (WebSocketDisconnect, RuntimeError):
            pass  # it has gone in the middle of an answer
        finally:
            posting.cancel()
            for leave in list(self.on_leave):
                leave()

    async def _answer(self, data: str | bytes, handlers: dict[str, Handler]) -> bytes:
        number = 0
        try:
            request = msgspec.json.decode(data, type=Request)
            number = request.n
            handler = handlers.get(request.do)
            if handler is None:
                raise ValueError(f"there is no command {request.do[:40]!r}")
            return msgspec.json.encode({"n": number, "of": await handler(self, request.of)})
        except (ValueError, OSError, ImportError) as error:  # msgspec's errors are ValueErrors
            return msgspec.json.encode({"n": number, "error": _said(error)})
        except Exception as error:
            _LOG.error("a request failed", exc_info=error)
            return msgspec.json.encode({"n": number, "error": "the server made a mistake; its log says which"})

    async def _post(self) -> None:
        """Send what waits."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await self._has_mail.wait()
                self._has_mail.clear()
                while self._outbox:
                    key = next(iter(self._outbox))
                    await self._send(self._outbox.pop(key))

    async def _send(self, data: bytes) -> None:
        await self._socket.send_text(data.decode())


def _said(error: Exception) -> str:
    """An error for people; nothing of the machine it happened on."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error)[:1000] or type(error).__name__
