"""The text of a game file: bytes in whatever charset become UTF-8.

SGF names its charset in the property CA. Many files name none, or a subset of the one they are written in; and the
trail bytes of Shift-JIS and Big5 look like SGF's brackets, so that a file has to be decoded before it is parsed.

This module knows the CA property and no more of SGF (`tesuji.go.records.sgf` does).
"""

from __future__ import annotations

import codecs
import re

from tesuji.go.rules.vertex import quoted

__all__ = ["to_utf8"]

# A bracket inside a comment is closed by "\]", so that the first plain CA[...] is the property.
_DECLARED = re.compile(rb"(?<![A-Za-z])CA\s*\[([^\]\\]{0,64})\]")

# What old files declare, and the superset of it that they are really written in.
_SUPERSETS = {"gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949", "big5": "cp950"}

_SAMPLE = b"(;C[\\\\])"


def to_utf8(data: bytes, charset: str | None = None) -> tuple[bytes, str]:
    """Decode SGF data and encode it again as UTF-8; a byte that is not in the charset costs one character.

    Parameters
    ----------
    data : bytes
        The content of a file.
    charset : str, optional
        How it is encoded, whatever it says. Otherwise the first CA property counts. Without one, or with one that is
        unknown, it is UTF-8 if most of it can be, and else Latin-1, which takes any byte.

    Returns
    -------
    data : bytes
        The same text in UTF-8; its CA property is left alone.
    remark : str
        What was wrong, empty if nothing.

    Raises
    ------
    ValueError
        If `charset` is unknown or cannot hold SGF.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace").encode("utf-8", "replace"), ""
    if charset is not None:
        return _recoded(data, _codec(charset), charset)
    declared = _DECLARED.search(data)
    name = declared[1].decode("ascii", "replace").strip() if declared else ""
    if name:
        try:
            return _recoded(data, _codec(name), name)
        except ValueError as error:
            return _recoded(data, _likely(data), name)[0], str(error)
    return (data, "") if data.isascii() else _recoded(data, _likely(data), "")


def _recoded(data: bytes, codec: str, name: str) -> tuple[bytes, str]:
    try:
        return data.decode(codec).encode("utf-8"), ""
    except UnicodeError as error:
        try:
            recoded = data.decode(codec, "replace")
        except UnicodeError:  # a codec that knows no replacement
            recoded = data.decode("latin-1")
        return recoded.encode(
            "utf-8", "replace"
        ), f"the text is not all valid in the charset {quoted(name or codec)}: {quoted(str(error), 100)}"


def _likely(data: bytes) -> str:
    """UTF-8 if more of its characters are there than bytes that are none; those are Latin-1's way to write accents."""
    decoded = data.decode("utf-8", "replace")
    strange = decoded.count("\N{REPLACEMENT CHARACTER}")
    others = sum(not letter.isascii() for letter in decoded) - strange if strange else 0
    return "latin-1" if strange > others else "utf-8"


def _codec(charset: str) -> str:
    """The codec for a charset; only such as leave the brackets of SGF where they are."""
    try:
        name = codecs.lookup(charset).name
        if _SAMPLE.decode(name) == _SAMPLE.decode("ascii"):
            return _SUPERSETS.get(name, name)
    except (LookupError, ValueError):
        pass
    raise ValueError(
        f"the charset {quoted(charset)} is unknown or cannot hold SGF: "
        "read the file with another one, for instance charset='utf-8'"
    )
