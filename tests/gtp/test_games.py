"""The native games through GTP, as GoGui talks to them; lines and replies in general are tested with Go."""

from __future__ import annotations

import io
import os
import random
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tesuji.games import NATIVE_GAMES, make_game
from tesuji.games.terminal import view_of
from tesuji.gtp.game import Brain, GameSession
from tesuji.gtp.games import game_server
from tesuji.gtp.server import Server
from tesuji.search import SearchConfig

QUICK = Brain(config=SearchConfig(), simulations=30, seed=1)


def server_of(kind: str, size: int | None = None) -> Server[GameSession]:
    return game_server(GameSession(kind, size, QUICK, version="1.2"))


def ask(server: Server[GameSession], line: str) -> str:
    """The text of a reply that must be a success."""
    reply = server.reply(line.encode()).decode()
    assert reply.startswith("="), f"{line}: {reply}"
    assert reply.endswith("\n\n")
    return reply[1:].strip()


def refused(server: Server[GameSession], line: str) -> str:
    reply = server.reply(line.encode()).decode()
    assert reply.startswith("? "), f"{line}: {reply}"
    assert reply.count("\n") == 2
    return reply[2:].strip()


# --- GoGui's rules ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", NATIVE_GAMES)
def test_commands__are_those_that_gogui_asks_for(kind: str) -> None:
    server = server_of(kind)
    listed = ask(server, "list_commands").split()
    assert listed == sorted(listed)
    for name in (
        "boardsize", "clear_board", "genmove", "gogui-rules_board", "gogui-rules_board_size",
        "gogui-rules_final_result", "gogui-rules_game_id", "gogui-rules_legal_moves", "gogui-rules_side_to_move",
        "known_command", "list_commands", "name", "play", "protocol_version", "quit", "undo", "version",
    ):  # fmt: skip
        assert name in listed
        assert ask(server, f"known_command {name}") == "true"
    assert ask(server, "known_command komi") == "false"
    assert [ask(server, word) for word in ("name", "version", "protocol_version")] == ["Tesuji", "1.2", "2"]


def test_game_id__is_a_capital_and_small_letters() -> None:
    ids = {kind: ask(server_of(kind), "gogui-rules_game_id") for kind in NATIVE_GAMES}
    assert (ids["othello"], ids["connect4"], ids["y"]) == ("Othello", "Connectfour", "Y")
    for name in ids.values():
        assert name.isascii()
        assert name.isalpha()
        assert name == name.capitalize()


@pytest.mark.parametrize(
    ("kind", "size"), [("tictactoe", 3), ("connect4", 7), ("othello", 8), ("breakthrough", 8), ("gomoku", 15),
                       ("hex", 11), ("y", 11), ("havannah", 15)],
)  # fmt: skip
def test_board__is_a_square_of_signs(kind: str, size: int) -> None:
    server = server_of(kind)
    assert ask(server, "gogui-rules_board_size") == str(size)
    rows = ask(server, "gogui-rules_board").splitlines()
    assert [row.split() for row in rows] == [list(row.replace(" ", "")) for row in rows]
    assert {len(row.split()) for row in rows} == {size} == {len(rows)}


def test_board__is_the_one_of_the_terminal_with_row_one_at_the_bottom() -> None:
    server = server_of("othello")
    assert ask(server, "gogui-rules_legal_moves").split() == ["D3", "C4", "F5", "E6"]
    ask(server, "play black D3")
    assert ask(server, "gogui-rules_board").splitlines() == [
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . X O . . .",
        ". . . X X . . .",
        ". . . X . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
    ]
    assert ask(server, "gogui-rules_side_to_move") == "white"


def test_board_gfx__greys_what_is_no_cell() -> None:
    assert ask(server_of("y", 3), "gogui-rules_board_gfx") == "COLOR gray B1 C1 C2"
    assert ask(server_of("connect4"), "gogui-rules_board_gfx") == "COLOR gray A7 B7 C7 D7 E7 F7 G7"
    assert ask(server_of("hex"), "gogui-rules_board_gfx") == ""


def test_vertices__leave_out_the_letter_i() -> None:
    legal = ask(server_of("gomoku"), "gogui-rules_legal_moves").split()
    assert len(set(legal)) == 225
    assert {vertex[0] for vertex in legal} == set("ABCDEFGHJKLMNOP")


def test_connect_four__a_move_is_where_the_disc_lands() -> None:
    server = server_of("connect4")
    assert ask(server, "gogui-rules_legal_moves") == "A1 B1 C1 D1 E1 F1 G1"
    ask(server, "play b D1")
    assert "D2" in ask(server, "gogui-rules_legal_moves").split()
    assert "may not be played" in refused(server, "play w D1")
    assert "may not be played" in refused(server, "play w D3")


@pytest.mark.parametrize("kind", NATIVE_GAMES)
def test_random_games__legal_moves_lead_to_the_end_and_undo_leads_back(kind: str) -> None:
    server, rng = server_of(kind), random.Random(1)
    start, seen = ask(server, "gogui-rules_board"), []
    while legal := ask(server, "gogui-rules_legal_moves").split():
        assert ask(server, "gogui-rules_final_result") == "unknown"
        seen.append(ask(server, "gogui-rules_board"))
        ask(server, f"play {ask(server, 'gogui-rules_side_to_move')} {rng.choice(legal)}")
    assert server.session.game.is_over
    assert "the game is over" in refused(server, "genmove black")
    assert ask(server, "gogui-rules_final_result").startswith(("Black wins", "White wins", "Draw"))
    for board in reversed(seen):
        ask(server, "undo")
        assert ask(server, "gogui-rules_board") == board
    assert refused(server, "undo") == "cannot undo: there is no move to undo"
    assert ask(server, "gogui-rules_board") == start


def test_final_result__counts_the_stones_of_othello() -> None:
    server, rng = server_of("othello"), random.Random(2)
    while legal := ask(server, "gogui-rules_legal_moves").split():
        ask(server, f"play {ask(server, 'gogui-rules_side_to_move')} {rng.choice(legal)}")
    board = ask(server, "gogui-rules_board")
    black, white = board.count("X"), board.count("O")
    winner = "Black wins" if black > white else "White wins" if white > black else "Draw"
    assert ask(server, "gogui-rules_final_result") == f"{winner}, {max(black, white)} to {min(black, white)}"


def test_othello__pass_is_listed_where_it_is_the_only_move() -> None:
    server, rng, num_passes = server_of("othello"), random.Random(3), 0
    for _ in range(20):
        ask(server, "clear_board")
        assert "may not be played" in refused(server, "play black pass")
        while legal := ask(server, "gogui-rules_legal_moves").split():
            num_passes += legal == ["pass"]
            assert legal == ["pass"] or "pass" not in legal
            ask(server, f"play {ask(server, 'gogui-rules_side_to_move')} {rng.choice(legal)}")
    assert num_passes > 3


# --- moves ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", NATIVE_GAMES)
def test_genmove__plays_a_whole_game_of_legal_moves(kind: str) -> None:
    server = server_of(kind, {"gomoku": 6, "hex": 5, "y": 5, "havannah": 4}.get(kind))
    while legal := ask(server, "gogui-rules_legal_moves").split():
        assert ask(server, f"genmove {ask(server, 'gogui-rules_side_to_move')}") in legal
    assert server.session.game.is_over


def test_genmove__is_the_same_game_with_the_same_seed() -> None:
    lines = ["genmove b", "genmove w", "genmove b"]
    assert [ask(server, line) for server in [server_of("hex")] for line in lines] == [
        ask(server, line) for server in [server_of("hex")] for line in lines
    ]


def test_reg_genmove__plays_nothing() -> None:
    server = server_of("gomoku")
    before = ask(server, "gogui-rules_board")
    assert ask(server, "reg_genmove black") in ask(server, "gogui-rules_legal_moves").split()
    assert ask(server, "gogui-rules_board") == before


def test_genmove__takes_a_win() -> None:
    server = game_server(GameSession("gomoku", 7, Brain(config=SearchConfig(solver=True), simulations=3000, seed=1)))
    for line in ("b C3", "w A1", "b D3", "w B1", "b E3", "w G1", "b F3", "w G7"):
        ask(server, f"play {line}")
    assert ask(server, "genmove b") in ("B3", "G3")
    assert ask(server, "gogui-rules_final_result") == "Black wins"


def test_breakthrough__a_move_is_a_pawn_and_then_its_target() -> None:
    server = server_of("breakthrough")
    assert ask(server, "gogui-rules_legal_moves") == "A2 B2 C2 D2 E2 F2 G2 H2"
    ask(server, "play black d2")
    assert ask(server, "gogui-rules_side_to_move") == "black"
    assert sorted(ask(server, "gogui-rules_legal_moves").split()) == ["C3", "D3", "E3"]
    assert ask(server, "gogui-rules_board_gfx") == "SQUARE D2"
    assert "after D2" in refused(server, "play black D4")
    ask(server, "play black D3")
    assert ask(server, "gogui-rules_side_to_move") == "white"
    ask(server, "undo")
    assert sorted(ask(server, "gogui-rules_legal_moves").split()) == ["C3", "D3", "E3"]
    ask(server, "undo")
    assert ask(server, "gogui-rules_legal_moves") == "A2 B2 C2 D2 E2 F2 G2 H2"


def test_breakthrough__genmove_goes_on_with_a_move_that_is_begun() -> None:
    server = server_of("breakthrough")
    for pawn in "ABCDEFGH":
        ask(server, "clear_board")
        ask(server, f"play black {pawn}2")
        legal = ask(server, "gogui-rules_legal_moves").split()
        assert ask(server, "genmove black") in legal
        assert ask(server, "gogui-rules_side_to_move") == "white"


def test_showboard__is_the_terminals_drawing() -> None:
    server = server_of("hex", 3)
    ask(server, "play b B2")
    assert server.reply(b"showboard").decode() == (
        "= \n     a b c\n      x x x x\n   1 o . . . o 1\n    2 o .(X). o 2\n     3 o . . . o 3\n"
        "        x x x x\n           a b c\n\n"
    )


# --- sizes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "word", "cells"),
    [("hex", "5", 25), ("gomoku", "19", 361), ("y", "4", 10), ("havannah", "7", 37), ("havannah", "19", 271)],
)
def test_boardsize__is_the_side_of_the_square_that_gogui_draws(kind: str, word: str, cells: int) -> None:
    server = server_of(kind)
    ask(server, f"play b {ask(server, 'gogui-rules_legal_moves').split()[0]}")
    ask(server, f"boardsize {word}")
    assert ask(server, "gogui-rules_board_size") == word
    assert len(ask(server, "gogui-rules_legal_moves").split()) == cells


@pytest.mark.parametrize(
    ("kind", "word", "words"),
    [
        ("othello", "9", "unacceptable size: 9 is none of Othello's: 8"),
        ("havannah", "8", "unacceptable size: 8 is none of Havannah's: 7, 9, 11, 13, 15, 17, 19"),
        ("gomoku", "4", "unacceptable size: 4"),
        ("hex", "1000", "unacceptable size: 1000"),
        ("hex", "-1", "unacceptable size: -1"),
        ("hex", "eleven", "syntax error: 'eleven' is not a whole number"),
        ("hex", "", "syntax error: boardsize takes 1 arguments, not 0"),
    ],
)
def test_boardsize__others_are_refused_and_the_game_stays(kind: str, word: str, words: str) -> None:
    server = server_of(kind)
    ask(server, "genmove b")
    before = ask(server, "gogui-rules_board")
    assert words in refused(server, f"boardsize {word}")
    assert ask(server, "gogui-rules_board") == before


# --- bad input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("play white A1", "illegal move: it is black's turn"),
        ("genmove white", "illegal move: it is black's turn"),
        ("play green A1", "syntax error: 'green' is not a color"),
        ("play black I5", "invalid coordinates: 'I5' is not a cell of this board, such as A1"),
        ("play black Z99", "invalid coordinates"),
        ("play black pass", "illegal move: pass may not be played"),
        ("play black " + "A" * 10_000, "invalid coordinates"),
        ("play black \xff", "invalid coordinates"),
        ("play black", "syntax error: play takes 2 arguments, not 1"),
        ("undo", "cannot undo: there is no move to undo"),
        ("komi 7.5", "unknown command"),
        ("", None),
        ("# comment", None),
        ("\x00\x07", None),
    ],
)
def test_bad_input__is_one_line_and_leaves_the_game_alone(line: str, words: str | None) -> None:
    server = server_of("hex", 5)
    if words is None:
        assert server.reply(line.encode()) == b""
    else:
        answer = refused(server, line)
        assert words in answer
        assert len(answer) < 300
    assert ask(server, "gogui-rules_board") == "\n".join([". . . . ."] * 5)


@settings(max_examples=60, deadline=None)
@given(
    kind=st.sampled_from(list(NATIVE_GAMES)),
    lines=st.lists(
        st.one_of(
            st.binary(max_size=30),
            st.builds(
                "{} {} {}".format,
                st.sampled_from(["play", "boardsize", "undo", "reg_genmove", "gogui-rules_board", "7 play", "genmove"]),
                st.sampled_from(["b", "w", "black", "", "5", "7"]),
                st.sampled_from(["a1", "d3", "H8", "pass", "i9", "", "é", "-1"]),
            ).map(str.encode),
        ),
        max_size=12,
    ),
)
def test_bad_input__whatever_is_sent_every_reply_is_a_reply(kind: str, lines: list[bytes]) -> None:
    server = server_of(kind)
    for line in lines:
        reply = server.reply(line.replace(b"\n", b" "))
        assert reply == b"" or (reply[:1] in b"=?" and reply.endswith(b"\n\n"))
        assert b"internal error" not in reply
    again = make_game(kind, getattr(server.session.game, "size", None))
    for move in server.session.moves:
        again.play(move)
    assert again.key() == server.session.game.key()


@pytest.mark.parametrize("limits", [{"simulations": 0}, {"seconds": 0.0}, {"seconds": float("nan")}, {"seed": -1}])
def test_brain__limits_that_make_no_sense_are_refused(limits: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(limits))):
        Brain(config=SearchConfig(), **limits)  # type: ignore[arg-type]


# --- a stream ---------------------------------------------------------------------------------------------------------


def test_run__answers_until_quit() -> None:
    replies = io.BytesIO()
    server_of("y").run(io.BytesIO(b"1 name\n2 genmove b\n3 quit\n4 name\n"), replies)
    assert replies.getvalue().startswith(b"=1 Tesuji\n\n=2 ")
    assert replies.getvalue().endswith(b"\n\n=3\n\n")


def test_run__interrupt_lets_the_search_answer_at_once() -> None:
    """The search would think for an hour; the test's own time limit is the proof."""
    session = GameSession("hex", 11, Brain(config=SearchConfig(), seconds=3600.0, seed=1))
    reading, writing = os.pipe()
    replies = io.BytesIO()
    with os.fdopen(reading, "rb") as commands, os.fdopen(writing, "wb", buffering=0) as typed:
        typed.write(b"genmove b\n")
        threading.Timer(0.3, lambda: typed.write(b"# interrupt\nquit\n")).start()
        game_server(session).run(commands, replies)
    vertex, end, _ = replies.getvalue().decode().split("\n\n")
    assert vertex.startswith("= ")
    assert end == "="
    assert len(session.moves) == 1


def test_names__of_gtp_and_terminal_are_the_same_but_for_the_letter_i() -> None:
    for kind in ("othello", "gomoku", "hex", "y", "havannah", "tictactoe"):
        game, server = make_game(kind), server_of(kind)
        names = [view_of(game).name(move).upper() for move in game.legal_moves()]
        letters = str.maketrans("IJKLMNOPQRS", "JKLMNOPQRST")
        assert ask(server, "gogui-rules_legal_moves").split() == [name.translate(letters) for name in names]
