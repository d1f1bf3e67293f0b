"""No verdict on little data: every function that judges is fed small samples, of all experiments there are."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Callable
from itertools import combinations
from types import CodeType, FrameType
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tesuji.papers as papers_package
from papers.tiny import played
from tesuji.experiments.tuning.sweep import SweepRow
from tesuji.go.knowledge.playouts import ORIGINS
from tesuji.papers import error_curves, pividori_sweeps, rate_claims, registry, verdicts
from tesuji.papers.ablation import FEATURES, FULL
from tesuji.papers.basaldua_masters import Curve as PredictionCurve
from tesuji.papers.basaldua_masters import TopPatterns
from tesuji.papers.basaldua_moves import MoveShares
from tesuji.papers.basaldua_openings import Openings
from tesuji.papers.basaldua_packing import OPTIMUM, Optimum, Revisits
from tesuji.papers.basaldua_qualities import Levels, PrincipalComponents
from tesuji.papers.btt_go_playouts import Playouts
from tesuji.papers.error_curves import Curve
from tesuji.papers.findings import Comparison, Findings, Published
from tesuji.papers.genetics_aims import AimStudy
from tesuji.papers.genetics_minute import MinuteStudy
from tesuji.papers.genetics_worlds import WorldTables
from tesuji.papers.harness import Tournament
from tesuji.papers.huang_training import LearningCurve
from tesuji.papers.library_samegame import CONTESTANTS
from tesuji.papers.uct_dag import DagFigure
from tesuji.papers.uct_dag_alpha_beta import AlphaBetaFigure
from tesuji.papers.uct_dag_groups import BASE, GroupFigure
from tesuji.papers.uct_dag_maturity import MATURITIES, Maturity
from tesuji.papers.uct_dag_modes import COMBINATIONS, NAMES, Modes
from tesuji.papers.uct_dag_table import ENTRIES, TableSize
from tesuji.papers.verdicts import FEWEST, Bounds, mean_bounds, rate_bounds, rate_difference
from tesuji.papers.wls_quality import Quality
from tesuji.papers.wls_settling import Settling
from tesuji.search.choices import one_two_five

pytest.importorskip("matplotlib")

FEW = range(1, FEWEST)
JUDGES: list[Callable[[Bounds], str]] = [
    verdicts.difference,
    lambda found: verdicts.difference(found, 0.02),
    lambda found: verdicts.equivalence(found, 0.02),
    lambda found: verdicts.no_gain(found, 0.02),
    lambda found: verdicts.level(found, 0.05),
]


# --- the four kinds ---------------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(st.sampled_from([0.0, 0.01, 0.3, 1.0, -0.3, -1.0]), st.sampled_from(FEW), st.floats(0, 0.01))
def test_judges__decide_nothing_on_few_trials(value: float, trials: int, width: float) -> None:
    found = Bounds(value, value - width, value + width, trials)
    assert {judge(found) for judge in JUDGES} == {"open"}


@pytest.mark.parametrize(
    ("low", "high", "difference", "equivalence", "no_gain"),
    [
        (0.1, 0.2, "reproduced", "not reproduced", "not reproduced"),
        (0.01, 0.2, "reproduced", "open", "open"),
        (-0.1, 0.14, "open", "open", "open"),
        (-0.01, 0.01, "not reproduced", "reproduced", "reproduced"),
        (-0.2, -0.1, "not reproduced", "not reproduced", "reproduced"),
    ],
)
def test_judges__follow_the_interval(low: float, high: float, difference: str, equivalence: str, no_gain: str) -> None:
    found = Bounds((low + high) / 2, low, high, 200)
    assert verdicts.difference(found, 0.02) == difference
    assert verdicts.equivalence(found, 0.02) == equivalence
    assert verdicts.no_gain(found, 0.02) == no_gain


def test_all_of__is_only_as_good_as_its_worst() -> None:
    assert verdicts.all_of(["reproduced", "reproduced"]) == "reproduced"
    assert verdicts.all_of(["reproduced", "open"]) == "open"
    assert verdicts.all_of(["reproduced", "open", "not reproduced"]) == "not reproduced"
    assert verdicts.all_of([]) == "open"


# --- intervals --------------------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(st.lists(st.floats(-1, 1), max_size=40))
def test_mean_bounds__hold_the_mean_and_have_a_width_whatever_was_seen(values: list[float]) -> None:
    found = mean_bounds(values, least=-1, most=1)
    assert found.trials == len(values)
    assert -1 <= found.low < found.high <= 1
    if values:
        assert found.low <= np.mean(values) + 1e-9
        assert np.mean(values) - 1e-9 <= found.high


def test_mean_bounds__cover_the_truth_as_often_as_they_say() -> None:
    """Rare errors are the hard case: 3 % of the games err always, all others never."""
    rng = np.random.default_rng(1)
    hits = 0
    for _ in range(400):
        found = mean_bounds((rng.random(200) < 0.03).astype(float).tolist(), least=0, most=1)
        hits += found.low <= 0.03 <= found.high
    assert hits >= 380


@pytest.mark.parametrize("games", FEW)
def test_rates__of_few_games_decide_nothing(games: int) -> None:
    for points in (0, games):
        published = Published(value=0.93, margin=0.1, where="t")
        assert Comparison(quantity="q", ours=rate_bounds(points, games), published=published).verdict == "open"
        assert verdicts.difference(rate_difference((points, games), (games - points, games))) == "open"


# --- every function that makes a claim --------------------------------------------------------------------------------


def flat(error: float, games: int) -> Curve:
    return Curve("x", [10, 100], np.full((games, 2), error), games)


@pytest.mark.parametrize("games", FEW)
@pytest.mark.parametrize(("one", "other"), [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (0.19, 0.0)])
def test_curve_claims__of_few_games_are_open(one: float, other: float, games: int) -> None:
    pair = flat(one, games), flat(other, games)
    for claim in (
        error_curves.less_error("", *pair, (10,)),
        error_curves.improved("", *pair, (10, 100)),
        error_curves.alike("", *pair, (10, 100)),
        error_curves.not_improved("", *pair, (10, 100)),
        error_curves.close_to_zero("", pair[0], 10, 0.05),
    ):
        assert claim.verdict == "open"
    assert verdicts.equivalence(error_curves.independent_gap(*pair, 10), error_curves.MARGIN) == "open"


@pytest.mark.parametrize("games", FEW)
def test_rate_claims__of_few_games_are_open(games: int) -> None:
    for points in (0, games):
        assert rate_claims.beaten("", points, games).verdict == "open"
        assert rate_claims.scores_more("", (points, games), (games - points, games)).verdict == "open"


@pytest.mark.parametrize("games", FEW)
@pytest.mark.parametrize("wins", [(0, 1, 0), (1, 0, 0), (0, 0, 1), (1, 1, 1)])
def test_sweeps__of_few_games_are_open(wins: tuple[int, ...], games: int) -> None:
    rows = [
        SweepRow(
            value=value, games=games, wins=games * won, draws=0, losses=games * (1 - won),
            rate=won, low=0, high=1, elo=0, elo_low=0, elo_high=0,
        )
        for value, won in zip((0, 1, 2), wins, strict=True)
    ]  # fmt: skip
    assert pividori_sweeps.best_is_zero(rows).verdict == "open"
    assert pividori_sweeps.more_is_better(rows).verdict == "open"


# --- every experiment -------------------------------------------------------------------------------------------------


def small_tournament(experiment: Tournament, games: int, is_upset: bool) -> list[Any]:
    """All who meet play so many games, and the first in the list wins them all; in an upset the other one does."""
    spec = experiment.spec(1, 1)
    names = list(spec.names)
    pairs = (
        [(spec.champion, name) for name in names if name != spec.champion] if spec.champion else combinations(names, 2)
    )
    first, second = games - games // 2, games // 2
    won, lost = (0, second) if is_upset else (first, 0)
    return [game for one, two in pairs for game in played(one, two, won, first) + played(two, one, lost, second)]


def small_masters(experiment: Any, games: int, is_upset: bool) -> list[dict[str, Any]]:
    """Masters' games of which every one says the same, or in an upset the contrary."""
    sign = -1.0 if is_upset else 1.0
    if isinstance(experiment, PrincipalComponents | Levels):
        rng = np.random.default_rng(1)
        noise = rng.normal(scale=0.01, size=(games, 2, 2, 15))
        return [
            {
                "games": level,
                "version": version,
                "measured": (noise[..., :count] + sign * (level == "pro")).tolist(),
                "to_play": [[0, 1]] * games,
            }
            for level, version, count in (
                [("pro", 1, 15), ("pro", 2, 8)]
                if isinstance(experiment, PrincipalComponents)
                else [("kgs", 1, 15), ("pro", 1, 15)]
            )
        ]
    if isinstance(experiment, TopPatterns):
        worth = {"mean": 60.0 if is_upset else 45.0, "deviation": 0.1, "count": games}
        names = ("small knight's enclosure", "large knight's enclosure", "one-point enclosure")
        return [{"games": games, "patterns": {}, "best": {}, "enclosures": dict.fromkeys(names, worth)}]
    if isinstance(experiment, PredictionCurve):
        return [{"numbers": list(range(games)), "ranks": [300 if is_upset else 0] * games}]
    return [{"is_black": True, "simulations": 10, "margin": 40.0 * sign}] * games


def small_rows(experiment: Any, games: int, is_upset: bool) -> list[dict[str, Any]]:
    """What tasks would have found if the first kind of search were always right and the others always wrong.

    In an upset it is the other way round, as far as there is one: who claims the contrary is not believed either.
    """
    counts = one_two_five(getattr(experiment, "iterations", 10_000))
    right, wrong = [0] * len(counts), [10] * len(counts)
    if is_upset:
        right, wrong = wrong, right
    batches = [{"game": game, "first": 0, "repetitions": 10} for game in range(games)]
    if isinstance(experiment, DagFigure):
        about = {"nodes": 9, "redraws": 1, "winning": 1, "out_of_range": 0.1, "wrong": {"tree": wrong, "dag": right}}
        return [{**batch, "combination": c, **about} for batch in batches for c in (0.0, 0.1, 0.2, 0.3)]
    if isinstance(experiment, GroupFigure):
        return [
            {
                **batch,
                **msgspec.structs.asdict(groups),
                "wrong": wrong if groups.bias < 0.5 or groups == BASE else right,
            }
            for batch in batches
            for groups in (BASE, *experiment.groups)
        ]
    if isinstance(experiment, Modes):
        found = {mode: right if mode == "dag" else wrong for mode in NAMES}
        return [
            {**batch, "combination": c, "wrong": found, "nodes": dict.fromkeys(NAMES, 5.0)}
            for batch in batches
            for c in COMBINATIONS
        ]
    if isinstance(experiment, Maturity):
        names = ["whole path", *(f"maturity {visits}" for visits in MATURITIES)]
        found = {name: right if name == "whole path" else wrong for name in names}
        nodes = {name: [1.0] * len(counts) for name in names}
        return [{"size": "2x20", **batch, "wrong": found, "nodes": nodes} for batch in batches]
    if isinstance(experiment, AlphaBetaFigure):
        about = {"redraws": 0, "losing_share": 0.5, "leaves": 10**6, "is_right": True}
        return [{**batch, **about, "UCT": right, "flat Monte-Carlo": wrong} for batch in batches]
    if isinstance(experiment, WorldTables):
        about = {"processor_s": 1.0, "classified": 100.0, "found_after": 0.5, "evaluated": 9, "snps": []}
        return [
            {
                **about,
                "problem": "World7",
                "size": 4,
                "algorithm": name,
                "budget": budget,
                "values": [[90.0 - i] * 5] * 3,
            }
            for i, name in enumerate(("mcts", "mcts-thesis", "grqs", "topn"))
            for budget in range(min(games, 3))
        ]
    if isinstance(experiment, MinuteStudy):
        about = {"classified": 341.0, "evaluated": 9, "cpu_s": 60.0}
        return [
            {**about, "size": (8, 12)[i % 2], "seed": i, "algorithm": name, "value": 280.0 + place}
            for place, name in enumerate(("grqs", "mcts"))
            for i in range(games)
        ]
    if isinstance(experiment, AimStudy):
        return [
            {"name": name, "snps": snps, "split": i, "inner": 0.9, "right": 90 - place, "total": 100, "log_loss": 0.3}
            for place, (name, snps) in enumerate((("mcts", 12), ("forward", 12), ("Kidd's 55", 55)))
            for i in range(games)
        ]
    if isinstance(experiment, Optimum | Revisits):
        kinds = ("close",) if isinstance(experiment, Optimum) else ("close", "allow", "penalty")
        rest = {"at": 50, "simulations": 100, "improvements": [[1, OPTIMUM + 9.0], [50, OPTIMUM + 1.0]]}
        return [
            {"revisit": kind, "seed": game, "value": OPTIMUM + 5 * (kind != "close"), **rest}
            for kind in kinds
            for game in range(games)
        ]
    if isinstance(experiment, Quality):
        numbers = [each.published for each in experiment.settings]
        numbers = sorted(numbers) if is_upset else numbers  # the least error where none is claimed
        return [
            {"setting": each.name, "count": games, "sums": [v * games for v in published], "squares": [games] * 2}
            for each, published in zip(experiment.settings, numbers, strict=True)
        ]
    if isinstance(experiment, Settling):
        return [{"end": 25 * (game + 1), "times": [50.0 * game, 50.0 * game + 1]} for game in range(games)]
    if isinstance(experiment, MoveShares):
        about = {"size": 9, "simulations": 10}
        return [
            {**about, "policy": policy, "counts": [9 * (policy == "learning") + i for i in range(len(ORIGINS))]}
            for policy in ("base", "learning")
            for _ in range(games)
        ]
    if isinstance(experiment, Playouts):
        return [
            {
                "game": game,
                "weight": weight,
                "stops": stops,
                "moves": 9,
                "playouts": 10,
                "stopped": 5 * stops,
                "playout_moves": 90 - 50 * stops,
            }
            for weight in (1, 16)
            for stops in (False, True)
            for game in range(games)
        ]
    if isinstance(experiment, LearningCurve):
        return [{"player": "ABCDE", "seed": 1, "games": 3000, "curve": [[50, games, games]]}]
    if isinstance(experiment, PrincipalComponents | Levels | TopPatterns | PredictionCurve | Openings):
        return small_masters(experiment, games, is_upset)
    if isinstance(experiment, TableSize):
        turned_away, parents = (0, 2.5) if is_upset else (5, 1.0)
        numbers = {"move": 1, "simulations": 10, "known": 0, "entries": 9, "turned_away": turned_away, "threshold": 2}
        return [
            {
                "opening": game,
                "size": 9,
                "configuration": "no-group",
                "entries": entries,
                "moves": [{**numbers, "parents": parents}] * 3,
            }
            for game in range(games)
            for entries in ENTRIES
        ]
    more = {"is_empty": False, "simulations": 10, "curve": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], "seconds": 2.0}
    return [
        {"contestant": name, "board": game, "score": 100.0 * (place + game % 2), **more}
        for place, name in enumerate(reversed(CONTESTANTS) if is_upset else CONTESTANTS)
        for game in range(games)
    ]


def judged(found: Findings) -> set[str]:
    words = {claim.verdict for claim in found.claims} | {one.verdict for one in found.comparisons if one.published}
    return {str(word) for word in words}


def small_findings(name: str, games: int, is_upset: bool) -> Findings:
    experiment = registry.experiment(name)
    if name == "engine/ablation":
        wins = 0 if is_upset else games
        return experiment.render([game for each in FEATURES for game in played(FULL, each.player, wins, games)])
    small = small_tournament if isinstance(experiment, Tournament) else small_rows
    return experiment.render(small(experiment, games, is_upset))  # type: ignore[operator]


@pytest.mark.parametrize(("games", "is_upset"), [(1, False), (FEWEST - 1, False), (FEWEST - 1, True)])
@pytest.mark.parametrize("name", registry.names())
def test_every_experiment__of_few_games_leaves_everything_open(name: str, games: int, is_upset: bool) -> None:
    found = small_findings(name, games, is_upset)
    if name == "engine/ablation":
        assert {row[-1] for row in found.rows} == {"open"}
        return
    assert judged(found) <= {"open"}
    assert found.claims or found.comparisons
    assert all(claim.refuted_by for claim in found.claims)


def judges() -> dict[CodeType, str]:
    """All functions of the package that return a claim or a verdict, by what their annotations say."""
    found = {}
    for entry in pkgutil.iter_modules(papers_package.__path__):
        module = importlib.import_module(f"{papers_package.__name__}.{entry.name}")
        for name, function in inspect.getmembers(module, inspect.isfunction):
            returned = str(function.__annotations__.get("return", ""))
            if function.__module__ == module.__name__ and re.search(r"Claim|Verdict|\"open\"|'open'", returned):
                found[inspect.unwrap(function).__code__] = f"{entry.name}.{name}"
    return found


def test_every_judge__is_one_of_those_that_got_few_games() -> None:
    """Who adds a function that judges, and no small sample that reaches it, learns it here."""
    reached = set()

    def note(frame: FrameType, event: str, argument: object) -> None:
        del argument
        if event == "call":
            reached.add(frame.f_code)

    sys.setprofile(note)
    try:
        for name in registry.names():
            small_findings(name, FEWEST - 1, False)
    finally:
        sys.setprofile(None)
    known = judges()
    assert len(known) > 20
    assert not {name for code, name in known.items() if code not in reached}
