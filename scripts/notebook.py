"""Runs the cells of a notebook in this process and keeps what they show: ``scripts/notebook.py examples/*.ipynb``.

It does what a kernel does for the notebooks of this project: cells one after the other in one namespace, what they
print, and the pictures of a last expression (``_repr_svg_``, ``_repr_html_``, ``_repr_png_``). No kernel, no magic
commands, no widgets. ``scripts/pictures`` writes the outputs back into the file; the tests run it and write nothing.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any

PICTURES = {"image/svg+xml": "_repr_svg_", "text/html": "_repr_html_", "image/png": "_repr_png_"}


def run(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with the outputs of its cells, which are run in order.

    Raises
    ------
    Exception
        Whatever a cell raises; a note names the cell.
    """
    names: dict[str, Any] = {"__name__": "__main__"}
    cells, number = [], 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            cells.append(cell)
            continue
        number += 1
        try:
            outputs = _outputs("".join(cell["source"]), names, number)
        except Exception as error:
            error.add_note(f"cell {number}:\n{''.join(cell['source'])}")
            raise
        cells.append({**cell, "execution_count": number, "outputs": outputs})
    return {**notebook, "cells": cells}


def _outputs(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    tree = ast.parse(source, filename=f"cell {number}")
    last = ast.Expression(tree.body.pop().value) if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"cell {number}", "exec"), names)
        if last is not None and not source.rstrip().endswith(";"):
            value = eval(compile(last, f"cell {number}", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())})
    if value is not None:
        shown = {"data": shown_as(value), "execution_count": number, "metadata": {}, "output_type": "execute_result"}
        outputs.append(shown)
    return outputs


def shown_as(value: Any) -> dict[str, Any]:
    """What a notebook shows of a value, by kind: its text, and its pictures."""
    data: dict[str, Any] = {"text/plain": _lines(repr(value))}
    for kind, method in PICTURES.items():
        make = getattr(type(value), method, None)
        picture = make(value) if make is not None else None
        if picture is not None:
            data[kind] = base64.b64encode(picture).decode() if isinstance(picture, bytes) else _lines(picture)
    return data


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def main(paths: list[str]) -> None:
    """Run notebooks and write their outputs back."""
    for path in map(Path, paths):
        notebook = run(json.loads(path.read_text(encoding="utf-8")))
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
