"""`pack`: a problem in, the best plan within the time out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

import msgspec

from tesuji.packing.items import ItemLike, Number, PackingError, Sheet
from tesuji.packing.plan import Plan, plan_from_moves
from tesuji.packing.problem import PackingProblem
from tesuji.packing.verifier import verify
from tesuji.search import Orders, Solved, solve
from tesuji.search.strategies import Strategy

__all__ = ["default_strategy", "pack", "pack_problem"]


def default_strategy(threads: int = 1) -> Strategy:
    """What the comparison in ``docs/results/packing.md`` shows to be best at 10 s."""
    return Orders(threads=threads)


def pack(
    items: Iterable[ItemLike],
    *,
    width: Number | None = None,
    seconds: float = 10.0,
    rotate: bool = True,
    kerf: Number = 0,
    guillotine: bool = False,
    max_height: Number | None = None,
    sheets: Iterable[Sheet] | None = None,
    threads: int = 1,
    seed: int | None = None,
    simulations: int | None = None,
) -> Plan:
    """Pack rectangles on a strip of this width, as low as can be found in the time.

    Parameters
    ----------
    items : iterable of Item, (width, height) or (width, height, count)
        The rectangles.
    width, rotate, kerf, guillotine, max_height, sheets
        As in `PackingProblem`.
    seconds : float
        To search; less if the optimum is proved before.
    threads : int
        That search.
    seed : int, optional
        Of the random stream; drawn and recorded if not given.
    simulations : int, optional
        Ends the search after so many packings; with one thread and a seed the plan is then the same every time.

    Returns
    -------
    Plan
        Verified: see `verify`.

    Raises
    ------
    PackingError
        For a problem that cannot be packed.
    """
    problem = PackingProblem(
        items, width=width, rotate=rotate, kerf=kerf, guillotine=guillotine, max_height=max_height, sheets=sheets
    )
    return pack_problem(
        problem, seconds=seconds, strategy=default_strategy(threads), seed=seed, simulations=simulations
    )


def pack_problem(
    problem: PackingProblem,
    *,
    seconds: float | None = 10.0,
    strategy: str | Strategy | None = None,
    seed: int | None = None,
    simulations: int | None = None,
    begin_with: Plan | None = None,
    on_progress: Callable[[Solved], bool | None] | None = None,
    report_s: float = 0.2,
) -> Plan:
    """Search with any strategy, from nothing or from a plan that is there already.

    Ctrl-C ends it, and the plan is the best so far.

    Parameters
    ----------
    problem : PackingProblem
        What to pack.
    seconds, simulations, seed, on_progress, report_s
        As in `tesuji.search.solve`.
    strategy : str or Strategy, optional
        Of `tesuji.search`; if not given, `default_strategy`.
    begin_with : Plan, optional
        Of the same problem; the result is no worse.

    Raises
    ------
    PackingError
        If the plan to begin with is of another problem.
    """
    chosen = default_strategy() if strategy is None else strategy
    earlier = None if begin_with is None else _same_problem(problem, begin_with)
    if earlier is not None and earlier.is_optimal:
        return earlier
    if earlier is not None and isinstance(chosen, Orders):
        chosen = msgspec.structs.replace(chosen, begin_with=earlier.moves)
    game = problem.game()
    if game.is_over:  # nothing fits: there is nothing to search
        return plan_from_moves(problem, ())
    solved = solve(
        game,
        strategy=chosen,
        seconds=seconds,
        simulations=simulations,
        seed=seed,
        on_progress=on_progress,
        report_s=report_s,
    )
    assert solved.best_solution is not None
    plan = plan_from_moves(problem, solved.best_solution.moves)
    plan = msgspec.structs.replace(
        plan,
        improvements=solved.improvements,
        simulations=solved.simulations,
        seconds=solved.seconds,
        provenance=solved.provenance,
    )
    verify(problem, plan)
    return plan if earlier is None or _is_better(problem, plan, earlier) else earlier


def _is_better(problem: PackingProblem, plan: Plan, other: Plan) -> bool:
    sign: Literal[1, -1] = 1 if problem.objective == "worth" else -1
    return (sign * plan.value, -plan.height) > (sign * other.value, -other.height)


def _same_problem(problem: PackingProblem, plan: Plan) -> Plan:
    """The earlier plan, made again from its moves."""
    try:
        again = plan_from_moves(problem, plan.moves)
    except ValueError as error:
        raise PackingError(f"the plan to begin with is of another problem: {error}") from error
    if again.value != plan.value or not plan.moves:
        raise PackingError("the plan to begin with is of another problem, or was changed")
    return msgspec.structs.replace(again, improvements=plan.improvements, provenance=plan.provenance)
