"""The data of the genetics experiments: found in a folder that the environment names, never part of the package.

``TESUJI_GENETICS_DATA`` is a folder with ``hgdp934.bed``, ``g1k_p3.bed`` (each with .bim, .fam and .labels.tsv beside
it) and the published panels ``aim_kidd55_g1k_p3.csv`` and ``aim_seldin128_g1k_p3.csv``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, stdev

from tesuji.genetics import Judging, Labels, Plan, Source, match_labels, open_genotypes, read_labels
from tesuji.papers.data_folder import file_of_folder
from tesuji.papers.verdicts import Bounds

__all__ = ["GENOMES", "WORLDS", "data_file", "number_right", "student_bounds", "world"]

VARIABLE = "TESUJI_GENETICS_DATA"

_EURASIA = ("C.S.Asia", "Europe", "Mid.East")
WORLDS = {
    "World3": {"Africa": "Africa", "E.Asia": "E.Asia", **dict.fromkeys(_EURASIA, "Eurasia")},
    "World5": {
        "Africa": "Africa",
        "America": "America",
        "E.Asia": "E.Asia",
        "Oceania": "Oceania",
        **dict.fromkeys(_EURASIA, "Eurasia"),
    },
    "World7": {name: name for name in ("Africa", "America", "E.Asia", "Oceania", *_EURASIA)},
}
"""Table 5.12: region -> group; regions that are not named are left out."""

GENOMES = {"Regions5": "superpopulation", "Populations26": "population"}
"""Problems of the 1000 Genomes: name -> column of the labels."""


def data_file(name: str) -> Path:
    """A file of the data.

    Raises
    ------
    ValueError
        If the folder is not named, or the file is not in it.
    """
    return file_of_folder(VARIABLE, name, holds="hgdp934.bed and g1k_p3.bed")


def world(name: str) -> tuple[Source, Labels]:
    """The individuals of a problem of `WORLDS` or `GENOMES`."""
    if name in GENOMES:
        source = open_genotypes(data_file("g1k_p3.bed"))
        return source, match_labels(source.samples, read_labels(data_file("g1k_p3.labels.tsv"), GENOMES[name]))
    source = open_genotypes(data_file("hgdp934.bed"))
    regions = read_labels(data_file("hgdp934.labels.tsv"), "region")
    groups = {who: WORLDS[name][region] for who, region in regions.items() if region in WORLDS[name]}
    return source, match_labels(source.samples, groups)


def number_right(size: int, seed: int) -> Plan:
    """Panels judged as the thesis does: by the number of right ones, with nobody held out."""
    return Plan(size=size, holdout=0.0, seed=seed, judging=Judging(objective="right"))


def student_bounds(values: Sequence[float]) -> Bounds:
    """The mean of some differences with Student's 95 % interval; one value alone has no interval."""
    from scipy.stats import t

    mean = fmean(values)
    if len(values) < 2:
        return Bounds(mean, float("-inf"), float("inf"), len(values))
    half = float(t.ppf(0.975, len(values) - 1)) * stdev(values) / len(values) ** 0.5
    return Bounds(mean, mean - half, mean + half, len(values))
