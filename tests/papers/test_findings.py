"""Verdicts: ours beside published."""

from __future__ import annotations

import math

import pytest

from tesuji.papers.findings import Claim, Comparison, Findings, Published, markdown_table


@pytest.mark.parametrize(
    ("published", "verdict"),
    [
        (Published(value=0.55, where="t"), "agrees"),
        (Published(value=0.61, where="t"), "differs"),
        (Published(value=0.61, low=0.59, high=0.63, where="t"), "agrees"),
        (Published(value=0.39, low=0.37, high=0.3999, where="t"), "differs"),
        (None, "none published"),
    ],
)
def test_comparison__agrees_when_the_intervals_meet(published: Published | None, verdict: str) -> None:
    assert Comparison(quantity="rate", ours=0.5, low=0.4, high=0.6, published=published).verdict == verdict


def test_findings__sorts_what_agrees_from_what_does_not() -> None:
    findings = Findings(
        columns=["a"],
        rows=[[1]],
        comparisons=[
            Comparison(quantity="p", ours=0.5, low=0.4, high=0.6, published=Published(value=0.5, where="table 1")),
            Comparison(quantity="q", ours=0.5, low=0.4, high=0.6, published=Published(value=0.9, where="table 2")),
            Comparison(quantity="r", ours=0.5, low=0.4, high=0.6),
        ],
        claims=[
            Claim(statement="A beats B.", verdict="holds", evidence="60 of 100."),
            Claim(statement="B beats C.", verdict="fails", evidence="20 of 100."),
            Claim(statement="C beats D.", verdict="open", evidence="51 of 100."),
        ],
    )
    assert findings.agreeing() == ["p: 0.5 [0.4, 0.6], published 0.5 (table 1).", "A beats B. 60 of 100."]
    assert findings.differing() == ["q: 0.5 [0.4, 0.6], published 0.9 (table 2).", "B beats C. 20 of 100."]
    assert findings.undecided() == ["C beats D. 51 of 100."]
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
