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


def to_utf8(data: bytes, charset: str | None = None) -> bytes:
    """Decode SGF data and encode it again as UTF-8.

    Parameters
    ----------
    data : bytes
        The content of a file.
    charset : str, optional
        How it is encoded, whatever it says. Otherwise the first CA property counts; without one it is UTF-8 if it can
        be, and else Latin-1, which takes any byte.

    Returns
    -------
    bytes
        The same text in UTF-8; its CA property is left alone.

    Raises
    ------
    ValueError
        If the charset is unknown, or the data are not written in it.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace").encode("utf-8", "replace")
    if charset is None:
        declared = _DECLARED.search(data)
        charset = declared[1].decode("ascii", "replace").strip() if declared else ""
    if not charset and data.isascii():
        return data
    try:
        return data.decode(_codec(charset or "utf-8")).encode("utf-8")
    except UnicodeError as error:
        if not charset:
            return data.decode("latin-1").encode("utf-8")
        raise ValueError(
            f"the text is not valid in the charset {quoted(charset)}: {quoted(str(error), 100)}; "
            "read it with another one, for instance charset='latin-1'"
        ) from error


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
