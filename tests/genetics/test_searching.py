"""The searches find the best panel where it is known, and keep the rules."""

from __future__ import annotations

import itertools
import pickle

import numpy as np
import pytest

from genetics import people
from tesuji.genetics import ALGORITHMS, MCTS, Backward, Candidates, Drawing, GrQS, Problem, Spacing, TopN, find_panels
from tesuji.genetics import statistics as st
from tesuji.genetics.problem import Judging
from tesuji.genetics.rounds import merged, read_kept, search_on_workers, write_kept

LIMITS = {"evaluations": 20_000}


def make_problem(num_snps=12, size=3, seed=1, sizes=(20, 18, 16), **extra):
    genotypes, labels = people.make(num_snps, sizes, seed=seed)
    from tesuji._core import genetics as native

    counts = native.GroupMasks(labels.of_sample, len(sizes)).count(genotypes.rows)
    scores = st.combined(counts, st.Weights())
    order = np.argsort(-scores, kind="stable")
    candidates = Candidates(genotypes.of_snps(order), counts[order], scores[order], num_snps, {})
    return Problem(candidates, labels, size, drawing=Drawing(num_draws=2), **extra)


def optimum(problem):
    pairs = set(zip(*(p.tolist() for p in problem.pairs), strict=True))
    legal = [
        model
        for model in itertools.combinations(range(len(problem.candidates)), problem.size)
        if set(problem.included) <= set(model) and not any(pair in pairs for pair in itertools.combinations(model, 2))
    ]
    return max(problem.classifier.value(list(model)) for model in legal)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("algorithm", ["mcts", "mcts-plain", "grqs", "forward-backward"])
def test_small_problems_are_solved(algorithm, seed):
    problem = make_problem(seed=seed)
    found = find_panels(problem, algorithm, seed=seed, **LIMITS)
    assert found.best.value == pytest.approx(optimum(problem))
    assert found.best.value == problem.classifier.value(list(found.best.candidates))


def test_closing_proves_the_optimum_and_says_so():
    problem = make_problem()
    found = find_panels(problem, MCTS(look=1, rework=0), evaluations=200_000)
    assert found.is_optimal
    assert found.evaluated < 200_000
    assert found.best.value == pytest.approx(optimum(problem))


@pytest.mark.parametrize("objective", ["right", "balanced", "expected", "log-loss"])
def test_every_objective_is_made_large(objective):
    problem = make_problem(judging=Judging(objective=objective))
    assert find_panels(problem, "mcts", **LIMITS).best.value == pytest.approx(optimum(problem))


@pytest.mark.parametrize("algorithm", sorted(ALGORITHMS))
def test_every_algorithm_keeps_the_rules(algorithm):
    spacing = Spacing(min_distance=6000, max_r2=0.5)  # the SNPs of a chromosome are 5,000 apart
    include = frozenset({"rs4"})
    problem = make_problem(30, 4, spacing=spacing, include=include)
    found = find_panels(problem, algorithm, evaluations=3000)
    pairs = set(zip(*(p.tolist() for p in problem.pairs), strict=True))
    assert pairs
    for panel in found.panels:
        assert len(panel.candidates) == len(set(panel.candidates)) == 4
        assert list(panel.candidates) == sorted(panel.candidates)
        assert problem.candidates.place_of("rs4") in panel.candidates
        assert not any(pair in pairs for pair in itertools.combinations(panel.candidates, 2))
    assert [one.value for one in found.panels] == sorted((one.value for one in found.panels), reverse=True)
    rising = [one.value for one in found.improvements]
    assert rising == sorted(set(rising))
    assert rising[-1] == found.best.value


@pytest.mark.parametrize("algorithm", ["mcts", "grqs", "forward-backward", "mcts-beam"])
def test_one_thread_and_one_seed_repeat_a_search(algorithm):
    problem = make_problem(40, 5)
    one, two = (find_panels(problem, algorithm, evaluations=2000, seed=7) for _ in range(2))
    assert [p.candidates for p in one.panels[:1]] == [p.candidates for p in two.panels[:1]]


@pytest.mark.parametrize("algorithm", ["mcts", "grqs", "forward", "forward-backward"])
def test_several_threads_find_as_good_panels(algorithm):
    problem = make_problem()
    found = find_panels(problem, algorithm, evaluations=40_000, threads=3)
    if algorithm != "forward":
        assert found.best.value == pytest.approx(optimum(problem))


def test_given_slopes_search_everything_in_the_end():
    problem = make_problem(10, 3)
    found = find_panels(problem, GrQS(slopes=(1.0, 1.0, 1.0)), evaluations=10_000)
    assert found.is_optimal
    assert found.best.value == pytest.approx(optimum(problem))
    with pytest.raises(ValueError, match="2 slopes"):
        find_panels(problem, GrQS(slopes=(1.0, 1.0)), evaluations=10)


def test_top_n_takes_the_best_by_themselves():
    problem = make_problem(20, 4)
    counts = problem.candidates.counts
    found = find_panels(problem, TopN(statistic="delta"))
    best = np.argsort(-st.delta(counts), kind="stable")[:4]
    assert found.best.candidates == tuple(sorted(best.tolist()))


def test_a_search_goes_on_from_what_is_known(tmp_path):
    problem = make_problem(30, 4)
    long = find_panels(problem, "forward-backward", evaluations=20_000)
    short = find_panels(problem, "mcts-plain", evaluations=10, start=[long.best.candidates])
    assert short.best.value >= long.best.value
    path = tmp_path / "kept.json"
    assert read_kept(path, problem) is None
    kept = write_kept(path, problem, None, short)
    again = read_kept(path, problem)
    assert again == kept
    more = write_kept(path, problem, again, long)
    assert more.rounds == 2
    assert more.found.evaluated == short.evaluated + long.evaluated
    with pytest.raises(ValueError, match="other data or other rules"):
        read_kept(path, make_problem(30, 5))
    path.write_text("{}")
    with pytest.raises(ValueError, match="no rounds"):
        read_kept(path, problem)


class OneWorker:
    def run(self, function, tasks, *, on_result, **_):
        for task in tasks:
            task = pickle.loads(pickle.dumps(task))
            on_result(task, function(task))


def test_rounds_travel_to_workers_and_the_best_comes_back():
    problem = make_problem()
    seen = []
    found = search_on_workers(
        problem,
        "mcts",
        OneWorker(),
        3,
        evaluations=3000,
        on_round=lambda so_far, n: seen.append((n, so_far.best.value)),
    )
    assert [n for n, _ in seen] == [1, 2, 3]
    assert found.best.value == max(value for _, value in seen) == pytest.approx(optimum(problem))
    assert merged([found]).panels == found.panels


def test_a_caller_may_stop_a_search():
    problem = make_problem(40, 6)
    found = find_panels(problem, Backward(), seconds=60, on_progress=lambda so_far: False)
    assert found.was_stopped
    assert found.seconds < 30


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"size": 13}, "cannot be chosen from 12 candidates"),
        ({"size": 0}, "is none"),
        ({"size": 1, "include": frozenset({"rs1", "rs2"})}, "2 SNPs must be included"),
        ({"include": frozenset({"rs1", "rs6"}), "spacing": Spacing(min_distance=10_000)}, "must both be included"),
    ],
)
def test_problems_that_contradict_themselves(change, message):
    with pytest.raises(ValueError, match=message):
        make_problem(**change)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"algorithm": "mtcs"}, "did you mean 'mcts'"),
        ({"algorithm": "mcts"}, "goes on for ever"),
        ({"seconds": 0}, "seconds is 0"),
        ({"evaluations": 0}, "evaluations is 0"),
        ({"threads": 0, "seconds": 1}, "threads is 0"),
    ],
)
def test_searches_that_make_no_sense(arguments, message):
    with pytest.raises(ValueError, match=message):
        find_panels(make_problem(), **arguments)


def test_algorithms_are_checked_when_made():
    for change in ({"look": 0}, {"width": 0}, {"rework": -1}, {"beam": 3}, {"revisit": "x"}, {"order": "falling"}):
        with pytest.raises(ValueError, match=r"must be|needs"):
            MCTS(**change)
