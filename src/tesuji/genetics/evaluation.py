"""How well a panel classifies individuals that nobody looked at while it was chosen.

Numbers are with 95 % intervals where they are shares (Wilson's). The inner value of a search is not one of these: the
search has seen the individuals behind it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji.genetics.model import GroupModel

__all__ = ["Evaluation", "evaluate", "permutation_test", "wilson"]

Floats = NDArray[np.float64]
_BINS = 10


class Evaluation(msgspec.Struct, frozen=True, kw_only=True):
    """What happened to individuals of known group.

    Attributes
    ----------
    num_individuals : int
        How many there were.
    accuracy : float
        Share of right ones among the confident, by the rule of the search: the least confident 5 % are not classified,
        and those who are equally confident at the limit count in proportion.
    accuracy_everybody : float
        Share of right ones, everybody classified.
    accuracy_interval : tuple of float
        95 %, of `accuracy_everybody`.
    balanced_accuracy : float
        The mean of the groups' recalls, everybody classified.
    log_loss : float
        The mean of -log P(own group), in nats.
    calibration_error : float
        By how much confidence and accuracy differ, over ten bins of confidence, weighed by their sizes.
    calibration : list
        Of the bins that are not empty: mean confidence, accuracy, individuals.
    confusion : list of list of int
        [own group][assigned group].
    recall : dict
        Group -> share of its individuals that were recognised.
    groups : tuple of str
        Their names.
    """

    num_individuals: int
    accuracy: float
    accuracy_everybody: float
    accuracy_interval: tuple[float, float]
    balanced_accuracy: float
    log_loss: float
    calibration_error: float
    calibration: list[tuple[float, float, int]]
    confusion: list[list[int]]
    recall: dict[str, float]
    groups: tuple[str, ...]


def evaluate(
    model: GroupModel, copies: NDArray[np.int8], labels: NDArray[np.int32], unclassified: float = 0.05
) -> Evaluation:
    """Classify individuals of known group, given genotypes of shape (SNPs, individuals)."""
    who = np.flatnonzero(labels >= 0)
    if not len(who):
        raise ValueError("there is nobody to evaluate the panel on: no individual has a label")
    copies, labels = copies[:, who], labels[who]
    logs, posteriors = model.log_likelihoods(copies), model.posteriors(copies)
    groups = len(model.groups)
    assigned = logs.argmax(axis=1)
    right = assigned == labels
    top = np.sort(logs, axis=1)
    confusion = np.zeros((groups, groups), int)
    np.add.at(confusion, (labels, assigned), 1)
    sizes = confusion.sum(axis=1)
    recall = np.divide(np.diag(confusion), sizes, out=np.full(groups, np.nan), where=sizes > 0)
    own = np.maximum(posteriors[np.arange(len(labels)), labels], 1e-300)
    bins, error = _calibration(posteriors.max(axis=1), right)
    return Evaluation(
        num_individuals=len(labels),
        accuracy=share_right(top[:, -1] - top[:, -2], right, unclassified),
        accuracy_everybody=float(right.mean()),
        accuracy_interval=wilson(int(right.sum()), len(right)),
        balanced_accuracy=float(np.nanmean(recall)),
        log_loss=float(-np.log(own).mean()),
        calibration_error=error,
        calibration=bins,
        confusion=confusion.tolist(),
        recall={name: float(value) for name, value in zip(model.groups, recall, strict=True)},
        groups=model.groups,
    )


def share_right(confidence: Floats, right: NDArray[np.bool_], unclassified: float) -> float:
    """Right ones among the classified (5.42), ties at the limit in proportion."""
    n = len(right)
    out = int(unclassified * n + 1e-9)
    limit = np.sort(confidence)[out]
    above, at = confidence > limit + 1e-9, np.abs(confidence - limit) <= 1e-9
    kept = (n - out) - above.sum()
    return float((right[above].sum() + right[at].sum() * kept / at.sum()) / (n - out))


def wilson(right: int, total: int, z: float = 1.959964) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927)."""
    if total == 0:
        return 0.0, 1.0
    p = right / total
    middle = (p + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * math.sqrt(p * (1 - p) / total + z * z / (4 * total * total))
    return max(0.0, middle - half), min(1.0, middle + half)


def permutation_test(
    copies: NDArray[np.int8],
    labels: NDArray[np.int32],
    train: Sequence[int] | NDArray[np.integer],
    test: Sequence[int] | NDArray[np.integer],
    groups: Sequence[str],
    *,
    pseudocount: float = 0.5,
    repeats: int = 200,
    seed: int = 1,
) -> tuple[float, float]:
    """The accuracy of the panel with labels that were shuffled: its mean, and p of what was found.

    The panel's SNPs stay; what is learned and tested has random groups. p is (1 + as good ones) / (1 + repeats).
    """
    train, test = np.asarray(train), np.asarray(test)

    def accuracy(own: NDArray[np.int32]) -> float:
        masked = np.full_like(own, -1)
        masked[train] = own[train]
        model = GroupModel.learn(copies, masked, groups, pseudocount)
        return float((model.log_likelihoods(copies[:, test]).argmax(axis=1) == own[test]).mean())

    real = accuracy(labels)
    rng = np.random.default_rng(seed)
    both = np.concatenate([train, test])
    found = []
    for _ in range(repeats):
        shuffled = labels.copy()
        shuffled[both] = rng.permutation(labels[both])
        found.append(accuracy(shuffled))
    return float(np.mean(found)), (1 + sum(one >= real for one in found)) / (1 + repeats)


def _calibration(confidence: Floats, right: NDArray[np.bool_]) -> tuple[list[tuple[float, float, int]], float]:
    place = np.minimum((confidence * _BINS).astype(int), _BINS - 1)
    bins, error = [], 0.0
    for i in range(_BINS):
        inside = place == i
        if count := int(inside.sum()):
            mean, share = float(confidence[inside].mean()), float(right[inside].mean())
            bins.append((mean, share, count))
            error += abs(mean - share) * count / len(right)
    return bins, error
