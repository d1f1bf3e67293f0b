"""Checks that no class of the C++ core has more than 25 private members: fields and methods.

A class beyond that has two jobs; split it along a noun that owns its fields. Types, constants (``static constexpr``),
friends and aliases do not count. It reads the text and knows no preprocessor; ``scripts/check`` runs it.

    python scripts/members.py           what breaks the rule
    python scripts/members.py --all     every class with its number, the largest first
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
CORE = ROOT / "core"
MOST = 25

NOISE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|^\s*#[^\n]*', re.S | re.M
)
TEMPLATE = re.compile(r"\btemplate\s*<")
CLASS = re.compile(r"\b(class|struct)\s+([A-Za-z_]\w*)\s*(?:final\s*)?(?::[^{;]*)?$", re.S)
ACCESS = re.compile(r"\s*(public|private|protected)\s*:(?!:)")
NO_MEMBER = re.compile(r"(using|friend|typedef|static_assert|enum|class|struct|union|requires)\b")


class Class(NamedTuple):
    """A class, and the declarations of its private members."""

    name: str
    line: int
    private: tuple[str, ...]


def classes_in(text: str) -> Iterator[Class]:
    """Every class and struct that a file defines, nested ones too."""
    clean = NOISE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    for start, brace, keyword, name in _definitions(clean):
        body = clean[brace + 1 : _end_of_block(clean, brace)]
        members = tuple(_private_members(body, "public" if keyword == "struct" else "private"))
        yield Class(name, clean.count("\n", 0, start) + 1, members)


def _definitions(clean: str) -> Iterator[tuple[int, int, str, str]]:
    for brace in (match.start() for match in re.finditer(r"\{", clean)):
        start = max(clean.rfind(mark, 0, brace) for mark in ";{}") + 1
        head = ACCESS.sub("", _without_template(clean[start:brace].rstrip()))
        found = CLASS.search(head)
        if found and not re.search(r"\benum\b|[()=]\s*$", head[: found.start()]):
            yield start + len(clean[start:brace]) - len(clean[start:brace].lstrip()), brace, found[1], found[2]


def _private_members(body: str, access: str) -> Iterator[str]:
    for statement in _statements(body):
        while match := ACCESS.match(statement):
            access, statement = match[1], statement[match.end() :]
        if access == "private":
            yield from _members_of(" ".join(statement.split()))


def _members_of(statement: str) -> Iterator[str]:
    """The members that one declaration makes: none, a method, or as many fields as it names."""
    text = re.sub(r"\[\[.*?\]\]|\balignas\s*\([^)]*\)", "", _without_template(statement)).strip()
    if not text or NO_MEMBER.match(text) or "static constexpr" in text:
        return
    plain = _without_angles(text)
    before_value = re.split(r"=|\{\}", plain, maxsplit=1)[0]
    if "(" in before_value or "operator" in before_value:
        yield text
        return
    while re.search(r"\([^()]*\)", plain):
        plain = re.sub(r"\([^()]*\)", "", plain)
    yield from (part.strip() for part in plain.split(","))


def _statements(body: str) -> Iterator[str]:
    """The declarations of a class's body, with every block as ``{}``."""
    at, text = 0, ""
    while at < len(body):
        if body[at] == ";":
            yield text
            text = ""
        elif body[at] == "{":
            at = _end_of_block(body, at)
            text += "{}"
            if not re.match(r"\s*[;,{]", body[at + 1 :]):  # the end of a function
                yield text
                text = ""
        else:
            text += body[at]
        at += 1


def _end_of_block(text: str, brace: int) -> int:
    depth = 0
    for at in range(brace, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at
    return len(text)


def _without_template(text: str) -> str:
    """Without ``template <...>`` and a ``requires`` of names in front."""
    while found := TEMPLATE.search(text):
        depth, at = 0, found.end() - 1
        while at < len(text):
            depth += {"<": 1, ">": -1}.get(text[at], 0)
            at += 1
            if depth == 0:
                break
        text = text[: found.start()] + text[at:]
    return re.sub(r"^\s*requires\s+\w+(<[^<>]*>)?\s", "", text)


def _without_angles(text: str) -> str:
    while re.search(r"<[^<>]*>", text):
        text = re.sub(r"<[^<>]*>", "", text)
    return text


def main(arguments: list[str]) -> int:
    """Print what breaks the rule, or with ``--all`` every class; return the exit status."""
    files = sorted(path for path in CORE.rglob("*.[ch]pp") if path.relative_to(CORE).parts[0] != "tests")
    found = [(file, one) for file in files for one in classes_in(file.read_text(encoding="utf-8"))]
    if "--all" in arguments:
        for file, one in sorted(found, key=lambda pair: -len(pair[1].private)):
            print(f"{len(one.private):3}  {one.name}  core/{file.relative_to(CORE)}:{one.line}")
        return 0
    broken = [
        f"core/{file.relative_to(CORE)}:{one.line}: {one.name} has {len(one.private)} private members; {MOST} at most"
        for file, one in found
        if len(one.private) > MOST
    ]
    print("\n".join(broken) or f"{len(found)} classes, none with more than {MOST} private members")
    return 1 if broken or not found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
