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


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """A checkout whose script has the steps of a toy: one passes, one fails, one is left out."""
    text = SCRIPT.read_text()
    steps = re.search(r"^step .*^step [^\n]*$", text, re.M | re.S)
    assert steps
    toy = 'step "good" echo fine\nstep "bad" false\nstep "other" echo never'
    text = text.replace(steps[0], toy).replace("scripts/setup check\n", "")
    (tmp_path / "scripts").mkdir()
    (tmp_path / "docs" / "results").mkdir(parents=True)
    (tmp_path / "scripts" / "nightly").write_text(text)
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    commit(tmp_path)
    return tmp_path


def commit(checkout: Path) -> str:
    identity = ["-c", "user.name=a", "-c", "user.email=a@b.example"]
    subprocess.run(["git", "-C", str(checkout), *identity, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    named = ["git", "-C", str(checkout), "rev-parse", "--short=12", "HEAD"]
    return subprocess.run(named, capture_output=True, text=True, check=True).stdout.strip()


def nightly(checkout: Path, *arguments: str) -> tuple[int, list[list[str]]]:
    """The exit code, and the rows of the page without the heading."""
    command = ["bash", str(checkout / "scripts" / "nightly"), *arguments]
    code = subprocess.run(command, capture_output=True, text=True, check=False).returncode
    lines = (checkout / "docs/results/nightly.md").read_text().splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("| ")]
    return code, rows[1:]


def test_nightly__a_page_names_every_step_run_or_not(toy: Path) -> None:
    code, rows = nightly(toy, "--only", "good|bad")
    assert code == 1
    assert [row[:2] for row in rows] == [["good", "passed"], ["bad", "FAILED"], ["other", "not run"]]
    assert rows[0][-1] == "fine"


def test_nightly__a_run_in_parts_keeps_the_rows_of_the_other_parts(toy: Path) -> None:
    first = commit(toy)
    nightly(toy, "--only", "good|bad")
    second = commit(toy)
    code, rows = nightly(toy, "--only", "other")
    assert code == 0
    assert [(row[0], row[1], row[3]) for row in rows] == [
        ("good", "passed", first),
        ("bad", "FAILED", first),
        ("other", "passed", second),
    ]
