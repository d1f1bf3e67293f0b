"""Problems and plans as files. Every error names the file and, where there is one, the line.

Problems: the text of the benchmarks (width, count, then ``width height`` a line), CSV and JSON. Plans: JSON and CSV,
and pictures through `svg` and `picture`. A plan is written whole or not at all.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from tesuji.packing.items import Item, PackingError, Sheet
from tesuji.packing.plan import Plan
from tesuji.packing.specification import Specification
from tesuji.writing import write_whole

__all__ = ["PLAN_SUFFIXES", "parse_problem", "read_plan", "read_problem", "write_plan"]

PLAN_SUFFIXES = (".json", ".csv", ".svg", ".png", ".txt")
MOST_BYTES = 50_000_000

_COLUMNS = {
    "width": "width",
    "w": "width",
    "height": "height",
    "h": "height",
    "length": "height",
    "count": "count",
    "quantity": "count",
    "qty": "count",
    "may rotate": "may_rotate",
    "rotate": "may_rotate",
    "name": "name",
    "id": "name",
    "worth": "worth",
    "value": "worth",
}
_WITHOUT_HEADER = ("width", "height", "count", "may_rotate", "name")
_YES, _NO = {"1", "yes", "y", "true", "t", "x"}, {"0", "no", "n", "false", "f", "-"}


def read_problem(path: Path | str) -> Specification:
    """Read a problem in any of the three forms.

    Raises
    ------
    PackingError
        For a file that is none of them; names the line.
    OSError
        If the file cannot be read.
    """
    path = Path(path)
    return parse_problem(_read(path), path.name)


def parse_problem(text: str, name: str) -> Specification:
    """Read a problem from its text.

    Parameters
    ----------
    text : str
        What the file holds.
    name : str
        Of the file: its suffix says which form it is, messages name it. No file is read.

    Raises
    ------
    PackingError
        For a text that is none of the three forms; names the line.
    """
    path = Path(name)
    if path.suffix.lower() == ".json":
        return _read_json(path, text)
    if path.suffix.lower() in (".csv", ".tsv"):
        return _read_csv(path, text)
    return _read_benchmark(path, text)


def _read(path: Path) -> str:
    if path.stat().st_size > MOST_BYTES:
        raise PackingError(f"{path.name} has {path.stat().st_size:,} bytes; at most {MOST_BYTES:,} are read")
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise PackingError(f"{path.name} is not a text in UTF-8") from None


# --- the text of the benchmarks ---------------------------------------------------------------------------------------


def _read_benchmark(path: Path, text: str) -> Specification:
    lines = [(number, line.split()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if len(lines) < 2:
        raise PackingError(
            f"{path.name} is not a packing problem; it has the width, the count, then 'width height' a line"
        )
    width = _one_number(path, lines[0], "the width of the strip")
    count = _one_number(path, lines[1], "the number of rectangles")
    if count != len(lines) - 2:
        raise PackingError(
            f"{path.name}, line {lines[1][0]}: there are said to be {count} rectangles, and {len(lines) - 2} follow"
        )
    items = []
    for number, words in lines[2:]:
        if len(words) != 2:
            raise PackingError(f"{path.name}, line {number}: {' '.join(words)!r} is not 'width height'")
        with _at(path, number):
            items.append(Item(width=_number(words[0]), height=_number(words[1])))
    return Specification(items=tuple(items), width=width)


def _one_number(path: Path, line: tuple[int, list[str]], what: str) -> int | float | str:
    number, words = line
    if len(words) != 1:
        raise PackingError(f"{path.name}, line {number}: {' '.join(words)!r} is not {what}")
    return _number(words[0])


def _number(word: str) -> int | float | str:
    """An int where it is one; other texts stay as they are, exact, and are judged by whoever needs a number."""
    try:
        return int(word)
    except ValueError:
        return word


class _at:  # noqa: N801  # reads as a word
    """A context whose errors say where in a file they happened."""

    def __init__(self, path: Path, line: int) -> None:
        self._place = f"{path.name}, line {line}"

    def __enter__(self) -> None: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, PackingError):
            raise PackingError(f"{self._place}: {error}") from error


# --- CSV --------------------------------------------------------------------------------------------------------------


def _read_csv(path: Path, text: str) -> Specification:
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    rows = list(_rows(path, text, delimiter))
    if not rows:
        raise PackingError(f"{path.name} has no line; give width,height,count,may rotate,name")
    columns = _header(path, rows[0][1])
    if columns is None:
        columns = dict(enumerate(_WITHOUT_HEADER))
    else:
        rows = rows[1:]
    items = []
    for number, cells in rows:
        with _at(path, number):
            if len(cells) > len(columns) and any(cells[len(columns) :]):
                raise PackingError(f"there are {len(cells)} cells for {len(columns)} columns")
            items.append(_item({columns[i]: cell for i, cell in enumerate(cells) if i in columns and cell}))
    if not items:
        raise PackingError(f"{path.name} has no item; give at least one rectangle")
    return Specification(items=tuple(items))


def _rows(path: Path, text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text), delimiter=delimiter, strict=True)
    while True:
        try:
            cells = [cell.strip() for cell in next(reader)]
        except StopIteration:
            return
        except csv.Error as error:
            raise PackingError(f"{path.name}, line {reader.line_num}: {error}") from error
        if any(cells) and not cells[0].startswith("#"):
            yield reader.line_num, cells


def _header(path: Path, cells: list[str]) -> dict[int, str] | None:
    """What each column means; None if the first line is an item already."""
    words = [cell.lower().replace("_", " ") for cell in cells]
    if not any(word in _COLUMNS for word in words):
        return None
    for word in words:
        if word not in _COLUMNS:
            raise PackingError(
                f"{path.name}, line 1: {word!r} is not a column; choose width, height, count, may rotate, name, worth"
            )
    columns = {i: _COLUMNS[word] for i, word in enumerate(words)}
    for needed in ("width", "height"):
        if list(columns.values()).count(needed) != 1:
            raise PackingError(f"{path.name}, line 1: exactly one column must be the {needed}")
    return columns


def _item(cells: Mapping[str, str]) -> Item:
    for needed in ("width", "height"):
        if needed not in cells:
            raise PackingError(f"the {needed} is missing")
    count = _number(cells.get("count", "1"))
    if not isinstance(count, int):
        raise PackingError(f"the count is {count!r}; it must be a whole number")
    return Item(
        width=_number(cells["width"]),
        height=_number(cells["height"]),
        count=count,
        may_rotate=_yes_or_no(cells.get("may_rotate")),
        worth=_number(cells["worth"]) if "worth" in cells else None,
        name=cells.get("name", ""),
    )


def _yes_or_no(cell: str | None) -> bool | None:
    if cell is None:
        return None
    if cell.lower() not in _YES | _NO:
        raise PackingError(f"'may rotate' is {cell!r}; it must be yes or no")
    return cell.lower() in _YES


# --- JSON -------------------------------------------------------------------------------------------------------------


class _ItemFile(msgspec.Struct, forbid_unknown_fields=True):
    width: int | float | str
    height: int | float | str
    count: int = 1
    may_rotate: bool | None = None
    worth: int | float | str | None = None
    name: str = ""


class _SheetFile(msgspec.Struct, forbid_unknown_fields=True):
    width: int | float | str
    height: int | float | str
    count: int = 1
    cost: int | float | str | None = None
    name: str = ""


class _ProblemFile(msgspec.Struct, forbid_unknown_fields=True):
    items: list[_ItemFile]
    width: int | float | str | None = None
    rotate: bool | None = None
    kerf: int | float | str | None = None
    guillotine: bool | None = None
    max_height: int | float | str | None = None
    sheets: list[_SheetFile] | None = None


def _read_json(path: Path, text: str) -> Specification:
    try:
        read = msgspec.json.decode(text.encode(), type=_ProblemFile)
    except msgspec.DecodeError as error:
        raise PackingError(f"{path.name}: {error}") from error
    fields: dict[str, Any] = {name: getattr(read, name) for name in read.__struct_fields__}
    fields["items"] = tuple(_made(path, "item", i, Item, one) for i, one in enumerate(read.items, 1))
    if read.sheets is not None:
        fields["sheets"] = tuple(_made(path, "sheet", i, Sheet, one) for i, one in enumerate(read.sheets, 1))
    return Specification(**fields)


def _made(path: Path, what: str, number: int, kind: Any, read: msgspec.Struct) -> Any:
    try:
        return kind(**{name: getattr(read, name) for name in read.__struct_fields__})
    except PackingError as error:
        raise PackingError(f"{path.name}, {what} {number}: {error}") from error


# --- plans ------------------------------------------------------------------------------------------------------------


def write_plan(plan: Plan, path: Path | str) -> None:
    """Write a plan as its suffix says: .json, .csv, .svg, .png, or .txt for the terminal's picture.

    Raises
    ------
    PackingError
        For another suffix.
    ImportError
        For .png without matplotlib (the extra ``plot``).
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix == ".json":
        data = msgspec.json.format(msgspec.json.encode(plan.to_dict()), indent=1) + b"\n"
    elif suffix == ".csv":
        data = _to_csv(plan).encode()
    elif suffix == ".svg":
        from tesuji.packing.svg import to_svg

        data = to_svg(plan).encode()
    elif suffix == ".png":
        from tesuji.packing.picture import to_png

        data = to_png(plan)
    elif suffix == ".txt":
        from tesuji.packing.terminal import to_text

        data = to_text(plan).encode()
    else:
        raise PackingError(f"{path.name} ends in {suffix!r}; a plan is written as {', '.join(PLAN_SUFFIXES)}")
    write_whole(path, data)


def _to_csv(plan: Plan) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["sheet", "name", "item", "copy", "x", "y", "width", "height", "rotated"])
    for one in plan.placements:
        rotated = "yes" if one.is_rotated else "no"
        writer.writerow(
            [one.sheet + 1, one.name, one.item + 1, one.copy + 1, one.x, one.y, one.width, one.height, rotated]
        )
    return out.getvalue()


def read_plan(path: Path | str) -> Plan:
    """Read a plan that was written as JSON.

    Raises
    ------
    PackingError
        If it is none.
    """
    path = Path(path)
    try:
        return msgspec.json.decode(_read(path).encode(), type=Plan)
    except msgspec.DecodeError as error:
        raise PackingError(f"{path.name} is not a plan: {error}") from error
