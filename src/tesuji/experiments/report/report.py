"""Stored games as something to read: one HTML page with plots, or CSV, JSON and Markdown.

The page is one file that needs nothing else: styles and drawings are inside, no script. Beside it lie the plots as PNG.
JSON is a `Standings`; CSV is a row per game; Markdown is the page's tables. Names of machines and directories of
programs are left out: reports are made to be published.

Counting is done by `standings.py` and `digest.py`, wording by `sections.py`, drawing by `plots.py`.
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
from collections.abc import Mapping
from importlib import resources
from itertools import chain
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from tesuji import provenance
from tesuji.experiments.records import Conditions, GameRecord, PlayerSpec
from tesuji.experiments.report import plots
from tesuji.experiments.report.digest import Digest, digest
from tesuji.experiments.report.sections import Section, headline, sections
from tesuji.experiments.run.match import sgf_name
from tesuji.experiments.run.spec import MatchSpec
from tesuji.experiments.run.store import Store
from tesuji.experiments.stats.figures import signed
from tesuji.experiments.stats.standings import Standings, standings
from tesuji.games import game_named
from tesuji.words import how_to_install
from tesuji.writing import write_whole

if TYPE_CHECKING:
    from markupsafe import Markup
    from matplotlib.figure import Figure

__all__ = ["FORMATS", "Format", "report_text", "spec_toml", "write_report"]

Format = Literal["html", "csv", "json", "md"]
FORMATS: tuple[Format, ...] = ("html", "csv", "json", "md")
MAX_GAMES_LISTED = 300

_CSV_COLUMNS = (
    "index", "pair", "first", "second", "winner", "score", "reason", "detail", "opening", "seed", "moves",
    "first_s", "second_s", "wall_s", "cpu_s", "started_at", "parameters",
)  # fmt: skip
_BREAKS = re.compile(r"(?<=[:,/])(?=[^\s\d])")
_BAR_WIDTH, _BAR_MARGIN = 200, 16
_LONG_NAME = 24


class _Results(msgspec.Struct, frozen=True):
    """What is known about a store."""

    name: str
    spec: MatchSpec | None  # None: the games of something else, tuning for instance
    raw_spec: Any
    found: Standings
    more: Digest
    games: list[GameRecord]
    runs: list[dict[str, Any]]

    @property
    def title(self) -> str:
        names = [player.name for player in self.found.players]
        return f"{names[0]} against {names[1]}" if len(names) == 2 else f"A tournament of {len(names)} players"


def write_report(
    store_path: Path | str,
    out: Path | str,
    *,
    format: Format = "html",  # noqa: A002 - the word that people use
    sgf_dir: Path | str | None = None,
) -> list[Path]:
    """Write a report of a store.

    Parameters
    ----------
    store_path
        The games.
    out
        A file, or a folder, which gets ``report.html`` or its like.
    format
        ``html`` also writes plots beside the page, named after it: ``report-ratings.png`` and others.
    sgf_dir
        Where the games lie as files, for links from the page; None: no links.

    Returns
    -------
    list of Path
        What was written, the report first.

    Raises
    ------
    ValueError
        For an unknown format, or a store that is none.
    OSError
        If a file cannot be read or written.
    ImportError
        If a library for HTML or plots is missing.
    """
    out = Path(out)
    path = out / f"report.{format}" if out.is_dir() or not out.suffix else out
    _check_format(format)
    if sgf_dir is not None and not Path(sgf_dir).is_dir():
        raise ValueError(f"{sgf_dir} is not a folder; give the folder of the SGF files, or leave it out")
    results = _read(Path(store_path))
    path.parent.mkdir(parents=True, exist_ok=True)
    if format != "html":
        write_whole(path, _text(results, format))
        return [path]
    figures = _figures(results)
    links = _Links(results, path.parent, Path(sgf_dir)) if sgf_dir is not None else None
    write_whole(path, _html(results, figures, links))
    return [path, *(plots.save(figure, path.with_name(f"{path.stem}-{key}.png")) for key, figure in figures.items())]


def report_text(store_path: Path | str, format: Format) -> str:  # noqa: A002
    """A report as one text, for a terminal or a pipe; an HTML page has no links to games then."""
    _check_format(format)
    results = _read(Path(store_path))
    return _html(results, _figures(results), None) if format == "html" else _text(results, format)


def spec_toml(spec: MatchSpec) -> str:
    """A spec as ``tesuji tournament`` reads it; directories of programs are cut off, they are nobody's business."""
    from tomli_w import dumps

    plain = msgspec.to_builtins(msgspec.structs.replace(spec, players=tuple(map(_published, spec.players))))
    default = msgspec.to_builtins(MatchSpec(players=spec.players))
    players = plain.pop("players")
    kept = {key: value for key, value in plain.items() if value is not None and value != default.get(key)}
    kept.setdefault("games", spec.games)
    kept.setdefault("seed", spec.seed)
    return dumps({**_known(kept), "players": [_known(player) for player in players]})


# --- reading ----------------------------------------------------------------------------------------------------------


def _check_format(word: str) -> None:
    if word not in FORMATS:
        raise ValueError(f"there is no format {word!r}; choose {', '.join(FORMATS)}")


def _read(path: Path) -> _Results:
    with Store.read(path) as store:
        games, attempts, runs = list(store.games()), store.attempts(), store.runs()
        raw = msgspec.json.decode(store.spec)
    try:
        spec = msgspec.convert(raw, MatchSpec)
        names = list(spec.names)
    except (msgspec.ValidationError, ValueError):
        spec, names = None, list(dict.fromkeys(name for game in games for name in (game.first, game.second)))
    found = standings(
        chain(attempts, games), names, sprt=spec.sprt if spec else None, anchors=spec.anchors if spec else None
    )
    return _Results(path.stem, spec, raw, found, digest(games, names), games, runs)


# --- plain texts ------------------------------------------------------------------------------------------------------


def _text(results: _Results, wanted: Format) -> str:
    if wanted == "json":
        return msgspec.json.format(msgspec.json.encode(results.found), indent=2).decode() + "\n"
    return _csv(results) if wanted == "csv" else _markdown(results)


def _csv(results: _Results) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_CSV_COLUMNS)
    for game in results.games:
        writer.writerow(
            (
                game.index, game.pair, game.first, game.second, game.winner, game.score, game.reason, game.detail,
                game.opening_name, game.seed, game.num_moves, round(game.first_s, 3), round(game.second_s, 3),
                round(game.wall_s, 3), round(game.cpu_s, 3), game.started_at,
                json.dumps(game.parameters) if game.parameters else "",
            )
        )  # fmt: skip
    return text.getvalue()


def _markdown(results: _Results) -> str:
    lines = [f"# {results.title}", "", _subtitle(results), ""]
    lines += [f"- **{what}**: {how_much} ({how_sure})" for what, how_much, how_sure in headline(results.found)]
    for section in sections(results.found, results.more):
        lines += ["", f"## {section.title}", "", *_markdown_table(section)]
        lines += ["", section.note] if section.note else []
    lines += ["", "## Provenance", ""]
    lines += [f"- {what}: {value}" for what, value in _origin(results)]
    if results.spec:
        lines += ["", "To repeat it, save this as `spec.toml` and run `tesuji tournament spec.toml`:", ""]
        lines += ["```toml", spec_toml(results.spec).rstrip(), "```"]
    return "\n".join(lines) + "\n"


def _markdown_table(section: Section) -> list[str]:
    heads = [column.title for column in section.columns]
    rules = ["---:" if column.kind == "number" else "---" for column in section.columns]
    rows = [[cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in section.rows]
    return ["| " + " | ".join(row) + " |" for row in [heads, rules, *rows]]


def _subtitle(results: _Results) -> str:
    words = []
    if spec := results.spec:
        conditions = spec.conditions
        words.append(_what(conditions))
        if conditions.game == "go":
            words.append(f"{'AGA' if conditions.rules == 'aga' else conditions.rules.title()} rules")
            words += [f"komi {conditions.komi:g}"] if conditions.komi is not None else []
            words += [f"{conditions.handicap} handicap stones"] if conditions.handicap else []
        words.append(f"openings: {spec.openings}")
    first, last = results.more.first_start[:10], results.more.last_start[:10]
    words += [f"played {first}" if first == last else f"played {first} to {last}"] if first else []
    return ", ".join(words)


def _what(conditions: Conditions) -> str:
    """The game, and the board where a size was asked for."""
    if conditions.game == "go":
        return f"Go {conditions.size}×{conditions.size}" if conditions.size else "Go"
    game = game_named(conditions.game)
    return game.described(conditions.size) if conditions.size else game.title


def _origin(results: _Results) -> list[tuple[str, str]]:
    """Where the games come from: of the first run, and how many there were."""
    here = provenance.collect(seed=None).to_dict()
    runs = results.runs
    lines = [("results", results.name)]
    for what, key in (("Tesuji", "version"), ("commit", "commit"), ("Python", "python"), ("system", "platform")):
        lines.append((what, _several(runs, key)))
    lines += [("processor", _several(runs, "cpu")), ("seed", str(results.spec.seed) if results.spec else "")]
    lines += [("runs", str(len(runs))), ("report made", f"{here['date']} by Tesuji {here['version']}")]
    return [(what, value) for what, value in lines if value]


def _several(runs: list[dict[str, Any]], key: str) -> str:
    return "; ".join(dict.fromkeys(str(run[key]) for run in runs if run.get(key)))


# --- the page ---------------------------------------------------------------------------------------------------------


class _Links:
    """From a page to the files of the games, as far as they are there."""

    def __init__(self, results: _Results, page_dir: Path, sgf_dir: Path) -> None:
        game = results.spec.conditions.game if results.spec else "go"
        there = {path.name for path in sgf_dir.iterdir()}
        base = PurePath(os.path.relpath(sgf_dir.resolve(), page_dir.resolve())).as_posix()
        names = {record.index: sgf_name(record, game) for record in results.games}
        self.of = {index: f"{base}/{name}" for index, name in names.items() if name in there}


class _Scale:
    """Elo to a place on a bar of the ratings' table."""

    def __init__(self, found: Standings) -> None:
        ends = [0.0, *(end for rating in found.ratings for end in (rating.elo, rating.low, rating.high))]
        finite = [end for end in ends if math.isfinite(end)]
        self._low, self._high = min(finite) - 10, max(finite) + 10

    def x(self, elo: float) -> float:
        """Where it is; what is not finite lies at the edge."""
        elo = min(max(elo, self._low), self._high)
        share = (elo - self._low) / (self._high - self._low)
        return round(_BAR_MARGIN + share * (_BAR_WIDTH - 2 * _BAR_MARGIN), 1)

    @property
    def ticks(self) -> list[int]:
        """Up to five round numbers."""
        span = self._high - self._low
        step = next((step for step in (10, 20, 50, 100, 200, 500, 1000) if span / step < 5), 2000)
        return [i * step for i in range(math.ceil(self._low / step), math.floor(self._high / step) + 1)]


def _html(results: _Results, figures: Mapping[str, Figure], links: _Links | None) -> str:
    try:
        import jinja2
    except ImportError as error:
        raise ImportError(f"an HTML report needs Jinja2: {how_to_install('lab')}") from error
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"signed": signed, "breakable": _breakable}
    environment.tests["finite"] = math.isfinite
    source = resources.files("tesuji.experiments.report").joinpath("templates/report.html").read_text(encoding="utf-8")
    listed = results.games[:MAX_GAMES_LISTED]
    return environment.from_string(source).render(
        title=results.title,
        subtitle=_subtitle(results),
        version=provenance.collect(seed=None).version,
        headline=headline(results.found),
        sections=sections(results.found, results.more),
        ratings=results.found.ratings,
        ratings_note="" if results.found.ratings else results.found.ratings_note,
        scale=_Scale(results.found),
        bar_width=_BAR_WIDTH,
        figures={key: plots.to_svg(figure) for key, figure in figures.items() if key != "ratings"},
        games=listed if links else [],
        num_games=len(results.games),
        links=links.of if links else {},
        origin=_origin(results),
        spec=spec_toml(results.spec) if results.spec else "",
        raw_spec="" if results.spec else msgspec.json.format(msgspec.json.encode(results.raw_spec), indent=2).decode(),
    )


def _breakable(name: str) -> Markup:
    """A name that a browser may break after its punctuation, and at a hyphen only if it is long."""
    from markupsafe import Markup, escape  # comes with Jinja2

    parts = [
        escape(part) if len(part) > _LONG_NAME else Markup("<span>{}</span>").format(part)
        for part in _BREAKS.split(name)
    ]
    return Markup("<wbr>").join(parts)


def _figures(results: _Results) -> dict[str, Figure]:
    found = results.found
    curve = [point for point in results.more.curve if point.games >= min(30, found.games / 4)]  # the rest is noise
    figures: dict[str, Figure] = {}
    if found.ratings:
        figures["ratings"] = plots.rating_plot(found.ratings)
    if found.games:
        lengths = [length for length, count in found.lengths.counts.items() for _ in range(count)]
        figures["lengths"] = plots.length_plot(lengths)
    if len(curve) > 1:
        values = ([point.elo for point in curve], [point.low for point in curve], [point.high for point in curve])
        title = f"Elo of {found.players[0].name} over the games"
        figures["elo"] = plots.line_plot([point.games for point in curve], *values, title=title)
    return figures


# --- TOML -------------------------------------------------------------------------------------------------------------


def _published(player: PlayerSpec) -> PlayerSpec:
    words = player.command.split(" ")
    cut = " ".join(PurePath(word).name if word.startswith(("/", "~")) else word for word in words)
    return msgspec.structs.replace(player, command=cut)


def _known(table: Mapping[str, Any]) -> dict[str, Any]:
    """The same without what is not said: TOML has no word for nothing."""
    return {
        key: _known(value) if isinstance(value, Mapping) else value for key, value in table.items() if value is not None
    }
