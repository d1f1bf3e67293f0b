"""Files that are written whole or not at all."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tesuji import writing
from tesuji.writing import check_writable, is_stream, opened_whole, write_whole


def test_write_whole__replaces_a_file_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    assert write_whole(path, "new é") == path
    assert path.read_bytes() == "new é".encode()
    write_whole(str(path), b"\x00\xff")
    assert path.read_bytes() == b"\x00\xff"
    assert [each.name for each in tmp_path.iterdir()] == ["a.txt"]


def interrupted(path: Path) -> None:
    with opened_whole(path) as file:
        file.write(b"half")
        assert path.read_text() == "old"
        raise KeyboardInterrupt


def test_opened_whole__an_error_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(KeyboardInterrupt):
        interrupted(path)
    assert path.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_write_whole__a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert is_stream(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, "through")
    reader.join()
    assert got == [b"through"]
    assert is_stream(pipe)


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="no /dev/stdout here")
def test_write_whole__standard_output_by_its_name() -> None:
    code = "from tesuji.writing import write_whole; write_whole('/dev/stdout', 'said')"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"said"


def test_check_writable__says_what_is_in_the_way(tmp_path: Path) -> None:
    check_writable(tmp_path / "new.txt")
    assert not list(tmp_path.iterdir())
    with pytest.raises(ValueError, match=r"there is no directory .*: make it, or give another place for new.txt"):
        check_writable(tmp_path / "missing" / "new.txt")


def renamings(source: str) -> list[str]:
    """The calls of a module that put a file in the place of another, or make one with a name of its own."""
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    return [
        ast.unparse(call)
        for call in calls
        if isinstance(call.func, ast.Attribute)
        and (
            (call.func.attr in ("replace", "rename") and len(call.args) == 1 and not call.keywords)
            or call.func.attr in ("mkstemp", "NamedTemporaryFile")
        )
    ]


def test_writing__only_this_module_replaces_files() -> None:
    package = Path(writing.__file__).parent
    found = {str(path.relative_to(package)): renamings(path.read_text()) for path in package.rglob("*.py")}
    assert {name: calls for name, calls in found.items() if calls} == {"writing.py": ["unfinished.replace(path)"]}
