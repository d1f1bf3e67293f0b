"""What every stored result carries: enough to run it again, and nothing about whose machine it ran on.

`collect` looks at the package, the checkout, the interpreter and the processor. It leaves out host names, user names
and directories: results are meant to be published. It stores nothing itself; the writer of a result does.
"""

from __future__ import annotations

import platform
import subprocess
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path, PurePath
from typing import Any

import msgspec

from tesuji import __version__

__all__ = ["Provenance", "collect"]

_COMMAND_TIMEOUT_S = 5.0


class Provenance(msgspec.Struct, frozen=True, kw_only=True):
    """Where a result comes from."""

    version: str
    """Of the package, for instance ``0.1.0``."""
    commit: str | None
    """Git commit of the checkout, ``+`` appended when files differ from it; None for an installed wheel."""
    python: str
    """Implementation and version, for instance ``CPython 3.11.7``."""
    platform: str
    """Operating system and architecture, for instance ``Linux x86_64``."""
    cpu: str
    """Name of the processor, as it calls itself."""
    date: str
    """When the result was made: UTC, ISO 8601, to the second."""
    seed: int | None
    """The seed of everything random in it; None when nothing is."""
    config: dict[str, Any]
    """The settings, as plain values; paths are cut to their last part."""
    wall_time_s: float | None = None
    """Seconds on the clock, when measured."""
    cpu_time_s: float | None = None
    """Seconds of all processors together, when measured."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain dictionaries, lists, strings and numbers, ready for JSON."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain


def collect(
    *,
    seed: int | None,
    config: Mapping[str, Any] | msgspec.Struct | None = None,
    wall_time_s: float | None = None,
    cpu_time_s: float | None = None,
    made_at: float | None = None,
) -> Provenance:
    """Return the provenance of a result.

    Parameters
    ----------
    seed
        The seed that was used: never None for something random; a drawn seed is recorded too.
    config
        The settings: a mapping or one of the config structs.
    wall_time_s, cpu_time_s
        How long it took, if that was measured.
    made_at
        When the result was made, in seconds as `time.time` counts them; now, if not given.
    """
    settings = (
        msgspec.to_builtins(config, enc_hook=_plain) if isinstance(config, msgspec.Struct) else dict(config or {})
    )
    return Provenance(
        version=__version__,
        commit=_commit(_checkout()),
        python=_python(),
        platform=_platform(),
        cpu=_cpu_name(),
        date=datetime.fromtimestamp(time.time() if made_at is None else made_at, UTC).isoformat(timespec="seconds"),
        seed=seed,
        config={str(name): _without_directories(value) for name, value in settings.items()},
        wall_time_s=wall_time_s,
        cpu_time_s=cpu_time_s,
    )


def _plain(value: object) -> Any:
    return str(value)


def _without_directories(value: Any) -> Any:
    """Return `value` with every path in it cut to its last part."""
    if isinstance(value, PurePath):
        return value.name
    if isinstance(value, str):
        return PurePath(value).name if value.startswith(("/", "~", "\\\\")) or value[1:3] == ":\\" else value
    if isinstance(value, Mapping):
        return {str(name): _without_directories(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_directories(item) for item in value]
    if value is None or isinstance(value, (bool, int, float)):
        return value
    return _without_directories(msgspec.to_builtins(value, enc_hook=_plain))


@cache
def _python() -> str:
    return f"{platform.python_implementation()} {platform.python_version()}"


@cache
def _platform() -> str:
    return f"{platform.system()} {platform.machine()}"


@cache
def _checkout() -> Path | None:
    """Return the root of the checkout this module runs from, None when it is an installed copy."""
    root = Path(__file__).resolve().parents[2]
    return root if (root / ".git").exists() and (root / "pyproject.toml").is_file() else None


@cache
def _commit(root: Path | None) -> str | None:
    if root is None:
        return None
    commit = _git(root, "rev-parse", "HEAD")
    if not commit:
        return None
    changed = _git(root, "status", "--porcelain", "--untracked-files=no")
    return commit + "+" if changed or changed is None else commit


def _git(root: Path, *arguments: str) -> str | None:
    return _output_of("git", "-C", str(root), *arguments)


def _output_of(*command: str) -> str | None:
    """Return what a command prints, None when it is missing, slow or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_COMMAND_TIMEOUT_S, check=False)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


@cache
def _cpu_name() -> str:
    name = None
    if sys.platform.startswith("linux"):
        name = _cpu_name_linux()
    elif sys.platform == "darwin":
        name = _output_of("sysctl", "-n", "machdep.cpu.brand_string")
    return name or platform.processor() or platform.machine() or "unknown"


def _cpu_name_linux() -> str | None:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    names = (line.partition(":")[2].strip() for line in lines if line.startswith(("model name", "Model")))
    return next((name for name in names if name), None)
