"""A release is a tag: the version comes from it, and `scripts/wheels --check-tag` says what is missing."""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]


def settings() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def git(place: Path, *words: str) -> None:
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *words], cwd=place, check=True)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with what decides the version, one commit, and no tag."""
    (tmp_path / "scripts").mkdir()
    (tmp_path / "src/tesuji").mkdir(parents=True)
    for name in ("scripts/wheels", "pyproject.toml", ".gitignore"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## Unreleased\n\n## 0.3.0, 2027-01-15\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "first")
    return tmp_path


def check_tag(checkout: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["scripts/wheels", "--check-tag"], cwd=checkout, capture_output=True, text=True, check=False)


def test_check_tag__says_what_is_missing(checkout: Path) -> None:
    assert "HEAD has no tag such as v0.2.0" in check_tag(checkout).stderr
    git(checkout, "tag", "v0.2.9")
    assert "CHANGELOG.md has no section '## 0.2.9, DATE'" in check_tag(checkout).stderr
    git(checkout, "tag", "-d", "v0.2.9")
    git(checkout, "tag", "v0.3.0")
    (checkout / "CHANGELOG.md").write_text("## 0.3.0, 2027-01-16\n")
    assert "not committed" in check_tag(checkout).stderr


def test_check_tag__of_a_tagged_commit_agrees(checkout: Path) -> None:
    git(checkout, "tag", "v0.3.0")
    done = check_tag(checkout)
    assert (done.returncode, done.stdout) == (0, "v0.3.0: the tag, the tree and CHANGELOG.md agree\n")


@pytest.mark.parametrize(
    ("tag", "commits", "version"),
    [("v0.3.0", 0, "0.3.0"), ("v0.3.0rc1", 0, "0.3.0rc1"), ("v0.3.0", 1, "0.3.1.dev1+g"), (None, 0, "0.1.dev1+g")],
)
def test_version__is_the_tag_or_counts_from_it(checkout: Path, tag: str | None, commits: int, version: str) -> None:
    scm = pytest.importorskip("setuptools_scm", reason="setuptools-scm builds the package and is not installed")
    if tag:
        git(checkout, "tag", tag)
    for _ in range(commits):
        git(checkout, "commit", "-q", "--allow-empty", "-m", "more")
    found = scm._get_version(
        scm.Configuration.from_file(str(checkout / "pyproject.toml")), force_write_version_files=True
    )
    assert found.startswith(version)
    assert "+" in version or found == version
    written: dict[str, str] = {}
    exec((checkout / "src/tesuji/_version.py").read_text(), written)
    assert written["__version__"] == found
    assert subprocess.run(["git", "status", "--porcelain"], cwd=checkout, capture_output=True, check=True).stdout == b""


def test_version__sources_without_git_have_one(checkout: Path) -> None:
    scm = pytest.importorskip("setuptools_scm", reason="setuptools-scm builds the package and is not installed")
    shutil.rmtree(checkout / ".git")
    assert scm._get_version(scm.Configuration.from_file(str(checkout / "pyproject.toml"))) == "0.1.dev0"
    (checkout / "PKG-INFO").write_text("Metadata-Version: 2.2\nName: tesuji\nVersion: 0.3.0\n")  # as in an sdist
    assert scm._get_version(scm.Configuration.from_file(str(checkout / "pyproject.toml"))) == "0.3.0"


def test_wheels__every_system_has_its_line() -> None:
    wheels = settings()["tool"]["cibuildwheel"]
    assert set(wheels["linux"]["archs"]) == {"x86_64", "aarch64"}
    assert {"manylinux-aarch64-image", "musllinux-x86_64-image", "musllinux-aarch64-image"} <= set(wheels["linux"])
    assert set(wheels["macos"]["archs"]) == {"x86_64", "arm64"}
    assert "AMD64" in wheels["windows"]["archs"]
    assert "bench/signature.txt" in wheels["test-command"]
