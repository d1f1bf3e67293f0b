"""Commands that kgsGtp sends: rules, the clean-up of dead stones, chat, the end of a game."""

from __future__ import annotations

import time

from tesuji.go.engine import Choice
from tesuji.go.gtp.session import Session
from tesuji.go.gtp.thought import choose, instead, last_explained, settle, watch
from tesuji.go.gtp.words import color_of
from tesuji.go.knowledge.life import dead_stones
from tesuji.go.rules import rules_named
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color
from tesuji.gtp.command import Command
from tesuji.gtp.words import GtpError

__all__ = ["COMMANDS"]

_TOLERANCE = 0.1
"""A move that takes dead stones off may be so much worse than the best one, in win rate."""


def rules(session: Session, name: str) -> str:
    """Other rules, at any time of the game."""
    try:
        chosen = rules_named(name)
    except ValueError as error:
        raise GtpError(f"syntax error: {error}") from error
    session.change_rules(chosen)
    return ""


def genmove_cleanup(session: Session, color_word: str) -> str:
    """A move in a game whose dead stones are disputed: it takes them off before it passes, and never resigns."""
    color, began_s = color_of(color_word), time.monotonic()
    board = session.turned(color)
    useful = _liberties_of_the_dead(board)
    choice = _cleaning(session, color, useful) if useful else choose(session, color)
    if choice.move == "resign":
        choice = Choice(board.pass_move, choice.winrate)
    return settle(session, color, choice, began_s)


def _cleaning(session: Session, color: Color, useful: list[int]) -> Choice:
    """The best of the moves that take liberties from dead stones, if the search does not think it a blunder."""
    if not session.can_analyse or session.board.is_over:
        return Choice(useful[0])
    choice = watch(session, color)
    if choice.analysis is None:
        return Choice(useful[0])
    best = choice.analysis.winrate
    for candidate in sorted(choice.analysis.moves, key=lambda each: -each.winrate):
        if candidate.move in useful and candidate.winrate >= best - _TOLERANCE:
            return instead(choice, candidate)
    return Choice(useful[0])


def _liberties_of_the_dead(board: Board) -> list[int]:
    """Where the side to move can take a liberty from a dead enemy stone without putting itself into atari.

    Those next to chains with the fewest liberties come first; where every such move is an atari on oneself, all are.
    """
    enemy = board.color_to_play.opponent
    dead = [point for point in dead_stones(board) if board.color_at(point) == enemy]
    by_liberties = sorted(dead, key=lambda point: len(board.liberties(point)))
    moves = list(dict.fromkeys(liberty for point in by_liberties for liberty in board.liberties(point).tolist()))
    legal = [move for move in moves if board.is_legal(move)]
    return [move for move in legal if not _is_self_atari(board, move)] or legal


def _is_self_atari(board: Board, move: int) -> bool:
    after = board.copy()
    after.play(move)
    return bool(after.color_at(move)) and after.in_atari(move)


def game_over(_: Session) -> str:
    """Nothing more: pondering has been stopped by the command being one that stops it."""
    return ""


def chat(session: Session, *_: str) -> str:
    """What it answers to people: who it is, and what it thought of its last move."""
    return f"{session.name} {session.version}, a program. {last_explained(session)}".strip()


COMMANDS = {
    "kgs-chat": Command(chat, 0, None, lets_ponder=True),
    "kgs-game_over": Command(game_over),
    "kgs-genmove_cleanup": Command(genmove_cleanup, 1, 1),
    "kgs-rules": Command(rules, 1, 1),
}
