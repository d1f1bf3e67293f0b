"""Commands for rules in KataGo's words (`tesuji.go.rules.kata_rules`).

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
    for difference in rules.differences():
        raise GtpError(f"syntax error: {difference}; {difference.remedy}")
    session.change_rules(rules.board_rules())
    return ""


def _by_fields(text: str) -> KataRules:
    try:
        fields = msgspec.json.decode(text.encode("utf-8", "replace"), type=dict[str, object])
    except (msgspec.DecodeError, RecursionError) as error:
        raise ValueError(f"{quoted(text)} is no JSON object: {error}") from error
    if "komi" in fields:
        raise ValueError("komi is no field of kata-set-rules; send it with the command komi")
    return read_rules(fields)


COMMANDS = {
    "kata-get-rules": Command(get_rules, lets_ponder=True),
    "kata-set-rules": Command(set_rules, 1, None),
}
