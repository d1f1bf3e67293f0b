"""Checks the arrows that import-linter does not see: the includes of the C++ core, and who uses which part of it.

- C++: ``base <- games <- search``, ``base, games <- a domain``. A folder may include itself and what ``LAYERS`` names;
  ``bind``, ``tests`` and ``bench`` may include everything. Python and nanobind stay in ``bind``.
- Python: a package may import the submodules of ``tesuji._core`` that ``PARTS`` names, and never the whole. So the
  search stays free of Go on this side too.

It reads include lines and import statements and nothing else: no preprocessor, so an include inside ``#if`` counts too.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORE = ROOT / "core"
PACKAGE = ROOT / "src" / "tesuji"

# Folder -> the folders below it. A new folder is one line here and one in core/CMakeLists.txt.
LAYERS: dict[str, set[str]] = {
    "base": set(),
    "games": {"base"},
    "search": {"base", "games"},
    "learning": {"base"},
    "go": {"base", "games", "learning"},
    "packing": {"base", "games"},
    "genetics": {"base", "games"},
}
SEES_ALL = {"bind", "tests", "bench"}

# Package -> the parts of tesuji._core that it may import; others import none. A game makes its own native search, so
# games and domains know the search's part.
PARTS: dict[str, set[str]] = {
    "games": {"games", "search"},
    "search": {"games", "search"},
    "learning": {"learning", "search"},
    "go": {"go", "search"},
    "packing": {"packing", "search"},
    "genetics": {"genetics", "search"},
    "bench": {"games", "search", "go", "packing", "genetics"},  # it measures them
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
PYTHON = re.compile(r"^(Python\.h$|nanobind/)")


def problems_of_includes(file: Path) -> Iterator[str]:
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


def problems_of_imports(text: str, module: tuple[str, ...]) -> Iterator[str]:
    """Yield one sentence per import of a part of the core that a module (its names below tesuji) may not have."""
    package = module[0]
    allowed = PARTS.get(package, set())
    statements = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]
    for node in statements:
        for name in imported_by(node, module):
            if name[:2] != ("tesuji", "_core"):
                continue
            if len(name) == 2:
                yield f"line {node.lineno}: name the part of tesuji._core that is meant: from tesuji._core import ..."
            elif name[2] not in allowed:
                known = f"{package} may import {', '.join(sorted(allowed)) or 'nothing'} of it"
                yield f"line {node.lineno}: tesuji._core.{name[2]}: {known}"


def imported_by(node: ast.Import | ast.ImportFrom, module: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The full names that an import statement binds, each as its parts."""
    if isinstance(node, ast.Import):
        yield from (tuple(alias.name.split(".")) for alias in node.names)
    else:
        above = ("tesuji", *module)[: -node.level] if node.level else ()
        base = above + tuple(node.module.split(".") if node.module else ())
        yield from ((*base, alias.name) for alias in node.names)


def main() -> int:
    headers = sorted(path for path in CORE.rglob("*") if path.suffix in {".hpp", ".cpp"})
    modules = sorted(PACKAGE.rglob("*.py"))
    found = [f"core/{file.relative_to(CORE)}: {problem}" for file in headers for problem in problems_of_includes(file)]
    for file in modules:
        below = file.relative_to(PACKAGE)
        text = file.read_text(encoding="utf-8")
        found += [
            f"src/tesuji/{below}: {problem}" for problem in problems_of_imports(text, below.with_suffix("").parts)
        ]
    print("\n".join(found) or f"{len(headers)} C++ and {len(modules)} Python files, every arrow points down")
    return 1 if found or not headers or not modules else 0


if __name__ == "__main__":
    sys.exit(main())
