"""A selector and a classifier in scikit-learn's manner, without needing scikit-learn.

``X`` is of shape (individuals, SNPs): copies of an allele, 0, 1, 2, and anything else (-1, NaN) for missing. Both work
in a ``Pipeline`` and with ``GridSearchCV`` and ``cross_val_score``, because they have ``get_params``, ``set_params``,
``fit`` and attributes that end with an underscore.

::

    make_pipeline(PanelSelector(size=12, seconds=10), GenotypeClassifier()).fit(X, y).score(X_test, y_test)
"""

from __future__ import annotations

import inspect
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tesuji._core import genetics as _native
from tesuji.genetics import statistics
from tesuji.genetics.draws import Drawing
from tesuji.genetics.genotypes import MISSING, Genotypes, Snp
from tesuji.genetics.labels import Labels
from tesuji.genetics.model import GroupModel
from tesuji.genetics.problem import Judging, Problem
from tesuji.genetics.scan import Candidates
from tesuji.genetics.searching import find_panels

__all__ = ["GenotypeClassifier", "PanelSelector"]


class _Estimator:
    """What scikit-learn asks of everything: parameters by name."""

    @classmethod
    def _names(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002 -- no estimator inside another here
        """The parameters that it was made with."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params: Any) -> Self:
        """Change parameters by name."""
        for name, value in params.items():
            if name not in self._names():
                raise ValueError(f"{type(self).__name__} has no parameter {name!r}; it has {', '.join(self._names())}")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.get_params().items())})"

    def _more_tags(self) -> dict[str, Any]:
        return {"allow_nan": True, "X_types": ["2darray"], "requires_y": True}

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags, TransformerTags

        is_classifier = hasattr(self, "predict")
        return Tags(
            estimator_type="classifier" if is_classifier else None,
            target_tags=TargetTags(required=True),
            classifier_tags=ClassifierTags() if is_classifier else None,
            transformer_tags=None if is_classifier else TransformerTags(),
            input_tags=InputTags(allow_nan=True),
        )


def _copies(x: ArrayLike) -> NDArray[np.int8]:
    """Genotypes of shape (individuals, SNPs) as copies of shape (SNPs, individuals)."""
    table = np.asarray(x, float)
    if table.ndim != 2:
        raise ValueError(f"X has {table.ndim} dimensions; it must be of shape (individuals, SNPs)")
    rounded = np.where(np.isin(table, (0, 1, 2)), table, MISSING)
    return np.ascontiguousarray(rounded.T.astype(np.int8))


def _groups(y: ArrayLike, count: int) -> tuple[NDArray[Any], NDArray[np.int32]]:
    classes, numbers = np.unique(np.asarray(y), return_inverse=True)
    if len(numbers) != count:
        raise ValueError(f"X has {count} individuals, y {len(numbers)} labels")
    if len(classes) < 2:
        raise ValueError("y has one class; at least two are needed to tell apart")
    return classes, numbers.astype(np.int32)


class GenotypeClassifier(_Estimator):
    """The classifier of 5.5.2: genotype distributions per class, the likeliest class wins.

    Parameters
    ----------
    pseudocount
        Added to the count of each genotype in each class.

    Attributes
    ----------
    classes_ : array
        The classes, sorted.
    model_ : GroupModel
        What was learned.
    """

    _estimator_type = "classifier"

    def __init__(self, pseudocount: float = 0.5) -> None:
        self.pseudocount = pseudocount

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:  # noqa: N803 -- scikit-learn's name
        """Learn from individuals of known class."""
        copies = _copies(X)
        self.classes_, numbers = _groups(y, copies.shape[1])
        self.n_features_in_ = copies.shape[0]
        self.model_ = GroupModel.learn(copies, numbers, [str(one) for one in self.classes_], self.pseudocount)
        return self

    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64]:  # noqa: N803
        """P(class | genotypes), of shape (individuals, classes)."""
        return self.model_.posteriors(self._checked(X))

    def predict(self, X: ArrayLike) -> NDArray[Any]:  # noqa: N803
        """The likeliest class of each individual."""
        copies = self._checked(X)
        return np.asarray(self.classes_[self.model_.log_likelihoods(copies).argmax(axis=1)])

    def score(self, X: ArrayLike, y: ArrayLike) -> float:  # noqa: N803
        """Share of right ones."""
        return float((self.predict(X) == np.asarray(y)).mean())

    def _checked(self, x: ArrayLike) -> NDArray[np.int8]:
        if not hasattr(self, "model_"):
            raise ValueError("this classifier has learned nothing yet; call fit first")
        copies = _copies(x)
        if copies.shape[0] != self.n_features_in_:
            raise ValueError(f"X has {copies.shape[0]} SNPs; this classifier learned {self.n_features_in_}")
        return copies


class PanelSelector(_Estimator):
    """Chooses the SNPs that classify best together.

    Parameters
    ----------
    size
        SNPs to choose.
    algorithm
        A name of `tesuji.genetics.ALGORITHMS`.
    seconds, evaluations
        Limits of the search.
    candidates
        SNPs that the search looks at: the best by themselves.
    pseudocount, objective, num_draws, test_share
        How a model is judged.
    threads, seed
        Of the search.

    Attributes
    ----------
    support_ : array of shape (SNPs,)
        Which were chosen.
    panel_ : tuple of int
        Their columns, ascending.
    value_ : float
        By the objective, on the draws of the search.
    """

    def __init__(
        self,
        size: int = 12,
        algorithm: str = "mcts",
        seconds: float | None = 10.0,
        evaluations: int | None = None,
        candidates: int = 5000,
        pseudocount: float = 0.5,
        objective: str = "log-loss",
        num_draws: int = 5,
        test_share: float = 400 / 1043,
        threads: int = 1,
        seed: int = 1,
    ) -> None:
        self.size, self.algorithm, self.seconds, self.evaluations = size, algorithm, seconds, evaluations
        self.candidates, self.pseudocount, self.objective = candidates, pseudocount, objective
        self.num_draws, self.test_share, self.threads, self.seed = num_draws, test_share, threads, seed

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:  # noqa: N803 -- scikit-learn's name
        """Choose SNPs for individuals of known class."""
        copies = _copies(X)
        classes, numbers = _groups(y, copies.shape[1])
        labels = Labels(tuple(str(one) for one in classes), numbers)
        snps = [Snp("0", str(i), 0, "1", "2") for i in range(len(copies))]
        samples = [str(i) for i in range(copies.shape[1])]
        genotypes = Genotypes.from_copies(samples, snps, copies)
        counts = _native.GroupMasks(numbers, len(classes)).count(genotypes.rows)
        scores = statistics.combined(counts, statistics.Weights())
        order = np.argsort(-scores, kind="stable")[: self.candidates]
        chosen = Candidates(genotypes.of_snps(order), counts[order], scores[order], len(copies), {})
        problem = Problem(
            chosen,
            labels,
            self.size,
            judging=Judging(objective=self.objective, pseudocount=self.pseudocount),  # type: ignore[arg-type]
            drawing=Drawing(num_draws=self.num_draws, test_share=self.test_share, seed=self.seed),
        )
        found = find_panels(
            problem,
            self.algorithm,
            seconds=self.seconds,
            evaluations=self.evaluations,
            threads=self.threads,
            seed=self.seed,
        )
        self.panel_ = tuple(sorted(int(order[place]) for place in found.best.candidates))
        self.support_ = np.zeros(len(copies), bool)
        self.support_[list(self.panel_)] = True
        self.n_features_in_, self.value_ = len(copies), found.best.value
        return self

    def transform(self, X: ArrayLike) -> NDArray[Any]:  # noqa: N803
        """The chosen columns."""
        if not hasattr(self, "panel_"):
            raise ValueError("this selector has chosen nothing yet; call fit first")
        table = np.asarray(X)
        if table.ndim != 2 or table.shape[1] != self.n_features_in_:
            raise ValueError(f"X is of shape {table.shape}; this selector learned {self.n_features_in_} SNPs")
        return np.asarray(table[:, list(self.panel_)])

    def fit_transform(self, X: ArrayLike, y: ArrayLike) -> NDArray[Any]:  # noqa: N803
        """Choose SNPs and return their columns."""
        return self.fit(X, y).transform(X)

    def get_support(self, indices: bool = False) -> NDArray[Any]:
        """Which SNPs were chosen, as a mask or as columns."""
        return np.flatnonzero(self.support_) if indices else self.support_

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[Any]:
        """The names of the chosen columns."""
        names = np.asarray([f"x{i}" for i in range(self.n_features_in_)] if input_features is None else input_features)
        return np.asarray(names[list(self.panel_)], dtype=object)
