"""``tesuji gtp --game``: the options of that command for the games that are not Go.

Of the engine's parameters a search of another game has those of the search, its limits and its seed; whatever else is
given is refused by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    from tesuji.gtp.game import Brain

__all__ = ["brain_for", "refuse_go_options"]

_OF_THE_PLAYER = ("simulations", "seconds", "seed")
_GO_OPTIONS = (
    "komi",
    "rules",
    "config_file",
    "player_file",
    "verbose",
    "live_graphics",
    "show_config",
    "help_parameters",
)


def refuse_go_options(game: str) -> None:
    """Refuse the command's own options that belong to Go."""
    ctx = click.get_current_context()
    for option in ctx.command.get_params(ctx):
        if option.name in _GO_OPTIONS and ctx.get_parameter_source(option.name) is not ParameterSource.DEFAULT:
            raise click.BadParameter(f"it is for go; leave it out for {game}", ctx, param_hint=option.opts[0])


def brain_for(game: str, preset: str | None, options: Mapping[str, str | None]) -> Brain:
    """How the search plays a game: a preset, changed by options.

    Parameters
    ----------
    game : str
        Of `tesuji.games.NATIVE_GAMES`.
    preset : str or None
        Of the game.
    options : mapping of str to str or None
        The engine's parameters as they were typed; None: not given.

    Raises
    ------
    click.BadParameter
        If an option has a wrong value, or belongs to Go.
    ValueError
        If the preset does not exist.
    """
    from tesuji.go.engine.parameters import ENGINE_PARAMETERS
    from tesuji.go.engine.resolve import resolve
    from tesuji.gtp.game import Brain
    from tesuji.search import SearchConfig
    from tesuji.search.parameters import ParameterError

    given = {name: text for name, text in options.items() if text is not None}
    try:
        values = {name: ENGINE_PARAMETERS[name].parsed(text) for name, text in given.items()}
        of_search = {name: value for name, value in values.items() if name not in _OF_THE_PLAYER}
        config = resolve(game, preset, of_search)
        assert isinstance(config, SearchConfig)
        limits: dict[str, Any] = {name: values[name] for name in _OF_THE_PLAYER if values.get(name, "none") != "none"}
        return Brain(config=config, **limits)
    except ParameterError as error:
        option = f"--{error.name.replace('_', '-')}"
        raise click.BadParameter(str(error), click.get_current_context(silent=True), param_hint=option) from error
