"""A match as a program of its own, for tests that kill it: ``python run_match.py spec.toml results.db [address]``."""

from __future__ import annotations

import sys

from rich.console import Console

from tesuji.experiments.run.match import play_match
from tesuji.experiments.run.progress import MatchDisplay
from tesuji.experiments.run.spec import read_spec
from tesuji.experiments.run.workers import DaskWorkers, LocalWorkers

if __name__ == "__main__":
    spec, _ = read_spec(sys.argv[1])
    with (
        DaskWorkers(sys.argv[3]) if len(sys.argv) > 3 else LocalWorkers(2) as workers,
        MatchDisplay(Console(file=sys.stdout, width=200)) as display,
    ):
        play_match(spec, store_path=sys.argv[2], workers=workers, on_progress=display, sgf_dir=sys.argv[2] + ".sgf")
