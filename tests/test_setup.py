"""scripts/setup in a folder of its own: what it must not touch. What it installs is seen by everybody who runs it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_setup__a_link_to_another_checkouts_environment_is_replaced_and_the_other_is_left_alone(tmp_path: Path) -> None:
    other, checkout = tmp_path / "other", tmp_path / "checkout"
    other.mkdir()
    (other / "precious").write_text("theirs")
    (checkout / "scripts").mkdir(parents=True)
    shutil.copy(ROOT / "scripts" / "setup", checkout / "scripts")
    shutil.copy(ROOT / "pyproject.toml", checkout)
    (checkout / ".venv").symlink_to(other, target_is_directory=True)
    python = tmp_path / "python"  # makes environments without pip, so that nothing is installed
    python.write_text(
        f'#!/bin/sh\ncase "$*" in *"-m venv"*) set -- -m venv --without-pip --clear .venv;; esac\n'
        f'exec {sys.executable} "$@"\n'
    )
    python.chmod(0o755)
    done = subprocess.run(
        ["bash", "scripts/setup", "demo"],
        cwd=checkout,
        env={**os.environ, "PYTHON": str(python), "PIP_NO_INDEX": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "making .venv" in done.stderr
    assert done.returncode != 0  # there is no pip
    assert (other / "precious").read_text() == "theirs"
    assert not (checkout / ".venv").is_symlink()
