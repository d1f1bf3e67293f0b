"""GoGui's rules commands: what lets it show a game that it does not know (GoGui's manual, chapter "Rules").

GoGui draws a square board. Cells that a game does not have, around Havannah's hexagon for instance, are empty points
that are never legal, and grey.
"""

from __future__ import annotations

from tesuji.games import Othello, game_named
from tesuji.games.terminal import EMPTY, SIGNS
from tesuji.gtp.command import Command
from tesuji.gtp.game import COLORS, GameSession, vertex_of

__all__ = ["COMMANDS"]


def game_id(session: GameSession) -> str:
    """One word, its first letter a capital and the others small."""
    return "".join(filter(str.isalpha, game_named(session.kind).title)).capitalize()


def board(session: GameSession) -> str:
    """The cells, the highest row first: ``X`` for Black, ``O`` for White."""
    owners = session.view.owners(session.game)
    span = range(session.span)
    signs = {EMPTY: ".", 0: SIGNS[0], 1: SIGNS[1]}
    return "\n".join(" ".join(signs[owners.get((row, column), EMPTY)] for column in span) for row in reversed(span))


def board_gfx(session: GameSession) -> str:
    """Grey where there is no cell; a square around the cells of a move that is begun."""
    owners, span = session.view.owners(session.game), range(session.span)
    absent = [vertex_of((row, column)) for row in span for column in span if (row, column) not in owners]
    lines = [f"COLOR gray {' '.join(absent)}"] if absent else []
    lines += [f"SQUARE {' '.join(map(vertex_of, session.begun))}"] if session.begun else []
    return "\n".join(lines)


def legal_moves(session: GameSession) -> str:
    """What the side to move may play next; nothing when the game is over."""
    return " ".join(session.legal())


def final_result(session: GameSession) -> str:
    """Who won, for people."""
    game = session.game
    if not game.is_over:
        return "unknown"
    winner = session.view.winner(game)
    words = "Draw" if winner is None else f"{COLORS[winner].capitalize()} wins"
    if not isinstance(game, Othello):
        return words
    counts = [sum(owner == player for owner in session.view.owners(game).values()) for player in (0, 1)]
    return f"{words}, {max(counts)} to {min(counts)}"


COMMANDS = {
    "gogui-rules_board": Command(board),
    "gogui-rules_board_gfx": Command(board_gfx),
    "gogui-rules_board_size": Command(lambda session: str(session.span)),
    "gogui-rules_final_result": Command(final_result),
    "gogui-rules_game_id": Command(game_id),
    "gogui-rules_legal_moves": Command(legal_moves),
    "gogui-rules_side_to_move": Command(lambda session: COLORS[session.game.to_play]),
}
