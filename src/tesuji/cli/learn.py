"""The commands ``learn``: players that learn from games.

Words to calls; a file per command or family of them.
"""

from __future__ import annotations

import click

from tesuji.cli.command import QuietGroup
from tesuji.cli.learn_players import learn_opening, learn_player, learn_show, learn_test

__all__ = ["learn"]


@click.group(
    cls=QuietGroup,
    invoke_without_command=True,
    short_help="Let a player learn from games.",
    examples=[
        ("tesuji learn opening", "a small network learns Go's opening on 9x9"),
        ("tesuji learn player hex --size 7 --features hex_features.py:stones", "any game, your features"),
        ("tesuji learn show my.player", "its learning curve"),
    ],
)
@click.pass_context
def learn(ctx: click.Context) -> None:
    """Let a player learn from games, and keep what it has learnt in a file.

    Ctrl-C loses nothing: the same command goes on.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


for _command in (learn_opening, learn_player, learn_test, learn_show):
    learn.add_command(_command)
