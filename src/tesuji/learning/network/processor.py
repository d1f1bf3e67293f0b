"""Whether this processor multiplies bytes: what decides between a network in int8 and the same in float32.

x86 has instructions that multiply and add bytes without losing anything (VNNI: ``avx512_vnni``, ``avx_vnni``), ARM has
the dot product (``asimddp``). With them int8 is two to three times as fast as float32 (docs/results/network.md). Where
the system does not say, the answer is no.
"""

from __future__ import annotations

import platform
import sys
from functools import cache
from pathlib import Path

__all__ = ["multiplies_bytes"]

_INSTRUCTIONS = {"avx512_vnni", "avx_vnni", "asimddp"}


@cache
def multiplies_bytes() -> bool:
    """Whether it does; the same answer for as long as the process lives."""
    if sys.platform == "darwin":
        return platform.machine() == "arm64"  # every processor that Apple built into a Mac
    try:
        return _is_in(Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return False


def _is_in(cpuinfo: str) -> bool:
    """Whether Linux lists the instructions, for all cores: some machines have two kinds."""
    lists = [line.partition(":")[2].split() for line in cpuinfo.splitlines() if line.startswith(("flags", "Features"))]
    return bool(lists) and all(_INSTRUCTIONS & set(names) for names in lists)
