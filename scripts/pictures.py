"""Makes the pictures of docs/gallery.md from the code above them: ``scripts/pictures [--all | --check]``.

A block of Python followed by a picture is run, and what its last line shows in a notebook is written as that file.
Blocks after ``<!-- slow -->`` are run with ``--all`` only. ``--check`` writes nothing, and fails if a file is not what
its code gives, byte for byte. ``--all`` also runs examples/tour.ipynb again.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent))
import notebook

ROOT = Path(__file__).parent.parent
GALLERY = ROOT / "docs" / "gallery.md"
_PAIR = re.compile(
    r"^(?P<slow><!-- slow -->\n)?^```python\n(?P<code>.*?)^```\n+!\[[^\]]*\]\((?P<path>[^)]+\.svg)\)", re.M | re.S
)


class Picture(NamedTuple):
    """A picture of the gallery: its file, its code, whether that takes minutes."""

    path: Path
    code: str
    is_slow: bool


def pictures(page: str) -> list[Picture]:
    """The pictures of a page, in order."""
    return [
        Picture(GALLERY.parent / found["path"], found["code"], bool(found["slow"])) for found in _PAIR.finditer(page)
    ]


def drawn(picture: Picture) -> str:
    """Run its code; the SVG that the last line shows.

    Raises
    ------
    ValueError
        If that line shows none.
    """
    cell = {"cell_type": "code", "source": [picture.code], "outputs": [], "metadata": {}}
    outputs = notebook.run({"cells": [cell]})["cells"][0]["outputs"]
    data = outputs[-1].get("data", {}) if outputs else {}
    if "image/svg+xml" not in data:
        raise ValueError(f"the code of {picture.path.name} ends with nothing that is a picture")
    return "".join(data["image/svg+xml"]).rstrip() + "\n"


def main(options: list[str]) -> int:
    """Make or check the pictures; how many are not what they should be."""
    if unknown := [option for option in options if option not in ("--all", "--check")]:
        print(f"pictures: '{unknown[0]}' is not an option; --all and --check are", file=sys.stderr)
        return 2
    stale = 0
    for picture in pictures(GALLERY.read_text(encoding="utf-8")):
        if picture.is_slow and "--all" not in options:
            continue
        text, name = drawn(picture), picture.path.relative_to(ROOT)
        is_same = picture.path.exists() and picture.path.read_text(encoding="utf-8") == text
        if "--check" in options:
            stale += not is_same
            print(f"{name}: {'as its code gives it' if is_same else 'STALE: run scripts/pictures'}")
        elif not is_same:
            picture.path.parent.mkdir(parents=True, exist_ok=True)
            picture.path.write_text(text, encoding="utf-8")
            print(f"{name}: written")
    if "--all" in options and "--check" not in options:
        notebook.main([str(ROOT / "examples" / "tour.ipynb")])
    return int(stale > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
