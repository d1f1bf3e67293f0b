"""Every formula of a config against `shadow.Shadow`: the walk, the counts, AMAF, priors, widening, expansion.

The games are small and their results hashes of the state, so each simulation is a few steps that the shadow repeats in
64-bit arithmetic from the published formulas. The C++ tests (core/tests/test_select.cpp) hold numbers done by hand.
"""

from __future__ import annotations

import msgspec
import pytest

from search.graph_view import GraphView
from search.shadow import Shadow
from search.toy_games import Picks
from tesuji.search import (
    BAST,
    PUCT,
    RAVE,
    UCB1,
    EpsilonGreedy,
    HorizonPrior,
    MinimumMSE,
    ProgressiveBias,
    Search,
    SearchConfig,
    UCB1Tuned,
    VirtualVisits,
    Widening,
)


def shadowed(game: Picks, config: SearchConfig, simulations: int, seed: int = 1) -> Shadow:
    """Run a search one simulation at a time, with its shadow beside it."""
    search, shadow = Search(game, config), Shadow(game.copy(), config)
    for _ in range(simulations):
        search.run(simulations=1, seed=seed)
        graph = GraphView(search.graph())
        shadow.follow(graph, game.trace.take())
        shadow.compare(graph)
    return shadow


SELECTIONS = {
    "UCB1": SearchConfig(selection=UCB1(c=0.7)),
    "UCB1 without exploration": SearchConfig(selection=UCB1(c=0.0)),
    "UCB1, first-play urgency": SearchConfig(selection=UCB1(c=0.3), first_play_urgency=0.8),
    "UCB1, pessimistic urgency": SearchConfig(selection=UCB1(c=0.5), first_play_urgency=-0.5),
    "UCB1-Tuned": SearchConfig(selection=UCB1Tuned()),
    "UCB1-Tuned, wide": SearchConfig(selection=UCB1Tuned(c=2.0)),
    "greedy": SearchConfig(selection=EpsilonGreedy(epsilon=0.0)),
    "BAST": SearchConfig(selection=BAST(c=0.5, smoothness=0.1)),
    "BAST, rough": SearchConfig(selection=BAST(c=0.2, smoothness=1.0)),
    "PUCT": SearchConfig(selection=PUCT(c=1.5)),
    "PUCT, urgency": SearchConfig(selection=PUCT(c=0.5), first_play_urgency=0.2),
}
AMAF = {
    "RAVE": SearchConfig(selection=UCB1(c=0.0), amaf=RAVE(k=100)),
    "RAVE and UCB1": SearchConfig(selection=UCB1(c=0.4), amaf=RAVE(k=10)),
    "RAVE with its own exploration": SearchConfig(selection=UCB1(c=0.0), amaf=RAVE(k=20, c=0.31)),
    "minimum MSE": SearchConfig(selection=UCB1(c=0.1), amaf=MinimumMSE(bias=0.05)),
    "minimum MSE with its own exploration": SearchConfig(selection=UCB1(c=0.0), amaf=MinimumMSE(bias=0.3, c=0.5)),
    "RAVE under UCB1-Tuned": SearchConfig(selection=UCB1Tuned(), amaf=RAVE(k=30)),
    "RAVE, urgency": SearchConfig(selection=UCB1(c=0.2), amaf=RAVE(k=30), first_play_urgency=0.4),
}
PRIORS = {
    "virtual visits": SearchConfig(selection=UCB1(c=0.5), prior=VirtualVisits(visits=5.0)),
    "virtual visits and RAVE": SearchConfig(selection=UCB1(c=0.2), prior=VirtualVisits(visits=2.5), amaf=RAVE(k=20)),
    "fading bias": SearchConfig(selection=UCB1(c=0.3), prior=ProgressiveBias(weight=0.5)),
    "permanent bias": SearchConfig(selection=UCB1(c=0.3), prior=ProgressiveBias(weight=0.5, fades=False)),
    "fading bias, urgency": SearchConfig(prior=ProgressiveBias(weight=0.5), first_play_urgency=0.5),
    "horizon": SearchConfig(selection=UCB1(c=0.3), prior=HorizonPrior(horizon=8.0)),
    "horizon and RAVE": SearchConfig(selection=UCB1(c=0.1), prior=HorizonPrior(horizon=8.0), amaf=RAVE(k=15)),
    "horizon and minimum MSE": SearchConfig(prior=HorizonPrior(horizon=5.0), amaf=MinimumMSE(bias=0.1)),
    "PUCT and virtual visits": SearchConfig(selection=PUCT(c=0.8), prior=VirtualVisits(visits=3.0)),
}
WIDENING = {
    "widening, nothing to order by": SearchConfig(widening=Widening(scale=1.0, rate=1 / 2, minimum=1)),
    "widening by prior": SearchConfig(widening=Widening(scale=1.5, rate=1 / 3, minimum=1), prior=VirtualVisits()),
    "widening by AMAF": SearchConfig(widening=Widening(scale=1.2, rate=1 / 4, minimum=2), amaf=RAVE(k=30)),
    "widening by both": SearchConfig(
        widening=Widening(scale=1.2, rate=1 / 4, minimum=1), amaf=MinimumMSE(bias=0.1), prior=ProgressiveBias()
    ),
    "widening at a rate that is not a fraction of one": SearchConfig(widening=Widening(scale=2.0, rate=0.7, minimum=1)),
}
EXPANSION = {
    "all children": SearchConfig(expansion="all-children"),
    "all children, maturity 4": SearchConfig(expansion="all-children", maturity=4),
    "all children, maturity 0": SearchConfig(expansion="all-children", maturity=0),
    "whole path": SearchConfig(expansion="whole-path"),
    "maturity 0": SearchConfig(maturity=0),
    "maturity 2": SearchConfig(maturity=2),
    "maturity 5": SearchConfig(maturity=5),
    "maturity 3 and RAVE": SearchConfig(maturity=3, amaf=RAVE(k=30)),
    "walks of two moves": SearchConfig(max_depth=2),
    "walks of one move": SearchConfig(max_depth=1, amaf=RAVE(k=30)),
}
ALL = SELECTIONS | AMAF | PRIORS | WIDENING | EXPANSION
SHARING = ("dag", "shared-values", "shared-counts", "multipath")


def sharing(graph: str) -> dict[str, SearchConfig]:
    """All configs in another graph mode than a tree."""
    return {f"{name}, {graph}": msgspec.structs.replace(config, graph=graph) for name, config in ALL.items()}


IN_A_GRAPH = {name: config for graph in SHARING for name, config in sharing(graph).items()}


@pytest.mark.parametrize("config", ALL.values(), ids=ALL.keys())
@pytest.mark.parametrize("takes_turns", [True, False], ids=["in turn", "in any order"])
def test_tree__every_simulation_follows_the_formulas(config: SearchConfig, takes_turns: bool) -> None:
    shadow = shadowed(Picks(seed=3, cells=5, length=4, takes_turns=takes_turns), config, simulations=60)
    assert shadow.num_choices > 40


@pytest.mark.parametrize("config", IN_A_GRAPH.values(), ids=IN_A_GRAPH.keys())
def test_graph_modes__every_simulation_follows_the_formulas(config: SearchConfig) -> None:
    game = Picks(seed=4, cells=5, length=4, takes_turns=False)
    shadow = shadowed(game, config, simulations=60)
    assert shadow.num_choices > 40


def test_dag__the_games_of_these_tests_reach_states_by_several_ways() -> None:
    shadow = shadowed(Picks(seed=4, cells=5, length=4, takes_turns=False), SearchConfig(graph="dag"), simulations=60)
    num_ways = sum(e.child is not None for n in shadow.by_key.values() if n.edges for e in n.edges.values())
    assert num_ways > len(shadow.by_key) + 5


@pytest.mark.parametrize("config", [*SELECTIONS.values(), *AMAF.values()], ids=[*SELECTIONS, *AMAF])
def test_tree__results_between_won_and_lost_are_counted_as_they_are(config: SearchConfig) -> None:
    values = [i / 64 for i in range(65)]
    assert shadowed(Picks(seed=5, cells=5, length=4, values=values), config, simulations=50).num_choices > 30


@pytest.mark.slow
@pytest.mark.parametrize("config", [*ALL.values(), *IN_A_GRAPH.values()], ids=[*ALL, *IN_A_GRAPH])
@pytest.mark.parametrize("seed", range(6))
def test_formulas__hold_in_larger_games_with_other_seeds(config: SearchConfig, seed: int) -> None:
    game = Picks(seed=seed, cells=5 + seed, length=4 + seed // 2, takes_turns=seed % 2 == 0)
    assert shadowed(game, config, simulations=300, seed=seed).num_choices > 150


def first_moves(config: SearchConfig, simulations: int) -> list[int]:
    """Visits of the root's edges, by move."""
    result = Search(Picks(cells=6, length=1, values=(0.5,)), config).run(simulations=simulations, seed=1)
    return result.visits.tolist()


def test_epsilon_greedy__takes_a_random_move_as_often_as_epsilon_says() -> None:
    # All results are equal, so greed keeps to the first of the moves once each was tried; the others get epsilon / 6.
    visits = sorted(first_moves(SearchConfig(selection=EpsilonGreedy(epsilon=0.3)), 12_000))
    expected = 12_000 * 0.3 / 6
    assert all(abs(n - expected) < 4 * expected**0.5 for n in visits[:5]), visits
    assert visits[5] == pytest.approx(12_000 * (0.7 + 0.05), rel=0.02)


def test_epsilon_greedy__is_uniform_where_epsilon_is_one() -> None:
    visits = first_moves(SearchConfig(selection=EpsilonGreedy(epsilon=1.0)), 12_000)
    chi_squared = sum((n - 2000) ** 2 / 2000 for n in visits)
    assert chi_squared < 20.5  # the 99.9 % point for 5 degrees of freedom
