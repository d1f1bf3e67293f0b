"""The list of experiments, and what the command line calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from tesuji import papers
from tesuji.papers import registry


def test_list_entries__names_and_definitions_agree() -> None:
    assert [about.name for about in papers.list_entries()] == registry.names()
    assert all(about.title and about.question and about.source and about.method for about in papers.list_entries())


@pytest.mark.parametrize("name", registry.names())
def test_experiment__makes_the_same_tasks_again(name: str) -> None:
    experiment = registry.experiment(name)
    assert list(experiment.tasks(0.1, 1)) == list(experiment.tasks(0.1, 1))
    assert list(experiment.tasks(0.1, 1)) != list(experiment.tasks(0.1, 2))


def test_describe__says_what_it_is() -> None:
    text = papers.describe("gnugo/levels")
    assert "none published" in text
    assert "100 games per pairing" in text


@pytest.mark.parametrize(("name", "words"), [("gnugo/level", "did you mean gnugo/levels"), ("xyz", "there are")])
def test_describe__refuses_an_unknown_name_and_helps(name: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        papers.describe(name)


def test_report__refuses_a_folder_without_results(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="holds no experiment"):
        papers.report(tmp_path)
