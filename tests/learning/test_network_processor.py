"""Which processors run networks in int8."""

from __future__ import annotations

import platform
import sys
from pathlib import Path

import pytest

from tesuji.learning.network import processor
from tesuji.learning.network.processor import multiplies_bytes


@pytest.mark.parametrize(
    ("cpuinfo", "does"),
    [
        ("model name\t: some\nflags\t\t: fpu avx2 avx512f avx512_vnni\n", True),
        ("flags\t\t: fpu avx2 avx_vnni\n", True),
        ("Features\t: fp asimd asimddp\n", True),
        ("flags\t\t: fpu avx2 avx512f\nmodel name\t: avx_vnni\n", False),
        ("Features\t: fp asimd asimddp\n\nFeatures\t: fp asimd\n", False),  # two kinds of cores
        ("flags\t\t: fpu avx512_vnni_not\n", False),
        ("", False),
    ],
)
def test_multiplies_bytes__is_read_from_linux(
    cpuinfo: str, does: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    (tmp_path / "cpuinfo").write_text(cpuinfo)
    monkeypatch.setattr(processor, "Path", lambda _: tmp_path / "cpuinfo")
    assert multiplies_bytes.__wrapped__() is does


def test_multiplies_bytes__is_no_where_the_system_does_not_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(processor, "Path", lambda _: Path("no such file"))
    assert multiplies_bytes.__wrapped__() is False


@pytest.mark.parametrize(("machine", "does"), [("arm64", True), ("x86_64", False)])
def test_multiplies_bytes__on_a_mac_it_is_the_machine(
    machine: str, does: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(platform, "machine", lambda: machine)
    assert multiplies_bytes.__wrapped__() is does
