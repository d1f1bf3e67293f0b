"""What a query is refused with."""

from __future__ import annotations

from tesuji.go.rules.vertex import quoted

__all__ = ["QueryError", "shown"]


class QueryError(ValueError):
    """A query that cannot be answered.

    Parameters
    ----------
    field : str
        Which field of the query is wrong; empty if it is none of them.
    message : str
        The value, the rule and the remedy.
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def shown(value: object) -> str:
    """A value of JSON for a message: texts in quotes, others as they are, cut where they are long."""
    return quoted(value) if isinstance(value, str) else quoted(repr(value)).strip("'\"")
