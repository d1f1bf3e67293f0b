"""``tesuji analyse`` as a user meets it: files, going on, interruption, errors."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tesuji import cli
from tesuji.go.records.review_sgf import judgements_in

SGF = b"(;GM[1]FF[4]SZ[9]KM[6.5]PB[Shusaku]PW[Gennan]RE[B+2];B[ee];W[cc];B[gg];W[gc])"


@pytest.fixture
def analyse():
    """Run `tesuji analyse` with arguments and few simulations, in this process."""

    def run(*arguments, simulations=20):
        limits = ["--simulations", str(simulations)] if simulations else []
        words = ["analyse", *map(str, arguments), *limits]
        return CliRunner().invoke(cli.main, words, prog_name="tesuji")

    return run


@pytest.fixture
def game(tmp_path):
    path = tmp_path / "game.sgf"
    path.write_bytes(SGF)
    return path


def numbers_in(path):
    return [judgement.number for judgement in judgements_in(path.read_bytes())]


def assert_error(result, *words):
    assert result.exit_code == 2, result.output
    (line,) = result.stderr.splitlines()
    for word in words:
        assert word in line


def test_analyse__writes_a_copy_beside_the_game_and_prints_a_balance(analyse, game):
    result = analyse(game)
    assert result.exit_code == 0, result.output
    assert numbers_in(game.with_name("game-analysed.sgf")) == [1, 2, 3, 4]
    assert game.read_bytes() == SGF
    for words in ("Shusaku (Black) - Gennan (White)", "komi 6.5", "result B+2", "4 of 4 moves are judged"):
        assert words in result.stdout
    assert "4 of 4 judged" in result.stderr


def test_analyse__goes_on_with_what_is_there_and_searches_nothing_twice(analyse, game):
    out = game.with_name("game-analysed.sgf")
    assert analyse(game, "--from", 2, "--to", 3).exit_code == 0
    assert numbers_in(out) == [2, 3]
    before = judgements_in(out.read_bytes())
    result = analyse(game)
    assert "2 of 2 judged" in result.stderr
    assert numbers_in(out) == [1, 2, 3, 4]
    assert judgements_in(out.read_bytes())[1:3] == before
    assert analyse(game).stderr == ""  # nothing left to do


def test_analyse__parts_make_the_same_whole(analyse, game, tmp_path):
    analyse(game, "--out", tmp_path / "whole.sgf")
    for part in (("--to", 2), ("--from", 3)):
        analyse(game, "--out", tmp_path / "parts.sgf", *part)
    whole, parts = (judgements_in((tmp_path / name).read_bytes()) for name in ("whole.sgf", "parts.sgf"))
    assert whole == parts


def test_analyse__json_has_every_move(analyse, game):
    result = analyse(game, "--json")
    found = json.loads(result.stdout)
    assert [move["move"] for move in found["judgements"]] == ["E5", "C7", "G3", "G7"]
    assert {"loss", "mark", "winrate_before", "winrate_after", "best_line"} <= set(found["judgements"][0])
    assert found["provenance"]["version"]
    assert found["settings"]["simulations"] == 20


def test_analyse__a_chart_is_replaced_by_its_own_successor_only(analyse, game, tmp_path):
    pytest.importorskip("matplotlib")
    chart = tmp_path / "chart.png"
    assert analyse(game, "--to", 2, "--chart", chart).exit_code == 0
    assert analyse(game, "--chart", chart).exit_code == 0
    chart.write_bytes(b"holiday picture")
    assert_error(analyse(game, "--chart", chart), "chart.png", "--force")
    assert chart.read_bytes() == b"holiday picture"
    assert analyse(game, "--chart", chart, "--force").exit_code == 0
    assert chart.read_bytes().startswith(b"\x89PNG")


def test_analyse__a_file_that_is_there_is_refused_without_force(analyse, game, tmp_path):
    out = tmp_path / "out.sgf"
    out.write_bytes(b"(;SZ[9];B[cc])")
    assert_error(analyse(game, "--out", out), "out.sgf", "not a review of this game", "--force")
    assert out.read_bytes() == b"(;SZ[9];B[cc])"
    assert analyse(game, "--out", out, "--force").exit_code == 0
    assert_error(analyse(game, "--out", out, simulations=30), "20 simulations", "--force")


def test_analyse__a_review_of_another_game_is_not_gone_on_with(analyse, game, tmp_path):
    analyse(game, "--out", tmp_path / "out.sgf")
    game.write_bytes(SGF.replace(b"gg", b"gh"))
    assert_error(analyse(game, "--out", tmp_path / "out.sgf"), "not a review of this game")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"hello", ["game.sgf", "no game"]),
        (b"", ["game.sgf", "no game"]),
        (b"(;GM[2]SZ[8];B[ee])", ["GM[2]", "not the game of Go"]),
        (b"(;SZ[9];B[ee];W[ee])", ["move 2", "E5", "occupied"]),
        (b"(;SZ[9])", ["no moves"]),
        (b"(;SZ[9];B[ee])(;SZ[9];B[cc])", ["several games"]),
    ],
)
def test_analyse__a_file_that_cannot_be_judged_is_one_clear_error(analyse, game, data, words):
    game.write_bytes(data)
    assert_error(analyse(game), *words)
    assert not game.with_name("game-analysed.sgf").exists()


def test_analyse__options_that_cannot_be_meant(analyse, game, tmp_path):
    assert_error(analyse(game, "--seconds", 1), "--simulations and --seconds")
    assert_error(analyse(game, "--from", 9), "4 moves", "--from 9")
    assert_error(analyse(game, "--from", 3, "--to", 2), "--from 3", "--to 2")
    assert_error(analyse(game, "--out", game), "is the game itself")
    assert_error(analyse(game, "--out", tmp_path / "nowhere" / "out.sgf"), "nowhere", "no directory")
    assert_error(analyse(tmp_path / "missing.sgf"), "missing.sgf", "does not exist")


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs a directory that not even root may write to")
@pytest.mark.parametrize("option", ["--out", "--chart"])
def test_analyse__a_directory_that_is_not_writable_is_said_before_the_search(analyse, game, option):
    assert_error(analyse(game, option, "/proc/file"), "/proc is not writable", "another place for file")
    assert not game.with_name("game-analysed.sgf").exists()


def test_analyse__ctrl_c_keeps_what_is_done_and_the_same_command_goes_on(analyse, game):
    points = [f"{column}{row}" for row in "abcdefghi" for column in "aceg"]
    game.write_bytes(b"(;SZ[9]" + b"".join(f";{'BW'[i % 2]}[{p}]".encode() for i, p in enumerate(points)) + b")")
    out = game.with_name("game-analysed.sgf")
    words = [sys.executable, "-u", "-m", "tesuji.cli", "analyse", str(game), "--simulations", "3000"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert "1 of 36 judged" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=600)
    assert process.returncode == 130
    assert f"{out} holds what is done, and the same command goes on from there" in errors
    done = numbers_in(out)
    assert done == list(range(1, len(done) + 1))
    assert 1 <= len(done) < 36
    result = analyse(game, "--to", len(done) + 1, simulations=3000)
    assert "1 of 1 judged" in result.stderr
    assert numbers_in(out) == [*done, len(done) + 1]


# --- collections, packed files, standard output -----------------------------------------------------------------------

COLLECTION = b"(;SZ[9];B[ee])(;SZ[9]PB[Second];B[cc];W[dd])"


@pytest.mark.parametrize(("ending", "packer"), [(".xz", lzma), (".gz", gzip), (".bz2", bz2)])
def test_analyse__a_game_of_a_packed_collection(analyse, tmp_path, ending, packer):
    path = tmp_path / f"games.sgf{ending}"
    path.write_bytes(packer.compress(COLLECTION))
    assert_error(analyse(path), "several games, 2", "--game N")
    result = analyse(path, "--game", 2)
    assert result.exit_code == 0, result.output
    assert "Second (Black)" in result.stdout
    assert numbers_in(tmp_path / "games-2-analysed.sgf") == [1, 2]
    assert_error(analyse(path, "--game", 3), "it holds 2 games: there is no game 3")


def test_analyse__reviews_of_two_games_of_a_file_are_not_mixed_up(analyse, tmp_path):
    path = tmp_path / "games.sgf"
    path.write_bytes(COLLECTION)
    out = tmp_path / "out.sgf"
    assert analyse(path, "--game", 1, "--out", out).exit_code == 0
    assert_error(analyse(path, "--game", 2, "--out", out), "not a review of this game")


def test_analyse__a_damaged_packed_file_is_one_error(analyse, tmp_path):
    path = tmp_path / "games.sgf.xz"
    path.write_bytes(lzma.compress(COLLECTION)[:-9])
    assert_error(analyse(path), "games.sgf.xz", "damaged")
    path.write_bytes(b"(;SZ[9];B[ee])")
    assert_error(analyse(path), "games.sgf.xz")


@pytest.mark.parametrize("out", ["-", "/dev/stdout"])
def test_analyse__standard_output_holds_the_copy_and_nothing_else(game, out, tmp_path):
    words = ["analyse", str(game), "--out", out, "--simulations", "20"]
    done = subprocess.run(
        [sys.executable, "-m", "tesuji.cli", *words], capture_output=True, cwd=tmp_path, timeout=600, check=True
    )
    assert [judgement.number for judgement in judgements_in(done.stdout)] == [1, 2, 3, 4]
    assert b"Shusaku" in done.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["game.sgf"]


def test_analyse__a_reader_that_goes_away_ends_it(game):
    words = f"{sys.executable} -m tesuji.cli analyse {game} --out - --simulations 5 2>/dev/null | head -c 1"
    done = subprocess.run(["bash", "-c", words], capture_output=True, timeout=600, check=True)
    assert done.stdout == b"("


def test_analyse__no_number_is_cut_in_a_narrow_terminal(analyse, game, monkeypatch):
    wide = analyse(game).stdout
    monkeypatch.setenv("COLUMNS", "30")
    narrow = analyse(game).stdout
    assert "…" not in narrow
    assert re.findall(r"[0-9.]+ %", narrow) == re.findall(r"[0-9.]+ %", wide)
