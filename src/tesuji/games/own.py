"""A game of your own by name: ``mygame.py:DotsAndBoxes``, or ``package.module:DotsAndBoxes``.

What stands after the colon is a class, a function that makes a game, or a game; plain Python or a `CompiledGame`. A
class or function may take the size of the board as its one argument. Whoever names a file runs it: this is a program,
not data.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = ["function_named", "is_own", "make_own", "takes_size", "title_of"]


_MEMBERS = ("num_distinct_moves", "to_play", "is_over", "value", "legal_moves", "play", "copy", "key")


def is_own(name: str) -> bool:
    """Whether a name is of that form."""
    return ":" in name


def title_of(name: str) -> str:
    """What people call the game: the part after the colon."""
    return name.rpartition(":")[2]


def make_own(name: str, size: int | None = None) -> Any:
    """Set the game up.

    Raises
    ------
    ValueError
        If there is no such file, module or name in it, it cannot be imported, or it is not a game of two players.
    """
    maker = _maker(name)
    if not callable(maker):
        if size is not None:
            raise ValueError(f"{title_of(name)} is a game as it stands and takes no size; leave size {size} out")
        return _checked(name, maker.copy() if hasattr(maker, "copy") else maker)
    if size is not None and not takes_size(name):
        raise ValueError(f"{title_of(name)} takes no size; leave size {size} out")
    try:
        game = maker() if size is None else maker(size)
    except Exception as error:
        raise ValueError(f"{name}: making a game raised {type(error).__name__}: {error}") from error
    return _checked(name, game)


def takes_size(name: str) -> bool:
    """Whether the game can be made in sizes: it is called with one argument, or may be."""
    maker = _maker(name)
    if not callable(maker):
        return False
    try:
        parameters = inspect.signature(maker).parameters.values()
    except (TypeError, ValueError):
        return False
    by_place = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return any(parameter.kind in by_place for parameter in parameters)


def _checked(name: str, game: Any) -> Any:
    if hasattr(game, "goal"):
        raise ValueError(f"{title_of(name)} has a goal, so it is for one player; tesuji.solve looks for its solution")
    if missing := [member for member in _MEMBERS if not hasattr(game, member)]:
        raise ValueError(
            f"{title_of(name)} has no {', '.join(missing)}: the contract of a game is {', '.join(_MEMBERS)} "
            "(docs/howto/own-game.md)"
        )
    return game


def function_named(name: str) -> Callable[..., Any]:
    """A function in a file or module of yours: ``features.py:stones``.

    Raises
    ------
    ValueError
        If there is no such file, module or name in it, or it cannot be called.
    """
    where, _, attribute = name.rpartition(":")
    if not where:
        raise ValueError(f"{name[:60]!r} names no function; write file.py:function")
    module = _module(where, str(Path(where).resolve()) if where.endswith(".py") else "")
    found: Callable[..., Any] | None = getattr(module, attribute, None)
    if found is None or not callable(found):
        there = [each for each, value in vars(module).items() if inspect.isfunction(value) and not each.startswith("_")]
        raise ValueError(f"{where} has no function {attribute!r}" + (f"; it has {', '.join(there)}" if there else ""))
    return found


def _maker(name: str) -> Any:
    where, _, attribute = name.rpartition(":")
    module = _module(where, str(Path(where).resolve()) if where.endswith(".py") else "")
    if not attribute.isidentifier() or not hasattr(module, attribute):
        there = [each for each, value in vars(module).items() if inspect.isclass(value) and not each.startswith("_")]
        hint = f"; it has {', '.join(there)}" if there else ""
        raise ValueError(f"{where} has no {attribute!r}{hint}: write {where}:NAME, where NAME is the class of the game")
    return getattr(module, attribute)


@cache
def _module(where: str, path: str) -> ModuleType:
    try:
        if not path:
            return importlib.import_module(where)
        return _from_file(where, Path(path))
    except ImportError as error:
        raise ValueError(f"{where} cannot be imported: {error}") from error
    except OSError as error:
        raise ValueError(f"{where}: {error.strerror or error}") from error
    except Exception as error:
        raise ValueError(f"{where}: importing it raised {type(error).__name__}: {error}") from error


def _from_file(where: str, path: Path) -> ModuleType:
    name = f"{path.stem}_{zlib.crc32(str(path).encode()):08x}"  # no module of the same name is in its way
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{where} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.append(str(path.parent))  # what it imports from beside it is found
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
