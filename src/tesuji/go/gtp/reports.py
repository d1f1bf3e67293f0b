"""An analysis in one line: as Leela Zero, as KataGo and as the CGOS client read it.

Everything is for the side to move. Leela Zero's numbers are whole, in 1/10,000; KataGo's always have a decimal point,
because Sabaki tells the two apart by it. ``pv`` is last, and extras come only when asked for. What each number is:

==========  ============================================================================================
winrate     mean result of the simulations through the move
prior       what the move was worth before it was tried; the best one has 1 (they do not sum up to 1)
lcb         lower end of Wilson's one-sided 95 % interval for the win rate
utility     ``2 winrate - 1``: nothing but winning counts here
scoreLead   the points the mover is ahead by, from the owners of all points: one number for all moves
scoreMean   the same, by its older name
==========  ============================================================================================

There is no ``scoreStdev``: the spread of the score is not known.
"""

from __future__ import annotations

import msgspec

from tesuji.go.engine import Analysis, Candidate
from tesuji.go.gtp.options import Options
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color

__all__ = ["cgos_report", "expected_score", "kata_report", "lz_report"]

_OWNER_SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+"


def lz_report(board: Board, analysis: Analysis, options: Options) -> str:
    """A line of ``lz-analyze``; empty if there is nothing to report."""
    return " ".join(
        f"info move {board.vertex(each.move)} visits {each.visits} winrate {_in_10_000(each.winrate)} "
        f"prior {_in_10_000(each.prior)} lcb {_in_10_000(each.lower_bound)} order {order} pv {_line(board, each)}"
        for order, each in enumerate(_reported(analysis, options))
    )


def kata_report(board: Board, analysis: Analysis, options: Options) -> str:
    """A line of ``kata-analyze``, with root and ownership if asked for; empty if there is nothing to report."""
    lead = expected_score(board, analysis)
    parts = [
        f"info move {board.vertex(each.move)} visits {each.visits} edgeVisits {each.visits} "
        f"{_kata_values(each.winrate, each.lower_bound, lead)} prior {each.prior:.6f} weight {each.visits:.2f} "
        f"order {order} pv {_line(board, each)}"
        for order, each in enumerate(_reported(analysis, options))
    ]
    if parts and options.has_root:
        parts.append(
            f"rootInfo visits {analysis.simulations} utility {2 * analysis.winrate - 1:.6f} "
            f"winrate {analysis.winrate:.6f} scoreMean {lead:.4f} scoreLead {lead:.4f} "
            f"weight {analysis.simulations:.2f}"
        )
    if parts and options.has_ownership:
        parts.append("ownership " + " ".join(f"{owner:.6f}" for owner in _owners(board, analysis)))
    return " ".join(parts)


def cgos_report(board: Board, analysis: Analysis, options: Options) -> str:
    """The JSON object of ``cgos-genmove_analyze``; a move's ``pv`` is what follows it."""
    score = round(expected_score(board, analysis), 2)
    moves = [
        {
            "move": board.vertex(each.move),
            "winrate": round(each.winrate, 6),
            "score": score,
            "prior": round(each.prior, 6),
            "visits": each.visits,
            "pv": " ".join(map(board.vertex, each.pv[1:])),
        }
        for each in _reported(analysis, options)
    ]
    whole = {
        "visits": analysis.simulations,
        "winrate": round(analysis.winrate, 6),
        "score": score,
        "moves": moves,
        "ownership": "".join(_OWNER_SIGNS[round(31 * (1 + owner))] for owner in _owners(board, analysis)),
    }
    return msgspec.json.encode(whole).decode()


def expected_score(board: Board, analysis: Analysis) -> float:
    """By how many points the side to move is ahead: owners counted as area, minus komi for black."""
    for_black = float(analysis.ownership.sum()) - board.komi
    return for_black if board.color_to_play == Color.BLACK else -for_black


def _kata_values(winrate: float, bound: float, lead: float) -> str:
    return (
        f"utility {2 * winrate - 1:.6f} winrate {winrate:.6f} scoreMean {lead:.4f} scoreLead {lead:.4f} "
        f"lcb {bound:.6f} utilityLcb {2 * bound - 1:.6f}"
    )


def _reported(analysis: Analysis, options: Options) -> list[Candidate]:
    return [each for each in analysis.moves if options.allows(each.move)][: options.max_moves]


def _line(board: Board, candidate: Candidate) -> str:
    return " ".join(map(board.vertex, candidate.pv or [candidate.move]))


def _owners(board: Board, analysis: Analysis) -> list[float]:
    """Owners for the side to move, row by row from the top left, -1..1."""
    sign = 1.0 if board.color_to_play == Color.BLACK else -1.0
    return [min(1.0, max(-1.0, sign * owner)) + 0.0 for owner in analysis.ownership.ravel().tolist()]


def _in_10_000(share: float) -> int:
    return round(10_000 * share)
