"""What requires or forbids what in a search: one table, read by the checks, by their messages and by the documentation.

Everything else goes with everything else; ``tests/search/test_all_pairs.py`` tries every pair. A requirement is broken
by a config and by what comes with it: the game's players, an evaluator, groups of moves. It is checked when a config or
a search is made, never in the middle of a run.

``python -m tesuji.search.requirements`` prints the table as ``docs/algorithms/requirements.md`` has it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from tesuji.search.config import SearchConfig
    from tesuji.search.groups import Grouping

__all__ = ["REQUIREMENTS", "Requirement", "Situation", "check", "page"]


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    """A config and what comes with it.

    Attributes
    ----------
    config : SearchConfig
        How the search works.
    for_one : bool
        Whether the game is for one player.
    has_evaluator : bool
        Whether leaves are judged by an evaluator.
    grouping : Grouping or None
        How moves are grouped.
    """

    config: SearchConfig
    for_one: bool = False
    has_evaluator: bool = False
    grouping: Grouping | None = None

    @property
    def selection(self) -> str:
        """The name of the selection."""
        return type(self.config.selection).__name__

    @property
    def shares_nodes(self) -> bool:
        """Whether equal states share a node."""
        return self.config.graph in ("dag", "shared-counts", "multipath")


class Requirement(msgspec.Struct, frozen=True, kw_only=True):
    """Something that does not go together, and why.

    Attributes
    ----------
    what : str
        The two options, for the table.
    sentence : str
        The error: the rule and the remedy.
    why : str
        The reason of principle.
    is_broken : callable
        From a `Situation` to whether it breaks the rule.
    """

    what: str
    sentence: str
    why: str
    is_broken: Callable[[Situation], bool]


def _has_uneven_biases(situation: Situation) -> bool:
    return situation.grouping is not None and bool(situation.grouping.options().biases)


REQUIREMENTS: tuple[Requirement, ...] = (
    Requirement(
        what="BAST with AMAF, a prior, or a game for one player",
        sentence="BAST selects by bounds on results of 0..1 alone, which know no AMAF, no priors and no numbers of one "
        "player; leave those out, or use another selection",
        why="its bound is min(mean + delta_d + c_n, best bound below): another term would not be a bound any more, and "
        "a scale that moves would make old bounds wrong",
        is_broken=lambda s: (
            s.selection == "BAST" and (s.config.amaf is not None or s.config.prior is not None or s.for_one)
        ),
    ),
    Requirement(
        what="width without priors",
        sentence="width keeps the best moves by prior, but the config uses no priors; give prior, or PUCT",
        why="without an order there are no best moves to begin with",
        is_broken=lambda s: s.config.width is not None and s.config.prior is None and s.selection != "PUCT",
    ),
    Requirement(
        what="graph 'shared-values' with parallel 'roots'",
        sentence="graph 'shared-values' has one table, independent roots share nothing; use parallel='lock-free'",
        why="roots that share values are not independent, which is what they are for",
        is_broken=lambda s: s.config.graph == "shared-values" and s.config.parallel == "roots",
    ),
    Requirement(
        what="graph 'multipath' with several threads on one graph",
        sentence="graph 'multipath' marks what it has updated for one thread; use threads=1, or parallel='roots'",
        why="every simulation visits ancestors that other threads are visiting: each would have to wait for all",
        is_broken=lambda s: s.config.graph == "multipath" and s.config.threads > 1 and s.config.parallel != "roots",
    ),
    Requirement(
        what="an evaluator with expansion 'whole-path'",
        sentence="an evaluator judges the leaf of a walk, expansion 'whole-path' has none before the end of the game; "
        "use 'one-child'",
        why="a walk that goes on to the end leaves nothing to judge",
        is_broken=lambda s: s.has_evaluator and s.config.expansion == "whole-path",
    ),
    Requirement(
        what="solver with a game for one player",
        sentence="solver proves wins and losses, which one player does not have; one_player=OnePlayer(revisit='close') "
        "proves the optimum",
        why="a number is not won or lost",
        is_broken=lambda s: s.config.solver and s.for_one,
    ),
    Requirement(
        what="biases of groups without UCB1",
        sentence="biases of groups scale the bonus of UCB1: use selection=UCB1(), or no biases",
        why="a bias is the share of visits that groups of equal value get, which follows from UCB1's bonus alone",
        is_broken=lambda s: _has_uneven_biases(s) and s.selection != "UCB1",
    ),
    Requirement(
        what="groups that depend on the path with a graph that shares nodes",
        sentence="these groups depend on the path to a state, and a dag shares states: use graph='tree'",
        why="a node with several parents has several paths, and one list of edges",
        is_broken=lambda s: s.grouping is not None and s.grouping.depends_on_path and s.shares_nodes,
    ),
)


def check(situation: Situation) -> None:
    """Refuse what does not go together.

    Raises
    ------
    ValueError
        With the sentence of the first requirement that is broken.
    """
    for requirement in REQUIREMENTS:
        if requirement.is_broken(situation):
            raise ValueError(requirement.sentence)


def page() -> str:
    """The table for the documentation."""
    rows = [f"| {one.what} | {one.why} | {one.sentence} |" for one in REQUIREMENTS]
    lines = [
        "# What goes with what",
        "",
        "Every graph mode, selection, AMAF schedule, prior, width, grouping, solver, goal, evaluator and parallel mode",
        "goes with every other, but for the rows below. They are refused when the config or the search is made, never",
        "in the middle of a run. The table is `tesuji.search.requirements`; this page is printed by",
        "`python -m tesuji.search.requirements`, and `tests/search/test_all_pairs.py` tries every pair.",
        "",
        "| does not go together | why | what the error says |",
        "|---|---|---|",
        *rows,
        "",
        "Go adds three of its own, because of its rules: the solver proves by area, so territory rules refuse it;",
        "under superko a proof holds on its path only, so graphs that share nodes refuse the solver; the engine's",
        "priors look at the last moves, so graphs that share nodes refuse them.",
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    print(page(), end="")
