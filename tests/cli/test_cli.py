"""The command line as a newcomer meets it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import msgspec
import pytest
from click.testing import CliRunner

import tesuji
from tesuji import cli
from tesuji.bench import board, callgrind
from tesuji.bench.board import BoardRow
from tesuji.cli.command import RULE_NAMES
from tesuji.go import RULE_SETS, Board
from tesuji.go.engine.presets import ENGINE_PRESETS
from tesuji.go.records.sgf import load

COMMANDS = "demo", "play", "gtp", "show", "match", "tournament", "report", "tune", "sweep", "regress", "bench"
SGF = b"(;GM[1]FF[4]SZ[9]KM[6.5]PB[Shusaku]PW[Gennan]RE[B+2];B[ee];W[cc];B[gg];W[gc])"


@pytest.fixture
def tesuji_command():
    """Run `tesuji` with arguments, in this process."""

    def run(*arguments, **extra):
        return CliRunner().invoke(cli.main, [str(argument) for argument in arguments], prog_name="tesuji", **extra)

    return run


@pytest.fixture
def game(tmp_path):
    path = tmp_path / "game.sgf"
    path.write_bytes(SGF)
    return path


def subprocess_of(*arguments):
    return [sys.executable, "-m", "tesuji.cli", *map(str, arguments)]


def assert_one_line_error(result, *words):
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("tesuji")
    for word in words:
        assert word in line


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_help__names_the_commands_and_succeeds(tesuji_command, arguments):
    result = tesuji_command(*arguments)
    assert result.exit_code == 0
    for command in (*COMMANDS, "papers"):
        assert f"\n  {command} " in result.stdout


@pytest.mark.parametrize(
    "command",
    [
        *([command] for command in COMMANDS),
        *(["bench", command] for command in ("board", "search")),
        *(["papers", command] for command in ("list", "describe", "run", "report")),
    ],
)
def test_help__every_command_has_examples_that_fit_a_terminal(tesuji_command, command):
    result = tesuji_command(*command, "--help")
    assert result.exit_code == 0
    assert "Examples:" in result.stdout
    assert f"tesuji {' '.join(command)}" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_help__imports_neither_the_drawing_nor_the_search():
    code = (
        "import sys; from tesuji.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "sys.exit(any(name in sys.modules for name in ("
        "'matplotlib', 'rich', 'msgspec', 'tesuji.go.view.demo', 'tesuji.go.gtp', 'tesuji.experiments', "
        "'tesuji.papers')))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0


def test_version__is_the_packages(tesuji_command):
    assert tesuji_command("--version").stdout == f"tesuji {tesuji.__version__}\n"


def test_rules__the_choices_are_the_rule_sets_there_are():
    assert set(RULE_NAMES) == set(RULE_SETS)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["shw"], ["there is no command 'shw'", "did you mean 'show'"]),
        (["frobnicate"], ["there is no command 'frobnicate'", "choose from"]),
        (["--frobnicate"], ["--frobnicate", "tesuji --help"]),
        (["show"], ["GAME.SGF", "tesuji show --help"]),
        (["show", "nowhere.sgf"], ["nowhere.sgf", "does not exist"]),
        (["gtp", "--simulations", "0"], ["--simulations", "0"]),
        (["gtp", "--simulations", "many"], ["--simulations", "'many'"]),
        (["gtp", "--seconds", "-1"], ["--seconds", "-1"]),
        (["gtp", "--size", "26"], ["--size", "26"]),
        (["gtp", "--komi", "lots"], ["--komi", "'lots'"]),
        (["gtp", "--komi", "6.3"], ["6.3"]),
        (["gtp", "--komi", "nan"], ["nan"]),
        (["gtp", "--rules", "french"], ["--rules", "'french'", "chinese"]),
        (["bench", "bord"], ["bord"]),
        (["bench", "board", "--playouts", "0"], ["--playouts", "0"]),
        (["demo", "--moves", "-1"], ["--moves", "-1"]),
    ],
)
def test_errors__are_one_line_on_stderr_with_exit_code_2(tesuji_command, arguments, words):
    assert_one_line_error(tesuji_command(*arguments), *words)


@pytest.mark.parametrize("content", [b"", b"hello", b"(;GM[1]SZ[9];B[zz])", b"(;GM[1]SZ[9];B[ee];W[ee])", b"\xff\x00"])
def test_show__a_bad_sgf_is_one_line(tesuji_command, tmp_path, content):
    path = tmp_path / "bad.sgf"
    path.write_bytes(content)
    assert_one_line_error(tesuji_command("show", path))


def test_show__what_is_odd_about_a_record_is_said_on_stderr(tesuji_command, tmp_path):
    path = tmp_path / "odd.sgf"
    path.write_bytes(b"(;GM[1]SZ[9]HA[two]KM[375];B[ee];W[e")
    result = tesuji_command("show", path)
    assert result.exit_code == 0
    assert "komi 7.5" in result.stdout
    assert "HA 'two'" in result.stderr
    assert "does not end" in result.stderr


def test_errors__debug_keeps_the_traceback(tesuji_command, tmp_path):
    path = tmp_path / "bad.sgf"
    path.write_bytes(b"hello")
    assert isinstance(tesuji_command("--debug", "show", path).exception, ValueError)


def test_show__draws_the_last_position_in_plain_text(tesuji_command, game):
    result = tesuji_command("show", game)
    assert result.exit_code == 0
    assert "Shusaku - Gennan" in result.stdout
    assert "after move 4 of 4 (G7)" in result.stdout
    assert "result B+2" in result.stdout
    assert "X" in result.stdout
    assert "(O)" in result.stdout
    assert "\x1b" not in result.stdout


def test_show__a_move_number_chooses_the_position(tesuji_command, game):
    result = tesuji_command("show", game, "--move", 1)
    assert "after move 1 of 4 (E5); White to play" in result.stdout
    assert "(X)" in result.stdout
    assert "O" not in result.stdout.partition("A B C")[2]
    assert "at the start" in tesuji_command("show", game, "--move", 0).stdout


def test_show__says_which_of_how_many_games_it_draws(tesuji_command, tmp_path):
    path = tmp_path / "games.sgf"
    path.write_bytes(b"(;SZ[9];B[ee])(;SZ[9]PB[Second]PW[Other];B[cc];W[dd])(;SZ[nonsense])")
    first = tesuji_command("show", path)
    assert "game 1 of 3; --game N shows another" in first.stdout
    second = tesuji_command("show", path, "--game", 2)
    assert "Second - Other\ngame 2 of 3" in second.stdout
    assert "after move 2 of 2" in second.stdout
    for number, words in ((3, "game 3"), (4, "it holds 3 games: there is no game 4")):
        result = tesuji_command("show", path, "--game", number)
        assert_one_line_error(result)
        assert words in result.stderr
    assert "shows another" not in tesuji_command("show", "--move", 1, _single(tmp_path)).stdout


def _single(folder):
    path = folder / "single.sgf"
    path.write_bytes(b"(;SZ[9];B[ee])")
    return path


def test_show__names_cannot_steer_the_terminal_or_the_picture(tesuji_command, tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "odd.sgf"
    path.write_bytes("(;GM[1]SZ[5]PB[\x1b[31m red\\] $x^ 本因坊]PW[[bold\\] a];B[cc])".encode())
    result = tesuji_command("show", path, "--png", tmp_path / "odd.png")
    assert result.exit_code == 0, result.output
    assert "\x1b" not in result.stdout
    assert "本因坊 - [bold] a" in result.stdout
    assert result.stderr == ""


def test_show__a_move_past_the_end_is_an_error(tesuji_command, game):
    assert_one_line_error(tesuji_command("show", game, "--move", 5), "has 4 moves", "--move 5")


def test_show__ownership_shades_every_point(tesuji_command, game):
    result = tesuji_command("show", game, "--ownership")
    assert result.exit_code == 0
    assert "A B C D E F G H J            A B C D E F G H J" in result.stdout
    assert "Owner map" in result.stdout


def test_show__writes_a_picture(tesuji_command, game, tmp_path):
    pytest.importorskip("matplotlib")
    result = tesuji_command("show", game, "--png", tmp_path / "game.png", "--numbers")
    assert result.exit_code == 0
    assert "game.png" in result.stdout
    assert (tmp_path / "game.png").read_bytes().startswith(b"\x89PNG")


def test_show__a_picture_that_cannot_be_written_is_one_line(tesuji_command, game, tmp_path):
    pytest.importorskip("matplotlib")
    result = tesuji_command("show", game, "--png", tmp_path / "no" / "where.png")
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert "where.png" in result.stderr


def test_demo__shows_its_thoughts_and_leaves_a_game_and_a_picture(tesuji_command, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    from tesuji.go.view import demo

    monkeypatch.setattr(demo, "ANALYSIS_SIMULATIONS", 300)
    monkeypatch.setattr(demo, "MOVE_SIMULATIONS", 2_000)
    result = tesuji_command("demo", "--out", tmp_path / "new folder", "--moves", 6)
    assert result.exit_code == 0, result.output
    for word in (
        "Takemiya",
        "visits",
        "main line",
        "White wins",
        "300 simulations",
        "What to try next",
        "tesuji gtp",
    ):
        assert word in result.stdout
    record = load(tmp_path / "new folder" / "tesuji-demo.sgf")
    assert len(record.moves) == 6
    assert record.black == "Tesuji"
    assert "%" in record.comments[3]
    assert json.loads(record.text("GC"))["seed"] == 1
    assert (tmp_path / "new folder" / "tesuji-demo.png").read_bytes().startswith(b"\x89PNG")


def test_demo__its_position_is_legal_and_the_masters_answer_too():
    from tesuji.go.view.demo import MASTER_GAME

    board = MASTER_GAME.board()
    assert isinstance(board, Board)
    assert board.num_moves >= 15
    board.play(MASTER_GAME.played)


def test_demo__one_seed_plays_one_game(monkeypatch):
    from tesuji.go.view import demo

    monkeypatch.setattr(demo, "MOVE_SIMULATIONS", 2_000)
    monkeypatch.setattr(demo, "MOVE_SECONDS", 60.0)
    games = [demo.SelfPlay(board=Board(9)) for _ in range(2)]
    for one in games:
        demo.self_play(one, seed=5, max_moves=10)
    assert games[0].board.moves == games[1].board.moves


def test_demo__without_matplotlib_it_says_which_extra_and_goes_on(tesuji_command, tmp_path, monkeypatch):
    from tesuji.go.view import demo
    from tesuji.go.view.picture import MissingExtraError

    def missing(*_arguments):
        raise MissingExtraError("pictures need matplotlib: pip install 'tesuji[plot]'")

    monkeypatch.setattr(demo, "ANALYSIS_SIMULATIONS", 100)
    monkeypatch.setattr(demo, "save_png", missing)
    result = tesuji_command("demo", "--out", tmp_path, "--moves", 0)
    assert result.exit_code == 0
    assert "tesuji[plot]" in result.stdout
    assert (tmp_path / "tesuji-demo.sgf").exists()


def test_demo__stopped_in_mid_game_it_keeps_what_is_there(tesuji_command, tmp_path, monkeypatch):
    from tesuji.go.view import demo

    def interrupted(game, **_extra):
        game.board.play("E5")
        raise KeyboardInterrupt

    monkeypatch.setattr(demo, "ANALYSIS_SIMULATIONS", 100)
    monkeypatch.setattr(demo, "self_play", interrupted)
    result = tesuji_command("demo", "--out", tmp_path)
    assert result.exit_code == 130
    assert "Stopped" in result.stdout
    assert len(load(tmp_path / "tesuji-demo.sgf").moves) == 1


def rows(instructions=20_000):
    return [
        BoardRow(
            size=size,
            variant="light",
            instructions=instructions,
            moves=111.0,
            playouts_per_s=50_000.0,
            compiler="g++",
            flags="-O3",
        )
        for size in (9, 19)
    ]


@pytest.fixture
def measured(monkeypatch, tmp_path):
    """A machine on which every playout takes 20,000 instructions, and a place for the committed rows."""
    monkeypatch.setattr(callgrind, "has_valgrind", lambda: True)
    monkeypatch.setattr(board, "measure_board", lambda **_: rows())
    monkeypatch.setattr(board, "committed_path", lambda: tmp_path / "bench" / "board.json")
    return tmp_path / "bench" / "board.json"


@pytest.fixture
def signed(monkeypatch):
    """What the signature is here: to compute it takes seconds, and tests/test_bench.py does."""
    monkeypatch.setattr("tesuji.bench.signature.signature", lambda: "0123456789abcdef")
    return "0123456789abcdef"


def test_bench__prints_speed_instructions_and_signature(tesuji_command, measured, signed):
    result = tesuji_command("bench")
    assert result.exit_code == 0
    for word in ("9x9", "19x19", "50,000", "20,000", "playouts/s", f"signature {signed}"):
        assert word in result.stdout


def test_bench__signature_alone_is_one_word(tesuji_command, signed):
    assert tesuji_command("bench", "--signature").stdout == f"{signed}\n"


def test_bench_board__json_is_a_list_of_rows(tesuji_command, measured):
    result = tesuji_command("bench", "board", "--json")
    keys = {"size", "variant", "instructions", "moves", "playouts_per_s", "compiler", "flags"}
    assert [set(row) for row in json.loads(result.stdout)] == [keys, keys]


def test_bench_board__check_says_when_there_is_nothing_to_compare_with(tesuji_command, measured):
    result = tesuji_command("bench", "board", "--check")
    assert result.exit_code == 0
    assert "no committed value" in result.stderr
    assert "--update" in result.stderr


def test_bench_board__update_then_check_passes_and_growth_fails(tesuji_command, measured, monkeypatch):
    assert tesuji_command("bench", "board", "--update").exit_code == 0
    assert msgspec.json.decode(measured.read_bytes(), type=list[BoardRow])
    passed = tesuji_command("bench", "board", "--check")
    assert passed.exit_code == 0
    assert "2 rows within 5 %" in passed.stderr
    monkeypatch.setattr(board, "measure_board", lambda **_: rows(22_000))
    failed = tesuji_command("bench", "board", "--check")
    assert failed.exit_code == 1
    assert "+10.0 %" in failed.stderr
    assert "9x9 light" in failed.stderr


def test_bench_board__check_without_valgrind_names_the_remedy(tesuji_command, monkeypatch):
    monkeypatch.setattr(callgrind, "has_valgrind", lambda: False)
    assert_one_line_error(tesuji_command("bench", "board", "--check"), "valgrind", "apt-get install valgrind")


def test_gtp__a_dialogue_through_real_pipes():
    done = subprocess.run(
        subprocess_of("gtp", "--size", 9, "--simulations", 20, "--seed", 1, "--komi", 5.5),
        input=b"1 protocol_version\n2 genmove black\n3 no_such_command\n4 quit\n",
        capture_output=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stderr == b""
    replies = done.stdout.decode().split("\n\n")
    assert replies[0] == "=1 2"
    assert replies[1].startswith("=2 ")
    assert replies[2].startswith("?3 ")
    assert replies[3] == "=4"


def test_gtp__one_seed_makes_one_game():
    def game():
        arguments = subprocess_of("gtp", "--size", 7, "--simulations", 30, "--seed", 3)
        return subprocess.run(
            arguments, input=b"genmove b\ngenmove w\ngenmove b\n", capture_output=True, timeout=600, check=True
        ).stdout

    assert game() == game()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_gtp__ctrl_c_is_quiet():
    process = subprocess.Popen(
        subprocess_of("gtp"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdin.write(b"name\n")
    process.stdin.flush()
    assert process.stdout.readline().startswith(b"=")  # it has started
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=600)
    assert process.returncode in (0, 130)
    assert errors == b""


@pytest.mark.skipif(os.name == "nt", reason="a shell's pipe")
def test_show__a_reader_that_leaves_early_is_no_error(game):
    command = " ".join(f"'{word}'" for word in subprocess_of("show", game))
    done = subprocess.run(["sh", "-c", f"{command} | head -n 1"], capture_output=True, timeout=600, check=False)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("preset", ENGINE_PRESETS)
def test_gtp__every_preset_plays(tesuji_command, preset):
    arguments = ("gtp", "--preset", preset, "--size", 5, "--simulations", 20, "--threads", 2)
    result = tesuji_command(*arguments, input="genmove b\n")
    assert result.exit_code == 0
    assert result.stdout.startswith("= ")


def test_gtp__a_preset_that_does_not_exist_is_named(tesuji_command):
    assert_one_line_error(
        tesuji_command("gtp", "--preset", "ucb"), "there is no preset 'ucb'", "default, fast, uct, uct-rave"
    )
