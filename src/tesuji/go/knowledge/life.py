"""Life and death at the end of a game: Benson's theorem, ownership by playouts, the final score.

Benson's life is exact but sees only what needs no answer. What stands in a small space is read to the end
(`tesuji.go.knowledge.enclosed`). Everything else is judged by the playouts of the engine: a chain that its colour
mostly ends up owning is alive, one that the opponent ends up owning is dead. Living chains of both colours that are
short of liberties stand in seki if they share one that the playouts mostly leave open.

It does not play on: a position with moves left is counted as it stands (docs/results/scoring.md says what that costs).
"""

from __future__ import annotations

from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from tesuji._core import go as _native
from tesuji.go.knowledge.doubt import fought_owners
from tesuji.go.knowledge.enclosed import Enclosed, Fate, enclosed, read_enclosed
from tesuji.go.knowledge.playouts import DEFAULT
from tesuji.go.knowledge.teire import points_to_fill
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color
from tesuji.go.rules.score import Score, count

__all__ = [
    "Ground",
    "Judgement",
    "Status",
    "chain_status",
    "counted",
    "dead_stones",
    "final_score",
    "ground_status",
    "judge",
    "ownership",
    "pass_alive",
    "play_randomly",
    "playout_margins",
]

Status = Literal["alive", "dead", "seki"]
Ground = Literal["black_territory", "white_territory", "dame"]

# Enough for a score; the engine's choice to pass waits for them.
_PLAYOUTS = 300
# A chain in seki has no more liberties than this (two shared ones, or one and an eye).
_SEKI_LIBERTIES = 2
# A chain in seki has at least so many stones. Smaller sekis exist; most of what looks like one is a stone in a fight.
_SEKI_STONES = 3
# Inside a larger chain that is in doubt too, so many are enough.
_SEKI_STONES_INSIDE = 2
# The share of playouts that must leave a liberty open before its chains count as standing in seki.
_MOSTLY_OPEN = 0.5
# A chain's fate is sure if its mean owner is so far from 0 on one side, whoever begins; a point needs more.
_SURE_CHAIN, _SURE_POINT = 0.5, 0.7
# A chain of so many liberties that playouts are sure of is a wall for the reading of others.
_STRONG, _STRONG_LIBERTIES = 0.8, 5
# Playouts that agree so far on a chain, whoever begins, are believed without reading, unless it is short of liberties.
_CERTAIN = 0.95
# Positions read for one judgement: about a tenth of a second.
_MAX_NODES = 20_000
# Of the search over chains in doubt, for each side: a quarter of a second on 19x19, and only if there are any.
_SIMULATIONS = 1000


def pass_alive(board: Board, color: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Find what lives even if its owner always passes (Benson).

    Returns
    -------
    stones, territory : int32 arrays
        Points of the living chains, and of the regions vital to them, in order.
    """
    return _native.unconditional_life(board, color)


def playout_margins(board: Board, playouts: int, *, seed: int, mercy_margin: int = 0) -> NDArray[np.int32]:
    """Play light playouts: black's area minus white's at the end of each, without komi; shape (playouts,).

    `mercy_margin`, if not 0, stops a playout when one side has that many stones more.
    """
    return _native.playout_margins(board, playouts, seed, mercy_margin)


def play_randomly(board: Board, seed: int) -> None:
    """Play one light playout on the board itself, to its two passes."""
    _native.play_randomly(board, seed)


def ownership(board: Board, playouts: int = _PLAYOUTS, seed: int = 1) -> NDArray[np.float64]:
    """Estimate who will own each point, by playouts; both sides begin half of them.

    Returns
    -------
    float64 array of shape (height, width)
        From -1 (white's) to 1 (black's).
    """
    owned, _ = _ends(board, playouts, seed)
    return np.asarray(owned.mean(axis=0)).reshape(board.height, board.width)


def _ends(board: Board, playouts: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean owner (-1..1, black's view) by who begins and point, and the share of playouts that leave a point open."""
    half = max(1, playouts // 2)
    policy = DEFAULT.native(board.num_points)
    owned, left_open = np.zeros((2, board.num_points)), np.zeros(board.num_points)
    for row, color in enumerate((Color.BLACK, Color.WHITE)):
        turned = board.copy()
        turned.color_to_play = color
        margins, opened = _native.ownership(turned, policy, half, 2 * seed + color)
        owned[row] = margins
        left_open += opened
    return owned / half, left_open / (2 * half)


class Judgement(msgspec.Struct, frozen=True):
    """What playouts make of a position, as if the game were over.

    Attributes
    ----------
    status : dict of int to Status
        For each occupied point the status of its chain.
    in_doubt : frozenset of int
        Points of the chains whose fate depends on who moves first, as far as playouts see.
    is_sure : bool array of shape (points,)
        Where the same colour ends up, whoever moves first, or nobody.
    """

    status: dict[int, Status]
    in_doubt: frozenset[int]
    is_sure: NDArray[np.bool_]

    def points(self, wanted: Status) -> list[int]:
        """The stones of a status, in order."""
        return sorted(point for point, status in self.status.items() if status == wanted)


def judge(board: Board, playouts: int = _PLAYOUTS, seed: int = 1, simulations: int = 0) -> Judgement:
    """Judge every chain and every point.

    With `simulations`, chains in doubt are judged by a search of so many for each side (`tesuji.go.knowledge.doubt`);
    they stay in doubt, but are dead or alive by more than chance. `final_score` and the like do so.
    """
    owned, left_open = _ends(board, playouts, seed)
    for_owner: dict[int, NDArray[np.float64]] = {}  # by who begins; the key is the smallest point of the chain
    chains: dict[int, NDArray[np.int32]] = {}
    first_of: dict[int, int] = {}
    safe = {int(p) for color in (Color.BLACK, Color.WHITE) for p in pass_alive(board, color)[0]}
    for point in np.flatnonzero(board.grid.ravel()).tolist():
        if point in first_of:
            continue
        chains[point] = board.chain(point)
        first_of.update(dict.fromkeys(chains[point].tolist(), point))
        sign = 1 if board.color_at(point) == Color.BLACK else -1
        for_owner[point] = np.ones(2) if point in safe else sign * owned[:, chains[point]].mean(axis=1)

    def may_stand_in_seki(first: int) -> bool:
        is_short = len(board.liberties(first)) <= _SEKI_LIBERTIES and len(chains[first]) >= _SEKI_STONES
        return is_short and first not in safe and for_owner[first].mean() >= 0

    waiting = {first for first in chains if may_stand_in_seki(first)}
    is_japanese = board.rules.scoring == "territory" and not board.rules.pass_stones
    fates = _read(board, chains, for_owner, safe)
    status: dict[int, Status] = {}
    in_doubt: set[int] = set()
    for first, values in for_owner.items():
        is_seki = first in waiting and _shares_a_liberty(board, first, waiting, first_of, left_open > _MOSTLY_OPEN)
        verdict: Status = "seki" if is_seki else "alive" if values.mean() >= 0 else "dead"
        fate = fates.get(first, "unknown")
        if fate == "alive" or fate == "dead" or fate == "seki":
            verdict = fate
        elif fate == "dead by rule" and is_japanese:
            verdict = "dead"
        status.update(dict.fromkeys(chains[first].tolist(), verdict))
        if (
            fate == "in doubt"
            or (fate == "dead by rule" and not is_japanese)
            or (fate == "unknown" and not is_seki and not _agree(values, _SURE_CHAIN))
        ):
            in_doubt.update(chains[first].tolist())
    if simulations > 0 and (undecided := {p for p in in_doubt if status[p] != "seki"}):
        dead = [point for point, verdict in status.items() if verdict == "dead"]
        fought = fought_owners(board, undecided, dead, simulations, seed)
        for first in undecided & chains.keys():
            sign = 1 if board.color_at(first) == Color.BLACK else -1
            verdict = "alive" if sign * fought[chains[first]].mean() >= 0 else "dead"
            status.update(dict.fromkeys(chains[first].tolist(), verdict))
    status.update(_in_seki_by_doubt(board, status, in_doubt))
    status.update(dict.fromkeys(_in_last_kos(board, status), "alive"))
    is_sure = _agree(owned, _SURE_POINT) | (left_open > _MOSTLY_OPEN)
    return Judgement(status, frozenset(in_doubt), is_sure)


def _read(
    board: Board, chains: dict[int, NDArray[np.int32]], for_owner: dict[int, NDArray[np.float64]], safe: set[int]
) -> dict[int, Fate]:
    """What reading says of the chains that are neither unconditionally alive nor clearly strong."""
    strong = set(safe)
    weak: list[int] = []
    for first, stones in chains.items():
        if first in safe:
            continue
        num_liberties = len(board.liberties(first))
        if for_owner[first].min() >= _STRONG and num_liberties >= _STRONG_LIBERTIES:
            strong.update(stones.tolist())
        elif num_liberties <= _SEKI_LIBERTIES or not _agree(for_owner[first], _CERTAIN):
            weak.append(first)
    spaces = {first: space for first in weak if (space := enclosed(board, first, strong)) is not None}
    fates: dict[int, Fate] = {}
    nodes_left = _MAX_NODES
    for space in sorted(spaces.values(), key=lambda space: len(space.region)):  # what is small is read first
        fates[space.anchor], nodes = read_enclosed(board, space)
        nodes_left -= nodes
        if nodes_left < 0:
            break
    return {first: _sound(board, spaces[first], strong, fates) for first in fates}


def _sound(board: Board, space: Enclosed, strong: set[int], fates: dict[int, Fate]) -> Fate:
    """What a reading is worth once the neighbours are read too.

    Who captures and dies for it has captured nothing: a chain is dead only if those around it live. A seki takes two:
    without an enemy that needs it as well, two eyes were only beyond what was read.
    """
    first, enemy = space.anchor, Color(board.color_at(space.anchor)).opponent
    if fates[first] in ("dead", "dead by rule"):
        inside = space.region.union(board.chain(first).tolist())
        around = {q for point in inside for q in board.neighbours(point)} - inside
        around = {q for q in around if board.color_at(q) == enemy}
        is_sound = space.is_whole and all(
            q in strong or fates.get(int(board.chain(q).min())) == "alive" for q in around
        )
        return fates[first] if is_sound else "unknown"
    if fates[first] == "seki":
        near = {q for liberty in board.liberties(first).tolist() for q in board.neighbours(liberty)}
        enemies = {int(board.chain(q).min()) for q in near if board.color_at(q) == enemy}
        return "seki" if any(fates.get(other) == "seki" for other in enemies) else "unknown"
    return fates[first]


def _in_seki_by_doubt(board: Board, status: dict[int, Status], in_doubt: set[int]) -> dict[int, Status]:
    """The chains in seki among those that playouts cannot decide.

    A chain with two liberties, both of them shared with enemies that have no more and are in doubt too, would die by
    its own move, and they by theirs: playouts play there in the end, players do not.
    """
    found: dict[int, Status] = {}
    for stone in sorted(in_doubt):
        chain, liberties = board.chain(stone).tolist(), board.liberties(stone).tolist()
        if status[stone] != "dead" or stone != chain[0] or len(chain) < _SEKI_STONES_INSIDE:
            continue
        enemy = Color(board.color_at(stone)).opponent
        around = [{q for q in board.neighbours(p) if board.color_at(q) == enemy and q in in_doubt} for p in liberties]
        short = [{q for q in near if len(board.liberties(q)) <= _SEKI_LIBERTIES} for near in around]
        enemies = {point for near in short for q in near for point in board.chain(q).tolist()}
        is_large = any(len(board.chain(q)) >= _SEKI_STONES for q in enemies)
        if len(liberties) == _SEKI_LIBERTIES and all(short) and is_large:
            found.update(dict.fromkeys([*chain, *enemies], "seki"))
    return found


def _in_last_kos(board: Board, status: dict[int, Status]) -> list[int]:
    """The lone stones that a ko could take from among living friends: in the end their owner connects."""

    def stands_in_ko(stone: int) -> bool:
        if status[stone] != "dead" or len(board.chain(stone)) > 1 or len(board.liberties(stone)) != 1:
            return False
        friends = [q for q in board.neighbours(int(board.liberties(stone)[0])) if q != stone]
        return all(board.color_at(q) == board.color_at(stone) and status[q] != "dead" for q in friends)

    return [stone for stone in status if stands_in_ko(stone)]


def chain_status(board: Board, playouts: int = _PLAYOUTS, seed: int = 1) -> dict[int, Status]:
    """Judge every chain, as if the game were over.

    Returns
    -------
    dict
        For each occupied point the status of its chain.
    """
    return judge(board, playouts, seed, _SIMULATIONS).status


def dead_stones(board: Board, playouts: int = _PLAYOUTS, seed: int = 1) -> list[int]:
    """The points of all dead stones, in order."""
    return judge(board, playouts, seed, _SIMULATIONS).points("dead")


def ground_status(board: Board, playouts: int = _PLAYOUTS, seed: int = 1) -> dict[int, Ground]:
    """Judge every empty point: whose territory it is once dead stones are off, or nobody's."""
    status = chain_status(board, playouts, seed)
    is_living = {point for point, its in status.items() if its != "dead"}
    found: dict[int, Ground] = {}
    for start in range(board.num_points):
        if start in found or start in is_living:
            continue
        region, borders = _region(board, start, is_living)
        owners = {board.color_at(point) for point in borders}
        taxed = board.rules.scoring == "territory" and not board.rules.pass_stones
        is_shared = len(owners) != 1 or (taxed and any(status[point] == "seki" for point in borders))
        owner: Ground = "black_territory" if owners == {Color.BLACK} else "white_territory"
        found.update(dict.fromkeys(region, "dame" if is_shared else owner))
    return {point: ground for point, ground in sorted(found.items()) if not board.color_at(point)}


def _region(board: Board, start: int, walls: set[int]) -> tuple[set[int], set[int]]:
    """The points that are connected to one without crossing a wall, and the walls around them."""
    region, borders, pending = {start}, set(), [start]
    while pending:
        for point in board.neighbours(pending.pop()):
            if point in walls:
                borders.add(point)
            elif point not in region:
                region.add(point)
                pending.append(point)
    return region, borders


def final_score(board: Board, playouts: int = _PLAYOUTS, seed: int = 1) -> Score:
    """Count the board after taking off what is dead, if the rules do, with sekis as the rules have them.

    By Japanese counting, points that have to be filled in the end (`tesuji.go.knowledge.teire`) do not count.
    """
    if not board.rules.removes_dead:
        return board.score()
    judged = judge(board, playouts, seed, _SIMULATIONS)
    return counted(board, judged.points("dead"), judged.points("seki"))


def counted(board: Board, dead: list[int], seki: list[int]) -> Score:
    """The same with life and death as they are given."""
    score = count(board, dead, seki)
    if board.rules.scoring != "territory" or board.rules.pass_stones:
        return score
    lost = points_to_fill(board, dead, seki)
    return Score(score.black - len(lost[Color.BLACK]), score.white - len(lost[Color.WHITE]))


def _agree(values: NDArray[np.float64], least: float) -> NDArray[np.bool_]:
    """Whether both rows, or both numbers, are large with one sign."""
    agree: NDArray[np.bool_] = (values.min(axis=0) >= least) | (values.max(axis=0) <= -least)
    return agree


def _shares_a_liberty(
    board: Board, first: int, chains: set[int], first_of: dict[int, int], is_open: NDArray[np.bool_]
) -> bool:
    """Whether an enemy chain out of `chains` shares an open liberty with this one."""
    enemy = Color(board.color_at(first)).opponent
    liberties = board.liberties(first)
    around = {q for liberty in liberties[is_open[liberties]].tolist() for q in board.neighbours(liberty)}
    return any(board.color_at(q) == enemy and first_of[q] in chains for q in around)
