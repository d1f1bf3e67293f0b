"""What a shell is offered when somebody presses Tab, as click's own scripts ask for it."""

from __future__ import annotations

import pytest
from click.shell_completion import BashComplete

from tesuji.cli import main


@pytest.mark.parametrize(
    ("words", "begun", "offered"),
    [
        ([], "ma", {"masters", "match"}),
        (["play"], "h", {"hex", "havannah"}),
        (["play", "go", "--level"], "c", {"casual", "club"}),
        (["gtp", "--preset"], "uct", {"uct", "uct-rave", "uct-rave-knowledge"}),
        (["analysis", "--preset"], "h", {"human"}),
        (["papers", "describe"], "gnugo", {"gnugo/levels"}),
        (["papers", "run"], "gnugo", {"gnugo/levels"}),
        (["gtp"], "--pres", {"--preset"}),
    ],
)
def test_completion__offers_names_of_the_library(words: list[str], begun: str, offered: set[str]) -> None:
    found = BashComplete(main, {}, "tesuji", "_TESUJI_COMPLETE").get_completions(words, begun)
    assert {item.value for item in found} == offered
