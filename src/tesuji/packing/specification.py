"""A problem as files hold it, with what is not said left open: options of a command line fill it in or change it."""

from __future__ import annotations

from typing import Any

import msgspec

from tesuji.packing.items import Item, PackingError, Sheet
from tesuji.packing.problem import PackingProblem

__all__ = ["Specification"]


class Specification(msgspec.Struct, frozen=True, kw_only=True):
    """Items and as many of the parameters of `PackingProblem` as are known; None: not said."""

    items: tuple[Item, ...]
    width: int | float | str | None = None
    rotate: bool | None = None
    kerf: int | float | str | None = None
    guillotine: bool | None = None
    max_height: int | float | str | None = None
    sheets: tuple[Sheet, ...] | None = None

    def with_options(self, **options: Any) -> Specification:
        """The same where an option is None, else the option; sheets given anew replace the strip and the other way."""
        given = {name: value for name, value in options.items() if value is not None}
        if "sheets" in given:
            given = {"width": None, "max_height": None} | given
        elif "width" in given:
            given = {"sheets": None} | given
        return msgspec.structs.replace(self, **given)

    def problem(self) -> PackingProblem:
        """What the search packs.

        Raises
        ------
        PackingError
            If neither a width nor sheets are known, or for whatever `PackingProblem` refuses.
        """
        if self.width is None and self.sheets is None:
            raise PackingError("nothing says how wide the strip is; give --width, or --sheet WIDTHxHEIGHT")
        return PackingProblem(
            self.items,
            width=self.width,
            rotate=True if self.rotate is None else self.rotate,
            kerf=0 if self.kerf is None else self.kerf,
            guillotine=bool(self.guillotine),
            max_height=self.max_height,
            sheets=self.sheets,
        )
