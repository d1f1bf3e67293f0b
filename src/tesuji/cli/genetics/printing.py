"""How the commands of ``tesuji genetics`` show numbers and progress."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import click

from tesuji.cli.live import LiveLine

__all__ = ["print_columns", "print_json", "reading", "say"]


def say(text: str) -> None:
    """Tell on stderr."""
    click.echo(text, err=True)


def reading(line: LiveLine) -> Callable[[int, int | None], None]:
    """Show how many SNPs are read, once that takes longer than a second."""
    started = time.monotonic()

    def show(done: int, total: int | None) -> None:
        if time.monotonic() - started > 1:
            line.show(f"read {done:,} SNPs" + (f" of {total:,}" if total else ""))

    return show


def print_columns(lines: list[list[str]]) -> None:
    """A table, its columns flush right."""
    widths = [max(len(row[i]) for row in lines) for i in range(len(lines[0]))]
    for row in lines:
        click.echo("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def print_json(value: Any) -> None:
    """One object, indented."""
    import msgspec

    click.echo(msgspec.json.format(msgspec.json.encode(value)).decode())
