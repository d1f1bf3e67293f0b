"""A panel as one self-contained HTML page: no script, no font, no picture from elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tesuji.genetics import pictures
from tesuji.genetics.panel import Panel

__all__ = ["panel_page"]

_OBJECTIVES = {
    "right": "classified right, mean of the draws",
    "balanced": "classified right, every group weighing the same",
    "expected": "mean probability of the own group",
    "log-loss": "log-loss, negated",
}


def panel_page(
    panel: Panel,
    copies: NDArray[np.int8] | None = None,
    labels: NDArray[np.int32] | None = None,
    title: str | None = None,
) -> str:
    """The page of a panel.

    Parameters
    ----------
    panel
        What it is about.
    copies, labels
        The panel's genotypes of shape (SNPs, individuals) and the individuals' groups, for a picture of them.
    title
        Of the page.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    folder = Path(__file__).parent / "templates"
    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = _percent
    environment.filters["number"] = lambda value: "" if value is None else f"{value:.4g}"
    drawn: dict[str, str] = {}
    if panel.held_out is not None:
        drawn["confusion"] = pictures.to_svg(pictures.confusion(panel.held_out.confusion, panel.groups))
        drawn["calibration"] = pictures.to_svg(pictures.calibration(panel.held_out.calibration))
    if copies is not None and labels is not None and copies.shape[0] > 1:
        drawn["components"] = pictures.to_svg(pictures.principal_components(copies, labels, panel.groups))
    improvements = [(float(s), float(v)) for s, v in panel.search.get("improvements", [])]
    if len(improvements) > 1:
        label = _OBJECTIVES.get(panel.objective, panel.objective)
        drawn["progress"] = pictures.to_svg(pictures.progress(improvements, float(panel.search["seconds"]), label))
    extra = list(dict.fromkeys(name for snp in panel.snps for name in snp.annotation))
    return environment.get_template("panel.html").render(
        panel=panel,
        title=title or f"{len(panel.snps)} SNPs that tell {len(panel.groups)} groups apart",
        pictures=drawn,
        extra=extra,
        config=_settings(panel.provenance.get("config", {})),
    )


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"


def _settings(config: dict[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """A nested config as names and values, a line each."""
    found: list[tuple[str, str]] = []
    for name, value in config.items():
        if isinstance(value, dict):
            found += _settings(value, f"{prefix}{name}.")
        elif value not in (None, [], ""):
            found.append((prefix + name, str(value)))
    return found
