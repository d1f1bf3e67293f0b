"""Every pair of options on a small game agrees with a plain Python search (`Shadow`) or is refused by the table.

Each simulation is followed. Threads are followed too: one simulation at a time is one walk, whoever makes it; what many
walks at once may lose is asked elsewhere (`test_invariants`).
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from search.followed import Followed, Situation
from tesuji.search import (
    BAST,
    PUCT,
    RAVE,
    UCB1,
    EpsilonGreedy,
    Evaluation,
    Grouping,
    HorizonPrior,
    MinimumMSE,
    OnePlayer,
    ProgressiveBias,
    SearchConfig,
    UCB1Tuned,
    VirtualVisits,
    Widening,
)
from tesuji.search.requirements import REQUIREMENTS, page

ROOT = Path(__file__).parents[2]


def split(state: Any) -> dict[str, list[int]]:
    """The even and the odd moves, where there are more than two."""
    moves = list(state.legal_moves())
    if len(moves) <= 2:
        return {}
    return {"even": [m for m in moves if m % 2 == 0], "odd": [m for m in moves if m % 2 == 1]}


def grouping(**fields: Any) -> Grouping:
    return Grouping(find=split, kinds=("even", "odd"), **fields)


def judged(judges: str, **fields: Any) -> dict[str, Any]:
    return {"judges": judges, "config": {"evaluation": Evaluation(batch_size=4, **fields)}}


# Each option: name -> values, each the fields of a `Situation`, those of its config by name.
OPTIONS: dict[str, dict[str, dict[str, Any]]] = {
    "graph": {
        mode: {"config": {"graph": mode}} for mode in ("tree", "dag", "shared-values", "shared-counts", "multipath")
    },
    "selection": {
        "ucb1": {"config": {"selection": UCB1()}},
        "tuned": {"config": {"selection": UCB1Tuned()}},
        "greedy": {"config": {"selection": EpsilonGreedy(epsilon=0.0)}},
        "epsilon": {"config": {"selection": EpsilonGreedy()}},
        "bast": {"config": {"selection": BAST()}},
        "puct": {"config": {"selection": PUCT()}},
    },
    "urgency": {"none": {}, "low": {"config": {"first_play_urgency": 0.3}}},
    "amaf": {
        "none": {},
        "rave": {"config": {"amaf": RAVE(k=50, c=0.2)}},
        "mse": {"config": {"amaf": MinimumMSE(bias=0.1)}},
        "fading": {"config": {"amaf": RAVE(k=50, fades=True, c=0.3)}},
        "fading mse": {"config": {"amaf": MinimumMSE(bias=0.1, fades=True)}},
        "near": {"config": {"amaf": RAVE(k=50, horizon=2)}},
    },
    "prior": {
        "none": {},
        "virtual visits": {"config": {"prior": VirtualVisits(visits=4)}},
        "bias": {"config": {"prior": ProgressiveBias()}},
        "horizon": {"config": {"prior": HorizonPrior(horizon=8)}},
    },
    "width": {
        "all": {},
        "two": {"config": {"width": 2, "width_walks": 6}},
        "best two": {"config": {"width": 2, "width_walks": 6}, "needs_priors": True},
    },
    "widening": {"off": {}, "on": {"config": {"widening": Widening(scale=1.2, rate=1 / 4, minimum=1)}}},
    "expansion": {name: {"config": {"expansion": name}} for name in ("one-child", "all-children", "whole-path")},
    "maturity": {"one": {}, "three": {"config": {"maturity": 3}}},
    "groups": {
        "none": {},
        "groups": {"grouping": grouping()},
        "apart": {"grouping": grouping(overlap=False)},
        "biased": {"grouping": grouping(biases={"even": 0.9})},
    },
    "solver": {"off": {}, "on": {"config": {"solver": True}}},
    "players": {
        "two": {},
        "one": {"for_one": True},
        "one, penalty": {"for_one": True, "config": {"one_player": OnePlayer(revisit="penalty", penalty=0.1)}},
        "one, allow": {"for_one": True, "config": {"one_player": OnePlayer(revisit="allow")}},
    },
    "evaluator": {
        "none": {},
        "values": judged("values"),
        "both": judged("both") | {"needs_priors": True},
        "priors": judged("priors") | {"needs_priors": True},
        "mixed": judged("values", weight=0.5),
        "rarely": judged("both", weight=0.5, after=2) | {"needs_priors": True},
        "thrice": judged("values", visits=3, weight=0.75),
    },
    "parallel": {
        "one": {},
        "lock-free": {"config": {"threads": 2}},
        "global lock": {"config": {"threads": 2, "parallel": "global-lock"}},
        "roots": {"config": {"threads": 2, "parallel": "roots"}},
    },
    "playouts": {"own": {}, "recorded": {"records": True}},
    "value": {"results": {}, "edges": {"config": {"value_from": "edges"}}},
    "saving": {"no": {}, "yes": {"saves": True}},
}
SENTENCES = {requirement.sentence for requirement in REQUIREMENTS}
Chosen = tuple[tuple[str, str], ...]


def situation_of(chosen: Chosen) -> Situation:
    """What some values of options make together."""
    fields: dict[str, Any] = {}
    config: dict[str, Any] = {"memory_bytes": 2**22}
    for option, value in chosen:
        given = dict(OPTIONS[option][value])
        config |= given.pop("config", {})
        fields |= given
    if fields.pop("needs_priors", False) and "prior" not in config and not isinstance(config.get("selection"), PUCT):
        config |= {"prior": VirtualVisits(visits=3)}
    return Situation(config=SearchConfig(**config), **fields)


def check(chosen: Chosen, simulations: int, folder: Path) -> bool:
    """Whether it works; else it is refused with a sentence of the table."""
    try:
        followed = Followed(situation_of(chosen))
    except ValueError as error:
        if str(error) not in SENTENCES:
            raise
        return False
    followed.follow(simulations, folder)
    return True


PAIRS = [
    pytest.param(((a, x), (b, y)), id=f"{a}={x} {b}={y}")
    for a, b in itertools.combinations(OPTIONS, 2)
    for x in OPTIONS[a]
    for y in OPTIONS[b]
]


@pytest.mark.parametrize("chosen", PAIRS)
def test_pairs__agree_with_the_shadow_or_are_refused(chosen: Chosen, tmp_path: Path) -> None:
    check(chosen, 32, tmp_path)


def crosses(seed: int) -> Iterator[Chosen]:
    """Values of all options at once, drawn by a fixed rule."""
    draw = random.Random(seed)
    while True:
        yield tuple((option, draw.choice(list(values))) for option, values in OPTIONS.items())


def check_crosses(seed: int, number: int, simulations: int, folder: Path) -> None:
    """So many that are not refused."""
    for chosen in crosses(seed):
        try:
            number -= check(chosen, simulations, folder)
        except Exception as error:
            raise AssertionError(f"{chosen}: {error}") from error
        if number == 0:
            return


@pytest.mark.parametrize("seed", range(4))
def test_crosses__agree_with_the_shadow(seed: int, tmp_path: Path) -> None:
    check_crosses(seed, 20, 32, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 140))
def test_crosses__many_more(seed: int, tmp_path: Path) -> None:
    check_crosses(seed, 50, 80, tmp_path)


def test_page__is_the_table() -> None:
    assert (ROOT / "docs/algorithms/requirements.md").read_text() == page(), "python -m tesuji.search.requirements > it"


def test_table__is_short_and_every_row_has_a_reason() -> None:
    assert len(REQUIREMENTS) <= 8
    assert all(requirement.why and ";" in requirement.sentence + requirement.why + ";" for requirement in REQUIREMENTS)
