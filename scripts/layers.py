"""Checks that the includes of the C++ core point one way: ``base <- games <- search``, ``base, games <- a domain``.

A folder may include itself and what ``LAYERS`` names; ``bind``, ``tests`` and ``bench`` may include everything. Python
and nanobind stay in ``bind``. The Python half of the layers is import-linter's (``pyproject.toml``). It reads include
lines and nothing else: no preprocessor, so an include inside ``#if`` counts too.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

CORE = Path(__file__).resolve().parent.parent / "core"

# Folder -> the folders below it. A new folder is one line here and one in core/CMakeLists.txt.
LAYERS: dict[str, set[str]] = {
    "base": set(),
    "games": {"base"},
    "search": {"base", "games"},
    "go": {"base", "games"},
    "packing": {"base", "games"},
    "genetics": {"base", "games"},
}
SEES_ALL = {"bind", "tests", "bench"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
PYTHON = re.compile(r"^(Python\.h$|nanobind/)")


def problems(file: Path) -> Iterator[str]:
    """Yield one sentence per include of ``file`` that breaks a rule."""
    layer = file.relative_to(CORE).parts[0]
    if layer not in LAYERS and layer not in SEES_ALL:
        yield f"the folder {layer}/ has no place in the layers: add it to scripts/layers.py"
        return
    text = file.read_text(encoding="utf-8")
    for match in INCLUDE.finditer(text):
        problem = problem_of(layer, match[1], match[2])
        if problem:
            line = text.count("\n", 0, match.start(2)) + 1
            yield f"line {line}: {problem}"


def problem_of(layer: str, delimiter: str, target: str) -> str | None:
    if delimiter == "<":
        if layer != "bind" and PYTHON.match(target):
            return f"<{target}>: only bind/ knows Python"
        return None
    if not (CORE / target).is_file():
        return f'"{target}" is not a file below core/: write includes from there'
    folder = Path(target).parts[0]
    if layer in SEES_ALL or folder == layer or folder in LAYERS[layer]:
        return None
    allowed = ", ".join(sorted({layer, *LAYERS[layer]}))
    return f'"{target}": {layer}/ may include {allowed} and not {folder}/'


def main() -> int:
    files = sorted(path for path in CORE.rglob("*") if path.suffix in {".hpp", ".cpp"})
    found = [f"core/{file.relative_to(CORE)}: {problem}" for file in files for problem in problems(file)]
    print("\n".join(found) or f"{len(files)} files, every include points down")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
