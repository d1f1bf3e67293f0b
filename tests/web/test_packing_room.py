"""The rooms of packing and of pictures, files of the command line, settings; without a browser."""

from __future__ import annotations

import base64
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tesuji.web.opening import open_file
from tesuji.web.serving import address_of, bind, with_port
from tesuji.web.settings import WebSettings, read_players
from web.client import PageClient, Refused, page_of, serving

PARTS = "name,width,height,count\na,4,3,2\nb,2,2,3\n"


def test_packing__a_plan_is_found_and_kept(tmp_path: Path) -> None:
    with serving(tmp_path) as client, page_of(client) as page:
        id_ = page.ask("packing.new", text=PARTS)["id"]
        assert page.ask("packing.enter", id=id_)["missing"] == "width"
        with pytest.raises(Refused, match="wide"):
            page.ask("packing.run", id=id_)
        page.ask("packing.change", id=id_, options={"width": 8})
        page.ask("packing.run", id=id_, seconds=0.5)
        ended = page.until(lambda event: event.get("running") is False and event.get("plan"))
        assert len(ended["plan"]["rectangles"]) == 5
        assert ended["plan"]["value"] >= ended["plan"]["bound"]
        ElementTree.fromstring(page.ask("packing.file", id=id_)["svg"])
    with serving(tmp_path) as client, page_of(client) as page:
        assert page.ask("packing.enter", id=id_)["plan"]["value"] == ended["plan"]["value"]


def test_packing__a_wrong_problem_is_explained(page: PageClient) -> None:
    for text, name in (("nothing", "x.csv"), ("{}", "x.json"), ("", "x.txt"), ("name,width,height\na,-1,2", "x.csv")):
        with pytest.raises(Refused) as refused:
            page.ask("packing.new", text=text, name=name)
        assert "mistake" not in str(refused.value)
    with pytest.raises(Refused, match="more than 2,000"):
        page.ask("packing.new", text="name,width,height,count\na,1,1,2001")


def test_packing__the_name_of_a_file_is_no_path(tmp_path: Path, page: PageClient) -> None:
    (tmp_path / "secret.csv").write_text(PARTS)
    id_ = page.ask("packing.new", text=PARTS, name="../../etc/secret.csv")["id"]
    assert page.ask("packing.enter", id=id_)["title"] == "secret.csv"


def test_pictures__svg_pdf_and_png(page: PageClient) -> None:
    id_ = page.ask("study.open", text="(;SZ[9];B[ee];W[ce];B[cc]TR[ee]LB[aa:x])")["id"]
    for node in (3,):
        page.ask("study.go", id=id_, node=node)
    svg = page.ask("pictures.draw", id=id_, first=1, corners=["A1", "F9"])["content"]
    drawn = ElementTree.fromstring(svg)
    texts = [element.text for element in drawn.iter() if element.tag.endswith("text")]
    assert {"1", "2", "3", "x"} <= set(texts)
    assert "J" not in texts
    pytest.importorskip("matplotlib")
    for form, head in (("pdf", b"%PDF"), ("png", b"\x89PNG")):
        content = page.ask("pictures.draw", id=id_, form=form)["content"]
        assert base64.b64decode(content).startswith(head)
    for wrong in ({"first": 9}, {"corners": ["A1", "Z99"]}, {"form": "exe"}, {"cell_cm": 1e9}):
        with pytest.raises(Refused):
            page.ask("pictures.draw", id=id_, **wrong)


def test_files__each_opens_its_room(tmp_path: Path) -> None:
    settings = WebSettings(folder=tmp_path / "folder")
    for name, text, room in (
        ("g.sgf", "(;SZ[9];B[ee])", "study"),
        ("g.txt", "text (;SZ[9])", "study"),
        ("p.csv", PARTS, "packing"),
    ):
        (tmp_path / name).write_text(text)
        assert open_file(settings, tmp_path / name)[1].startswith(room)
    assert open_file(settings, None)[1] == "play"
    (tmp_path / "x.bin").write_bytes(b"\x00\x01\x02")
    with pytest.raises(ValueError, match="x.bin"):
        open_file(settings, tmp_path / "x.bin")


def test_settings__players_are_read_and_errors_name_them(tmp_path: Path) -> None:
    path = tmp_path / "web.toml"
    path.write_text('[players]\nquick = "tesuji:simulations=5"\n')
    assert read_players(path)["quick"].settings == {"simulations": 5}
    for text, words in (("x = 1", r"no table \[x\]"), ("[players]\na = 1", "player 'a'"), ("[", "not a TOML"),
                        ('[players]\na = "tesuji:none=1"', "player 'a'.*none")):  # fmt: skip
        path.write_text(text)
        with pytest.raises(ValueError, match=words):
            read_players(path)


def test_serving__a_port_that_is_taken_is_left_alone(tmp_path: Path) -> None:
    with bind("127.0.0.1", 0) as one:
        port = one.getsockname()[1]
        with pytest.raises(OSError, match="is in use"):
            bind("127.0.0.1", port)
        settings = with_port(WebSettings(folder=tmp_path), one)
        assert address_of(settings, "study/x") == f"http://127.0.0.1:{port}/#/study/x"
