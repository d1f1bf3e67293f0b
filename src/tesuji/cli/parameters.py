"""The parameters of the Go engine as options: one for each entry of `tesuji.go.engine.parameters`, made when needed.

``--help`` shows the few that people ask for; the rest are there all the same and listed by `parameter_table`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tesuji.cli.command import WithExamples

if TYPE_CHECKING:
    from tesuji.go.engine import EngineConfig

__all__ = ["WithParameters", "configured", "parameter_table"]

_SHOWN = {
    "simulations": "Simulations per move. More is stronger and slower.",
    "seconds": "Seconds per move, if that ends earlier.",
    "seed": "Same seed and simulations, same moves.",
    "threads": "Threads of the search.",
    "memory_mb": "Most memory for the search, in MiB.",
    "ponders": "Think in the opponent's time (true or false).",
    "resign_below": "Resign below this win rate, 0..1; 0: never.",
    "dynamic_komi": "In handicap games: off, linear, adaptive.",
    "lag_s": "Seconds of the clock kept against delays.",
    "keeps_graph": "Go on from what it knew at the last move.",
    "playouts": "Playout policy: default, fuego, mogo, uniform, ...",
    "exploration": "Exploration of the selection.",
}
"""What ``--help`` shows, in its words: shorter than those of the configs."""


class WithParameters(WithExamples):
    """A command with an option for every parameter of the engine."""

    _generated: list[click.Parameter] | None = None

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Its own options, then the generated ones."""
        if self._generated is None:  # click asks several times
            self._generated = _options()
        return [*self._generated, *super().get_params(ctx)]


def _options() -> list[click.Parameter]:
    from tesuji.go.engine.parameters import ENGINE_PARAMETERS

    metavars = {bool: "true|false", int: "N", float: "X", str: "WORD"}
    names = [*_SHOWN, *(name for name in ENGINE_PARAMETERS if name not in _SHOWN)]
    return [
        click.Option(
            [f"--{name.replace('_', '-')}", name],
            metavar=metavars[ENGINE_PARAMETERS[name].kind],
            hidden=name not in _SHOWN,
            help=_SHOWN.get(name),
        )
        for name in names
    ]


def configured(preset: str | None, config_file: Path | None, options: Mapping[str, str | None]) -> EngineConfig:
    """The config of a command line: a preset, changed by a file, changed by options.

    Without a preset it is that of `tesuji.go.engine.standard`; what is missing for it is said once on stderr.

    Raises
    ------
    click.BadParameter
        If an option has a wrong value.
    ValueError
        If the preset does not exist, or something is wrong with the file.
    """
    from tesuji.go.engine.config_file import read
    from tesuji.go.engine.parameters import ENGINE_PARAMETERS, applied_to_engine
    from tesuji.go.engine.resolve import resolve
    from tesuji.go.engine.standard import standard_config
    from tesuji.search.parameters import ParameterError

    try:
        given = {name: ENGINE_PARAMETERS[name].parsed(text) for name, text in options.items() if text is not None}
        if config_file is not None:
            base = read(config_file, preset, given)
        else:
            base = resolve("go", preset, {}) if preset is not None else standard_config(given, _say)
        return applied_to_engine(given, base)
    except ParameterError as error:
        option = f"--{error.name.replace('_', '-')}"
        raise click.BadParameter(str(error), click.get_current_context(silent=True), param_hint=option) from error


def _say(sentence: str) -> None:
    click.echo(sentence, err=True)


def parameter_table(config: EngineConfig) -> str:
    """Every parameter with its option, value and meaning, by what it is about."""
    from tesuji.go.engine.parameters import ENGINE_PARAMETERS, values_of

    values, group = values_of(config), ""
    lines = ["Every parameter is an option of tesuji gtp, a line of --config and a GTP param."]
    for name, parameter in ENGINE_PARAMETERS.items():
        if parameter.group != group:
            group = parameter.group
            lines += ["", f"{group}:"]
        value = parameter.text(values[name]) if name in values else "-"
        lines.append(f"  --{name.replace('_', '-')} = {value}")
        lines.append(f"      {parameter.meaning}")
        if parameter.choices:
            lines.append(f"      one of {', '.join(parameter.choices)}")
    return "\n".join(lines)
