"""Files: the three forms of problems, plans in every form, and one clear error for whatever is wrong."""

from __future__ import annotations

import csv
import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tesuji.packing import Item, PackingError, PackingProblem, Sheet, pack
from tesuji.packing.files import read_plan, read_problem, write_plan
from tesuji.packing.specification import Specification

PLAN = pack([Item(width=6, height=4, name="door"), (4, 4), (5, 3, 2)], width=10, simulations=200, seed=1)


def read(tmp_path: Path, name: str, text: str | bytes) -> Specification:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_problem(path)


def test_read_problem__the_text_of_the_benchmarks(tmp_path: Path) -> None:
    specification = read(tmp_path, "a.txt", "20\n3\n2 12\n7 12\n\n8 6\n")
    assert specification.width == 20
    assert [(one.width, one.height) for one in specification.items] == [(2, 12), (7, 12), (8, 6)]


def test_read_problem__a_csv_with_a_header_in_any_order(tmp_path: Path) -> None:
    text = "name;height;width;may rotate;count\nside;12.5;3;no;4\n# a remark\n\ntop;2;3;;\n"
    specification = read(tmp_path, "a.csv", "\ufeff" + text)
    assert specification.items == (
        Item(width=3, height="12.5", count=4, may_rotate=False, name="side"),
        Item(width=3, height=2, name="top"),
    )
    assert specification.with_options(width="7.5").problem().unit * 2 == 1


def test_read_problem__a_csv_without_a_header(tmp_path: Path) -> None:
    assert read(tmp_path, "a.csv", "3,4\n5,6,2,yes,leg\n").items[1] == Item(
        width=5, height=6, count=2, may_rotate=True, name="leg"
    )


def test_read_problem__json_has_everything(tmp_path: Path) -> None:
    whole = {
        "items": [{"width": 3, "height": 2.5, "count": 2, "may_rotate": False, "worth": 7, "name": "a"}],
        "sheets": [{"width": 10, "height": 20, "count": 3, "cost": 12.5, "name": "oak"}],
        "kerf": 0.5,
        "guillotine": True,
        "rotate": False,
    }
    problem = read(tmp_path, "a.json", json.dumps(whole)).problem()
    assert problem.sheets == (Sheet(width=10, height=20, count=3, cost=12.5, name="oak"),)
    assert (problem.guillotine, problem.rotate, float(problem.kerf)) == (True, False, 0.5)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.txt", "", "not a packing problem"),
        ("a.txt", "10\n2\n1 2\n", "line 2: there are said to be 2 rectangles, and 1 follow"),
        ("a.txt", "10\n1\n1 2 3\n", "line 3: '1 2 3' is not 'width height'"),
        ("a.txt", "10\n1\n0 2\n", "line 3: the width of an item is 0; it must be above 0"),
        ("a.txt", "10\n1\n1 -2\n", "line 3: the height of an item is -2; it must be above 0"),
        ("a.txt", "10\n1\nnan 2\n", "line 3: the width of an item is 'nan'; it must be a finite number"),
        ("a.txt", "10\n1\ninf 2\n", "line 3: the width of an item is 'inf'; it must be a finite number"),
        ("a.txt", "ten\n1\n1 2\n", "the width of the strip is 'ten'; it must be a finite number"),
        ("a.txt", b"\xff\xfe\x00", "not a text in UTF-8"),
        ("a.csv", "", "has no line"),
        ("a.csv", "width,height\n", "has no item"),
        ("a.csv", "width,height\n3\n", "line 2: the height is missing"),
        ("a.csv", "width,height,colour\n3,4,red\n", "line 1: 'colour' is not a column"),
        ("a.csv", "width,width\n3,4\n", "line 1: exactly one column must be the width"),
        ("a.csv", "width,height,count\n3,4,1000000\n", "line 2: the count of an item is 1000000; at most 10000"),
        ("a.csv", "width,height,count\n3,4,1.5\n", "line 2: the count is '1.5'; it must be a whole number"),
        ("a.csv", "width,height,count\n3,4,0\n", "line 2: the count of an item is 0"),
        ("a.csv", "width,height,may rotate\n3,4,perhaps\n", "line 2: 'may rotate' is 'perhaps'; it must be yes or no"),
        ("a.csv", "width,height\n3,4,5\n", "line 2: there are 3 cells for 2 columns"),
        ("a.csv", 'width,height,name\n3,4,"x\n', "line 2: unexpected end of data"),
        ("a.json", "{", "a.json"),
        ("a.json", '{"items": [], "width": 3}', "there is no item"),
        ("a.json", '{"items": [{"width": 1}], "width": 3}', "height"),
        ("a.json", '{"items": [{"width": 1, "height": 0}], "width": 3}', "item 1: the height of an item is 0"),
        ("a.json", '{"items": [{"width": 1, "height": 1, "depth": 1}], "width": 3}', "depth"),
        ("a.json", '{"items": [{"width": 1, "height": 1}], "width": 3, "sheets": []}', "not both"),
    ],
)
def test_read_problem__names_the_line_and_what_is_wrong(
    tmp_path: Path, name: str, text: str | bytes, message: str
) -> None:
    with pytest.raises(PackingError, match=message.replace("(", r"\(")):
        read(tmp_path, name, text).problem()


@pytest.mark.parametrize(
    ("items", "options", "message"),
    [
        ([], {"width": 3}, "there is no item"),
        ([(4, 5)], {"width": 3}, "item 1 is 4 x 5; it is wider than the strip \\(3\\) either way"),
        ([(4, 1)], {"width": 3, "rotate": False}, "must not be rotated"),
        ([(1, 1)], {}, "either the width of a strip or sheets"),
        ([(1, 1)], {"width": 3, "sheets": [Sheet(width=1, height=1)]}, "not both"),
        ([(1, 1)], {"sheets": []}, "there is no sheet"),
        ([(1, 1)], {"sheets": [Sheet(width=1, height=1)], "max_height": 3}, "sheets have heights of their own"),
        ([(2, 2)], {"sheets": [Sheet(width=1, height=9)]}, "fits on no sheet"),
        ([(1, 1)], {"width": 0}, "the width of the strip is 0; it must be above 0"),
        ([(1, 1)], {"width": float("nan")}, "the width of the strip is nan; it must be a finite number"),
        ([(1, 1)], {"width": 3, "kerf": -1}, "the kerf is -1"),
        ([(1, 1)], {"width": 3, "max_height": 0}, "the maximum height is 0"),
        ([("a", 1)], {"width": 3}, "the width of an item is 'a'"),
        ([(True, 1)], {"width": 3}, "the width of an item is True"),
        ([(1, 1, 0)], {"width": 3}, "the count of an item is 0"),
        ([(1, 1, 6000), (2, 2, 6000)], {"width": 3}, "12000 rectangles; at most 10000"),
        ([(1,)], {"width": 3}, "is not an item"),
        ([(1, "0.00000001")], {"width": 3}, "round the sides"),
        ([(1, 1)], {"sheets": [Sheet(width=3, height=3, cost=1), Sheet(width=4, height=4)]}, "give all of them one"),
    ],
)
def test_problem__refuses_what_cannot_be_packed(items: list, options: dict, message: str) -> None:  # type: ignore[type-arg]
    with pytest.raises(PackingError, match=message):
        PackingProblem(items, **options)


@settings(max_examples=300, deadline=None)
@given(text=st.text(max_size=60), name=st.sampled_from(["a.txt", "a.csv", "a.json"]))
def test_read_problem__whatever_it_reads_it_reads_or_refuses(
    tmp_path_factory: pytest.TempPathFactory, text: str, name: str
) -> None:
    path = tmp_path_factory.mktemp("files") / name
    path.write_text(text, encoding="utf-8", errors="replace")
    try:
        read_problem(path).with_options(width=30).problem()
    except PackingError as error:
        assert str(error)  # noqa: PT017


@pytest.mark.parametrize("suffix", [".json", ".csv", ".svg", ".png", ".txt"])
def test_write_plan__writes_every_form_whole(tmp_path: Path, suffix: str) -> None:
    write_plan(PLAN, tmp_path / f"plan{suffix}")
    assert [path.name for path in tmp_path.iterdir()] == [f"plan{suffix}"]
    data = (tmp_path / f"plan{suffix}").read_bytes()
    if suffix == ".json":
        assert read_plan(tmp_path / "plan.json") == PLAN
        assert {"height", "bound", "is_optimal", "placements"} <= json.loads(data).keys()
    elif suffix == ".csv":
        rows = list(csv.DictReader(data.decode().splitlines()))
        assert len(rows) == 4
        assert {"sheet", "name", "x", "y", "width", "height", "rotated"} <= rows[0].keys()
    elif suffix == ".svg":
        root = ElementTree.fromstring(data)
        assert len(root.findall(".//{http://www.w3.org/2000/svg}title")) == 4
    elif suffix == ".png":
        assert data.startswith(b"\x89PNG")


def test_write_plan__refuses_another_form(tmp_path: Path) -> None:
    with pytest.raises(PackingError, match="ends in '.pdf'"):
        write_plan(PLAN, tmp_path / "plan.pdf")
    (tmp_path / "x.json").write_text("[]")
    with pytest.raises(PackingError, match="is not a plan"):
        read_plan(tmp_path / "x.json")
