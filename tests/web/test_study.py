"""The room of studies, without a browser."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from tesuji.go.records.sgf import load
from web.client import PageClient, Refused, page_of, serving

SGF = "(;FF[4]GM[1]SZ[9]KM[7.5]PB[A]PW[B]C[a start];B[ee];W[ce](;B[ge])(;B[eg];W[cg]))"


def _opened(page: PageClient, text: str = SGF) -> dict:
    return page.ask("study.enter", id=page.ask("study.open", text=text)["id"])


def test_open__the_whole_tree_is_there(page: PageClient) -> None:
    study = _opened(page)
    assert [node[3] for node in study["tree"]] == ["", "E5", "C5", "G5", "E3", "C3"]
    assert study["title"] == "A - B"
    assert study["comment"] == "a start"
    assert study["about"]["KM"] == "7.5"


def test_go__leads_along_a_variation(page: PageClient) -> None:
    study = _opened(page)
    last = study["tree"][-1][0]
    page.ask("study.go", id=study["id"], node=last)
    place = page.until(lambda event: event.get("at") == last)
    assert place["position"]["owner"].count("0") == 2
    assert place["position"]["last"] == [6 * 9 + 2]
    assert len(place["line"]) == 5
    with pytest.raises(Refused, match="no node 99"):
        page.ask("study.go", id=study["id"], node=99)


def test_play__a_known_move_adds_nothing_and_a_new_one_a_variation(page: PageClient) -> None:
    study = _opened(page)
    page.ask("study.play", id=study["id"], text="E5")
    assert "tree" not in page.until(lambda event: event.get("at") == 1)
    page.ask("study.play", id=study["id"], text="A1")
    assert len(page.until(lambda event: "tree" in event)["tree"]) == 7
    with pytest.raises(Refused, match="A1 is occupied"):
        page.ask("study.play", id=study["id"], text="A1")


def test_edit__what_is_saved_is_read_by_another_parser(page: PageClient) -> None:
    sgfmill = pytest.importorskip("sgfmill.sgf")
    id_ = _opened(page)["id"]
    page.ask("study.play", id=id_, text="E5")
    page.ask("study.play", id=id_, text="D3")
    page.ask("study.comment", id=id_, text="brackets ] and \\ and 囲碁")
    for point, kind in ((0, "TR"), (1, "letter"), (2, "letter"), (3, "number"), (0, "SQ")):
        page.ask("study.mark", id=id_, point=point, kind=kind)
    page.ask("study.setup", id=id_, point=80, color=2)
    page.ask("study.about", id=id_, about={"PB": "Shusaku", "RE": "B+2"})
    text = page.ask("study.sgf", id=id_)["text"]
    game = sgfmill.Sgf_game.from_bytes(text.encode())
    assert game.get_root().get("PB") == "Shusaku"
    variation = game.get_root()[0][1]
    assert variation.get("C") == "brackets ] and \\ and 囲碁"
    assert variation.get("SQ") == {(8, 0)}
    assert dict(variation.get("LB")) == {(8, 1): "A", (8, 2): "B", (8, 3): "1"}
    assert variation[0].get("AW") == {(0, 8)}
    assert load(text.encode()).tree.children


def test_mark__the_same_again_takes_it_off(page: PageClient) -> None:
    id_ = _opened(page)["id"]
    for expected in ([{"cell": 5, "kind": "CR", "text": ""}], []):
        page.ask("study.mark", id=id_, point=5, kind="CR")
        assert page.until(lambda event: "marks" in event)["marks"] == expected


def test_remove__takes_a_variation_away_and_not_the_start(page: PageClient) -> None:
    study = _opened(page)
    page.ask("study.go", id=study["id"], node=4)
    page.ask("study.remove", id=study["id"])
    assert len(page.until(lambda event: "tree" in event)["tree"]) == 4
    page.ask("study.go", id=study["id"], node=0)
    with pytest.raises(Refused, match="beginning"):
        page.ask("study.remove", id=study["id"])


def test_promote__makes_a_variation_the_main_line(page: PageClient) -> None:
    study = _opened(page)
    page.ask("study.go", id=study["id"], node=5)
    page.ask("study.promote", id=study["id"])
    text = page.ask("study.sgf", id=study["id"])["text"]
    assert [move for _, move in load(text.encode()).moves][-1] == 6 * 9 + 2


def test_setup__an_impossible_one_is_refused_and_changes_nothing(page: PageClient) -> None:
    id_ = _opened(page, "(;SZ[3]AB[ab][ba][bb])")["id"]
    before = page.ask("study.sgf", id=id_)["text"]
    with pytest.raises(Refused, match="liberty"):
        page.ask("study.setup", id=id_, point=0, color=2)
    assert page.ask("study.sgf", id=id_)["text"] == before


def test_open__old_formats_and_charsets_are_converted(page: PageClient) -> None:
    old = "(;GaMe[1]SiZe[9]PlayerBlack[\u56f2]AddBlack[aa];Black[ee])".encode("shift_jis").replace(
        b";GaMe", b";CA[Shift_JIS]GaMe"
    )
    id_ = page.ask("study.open", bytes=base64.b64encode(old).decode())["id"]
    text = page.ask("study.sgf", id=id_)["text"]
    assert "PB[囲]" in text
    assert "AB[aa]" in text
    assert "CA[UTF-8]" in text


@pytest.mark.parametrize(
    "text", ["", "no record", "(;GM[2])", "(;SZ[99])", "(;B[zz])", "(" * 3000, "(;SZ[9];B[aa];B[aa])"]
)
def test_open__what_is_no_record_is_refused_in_words(page: PageClient, text: str) -> None:
    with pytest.raises(Refused) as refused:
        page.ask("study.open", text=text)
    assert "mistake" not in str(refused.value)


def test_open__variations_within_variations_are_no_danger(page: PageClient) -> None:
    assert len(_opened(page, "(;" * 3_000)["tree"]) == 3_000


def test_open__large_records_are_refused(page: PageClient) -> None:
    with pytest.raises(Refused, match="more than 20,000 nodes"):
        page.ask("study.open", text="(;SZ[9]" + ";C[x]" * 20_001 + ")")
    with pytest.raises(Refused, match="at most 2,000,000"):
        page.ask("study.open", text="(;C[" + "x" * 2_000_001 + "])")


def test_names__markup_in_a_record_comes_back_as_it_is(page: PageClient) -> None:
    evil = '<script>alert("1")</script>'
    study = _opened(page, f"(;SZ[9]PB[{evil}]C[{evil}])")
    assert study["comment"] == evil
    assert study["about"]["PB"] == evil  # text, which the page writes as text


def test_analysis__streams_candidates_maps_and_values(page: PageClient) -> None:
    id_ = _opened(page)["id"]
    page.ask("study.analyse", id=id_, on=True)
    found = page.until(lambda event: "analysis" in event)["analysis"]
    assert found["moves"][0]["visits"] > 0
    assert 0 <= found["black"] <= 1
    assert len(found["ownership"]) == len(found["criticality"]) == 81
    page.ask("study.analyse", id=id_, on=False)
    assert page.ask("study.enter", id=id_)["values"]["0"][2] > 0


def test_analysis__follows_the_place_and_stops_with_the_page(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        with page_of(client) as page:
            id_ = _opened(page)["id"]
            page.ask("study.analyse", id=id_, on=True)
            page.ask("study.go", id=id_, node=3)
            assert page.until(lambda event: "analysis" in event and event["at"] == 3)
            assert len(client.server.searches) == 1
        with page_of(client) as page:
            page.ask("study.list")
        for _ in range(500):
            if not len(client.server.searches):
                break
            import time

            time.sleep(0.02)
        assert len(client.server.searches) == 0


def test_review__judges_every_move_and_is_kept(tmp_path: Path) -> None:
    with serving(tmp_path) as client, page_of(client) as page:
        id_ = _opened(page)["id"]
        page.ask("study.review", id=id_, simulations=20)
        page.until(lambda event: event.get("reviewing") is False)
        with pytest.raises(Refused, match="judged already"):
            page.ask("study.review", id=id_, simulations=20)
    with serving(tmp_path) as client, page_of(client) as page:
        again = page.ask("study.enter", id=id_)
        assert sorted(again["judged"]) == ["1", "2", "3"]
        assert again["judged"]["1"]["move"] == "E5"


def test_groups__and_playouts_are_shown(page: PageClient) -> None:
    id_ = _opened(page)["id"]
    page.ask("study.go", id=id_, node=5)
    assert set(page.ask("study.groups", id=id_).values()) <= {"alive", "dead", "seki"}
    playout = page.ask("study.playout", id=id_, seed=1)
    assert len(playout["steps"]) > 10
    assert 0 <= playout["value"] <= 1
    assert page.ask("study.playout", id=id_, seed=1) == playout


def test_problem__the_engine_answers_and_says_what_becomes_of_the_chain(page: PageClient) -> None:
    # A straight three in the corner: White to play kills at B1.
    problem = "(;SZ[9]PL[W]AB[ah][bh][ch][dh][di]AW[ag][bg][cg][dg][eg][eh][ei])"
    id_ = _opened(page, problem)["id"]
    page.ask("study.solve", id=id_)
    solution = page.until(lambda event: "solution" in event)["solution"]
    assert solution["outcome"] == "dead"
    assert solution["names"][0] == "B1"
    page.ask("study.problem", id=id_, on=True)
    page.ask("study.play", id=id_, text="B1")
    assert page.until(lambda event: event.get("verdict"))["verdict"] == "dead"


def test_study__survives_the_end_of_the_server(tmp_path: Path) -> None:
    with serving(tmp_path) as client, page_of(client) as page:
        id_ = _opened(page)["id"]
        page.ask("study.play", id=id_, text="A1")
    with serving(tmp_path) as client, page_of(client) as page:
        assert page.ask("study.enter", id=id_)["position"]["owner"][72] == "0"
        assert page.ask("study.list")["saved"][0]["id"] == id_
