"""Rules in KataGo's words, by name or field by field, and as the rules of a board.

KataGo varies ko, scoring, tax, suicide, the button, what White receives for handicap stones, and whether dead stones
are agreed upon (https://lightvector.github.io/KataGo/rules.html). Its names mean here what they mean there: ``chinese``
has simple ko, and our `CHINESE`, with positional superko, is its ``chinese-kgs``.

Boards know no button and no tax but the one of Japanese rules (points in seki do not count). `KataRules.differences`
names what they leave out; whether that is refused or only said is the caller's choice.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

import msgspec

from tesuji.go.rules.ruleset import RULE_SETS, Rules, checked_komi
from tesuji.go.rules.vertex import quoted

__all__ = ["BONUSES", "MAX_KOMI", "NAMED", "Bonus", "Difference", "KataRules", "read_rules", "to_kata"]

Ko = Literal["SIMPLE", "POSITIONAL", "SITUATIONAL"]
Scoring = Literal["AREA", "TERRITORY"]
Tax = Literal["NONE", "SEKI", "ALL"]
Bonus = Literal["0", "N-1", "N"]
BONUSES: tuple[Bonus, ...] = get_args(Bonus)
MAX_KOMI = 400.0

_SWITCH = (True, False)
_CHOICES: dict[str, tuple[object, ...]] = {
    "ko": get_args(Ko),
    "scoring": get_args(Scoring),
    "tax": get_args(Tax),
    "suicide": _SWITCH,
    "hasButton": _SWITCH,
    "whiteHandicapBonus": BONUSES,
    "friendlyPassOk": _SWITCH,
}
_BOARD_KO: dict[Ko, Literal["simple", "positional", "situational"]] = {
    "SIMPLE": "simple",
    "POSITIONAL": "positional",
    "SITUATIONAL": "situational",
}
_KATA_KO: dict[str, Ko] = {board: kata for kata, board in _BOARD_KO.items()}


class Difference(msgspec.Struct, frozen=True):
    """A field that no board can count.

    Attributes
    ----------
    field : str
        KataGo's name of it.
    value : str or bool
        What is wanted.
    nearest : str or bool
        What a board does instead.
    reason : str
        What boards do or do not know.
    """

    field: str
    value: str | bool
    nearest: str | bool
    reason: str

    def __str__(self) -> str:
        """The field, its value and the reason."""
        return f"{self.field} is {_shown(self.value)}, but {self.reason}"

    @property
    def remedy(self) -> str:
        """What to send instead."""
        return f"send {self.field} {_shown(self.nearest)}"


class KataRules(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Rules as KataGo has them; what is not said is as in Tromp-Taylor rules.

    Attributes
    ----------
    ko : {"SIMPLE", "POSITIONAL", "SITUATIONAL"}
        What may not be repeated.
    scoring : {"AREA", "TERRITORY"}
        What counts.
    tax : {"NONE", "SEKI", "ALL"}
        Which points do not count after all: none, those in seki, or two of every group as well.
    suicide : bool
        Whether a chain may take its own last liberty.
    has_button : bool
        Whether the first pass is worth half a point.
    white_handicap_bonus : {"0", "N-1", "N"}
        What White receives for N handicap stones.
    friendly_pass_ok : bool
        Under area scoring, whether dead stones are agreed upon; if not, they count until they are captured.
    komi : float
        White's compensation where nobody names one.
    """

    ko: Ko = "POSITIONAL"
    scoring: Scoring = "AREA"
    tax: Tax = "NONE"
    suicide: bool = True
    has_button: bool = False
    white_handicap_bonus: Bonus = "0"
    friendly_pass_ok: bool = False
    komi: float = 7.5

    def fields(self) -> dict[str, str | bool]:
        """KataGo's object, without komi."""
        return {name: value for name, value in sorted(msgspec.to_builtins(self).items()) if name != "komi"}

    def differences(self) -> list[Difference]:
        """What `board_rules` leaves out."""
        is_area, found = self.scoring == "AREA", []
        usual = "NONE" if is_area else "SEKI"
        if self.has_button:
            found.append(Difference("hasButton", True, False, "there is no button"))
        if self.tax == "ALL":
            found.append(Difference("tax", self.tax, usual, "there is no tax on groups"))
        elif self.tax != usual:
            reason = f"points in seki {'count' if is_area else 'do not count'} under {self.scoring.lower()} scoring"
            found.append(Difference("tax", self.tax, usual, reason))
        if self.white_handicap_bonus != "0" and not is_area:
            reason = "White receives nothing for handicap stones under territory scoring"
            found.append(Difference("whiteHandicapBonus", self.white_handicap_bonus, "0", reason))
        return found

    def board_rules(self, *, has_bonus: bool = True) -> Rules:
        """The rules of a board, as near as they come; one of `RULE_SETS` where it says the same.

        Parameters
        ----------
        has_bonus : bool
            Whether the board gives White the handicap bonus; if not, the caller adds it to komi.
        """
        is_area, bonus = self.scoring == "AREA", self.white_handicap_bonus if has_bonus else "0"
        has_pass_stones = is_area and bonus == "N-1"  # territory that counts like area, less N - 1 for Black
        made = Rules(
            name=_board_name(self),
            scoring="area" if is_area and not has_pass_stones else "territory",
            ko=_BOARD_KO[self.ko],
            suicide=self.suicide,
            pass_stones=has_pass_stones,
            handicap_bonus="n" if is_area and bonus == "N" else "none",
            removes_dead=self.friendly_pass_ok or not is_area,
            komi=self.komi,
        )
        return next((rules for rules in RULE_SETS.values() if _plays_alike(rules, made)), made)


_JAPANESE = KataRules(ko="SIMPLE", scoring="TERRITORY", tax="SEKI", suicide=False, komi=6.5)
_CHINESE = KataRules(ko="SIMPLE", suicide=False, white_handicap_bonus="N", friendly_pass_ok=True)
_SERVERS_CHINESE = msgspec.structs.replace(_CHINESE, ko="POSITIONAL")
_AGA = KataRules(ko="SITUATIONAL", suicide=False, white_handicap_bonus="N-1", friendly_pass_ok=True)
_NEW_ZEALAND = KataRules(ko="SITUATIONAL", friendly_pass_ok=True)
_ING = KataRules(friendly_pass_ok=True)
_ANCIENT_AREA = KataRules(ko="SIMPLE", suicide=False, tax="ALL", friendly_pass_ok=True)

NAMED: dict[str, KataRules] = {
    "tromp-taylor": KataRules(),
    "chinese": _CHINESE,
    "chinese-ogs": _SERVERS_CHINESE,
    "chinese-kgs": _SERVERS_CHINESE,
    "japanese": _JAPANESE,
    "korean": _JAPANESE,
    "aga": _AGA,
    "bga": _AGA,
    "french": _AGA,
    "aga-button": msgspec.structs.replace(_AGA, has_button=True, komi=7.0),
    "new-zealand": _NEW_ZEALAND,
    "nz": _NEW_ZEALAND,
    "ing": _ING,
    "goe": _ING,
    "stone-scoring": _ANCIENT_AREA,
    "ancient-area": _ANCIENT_AREA,
    "ancient-territory": msgspec.structs.replace(_JAPANESE, tax="ALL"),
}


def to_kata(rules: Rules) -> KataRules:
    """The rules of a board as KataGo describes them: AGA's counting with pass stones is area counting."""
    is_area = rules.scoring == "area" or rules.pass_stones
    return KataRules(
        ko=_KATA_KO[rules.ko],
        scoring="AREA" if is_area else "TERRITORY",
        tax="NONE" if is_area else "SEKI",
        suicide=rules.suicide,
        white_handicap_bonus="N-1" if rules.pass_stones else "N" if is_area and rules.handicap_bonus == "n" else "0",
        friendly_pass_ok=is_area and rules.removes_dead,
        komi=rules.komi,
    )


def read_rules(said: str | dict[str, Any]) -> KataRules:
    """Read a name, in any case and with any signs between its words, or an object of fields.

    Raises
    ------
    ValueError
        For a name that is unknown, or an object with a wrong field.
    """
    if isinstance(said, str):
        for name, rules in NAMED.items():
            if _key(name) == _key(said):
                return rules
        raise ValueError(f"{quoted(said)} is none of {', '.join(NAMED)}, nor an object of fields")
    for field, value in said.items():
        _check(field, value)
    return msgspec.convert(_usual(said) | said, KataRules)


def _usual(said: dict[str, Any]) -> dict[str, Any]:
    """What the fields that are said imply for those that are not."""
    if said.get("scoring") == "TERRITORY":
        return {"tax": "SEKI", "komi": _JAPANESE.komi}
    return {"komi": NAMED["aga-button"].komi} if said.get("hasButton") else {}


def _check(field: str, value: object) -> None:
    if field == "komi":
        if isinstance(value, bool) or not isinstance(value, int | float) or not -MAX_KOMI <= value <= MAX_KOMI:
            raise ValueError(f"komi is {_shown(value)}; it must be a number from {-MAX_KOMI:g} to {MAX_KOMI:g}")
        checked_komi(value)
        return
    if field not in _CHOICES:
        raise ValueError(f"{quoted(field)} is not a field of rules; choose from {', '.join(_CHOICES)}, komi")
    choices = _CHOICES[field]
    if not any(type(value) is type(choice) and value == choice for choice in choices):
        raise ValueError(f"{field} is {_shown(value)}; it must be one of {', '.join(map(_shown, choices))}")


def _shown(value: object) -> str:
    """A value for a message: texts in quotes, others as JSON has them, cut where they are long."""
    return quoted(value) if isinstance(value, str) else quoted(msgspec.json.encode(value).decode()).strip("'")


def _key(name: str) -> str:
    return name.lower().translate({ord(sign): None for sign in "-_ "})


def _board_name(rules: KataRules) -> str:
    """How a board calls rules that are none of our rule sets."""
    same = (name for name, known in NAMED.items() if known.fields() == rules.fields())
    return next((f"katago-{name}" for name in same), "custom")


def _plays_alike(one: Rules, other: Rules) -> bool:
    return msgspec.structs.replace(one, name=other.name, komi=other.komi) == other
