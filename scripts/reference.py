"""The API reference of the site, made from the docstrings when it is built: a hook of mkdocs (``mkdocs.yml``).

``docs/reference/index.md`` is a page as any other; the pages beside it exist only in the built site. What is public is
what a package's ``__all__`` names. NumPy's sections become lists; nothing else in a docstring is touched.
"""

from __future__ import annotations

import importlib
import inspect
import re
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

PACKAGES = ("tesuji", "tesuji.games", "tesuji.search", "tesuji.learning", "tesuji.go", "tesuji.experiments")
_SECTION = re.compile(r"^(Parameters|Attributes|Returns|Raises|Yields|Examples|See Also|Notes)\n-+\n", re.MULTILINE)
_ENTRY = re.compile(r"^(\S[^\n]*)\n((?:(?: {4}[^\n]*)?\n?)*)", re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages."""
    for package in PACKAGES:
        name = f"reference/{package}.md"
        files.append(File.generated(config, name, content=page_of(package)))
    return files


def page_of(package: str) -> str:
    """A page: what a package says about itself, then every public name."""
    module = importlib.import_module(package)
    names = [name for name in module.__all__ if not name.startswith("__")]
    parts = [f"# {package}", text_of(module)]
    parts += [described(name, getattr(module, name)) for name in sorted(names, key=str.lower)]
    return "\n\n".join(part for part in parts if part) + "\n"


def described(name: str, thing: Any) -> str:
    """A class, a function or a value."""
    if inspect.isclass(thing):
        return "\n\n".join([f"## {name}", signature_of(name, thing), text_of(thing), *members_of(thing)])
    if callable(thing):
        return "\n\n".join([f"## {name}", signature_of(name, thing), text_of(thing)])
    return f"## {name}\n\n```python\n{name} = {shortened(repr(thing))}\n```"


def members_of(kind: type) -> list[str]:
    """Its own public methods and properties that say what they do."""
    parts = []
    for name, member in vars(kind).items():
        function = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        text = inspect.getdoc(function) if not name.startswith("_") else None
        if not text or inspect.isclass(function) or inspect.ismemberdescriptor(function):
            continue
        shown = signature_of(name, function) if callable(function) else ""
        parts.append("\n\n".join(part for part in (f"### {kind.__name__}.{name}", shown, rendered(text)) if part))
    return parts


def signature_of(name: str, thing: Any) -> str:
    """How it is called, in a block; nothing where that is not known."""
    try:
        signature = str(inspect.signature(thing))
    except (TypeError, ValueError):
        return ""
    plain = re.sub(r"<(\w+)[^<>]*?>", r"<\1>", signature).replace("'", "")
    if len(plain) > 100:
        plain = re.sub(r", (?=\*?\*?\w+(:|=|,|\)))", ",\n    ", plain)
    return f"```python\n{name}{plain}\n```"


def text_of(thing: Any) -> str:
    """Its docstring; structs without one have a signature only."""
    own = getattr(thing, "__doc__", None)
    return rendered(inspect.cleandoc(own)) if own else ""


def rendered(text: str) -> str:
    """A docstring as Markdown."""
    text = re.sub(r"``([^`]+)``", r"`\1`", text)
    parts = _SECTION.split(text)
    done = [blocks(parts[0])]
    for title, body in zip(parts[1::2], parts[2::2], strict=True):
        done.append(f"**{title}**")
        done.append(blocks(body) if title in ("Examples", "Notes", "See Also") else entries(body))
    return "\n\n".join(part.strip("\n") for part in done if part.strip())


def entries(body: str) -> str:
    """``name : type`` with what is said below it, as a list."""
    lines = []
    for match in _ENTRY.finditer(body.strip("\n") + "\n"):
        name, colon, kind = match[1].partition(" : ")
        said = " ".join(match[2].split())
        lines.append(f"- `{name}`{f' ({kind})' if colon else ''}{f': {said}' if said else ''}")
    return "\n".join(lines)


def blocks(text: str) -> str:
    """Examples of Python in blocks of their own."""
    lines, out, inside = text.strip("\n").split("\n"), [], False
    for line in lines:
        starts = line.lstrip().startswith(">>> ")
        if starts and not inside:
            out += ["", "```pycon"]
            inside = True
        if inside and not line.strip():
            out.append("```")
            inside = False
        out.append(line)
    return "\n".join([*out, "```"] if inside else out)


def shortened(text: str) -> str:
    """The beginning of a long value."""
    return text if len(text) <= 200 else f"{text[:197]}..."
