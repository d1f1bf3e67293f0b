"""Samplers: CLOP and Optuna's behind the same two questions."""

from __future__ import annotations

import random

import pytest

from tesuji.experiments.tuning.parameters import ParameterRange
from tesuji.experiments.tuning.samplers import METHODS, make_sampler

PARAMETERS = (
    ParameterRange(name="c", low=0, high=2),
    ParameterRange(name="k", low=1, high=1000, log=True, type="int"),
    ParameterRange(name="mode", choices=("x", "y")),
)


def sampler_of(method, seed=1, **more):
    try:
        return make_sampler(method, PARAMETERS, seed=seed, **more)
    except ImportError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.filterwarnings("ignore")  # of Optuna: what is experimental there
def test_samplers__ask_for_values_that_the_parameters_allow(method):
    sampler = sampler_of(method)
    draw = random.Random(1)
    asked = [sampler.ask() for _ in range(3)]  # several at once
    for _ in range(25):
        values = asked.pop(draw.randrange(3))
        assert list(values) == ["c", "k", "mode"]
        assert all(parameter.allows(values[parameter.name]) for parameter in PARAMETERS)
        assert isinstance(values["k"], int)
        sampler.tell(values, [draw.choice([0.0, 0.5, 1.0]) for _ in range(2)])
        asked.append(sampler.ask())


@pytest.mark.parametrize("method", ["clop", "tpe", "random"])
def test_samplers__what_was_told_before_counts(method):
    first = sampler_of(method)
    trials = []
    for _ in range(60):
        values = first.ask()
        trials.append((values, [float(values["c"] < 0.5)]))
        first.tell(*trials[-1])
    again = sampler_of(method, seed=2, trials=trials)
    later = [again.ask() for _ in range(30)]
    assert not [values for values in later if values in [told for told, _ in trials]]
    if method != "random":
        assert sum(values["c"] < 0.5 for values in later) > 12  # a quarter by chance


def test_samplers__a_missing_package_is_named(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    pytest.importorskip("optuna")
    with pytest.raises(ImportError, match="pip install cmaes"):
        make_sampler("cmaes", PARAMETERS, seed=1)


def test_samplers__without_optuna_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "optuna", None)
    with pytest.raises(ImportError, match=r"pip install \S+\[tune\]"):
        make_sampler("tpe", PARAMETERS, seed=1)
    make_sampler("clop", PARAMETERS, seed=1).ask()
