"""Rules in KataGo's words: a name, or a JSON object with a field for each question.

Not every combination exists here: what cannot be counted is refused. ``chinese`` has positional superko, as on KGS, and
`kata-get-rules` says so.
"""

from __future__ import annotations

import msgspec

from tesuji.go.gtp.session import Session
from tesuji.go.rules import AGA, CHINESE, JAPANESE, RULE_SETS, Rules, rules_named
from tesuji.go.vertex import quoted
from tesuji.gtp.command import Command
from tesuji.gtp.words import GtpError

__all__ = ["COMMANDS", "from_kata", "to_kata"]

_OTHER_NAMES = {"chinese-ogs": CHINESE, "chinese-kgs": CHINESE, "korean": JAPANESE, "bga": AGA}
_CHOICES: dict[str, tuple[object, ...]] = {
    "ko": ("SIMPLE", "POSITIONAL", "SITUATIONAL"),
    "scoring": ("AREA", "TERRITORY"),
    "suicide": (True, False),
    "tax": ("NONE", "SEKI"),
    "whiteHandicapBonus": ("0", "N", "N-1"),
    "hasButton": (False,),
    "friendlyPassOk": (True, False),
}


def to_kata(rules: Rules) -> dict[str, object]:
    """Rules as KataGo describes them. AGA's counting with pass stones gives the same as counting areas."""
    is_area = rules.scoring == "area" or rules.pass_stones
    return {
        "hasButton": False,
        "ko": rules.ko.upper(),
        "scoring": "AREA" if is_area else "TERRITORY",
        "suicide": rules.suicide,
        "tax": "NONE" if is_area else "SEKI",
        "whiteHandicapBonus": "N-1" if rules.pass_stones else "N" if rules.handicap_bonus == "n" else "0",
    }


def from_kata(fields: dict[str, object], base: Rules) -> Rules:
    """The rules that KataGo's fields describe; what they leave out is as in `base`.

    Raises
    ------
    ValueError
        For a field or a combination that does not exist here.
    """
    for name, value in fields.items():
        choices = _CHOICES.get(name)
        if choices is None:
            raise ValueError(f"{quoted(name)} is no field of the rules; choose from {', '.join(_CHOICES)}")
        if not any(value is choice or (isinstance(value, str) and value == choice) for choice in choices):
            raise ValueError(f"{name} is {quoted(str(value))}; it must be one of {', '.join(map(str, choices))}")
    wanted = {**to_kata(base), **fields}
    wanted.pop("friendlyPassOk", None)
    for rules in RULE_SETS.values():
        if to_kata(rules) == wanted:
            return rules
    made = Rules(
        name="custom",
        scoring="area" if wanted["scoring"] == "AREA" else "territory",
        ko=str(wanted["ko"]).lower(),  # type: ignore[arg-type]  # checked above
        suicide=bool(wanted["suicide"]),
        handicap_bonus="n" if wanted["whiteHandicapBonus"] == "N" else "none",
        komi=base.komi,
    )
    if to_kata(made) != wanted:
        raise ValueError("these fields together are no rules that are known here; send a name, as in chinese or aga")
    return made


def get_rules(session: Session) -> str:
    """The rules as a JSON object."""
    return msgspec.json.encode(to_kata(session.board.rules)).decode()


def set_rules(session: Session, *words: str) -> str:
    """Other rules, by name or by fields; komi stays."""
    text = " ".join(words)
    try:
        rules = _by_fields(text, session.board.rules) if text.startswith("{") else _by_name(text)
    except ValueError as error:
        raise GtpError(f"syntax error: {error}") from error
    session.change_rules(rules)
    return ""


def _by_fields(text: str, base: Rules) -> Rules:
    try:
        fields = msgspec.json.decode(text.encode("utf-8", "replace"), type=dict[str, object])
    except (msgspec.DecodeError, RecursionError) as error:
        raise ValueError(f"{quoted(text)} is no JSON object: {error}") from error
    return from_kata(fields, base)


def _by_name(text: str) -> Rules:
    return _OTHER_NAMES.get(text.lower()) or rules_named(text)


COMMANDS = {
    "kata-get-rules": Command(get_rules, lets_ponder=True),
    "kata-set-rules": Command(set_rules, 1, None),
}
