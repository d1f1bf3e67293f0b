"""Verdicts: ours beside published."""

from __future__ import annotations

import math

import pytest

from tesuji.papers.findings import Claim, Comparison, Findings, Published, markdown_table
from tesuji.papers.verdicts import Bounds


@pytest.mark.parametrize(
    ("value", "trials", "verdict"),
    [(0.52, 100, "reproduced"), (0.62, 100, "open"), (0.8, 100, "not reproduced"), (0.52, 9, "open"), (0.8, 9, "open")],
)
def test_comparison__is_of_our_interval_and_the_published_margin(value: float, trials: int, verdict: str) -> None:
    published = Published(value=value, margin=0.15, where="t")
    assert Comparison(quantity="rate", ours=Bounds(0.5, 0.4, 0.6, trials), published=published).verdict == verdict


def test_comparison__without_a_published_number_has_no_verdict() -> None:
    assert Comparison(quantity="rate", ours=Bounds(0.5, 0.4, 0.6, 100)).verdict is None


def test_findings__sorts_sentences_by_their_verdict() -> None:
    ours = Bounds(0.5, 0.4, 0.6, 100)
    findings = Findings(
        columns=["a"],
        rows=[[1]],
        comparisons=[
            Comparison(quantity="p", ours=ours, published=Published(value=0.5, margin=0.2, where="table 1")),
            Comparison(quantity="q", ours=ours, published=Published(value=0.9, margin=0.2, where="table 2")),
            Comparison(quantity="r", ours=ours),
        ],
        claims=[
            Claim(statement="A beats B.", verdict="reproduced", evidence="60 of 100", refuted_by="a loss"),
            Claim(statement="B beats C.", verdict="not reproduced", evidence="20 of 100", refuted_by="a loss"),
            Claim(statement="C beats D.", verdict="open", evidence="51 of 100", refuted_by="a loss"),
        ],
    )
    assert findings.sentences("reproduced") == [
        "p: 0.5 [0.4, 0.6], published 0.5 (table 1), margin 0.2.",
        "A beats B. 60 of 100. Refuted by a loss.",
    ]
    assert findings.sentences("not reproduced") == [
        "q: 0.5 [0.4, 0.6], published 0.9 (table 2), margin 0.2.",
        "B beats C. 20 of 100. Refuted by a loss.",
    ]
    assert findings.sentences("open") == ["C beats D. 51 of 100. Refuted by a loss."]
    table = findings.comparison_table().splitlines()
    assert len(table) == 5
    assert "none published" in table[-1]


def test_markdown_table__numbers_stand_right_and_bars_are_escaped() -> None:
    assert markdown_table(["x", "n"], [["a|b", 1], ["c\nd", math.inf]]).splitlines() == [
        "| x | n |",
        "| --- | ---: |",
        "| a\\|b | 1 |",
        "| c d | ∞ |",
    ]
