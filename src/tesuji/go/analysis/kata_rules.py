"""KataGo's rules, by name or as a JSON object, as the rules of our board.

KataGo varies six things: ko, scoring, tax, suicide, the button and what White receives for handicap stones. Our boards
know no button and no tax but the one of Japanese rules (points in seki do not count); where a query asks for another
one, the nearest rules are taken and a warning says so. White's bonus becomes komi: it is known before the first move.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from tesuji.go.analysis.errors import QueryError
from tesuji.go.rules import Rules
from tesuji.go.vertex import quoted

__all__ = ["BONUSES", "Bonus", "KataRules", "read_rules"]

Bonus = Literal["0", "N-1", "N"]
BONUSES: tuple[Bonus, ...] = ("0", "N-1", "N")
_KO: dict[str, Literal["simple", "positional", "situational"]] = {
    "SIMPLE": "simple",
    "POSITIONAL": "positional",
    "SITUATIONAL": "situational",
}


class KataRules(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """Rules as KataGo's ``kata-get-rules`` writes them; what is not said is as in Tromp-Taylor rules.

    Attributes
    ----------
    ko : {"SIMPLE", "POSITIONAL", "SITUATIONAL"}
        What may not be repeated.
    scoring : {"AREA", "TERRITORY"}
        What counts.
    tax : {"NONE", "SEKI", "ALL"} or None
        Which points do not count after all; None: SEKI under territory scoring, else NONE.
    suicide : bool
        Whether a chain may take its own last liberty.
    has_button : bool
        Whether the first pass is worth half a point.
    white_handicap_bonus : {"0", "N-1", "N"}
        What White receives for N handicap stones.
    friendly_pass_ok : bool
        About cleaning up before passing; it makes no difference here.
    komi : float or None
        White's compensation; None: 7.5, or 6.5 under territory scoring.
    """

    ko: Literal["SIMPLE", "POSITIONAL", "SITUATIONAL"] = "POSITIONAL"
    scoring: Literal["AREA", "TERRITORY"] = "AREA"
    tax: Literal["NONE", "SEKI", "ALL"] | None = None
    suicide: bool = True
    has_button: bool = False
    white_handicap_bonus: Bonus = "0"
    friendly_pass_ok: bool = False
    komi: float | None = None

    @property
    def usual_komi(self) -> float:
        """The komi where a query names none."""
        if self.komi is not None:
            return self.komi
        return 6.5 if self.scoring == "TERRITORY" else 7.5

    def board_rules(self, name: str) -> Rules:
        """The nearest rules that a board knows."""
        return Rules(
            name=name,
            scoring="territory" if self.scoring == "TERRITORY" else "area",
            ko=_KO[self.ko],
            suicide=self.suicide,
            komi=self.usual_komi,
        )

    def differences(self) -> list[str]:
        """What `board_rules` leaves out, in words."""
        found = []
        if self.has_button:
            found.append("the button is not known and does not count")
        if self.tax == "ALL":
            found.append("the tax on groups is not known and is not paid")
        if self.tax == "SEKI" and self.scoring == "AREA":
            found.append("points in seki count under area scoring")
        if self.tax == "NONE" and self.scoring == "TERRITORY":
            found.append("points in seki do not count under territory scoring")
        return found


_JAPANESE = KataRules(ko="SIMPLE", scoring="TERRITORY", suicide=False)
_CHINESE = KataRules(ko="SIMPLE", suicide=False, white_handicap_bonus="N")
_SERVERS_CHINESE = KataRules(suicide=False, white_handicap_bonus="N")
_AGA = KataRules(ko="SITUATIONAL", suicide=False, white_handicap_bonus="N-1")
_STONES = KataRules(ko="SIMPLE", suicide=False, tax="ALL")

_NAMED = {
    "tromp-taylor": KataRules(),
    "chinese": _CHINESE,
    "chinese-ogs": _SERVERS_CHINESE,
    "chinese-kgs": _SERVERS_CHINESE,
    "japanese": _JAPANESE,
    "korean": _JAPANESE,
    "aga": _AGA,
    "bga": _AGA,
    "french": _AGA,
    "aga-button": msgspec.structs.replace(_AGA, has_button=True),
    "new-zealand": KataRules(ko="SITUATIONAL"),
    "stone-scoring": _STONES,
}


def read_rules(said: str | dict[str, Any]) -> tuple[str, KataRules]:
    """Read the ``rules`` of a query.

    Returns
    -------
    name : str
        For messages.
    rules : KataRules
        What the name or the object stands for.

    Raises
    ------
    QueryError
        For a name that is unknown, or an object with a wrong field.
    """
    if isinstance(said, str):
        name = said.strip().lower().replace("_", "-").replace(" ", "-")
        if name not in _NAMED:
            known = ", ".join(_NAMED)
            raise QueryError("rules", f"Could not parse rules: {quoted(said)} is none of {known}, nor an object")
        return name, _NAMED[name]
    try:
        return "these", msgspec.convert(said, KataRules)
    except msgspec.ValidationError as error:
        raise QueryError("rules", f"Could not parse rules: {error}") from None
