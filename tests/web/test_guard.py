"""Attacks on the server: names, origins, tokens, methods, bodies, paths, floods."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from tesuji.web.assets import Assets
from tesuji.web.settings import Limits, WebSettings
from web.client import HOST, PageClient, Refused, page_of, serving

TOKEN = "0123456789abcdef0123"


@pytest.fixture
def client(tmp_path: Path):
    with serving(tmp_path) as client:
        yield client


# --- names: DNS rebinding ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    ["evil.example:8361", "localhost.evil.example:8361", "127.0.0.1:80", "127.0.0.1", "10.0.0.7:8361", "",
     "127.0.0.1:8361@evil.example", "evil.example", "[::1", "127.0.0.1:8361/evil", "127.0.0.1:99999"],
)  # fmt: skip
def test_host__a_name_of_somebody_else_is_refused(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 421
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(f"ws://{HOST}/live", headers={"host": host, "origin": f"http://{host}"}),
    ):
        pass


@pytest.mark.parametrize("host", ["127.0.0.1:8361", "localhost:8361", "[::1]:8361", "127.0.0.2:8361"])
def test_host__this_machine_is_known_by_its_own_names(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 200


def test_host__two_are_refused(client: TestClient) -> None:
    headers = [("host", HOST), ("host", "evil.example")]
    assert client.get("/", headers=headers).status_code == 421


# --- origins: cross-site WebSockets -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "", "http://127.0.0.1:8361.evil.example", "http://localhost:8361",
     "http://127.0.0.1:8362", "file://", "http://127.0.0.1:8361@evil.example", "http://[::1"],
)  # fmt: skip
def test_origin__a_page_of_another_site_gets_no_socket(client: TestClient, origin: str) -> None:
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"ws://{HOST}/live", headers={"origin": origin}):
        pass


def test_origin__a_socket_without_one_is_refused(client: TestClient) -> None:
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"ws://{HOST}/live"):
        pass


def test_origin__the_own_page_gets_its_socket(client: TestClient) -> None:
    with page_of(client) as page:
        assert page.ask("play.offer")["games"]


# --- tokens -----------------------------------------------------------------------------------------------------------


def test_token__without_one_only_the_loopback_may_be_listened_on(tmp_path: Path) -> None:
    for host in ("0.0.0.0", "::", "192.168.1.5", "example.org"):
        with pytest.raises(ValueError, match="needs a token"):
            WebSettings(folder=tmp_path, host=host)
    with pytest.raises(ValueError, match="needs a token"):
        WebSettings(folder=tmp_path, host="0.0.0.0", token="short")


def test_token__nothing_is_seen_without_it(tmp_path: Path) -> None:
    with serving(tmp_path, host="0.0.0.0", token=TOKEN) as client:
        for path in ("/", "/static/app.js", "/?token=wrong", f"/static/app.js?token={TOKEN}", "/?token="):
            assert client.get(path, follow_redirects=False).status_code == 401
        with pytest.raises(WebSocketDisconnect), page_of(client):
            pass
        with pytest.raises(WebSocketDisconnect), page_of(client, cookie="tesuji-token=wrong"):
            pass


def test_token__shown_once_it_is_a_cookie_that_scripts_and_other_sites_do_not_see(tmp_path: Path) -> None:
    with serving(tmp_path, host="0.0.0.0", token=TOKEN) as client:
        answer = client.get(f"/?token={TOKEN}", follow_redirects=False)
        assert answer.status_code == 303
        assert answer.headers["location"] == "/"
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert client.get("/").status_code == 200  # the client has the cookie now
        with page_of(client, cookie=f"tesuji-token={TOKEN}") as page:
            assert page.ask("play.offer")


# --- methods, bodies, headers, paths ----------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_http__only_reads(client: TestClient, method: str) -> None:
    assert client.request(method, "/").status_code == 405


def test_http__reads_no_body(client: TestClient) -> None:
    assert client.request("GET", "/", content=b"x" * 100).status_code == 413


def test_headers__every_answer_has_the_policy(client: TestClient) -> None:
    for answer in (
        client.get("/"),
        client.get("/static/none.js"),
        client.post("/"),
        client.get("/", headers={"host": "x"}),
    ):
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(
    "path",
    ["/static/../page.py", "/static/%2e%2e/page.py", "/static/..%2fpage.py", "/static//etc/passwd", "/../../etc/passwd",
     "/static/%00", "/static/", "/static/.", "/live", "/static/app.js/..", "/etc/passwd", "/static/..\\page.py"],
)  # fmt: skip
def test_paths__no_address_leads_to_another_file(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_assets__the_page_is_small_and_takes_nothing_from_elsewhere() -> None:
    assets = Assets()
    assert assets.num_bytes < 150_000
    for name, asset in assets.files.items():
        text = asset.content.decode()
        elsewhere = text.replace("http://www.w3.org/", "")
        assert "http://" not in elsewhere, name
        assert "https://" not in elsewhere, name
        for way_in in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"):
            assert way_in not in text, name
        if name.endswith(".html"):
            assert "style=" not in text
            assert "onclick" not in text


# --- what pages send --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "id_",
    ["../../etc/passwd", "play-../../../x", "/etc/passwd", "play-0123456789ab/../x", "play-0123456789AB", "", "x" * 79],
)
def test_documents__no_id_of_a_page_becomes_a_path(tmp_path: Path, id_: str) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text('{"title": "secret"}')
    with serving(tmp_path / "folder") as client, page_of(client) as page:
        for command in ("play.open", "play.delete", "play.sgf", "play.undo"):
            with pytest.raises(Refused, match="no document|no play"):
                page.ask(command, id=id_)
    assert secret.exists()


def test_games__no_page_names_a_file_of_python(page: PageClient) -> None:
    for game in ("mygame.py:MyGame", "/tmp/x.py:X", "tesuji.games:Hex"):
        with pytest.raises(Refused):
            page.ask("play.new", setup={"game": game}, seats=["you", "you"])


def test_opponents__no_page_names_a_command(page: PageClient) -> None:
    for seat in (
        "player:gnugo --mode gtp",
        "player:sh -c 'touch x'",
        "gtp:x",
        "level:../x",
        "tesuji:simulations=1",
        "",
    ):
        with pytest.raises(Refused, match="knows no player|is not an opponent|no level"):
            page.ask("play.new", setup={"game": "go", "size": 9}, seats=["you", seat])


@pytest.mark.parametrize(
    "data",
    ["", "{", "[]", "null", '{"n": 1}', '{"n": "x", "do": "play.offer"}', '{"n": 1, "do": "none"}',
     '{"n": 1, "do": "__class__"}',
     '{"n": 1, "do": "play.new", "of": {"setup": {"size": 99}, "seats": ["you", "you"]}}',
     '{"n": 1, "do": "play.new", "of": {"setup": {"komi": 1e999}, "seats": ["you", "you"]}}',
     '{"n": 1, "do": "play.move", "of": {"id": "x", "move": 1e400}}', "[" * 5000,
     '{"n": 1, "do": "play.offer", "x": 1}',
     '{"n": 1, "do": "play.look", "of": {"game": "pgame", "breadth": 20, "depth": 40}}'],
)  # fmt: skip
def test_messages__what_is_no_request_is_answered_and_hurts_nobody(page: PageClient, data: str) -> None:
    page.session.send_text(data)
    assert "error" in json.loads(page.session.receive_text())
    assert page.ask("play.offer")


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    command=st.sampled_from(["play.new", "play.open", "play.move", "play.dead", "play.look", "play.hint", "play.sgf"]),
    of=st.dictionaries(
        st.sampled_from(["id", "setup", "seats", "move", "text", "point", "clock", "game", "size", "komi"]),
        st.recursive(
            st.none()
            | st.booleans()
            | st.integers(-(2**40), 2**40)
            | st.floats(allow_nan=False, allow_infinity=False)
            | st.text(max_size=20),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
            max_leaves=5,
        ),
    ),
)
def test_messages__any_json_is_answered_in_words(page: PageClient, command: str, of: dict[str, object]) -> None:
    said = ""
    try:
        page.ask(command, **of)
    except Refused as error:
        said = str(error)
    assert "made a mistake" not in said


def test_messages__one_that_is_too_large_ends_the_connection(tmp_path: Path) -> None:
    limits = Limits(searches=1, message_bytes=10_000)
    with serving(tmp_path, limits=limits) as client, page_of(client) as page:
        page.session.send_text("x" * 10_001)
        with pytest.raises(WebSocketDisconnect):
            page.session.receive_text()


def test_limits__there_are_only_so_many_pages(tmp_path: Path) -> None:
    with serving(tmp_path, limits=Limits(pages=2)) as client, page_of(client) as one, page_of(client):
        with pytest.raises(WebSocketDisconnect), page_of(client):
            pass
        assert one.ask("play.offer")


def test_limits__there_are_only_so_many_documents(tmp_path: Path) -> None:
    with serving(tmp_path, limits=Limits(documents=3)) as client, page_of(client) as page:
        new = {"setup": {"game": "tictactoe"}, "seats": ["you", "you"]}
        ids = [page.ask("play.new", **new)["id"] for _ in range(3)]
        with pytest.raises(Refused, match="delete some"):
            page.ask("play.new", **new)
        page.ask("play.delete", id=ids[0])
        page.ask("play.new", **new)


def test_limits__those_that_are_not_looked_at_do_not_stay_in_memory(tmp_path: Path) -> None:
    with serving(tmp_path, limits=Limits(open_documents=3)) as client, page_of(client) as page:
        ids = []
        for _ in range(8):
            ids.append(page.ask("play.new", setup={"game": "tictactoe"}, seats=["you", "you"])["id"])
            page.ask("play.move", id=ids[-1], move=4)
            page.ask("play.leave", id=ids[-1])
        assert len(client.server.desk._open) <= 3
        assert page.ask("play.open", id=ids[0])["moves"] == ["b2"]


def test_searches__a_page_has_only_so_many(tmp_path: Path) -> None:
    with serving(tmp_path, limits=Limits(searches=1, searches_per_page=2)) as client, page_of(client) as page:
        game = page.ask("play.new", setup={"game": "go", "size": 19}, seats=["you", "you"])["id"]
        for _ in range(2):
            page.ask("play.hint", id=game)
        with pytest.raises(Refused, match="searches already"):
            page.ask("play.hint", id=game)


def test_searches__a_page_that_is_gone_searches_no_more(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        searches = client.server.searches
        with page_of(client) as page:
            page.ask("play.new", setup={"game": "go", "size": 19}, seats=["you", "level:full"])
            game = page.ask("play.new", setup={"game": "go", "size": 19}, seats=["level:full", "you"])
            assert game["thinking"]
            assert len(searches) == 1
        deadline = time.monotonic() + 600
        while len(searches) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert len(searches) == 0


def test_names__markup_in_a_name_stays_text(page: PageClient) -> None:
    name = "<img src=x onerror=alert(1)>"
    with pytest.raises(Refused) as refused:
        page.ask("play.new", setup={"game": name[:20]}, seats=["you", "you"])
    assert name[:20] in str(refused.value)  # as text: the page has no way to make markup of it (test_assets__...)
