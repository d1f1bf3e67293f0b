"""Who chooses the next values to try: CLOP, or a sampler of Optuna, behind one pair of questions.

`ask` gives values, `tell` takes the points of the games played with them; several points may be under way at once.
Where the optimum lies is not asked of a sampler: `tune.py` fits CLOP's regression to the games of either, because the
best value seen is mostly the luckiest.

Optuna's samplers want one number per trial, so each of their trials is a handful of games; CLOP takes game by game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any, Literal, Protocol

from tesuji.experiments.records import Setting
from tesuji.experiments.tuning.clop import Clop
from tesuji.experiments.tuning.parameters import ParameterRange
from tesuji.words import how_to_get, how_to_install

__all__ = ["METHODS", "Method", "Sampler", "Trial", "make_sampler"]

Method = Literal["clop", "tpe", "random", "qmc", "gp", "cmaes"]
METHODS: tuple[Method, ...] = ("clop", "tpe", "random", "qmc", "gp", "cmaes")
Trial = tuple[Mapping[str, Setting], Sequence[float]]
"""Values, and the points of the games played with them: 1, 0.5 or 0 each."""

_SAMPLERS = {
    "tpe": "TPESampler",
    "random": "RandomSampler",
    "qmc": "QMCSampler",
    "gp": "GPSampler",
    "cmaes": "CmaEsSampler",
}
_NEEDS = {"gp": ("torch",), "cmaes": ("cmaes",)}


class Sampler(Protocol):
    """Who chooses values."""

    def ask(self) -> dict[str, Setting]:
        """Return the values to try next, as they are to be played."""

    def tell(self, values: Mapping[str, Setting], points: Sequence[float]) -> None:
        """Take in the points of all games of a trial."""


def make_sampler(
    method: Method, parameters: Sequence[ParameterRange], *, seed: int, trials: Iterable[Trial] = ()
) -> Sampler:
    """Return a sampler that knows the trials there are.

    Parameters
    ----------
    method
        ``clop``, or one of Optuna's by its short name.
    parameters
        Of the search.
    seed
        The random seed of it. A run that goes on needs another one than the run before, lest it draws the same.
    trials
        Of earlier runs, oldest first.

    Raises
    ------
    ImportError
        That says what to install.
    """
    if method == "clop":
        return _ClopSampler(parameters, seed, trials)
    return _OptunaSampler(method, parameters, seed, trials)


def _rounded(parameters: Sequence[ParameterRange], values: Mapping[str, Setting]) -> dict[str, Setting]:
    return {parameter.name: parameter.rounded(values[parameter.name]) for parameter in parameters}


class _ClopSampler:
    """CLOP, game by game."""

    def __init__(self, parameters: Sequence[ParameterRange], seed: int, trials: Iterable[Trial]) -> None:
        self._parameters = parameters
        samples = ((values, each) for values, points in trials for each in points)
        self._clop = Clop.replay(parameters, samples, seed)

    def ask(self) -> dict[str, Setting]:
        return _rounded(self._parameters, self._clop.ask())

    def tell(self, values: Mapping[str, Setting], points: Sequence[float]) -> None:
        for each in points:
            self._clop.tell(values, each)


class _OptunaSampler:
    """A study of Optuna, kept in memory: the games in the store are its memory."""

    def __init__(
        self, method: Method, parameters: Sequence[ParameterRange], seed: int, trials: Iterable[Trial]
    ) -> None:
        optuna = _optuna(method)
        self._optuna = optuna
        self._parameters = parameters
        self._distributions = {parameter.name: _distribution(optuna, parameter) for parameter in parameters}
        self._study = optuna.create_study(direction="maximize", sampler=_sampler(optuna, method, seed))
        self._open: list[tuple[dict[str, Setting], Any]] = []
        for values, points in trials:
            self.tell(values, points)

    def ask(self) -> dict[str, Setting]:
        trial = self._study.ask(self._distributions)
        values = _rounded(self._parameters, trial.params)
        self._open.append((values, trial))
        return values

    def tell(self, values: Mapping[str, Setting], points: Sequence[float]) -> None:
        for position, (asked, trial) in enumerate(self._open):
            if asked == values:
                self._study.tell(trial, fmean(points))
                del self._open[position]
                return
        self._study.add_trial(
            self._optuna.create_trial(params=dict(values), distributions=self._distributions, value=fmean(points))
        )


def _optuna(method: Method) -> Any:
    try:
        import optuna
    except ImportError as error:
        raise ImportError(f"method {method} needs Optuna: {how_to_install('tune')}") from error
    from importlib.util import find_spec

    for package in _NEEDS.get(method, ()):
        if find_spec(package) is None:
            raise ImportError(f"Optuna's {_SAMPLERS[method]} needs {package}: {how_to_get(package)}")
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna


def _sampler(optuna: Any, method: Method, seed: int) -> Any:
    import warnings

    make: Callable[..., Any] = getattr(optuna.samplers, _SAMPLERS[method])
    more = {"constant_liar": True, "multivariate": True} if method == "tpe" else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        return make(seed=seed % 2**32, **more)


def _distribution(optuna: Any, parameter: ParameterRange) -> Any:
    if parameter.is_choice:
        return optuna.distributions.CategoricalDistribution(parameter.choices)
    low, high = parameter.bounds
    if parameter.type == "int":
        return optuna.distributions.IntDistribution(int(low), int(high), log=parameter.log)
    return optuna.distributions.FloatDistribution(low, high, log=parameter.log)
