"""Which individual belongs to which group: a column of a table, matched with the individuals of a genotype file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.genetics.table import read_table

__all__ = ["MIN_GROUP", "Labels", "match_labels", "read_labels"]

MIN_GROUP = 5
"""Individuals that a group must have."""

_SAMPLE_COLUMNS = ("sample", "iid", "#iid", "sample_id", "individual", "id")
_NO_GROUP = frozenset({"", "NA", "na", ".", "-", "-9"})


class Labels(msgspec.Struct, frozen=True):
    """The group of each individual of a genotype file.

    Attributes
    ----------
    groups : tuple of str
        Their names, sorted.
    of_sample : array of shape (individuals,)
        A group's number, or -1 for those who belong to none.
    notes : tuple of str
        What did not match, in words.
    """

    groups: tuple[str, ...]
    of_sample: NDArray[np.int32]
    notes: tuple[str, ...] = ()

    def members(self, group: int) -> NDArray[np.intp]:
        """The individuals of a group."""
        return np.flatnonzero(self.of_sample == group)

    def sizes(self) -> NDArray[np.intp]:
        """How many each group has."""
        return np.bincount(self.of_sample[self.of_sample >= 0], minlength=len(self.groups))

    def only(self, samples: NDArray[np.integer] | NDArray[np.bool_]) -> Labels:
        """The same with all others in no group."""
        kept = np.full_like(self.of_sample, -1)
        kept[samples] = self.of_sample[samples]
        return Labels(self.groups, kept, self.notes)


def read_labels(path: str | Path, column: str | None = None) -> dict[str, str]:
    """Sample -> group, from a column of a CSV or TSV with a header.

    Parameters
    ----------
    path
        The table; its individuals are in a column named sample or IID, or else in the first.
    column
        The column of the groups; the second if not given.

    Raises
    ------
    ValueError
        For a missing column or an individual that is there twice.
    """
    path = Path(path)
    header, rows = read_table(path)
    lowered = [name.strip().lower() for name in header]
    who = next((lowered.index(name) for name in _SAMPLE_COLUMNS if name in lowered), 0)
    if column is None:
        what = next(i for i in range(len(header)) if i != who)
    elif column in header:
        what = header.index(column)
    else:
        raise ValueError(f"{path}: there is no column {column!r}; it has {', '.join(header)}")
    found: dict[str, str] = {}
    for row in rows:
        name, group = row[who].strip(), row[what].strip()
        if name in found and found[name] != group:
            raise ValueError(f"{path}: the individual {name!r} is there twice, as {found[name]!r} and {group!r}")
        found[name] = group
    return {name: group for name, group in found.items() if group not in _NO_GROUP}


def match_labels(
    samples: Sequence[str],
    group_of: Mapping[str, str],
    groups: Sequence[str] | None = None,
    *,
    minimum: int = MIN_GROUP,
) -> Labels:
    """Match individuals with labels.

    Parameters
    ----------
    samples
        The individuals of the genotypes.
    group_of
        Sample -> group.
    groups
        The groups that count; all if not given. Individuals of others belong to none.
    minimum
        Individuals that a group must have.

    Raises
    ------
    ValueError
        If nobody matches, a group is too small or unknown, or there are fewer than two.
    """
    here = set(samples)
    matched = [group_of.get(name) for name in samples]
    unlabelled = [name for name, group in zip(samples, matched, strict=True) if group is None]
    absent = [name for name in group_of if name not in here]
    if len(unlabelled) == len(samples):
        raise ValueError(
            f"no individual of the genotypes has a label: the genotypes begin with {_first(samples)}, the labels with"
            f" {_first(list(group_of))}; do both use the same names?"
        )
    sizes = Counter(group for group in matched if group is not None)
    wanted = sorted(sizes) if groups is None else sorted(set(groups))
    for group in wanted:
        if group not in sizes:
            raise ValueError(f"there is no group {group!r} among the individuals; there are {', '.join(sorted(sizes))}")
        if sizes[group] < minimum:
            raise ValueError(
                f"the group {group!r} has {sizes[group]} individuals; at least {minimum} are needed to learn from some"
                " and test on others: leave it out with --groups, or join it with another in the labels"
            )
    if len(wanted) < 2:
        raise ValueError(f"there is one group, {wanted[0]!r}; at least two are needed to tell apart")
    notes = []
    if unlabelled:
        notes.append(f"{len(unlabelled):,} individuals without a label are left out: {_first(unlabelled)}")
    if absent:
        notes.append(f"{len(absent):,} labels have no genotypes: {_first(absent)}")
    number = {group: i for i, group in enumerate(wanted)}
    of_sample = np.array([number.get(group, -1) if group is not None else -1 for group in matched], np.int32)
    return Labels(tuple(wanted), of_sample, tuple(notes))


def _first(names: Sequence[str]) -> str:
    shown = ", ".join(names[:5])
    return shown + (", ..." if len(names) > 5 else "")
