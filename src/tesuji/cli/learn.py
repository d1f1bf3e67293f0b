"""The commands ``learn``: players that learn from games.

Words to calls; a file per command: each is added to the group in `tesuji.cli`.
"""

from __future__ import annotations

import click

from tesuji.cli.command import QuietGroup

__all__ = ["learn"]


@click.group(
    cls=QuietGroup,
    invoke_without_command=True,
    short_help="Let a player learn from games.",
)
@click.pass_context
def learn(ctx: click.Context) -> None:
    """Let a player learn from games, and keep what it has learnt in a file.

    Ctrl-C loses nothing: the same command goes on.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
