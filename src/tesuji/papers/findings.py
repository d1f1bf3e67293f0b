"""What an experiment found, beside what was published: values, verdicts, and their Markdown.

A comparison sets a number of ours with its interval beside a published one. A claim is a sentence of the paper (or of
ours, said so) that is reproduced, not reproduced, or left open. Verdicts are computed (`verdicts.py`), never written.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from tesuji.papers.verdicts import Bounds, Verdict, equivalence

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Cell", "Claim", "Comparison", "Findings", "Published", "markdown_table"]

Cell = str | int | float | None
"""Of a table."""


class Published(msgspec.Struct, frozen=True, kw_only=True):
    """A number that somebody published.

    Attributes
    ----------
    value : float
        As printed.
    margin : float
        By how much another may miss it and still have reproduced it: fixed from the published work's own precision.
    where : str
        The place: "Pividori 2015, table 2, row 3".
    """

    value: float
    margin: float
    where: str


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """A number of ours beside a published one.

    Attributes
    ----------
    quantity : str
        What is measured, with its unit.
    ours : Bounds
        The estimate and its interval.
    published : Published or None
        None: nobody published it.
    """

    quantity: str
    ours: Bounds
    published: Published | None = None

    @property
    def verdict(self) -> Verdict | None:
        """Whether ours is the published number, give or take its margin; None if nobody published it."""
        if self.published is None:
            return None
        value = self.published.value
        apart = Bounds(self.ours.value - value, self.ours.low - value, self.ours.high - value, self.ours.trials)
        return equivalence(apart, self.published.margin)


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """A statement and what the data say about it.

    Attributes
    ----------
    statement : str
        One sentence.
    verdict : {"reproduced", "not reproduced", "open"}
        Open: the data do not tell.
    evidence : str
        The numbers behind the verdict.
    refuted_by : str
        Which outcome would refute it; known before anything is run.
    """

    statement: str
    verdict: Verdict
    evidence: str
    refuted_by: str


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """What an experiment's renderer returns; the harness writes it.

    Attributes
    ----------
    columns, rows
        The table of results: ``results.csv``, and in the report.
    comparisons : sequence of Comparison
        Ours beside published.
    claims : sequence of Claim
        Statements with verdicts.
    figures : mapping of str to Figure
        The first becomes ``figure.png``, another one named ``x`` becomes ``figure-x.png``.
    notes : sequence of str
        What a reader must know: deviations from the paper, limits.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    comparisons: Sequence[Comparison] = ()
    claims: Sequence[Claim] = ()
    figures: Mapping[str, Figure] = {}
    notes: Sequence[str] = ()

    def sentences(self, verdict: Verdict) -> list[str]:
        """All comparisons and claims with that verdict, a sentence or two each."""
        numbers = [_sentence(one) for one in self.comparisons if one.verdict == verdict]
        return numbers + [
            f"{claim.statement} {claim.evidence}. Refuted by {claim.refuted_by}."
            for claim in self.claims
            if claim.verdict == verdict
        ]

    def comparison_table(self) -> str:
        """Ours beside published, as Markdown."""
        rows: list[list[Cell]] = [
            [
                one.quantity,
                one.ours.value,
                f"[{_shown(one.ours.low)}, {_shown(one.ours.high)}]",
                "none published" if one.published is None else f"{one.published.value:g} ± {one.published.margin:.2g}",
                "" if one.published is None else one.published.where,
                one.verdict or "",
            ]
            for one in self.comparisons
        ]
        return markdown_table(["quantity", "ours", "95 % interval", "published", "where", "verdict"], rows)


def markdown_table(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """A table as Markdown writes it, numbers to the right."""
    numeric = [
        bool(rows) and all(isinstance(row[i], (int, float)) or row[i] is None for row in rows)
        for i in range(len(columns))
    ]
    lines = [
        list(columns),
        ["---:" if right else "---" for right in numeric],
        *([_shown(x) for x in row] for row in rows),
    ]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _sentence(one: Comparison) -> str:
    published: Any = one.published
    return (
        f"{one.quantity}: {_shown(one.ours.value)} [{_shown(one.ours.low)}, {_shown(one.ours.high)}],"
        f" published {_shown(published.value)} ({published.where}), margin {published.margin:.2g}."
    )


def _shown(value: Cell) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4g}" if math.isfinite(value) else "∞" if value > 0 else "−∞" if value < 0 else "?"
    return str(value).replace("|", "\\|").replace("\n", " ")
