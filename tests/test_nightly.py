"""The nightly run: its options, and that a part of it says what it left out. The run itself is far too long here."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / "scripts" / "nightly"

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")


def test_nightly__refuses_what_it_does_not_know() -> None:
    done = subprocess.run(["bash", str(SCRIPT), "--hours", "1"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "nightly: '--hours' is not an option; --minutes and --only are\n"


def test_nightly__a_page_names_every_step_run_or_not(tmp_path: Path) -> None:
    """The script with the steps of a toy: one passes, one fails, one is left out."""
    text = SCRIPT.read_text()
    steps = re.search(r"^step .*^step [^\n]*$", text, re.M | re.S)
    assert steps
    toy = 'step "good" echo fine\nstep "bad" false\nstep "other" echo never'
    text = text.replace(steps[0], toy).replace("scripts/setup check\n", "")
    (tmp_path / "scripts").mkdir()
    (tmp_path / "docs" / "results").mkdir(parents=True)
    (tmp_path / "scripts" / "nightly").write_text(text)
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    identity = ["-c", "user.name=a", "-c", "user.email=a@b.example"]
    subprocess.run(["git", "-C", str(tmp_path), *identity, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    done = subprocess.run(
        ["bash", str(tmp_path / "scripts" / "nightly"), "--only", "good|bad"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    rows = [line for line in (tmp_path / "docs/results/nightly.md").read_text().splitlines() if line.startswith("| ")]
    assert [row.split("|")[1:3] for row in rows[1:]] == [
        [" good ", " passed "],
        [" bad ", " FAILED "],
        [" other ", " not run "],
    ]
    assert rows[1].endswith(" fine |")
