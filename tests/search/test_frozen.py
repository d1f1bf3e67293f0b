"""Configs refuse values of another type when they are made, take NumPy's numbers, and vary by replace."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tesuji.go import EngineConfig
from tesuji.search import RAVE, UCB1, Beam, SearchConfig


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SearchConfig(solver="no"), "solver is 'no'; it must be True or False"),  # type: ignore[arg-type]
        (lambda: SearchConfig(solver=1), "solver is 1; it must be True or False"),  # type: ignore[arg-type]
        (lambda: SearchConfig(maturity=1.5), "maturity is 1.5; it must be a whole number"),  # type: ignore[arg-type]
        (lambda: SearchConfig(threads=True), "threads is True; it must be a whole number"),
        (lambda: SearchConfig(width="8"), "width is '8'; it must be a whole number or None"),  # type: ignore[arg-type]
        (lambda: SearchConfig(amaf=1), "amaf is 1; it must be RAVE, MinimumMSE or None"),  # type: ignore[arg-type]
        (lambda: UCB1(c="0.7"), "c is '0.7'; it must be a number"),  # type: ignore[arg-type]
        (lambda: EngineConfig(playouts="fuego"), "playouts is 'fuego'; it must be PlayoutPolicy"),  # type: ignore[arg-type]
        (lambda: EngineConfig(simulations="9"), "simulations is '9'; it must be a whole number or None"),  # type: ignore[arg-type]
        (lambda: Beam(width=2.5), "width is 2.5; it must be a whole number"),  # type: ignore[arg-type]
    ],
)
def test_config__refuses_a_value_of_another_type_when_it_is_made(make: Any, message: str) -> None:
    with pytest.raises(TypeError, match="^" + message.replace("(", r"\(")):
        make()


def test_config__takes_numpys_numbers_as_pythons_own() -> None:
    made = SearchConfig(
        threads=np.int64(2), selection=UCB1(c=np.float32(0.5)), amaf=RAVE(k=np.int32(10)), solver=np.True_
    )
    assert made == SearchConfig(threads=2, selection=UCB1(c=0.5), amaf=RAVE(k=10), solver=True)
    assert (type(made.threads), type(made.selection.c), type(made.solver)) == (int, float, bool)


def test_replace__changes_some_fields_and_checks_them() -> None:
    config = SearchConfig(maturity=3)
    assert config.replace(threads=2) == SearchConfig(maturity=3, threads=2)
    assert config == SearchConfig(maturity=3)
    with pytest.raises(ValueError, match="threads is 0"):
        config.replace(threads=0)
    with pytest.raises(TypeError, match="threads is 1.5"):
        config.replace(threads=1.5)
    with pytest.raises(TypeError, match="thread"):
        config.replace(thread=1)
