"""The command ``analysis``: the Go engine behind KataGo's JSON analysis protocol.

Words to calls; what it does is in `tesuji.go.analysis`.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from tesuji.cli import completion
from tesuji.cli.parameters import WithParameters, configured

__all__ = ["analysis"]

_PERSPECTIVES = {"black": "BLACK", "white": "WHITE", "side-to-move": "SIDETOMOVE"}
_HELP = {
    "simulations": "Simulations per position, where a query has no maxVisits.",
    "seconds": "Seconds per position, if that ends earlier.",
    "threads": "Positions analysed at a time, each by one thread.",
    "memory_mb": "Most memory for each search, in MiB.",
}
_OF_PLAY = ("ponders", "resign_below", "dynamic_komi", "lag_s", "keeps_graph")


_KATAGO_OPTIONS = ("-config", "-model", "-human-model", "-override-config", "-override-version")


def _ignored(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> None:
    """Say that KataGo's options mean nothing here."""
    if values:
        click.echo(f"tesuji: {', '.join(values)}: files and settings of KataGo are not used here", err=True)


class _WithAnalysisParameters(WithParameters):
    """The parameters of the engine, in the words of an analysis."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The same options; those that only matter in play are not shown."""
        params = super().get_params(ctx)
        for param in params:
            if isinstance(param, click.Option) and param.name is not None:
                param.help = _HELP.get(param.name, param.help)
                param.hidden = param.hidden or param.name in _OF_PLAY
        return params


@click.command(
    cls=_WithAnalysisParameters,
    short_help="Analyse positions for other programs (KataGo's JSON protocol).",
    examples=[
        ("tesuji analysis --threads 2", "enter this as KaTrain's engine command"),
        ("tesuji analysis --simulations 2000 < queries.json > answers.json", "a file of queries, one a line"),
        ("tesuji analysis --perspective side-to-move", "win rates of whoever moves"),
    ],
)
@click.option(
    "--perspective",
    default="black",
    show_default=True,
    type=click.Choice(list(_PERSPECTIVES)),
    metavar="NAME",
    help=f"Whose win rates and scores: {', '.join(_PERSPECTIVES)}.",
)
@click.option(
    "--quit-without-waiting",
    "-quit-without-waiting",
    is_flag=True,
    help="At the end of the input, drop what is still queued.",
)
@click.option(
    "--preset",
    metavar="NAME",
    shell_complete=completion.presets,
    show_default="network where onnxruntime is installed, else default",
    help="How it thinks: default, fast, network, human (as people play), uct, uct-rave, uct-rave-knowledge, base to "
    "james-group-no-man (groups).",
)
@click.option(
    "--config",
    "config_file",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Parameters from a TOML file, as tesuji gtp --show-config prints it.",
)
@click.option(
    *_KATAGO_OPTIONS, "katago", metavar="X", multiple=True, expose_value=False, callback=_ignored,
    help="KataGo's, so that clients written for it run unchanged: taken, and not used.",
)  # fmt: skip
def analysis(
    perspective: str, quit_without_waiting: bool, preset: str | None, config_file: Path | None, **parameters: str | None
) -> None:
    """Analyse positions: a query of JSON a line on stdin, answers on stdout.

    This is the protocol of KataGo's analysis engine, which KaTrain and other tools speak. Positions are analysed by
    priority, several at a time, and the answers say which query and turn they belong to. At the end of the input the
    queue is finished first.
    """
    import msgspec

    from tesuji import __version__
    from tesuji.go import Engine
    from tesuji.go.analysis import AnalysisServer, Settings
    from tesuji.provenance import collect

    config = configured(preset, config_file, parameters)
    count = config.search.threads
    config = msgspec.structs.replace(config, search=msgspec.structs.replace(config.search, threads=1))
    server = AnalysisServer(
        [Engine(config) for _ in range(count)],
        Settings.of(config, _PERSPECTIVES[perspective]),  # type: ignore[arg-type]  # click.Choice has checked it
        version=__version__,
        commit=collect(seed=None).commit or "<omitted>",
    )
    with _sigterm_as_exit():
        click.echo(f"Tesuji {__version__}, {count} at a time. Started, ready to begin handling requests", err=True)
        server.run(_raw(sys.stdin), _raw(sys.stdout), waits=not quit_without_waiting)


@contextlib.contextmanager
def _sigterm_as_exit() -> Iterator[None]:
    """Let SIGTERM end the program as Ctrl-C does, with the exit code of a shell; only the main thread can."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _raw(stream: Any) -> Any:
    """The stream of bytes below a text stream, without a buffer where it has one."""
    return getattr(stream.buffer, "raw", stream.buffer)
