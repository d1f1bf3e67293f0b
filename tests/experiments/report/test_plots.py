"""Figures: what they show, and that drawing them leaves no trace."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("matplotlib")

from matplotlib.figure import Figure

from tesuji.experiments.report.plots import (
    curves_plot,
    length_plot,
    line_plot,
    rating_plot,
    response_plot,
    save,
    sweep_plot,
    to_svg,
)


def _bar(name: str, elo: float, low: float, high: float) -> SimpleNamespace:
    return SimpleNamespace(name=name, elo=elo, low=low, high=high)


FIGURES: list[Callable[[], Figure]] = [
    lambda: rating_plot([_bar("a", 30.0, 10.0, 50.0), _bar("b", -30.0, -50.0, -10.0)]),
    lambda: length_plot([40, 41, 41, 60, 200]),
    lambda: sweep_plot([1, 10, 100], [0.4, 0.5, 0.6], [0.3, 0.4, 0.5], [0.5, 0.6, 0.7], parameter="k", is_log=True),
    lambda: response_plot([0, 1, 2], [0.4, 0.6, 0.5], [0.3, 0.5, 0.4], [0.5, 0.7, 0.6], parameter="c", optimum=1.1),
    lambda: curves_plot([1, 10], {"a": [1.0, 5.0], "b": [math.nan, 5.0]}, x_label="seconds", y_label="score"),
    lambda: line_plot([1, 2, 3], [math.nan, 10.0, 5.0], [-math.inf, -5.0, -4.0], [math.inf, 25.0, 14.0]),
]


@pytest.mark.parametrize("make", FIGURES)
def test_save__writes_a_png_that_is_the_same_each_time(make: Callable[[], Figure], tmp_path: Path) -> None:
    first, second = save(make(), tmp_path / "1.png"), save(make(), tmp_path / "2.png")
    assert first.read_bytes().startswith(b"\x89PNG")
    assert first.read_bytes() == second.read_bytes()


def test_figures__are_made_without_pyplot() -> None:
    figures = [make() for make in FIGURES]
    assert all(isinstance(figure, Figure) for figure in figures)
    if pyplot := sys.modules.get("matplotlib.pyplot"):  # another test may have loaded it
        assert not pyplot.get_fignums()


def test_rating_plot__lists_the_players_from_top_to_bottom() -> None:
    axes = rating_plot([_bar("strong", 100.0, 50.0, 150.0), _bar("weak", -100.0, -150.0, -50.0)]).axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["strong", "weak"]
    bottom, top = axes.get_ylim()
    assert bottom > top  # the first row is above


@pytest.mark.parametrize("infinite", [math.inf, -math.inf])
def test_rating_plot__keeps_a_finite_axis_for_an_infinite_rating(infinite: float) -> None:
    axes = rating_plot([_bar("a", infinite, -100.0, math.inf), _bar("b", 0.0, -math.inf, 100.0)]).axes[0]
    assert all(map(math.isfinite, axes.get_xlim()))


def test_length_plot__counts_every_game_once() -> None:
    axes = length_plot([40, 41, 41, 60, 200, 200]).axes[0]
    assert sum(bar.get_height() for bar in axes.patches) == 6
    assert length_plot([]).axes[0].get_xlabel() == "moves"


def test_sweep_plot__draws_the_interval_of_each_value() -> None:
    axes = sweep_plot([1, 2], [0.5, 0.6], [0.4, 0.45], [0.6, 0.8], parameter="k").axes[0]
    ends = axes.collections[0].get_segments()
    assert [segment[:, 1].tolist() for segment in ends] == [pytest.approx([0.4, 0.6]), pytest.approx([0.45, 0.8])]
    assert axes.get_xlabel() == "k"


def test_response_plot__marks_the_optimum() -> None:
    axes = response_plot([0, 1], [0.4, 0.6], [0.3, 0.5], [0.5, 0.7], parameter="c", optimum=0.75).axes[0]
    assert any(line.get_xdata()[0] == 0.75 for line in axes.lines if len(line.get_xdata()) == 2)
    assert any(text.get_text() == "0.75" for text in axes.texts)


def test_line_plot__leaves_out_what_is_not_finite() -> None:
    axes = line_plot([1, 2, 3], [math.inf, 10.0, 5.0], reference=None).axes[0]
    assert axes.lines[0].get_xdata().tolist() == [2, 3]


def test_to_svg__is_one_element_without_outside_references() -> None:
    svg = to_svg(FIGURES[0]())
    assert svg.startswith("<svg")
    assert svg.rstrip().endswith("</svg>")
    assert "<?xml" not in svg
    assert "<!DOCTYPE" not in svg


def test_curves_plot__every_curve_is_named_and_no_name_covers_another() -> None:
    curves = {"low": [1.0, 2.0], "high": [1.0, 9.0], "as high": [0.0, 9.0], "nearly": [0.0, 8.9]}
    (axes,) = curves_plot([1.0, 10.0], curves, x_label="seconds", y_label="score").axes
    places = {text.get_text(): text.get_position()[1] for text in axes.texts}
    assert places.keys() == curves.keys()
    heights = sorted(places.values())
    assert all(after - before > 0.4 for before, after in pairwise(heights))
    assert places["nearly"] == heights[1]
    bottom, top = axes.get_ylim()
    assert bottom < heights[0] < heights[-1] < top
    assert axes.get_xscale() == "log"


@pytest.mark.parametrize("name", ["$", "$a_{$", "a$b$c", "$\\frac$", "cost $5 or $6"])
def test_plots__names_with_dollar_signs_are_plain_text(name: str, tmp_path: Path) -> None:
    drawn = save(rating_plot([_bar(name, 0.0, -10.0, 10.0)], title=name), tmp_path / "x.png")
    assert drawn.exists()
    assert "<svg" in to_svg(curves_plot([1, 2], {name: [1.0, 2.0]}, x_label=name, y_label="y"))
