"""Huang, Connell and McQuade 2003, tables 1 to 5: which features help, and how they are best shown.

Sixteen sets of features in two representations are trained; each representation has a tournament of everybody against
everybody (tables 1 and 3), from which follows what a feature adds (tables 2 and 4); and each player meets its
counterpart in the other representation (table 5). Beside that the player that the paper's conclusions propose, B and E
scalar, C and D binary, against both players that see all features.

The names of the columns of tables 1 and 3 are corrupted in the text that we have, so their values cannot be set beside
ours one by one: of these only the ends are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any, ClassVar

import msgspec
import numpy as np

from tesuji.experiments.players.expert import GtpExpert
from tesuji.go.opening.features import FEATURE_SETS, Representation
from tesuji.go.opening.task import OpeningTask
from tesuji.learning.td.play import Mover, best_moves, play_game, points_of
from tesuji.learning.td.task import OutcomeError
from tesuji.papers.findings import Cell, Claim, Findings
from tesuji.papers.harness import About
from tesuji.papers.huang_training import EXPERTS, GAMES, PlayerTask, network_in, opening_task, trained
from tesuji.papers.rate_claims import beaten
from tesuji.papers.rows import Row
from tesuji.papers.verdicts import Verdict

__all__ = ["TABLES", "TABLE_1", "TABLE_2", "TABLE_3", "TABLE_4", "TABLE_5", "feature_benefits", "rank_correlation"]

_BOTH: tuple[Representation, Representation] = ("scalar", "binary")
_GAMES_A_PAIR = 100
_BENEFIT: dict[str, dict[str, int]] = {
    "scalar": {"B": 4, "C": 3, "D": 13, "E": 8},  # table 2
    "binary": {"B": -5, "C": 5, "D": 14, "E": 18},  # table 4
}
_COUNTERPARTS = {  # table 5: what the binary player wins, in %
    "A": 50, "AB": 29, "AC": 63, "ABC": 48, "AD": 70, "ABD": 63, "ACD": 69, "ABCD": 66, "AE": 35, "ABE": 26, "ACE": 33,
    "ABCE": 52, "ADE": 49, "ABDE": 43, "ACDE": 49, "ABCDE": 54,
}  # fmt: skip
_RANGES = {"scalar": (42, 56), "binary": (21, 65)}  # tables 1 and 3: the least and the most


class MatchTask(msgspec.Struct, frozen=True, kw_only=True):
    """Games between two players, each of which begins half of them; their rows, once they are trained."""

    first: str
    second: str
    games: int
    seed: int
    players: dict[str, Row] = {}


class Tables(msgspec.Struct, frozen=True, kw_only=True):
    """All tables of one run, or one of them.

    Attributes
    ----------
    about : About
        What it is.
    table : int
        Which; 0: all.
    expert : str
        Who finishes games.
    """

    about: About
    table: int = 0
    expert: str = EXPERTS[0]
    options: ClassVar[Mapping[str, tuple[str, ...]]] = {"expert": EXPERTS}

    def num_first_tasks(self, scale: float, seed: int) -> int:
        """The players."""
        return len(_players(scale, seed))

    def tasks(self, scale: float, seed: int) -> Sequence[PlayerTask | MatchTask]:
        """Players to train, then their matches."""
        return [*_players(scale, seed), *_matches(scale, seed)]

    def with_found(self, task: MatchTask, rows: Sequence[Row]) -> MatchTask:
        """A match with its two players."""
        known = {row["player"]: row for row in rows if "weights" in row}
        return msgspec.structs.replace(task, players={name: known[name] for name in (task.first, task.second)})

    def run_task(self, task: PlayerTask | MatchTask) -> Row:
        """Train, or play."""
        return trained(task, self.expert) if isinstance(task, PlayerTask) else _played(task, self.expert)

    def render(self, rows: Sequence[Row]) -> Findings:
        """The tables, and what follows from them."""
        points = _points(rows)
        parts: dict[int, Callable[[], _Part]] = {
            1: lambda: _tournament(points, "scalar"),
            2: lambda: _benefits(points, "scalar"),
            3: lambda: _tournament(points, "binary"),
            4: lambda: _benefits(points, "binary"),
            5: lambda: _counterparts(points),
        }
        chosen = [part() for number, part in parts.items() if self.table in (0, number)]
        if self.table == 0:
            chosen.append(_combined(points))
        return Findings(
            columns=("table", "player or feature", "games", "ours %", "published %"),
            rows=[row for found, _ in chosen for row in found],
            claims=[claim for _, claims in chosen for claim in claims],
            notes=[
                "One player of each kind was trained: what a row says is of that player, and another seed of training"
                " gives another. Intervals of games say nothing about that.",
                "B does not depend on the position: a fully connected network can use it as more bias, and as nothing"
                " else. What is found for it is chance, or the rate of learning.",
            ],
        )


# --- what is done -----------------------------------------------------------------------------------------------------


def _players(scale: float, seed: int) -> list[PlayerTask]:
    games = max(1, round(GAMES * scale))
    kinds = [(letters, shown) for shown in _BOTH for letters in FEATURE_SETS]
    return [
        PlayerTask(letters=letters, representation=shown, games=games, seed=1000 * seed + number)
        for number, (letters, shown) in enumerate([*kinds, ("ABCDE", "combined")])
    ]


def _matches(scale: float, seed: int) -> list[MatchTask]:
    games = max(2, 2 * round(_GAMES_A_PAIR * scale / 2))
    pairs = [
        (f"{first} {shown}", f"{second} {shown}") for shown in _BOTH for first, second in combinations(FEATURE_SETS, 2)
    ]
    pairs += [(f"{letters} binary", f"{letters} scalar") for letters in FEATURE_SETS]
    pairs += [("ABCDE combined", f"ABCDE {shown}") for shown in _BOTH]
    return [
        MatchTask(first=first, second=second, games=games, seed=1000 * seed + number)
        for number, (first, second) in enumerate(pairs)
    ]


def _played(task: MatchTask, expert: str) -> Row:
    first, second = (_mover(name, task.players[name], expert) for name in (task.first, task.second))
    points, number, failures = 0.0, 0, 0
    opening = _opening(task.first, expert)
    try:
        while number < task.games:
            rng = np.random.default_rng([task.seed, number // 2, failures])
            seats = (first, second) if number % 2 == 0 else (second, first)
            try:
                margin = play_game(opening, seats, rng)
            except OutcomeError:
                failures += 1
                if failures > task.games:
                    raise
                continue
            points += points_of(margin if number % 2 == 0 else -margin)
            number += 1
    finally:
        if isinstance(opening.expert, GtpExpert):
            opening.expert.close()
    return {"first": task.first, "second": task.second, "points": points, "games": task.games, "failures": failures}


def _opening(name: str, expert: str) -> OpeningTask:
    """The openings of a player, as it sees them."""
    letters, _, shown = name.partition(" ")
    return opening_task(letters, msgspec.convert(shown, Representation), expert)


def _mover(name: str, row: Row, expert: str) -> Mover:
    """A player whose first move is uniform: two that always make their best moves would play one game only."""
    mover = best_moves(_opening(name, expert), network_in(row))

    def choose(state: Any, rng: np.random.Generator) -> int:
        return int(rng.choice(state.native_legal_moves()[:-1])) if state.num_moves < 2 else mover(state, rng)

    return choose


# --- what is found ----------------------------------------------------------------------------------------------------

_Points = Mapping[tuple[str, str], tuple[float, int]]
_Part = tuple[list[list[Cell]], list[Claim]]


def _points(rows: Sequence[Row]) -> _Points:
    """Points and games of the first of each pair that has met."""
    return {(row["first"], row["second"]): (row["points"], row["games"]) for row in rows if "first" in row}


def _totals(points: _Points, shown: str) -> dict[str, tuple[float, int]]:
    """Points and games of each set of features in the tournament of its representation."""
    found = dict.fromkeys(FEATURE_SETS, (0.0, 0))
    for (first, second), (won, games) in points.items():
        one, other = first.split(" "), second.split(" ")
        if one[1] != shown or other[1] != shown:
            continue
        for letters, own in ((one[0], won), (other[0], games - won)):
            found[letters] = (found[letters][0] + own, found[letters][1] + games)
    return found


def _tournament(points: _Points, shown: Representation) -> _Part:
    table = 1 if shown == "scalar" else 3
    totals = {letters: total for letters, total in _totals(points, shown).items() if total[1]}
    ordered = sorted(totals, key=lambda letters: totals[letters][0] / totals[letters][1])
    rates = {letters: 100 * totals[letters][0] / totals[letters][1] for letters in ordered}
    rows: list[list[Cell]] = [[table, f"{name} {shown}", totals[name][1], rates[name], None] for name in ordered]
    least, most = _RANGES[shown]
    more = rank_correlation([len(name) for name in ordered], [rates[name] for name in ordered])
    claims = [
        Claim(
            statement=f"Table {table}: players that use more features generally win more games.",
            verdict=_verdict_of_rank(more, len(ordered)),
            evidence=f"Rank correlation of the number of features and the games won: {more:+.2f};"
            f" ours from {min(rates.values()):.0f} to {max(rates.values()):.0f} %, published {least} to {most} %"
            if rates
            else "There are no games yet",
            refuted_by="a rank correlation below 0 by more than chance has it (5 %)",
        )
    ]
    return rows, claims


def feature_benefits(totals: Mapping[str, tuple[float, int]]) -> dict[str, float]:
    """What a feature adds: the mean of how many % more games a set wins with it than without it."""
    found = {}
    for feature in "BCDE":
        gains = []
        for letters in FEATURE_SETS:
            richer = "".join(sorted(letters + feature))
            if feature in letters or not totals[letters][1] or not totals[richer][1] or not totals[letters][0]:
                continue
            before, after = (won / games for won, games in (totals[letters], totals[richer]))
            gains.append(100 * (after / before - 1))
        if gains:
            found[feature] = sum(gains) / len(gains)
    return found


def _benefits(points: _Points, shown: Representation) -> _Part:
    table, published = (2 if shown == "scalar" else 4), _BENEFIT[shown]
    ours = feature_benefits(_totals(points, shown))
    games = sum(total[1] for total in _totals(points, shown).values()) // 2
    rows: list[list[Cell]] = [[table, name, games, value, published[name]] for name, value in ours.items()]
    agreement = rank_correlation([published[name] for name in ours], list(ours.values()))
    claims = [
        Claim(
            statement=f"Table {table}: features help in the published order.",
            verdict=_verdict_of_rank(agreement, len(ours)),
            evidence=f"Rank correlation with the published values over {len(ours)} features: {agreement:+.2f}",
            refuted_by="with four features nothing but the opposite order would be more than chance",
        )
    ]
    return rows, claims


def _counterparts(points: _Points) -> _Part:
    met = {name: points.get((f"{name} binary", f"{name} scalar"), (0.0, 0)) for name in _COUNTERPARTS}
    ours = {name: 100 * won / games for name, (won, games) in met.items() if games}
    rows: list[list[Cell]] = [
        [5, f"{name} binary against scalar", met[name][1], rate, _COUNTERPARTS[name]] for name, rate in ours.items()
    ]
    agreement = rank_correlation([_COUNTERPARTS[name] for name in ours], list(ours.values()))
    claims = [
        Claim(
            statement="Table 5: for which features binary inputs are better is as published.",
            verdict=_verdict_of_rank(agreement, len(rows)),
            evidence=f"Rank correlation with the published values over {len(rows)} players: {agreement:+.2f}",
            refuted_by="a rank correlation below 0 by more than chance has it (5 %)",
        )
    ]
    return rows, claims


def _combined(points: _Points) -> _Part:
    rows: list[list[Cell]] = []
    for shown in _BOTH:
        won, games = points.get(("ABCDE combined", f"ABCDE {shown}"), (0.0, 0))
        if games:
            rows.append([None, f"ABCDE combined against {shown}", games, 100 * won / games, None])
    met = [points.get(("ABCDE combined", f"ABCDE {shown}"), (0.0, 0)) for shown in _BOTH]
    statement = "The conclusions: B and E scalar with C and D binary could be especially strong."
    return rows, [beaten(statement, sum(won for won, _ in met), sum(games for _, games in met))]


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> float:
    """Spearman's, equal values sharing their ranks; 0 where it has no meaning."""
    if len(first) < 2 or len(set(first)) == 1 or len(set(second)) == 1:
        return 0.0
    return float(np.corrcoef(_ranks(first), _ranks(second))[0, 1])


def _ranks(values: Sequence[float]) -> list[float]:
    return [sum(other < value for other in values) + 0.5 * sum(other == value for other in values) for value in values]


def _verdict_of_rank(found: float, count: int) -> Verdict:
    """Whether two orders agree by more than chance: 5 %, one-sided, by permutations; a few values never say so."""
    if count < 5:
        return "open"
    rng = np.random.default_rng(1)
    chance = sorted(rank_correlation(range(count), rng.permutation(count).tolist()) for _ in range(2000))
    if found > chance[int(0.95 * len(chance))]:
        return "reproduced"
    return "not reproduced" if found < chance[int(0.05 * len(chance))] else "open"


def _about(name: str, title: str, question: str) -> About:
    return About(
        name=f"huang-2003/{name}",
        title=title,
        question=question,
        source=(
            "Huang, Connell and McQuade 2003, Experiments with Learning Opening Strategy in the Game of Go,"
            f" {'tables 1 to 5' if name == 'tables' else name.replace('-', ' ')}."
        ),
        method=(
            "32 players (16 sets of features, scalar and binary) and the combined one, each trained over 3,000 games as"
            " in figure 4; then 100 games for each pair within a representation, and for each player and its"
            " counterpart. The first move of both sides is uniform, and each such opening is played with both colours."
            " Scale changes the games of training and of a pair alike."
        ),
        cost="two hours on one processor core with the engine as expert: 99,000 games of training, 25,800 of matches.",
    )


TABLES = Tables(
    about=_about("tables", "Features of the opening: all tables of one run", "Which features help, shown how?")
)
TABLE_1, TABLE_2, TABLE_3, TABLE_4, TABLE_5 = (
    Tables(about=_about(f"table-{number}", title, question), table=number)
    for number, (title, question) in enumerate(
        (
            ("Features of the opening: everybody against everybody, scalar", "Who wins most?"),
            ("What each feature adds, scalar", "Which features help?"),
            ("Features of the opening: everybody against everybody, binary", "Who wins most?"),
            ("What each feature adds, binary", "Which features help?"),
            ("Binary against scalar", "For which features are five inputs better than one?"),
        ),
        1,
    )
)
