"""A game against the search in the terminal, as somebody types it. How well it plays is tested with the search."""

from __future__ import annotations

import io
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from tesuji import cli
from tesuji.games import NATIVE_GAMES, Breakthrough, Connect4, Gomoku, Havannah, Hex, Othello, TicTacToe, Y, make_game
from tesuji.games.terminal import view_of
from tesuji.go import Board, EngineConfig
from tesuji.go.records.sgf import load
from tesuji.play import Dialogue, make_setting
from tesuji.play.rival import EngineRival, SearchRival
from tesuji.play.setting import rival_of
from tesuji.search import Opponent
from tesuji.search.levels import LEVELS, Level
from tesuji.words import GAME_NAMES

FAST = ("--simulations", "200", "--seed", "1")


@pytest.fixture
def typed():
    """Run `tesuji play` with lines on stdin, in this process."""

    def run(*arguments, lines=()):
        words = ["play", *map(str, arguments)]
        return CliRunner().invoke(cli.main, words, input="".join(f"{line}\n" for line in lines), prog_name="tesuji")

    return run


def drawn(view, game, **marks):
    """A board as a pipe shows it."""
    console = Console(file=io.StringIO(), width=100)
    console.print(view.diagram(game, **marks))
    return console.file.getvalue()


def after(game, *names):
    view = view_of(game)
    for name in names:
        game.play(view.parse(name))
    return game


# --- boards -----------------------------------------------------------------------------------------------------------


def test_board__tictactoe_with_the_last_move_in_brackets():
    game = after(TicTacToe(), "b2", "a1")
    assert drawn(view_of(game), game, last_move=0) == (
        "     a   b   c\n  1 (O)| . | .\n    ---+---+---\n  2  . | X | .\n    ---+---+---\n  3  . | . | .\n"
    )


def test_board__connect_four_stands_on_its_columns_and_labels_lie_where_a_disc_would_land():
    game = after(Connect4(), "4", "4", "1")
    assert drawn(view_of(game), game, last_move=0, labels={3: "1", 6: "2"}) == (
        "    1 2 3 4 5 6 7\n"
        "  | . . . . . . . |\n"
        "  | . . . . . . . |\n"
        "  | . . . . . . . |\n"
        "  | . . . 1 . . . |\n"
        "  | . . . O . . . |\n"
        "  |(X). . X . . 2 |\n"
        "  +---------------+\n"
        "    1 2 3 4 5 6 7\n"
    )


def test_board__hex_is_slanted_and_its_sides_show_whose_they_are():
    game = after(Hex(3), "b2", "c1")
    assert drawn(view_of(game), game, last_move=2) == (
        "     a b c\n"
        "      x x x x\n"
        "   1 o . .(O)o 1\n"
        "    2 o . X . o 2\n"
        "     3 o . . . o 3\n"
        "        x x x x\n"
        "           a b c\n"
    )


def test_board__a_won_game_shows_the_winning_line():
    row = after(TicTacToe(), "a1", "a2", "b1", "b2", "c1")
    assert "  1 (X)|(X)|(X)" in drawn(view_of(row), row)
    four = after(Connect4(), "1", "1", "2", "2", "3", "3", "4")
    assert "  |(X X X X). . . |" in drawn(view_of(four), four, last_move=3)
    chain = after(Hex(3), "c1", "a1", "b2", "a2", "a3")  # joins top and bottom without using a straight line
    assert [line.count("(X)") for line in drawn(view_of(chain), chain).splitlines()] == [0, 0, 1, 1, 1, 0, 0]


def test_board__the_second_player_wins_from_left_to_right_at_hex():
    game = after(Hex(3), "a1", "a2", "b1", "b2", "c3", "c2")
    assert game.is_over
    assert game.value == 0
    assert "2 o(O O O)o 2" in drawn(view_of(game), game)


def test_board__othello_has_row_one_at_the_top():
    game = after(Othello(), "d3")
    assert drawn(view_of(game), game, last_move=19, labels={18: "1", 64: "2"}) == (
        "     a b c d e f g h\n"
        "  1  . . . . . . . .  1\n"
        "  2  . . . . . . . .  2\n"
        "  3  . . 1(X). . . .  3\n"
        "  4  . . . X X . . .  4\n"
        "  5  . . . X O . . .  5\n"
        "  6  . . . . . . . .  6\n"
        "  7  . . . . . . . .  7\n"
        "  8  . . . . . . . .  8\n"
        "     a b c d e f g h\n"
    )


def test_board__breakthrough_has_row_one_at_the_bottom():
    game = after(Breakthrough(), "d2e3", "a7-a6")
    lines = drawn(view_of(game), game, last_move=view_of(game).parse("a7a6")).splitlines()
    assert lines[2:4] == ["  7  . O O O O O O O  7", "  6 (O). . . . . . .  6"]
    assert lines[6:9] == ["  3  . . . . X . . .  3", "  2  X X X . X X X X  2", "  1  X X X X X X X X  1"]


def test_board__gomoku_shows_its_five():
    game = after(Gomoku(6), "b2", "a1", "c2", "b1", "d2", "c1", "e2", "d1", "f2")
    assert "  2  .(X X X X X) 2" in drawn(view_of(game), game)


def test_board__y_is_a_triangle_and_shows_the_chain_that_won():
    game = after(Y(4), "a3", "a1", "b3", "b2", "c3", "a4", "c4")
    assert drawn(view_of(game), game, last_move=8) == (
        "      1  O  1\n     2  . O  2\n    3 (X X X) 3\n   4  O .(X).  4\n      a b c d\n"
    )


def test_board__havannah_is_a_hexagon_and_shows_the_chain_that_won():
    game = after(Havannah(4), "d1", "d7", "e1", "c7", "f1", "a5", "g1")
    assert drawn(view_of(game), game, last_move=3) == (
        "        d e f g\n"
        "      1 (X X X X) 1\n"
        "     2  . . . . .  2\n"
        "    3  . . . . . .  3\n"
        "   4  . . . . . . .  4\n"
        "    5  O . . . . .  5\n"
        "     6  . . . . .  6\n"
        "      7  . . O O  7\n"
        "          a b c d\n"
    )


SIZES = [(name, size) for name, kind in NATIVE_GAMES.items() for size in (kind.sizes or [None])]


@pytest.mark.parametrize(("name", "size"), SIZES)
def test_names__every_move_is_read_back_as_itself(name, size):
    game = make_game(name, size)
    view = view_of(game)
    assert [view.parse(view.name(move)) for move in game.legal_moves()] == list(game.legal_moves())
    assert [view.parse(view.name(move).upper()) for move in game.legal_moves()] == list(game.legal_moves())
    assert view.parse(view.example) in game.legal_moves()


@pytest.mark.parametrize("name", NATIVE_GAMES)
def test_board__fits_a_terminal_of_eighty_columns_with_and_without_colour(name):
    sizes = NATIVE_GAMES[name].sizes
    game = make_game(name, sizes[-1] if sizes else None)
    for colours in ("truecolor", "standard", None):
        console = Console(file=io.StringIO(), width=80, color_system=colours, force_terminal=colours is not None)
        console.print(view_of(game).diagram(game))
        text = console.file.getvalue()
        assert ("\x1b[" in text) is (colours is not None)
        assert "…" not in text


def test_board__colours_are_left_out_where_the_terminal_asks_for_that(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    console = Console(file=io.StringIO(), width=80, force_terminal=True)
    console.print(view_of(Hex(5)).diagram(Hex(5)))
    assert "●" not in console.file.getvalue()
    assert "x x x x" in console.file.getvalue()


# --- the dialogue -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "move"),
    [
        ("tictactoe", "b2"),
        ("connect4", "4"),
        ("othello", "d3"),
        ("breakthrough", "d2d3"),
        ("gomoku", "h8"),
        ("hex", "f6"),
        ("y", "d8"),
        ("havannah", "h8"),
        ("go", "e5"),
    ],
)
def test_play__a_move_is_answered_with_what_the_search_thought(typed, game, move):
    result = typed(game, *FAST, lines=[move, "quit"])
    assert result.exit_code == 0, result.output
    for words in ("against Tesuji (seed 1)", f"your move: {move}", "Tesuji plays", "Main line:", "200 simulations"):
        assert words in result.stdout
    assert "Stopped after 2 moves." in result.stdout
    assert "\x1b" not in result.stdout


def test_play__one_seed_and_the_same_moves_are_the_same_game(typed):
    lines = ["c3", "hint", "undo", "b2", "d4"]
    first, second = (typed("hex", "--size", 5, *FAST, lines=lines).stdout for _ in range(2))
    assert without_clock(first) == without_clock(second)
    assert first.count("Tesuji plays") == 3


def without_clock(text):
    return re.sub(r"in [0-9.]+ s", "", " ".join(text.split()))


def test_play__the_engine_may_begin(typed):
    result = typed("tictactoe", *FAST, "--first", "engine", lines=["quit"])
    assert "You are O, Tesuji is X (first)" in result.stdout
    assert "Stopped after 1 move." in result.stdout


@pytest.mark.parametrize(
    ("game", "lines", "words"),
    [
        ("tictactoe", ["b2", "b2"], "b2 is taken (X); choose another move"),
        ("tictactoe", ["d4"], "'d4' is not a cell: type a letter a to c and a number 1 to 3, for instance b2"),
        ("connect4", ["8"], "'8' is not a column: type a number from 1 to 7, for instance 4"),
        ("connect4", ["b2"], "'b2' is not a column"),
        ("hex", ["z1"], "'z1' is not a cell: type a letter a to k and a number 1 to 11, for instance f6"),
        ("hex", ["f0"], "'f0' is not a cell"),
        ("hex", ["nonsense" * 1000], "'nonsensenonsensen...' is not a cell"),
        ("hex", ["\x1b[31mred"], "'?[31mred' is not a cell"),
        ("othello", ["a1"], "a1 turns no stone over; choose another move"),
        ("othello", ["d4"], "d4 is taken (White); choose another move"),
        ("othello", ["pass"], "a pass is for who can turn no stone over; d3 does; choose another move"),
        ("breakthrough", ["d3d4"], "Red has no pawn on d3; choose another move"),
        ("breakthrough", ["d2d4"], "'d2d4' is not a move: a pawn goes one row forward, straight or diagonally"),
        ("breakthrough", ["d1d2"], "d2 is taken (Red); choose another move"),
        ("breakthrough", ["d2d1"], "Red's pawns go up the board; choose another move"),
        ("breakthrough", ["d7d6"], "Red has no pawn on d7; choose another move"),
        ("breakthrough", ["d2"], "'d2' is not a move: type where a pawn stands and where it goes, for instance d2d3"),
        ("y", ["c2"], "'c2' is not a cell: row 2 has the letters a to b, for instance d8"),
        ("y", ["a12"], "'a12' is not a cell: type a letter a to k and a number 1 to 11, for instance d8"),
        ("havannah", ["a1"], "'a1' is not a cell: row 1 has the letters h to o, for instance h8"),
        ("gomoku", ["p1"], "'p1' is not a cell: type a letter a to o and a number 1 to 15, for instance h8"),
        ("go", ["i5"], "i5"),
        ("go", ["e5", "e5"], "E5 is occupied"),
    ],
)
def test_play__what_cannot_be_played_is_explained_and_the_game_goes_on(typed, game, lines, words):
    result = typed(game, *FAST, lines=[*lines, "quit"])
    assert result.exit_code == 0, result.output
    assert words in " ".join(result.stdout.split())
    assert "? lists what you can type" in " ".join(result.stdout.split()) or "choose another move" in result.stdout
    assert "\x1b" not in result.stdout


def test_play__a_full_column_takes_no_more():
    dialogue, output = dialogue_of("connect4")
    for move in (3, 3, 3, 3, 3, 3):
        dialogue._play(move)
    dialogue._try_move("4")
    assert "column 4 is full; choose another move" in output.getvalue()
    assert len(dialogue.moves) == 6


def dialogue_of(name, *, human=0, **extra):
    """A dialogue that nobody types to, and what it prints."""
    output = io.StringIO()
    setting = make_setting(name, **extra)
    rival = SearchRival(Opponent(setting.game, setting.config, simulations=200, seed=1))
    console = Console(file=output, width=100)
    return Dialogue(console, setting.game, setting.view, rival, human=human, read_line=lambda _prompt: "quit"), output


@pytest.mark.parametrize("human", [0, 1])
def test_undo__takes_back_the_last_own_move_and_its_answer(human):
    dialogue, output = dialogue_of("hex", size=5, human=human)
    for move in range(4):
        dialogue._play(move)
    dialogue._undo()
    expected = [0, 1] if human == 0 else [0, 1, 2]
    assert dialogue.moves == expected
    assert dialogue.game.key() == replayed(Hex(5), expected).key()
    assert "nothing to take back" not in output.getvalue()


def replayed(game, moves):
    for move in moves:
        game.play(move)
    return game


@pytest.mark.parametrize(("human", "moves"), [(0, []), (1, []), (1, [12])])
def test_undo__before_the_first_own_move_there_is_nothing_to_take_back(human, moves):
    dialogue, output = dialogue_of("hex", size=5, human=human)
    for move in moves:
        dialogue._play(move)
    dialogue._undo()
    assert dialogue.moves == moves
    assert "nothing to take back: you have not moved yet" in output.getvalue()


def test_undo__the_search_thinks_about_the_position_that_is_there_again(typed):
    result = typed("tictactoe", *FAST, lines=["b2", "undo", "a1", "undo", "hint", "quit"])
    assert "Stopped after 0 moves." in result.stdout
    hint = result.stdout.rpartition("main line")[0].rpartition("your move: hint")[2]
    assert "X" not in hint
    assert "1" in hint


@pytest.mark.parametrize("name", NATIVE_GAMES)
def test_play__a_whole_game_of_hints_and_answers_ends_with_a_winner(name):
    dialogue, output = dialogue_of(name, **({"size": 5} if name in ("hex", "y", "gomoku", "havannah") else {}))
    adviser = Opponent(dialogue.game, dialogue.rival.opponent.config, simulations=50, seed=2)
    dialogue._read_line = lambda _prompt: best_move(dialogue, adviser)
    dialogue.run()
    assert dialogue.game.is_over
    assert re.search(r"(You win|Tesuji wins), as|A draw, in", output.getvalue())


def test_hint__finds_the_winning_move():
    dialogue, output = dialogue_of("tictactoe")
    for name in ("a1", "b2", "b1", "c3"):
        dialogue._play(dialogue.view.parse(name))
    dialogue._hint()
    assert "  1  X | X | 1" in output.getvalue()
    (best,) = [line for line in output.getvalue().splitlines() if line.startswith("1  ")]
    assert best.split()[1] == "c1"
    assert "won" in best


def test_play__the_engine_takes_a_win_and_the_game_ends(typed):
    result = typed("tictactoe", "--simulations", 2000, "--seed", 1, lines=["a2", "a1", "b1", "c2", "a3", "c3", "b3"])
    assert result.exit_code == 0
    assert "Tesuji wins, as O, in" in result.stdout
    assert "Proved: O wins" in result.stdout


def test_play__perfect_play_at_tictactoe_is_a_draw():
    for human in (0, 1):
        dialogue, output = dialogue_of("tictactoe", human=human)
        dialogue.rival.opponent._simulations = 5_000
        adviser = Opponent(dialogue.game, dialogue.rival.opponent.config, simulations=5_000, seed=2)
        dialogue._read_line = lambda _prompt, d=dialogue, a=adviser: best_move(d, a)
        dialogue.run()
        assert "A draw, in 9 moves." in output.getvalue()


def best_move(dialogue, adviser):
    adviser.look_at(dialogue.game)
    return dialogue.view.name(adviser.think().best_move)


# --- Go: the engine, its levels, handicap and komi; files -------------------------------------------------------------


def test_go__with_handicap_white_begins_and_only_a_draw_is_excluded(typed):
    result = typed("go", "--size", 7, "--handicap", 2, *FAST, lines=["resign"])
    assert "7x7, komi 0.5, 2 handicap stones." in result.stdout
    assert "Tesuji is White (O) (first)" in result.stdout
    assert "Tesuji wins, as White, by resignation, in 1 move." in result.stdout


def test_go__the_engine_resigns_a_lost_game():
    lost = "\n".join([". X X . .", "X X . X X", ". X X X .", "X X . X X", ". . X . ."])
    output = io.StringIO()
    board = Board.from_text(lost, to_play=2)
    rival = EngineRival(board, EngineConfig(simulations=400, seed=1))
    view = make_setting("go", size=5).view
    Dialogue(Console(file=output, width=100), board, view, rival, human=0, read_line=lambda _prompt: "quit").run()
    assert "Tesuji resigns." in output.getvalue()
    assert "You win, as Black, by resignation, in 0 moves." in output.getvalue()


def test_go__one_seed_and_the_same_moves_are_the_same_game(typed):
    first, second = (typed("go", "--size", 5, *FAST, lines=["c3", "hint", "undo", "b2"]).stdout for _ in range(2))
    assert without_clock(first) == without_clock(second)
    assert first.count("Tesuji plays") == 2


def test_go__undo_in_a_handicap_game_takes_back_ones_own_move(typed):
    result = typed("go", "--size", 7, "--handicap", 4, *FAST, lines=["d4", "undo", "undo", "quit"])
    assert "Stopped after 1 move." in result.stdout  # White began
    assert "nothing to take back" in result.stdout


def test_go__ctrl_c_makes_the_engine_move_at_once():
    output = io.StringIO()
    setting = make_setting("go", size=5)
    rival = EngineRival(setting.game, EngineConfig(simulations=None, seconds=600.0, seed=1))
    answer = rival.answer
    rival.answer = lambda: answer(lambda _move, _simulations: signal.raise_signal(signal.SIGINT))
    console = Console(file=output, width=100)
    before = signal.getsignal(signal.SIGINT)
    Dialogue(console, setting.game, setting.view, rival, human=1, read_line=lambda _prompt: "quit").run()
    assert "Tesuji plays" in output.getvalue()
    assert signal.getsignal(signal.SIGINT) is before


def test_levels__are_those_of_the_page_by_name_or_number(typed):
    assert [level.simulations for level in LEVELS] == sorted(level.simulations for level in LEVELS)
    for word in ("2", "novice"):
        result = typed("connect4", "--level", word, "--seed", 1, lines=["4", "quit"])
        assert f"{LEVELS[1].simulations} simulations" in result.stdout
    assert all(level.name in typed("--help").stdout for level in LEVELS)
    refused = typed("go", "--level", "superb", lines=["quit"])
    assert refused.exit_code == 2
    assert "no level 'superb'; choose from 1 beginner, 2 novice" in refused.stderr


@pytest.mark.parametrize("game", ["go", "connect4"])
def test_levels__a_weak_one_plays_other_moves_than_its_best_and_hints_are_the_best(game):
    def move(level, seed):
        setting = make_setting(game, size=9 if game == "go" else None)
        return rival_of(setting, seed=seed, level=level).answer(lambda *_: None).move

    weak, full = Level("weak", 30, 2.0), Level("best", 30, 0.0)
    assert any(move(weak, seed) != move(full, seed) for seed in range(8))
    rival = rival_of(make_setting(game, size=9 if game == "go" else None), seed=1, level=weak)
    advice = rival.advise()
    assert advice.lines[0].move == advice.move
    assert advice.lines[0].visits == max(line.visits for line in advice.lines)


def test_save__a_game_of_go_is_an_sgf_that_reads_back(typed, tmp_path):
    path = tmp_path / "game.sgf"
    result = typed("go", "--size", 5, "--komi", "3.5", *FAST, "--save", path, lines=["c3", "b2", "resign"])
    assert f"Saved: {path}" in result.stdout.replace("\n", "")
    record = load(path)
    assert (record.width, record.komi, record.black, record.white, record.result) == (5, 3.5, "You", "Tesuji", "W+R")
    assert [record.replay().vertex(move) for _, move in record.moves][0::2] == ["C3", "B2"]
    assert record.replay().num_moves == len(record.moves) == 4


def test_save__another_game_is_its_moves_and_who_won(typed, tmp_path):
    path = tmp_path / "game.txt"
    typed("connect4", *FAST, lines=["4", f"save {path}", "quit"])
    head, moves, result = path.read_text().splitlines()
    assert head == "Connect Four: Red You, Yellow Tesuji, seed 1"
    assert moves.split()[0] == "4"
    assert result == "not finished"


def test_save__a_file_that_is_there_is_not_replaced_unasked(typed, tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text("precious")
    refused = typed("go", *FAST, "--save", path)
    assert refused.exit_code == 2
    assert "--force" in refused.stderr
    assert path.read_text() == "precious"
    assert typed("go", *FAST, "--save", path, "--force", lines=["quit"]).exit_code == 0
    assert load(path).moves == []


def test_save__where_nothing_can_be_written_is_said_and_the_game_goes_on(typed, tmp_path):
    result = typed("hex", *FAST, lines=["save", f"save {tmp_path}/no/such/file.txt", "f6", "quit"])
    assert "Say where: save mygame.txt" in result.stdout
    assert "cannot be written: No such file or directory" in " ".join(result.stdout.split())
    assert "Stopped after 2 moves." in result.stdout


def test_play__two_passes_end_a_game_of_go_with_its_score(typed):
    # It plays on while borders are open, and passes once nothing is left to play for.
    result = typed("go", "--size", 5, *FAST, lines=["pass"] * 60)
    assert "Tesuji passes" in result.stdout
    assert "Tesuji wins, as White, in " in result.stdout


def test_help__names_every_command(typed):
    result = typed("hex", *FAST, lines=["?", "help", "quit"])
    for word in ("hint", "undo", "board", "quit", "?", "Red joins top and bottom"):
        assert word in result.stdout


@pytest.mark.parametrize("ending", [[], ["quit"], ["q"], ["exit"], ["", "  ", "QUIT"]])
def test_play__the_end_of_the_input_ends_the_game_politely(typed, ending):
    result = typed("connect4", *FAST, lines=ending)
    assert result.exit_code == 0
    assert result.stdout.endswith("Stopped after 0 moves.\n")
    assert result.stderr == ""


def test_play__ctrl_c_at_the_prompt_ends_the_game_politely():
    dialogue, output = dialogue_of("hex", size=5)

    def interrupt(_prompt):
        raise KeyboardInterrupt

    dialogue._read_line = interrupt
    dialogue.run()
    assert output.getvalue().endswith("Stopped after 0 moves.\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chess"], ["'chess'", "tictactoe"]),
        ([], ["GAME"]),
        (["tictactoe", "--size", "3"], ["tictactoe has one size only", "size 3"]),
        (["hex", "--size", "20"], ["20", "1..19"]),
        (["hex", "--size", "0"], ["--size", "0"]),
        (["havannah", "--size", "3"], ["Havannah base 3 is outside 4..10"]),
        (["gomoku", "--size", "20"], ["Gomoku size 20 is outside 5..19"]),
        (["othello", "--size", "8"], ["othello has one size only; leave size 8 out"]),
        (["hex", "--simulations", "0"], ["--simulations", "0"]),
        (["hex", "--seconds", "0"], ["--seconds", "0"]),
        (["hex", "--first", "nobody"], ["--first", "'nobody'"]),
        (["hex", "--komi", "6.5"], ["komi and handicap are for go", "hex"]),
        (["go", "--komi", "0.3"], ["0.3"]),
        (["go", "--size", "5", "--handicap", "9"], ["9"]),
        (["go", "--level", "3", "--simulations", "7"], ["--level", "--simulations"]),
        (["go", "--level", "11"], ["level '11'", "7 full"]),
        (["go", "--save", "/no/such/place/game.sgf"], ["/no/such/place", "game.sgf"]),
    ],
)
def test_errors__are_one_line_before_the_game_begins(typed, arguments, words):
    result = typed(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    for word in words:
        assert word in line


def test_games__the_command_line_offers_all_of_them():
    assert set(GAME_NAMES) == {"go", *NATIVE_GAMES}


def test_play__bytes_that_are_no_text_are_a_typing_error():
    done = subprocess.run(
        [sys.executable, "-m", "tesuji.cli", "play", "tictactoe", *FAST],
        input=b"\xff\xfe\nb2\n", capture_output=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert b"is not a cell" in done.stdout
    assert b"Tesuji plays" in done.stdout
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals are ignored by a shell of POSIX")
def test_ctrl_c__is_heard_by_tests_that_a_shell_runs_in_the_background():
    test = f"{__file__}::test_play__ctrl_c_while_it_thinks_makes_it_move"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", test]
    deaf = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process = subprocess.Popen(command, cwd=Path(__file__).parents[2], stdout=subprocess.PIPE, text=True)
    finally:
        signal.signal(signal.SIGINT, deaf)
    assert "1 passed" in process.communicate()[0]


def test_play__ctrl_c_while_it_thinks_makes_it_move():
    dialogue, output = dialogue_of("hex", size=5, human=1)
    opponent = Opponent(dialogue.game, dialogue.rival.opponent.config, seconds=600.0)
    dialogue.rival = SearchRival(opponent)
    think = opponent.think
    opponent.think = lambda: think(lambda _so_far: signal.raise_signal(signal.SIGINT))
    dialogue.run()
    assert "Tesuji plays" in output.getvalue()
    assert output.getvalue().endswith("Stopped after 1 move.\n")
