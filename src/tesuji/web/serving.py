"""Starting the server: a socket, uvicorn, the browser, and an end that loses nothing."""

from __future__ import annotations

import errno
import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable

import msgspec

from tesuji.web.server import make_app
from tesuji.web.settings import PORT, WebSettings, is_loopback
from tesuji.words import how_to_install

__all__ = ["address_of", "bind", "new_token", "serve"]

_PORTS_TRIED = 20
_SHUTDOWN_S = 3


def new_token() -> str:
    """A token that nobody guesses."""
    return secrets.token_urlsafe(24)


def bind(host: str, port: int | None) -> socket.socket:
    """A socket to listen on.

    Parameters
    ----------
    host : str
        An address, or localhost.
    port : int or None
        0: any free one; None: the usual one, or the next that is free.

    Raises
    ------
    OSError
        If there is none.
    """
    for number in [port] if port is not None else [*range(PORT, PORT + _PORTS_TRIED), 0]:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        made = socket.socket(family, socket.SOCK_STREAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((host, number))
            made.listen(128)  # a browser that comes before the server is up waits
        except OSError as error:
            made.close()
            if error.errno == errno.EADDRINUSE and port is None:
                continue
            if error.errno == errno.EADDRINUSE:
                raise OSError(f"port {port} is in use; leave --port out, or give another one") from error
            raise OSError(f"cannot listen on {host}, port {number}: {error.strerror}") from error
        return made
    raise OSError("no port is free")


def address_of(settings: WebSettings, place: str = "") -> str:
    """What to type into a browser; `place` is a room and a document, as in ``study/...``."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    host = socket.gethostname() if settings.host in ("0.0.0.0", "::") else host
    token = f"?token={settings.token}" if settings.token else ""
    return f"http://{host}:{settings.port}/{token}{f'#/{place}' if place else ''}"


def serve(
    settings: WebSettings,
    listening: socket.socket,
    *,
    place: str = "",
    opens_browser: bool = True,
    say: Callable[[str], None] = print,
) -> None:
    """Serve until Ctrl-C.

    Parameters
    ----------
    settings : WebSettings
        How; its port is that of the socket.
    listening : socket
        From `bind`.
    place : str
        What the browser opens first.
    opens_browser : bool
        Whether one is opened.
    say : callable
        Told the address.

    Raises
    ------
    ImportError
        If uvicorn is not installed.
    KeyboardInterrupt
        After Ctrl-C, when everything is kept.
    """
    try:
        import uvicorn
    except ImportError as error:
        raise ImportError(f"the server needs uvicorn, which is not installed: {how_to_install('web')}") from error
    config = uvicorn.Config(
        make_app(settings),
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        ws_max_size=settings.limits.message_bytes,
        ws_max_queue=8,
        ws_per_message_deflate=False,
        limit_concurrency=4 * settings.limits.pages,
        h11_max_incomplete_event_size=32_768,
        timeout_graceful_shutdown=_SHUTDOWN_S,
    )
    address = address_of(settings, place)
    say(f"Tesuji is at {address}")
    if not is_loopback(settings.host):
        say("Whoever has this address can use it; without TLS, others on the way can read it.")
    say("Ctrl-C ends it; games and studies are kept.")
    if opens_browser:
        threading.Timer(0.3, webbrowser.open, (address,)).start()
    uvicorn.Server(config).run(sockets=[listening])


def with_port(settings: WebSettings, listening: socket.socket) -> WebSettings:
    """The settings with the port that the socket has."""
    return msgspec.structs.replace(settings, port=listening.getsockname()[1])
