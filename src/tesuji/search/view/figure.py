"""A matplotlib figure that shows itself in a notebook, as a picture and once.

Figures made without pyplot are printed as ``<Figure size ...>`` where nobody has called ``%matplotlib inline``; this
one is a PNG there too. Import it only where a figure is made: it brings matplotlib (the extra ``plot``).
"""

from __future__ import annotations

import io

from matplotlib import figure

__all__ = ["Figure"]

_DPI = 100


class Figure(figure.Figure):
    """As matplotlib's."""

    def _repr_png_(self) -> bytes:
        """The picture for a notebook."""
        png = io.BytesIO()
        self.savefig(png, format="png", dpi=_DPI)
        return png.getvalue()
