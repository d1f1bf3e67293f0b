"""The arrows that scripts/layers.py watches over."""

import importlib.util
from pathlib import Path

import pytest

_SCRIPT = Path(__file__).parent.parent / "scripts" / "layers.py"
_spec = importlib.util.spec_from_file_location("layers", _SCRIPT)
assert _spec is not None
assert _spec.loader is not None
layers = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(layers)

SEARCHER = ("search", "searcher")


def problems(text: str, module: tuple[str, ...] = SEARCHER) -> list[str]:
    return list(layers.problems_of_imports(text, module))


@pytest.mark.parametrize(
    "text",
    [
        "from tesuji._core import go as _go",
        "from tesuji._core.go import Board",
        "import tesuji._core.go",
        "from .._core import go",
        "from .._core.go import Board",
        "if TYPE_CHECKING:\n    from tesuji._core import go",
        "def late():\n    from tesuji._core import search, go",
    ],
)
def test_parts__the_search_imports_nothing_of_go_in_whatever_words(text: str) -> None:
    (problem,) = problems(text)
    assert "tesuji._core.go: search may import games, search of it" in problem


def test_parts__the_whole_core_hides_which_part_is_meant() -> None:
    assert len(problems("from tesuji import _core")) == 1
    assert len(problems("from .. import _core")) == 1


def test_parts__what_a_package_may_import_is_silent() -> None:
    assert problems("from tesuji._core import search as _native\nfrom tesuji.games import Hex") == []
    assert problems("from tesuji._core import go, search", ("go", "gtp", "play")) == []


def test_parts__packages_above_the_domains_import_none() -> None:
    assert problems("from tesuji._core import games", ("experiments", "match")) != []


def test_the_checkout__keeps_every_arrow(capsys: pytest.CaptureFixture[str]) -> None:
    assert layers.main() == 0, capsys.readouterr().out
