"""Who may speak to the server, and what a browser may do with its pages.

Every request passes here first. HTTP only reads, and only the files of the page (`assets.py`); all that changes
anything goes through the WebSocket, which browsers open from any site unless the server looks at the Origin.

- Host: an address, localhost or a name that the user allowed. A name of somebody else's that is made to lead here (DNS
  rebinding) is refused.
- Origin: the WebSocket opens only for pages of this very server.
- Token: unless only this machine can connect, a browser shows it once and keeps it as a cookie.
- Methods and bodies: GET and HEAD without a body.
- Headers: a content security policy without exceptions, no framing, no sniffing.
"""

from __future__ import annotations

import hmac
import ipaddress
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tesuji.web.settings import WebSettings

__all__ = ["COOKIE", "POLICY", "Guard"]

COOKIE = "tesuji-token"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self' {socket};"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)
_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class Guard:
    """ASGI middleware: what it lets through has the right Host, Origin and token.

    Parameters
    ----------
    app : ASGI application
        What is guarded.
    settings : WebSettings
        Names and token.
    """

    def __init__(self, app: ASGIApp, settings: WebSettings) -> None:
        self._app, self._settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                more = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    more[name] = value
                more["content-security-policy"] = POLICY.format(socket=f"ws://{host}" if self._knows(host) else "")
            await send(message)

        await (self._refusal(scope, headers) or self._app)(scope, receive, guarded)

    def _refusal(self, scope: Scope, headers: Headers) -> ASGIApp | None:
        """The answer to a request that goes no further; None if it does."""
        if not self._has_one_host(headers):
            return PlainTextResponse("This server is not called so.\n", status_code=421)
        if scope["method"] not in ("GET", "HEAD"):
            return PlainTextResponse("GET only.\n", status_code=405, headers={"allow": "GET, HEAD"})
        if headers.get("content-length", "0") != "0" or "transfer-encoding" in headers:
            return PlainTextResponse("No body is read.\n", status_code=413)
        if self._settings.token and not self._shows_token(headers):
            return self._welcome(scope)
        return None

    def _welcome(self, scope: Scope) -> ASGIApp:
        """A browser that comes with the token in the address gets it as a cookie; others stay outside."""
        offered = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if scope["path"] != "/" or not self._is_token(offered):
            return PlainTextResponse("Open the address that tesuji web has printed: it has a token.\n", status_code=401)
        response = RedirectResponse("/", status_code=303)
        response.set_cookie(COOKIE, offered, httponly=True, samesite="strict", max_age=30 * 24 * 3600)
        return response

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        allowed = self._has_one_host(headers) and self._is_own_page(headers)
        if allowed and (not self._settings.token or self._shows_token(headers)):
            await self._app(scope, receive, send)
            return
        await receive()
        await send({"type": "websocket.close", "code": 4403, "reason": "not from this page"})

    def _has_one_host(self, headers: Headers) -> bool:
        hosts = headers.getlist("host")
        return len(hosts) == 1 and self._knows(hosts[0])

    def _is_own_page(self, headers: Headers) -> bool:
        """Whether the Origin is the very server that the request went to."""
        origins = headers.getlist("origin")
        if len(origins) != 1:
            return False
        try:
            origin = urlsplit(origins[0])
        except ValueError:
            return False
        return origin.scheme in ("http", "https") and origin.netloc.lower() == headers["host"].lower()

    def _knows(self, host: str) -> bool:
        """Whether a Host means this server: an address, which no foreign name server gives out, or a known name."""
        try:
            parts = urlsplit(f"//{host}")
            name, port = parts.hostname or "", parts.port
        except ValueError:
            return False
        if "@" in host or "/" in host or (port is not None and port != self._settings.port):
            return False
        if port is None and self._settings.port not in (80, 443):
            return False
        return name == "localhost" or name in self._settings.names or self._is_own_address(name)

    def _is_own_address(self, name: str) -> bool:
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return False
        return address.is_loopback or not _is_local(self._settings.host)

    def _shows_token(self, headers: Headers) -> bool:
        try:
            morsel = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            return False
        return morsel is not None and self._is_token(morsel.value)

    def _is_token(self, offered: str) -> bool:
        return hmac.compare_digest(offered.encode("utf-8", "replace"), self._settings.token.encode())


def _is_local(host: str) -> bool:
    from tesuji.web.settings import is_loopback

    return is_loopback(host)
