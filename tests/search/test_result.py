"""A result is read when it is asked for, compared by what it says, and travels."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from tesuji.games import Connect4, SameGame
from tesuji.provenance import Provenance
from tesuji.search import Search, SearchConfig, SearchResult


def searched(seed: int = 1, **options: Any) -> SearchResult:
    return Search(Connect4(), SearchConfig(**options)).run(simulations=200, seed=seed)


def test_equality__results_that_say_the_same_are_equal() -> None:
    assert searched() == searched()
    assert searched() != searched(seed=2)
    assert searched() != "a result"


def test_pickle__a_copy_says_the_same_without_the_search() -> None:
    for result in (searched(), Search(SameGame.random(5, 5, 3, seed=1)).run(simulations=50, seed=1)):
        other = pickle.loads(pickle.dumps(result))
        assert other == result
        assert (other.counts, other.seconds, other.provenance) == (result.counts, result.seconds, result.provenance)
        assert other.simulations == result.simulations
        assert copy.copy(result) == result


def test_replace__copies_a_result_with_other_parts() -> None:
    result = searched()
    assert result.replace(seconds=2.5).seconds == 2.5
    assert result.replace(seconds=2.5) == result
    with pytest.raises(TypeError, match="no 'speed'"):
        result.replace(speed=1)
    with pytest.raises(AttributeError, match="value cannot be set"):
        result.value = 1.0  # type: ignore[misc]


def test_parts__are_read_once() -> None:
    result = searched()
    assert result.visits is result.visits
    assert result.provenance is result.provenance
    assert isinstance(result.provenance, Provenance)
    assert result.provenance.wall_time_s == result.seconds


def test_parts__nothing_is_read_before_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> Provenance:
        raise AssertionError("nobody asked for it")

    monkeypatch.setattr("tesuji.search.result.collect", refuse)
    result = searched()
    assert set(vars(result)) == {"_core", "_config", "_ended_at", "_found", "seed", "origin"}
    with pytest.raises(AssertionError, match="nobody asked"):
        _ = result.provenance
