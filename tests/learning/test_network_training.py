"""Training on small positions: symmetries, losses, improvement, resuming; needs PyTorch."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tesuji.learning.network.architecture import Network, folded  # noqa: E402
from tesuji.learning.network.batches import Batches, turned  # noqa: E402
from tesuji.learning.network.curves import read_curve, write_page  # noqa: E402
from tesuji.learning.network.positions import Positions, packed  # noqa: E402
from tesuji.learning.network.shape import Shape  # noqa: E402
from tesuji.learning.network.trainer import Training, TrainingConfig, judged  # noqa: E402

CPU = torch.device("cpu")
SIZE = 5
SHAPE = Shape(planes=2, scalars=1, blocks=2, channels=8, middle=4, pooled=4, head=8)


def lessons(count: int, seed: int) -> Positions:
    """One stone on an empty board: the move is that point, its side wins if the stone lies above the diagonal."""
    rng = np.random.default_rng(seed)
    points = rng.integers(0, SIZE * SIZE, count)
    planes = np.zeros((count, 2, SIZE, SIZE), np.uint8)
    planes[np.arange(count), 0, points // SIZE, points % SIZE] = 1
    owners = np.where(np.arange(SIZE * SIZE)[None, :] == np.arange(SIZE * SIZE)[:, None], 1, -1).astype(np.int8)
    return Positions(
        rows=SIZE,
        columns=SIZE,
        num_planes=2,
        planes=packed(planes),
        scalars=np.zeros((count, 1), np.float32),
        moves=points.astype(np.int16),
        wins=(points % 2).astype(np.float32),
        scores=np.where(points % 2, 5.0, -5.0).astype(np.float32),
        games=points.astype(np.int32),
        owners=owners,
        movers=np.zeros(count, np.int8),
    )


def training(folder: Path, steps: int, **options: object) -> Training:
    batches = Batches(lessons(512, 1), CPU, size=64, symmetries=range(8), seed=1)
    held = Batches(lessons(100, 2), CPU, size=64, symmetries=(0,), seed=0)
    config = TrainingConfig(steps=steps, rate=1e-2, averaging=0.9, **options)  # type: ignore[arg-type]
    return Training(folder, SHAPE, config, sources=[(batches, 1.0)], held_out=[("held", held)])


def test_batches__stones_moves_and_owners_turn_together() -> None:
    batches = Batches(lessons(256, 1), CPU, size=64, symmetries=range(8), seed=1)
    batch = next(iter(batches))
    stones = batch.planes[:, 0].reshape(len(batch.planes), -1)
    np.testing.assert_array_equal(stones.argmax(dim=1), batch.policy)
    np.testing.assert_array_equal(batch.owned.reshape(len(stones), -1).argmax(dim=1), batch.policy)


def test_batches__a_board_that_is_no_square_has_no_diagonal_symmetry() -> None:
    one = lessons(8, 1)
    narrow = Positions(**{**vars(one), "columns": 4, "planes": one.planes[:, :5], "owners": one.owners[:, :20]})
    with pytest.raises(ValueError, match="no diagonal symmetry"):
        Batches(narrow, CPU, size=8, symmetries=range(8), seed=1)


@pytest.mark.parametrize("size", [7, 9, 13, 19])
@pytest.mark.parametrize("middle", [0, 4])
def test_network__judges_boards_of_every_size_and_folding_changes_nothing(size: int, middle: int) -> None:
    torch.manual_seed(1)
    network = Network(Shape(planes=3, scalars=2, blocks=2, channels=8, middle=middle, pooled=4, head=8))
    planes, scalars = torch.rand(3, 3, size, size), torch.rand(3, 2)
    for _ in range(3):  # the normalisations learn something
        network.train()(planes, scalars)
    before = network.eval()(planes, scalars)
    assert before.policy.shape == (3, size * size + 1)
    assert before.ownership.shape == (3, size, size)
    for one, other in zip(before, folded(network)(planes, scalars), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4)


def test_turned__every_symmetry_is_another_image() -> None:
    board = torch.arange(25).reshape(5, 5)
    assert len({tuple(turned(board, s).reshape(-1).tolist()) for s in range(8)}) == 8


def test_training__a_tiny_network_learns_on_the_processor(tmp_path: Path) -> None:
    held = Batches(lessons(100, 2), CPU, size=64, symmetries=(0,), seed=0)
    torch.manual_seed(1)
    before = judged(Network(SHAPE), held)
    last = training(tmp_path, steps=120).run()["held_out"]["held"]
    assert last["policy"] < before["policy"] - 1
    assert last["top1"] > before["top1"]
    assert last["owner"] > 0.9


def test_training__resumes_where_it_was_and_ends_where_it_should(tmp_path: Path) -> None:
    first = training(tmp_path, steps=20)
    first.run()
    weights = {name: value.clone() for name, value in first.average.state_dict().items()}
    again = training(tmp_path, steps=30)
    assert again.step == 20
    for name, value in again.average.state_dict().items():
        assert torch.equal(value, weights[name])
    again.run()
    assert again.step == 30
    assert [line["step"] for line in read_curve(tmp_path)] == [20, 30]


def test_training__an_error_in_the_middle_leaves_the_last_checkpoint(tmp_path: Path) -> None:
    training(tmp_path, steps=10).run()
    broken = training(tmp_path, steps=50)
    broken._learn = lambda batch: (_ for _ in ()).throw(RuntimeError("the GPU is gone"))  # type: ignore[method-assign]
    with pytest.raises(RuntimeError, match="the GPU is gone"):
        broken.run()
    assert training(tmp_path, steps=50).step == 10


def test_training__a_folder_with_another_shape_is_refused(tmp_path: Path) -> None:
    training(tmp_path, steps=5).run()
    batches = Batches(lessons(64, 1), CPU, size=64, symmetries=(0,), seed=1)
    with pytest.raises(ValueError, match="another shape"):
        Training(tmp_path, Shape(planes=2, scalars=1), TrainingConfig(steps=5), sources=[(batches, 1.0)])


def test_page__shows_the_figures_of_the_curve(tmp_path: Path) -> None:
    last = training(tmp_path, steps=10).run()
    page = write_page(tmp_path).read_text()
    assert f"{last['held_out']['held']['top1']:.3f}" in page
    assert json.loads((tmp_path / "curve.jsonl").read_text())["step"] == 10


@pytest.mark.parametrize("wrong", [{}, {"steps": 0}, {"seconds": -1.0}, {"steps": 5, "rate": 2.0}])
def test_config__what_makes_no_sense_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"must|needs"):
        TrainingConfig(**wrong)  # type: ignore[arg-type]
