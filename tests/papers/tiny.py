"""Tournaments made small enough for a test: the same players by name, few simulations and moves, no other programs."""

from __future__ import annotations

import msgspec

from tesuji.experiments.players import parse_player
from tesuji.experiments.records import GameRecord, PlayerSpec, Reason
from tesuji.experiments.run.spec import MatchSpec
from tesuji.papers.harness import Tournament


def tiny(tournament: Tournament, simulations: int = 3) -> Tournament:
    """The tournament with so many simulations a move and eight moves a game; a program plays as plain UCT."""
    few = {"simulations": simulations, "resign_below": 0.0}  # so few would give up before both have moved

    def shrunk(player: PlayerSpec) -> PlayerSpec:
        if player.kind == "gtp":
            player = parse_player("tesuji:preset=uct", name=player.name)
        return msgspec.structs.replace(player, settings={**player.settings, **few})

    def spec(scale: float, seed: int) -> MatchSpec:
        whole = tournament.spec(scale, seed)
        conditions = msgspec.structs.replace(whole.conditions, max_moves=8)  # then counted as it stands
        return msgspec.structs.replace(whole, players=tuple(map(shrunk, whole.players)), conditions=conditions)

    return msgspec.structs.replace(tournament, spec=spec)


def played(
    first: str, second: str, wins_of_first: int, of: int, *, first_s: float = 1, second_s: float = 1
) -> list[GameRecord]:
    """Games in which `first` moves first and wins so many; indices and pairs are the caller's to put right."""
    return [
        GameRecord(
            index=number,
            pair=number,
            first=first,
            second=second,
            winner="first" if number < wins_of_first else "second",
            score="B+R" if number < wins_of_first else "W+R",
            reason=Reason.RESIGNATION,
            first_s=first_s,
            second_s=second_s,
        )
        for number in range(of)
    ]
