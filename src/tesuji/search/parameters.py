"""The fields of a config under flat names: ``exploration`` for ``config.selection.c``.

`described` walks a struct of configs and makes a `Parameter` of each field; a new field appears by itself, with what
the struct's docstring says about it. `applied` replaces fields by name and checks the whole once. Files, command lines,
GTP and the laboratory all use these tables: `SEARCH_PARAMETERS` here, `tesuji.go.engine.parameters` for the Go engine.

A value is a bool, int, float or str; ``"none"`` stands for None. Nothing here knows where a value came from.
"""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Literal, Protocol, TypeAlias, TypeVar, Union, get_args, get_origin

import msgspec

from tesuji.search.config import SearchConfig
from tesuji.words import meant

__all__ = [
    "SEARCH_PARAMETERS",
    "Draft",
    "FieldPlace",
    "Parameter",
    "ParameterError",
    "Place",
    "Value",
    "applied",
    "described",
    "nearest",
    "search_parameters",
    "table_of",
    "texts_of",
    "unknown",
]

Value: TypeAlias = bool | int | float | str
NONE = "none"
"""How None is written."""

C = TypeVar("C", bound=msgspec.Struct)
_KINDS = (bool, int, float, str)
_WANTED = {bool: "true or false", int: "a whole number", float: "a number", str: "a word"}
_MIB = 1 << 20
_FEW = 40  # names that a message lists one by one


class ParameterError(ValueError):
    """A parameter that does not exist, or a value that it may not have.

    Parameters
    ----------
    name : str
        Of the parameter.
    message : str
        The value, the rule and the remedy.
    """

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message if name in message else f"{name}: {message}")
        self.name = name


class Draft:
    """A config taken apart, so that several fields can change before the whole is checked.

    Attributes
    ----------
    kind : type
        Of the struct.
    fields : dict
        Its fields; structs among them are drafts too.
    """

    def __init__(self, config: msgspec.Struct) -> None:
        self.kind = type(config)
        self.fields: dict[str, Any] = {name: _taken_apart(getattr(config, name)) for name in config.__struct_fields__}

    def at(self, path: Iterable[str]) -> Draft | None:
        """The draft at the end of a path; None if a part on the way is not in use."""
        here: Any = self
        for name in path:
            here = here.fields.get(name) if isinstance(here, Draft) else None
        return here if isinstance(here, Draft) else None

    def built(self) -> msgspec.Struct:
        """Put the config together; the structs check themselves."""
        fields = {name: value.built() if isinstance(value, Draft) else value for name, value in self.fields.items()}
        return self.kind(**fields)


def _taken_apart(value: Any) -> Any:
    return Draft(value) if isinstance(value, msgspec.Struct) else value


# Where a parameter is -------------------------------------------------------------------------------------------------


class Place(Protocol):
    """How a parameter is read from a config and written into a draft."""

    def read(self, config: msgspec.Struct) -> Value | None:
        """The value; None if it has no meaning in this config."""
        ...

    def write(self, draft: Draft, value: Value) -> None:
        """Set the value; `LookupError` with what must be set before it has a meaning."""
        ...


class FieldPlace(msgspec.Struct, frozen=True, kw_only=True):
    """A field, or one element of a field that is a tuple.

    Attributes
    ----------
    path : tuple of str
        From the config to the field.
    index : int or None
        Of the element; None: the field itself.
    unit : int
        The field holds the parameter's value times this.
    remedy : str
        What must be set before the field has a meaning, such as ``amaf=rave``.
    """

    path: tuple[str, ...]
    index: int | None = None
    unit: int = 1
    remedy: str = ""

    def read(self, config: msgspec.Struct) -> Value | None:
        """The value; None if the field's part is not in use."""
        here: Any = config
        for name in self.path:
            if not hasattr(here, name):
                return None
            here = getattr(here, name)
        if self.index is not None:
            here = here[self.index]
        return NONE if here is None else here / self.unit if self.unit != 1 else here

    def write(self, draft: Draft, value: Value) -> None:
        """Set the field."""
        *way, name = self.path
        part = draft.at(way)
        if part is None or name not in part.fields:
            raise LookupError(self.remedy)
        written: Any = None if value == NONE else value
        if self.unit != 1:
            written = round(float(value) * self.unit)
        if self.index is not None:
            before = part.fields[name]
            written = (*before[: self.index], written, *before[self.index + 1 :])
        part.fields[name] = written


class PartPlace(msgspec.Struct, frozen=True, kw_only=True):
    """A field that is one of several structs: its value names which.

    Attributes
    ----------
    path : tuple of str
        From the config to the field.
    kinds : dict
        The struct of each value; None for the value that takes the part out.
    """

    path: tuple[str, ...]
    kinds: dict[Value, type[msgspec.Struct] | None]

    def read(self, config: msgspec.Struct) -> Value | None:
        """The name of the part in use."""
        here: Any = config
        for name in self.path:
            here = getattr(here, name)
        return next(value for value, kind in self.kinds.items() if (kind is None) == (here is None) and _is(here, kind))

    def write(self, draft: Draft, value: Value) -> None:
        """Put another part there; one that is in use already keeps its fields."""
        *way, name = self.path
        around = draft.at(way)
        kind = self.kinds[value]
        if around is None:
            raise LookupError("")
        before = around.fields[name]
        if kind is None:
            around.fields[name] = None
        elif not isinstance(before, Draft) or before.kind is not kind:
            around.fields[name] = Draft(kind())


def _is(part: object, kind: type[msgspec.Struct] | None) -> bool:
    return kind is None or type(part) is kind


# Parameters -----------------------------------------------------------------------------------------------------------


class Parameter(msgspec.Struct, frozen=True, kw_only=True):
    """One thing about a config that has a name.

    Attributes
    ----------
    name : str
        Flat, in small letters: ``rave_k``.
    kind : type
        bool, int, float or str.
    group : str
        What it is about, for tables.
    meaning : str
        In one line, without a full stop.
    place : Place
        How it is read and written.
    choices : tuple of str
        The only values, if it is a word of a list.
    is_optional : bool
        Whether it may be ``"none"``.
    is_file : bool
        Whether it names a file. Such a parameter belongs to the start of a program: who talks to it later, through GTP
        or JSON, must not make it read files.
    """

    name: str
    kind: type[Value]
    group: str
    meaning: str
    place: Place
    choices: tuple[str, ...] = ()
    is_optional: bool = False
    is_file: bool = False

    def read(self, config: msgspec.Struct) -> Value | None:
        """Its value in a config; None if it has no meaning there."""
        return self.place.read(config)

    def checked(self, value: object) -> Value:
        """The value in the parameter's own type; ranges are checked by the config.

        Raises
        ------
        ParameterError
            If it is of another type or none of the choices.
        """
        if self.is_optional and value == NONE:
            return NONE
        if self.kind is bool and value in (0, 1):
            return bool(value)
        if self.kind is int and isinstance(value, float) and value.is_integer():
            return int(value)
        if self.kind is float and type(value) is int:
            return float(value)
        if type(value) is not self.kind or not isinstance(value, _KINDS):
            wanted = _WANTED[self.kind] + (f" or {NONE}" if self.is_optional else "")
            raise ParameterError(self.name, f"{self.name} is {value!r}; it must be {wanted} ({self.meaning})")
        if self.choices and value not in self.choices:
            close = _meant(str(value), self.choices)
            raise ParameterError(
                self.name, f"{self.name} is {str(value)[:40]!r}; {close}it must be one of {', '.join(self.choices)}"
            )
        return value

    def parsed(self, text: str) -> Value:
        """The value that a text stands for.

        Raises
        ------
        ParameterError
            If it is none.
        """
        word = text.strip()
        if self.kind is str or (self.is_optional and word == NONE):
            return self.checked(word)
        if self.kind is bool:
            return self.checked({"true": True, "false": False, "1": True, "0": False}.get(word.lower(), word[:40]))
        try:
            return self.checked(int(word) if self.kind is int else float(word))
        except (ValueError, OverflowError):
            return self.checked(word[:40])

    def text(self, value: Value) -> str:
        """The value as `parsed` reads it."""
        return ("true" if value else "false") if isinstance(value, bool) else str(value)


def nearest(name: str, known: Iterable[str]) -> str:
    """Words for a message: the known names, and which of them may have been meant."""
    names = sorted(known)
    return f"{_meant(name, names)}known are {_listed(names)}"


def unknown(name: str, known: Iterable[str]) -> str:
    """Words for a parameter that does not exist: which may have been meant, else all that there are."""
    close = _meant(name, names := list(known)).strip()
    return f"there is no parameter {name[:40]!r}; {close or 'known are ' + _listed(sorted(names))}"


def _listed(names: Sequence[str]) -> str:
    """Sorted names in a sentence; where they are many, three and more that begin with the same word stand together."""
    if len(names) <= _FEW:
        return ", ".join(names)
    parts = []
    for word, group in groupby(names, key=lambda name: name.partition("_")[0]):
        members = list(group)
        parts += [f"{word}... ({len(members)})"] if len(members) > 2 else members
    return ", ".join(parts)


def _meant(name: str, known: Iterable[str]) -> str:
    close = meant(name, known)
    return f"did you mean {close}? " if close else ""


def table_of(parameters: Iterable[Parameter]) -> dict[str, Parameter]:
    """Parameters by name; two of one name are refused."""
    table: dict[str, Parameter] = {}
    for parameter in parameters:
        if parameter.name in table:
            raise ValueError(f"two parameters are called {parameter.name}; give one of the fields another name")
        table[parameter.name] = parameter
    return table


def applied(config: C, settings: Mapping[str, object], known: Mapping[str, Parameter]) -> C:
    """A config with fields replaced by name, all at once.

    Parameters
    ----------
    config : Struct
        What the others stay at.
    settings : mapping of str to value
        The parameters to change.
    known : mapping of str to Parameter
        Those that there are; they are written in this order, so parts come before their fields.

    Raises
    ------
    ParameterError
        For a name that does not exist, a value of another type or out of range, or a field whose part is not in use.
    """
    for name in settings:
        if name not in known:
            raise ParameterError(name, unknown(name, known))
    draft = Draft(config)
    for name, parameter in known.items():
        if name in settings:
            _write(draft, parameter, parameter.checked(settings[name]))
    try:
        built = draft.built()
    except ValueError as error:
        raise _blamed(error, config, settings, known) from error
    assert isinstance(built, type(config))
    return built


def texts_of(config: msgspec.Struct, known: Mapping[str, Parameter]) -> dict[str, str]:
    """The parameters that have a meaning in a config, as texts that `Parameter.parsed` reads."""
    values = {name: parameter.read(config) for name, parameter in known.items()}
    return {name: known[name].text(value) for name, value in values.items() if value is not None}


def _write(draft: Draft, parameter: Parameter, value: Value) -> None:
    try:
        parameter.place.write(draft, value)
    except LookupError as error:
        remedy = f"add {error.args[0]}, or leave it out" if error.args[0] else "leave it out"
        raise ParameterError(parameter.name, f"{parameter.name} has no meaning here; {remedy}") from None


def _blamed(
    error: ValueError, config: msgspec.Struct, settings: Mapping[str, object], known: Mapping[str, Parameter]
) -> ValueError:
    """The same error with the name of the parameter that alone makes it, if one does."""
    if len(settings) == 1:
        return ParameterError(next(iter(settings)), str(error))
    for name, value in settings.items():
        try:
            applied(config, {name: value}, known)
        except ParameterError as alone:
            if str(alone).endswith(str(error)):
                return alone
    return ValueError(str(error))


# From structs to parameters -------------------------------------------------------------------------------------------


def described(
    struct: type[msgspec.Struct],
    *,
    group: str,
    path: tuple[str, ...] = (),
    prefix: str = "",
    names: Mapping[tuple[str, ...], str] | None = None,
    without: Collection[str] = (),
) -> Iterator[Parameter]:
    """Make a parameter of every field of a struct, and of the fields of its parts.

    Parameters
    ----------
    struct : type
        Of the config.
    group : str
        What they are about.
    path : tuple of str
        From the whole config to this struct.
    prefix : str
        Before the names of its fields.
    names : mapping, optional
        Names of their own, for paths within the struct.
    without : collection of str
        Fields to leave out.
    """
    names, meanings = names or {}, _meanings(struct)
    for field in msgspec.structs.fields(struct):
        if field.name in without:
            continue
        below = {way[1:]: given for way, given in names.items() if way[0] == field.name and way[1:]}
        name = names.get((field.name,), prefix + field.name.rstrip("_"))
        whole = Parameter(
            name=name,
            kind=str,
            group=group,
            meaning=meanings.get(field.name, name),
            place=FieldPlace(path=(*path, field.name)),
        )
        yield from _of_type(whole, field.type, (*path, field.name), below)


def _of_type(whole: Parameter, kind: Any, path: tuple[str, ...], names: Mapping[tuple[str, ...], str]) -> Iterator[Any]:
    """The parameters of one field, by its type; none for a type that has no flat form."""
    options = get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)
    present = [option for option in options if option is not type(None)]
    is_optional = len(present) < len(options)
    if all(inspect.isclass(option) and issubclass(option, msgspec.Struct) for option in present):
        yield from _of_parts(whole, present, is_optional, path, names)
    elif get_origin(present[0]) is Literal:
        yield msgspec.structs.replace(whole, choices=get_args(present[0]), is_optional=is_optional)
    elif present[0] in _KINDS:
        yield msgspec.structs.replace(whole, kind=present[0], is_optional=is_optional)
    elif get_origin(present[0]) is tuple and set(get_args(present[0])) <= set(_KINDS):
        for i, element in enumerate(get_args(present[0])):
            place, meaning = FieldPlace(path=path, index=i), f"{whole.meaning} (number {i})"
            yield msgspec.structs.replace(whole, name=f"{whole.name}_{i}", kind=element, meaning=meaning, place=place)


def _of_parts(
    whole: Parameter,
    parts: list[type[msgspec.Struct]],
    is_optional: bool,
    path: tuple[str, ...],
    names: Mapping[tuple[str, ...], str],
) -> Iterator[Parameter]:
    """Which part is in use, unless there is no choice; then every field of every part, those of one name once."""
    kinds: dict[Value, type[msgspec.Struct] | None] = {_word(part): part for part in parts}
    if len(parts) == 1 and is_optional:
        kinds = {True: parts[0], False: None}
        yield msgspec.structs.replace(whole, kind=bool, place=PartPlace(path=path, kinds=kinds))
    elif len(parts) > 1:
        kinds = {NONE: None, **kinds} if is_optional else kinds
        place = PartPlace(path=path, kinds=kinds)
        yield msgspec.structs.replace(whole, choices=tuple(map(str, kinds)), place=place)
    seen: set[str] = set()
    for value, part in kinds.items():
        for parameter in (
            described(part, group=whole.group, path=path, prefix=f"{whole.name}_", names=names) if part else ()
        ):
            if parameter.name not in seen:
                seen.add(parameter.name)
                yield _with_remedy(parameter, f"{whole.name}={whole.text(value)}")


def _with_remedy(parameter: Parameter, remedy: str) -> Parameter:
    if not isinstance(parameter.place, FieldPlace):
        return parameter
    return msgspec.structs.replace(parameter, place=msgspec.structs.replace(parameter.place, remedy=remedy))


def _word(struct: type[msgspec.Struct]) -> str:
    """A struct's name as a value: ``MinimumMSE`` is ``minimum-mse``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", struct.__name__).lower()


def _meanings(struct: type[msgspec.Struct]) -> dict[str, str]:
    """The first sentence about each field in the "Attributes" of a docstring; else the first line about the struct."""
    text = inspect.getdoc(struct) or ""
    head, _, section = text.partition("Attributes\n----------\n")
    found = dict.fromkeys(struct.__struct_fields__, head.partition("\n")[0].rstrip("."))
    for entry in re.split(r"\n(?=\S)", section):
        heading, _, body = entry.partition("\n")
        sentence = re.split(r"\.(?=\s|$)", " ".join(body.split()))[0]
        for name in heading.partition(" : ")[0].split(","):
            if name.strip() in found:
                found[name.strip()] = sentence
    return found


_SEARCH_NAMES: dict[tuple[str, ...], str] = {
    ("selection", "c"): "exploration",
    ("selection", "epsilon"): "epsilon",
    ("selection", "smoothness"): "smoothness",
    ("amaf", "k"): "rave_k",
    ("amaf", "bias"): "rave_bias",
    ("amaf", "c"): "rave_exploration",
    ("amaf", "fades"): "rave_fades",
    ("amaf", "horizon"): "rave_horizon",
}


# Evaluation means nothing without an evaluator, which is a function; files, GTP and the laboratory play games of two.
_NOT_FLAT = ("evaluation", "one_player")


def search_parameters(path: tuple[str, ...] = ()) -> Iterator[Parameter]:
    """The parameters of a `SearchConfig` that is found at the end of a path; its memory is in MiB."""
    for parameter in described(SearchConfig, group="search", path=path, names=_SEARCH_NAMES, without=_NOT_FLAT):
        if parameter.name == "memory_bytes":
            place = FieldPlace(path=(*path, "memory_bytes"), unit=_MIB)
            yield msgspec.structs.replace(
                parameter, name="memory_mb", kind=float, meaning=f"{parameter.meaning}, in MiB", place=place
            )
        else:
            yield parameter


SEARCH_PARAMETERS = table_of(search_parameters())
"""Those of a search on its own, by name."""
