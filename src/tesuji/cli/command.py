"""What every command of ``tesuji`` shares: help with examples, errors in one line, quiet interruption, exit codes.

Whatever a user can get wrong ends as one line on stderr and exit code 2; a check that fails exits with 1; Ctrl-C exits
with 130. No command is here.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from tesuji.words import GAME_NAMES, meant
from tesuji.writing import STDOUT

__all__ = [
    "CHECK_FAILED",
    "DEBUG",
    "INTERRUPTED",
    "RULE_NAMES",
    "USER_ERROR",
    "GameName",
    "OutFile",
    "QuietGroup",
    "UserError",
    "WithExamples",
]

RULE_NAMES = ("chinese", "japanese", "tromp-taylor", "aga", "new-zealand")
DEBUG = "tesuji.debug"
USER_ERROR, CHECK_FAILED, INTERRUPTED = 2, 1, 130


class GameName(click.ParamType):  # type: ignore[type-arg]  # a generic in new versions only
    """A game of the library, or ``mygame.py:MyGame``."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name, if there is such a game, or it is of a file."""
        name, colon, rest = str(value).partition(":")
        if colon and name in GAME_NAMES:
            return self.fail(f"{name} takes no {rest[:40]!r} behind a colon; its size is --size N", param, ctx)
        if value in GAME_NAMES or colon:
            return str(value)
        near = meant(str(value), GAME_NAMES)
        hint = f"did you mean {near}?" if near else f"choose from {', '.join(GAME_NAMES)}, or write mygame.py:MyGame"
        return self.fail(f"there is no game {str(value)[:40]!r}: {hint}", param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        """The names that begin so."""
        from click.shell_completion import CompletionItem

        del ctx, param
        return [CompletionItem(name) for name in GAME_NAMES if name.startswith(incomplete)]


class OutFile(click.Path):
    """A file to be written; ``-`` is standard output."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path."""
        return STDOUT if value == "-" else super().convert(value, param, ctx)


class UserError(click.ClickException):
    """Something the user can put right; the message says how."""

    exit_code = USER_ERROR


class WithExamples(click.Command):
    """A command whose help ends with examples: what to type, and what for."""

    def __init__(self, *args: Any, examples: Sequence[tuple[str, str]] = (), **extra: Any) -> None:
        super().__init__(*args, **extra)
        self.examples = examples

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, each as it is typed."""
        super().format_epilog(ctx, formatter)
        if not self.examples:
            return
        with formatter.section("Examples"):
            for command, purpose in self.examples:
                formatter.write(f"{'':{formatter.current_indent}}{command}\n")
                formatter.write(f"{'':{formatter.current_indent + 4}}{purpose}\n")


class QuietGroup(WithExamples, click.Group):
    """A group of commands whose errors are one line and whose interruption is silent."""

    command_class = WithExamples

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands in the order they were added: what a newcomer wants first comes first."""
        return [name for name in self.commands if self.get_command(ctx, name)]

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the command line and, standing alone, turn every way to end into an exit code."""
        prog_name = prog_name or "tesuji"  # however it was started
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        try:
            result = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        except (click.Abort, KeyboardInterrupt):
            sys.exit(INTERRUPTED)
        except click.ClickException as error:
            click.echo(_one_line(error), err=True)
            sys.exit(USER_ERROR)
        sys.exit(result if isinstance(result, int) else 0)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the chosen command; an error of the user's keeps its traceback only under ``--debug``."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise  # the reader has gone: click ends quietly
        except Exception as error:
            if ctx.meta.get(DEBUG) or not _is_explained(error):
                raise
            raise UserError(_message(error)) from error

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; where there is none of that name, suggest the nearest."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            near = meant(name, self.list_commands(ctx))
            hint = f": did you mean '{near}'?" if near else f": choose from {', '.join(self.list_commands(ctx))}."
            raise click.UsageError(f"there is no command '{name}'{hint}", ctx)
        return super().resolve_command(ctx, args)


def _is_explained(error: Exception) -> bool:
    """Whether an error says all that a user needs."""
    if isinstance(error, ValueError | OSError | ImportError):
        return True
    from tesuji.bench import BenchError
    from tesuji.experiments.run.workers import WorkerError

    return isinstance(error, BenchError | WorkerError)


def _one_line(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "tesuji"
    message = " ".join(error.format_message().split())
    pointer = f" See '{path} --help'." if isinstance(error, click.UsageError) else ""
    return f"{path}: {message}{pointer}"


def _message(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error) or type(error).__name__
