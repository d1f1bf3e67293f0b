"""Published tables and figures, run again: what there is, what it is, run it, report it.

>>> from tesuji import papers
>>> papers.list_entries()[0].name
'gnugo/levels'

`harness.py` runs an experiment, `registry.py` knows them, `findings.py` says what agrees with the papers.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from tesuji.experiments.run.workers import Workers
    from tesuji.papers.harness import About

__all__ = ["describe", "list_entries", "report", "run"]


def list_entries() -> list[About]:
    """What experiments there are."""
    from tesuji.papers import registry

    return [registry.experiment(name).about for name in registry.names()]


def describe(name: str) -> str:
    """An experiment in a few paragraphs of Markdown.

    Raises
    ------
    ValueError
        For an unknown name.
    """
    from tesuji.papers import registry

    about = registry.experiment(name).about
    parts = [f"# {about.name}: {about.title}", about.question, f"Source: {about.source}", about.method]
    return "\n\n".join([*parts, f"Cost at scale 1: {about.cost}"] if about.cost else parts) + "\n"


def run(
    name: str,
    *,
    out: Path | str,
    scale: float = 1.0,
    seed: int = 1,
    options: Mapping[str, str] | None = None,
    workers: Workers | None = None,
    console: Console | None = None,
) -> Path:
    """Run an experiment, or what is left of it; see `harness.run_experiment`.

    Returns
    -------
    Path
        The report, ``report.md`` in the folder.
    """
    from tesuji.papers import registry
    from tesuji.papers.harness import run_experiment

    experiment = registry.experiment(name)
    return run_experiment(
        experiment, scale=scale, seed=seed, out=Path(out), options=options, workers=workers, console=console
    )


def report(out: Path | str) -> Path:
    """Write the report of a folder again, from what is stored there; a run may be incomplete.

    Raises
    ------
    ValueError
        If the folder holds no results.
    """
    from tesuji.papers import registry
    from tesuji.papers.harness import experiment_of, write_findings

    return write_findings(registry.experiment(experiment_of(Path(out))), Path(out))
