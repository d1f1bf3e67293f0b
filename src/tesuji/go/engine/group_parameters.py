"""The engine's groups of moves under flat names: ``groups="manhattan-enemy chains" chains_max_liberties=3``.

``groups`` lists the rows of `tesuji.go.knowledge.groups`; a parameter of a row is called as the row and its field, and
has a meaning where the row is in use. ``groups_biases`` says whether kinds have biases, ``bias_else=0.3`` sets one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from tesuji.go.knowledge.groups import ROWS, GoGroups, Row, kind_of
from tesuji.search import Grouping, LearnedBiases
from tesuji.search.parameters import Draft, Parameter, ParameterError, Place, Value, described

__all__ = ["group_parameters"]

_NONE = "none"
_ELSE = "else"
_BIASES = ("none", "fixed", "learned")


def _groups_of(config: msgspec.Struct) -> Grouping | None:
    groups = getattr(config, "groups", None)
    return groups if isinstance(groups, Grouping) else None


def _rows_of(config: msgspec.Struct) -> tuple[Row, ...]:
    """The rows in use; none where a function finds the groups."""
    groups = _groups_of(config)
    return groups.find.rows if groups is not None and isinstance(groups.find, GoGroups) else ()


def _rows_in(draft: Draft) -> tuple[Row, ...]:
    find = draft.at(("groups", "find"))
    rows: tuple[Row, ...] = () if find is None or find.kind is not GoGroups else find.fields["rows"]
    return rows


def _grouping_in(draft: Draft) -> Draft:
    grouping = draft.at(("groups",))
    if grouping is None:
        raise LookupError("groups=...")
    return grouping


class _GroupsPlace(msgspec.Struct, frozen=True):
    """Which rows are in use."""

    def read(self, config: msgspec.Struct) -> Value | None:
        """Their kinds, with spaces between; None where a function finds the groups."""
        if _groups_of(config) is None:
            return _NONE
        return " ".join(kind_of(row) for row in _rows_of(config)) or None

    def write(self, draft: Draft, value: Value) -> None:
        """Take these rows; one that was there keeps its parameters."""
        kinds = str(value).split()
        if kinds == [_NONE]:
            draft.fields["groups"] = None
            return
        for kind in kinds:
            if kind not in ROWS:
                raise ParameterError(
                    "groups", f"groups has {kind[:40]!r}, which is not a row; choose from {', '.join(ROWS)}, or none"
                )
        before = {kind_of(row): row for row in _rows_in(draft)}
        find = GoGroups(tuple(before.get(kind) or ROWS[kind]() for kind in kinds))
        if draft.at(("groups",)) is None:
            draft.fields["groups"] = Draft(Grouping(find=find))
        _grouping_in(draft).fields["find"] = Draft(find)


class _OverlapPlace(msgspec.Struct, frozen=True):
    """``groups.overlap``."""

    def read(self, config: msgspec.Struct) -> Value | None:
        """Whether the catch-all group holds all moves; None without groups."""
        groups = _groups_of(config)
        return None if groups is None else groups.overlap

    def write(self, draft: Draft, value: Value) -> None:
        """Set it."""
        _grouping_in(draft).fields["overlap"] = value


class _RowPlace(msgspec.Struct, frozen=True):
    """A parameter of one row."""

    row: str
    field: str

    def read(self, config: msgspec.Struct) -> Value | None:
        """The value; None if the row is not in use."""
        found = [getattr(row, self.field) for row in _rows_of(config) if kind_of(row) == self.row]
        return found[0] if found else None

    def write(self, draft: Draft, value: Value) -> None:
        """Set it."""
        rows = _rows_in(draft)
        if all(kind_of(row) != self.row for row in rows):
            raise LookupError(f"groups={self.row}")
        find = draft.at(("groups", "find"))
        assert find is not None
        find.fields["rows"] = tuple(
            msgspec.structs.replace(row, **{self.field: value}) if kind_of(row) == self.row else row for row in rows
        )


class _BiasesPlace(msgspec.Struct, frozen=True):
    """Whether kinds have biases."""

    def read(self, config: msgspec.Struct) -> Value | None:
        """``none``, ``fixed`` or ``learned``; None without groups."""
        groups = _groups_of(config)
        if groups is None:
            return None
        return "learned" if isinstance(groups.biases, LearnedBiases) else "none" if groups.biases is None else "fixed"

    def write(self, draft: Draft, value: Value) -> None:
        """Change it; biases that are there stay."""
        grouping = _grouping_in(draft)
        known = _biases_in(grouping)
        if value == "none":
            grouping.fields["biases"] = None
        elif value == "fixed":
            grouping.fields["biases"] = known or {}
        elif not isinstance(grouping.fields["biases"], Draft):
            grouping.fields["biases"] = Draft(LearnedBiases(start=known or {}))


def _biases_in(grouping: Draft) -> dict[str, float] | None:
    biases: Any = grouping.fields["biases"]
    if isinstance(biases, Draft):
        return dict(biases.fields["start"])
    return None if biases is None else dict(biases)


class _BiasPlace(msgspec.Struct, frozen=True):
    """The bias of one kind."""

    kind: str

    def read(self, config: msgspec.Struct) -> Value | None:
        """The bias; None if it is not named."""
        groups = _groups_of(config)
        biases = None if groups is None else groups.biases
        given: Mapping[str, float] = biases.start if isinstance(biases, LearnedBiases) else biases or {}
        return given.get(self.kind)

    def write(self, draft: Draft, value: Value) -> None:
        """Set it, or where it is learned from."""
        grouping = _grouping_in(draft)
        known = _biases_in(grouping)
        if known is None:
            raise LookupError("groups_biases=fixed")
        biases = grouping.fields["biases"]
        changed = known | {self.kind: value}
        if isinstance(biases, Draft):
            biases.fields["start"] = changed
        else:
            grouping.fields["biases"] = changed


class _LearningPlace(msgspec.Struct, frozen=True):
    """How biases are learned."""

    field: str

    def read(self, config: msgspec.Struct) -> Value | None:
        """The value; None if nothing is learned."""
        groups = _groups_of(config)
        value: Value | None = getattr(groups.biases, self.field, None) if groups is not None else None
        return value

    def write(self, draft: Draft, value: Value) -> None:
        """Set it."""
        biases = _grouping_in(draft).fields["biases"]
        if not isinstance(biases, Draft):
            raise LookupError("groups_biases=learned")
        biases.fields[self.field] = value


def group_parameters() -> Iterator[Parameter]:
    """All of them, those first that the others need."""
    yield _made("groups", str, "Rows of moves that are grouped, with spaces between", _GroupsPlace())
    meaning = "Whether the catch-all group holds all moves, or those in no other group"
    yield _made("groups_overlap", bool, meaning, _OverlapPlace())
    meaning = "Whether kinds of groups get unequal attention"
    yield msgspec.structs.replace(_made("groups_biases", str, meaning, _BiasesPlace()), choices=_BIASES)
    for kind, row in ROWS.items():
        prefix = kind.replace("-", "_")
        for parameter in described(row, group="groups", prefix=f"{prefix}_"):
            at = _RowPlace(kind, parameter.name.removeprefix(f"{prefix}_"))
            yield msgspec.structs.replace(parameter, meaning=f"{kind}: {parameter.meaning}", place=at)
    for kind in (_ELSE, *ROWS):
        yield _made(f"bias_{kind.replace('-', '_')}", float, f"Bias of {kind}, 0..1", _BiasPlace(kind))
    for parameter in described(LearnedBiases, group="groups", prefix="bias_", without=("start",)):
        learning = _LearningPlace(parameter.name.removeprefix("bias_"))
        yield msgspec.structs.replace(parameter, place=learning)


def _made(name: str, kind: type[Value], meaning: str, place: Place) -> Parameter:
    return Parameter(name=name, kind=kind, group="groups", meaning=meaning, place=place)
