"""A page without a browser: what the tests of the server speak to it with."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession

from tesuji.experiments.players import parse_player
from tesuji.web.server import Server, make_app
from tesuji.web.settings import Limits, WebSettings

HOST = "127.0.0.1:8361"


class Refused(Exception):  # noqa: N818
    """The server answered with an error."""


class PageClient:
    """One connected page."""

    def __init__(self, session: WebSocketTestSession) -> None:
        self.session = session
        self.events: list[dict[str, Any]] = []
        self._number = 0

    def ask(self, do: str, **of: Any) -> Any:
        """A command and its answer; events that come before it are kept."""
        self._number += 1
        self.session.send_text(json.dumps({"n": self._number, "do": do, "of": of}))
        while True:
            message = json.loads(self.session.receive_text())
            if "event" in message:
                self.events.append(message["of"])
            elif message["n"] in (self._number, 0):  # 0: what was sent is not a request
                if "error" in message:
                    raise Refused(message["error"])
                return message["of"]

    def until(self, is_it: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """The first event, of those that came and those that come, of which something is true."""
        while True:
            while self.events:
                event = self.events.pop(0)
                if is_it(event):
                    return event
            message = json.loads(self.session.receive_text())
            self.events.append(message["of"])


@contextmanager
def serving(folder: Path, **more: Any) -> Iterator[TestClient]:
    """A server; leaving it is its end."""
    settings: dict[str, Any] = {"folder": folder, "seed": 1, "limits": Limits(searches=2, away_s=0.05)}
    settings["players"] = {"quick": parse_player("tesuji:simulations=20", name="quick")}
    app = make_app(WebSettings(**{**settings, **more}))
    with TestClient(app, base_url=f"http://{HOST}") as client:
        client.server = server_of(app)  # type: ignore[attr-defined]
        yield client


def server_of(app: Any) -> Server:
    """What is behind the guard."""
    server: Server = app._app.state.server
    return server


@contextmanager
def page_of(client: TestClient, **headers: str) -> Iterator[PageClient]:
    """A page of a server."""
    sent = {"origin": f"http://{HOST}", **headers}
    with client.websocket_connect(f"ws://{HOST}/live", headers=sent) as session:
        yield PageClient(session)
