"""Training: from positions to a network, resumable, with a curve.

The loss is the cross-entropy of the move, plus that of the result, the score's (Huber) and the owners', each with a
weight. AdamW with decoupled decay, the rate warmed up and then lowered along a cosine over the whole training, which is
a number of steps or a number of seconds; the network that is kept is a moving average of the weights. On a GPU the
arithmetic is bfloat16 where the chip has it.

A folder holds all of a training: ``checkpoint.pt``, replaced as a whole now and then, and ``curve.jsonl``, a line for
each judgement. A training that ended by whatever cause goes on from its checkpoint. Needs PyTorch; knows no game.
"""

from __future__ import annotations

import itertools
import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from tesuji.learning.network.architecture import Network, Outputs
from tesuji.learning.network.batches import Batch, Batches
from tesuji.learning.network.shape import Shape
from tesuji.writing import opened_whole

__all__ = ["Training", "TrainingConfig", "judged", "losses"]

_CHECKPOINT, _CURVE = "checkpoint.pt", "curve.jsonl"
_VERSION = 1


@dataclass(frozen=True, kw_only=True)
class TrainingConfig:
    """How to train.

    Attributes
    ----------
    steps : int or None
        How many; None: as many as `seconds` allow.
    seconds : float or None
        How long, over all sittings together.
    rate : float
        The highest learning rate.
    warmup : float
        Share of the training in which the rate rises.
    decay : float
        Of the weights.
    averaging : float
        What the moving average keeps at each step, at most.
    settled : float
        Share of the training after which the statistics of the normalisations stay as they are, so that boards of
        several sizes are judged, and learnt from, by the same ones; 1: never, for boards of one size.
    win_weight, score_weight, owner_weight : float
        Of the parts of the loss; the move's is 1.
    teacher_weight : float
        Of what a teacher network says about the moves, where there is one; the recorded move has the rest.
    report_s : float
        Seconds between two judgements, each with a checkpoint.
    seed : int
        Of the first weights and of the shuffling.
    """

    steps: int | None = None
    seconds: float | None = None
    rate: float = 3e-3
    warmup: float = 0.02
    decay: float = 0.02
    averaging: float = 0.999
    settled: float = 1.0
    win_weight: float = 0.4
    score_weight: float = 0.02
    owner_weight: float = 0.3
    teacher_weight: float = 0.5
    report_s: float = 60.0
    seed: int = 1

    def __post_init__(self) -> None:
        if self.steps is None and self.seconds is None:
            raise ValueError("a training needs an end; give steps or seconds")
        if self.steps is not None and self.steps < 1:
            raise ValueError(f"steps is {self.steps}; it must be at least 1")
        if self.seconds is not None and not 0 < self.seconds < math.inf:
            raise ValueError(f"seconds is {self.seconds}; it must be above 0 and finite")
        if not 0 < self.rate < 1:
            raise ValueError(f"rate is {self.rate}; it must lie between 0 and 1")


def losses(outputs: Outputs, batch: Batch) -> dict[str, Tensor]:
    """Each part of the loss, a mean over the positions where it is known."""
    known = ~torch.isnan(batch.owned[:, 0, 0])
    owned = torch.where(known[:, None, None], batch.owned, 0.5)
    owner_loss = functional.binary_cross_entropy_with_logits(outputs.ownership, owned, reduction="none").mean((1, 2))
    return {
        "policy": _policy_loss(outputs.policy, batch.policy),
        "win": _mean_of_known(
            functional.binary_cross_entropy_with_logits(outputs.win, batch.wins.nan_to_num(0.5), reduction="none"),
            ~torch.isnan(batch.wins),
        ),
        "score": _mean_of_known(
            functional.huber_loss(outputs.score, batch.scores.nan_to_num(0.0), reduction="none", delta=10.0),
            ~torch.isnan(batch.scores),
        ),
        "owner": _mean_of_known(owner_loss, known),
    }


def _policy_loss(logits: Tensor, policy: Tensor) -> Tensor:
    if policy.dtype == torch.int64:
        return functional.cross_entropy(logits, policy, ignore_index=-1)
    return -(policy * functional.log_softmax(logits, dim=1)).sum(dim=1).mean()


def _mean_of_known(losses_of_all: Tensor, known: Tensor) -> Tensor:
    return (losses_of_all * known).sum() / known.sum().clamp(min=1)


def judged(network: torch.nn.Module, batches: Batches, size: int = 2048) -> dict[str, float]:
    """Judge positions that were kept out of training.

    Returns
    -------
    dict
        ``positions``; ``top1`` and ``top5``, how often the move is the network's first or among its first five;
        ``winner``, how often it knows the winner; ``owner``, the share of points whose owner it knows; ``score``, the
        mean error in points; ``policy``, ``win``: the losses.
    """
    network.eval()
    sums: dict[str, float] = {}
    counts: dict[str, float] = {}

    def add(name: str, values: Tensor, known: Tensor) -> None:
        sums[name] = sums.get(name, 0.0) + float(values[known].double().sum())
        counts[name] = counts.get(name, 0.0) + float(known.sum())

    with torch.inference_mode(), _arithmetic(batches.device):
        for batch in batches.once(size):
            outputs = Outputs(*(o.float() for o in network(batch.planes.float(), batch.scalars)))
            moves = batch.policy if batch.policy.dtype == torch.int64 else batch.policy.argmax(dim=1)
            top = outputs.policy.topk(min(5, outputs.policy.shape[1]), dim=1).indices == moves[:, None]
            has_move = moves >= 0
            add("top1", top[:, 0].float(), has_move)
            add("top5", top.any(dim=1).float(), has_move)
            logs = functional.log_softmax(outputs.policy, dim=1)
            add("policy", -logs.gather(1, moves.clamp(min=0)[:, None]).squeeze(1), has_move)
            decided = ~torch.isnan(batch.wins) & (batch.wins != 0.5)
            add("winner", ((outputs.win > 0) == (batch.wins > 0.5)).float(), decided)
            win_loss = functional.binary_cross_entropy_with_logits(
                outputs.win, batch.wins.nan_to_num(0.5), reduction="none"
            )
            add("win", win_loss, decided)
            add("score", (outputs.score - batch.scores).abs(), ~torch.isnan(batch.scores))
            known = ~torch.isnan(batch.owned) & (batch.owned != 0.5)
            add("owner", ((outputs.ownership > 0) == (batch.owned > 0.5)).float(), known)
    found = {name: sums[name] / counts[name] for name in sums if counts[name]}
    return {"positions": float(len(batches)), **found}


def _arithmetic(device: torch.device) -> torch.autocast:
    has_bfloat16 = device.type == "cuda" and torch.cuda.is_bf16_supported()
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=has_bfloat16)


class Training:
    """One training in its folder.

    Parameters
    ----------
    folder : Path
        Where it is kept; a training that is there already goes on.
    shape : Shape
        Of the network.
    config : TrainingConfig
        How to train.
    sources : sequence of (Batches, float)
        What to learn from, with the share of the steps that each gets.
    held_out : sequence of (str, Batches)
        What to judge by, with names.
    teacher : torch.nn.Module, optional
        A trained network that says more about the moves than the one that was played.
    begin_with : dict, optional
        Weights of a trained network of this shape to go on from.
    """

    def __init__(
        self,
        folder: Path,
        shape: Shape,
        config: TrainingConfig,
        *,
        sources: Sequence[tuple[Batches, float]],
        held_out: Sequence[tuple[str, Batches]] = (),
        teacher: torch.nn.Module | None = None,
        begin_with: dict[str, Any] | None = None,
    ) -> None:
        self.folder, self.shape, self.config = folder, shape, config
        self._held_out = list(held_out)
        self._streams = [iter(batches) for batches, _ in sources]
        self._shares = [share for _, share in sources]
        self.device = sources[0][0].device
        torch.manual_seed(config.seed)
        self.network = Network(shape)
        if begin_with is not None:
            self.network.load_state_dict(begin_with)
        self.network.to(self.device, memory_format=torch.channels_last)
        self._teacher = None if teacher is None else teacher.to(self.device, memory_format=torch.channels_last).eval()
        self.average = Network(shape).to(self.device)
        self.average.load_state_dict(self.network.state_dict())
        self._optimizer = torch.optim.AdamW(
            self._groups(), lr=config.rate, betas=(0.9, 0.98), fused=self.device.type == "cuda"
        )
        self._running = self.network
        self.step, self.trained_s = 0, 0.0
        folder.mkdir(parents=True, exist_ok=True)
        self._resume()

    def compile(self) -> None:
        """Have PyTorch compile the steps: faster on a GPU after a minute."""
        self._running = torch.compile(self.network, dynamic=False)

    def _groups(self) -> list[dict[str, Any]]:
        """Weights decay, biases and normalisations do not."""
        parameters = list(self.network.parameters())
        return [
            {"params": [p for p in parameters if p.dim() > 1], "weight_decay": self.config.decay},
            {"params": [p for p in parameters if p.dim() <= 1], "weight_decay": 0.0},
        ]

    @property
    def progress(self) -> float:
        """How much of the training is done, 0..1."""
        by_steps = 0.0 if self.config.steps is None else self.step / self.config.steps
        by_time = 0.0 if self.config.seconds is None else self.trained_s / self.config.seconds
        return min(1.0, max(by_steps, by_time))

    def run(self, on_report: Callable[[dict[str, Any]], None] | None = None) -> dict[str, Any]:
        """Train to the end.

        Parameters
        ----------
        on_report : callable, optional
            Told each line of the curve.

        Returns
        -------
        dict
            The last line.
        """
        reported_s = self.trained_s
        batches = self._batches()
        sums: dict[str, Tensor] = {}
        counted, began = 0, None
        while self.progress < 1.0:
            for name, loss in self._learn(next(batches)).items():
                sums[name] = sums.get(name, 0.0) + loss
            counted += 1
            if began is None:  # the first step may have been compiled first
                began = time.perf_counter() - self.trained_s
            if self.step % 16 == 0 and self.device.type == "cuda":
                torch.cuda.synchronize()  # the clock counts what is done, not what is asked for
            self.trained_s = time.perf_counter() - began
            if self.trained_s - reported_s >= self.config.report_s and self.progress < 1.0:
                self._report(sums, counted, on_report)
                sums, counted = {}, 0
                began = time.perf_counter() - self.trained_s  # judging is not training
                reported_s = self.trained_s
        return self._report(sums, counted, on_report)

    def _batches(self) -> Iterator[Batch]:
        """From the sources by their shares; which one is a matter of the step, so a resumed training goes on alike."""
        total = sum(self._shares)
        while True:
            point = (self.step * 0.6180339887498949) % 1.0 * total  # evenly spread, by the golden section
            sums = itertools.accumulate(self._shares)
            chosen = next((i for i, sum_to_here in enumerate(sums) if point < sum_to_here), -1)
            yield next(self._streams[chosen])

    def _learn(self, batch: Batch) -> dict[str, Tensor]:
        config = self.config
        for group in self._optimizer.param_groups:
            group["lr"] = config.rate * self._rate_share()
        self._set_mode()
        planes = batch.planes.to(torch.float32).contiguous(memory_format=torch.channels_last)
        with _arithmetic(self.device):
            outputs = self._running(planes, batch.scalars)
            taught = None if self._teacher is None else self._taught(planes, batch.scalars)
        outputs = Outputs(*(o.float() for o in outputs))
        parts = losses(outputs, batch)
        policy = parts["policy"]
        if taught is not None:
            parts["teacher"] = _policy_loss(outputs.policy, taught)
            policy = (1 - config.teacher_weight) * policy + config.teacher_weight * parts["teacher"]
        loss = (
            policy
            + config.win_weight * parts["win"]
            + config.score_weight * parts["score"]
            + config.owner_weight * parts["owner"]
        )
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 2.0)
        self._optimizer.step()
        self.step += 1
        self._take_average()
        return {name: part.detach() for name, part in parts.items()}

    def _set_mode(self) -> None:
        self.network.train()
        if self.progress >= self.config.settled:
            for module in self.network.modules():
                if isinstance(module, torch.nn.BatchNorm2d):
                    module.eval()

    def _taught(self, planes: Tensor, scalars: Tensor) -> Tensor:
        with torch.no_grad():
            assert self._teacher is not None
            policy: Tensor = self._teacher(planes, scalars).policy
            return functional.softmax(policy.float(), dim=1)

    def _rate_share(self) -> float:
        done, warmup = self.progress, self.config.warmup
        if done < warmup:
            return max(done / warmup, 1e-3)
        return 0.5 * (1 + math.cos(math.pi * (done - warmup) / (1 - warmup))) + 1e-3

    def _take_average(self) -> None:
        """The average follows quickly at first."""
        keep = min(self.config.averaging, (1 + self.step) / (10 + self.step))
        mine, theirs = list(self.average.parameters()), list(self.network.parameters())
        with torch.no_grad():
            torch._foreach_lerp_(mine, theirs, 1 - keep)
            for kept, now in zip(self.average.buffers(), self.network.buffers(), strict=True):
                if kept.is_floating_point():
                    kept.lerp_(now, 1 - keep)
                else:
                    kept.copy_(now)

    # The books ------------------------------------------------------------------------------------------------------

    def _report(
        self, sums: dict[str, Tensor], counted: int, on_report: Callable[[dict[str, Any]], None] | None
    ) -> dict[str, Any]:
        line: dict[str, Any] = {"step": self.step, "seconds": round(self.trained_s, 1), "progress": self.progress}
        line["loss"] = {name: float(total) / max(1, counted) for name, total in sums.items()}
        line["held_out"] = {name: judged(self.average, batches) for name, batches in self._held_out}
        self.save()
        with (self.folder / _CURVE).open("a") as curve:
            curve.write(json.dumps(line) + "\n")
        if on_report is not None:
            on_report(line)
        return line

    def save(self) -> None:
        """Write the checkpoint; the old one stands until the new one is complete."""
        state = {
            "version": _VERSION,
            "shape": asdict(self.shape),
            "config": asdict(self.config),
            "network": self.network.state_dict(),
            "average": self.average.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "step": self.step,
            "trained_s": self.trained_s,
        }
        with opened_whole(self.folder / _CHECKPOINT) as file:
            torch.save(state, file)

    def _resume(self) -> None:
        path = self.folder / _CHECKPOINT
        if not path.exists():
            return
        state = torch.load(path, map_location=self.device, weights_only=True)
        if state.get("version") != _VERSION or state["shape"] != asdict(self.shape):
            raise ValueError(f"{path} is of a network of another shape; name another folder, or remove it")
        self.network.load_state_dict(state["network"])
        self.average.load_state_dict(state["average"])
        self._optimizer.load_state_dict(state["optimizer"])
        self.step, self.trained_s = state["step"], state["trained_s"]
