"""Urgencies fitted to games: what is planted is found, in every form of the board; files, and wrong ones."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tesuji.go import Board
from tesuji.go.engine import Engine, EngineConfig
from tesuji.go.knowledge.position_key import WHITE, turned_points
from tesuji.go.knowledge.priors import PriorWeights, priors
from tesuji.go.knowledge.urgency import UrgencyFile, UrgencyHead, packed, read_urgency, standard_file
from tesuji.go.masters.database import GameDatabase
from tesuji.go.masters.fitting import FitSettings, Lines, Prediction, fit_urgency, lines_of
from tesuji.go.masters.game import GameInfo, StoredGame
from tesuji.go.masters.prediction import curve_text, judged_by_priors
from tesuji.go.rules.color import Color

SIZE = 7
SETTINGS = FitSettings(least=3, share=1.0, rounds=2, judged=1.0)


def drawn_games(number: int, seed: int) -> Lines:
    """Players who answer beside the last move where they can: one habit to be found."""
    rng = np.random.default_rng(seed)
    games = []
    for _ in range(number):
        board, line = Board(SIZE), []
        for _ in range(20):
            legal = [int(move) for move in board.legal_moves() if move != board.pass_move]
            last = board.moves[-1][1] if board.moves else None
            near = (
                []
                if last is None
                else [m for m in legal if abs(m // SIZE - last // SIZE) + abs(m % SIZE - last % SIZE) == 1]
            )
            if not legal:
                break
            move = int(rng.choice(near or legal))
            line.append(move | (WHITE if board.color_to_play == Color.WHITE else 0))
            board.play(move)
        games.append(np.array(line, np.uint16))
    starts = np.concatenate([[0], np.cumsum([len(game) for game in games])]).astype(np.int64)
    return Lines(np.concatenate(games), starts)


@pytest.fixture(scope="module")
def fitted() -> tuple[UrgencyFile, Prediction]:
    return fit_urgency(drawn_games(200, 1), drawn_games(40, 2), SIZE, SETTINGS)


@pytest.fixture(scope="module")
def table(fitted: tuple[UrgencyFile, Prediction], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("urgency") / "u.bin"
    fitted[0].write(path)
    return path


def test_fit__a_habit_is_found_in_games_kept_out(fitted: tuple[UrgencyFile, Prediction]) -> None:
    _, prediction = fitted
    answers = prediction.of_phase(1, 20)
    assert answers.top(4) > 0.9  # chance: a tenth
    assert answers.top(1) > 0.3
    assert "all" in curve_text(prediction)


def test_fit__the_same_seed_gives_the_same_table() -> None:
    games, others = drawn_games(30, 1), drawn_games(5, 2)
    one, two = (fit_urgency(games, others, SIZE, SETTINGS)[0] for _ in range(2))
    assert np.array_equal(one.fingerprints, two.fingerprints)
    assert np.array_equal(one.logarithms, two.logarithms)


def test_fit__can_be_ended_early() -> None:
    games = drawn_games(150, 1)
    file, _ = fit_urgency(games, drawn_games(2, 2), SIZE, SETTINGS, on_progress=lambda _what, share: share < 0.5)
    assert file.head.entries > 0


def test_priors__the_table_speaks(table: Path) -> None:
    board = Board(SIZE)
    board.play("D4")
    moves, found = priors(board, PriorWeights(urgency=str(table), roots=0))
    by_name = {board.vertex(int(move)): float(prior) for move, prior in zip(moves, found, strict=True)}
    assert max(by_name.values()) == 1.0
    assert min(by_name[name] for name in ("C4", "E4", "D3", "D5")) > 5 * by_name["A7"]


@pytest.mark.parametrize("turn", range(8))
def test_priors__are_the_same_on_a_turned_board_with_other_colours(table: Path, turn: int) -> None:
    rng = np.random.default_rng(turn)
    images = turned_points(SIZE, SIZE, turn)
    board, turned = Board(SIZE), Board(SIZE)
    turned.color_to_play = Color.WHITE
    for _ in range(12):
        move = int(rng.choice([m for m in board.legal_moves() if m != board.pass_move]))
        board.play(move)
        turned.play(int(images[move]))
    weights = PriorWeights(urgency=str(table))
    (moves, found), (others, same) = priors(board, weights), priors(turned, weights)
    there = dict(zip(others.tolist(), same.tolist(), strict=True))
    for move, prior in zip(moves.tolist(), found.tolist(), strict=True):
        assert there[int(images[move])] == pytest.approx(prior, abs=1e-6)


def test_judged_again__the_others_stay_behind(table: Path) -> None:
    board = Board(SIZE)
    for name in ("D4", "E5", "C5"):
        board.play(name)
    _, before = priors(board, PriorWeights(roots=0))
    moves, few = priors(board, PriorWeights(urgency=str(table), roots=0, judged_again=5))
    _, everything = priors(board, PriorWeights(urgency=str(table), roots=0, judged_again=1000))
    points = moves != board.pass_move
    before, few, everything = before[points], few[points], everything[points]
    limit = np.sort(before)[-5]
    judged = before >= limit
    assert few[judged] == pytest.approx(everything[judged] / everything[judged].max(), rel=1e-4)
    assert few[~judged].max() <= few[judged].min() * (1 + 1e-6)
    rest = before[~judged] / limit * few[judged].min()
    assert few[~judged] == pytest.approx(rest, rel=1e-4)


def test_judge__priors_of_a_search_predict_what_the_fit_says(
    fitted: tuple[UrgencyFile, Prediction], table: Path
) -> None:
    weights = PriorWeights(urgency=str(table), judged_again=1000)
    games = drawn_games(200, 9)
    found = judged_by_priors(games, SIZE, weights, 200)
    assert found.of_phase(1, 20).top(4) > 0.85
    assert found.of_phase(1, 20).top(4) > judged_by_priors(games, SIZE, PriorWeights(), 200).of_phase(1, 20).top(4)


def test_engine__searches_with_the_table(table: Path) -> None:
    engine = Engine(EngineConfig(simulations=50, priors=PriorWeights(urgency=str(table)), seed=1))
    assert engine.genmove(Board(SIZE)) != "resign"


def test_engine__another_size_is_refused_with_the_command(table: Path) -> None:
    engine = Engine(EngineConfig(simulations=10, priors=PriorWeights(urgency=str(table)), seed=1))
    with pytest.raises(ValueError, match="tesuji masters fit .* --size 9"):
        engine.genmove(Board(9))


def test_engine__the_standard_table_is_for_its_own_size() -> None:
    engine = Engine(EngineConfig(simulations=10, priors=PriorWeights(urgency="standard"), seed=1))
    assert engine.genmove(Board(9)) != "resign"


def test_lines__one_game_in_ten_is_kept_out(tmp_path: Path) -> None:
    lines = drawn_games(300, 5)
    games = [
        StoredGame(GameInfo(width=SIZE, height=SIZE), [], [], lines.moves[lines.starts[i] : lines.starts[i + 1]])
        for i in range(300)
    ]
    with GameDatabase(tmp_path / "g.db", create=True) as database:
        added, _ = database.add(games)
        learnt, kept_out = lines_of(database, SIZE)
        assert len(learnt) + len(kept_out) == added
        assert 5 < len(kept_out) < 70
        with pytest.raises(ValueError, match="no game on 9x9"):
            lines_of(database, 9)


@pytest.mark.parametrize("wrong", [{"share": 0.0}, {"rate": float("nan")}, {"least": 0}, {"games": 0}, {"rounds": 0}])
def test_settings__what_is_wrong_is_said(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        FitSettings(**wrong)  # type: ignore[arg-type]


# Files ----------------------------------------------------------------------------------------------------------------


def test_packed__every_key_is_found_again(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    keys = rng.integers(0, 2**64, 5000, dtype=np.uint64)
    keys[:100] = (keys[:100] & ~np.uint64(8191)) | np.uint64(8190)  # many at one place, at the end
    values = rng.normal(size=5000).astype(np.float32)
    file = packed(keys, values, UrgencyHead(size=9, slots=0, entries=0))
    file.write(tmp_path / "u.bin")
    file = read_urgency(tmp_path / "u.bin")
    for key, value in zip(keys.tolist(), values.tolist(), strict=True):
        at = key & (file.head.slots - 1)
        while file.fingerprints[at] != max(1, key >> 32):
            assert file.fingerprints[at] != 0
            at = (at + 1) & (file.head.slots - 1)
        assert file.logarithms[at] / 1024 == pytest.approx(value, abs=1e-3)


def test_read__another_version_is_refused_with_the_command(tmp_path: Path, table: Path) -> None:
    data = table.read_bytes()
    for old, new in ((b'"version":1', b'"version":7'), (b'"features":1', b'"features":7')):
        (tmp_path / "u.bin").write_bytes(data.replace(old, new))
        with pytest.raises(ValueError, match="tesuji masters fit"):
            read_urgency(tmp_path / "u.bin")
    for bad in (b"", b"nothing", data[:-1], data + b"x", data[:30]):
        (tmp_path / "u.bin").write_bytes(bad)
        with pytest.raises(ValueError, match="tesuji masters fit"):
            read_urgency(tmp_path / "u.bin")


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_read__a_mutated_file_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, table: Path, data: st.DataObject
) -> None:
    raw = bytearray(table.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, min(400, len(raw) - 1)))
        raw[at : at + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=2))
    path = tmp_path_factory.mktemp("fuzz") / "u.bin"
    path.write_bytes(bytes(raw))
    found = None
    with contextlib.suppress(ValueError):
        found = read_urgency(path)
    if found is not None and 3 <= found.head.size <= 9:
        priors(Board(found.head.size), PriorWeights(urgency=str(path)))


# What comes with Tesuji -----------------------------------------------------------------------------------------------


def test_standard__its_table_is_the_default_on_19x19() -> None:
    head = read_urgency(standard_file()).head
    assert (head.size, PriorWeights().urgency) == (19, "standard")
    assert head.top["1"] > 0.38
    board = Board(19)
    for name in ("Q16", "D4", "Q4", "D16", "R14"):
        board.play(name)
    _, known = priors(board)
    _, plain = priors(board, PriorWeights(urgency=""))
    assert not np.allclose(known, plain)
    assert np.array_equal(priors(board, PriorWeights(urgency="off"))[1], plain)


def test_settings__features_may_be_counted_in_a_part_of_the_games() -> None:
    games, others = drawn_games(250, 1), drawn_games(5, 2)
    few = fit_urgency(games, others, SIZE, FitSettings(least=3, counted=0.3, share=1.0, judged=1.0))[0]
    everything = fit_urgency(games, others, SIZE, FitSettings(least=3, share=1.0, judged=1.0))[0]
    assert 0 < few.head.entries < everything.head.entries
    assert few.head.positions == everything.head.positions == len(games.moves)
