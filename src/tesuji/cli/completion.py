"""What a shell offers when somebody presses Tab: names that only the library knows, imported when asked for."""

from __future__ import annotations

import click

__all__ = ["levels", "papers", "presets"]


def presets(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The presets of the Go engine."""
    from tesuji.go.engine.presets import ENGINE_PRESETS

    del ctx, param
    return [name for name in ENGINE_PRESETS if name.startswith(incomplete)]


def papers(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The published experiments."""
    from tesuji.papers.registry import names

    del ctx, param
    return [name for name in names() if name.startswith(incomplete)]


def levels(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Opponents from beginner to full strength."""
    from tesuji.search.levels import LEVELS

    del ctx, param
    return [level.name for level in LEVELS if level.name.startswith(incomplete)]
