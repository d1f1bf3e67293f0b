"""What a user's own table says of SNPs (gene, GWAS, SIFT, PolyPhen, ...): carried through, and to be filtered by.

The table is a TSV or CSV with a column of ids (``id``, ``snp``, ``rsid``, or the first), or a VCF, whose INFO is used.
Where the facts come from is the user's affair; nothing is fetched from anywhere.
"""

from __future__ import annotations

import gzip
import operator
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tesuji.genetics.table import read_table

__all__ = ["Annotation", "filtered", "read_annotation"]

Annotation = dict[str, dict[str, str]]
"""SNP id -> column -> value."""

_ID_COLUMNS = ("id", "snp", "rsid", "rs", "variant", "name", "snps")
_CONDITION = re.compile(r"^\s*([^<>=!~]+?)\s*(<=|>=|!=|==|=|<|>|~)\s*(.*?)\s*$")
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def read_annotation(path: str | Path) -> Annotation:
    """Read a table or the INFO of a VCF.

    Raises
    ------
    ValueError
        If it is neither.
    """
    path = Path(path)
    if path.name.lower().endswith((".vcf", ".vcf.gz", ".vcf.bgz")):
        return _read_info(path)
    header, rows = read_table(path)
    lowered = [name.strip().lower() for name in header]
    place = next((lowered.index(name) for name in _ID_COLUMNS if name in lowered), 0)
    return {
        row[place].strip(): {
            name: cell.strip() for i, (name, cell) in enumerate(zip(header, row, strict=True)) if i != place
        }
        for row in rows
    }


def _read_info(path: Path) -> Annotation:
    found: Annotation = {}
    try:
        raw = path.read_bytes()
        text = (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode("utf-8", "replace")
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ValueError(f"{path}: it is damaged or was cut short ({error})") from error
    for line in text.splitlines():
        fields = line.split("\t", 8)
        if line.startswith("#") or len(fields) < 8:
            continue
        facts = {}
        for part in fields[7].split(";"):
            name, mark, value = part.partition("=")
            if name and name != ".":
                facts[name] = value if mark else "yes"
        name = fields[2] if fields[2] != "." else f"{fields[0]}:{fields[1]}:{fields[3]}:{fields[4]}"
        found[name] = facts
    return found


def filtered(annotation: Mapping[str, Mapping[str, str]], conditions: Sequence[str]) -> frozenset[str]:
    """The ids that fulfil all conditions, such as ``gene=EDAR``, ``sift<0.05``, ``consequence~missense``.

    ``~`` asks whether the value contains a word; numbers are compared as numbers; a SNP without the column does not
    fulfil a condition on it, except ``!=``.

    Raises
    ------
    ValueError
        For a condition that cannot be read, or a column that no SNP has.
    """
    columns = {name for facts in annotation.values() for name in facts}
    kept = set(annotation)
    for condition in conditions:
        match = _CONDITION.match(condition)
        if match is None:
            raise ValueError(f"{condition!r} is not a condition; write COLUMN=VALUE, !=, <, <=, >, >= or ~ (contains)")
        name, sign, value = match.groups()
        if name not in columns:
            raise ValueError(
                f"{condition!r}: there is no column {name!r}; there are {', '.join(sorted(columns)) or 'none'}"
            )
        kept = {snp for snp in kept if _holds(annotation[snp].get(name), sign, value)}
    return frozenset(kept)


def _holds(found: str | None, sign: str, value: str) -> bool:
    if found is None:
        return sign == "!="
    if sign == "~":
        return value.lower() in found.lower()
    try:
        a, b = float(found), float(value)
    except ValueError:
        if sign in _COMPARE:
            return False
        return (found == value) == (sign in ("=", "=="))
    return _COMPARE[sign](a, b) if sign in _COMPARE else (a == b) == (sign in ("=", "=="))
