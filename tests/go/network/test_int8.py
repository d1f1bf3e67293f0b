"""The network in int8: it says what the one in float32 says, and is used where the processor is made for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from tesuji.cli import main
from tesuji.go import Board, Engine
from tesuji.go.engine.presets import engine_preset
from tesuji.go.knowledge import network as network_module
from tesuji.go.knowledge.network import GoNetwork
from tesuji.learning.network import model as model_module
from tesuji.learning.network.model import ModelError, read_model, write_model
from tesuji.learning.network.processor import multiplies_bytes

DATA = Path(network_module.__file__).parent / "data"
WIN, SHARES = 0.1, 0.2
"""How far the two may differ in a position: in the chance to win, and in the shares (half the sum of differences)."""

needs_int8 = pytest.mark.skipif(not multiplies_bytes(), reason="this processor is not made for int8")


@pytest.fixture(autouse=True)
def _onnxruntime() -> None:
    pytest.importorskip("onnxruntime")


@pytest.fixture
def old_processor(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for module in (network_module, model_module):
        monkeypatch.setattr(module, "multiplies_bytes", lambda: False)
    network_module._loaded.cache_clear()
    yield
    network_module._loaded.cache_clear()


def positions(size: int, count: int) -> list[Board]:
    """Positions of a game of the plain engine."""
    engine, board, found = Engine(engine_preset("default").replace(simulations=40, seed=1)), Board(size), []
    for number in range(5 * count):
        move = engine.genmove(board)
        if move == "resign" or board.is_over:
            break
        board.play(move)
        if number % 5 == 4:
            found.append(board.copy())
    return found


@needs_int8
@pytest.mark.parametrize(("size", "count"), [(9, 8), (13, 6), (19, 4)])
def test_int8__agrees_with_float32(size: int, count: int) -> None:
    whole, rounded = (GoNetwork.load(name) for name in ("shipped-float32", "shipped-int8"))
    for board in positions(size, count):
        one, other = whole.judge(board), rounded.judge(board)
        assert abs(float(one.wins[0] - other.wins[0])) < WIN
        assert np.abs(one.shares - other.shares).sum() / 2 < SHARES
        assert abs(float(one.scores[0] - other.scores[0])) < 4
        assert np.abs(one.owned - other.owned).mean() < WIN


@needs_int8
def test_shipped__is_int8_where_the_processor_is_made_for_it() -> None:
    assert GoNetwork.load().model.description.arithmetic == "int8"
    assert GoNetwork.load("shipped-float32").model.description.arithmetic == "float32"


@pytest.mark.usefixtures("old_processor")
def test_shipped__is_float32_elsewhere() -> None:
    assert GoNetwork.load().model.description.arithmetic == "float32"


@pytest.mark.usefixtures("old_processor")
@pytest.mark.parametrize("name", ["shipped-int8", str(DATA / "network-int8.tesuji")])
def test_int8__is_refused_where_its_sums_would_overflow(name: str) -> None:
    with pytest.raises(ModelError, match=r"int8, which needs a processor with VNNI .* use the file in float32"):
        GoNetwork.load(name)


def test_shipped__both_are_small_and_of_one_training() -> None:
    files = [DATA / "network.tesuji", DATA / "network-int8.tesuji"]
    assert sum(file.stat().st_size for file in files) < 2 << 20
    whole, rounded = (read_model(file)[0] for file in files)
    assert (whole.arithmetic, rounded.arithmetic) == ("float32", "int8")
    assert rounded.provenance["held_out"] == whole.provenance["held_out"]
    for figures in rounded.provenance["quantised"]["held_out"].values():
        assert figures["int8"]["top1"] > figures["float32"]["top1"] - 0.02


MOVES = "".join(f";{'BW'[i % 2]}[{chr(97 + i % 9)}{chr(97 + i // 9 * 2)}]" for i in range(24))


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.sgf"
    lasts = [f"{a}{b}" for a in "bdfh" for b in "abcdefghi"]
    path.write_text("".join(f"(;GM[1]SZ[9]KM[6.5]RE[B+R]{MOVES};B[{x}]W[{y}])\n" for x in lasts for y in ("ih", "ii")))
    return path


@needs_int8
def test_quantise__writes_a_network_that_plays_and_says_how_good_it_is(games: Path, tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    target = tmp_path / "int8.tesuji"
    words = ["learn", "quantise", "shipped", str(games), "--to", str(target), "--positions", "64", "--judged", "200"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    assert "9x9 float32  top-1" in done.output
    assert "9x9    int8  top-1" in done.output
    description, network = read_model(target)
    assert description.provenance["quantised"]["ranges_by"] == {"9x9": 64}
    assert len(network) < 500_000
    judged, before = (GoNetwork.load(name).judge(Board(9)) for name in (target, "shipped-float32"))
    assert abs(float(judged.wins[0] - before.wins[0])) < 0.15
    again = CliRunner().invoke(main, ["learn", "quantise", str(target), str(games), "--to", str(tmp_path / "b")])
    assert again.exit_code == 2
    assert "is in int8 already; name a file in float32" in again.output


def test_quantise__what_is_no_network_is_refused_in_one_line(games: Path, tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    done = CliRunner().invoke(main, ["learn", "quantise", str(games), str(games), "--to", str(tmp_path / "b")])
    assert done.exit_code == 2
    assert "not a network of Tesuji's" in done.output
    assert not (tmp_path / "b").exists()


def test_quantise__games_that_teach_nothing_are_an_error(tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    (tmp_path / "short.sgf").write_text("(;GM[1]SZ[9]KM[5.5];B[aa];W[bb])")
    words = ["learn", "quantise", "shipped", str(tmp_path / "short.sgf"), "--to", str(tmp_path / "b")]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert "no positions to set the ranges by" in done.output


def test_begin__rounded_weights_are_no_beginning() -> None:
    for library in ("torch", "onnx"):
        pytest.importorskip(library)
    from tesuji.learning.network.begin import weights_of

    with pytest.raises(ModelError, match="is in int8, whose weights are rounded; begin with the file in float32"):
        weights_of(DATA / "network-int8.tesuji")


def test_quantise__a_network_that_is_built_otherwise_is_refused(games: Path, tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")
    description, network = read_model(DATA / "network.tesuji")
    model = onnx.load_from_string(network)
    for place in (*model.graph.initializer, *model.graph.node):
        if getattr(place, "name", "") == "heads.win.bias":
            place.name = "other.bias"
        for at, name in enumerate(getattr(place, "input", [])):
            if name == "heads.win.bias":
                place.input[at] = "other.bias"
    write_model(tmp_path / "odd.tesuji", description, model.SerializeToString())
    done = CliRunner().invoke(
        main, ["learn", "quantise", str(tmp_path / "odd.tesuji"), str(games), "--to", str(tmp_path / "b")]
    )
    assert done.exit_code == 2
    assert "is not built as this version builds them" in done.output
