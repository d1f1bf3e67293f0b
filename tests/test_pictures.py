"""The pictures of the documents: each has its code, and the script notices one that is stale."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    spec = importlib.util.spec_from_file_location("pictures", ROOT / "scripts" / "pictures.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "pictures", module)
    spec.loader.exec_module(module)
    return module


def test_gallery__every_picture_of_it_has_its_code(script: ModuleType) -> None:
    page = script.GALLERY.read_text(encoding="utf-8")
    shown = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page)
    assert [picture.path for picture in script.pictures(page)] == [script.GALLERY.parent / path for path in shown]
    assert len(shown) == page.count("```python")
    assert all(picture.path.exists() for picture in script.pictures(page))


def test_readme__its_pictures_are_made_by_the_script(script: ModuleType) -> None:
    made = {picture.path for picture in script.pictures(script.GALLERY.read_text(encoding="utf-8"))}
    shown = re.findall(r"!\[[^\]]*\]\(([^)]+\.svg)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert shown
    web = {path for path in shown if "web" in path}  # pages in a browser: their own script photographs them
    assert {ROOT / path for path in shown if path not in web} <= made


PAGE = """\
# A page

```python
from tesuji.search.view.drawing import Svg

Svg("<svg/>")
```

![nothing](images/nothing.svg)

<!-- slow -->
```python
raise AssertionError
```

![never](images/never.svg)
"""


def test_script__makes_what_is_missing_and_notices_what_is_stale(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "gallery.md"
    page.write_text(PAGE, encoding="utf-8")
    monkeypatch.setattr(script, "GALLERY", page)
    monkeypatch.setattr(script, "ROOT", tmp_path)
    picture = tmp_path / "images" / "nothing.svg"
    assert script.main(["--check"]) == 1
    assert not picture.exists()
    assert script.main([]) == 0
    assert picture.read_text(encoding="utf-8") == "<svg/>\n"
    assert script.main(["--check"]) == 0
    picture.write_text("<svg>other</svg>\n", encoding="utf-8")
    assert script.main(["--check"]) == 1
    assert "images/nothing.svg: STALE" in capsys.readouterr().out.replace("\\", "/")
    assert script.main(["--what"]) == 2


def test_script__says_which_code_shows_nothing(script: ModuleType) -> None:
    with pytest.raises(ValueError, match=r"the code of a\.svg ends with nothing that is a picture"):
        script.drawn(script.Picture(Path("a.svg"), "x = 1\n", False))
