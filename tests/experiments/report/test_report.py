"""Reports: the numbers on the page are those of the store, the page needs nothing else, names cannot break it."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tesuji import provenance
from tesuji.experiments.players import parse_player
from tesuji.experiments.records import Conditions, GameRecord, PlayerSpec, Reason, Winner
from tesuji.experiments.report import MAX_GAMES_LISTED, Format, report_text, spec_toml, write_report
from tesuji.experiments.run.match import sgf_name, standings_of
from tesuji.experiments.run.spec import MatchSpec, spec_from, spec_json
from tesuji.experiments.run.store import Store
from tesuji.experiments.stats.elo import Sprt
from tesuji.experiments.stats.figures import duration, percent, signed

pytest.importorskip("matplotlib")
pytest.importorskip("jinja2")

TRICKY = "<script>alert('x')</script> | & \"q\""


def _store(path: Path, names: list[str], games: int = 8, **more: Any) -> Path:
    """A store in which the first named wins as first player, draws every eighth game and crashes once."""
    players = tuple(PlayerSpec(name=name, kind="tesuji") for name in names)
    spec = MatchSpec(players=players, conditions=Conditions(size=9, komi=6.5), games=games, seed=7, **more)
    with Store.open(path, spec_json=spec_json(spec)) as store:
        store.add_run(provenance.collect(seed=7, config=spec))
        index = 0
        for _ in range(games // 2):
            for one, other in spec.pairings:
                for first, second in ((one, other), (other, one)):
                    store.add(_game(index, first.name, second.name, names[0]))
                    index += 1
    return path


def _game(index: int, first: str, second: str, favourite: str) -> GameRecord:
    is_crash, winner = index == 5, "draw" if index % 8 == 7 else "first" if first == favourite else "second"
    return GameRecord(
        index=index,
        pair=index // 2,
        first=first,
        second=second,
        winner=_as_winner(winner),
        score={"draw": "0", "first": "B+3.5", "second": "W+R"}[winner],
        reason=Reason.CRASH if is_crash else Reason.SCORE,
        detail="ended with <b>status 3</b>" if is_crash else "",
        opening_name=f"opening {index // 2 % 2}",
        num_moves=40 + index,
        sgf="(;)",
        first_s=1.0,
        second_s=2.0,
        wall_s=3.1,
        cpu_s=3.0,
        started_at="2026-02-03T04:05:06+00:00",
        versions={first: "Engine 1"},
    )


def _as_winner(word: str) -> Winner:
    return msgspec.convert(word, Winner)


class _Page(HTMLParser):
    """What a browser would see: text, tags with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self._silent = 0
        self.feed(html)
        self.text = " ".join(" ".join(self.texts).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._silent += tag == "style"

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag == "style"

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.texts.append(data)


def test_json__is_the_standings(tmp_path: Path) -> None:
    path = _store(tmp_path / "m.db", ["a", "b"], sprt=Sprt(elo0=0, elo1=50))
    found = json.loads(report_text(path, "json"))
    with Store.read(path) as store:
        assert found == json.loads(msgspec.json.encode(standings_of(store)))
    assert found["games"] == 8
    assert found["players"][0]["wins"] + found["players"][0]["draws"] + found["players"][0]["losses"] == 8
    assert found["sprt"]["llr"] > 0
    assert found["elo"]["low"] < found["elo"]["elo"] < found["elo"]["high"]
    assert found["reasons"] == {"score": 7, "crash": 1}


def test_csv__has_a_row_for_each_game(tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(report_text(_store(tmp_path / "m.db", ["a", TRICKY]), "csv"))))
    assert [row["index"] for row in rows] == [str(i) for i in range(8)]
    assert rows[1]["first"] == TRICKY
    assert (rows[5]["reason"], rows[5]["moves"], rows[5]["first_s"]) == ("crash", "45", "1.0")


def test_markdown__escapes_bars_and_has_the_numbers(tmp_path: Path) -> None:
    text = report_text(_store(tmp_path / "m.db", ["a", "b|c"]), "md")
    assert "# a against b|c" in text
    assert "b\\|c" in text
    assert "- **Score**: 7.5 : 0.5 (+7 =1 −0)" in text
    tables = [line for line in text.splitlines() if line.startswith("| ")]
    assert all(len(re.findall(r"(?<!\\)\|", line)) >= 3 for line in tables)


def test_html__shows_the_result_of_a_match(tmp_path: Path) -> None:
    page = _Page(report_text(_store(tmp_path / "m.db", ["alice", "bob"], sprt=Sprt(elo0=0, elo1=50)), "html"))
    for words in ("alice against bob", "7.5 : 0.5", "Go 9×9, Chinese rules, komi 6.5", "Log-likelihood ratio"):
        assert words in page.text
    for title in ("Ratings", "Cross table", "Colours", "Openings", "How games ended", "Time used", "Provenance"):
        assert title in page.text
    assert "+7 =1 −0" in page.text
    assert "ended with <b>status 3</b>" in page.text  # as text, not as a tag
    assert sum(tag == "svg" for tag, _ in page.tags) >= 4


def test_html__shows_a_whole_field(tmp_path: Path) -> None:
    page = _Page(report_text(_store(tmp_path / "m.db", ["a", "b", "c", "d"], games=4), "html"))
    assert "A tournament of 4 players" in page.text
    assert "6 pairings" in page.text
    assert sum(attributes.get("class") == "self" for _, attributes in page.tags) == 4


def test_html__needs_nothing_from_elsewhere(tmp_path: Path) -> None:
    html = report_text(_store(tmp_path / "m.db", ["a", "b"]), "html")
    page = _Page(html)
    assert not {"script", "link", "iframe", "img", "object"} & {tag for tag, _ in page.tags}
    assert all(not str(attributes.get("src", "")) for _, attributes in page.tags)
    for _, attributes in page.tags:
        for name in ("href", "xlink:href"):
            assert str(attributes.get(name) or "#").startswith("#")
    assert "url(" not in re.sub(r"url\(#[^)]*\)", "", html)
    assert "@import" not in html


@pytest.mark.parametrize("wanted", ["html", "md", "csv", "json"])
def test_report__names_no_machine_and_no_directory(tmp_path: Path, wanted: Format) -> None:
    path = tmp_path / "m.db"
    players = (PlayerSpec(name="x", kind="gtp", command="/home/alice/bin/x --y"), PlayerSpec(name="y", kind="tesuji"))
    with Store.open(path, spec_json=spec_json(MatchSpec(players=players))) as store:
        store.add(_game(0, "x", "y", "x"))
    text = report_text(path, wanted)
    assert "alice" not in text
    assert str(tmp_path) not in text


def test_html__a_name_cannot_break_the_page(tmp_path: Path) -> None:
    page = _Page(report_text(_store(tmp_path / "m.db", ["a", TRICKY]), "html"))
    assert "script" not in {tag for tag, _ in page.tags}
    assert TRICKY in page.text.replace("</ script>", "</script>")


def test_html__of_a_store_without_games(tmp_path: Path) -> None:
    page = _Page(report_text(_store(tmp_path / "m.db", ["a", "b"], games=1), "html"))
    assert "none has been played yet" in page.text
    assert "No ratings: no games yet" in page.text


def test_html__of_a_player_who_won_everything(tmp_path: Path) -> None:
    page = _Page(report_text(_store(tmp_path / "m.db", ["a", "b"], games=4), "html"))
    assert "+∞" in page.text
    assert not re.search(r"\b(nan|inf)\b", page.text)
    for tag, attributes in page.tags:
        if tag in ("line", "circle"):
            numbers = [attributes[name] for name in ("x1", "x2", "cx") if name in attributes]
            assert all(math.isfinite(float(number or "nan")) for number in numbers)


def test_write_report__writes_a_page_and_plots_with_links_that_lead_somewhere(tmp_path: Path) -> None:
    path = _store(tmp_path / "m.db", ["a", "b"])
    sgf = tmp_path / "my games"
    sgf.mkdir()
    with Store.read(path) as store:
        for game in store.games():
            if game.index != 2:
                (sgf / sgf_name(game)).write_text("(;)")
    page_path, *pictures = write_report(path, tmp_path / "out" / "page.html", sgf_dir=sgf)
    assert {picture.name for picture in pictures} == {"page-ratings.png", "page-lengths.png", "page-elo.png"}
    assert all(picture.read_bytes().startswith(b"\x89PNG") for picture in pictures)
    page = _Page(page_path.read_text())
    links = {str(attributes["href"]) for tag, attributes in page.tags if tag == "a"}
    assert len(links) == 7
    assert all((page_path.parent / link.replace("%20", " ")).is_file() for link in links)


def test_write_report__puts_a_file_into_a_folder(tmp_path: Path) -> None:
    path = _store(tmp_path / "m.db", ["a", "b"])
    assert write_report(path, tmp_path, format="md") == [tmp_path / "report.md"]
    assert write_report(path, tmp_path / "new", format="csv") == [tmp_path / "new" / "report.csv"]
    assert write_report(path, tmp_path / "x.json", format="json") == [tmp_path / "x.json"]


def test_write_report__refuses_what_it_does_not_know(tmp_path: Path) -> None:
    path = _store(tmp_path / "m.db", ["a", "b"])
    with pytest.raises(ValueError, match="no format 'pdf'"):
        write_report(path, tmp_path, format="pdf")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="is not a folder"):
        write_report(path, tmp_path, sgf_dir=tmp_path / "nowhere")
    with pytest.raises(OSError, match="no such store"):
        report_text(tmp_path / "nothing.db", "md")


def test_html__lists_a_bounded_number_of_games(tmp_path: Path) -> None:
    path = _store(tmp_path / "m.db", ["a", "b"], games=MAX_GAMES_LISTED + 20)
    sgf = tmp_path / "sgf"
    sgf.mkdir()
    page, *_ = write_report(path, tmp_path / "page.html", sgf_dir=sgf)
    assert f"The first {MAX_GAMES_LISTED} of {MAX_GAMES_LISTED + 20} games" in _Page(page.read_text()).text


def test_report__of_games_that_belong_to_something_else_than_a_match(tmp_path: Path) -> None:
    with Store.open(tmp_path / "t.db", spec_json=b'{"tune": {"parameter": "c"}}') as store:
        store.add(_game(0, "a", "b", "a"))
        store.add(_game(1, "b", "a", "a"))
    text = report_text(tmp_path / "t.db", "md")
    assert "a against b" in text
    assert "parameter" in _Page(report_text(tmp_path / "t.db", "html")).text


@pytest.mark.parametrize(
    "spec",
    [
        MatchSpec(players=(parse_player("tesuji:simulations=10,preset=uct"), parse_player("x=gnugo-l3:main_s=30"))),
        MatchSpec(
            players=tuple(parse_player(f"p{i}=tesuji") for i in range(3)),
            conditions=Conditions(size=13, komi=0.5, handicap=2, rules="japanese", max_moves=99),
            format="gauntlet",
            champion="p1",
            games=12,
            openings="random:4",
            seed=2**62,
            anchors={"p0": 1500.0, "p2": -3.25},
        ),
        MatchSpec(
            players=(PlayerSpec(name='q"\\ä', kind="gtp", command='a "b c"', setup=("x y",)), parse_player("tesuji")),
            sprt=Sprt(elo0=-5, elo1=5, alpha=0.01, beta=0.1),
        ),
    ],
)
def test_spec_toml__is_read_back_as_the_same_spec(spec: MatchSpec) -> None:
    assert spec_from(tomllib.loads(spec_toml(spec))) == spec


def test_signed__writes_true_minus_and_infinity() -> None:
    assert [signed(x) for x in (12.4, -12.6, 0.2, -0.2, math.inf, -math.inf, math.nan)] == [
        "+12", "−13", "0", "0", "+∞", "−∞", "?",
    ]  # fmt: skip
    assert signed(-1.005, 2).startswith("−1.0")


def test_percent_and_duration__read_well() -> None:
    assert percent(0.5476) == "54.8 %"
    assert [duration(x) for x in (0.0, 0.84, 42.4, 725, 11_220)] == [
        "0 s",
        "0.84 s",
        "42 s",
        "12 min 05 s",
        "3 h 07 min",
    ]
