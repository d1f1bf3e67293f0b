"""Numbers of the laboratory as people read them: shares, Elo with its sign, times."""

from __future__ import annotations

import math

__all__ = ["duration", "elo_interval", "percent", "share_interval", "signed"]


def signed(value: float, digits: int = 0) -> str:
    """A number with its sign, a true minus, and ∞ for what is not finite."""
    if math.isnan(value):
        return "?"
    if math.isinf(value):
        return "+∞" if value > 0 else "−∞"
    text = f"{value:+.{digits}f}"
    return text.replace("-", "−") if float(text) else text[1:]


def percent(rate: float) -> str:
    """A share with one decimal."""
    return f"{100 * rate:.1f} %"


def duration(seconds: float) -> str:
    """A time as a person says it: ``0.8 s``, ``42 s``, ``12 min 05 s``, ``3 h 07 min``."""
    if seconds < 10:
        return f"{seconds:.2g} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600:,} h {whole % 3600 // 60:02} min"


def share_interval(low: float, high: float) -> str:
    """An interval of shares, in percent."""
    return f"[{100 * low:.1f}, {100 * high:.1f}]"


def elo_interval(low: float, high: float) -> str:
    """An interval of Elo."""
    return f"[{signed(low)}, {signed(high)}]"
