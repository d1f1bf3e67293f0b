"""Commands for rules in KataGo's words (`tesuji.go.rules.kata_rules`), and about its models: there are none here.

What a board cannot count is refused. Fields that an object leaves out are those of Tromp-Taylor rules, as in KataGo.
"""

from __future__ import annotations

import msgspec

from tesuji.go.gtp.session import Session
from tesuji.go.rules.kata_rules import KataRules, read_rules, to_kata
from tesuji.go.rules.vertex import quoted
from tesuji.gtp.command import Command
from tesuji.gtp.words import GtpError

__all__ = ["COMMANDS"]


def get_rules(session: Session) -> str:
    """The rules as a JSON object."""
    return msgspec.json.encode(to_kata(session.board.rules).fields()).decode()


def set_rules(session: Session, *words: str) -> str:
    """Other rules, by name or by fields; komi stays."""
    text = " ".join(words)
    try:
        rules = _by_fields(text) if text.startswith("{") else read_rules(text)
    except ValueError as error:
        raise GtpError(f"syntax error: {error}") from error
    return _changed(session, rules)


def set_rule(session: Session, field: str, *words: str) -> str:
    """One field of the rules: the value as JSON or as a bare word."""
    text = " ".join(words)
    value: str | bool = text == "true" if text in ("true", "false") else text.strip('"')
    try:
        fields = to_kata(session.board.rules).fields() | {field: value}
        if field == "scoring":  # what is usual with it, as if only it were said
            fields = {name: said for name, said in fields.items() if name not in ("tax", "whiteHandicapBonus")}
        rules = read_rules(fields)
    except ValueError as error:
        raise GtpError(f"syntax error: {error}") from error
    return _changed(session, rules)


def get_models(_: Session) -> str:
    """KataGo's neural networks: there are none."""
    return "[]"


def _changed(session: Session, rules: KataRules) -> str:
    for difference in rules.differences():
        raise GtpError(f"syntax error: {difference}; {difference.remedy}")
    session.change_rules(rules.board_rules())
    return ""


def _by_fields(text: str) -> KataRules:
    try:
        fields = msgspec.json.decode(text.encode("utf-8", "replace"), type=dict[str, object])
    except (msgspec.DecodeError, RecursionError) as error:
        raise ValueError(f"{quoted(text)} is not a JSON object: {error}") from error
    if "komi" in fields:
        raise ValueError("komi is not a field of kata-set-rules; send it with the command komi")
    return read_rules(fields)


COMMANDS = {
    "kata-get-models": Command(get_models, lets_ponder=True),
    "kata-get-rules": Command(get_rules, lets_ponder=True),
    "kata-set-rule": Command(set_rule, 2, None),
    "kata-set-rules": Command(set_rules, 1, None),
}
