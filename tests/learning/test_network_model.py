"""Model files: what was written comes back, and nothing else is believed."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from tesuji.learning.network.model import Description, Model, ModelError, read_model, write_model

DESCRIPTION = Description(game="go", planes=17, scalars=3, has_pass=True, name="4x48", provenance={"seed": 1})


def written(path: Path) -> bytes:
    write_model(path, DESCRIPTION, bytes(range(256)) * 8)
    return path.read_bytes()


def test_read_model__gives_what_was_written(tmp_path: Path) -> None:
    written(tmp_path / "a.tesuji")
    assert read_model(tmp_path / "a.tesuji") == (DESCRIPTION, bytes(range(256)) * 8)


def test_read_model__a_thousand_mutations_are_refused_in_one_line(tmp_path: Path) -> None:
    whole, path = written(tmp_path / "a.tesuji"), tmp_path / "b.tesuji"
    rng = np.random.default_rng(1)
    for number in range(1000):
        data = bytearray(whole)
        kind = number % 4
        at = int(rng.integers(len(data)))
        if kind == 0:
            data[at] ^= 1 << int(rng.integers(8))
        elif kind == 1:
            del data[at:]
        elif kind == 2:
            data[at:at] = rng.bytes(int(rng.integers(1, 9)))
        else:
            del data[at : at + int(rng.integers(1, 9))]
        path.write_bytes(data)
        with pytest.raises(ModelError) as refused:
            read_model(path)
        assert "\n" not in str(refused.value)


@pytest.mark.parametrize("data", [b"", b"\n", b"tesuji-network-1 \n", b"PK\x03\x04", b"\x08\x07onnx"])
def test_read_model__what_is_not_ours_is_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(data)
    with pytest.raises(ModelError, match="not a network of Tesuji's|damaged"):
        read_model(tmp_path / "a")


def test_read_model__a_file_that_is_not_there_is_an_error_in_words(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot be read: No such file"):
        read_model(tmp_path / "none")


def test_load__a_network_for_other_planes_is_refused(tmp_path: Path) -> None:
    written(tmp_path / "a.tesuji")
    with pytest.raises(ModelError, match="is for go with 17 planes and 3 numbers; here it must be go with 18 and 3"):
        Model.load(tmp_path / "a.tesuji", game="go", planes=18, scalars=3)


def test_load__bytes_that_are_no_network_are_refused_by_onnxruntime_in_one_line(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    written(tmp_path / "a.tesuji")
    with pytest.raises(ModelError, match="onnxruntime cannot run the network") as refused:
        Model.load(tmp_path / "a.tesuji", game="go", planes=17, scalars=3)
    assert "\n" not in str(refused.value)


def shipped() -> bytes:
    from importlib import resources

    return (resources.files("tesuji.go.knowledge") / "data" / "network.tesuji").read_bytes()


def test_load__a_thousand_mutations_of_the_network_that_ships_are_refused_in_one_line(tmp_path: Path) -> None:
    whole, path = shipped(), tmp_path / "b.tesuji"
    rng = np.random.default_rng(2)
    for number in range(1000):
        at = int(rng.integers(len(whole) if number % 2 else 1000))  # half of them in the two lines and what follows
        kind = number % 3
        put = b"" if kind == 1 else bytes([whole[at] ^ (1 << int(rng.integers(8)))])
        path.write_bytes(whole[:at] if kind == 2 else whole[:at] + put + whole[at + 1 :])
        with pytest.raises(ModelError) as refused:
            Model.load(path, game="go", planes=17, scalars=3)
        assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"planes": 18}, "cannot run the network"),
        ({"has_pass": False}, "answers in shapes"),
        ({"scalars": 4}, "cannot"),
    ],
)
def test_load__a_description_that_does_not_fit_its_network_is_refused(
    change: dict[str, int], why: str, tmp_path: Path
) -> None:
    pytest.importorskip("onnxruntime")
    (tmp_path / "a.tesuji").write_bytes(shipped())
    description, network = read_model(tmp_path / "a.tesuji")
    lying = msgspec.structs.replace(description, **change)
    write_model(tmp_path / "b.tesuji", lying, network)
    with pytest.raises(ModelError, match=why) as refused:
        Model.load(tmp_path / "b.tesuji", game="go", planes=lying.planes, scalars=lying.scalars)
    assert "\n" not in str(refused.value)


def test_exported__onnxruntime_says_what_pytorch_says(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    for library in ("onnx", "onnxruntime"):
        pytest.importorskip(library)
    from tesuji.learning.network.architecture import Network
    from tesuji.learning.network.export import write_network
    from tesuji.learning.network.shape import Shape

    torch.manual_seed(1)
    network = Network(Shape(planes=3, scalars=2, blocks=2, channels=8, middle=4, pooled=4, head=8)).eval()
    write_network(tmp_path / "a.tesuji", network, game="toy", provenance={})
    model = Model.load(tmp_path / "a.tesuji", game="toy", planes=3, scalars=2)
    rng = np.random.default_rng(1)
    for size in (7, 9, 19):
        planes, scalars = rng.integers(0, 2, (4, 3, size, size), dtype=np.uint8), rng.random((4, 2), np.float32)
        judged = model.judge(planes, scalars)
        with torch.inference_mode():
            said = network(torch.from_numpy(planes).float(), torch.from_numpy(scalars))
        np.testing.assert_allclose(judged.shares, said.policy.softmax(dim=1), atol=1e-5)
        np.testing.assert_allclose(judged.wins, said.win.sigmoid(), atol=1e-5)
        np.testing.assert_allclose(judged.scores, said.score, atol=1e-3)
        np.testing.assert_allclose(judged.owned, said.ownership.sigmoid(), atol=1e-5)
