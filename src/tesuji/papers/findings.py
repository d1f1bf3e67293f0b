"""What an experiment found, beside what was published: values, verdicts, and their Markdown.

A comparison sets a number of ours with its interval beside a published one. A claim is a sentence of the paper (or of
ours, said so) that the data support, contradict or leave open. The verdict on a comparison is computed, never written.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import msgspec

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
    low, high : float or None
        Its interval, or its tolerance; None: the number alone.
    where : str
        The place: "Pividori 2015, table 2, row 3".
    """

    value: float
    low: float | None = None
    high: float | None = None
    where: str


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """A number of ours beside a published one.

    Attributes
    ----------
    quantity : str
        What is measured, with its unit.
    ours, low, high : float
        The estimate and its interval.
    published : Published or None
        None: nobody published it.
    """

    quantity: str
    ours: float
    low: float
    high: float
    published: Published | None = None

    @property
    def verdict(self) -> Literal["agrees", "differs", "none published"]:
        """Whether the two intervals meet; a published number alone is an interval of one point."""
        if self.published is None:
            return "none published"
        low = self.published.value if self.published.low is None else self.published.low
        high = self.published.value if self.published.high is None else self.published.high
        return "agrees" if low <= self.high and self.low <= high else "differs"


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """A statement and what the data say about it.

    Attributes
    ----------
    statement : str
        One sentence.
    verdict : {"holds", "fails", "open"}
        Open: the data do not tell.
    evidence : str
        The numbers behind the verdict.
    """

    statement: str
    verdict: Literal["holds", "fails", "open"]
    evidence: str


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

    def agreeing(self) -> list[str]:
        """What agrees with the paper, a sentence each."""
        numbers = [_sentence(one) for one in self.comparisons if one.verdict == "agrees"]
        return numbers + [f"{claim.statement} {claim.evidence}" for claim in self.claims if claim.verdict == "holds"]

    def differing(self) -> list[str]:
        """What does not agree."""
        numbers = [_sentence(one) for one in self.comparisons if one.verdict == "differs"]
        return numbers + [f"{claim.statement} {claim.evidence}" for claim in self.claims if claim.verdict == "fails"]

    def undecided(self) -> list[str]:
        """What the data leave open."""
        return [f"{claim.statement} {claim.evidence}" for claim in self.claims if claim.verdict == "open"]

    def comparison_table(self) -> str:
        """Ours beside published, as Markdown."""
        rows = [
            [
                one.quantity,
                one.ours,
                f"[{_shown(one.low)}, {_shown(one.high)}]",
                "none published" if one.published is None else one.published.value,
                "" if one.published is None else one.published.where,
                one.verdict if one.published else "",
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
        f"{one.quantity}: {_shown(one.ours)} [{_shown(one.low)}, {_shown(one.high)}],"
        f" published {_shown(published.value)} ({published.where})."
    )


def _shown(value: Cell) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4g}" if math.isfinite(value) else "∞" if value > 0 else "−∞" if value < 0 else "?"
    return str(value).replace("|", "\\|").replace("\n", " ")
