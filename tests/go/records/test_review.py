"""Reviews of recorded games: what is searched, how moves are called, what the file keeps, what the chart says.

Most of it uses a scripted opinion in place of the engine, so that every number is known.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from tesuji.go import Board, Color, Engine, EngineConfig
from tesuji.go.records.review import (
    Judgement,
    Look,
    Outlook,
    expected_score_for_black,
    mark_of,
    outlook_by,
    review,
    summarised,
    turns_of,
    worst_first,
)
from tesuji.go.records.review_sgf import (
    Header,
    ReviewSettings,
    annotated,
    digest_of,
    header_of,
    judgements_in,
    load_single_game,
)
from tesuji.go.records.sgf import SgfError, load

GAME = b"(;GM[1]FF[4]SZ[9]KM[6.5];B[ee];W[cc];B[gg];W[gc])"
SETTINGS = ReviewSettings(simulations=10, seconds=None, seed=1, version="0.1.0")
HEADER = Header(game="abc", settings=SETTINGS, provenance={"version": "0.1.0"})


def scripted(value_of: Callable[[Board], float], best: str = "A1", seen: list[Board] | None = None) -> Look:
    """An opinion with known numbers: Black's win rate by the board, always the same best move."""

    def look(board: Board) -> Outlook:
        if seen is not None:
            seen.append(board.copy())
        return Outlook(value_for_black=value_of(board), score_for_black=1.25, line=[board.point(best)], simulations=10)

    return look


def stones_at(board: Board, *vertices: str) -> bool:
    return all(board.color_at(board.point(vertex)) for vertex in vertices)


def reviewed(data: bytes, look: Look) -> list[Judgement]:
    return list(review(turns_of(load(data)), look))


# What is judged ----


@pytest.mark.parametrize(
    ("loss", "mark"),
    [(0.0, "good"), (0.049, "good"), (0.05, "inaccuracy"), (0.1, "mistake"), (0.19, "mistake"), (0.2, "blunder")],
)
def test_mark_of__follows_the_documented_limits(loss: float, mark: str) -> None:
    assert mark_of(loss) == mark


def test_review__the_loss_is_what_the_best_move_would_have_kept() -> None:
    """Black E5 leaves 40 %, where A1 would have left 70 %."""
    first, *_ = reviewed(GAME, scripted(lambda board: 0.7 if stones_at(board, "A1") else 0.4))
    assert (first.value_best, first.value_after) == (0.7, 0.4)
    assert first.loss == pytest.approx(0.3)
    assert first.mark == "blunder"


def test_review__values_are_those_of_the_player_who_moved() -> None:
    """The same board is bad for Black and good for White: only Black's moves lose."""
    judgements = reviewed(GAME, scripted(lambda board: 0.7 if stones_at(board, "A1") else 0.4))
    assert [round(j.value_after, 9) for j in judgements] == [0.4, 0.6, 0.4, 0.6]
    assert [j.mark for j in judgements] == ["blunder", "good", "blunder", "good"]
    assert all(j.value_for_black == pytest.approx(0.4) for j in judgements)


def test_review__the_engines_own_choice_loses_nothing_whatever_the_next_search_says() -> None:
    look = scripted(lambda board: 0.2 if stones_at(board, "E5") else 0.9, best="E5")
    first = next(review(turns_of(load(GAME)), look))
    assert (first.loss, first.mark, first.is_best) == (0.0, "good", True)


def test_review__a_position_between_two_moves_is_searched_once() -> None:
    seen: list[Board] = []
    reviewed(GAME, scripted(lambda _board: 0.5, seen=seen))
    assert len(seen) == 5 + 4  # five positions, and four best moves that were not played


def test_review__stops_where_the_opinion_does_and_judges_nothing_by_halves() -> None:
    answers = iter([0.5, 0.5, 0.5, 0.5, None])

    def look(board: Board) -> Outlook | None:
        value = next(answers)
        return None if value is None else scripted(lambda _board: value)(board)

    assert [j.number for j in reviewed(GAME, look)] == [1]


@pytest.mark.parametrize(
    ("name", "data", "numbers"),
    [
        ("one move", b"(;SZ[9];B[ee])", [1]),
        ("passes", b"(;SZ[5];B[cc];W[];B[tt])", [1, 2, 3]),
        ("handicap", b"(;SZ[9]HA[2]AB[cg][gc];W[ee];B[cc])", [1, 2]),
        ("one player twice", b"(;SZ[9];B[ee];B[cc];W[gg])", [1, 2, 3]),
        ("stones set up in mid-game", b"(;SZ[9];B[ee];AW[aa][bb]AE[ee];W[cc];B[gg])", [1, 2, 3]),
        ("moves after two passes", b"(;SZ[5];B[cc];W[];B[];W[bb])", [1, 2, 3, 4]),
        ("variations", b"(;SZ[9];B[ee](;W[cc];B[gg])(;W[gg]))", [1, 2, 3]),
    ],
)
def test_review__takes_games_of_every_kind(name: str, data: bytes, numbers: list[int]) -> None:
    look = outlook_by(Engine(EngineConfig(simulations=20, seed=1)))
    judgements = reviewed(data, look)
    assert [j.number for j in judgements] == numbers
    assert all(0 <= value <= 1 for j in judgements for value in (j.value_before, j.value_best, j.value_after))


def test_turns__a_set_up_in_mid_game_does_not_speak_about_the_move_before_it() -> None:
    first, second = turns_of(load(b"(;SZ[9];B[ee];AE[ee]AW[aa];W[cc])"))
    assert first.after.color_at(first.after.point("E5")) == Color.BLACK
    assert second.before.color_at(second.before.point("E5")) == Color.EMPTY
    assert second.before.color_to_play == Color.WHITE


def test_turns__an_illegal_move_is_named_before_anything_is_searched() -> None:
    with pytest.raises(SgfError, match="move 2 .*E5.* is illegal.*occupied"):
        turns_of(load(b"(;SZ[9];B[ee];W[ee];B[cc])"))


def test_outlook__of_a_game_that_is_over_is_its_result() -> None:
    board = Board(5, komi=0.5)
    for move in ("C3", "pass", "pass"):
        board.play(move)
    outlook = outlook_by(Engine(EngineConfig(simulations=10)))(board)
    assert outlook == Outlook(value_for_black=1.0, score_for_black=24.5, line=[], simulations=0)


def test_outlook__a_search_that_was_stopped_is_no_opinion() -> None:
    look = outlook_by(Engine(EngineConfig(simulations=50, seed=1)), is_stopped=lambda: True)
    assert look(Board(9)) is None


def test_expected_score__counts_komi_and_the_bonus_for_handicap_stones_under_area_rules() -> None:
    board = Board(9, komi=0.5)
    board.set_handicap(2)
    analysis = Engine(EngineConfig(simulations=20, seed=1)).analyse(board)
    assert expected_score_for_black(board, analysis) == pytest.approx(float(analysis.ownership.sum()) - 2.5)


def test_summary__counts_by_player() -> None:
    judgements = reviewed(GAME, scripted(lambda board: 0.7 if stones_at(board, "A1") else 0.4))
    black, white = summarised(judgements)
    assert (black.color, black.moves, black.blunders, black.best_moves) == (Color.BLACK, 2, 2, 0)
    assert black.mean_loss == pytest.approx(0.3)
    assert (white.moves, white.blunders, white.mean_loss) == (2, 0, 0.0)


def test_worst_first__leaves_good_moves_out_and_keeps_the_order_of_equals() -> None:
    judgements = reviewed(GAME, scripted(lambda board: 0.7 if stones_at(board, "A1") else 0.4))
    assert [j.number for j in worst_first(judgements, 9)] == [1, 3]
    assert [j.number for j in worst_first(judgements, 1)] == [1]


def test_engine__filling_an_own_eye_is_a_blunder_and_the_pass_that_lives_is_not() -> None:
    """White owns everything; A5 fills one of its two eyes, and Black captures all of it."""
    sgf = (
        b"(;SZ[5]KM[0.5]AW[ba][ca][da][ea][ab][bb][db][eb][ac][bc][cc][dc][ec]"
        b"AB[ad][bd][cd][dd][ed][be][de]PL[W];W[aa];B[cb])"
    )
    look = outlook_by(Engine(EngineConfig(simulations=300, seed=1)))
    filled, captured = reviewed(sgf, look)
    assert filled.mark == "blunder"
    assert captured.mark == "good"


# The file ----

RICH = (
    "(;GM[1]SZ[9]KM[6.5]PB[本因坊]C[old root \\] note]XX[private];B[ee]C[why here?]TE[1]"
    "(;W[cc];B[gg];W[gc])(;W[gg]C[variation];B[cc]))"
).encode()


@pytest.fixture
def rich_review() -> bytes:
    record = load_single_game(RICH)
    look = scripted(lambda board: 0.7 if stones_at(board, "A1") else 0.4)
    return annotated(record, review(turns_of(record), look), HEADER)


def test_annotated__keeps_comments_variations_and_unknown_properties(rich_review: bytes) -> None:
    record = load(rich_review)
    assert record.black == "本因坊"
    assert record.text("XX") == "private"
    assert record.comments[0].startswith("old root ] note\n\nTesuji 0.1.0 judged 4 of 4 moves")
    assert record.comments[1].startswith("why here?\n\nTesuji: blunder, loses 30.0 %.")
    assert record.moves == load(RICH).moves
    assert any(line.comments.get(2) == "variation" for line in record.lines())


def test_annotated__adds_the_best_line_as_the_last_variation(rich_review: bytes) -> None:
    lines = [line.moves for line in load(rich_review).lines()]
    corner = 8 * 9
    assert lines[0] == load(RICH).moves
    assert [(Color.BLACK, corner)] in lines
    assert [*load(RICH).moves[:3], (Color.WHITE, corner)] in lines
    second_moves = [line[1] for line in lines if len(line) > 1 and line[0] == load(RICH).moves[0]]
    assert second_moves[-1] == (Color.WHITE, corner)


def test_annotated__uses_the_properties_of_the_standard_and_leaves_those_that_are_there(rich_review: bytes) -> None:
    nodes = load(rich_review).nodes
    assert nodes[1]["V"] == [b"1.2"]
    assert nodes[1]["TE"] == [b"1"]
    assert "BM" not in nodes[1]  # TE and BM exclude each other
    assert nodes[3]["BM"] == [b"2"]
    assert "BM" not in nodes[4]


def test_annotated__is_read_back_as_it_was_judged(rich_review: bytes) -> None:
    record = load_single_game(RICH)
    look = scripted(lambda board: 0.7 if stones_at(board, "A1") else 0.4)
    assert judgements_in(rich_review) == list(review(turns_of(record), look))
    assert header_of(rich_review) == HEADER


def test_annotated__a_part_marks_only_what_was_judged() -> None:
    record = load_single_game(GAME)
    some = list(review(turns_of(record)[1:3], scripted(lambda _board: 0.5)))
    data = annotated(record, some, HEADER)
    assert [j.number for j in judgements_in(data)] == [2, 3]
    assert "C" not in load(data).nodes[1]
    assert load(data).comments[0].startswith("Tesuji 0.1.0 judged 2 of 4 moves")


def test_annotated__a_long_game_with_a_variation_at_every_move_can_be_read_again() -> None:
    points = [f"{column}{row}" for row in "abcdefghi" for column in "abcdefghi"][:70]
    data = b"(;SZ[9]" + b"".join(f";{'BW'[i % 2]}[{p}]".encode() for i, p in enumerate(points)) + b")"
    record = load_single_game(data)
    judgements = review(turns_of(record), scripted(lambda _board: 0.5, best="J1"))
    again = load(annotated(record, judgements, HEADER))
    assert again.moves == record.moves
    assert len(list(again.lines())) == 71


def test_header_of__other_files_have_none() -> None:
    assert header_of(GAME) is None
    assert header_of(b"no game") is None
    assert header_of(b"(;SZ[9]TSJR[{broken];B[ee])") is None


def test_judgements_in__a_damaged_one_is_an_error_with_a_remedy() -> None:
    with pytest.raises(SgfError, match="--force"):
        judgements_in(b'(;SZ[9];B[ee]TSJ[{"number":1}])')


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"hello", "no game"),
        (b"(;GM[2];B[ee])", "not the game of Go"),
        (b"(;SZ[9])", "no moves"),
        (b"(;SZ[9];B[ee])(;SZ[9];B[cc])", "several games"),
    ],
)
def test_load_single_game__says_what_is_wrong(data: bytes, words: str) -> None:
    with pytest.raises(SgfError, match=words):
        load_single_game(data)


def test_load_single_game__takes_a_number() -> None:
    data = b"(;SZ[9];B[ee])(;SZ[9];B[cc];W[dd])"
    assert [len(load_single_game(data, number).moves) for number in (1, 2)] == [1, 2]
    with pytest.raises(SgfError, match="it holds 2 games: there is no game 3"):
        load_single_game(data, 3)


def test_load_single_game__a_review_is_not_reviewed_again(rich_review: bytes) -> None:
    with pytest.raises(SgfError, match="give the game that it was made from"):
        load_single_game(rich_review)


def test_digest_of__tells_games_apart() -> None:
    assert digest_of(GAME) == digest_of(bytes(GAME)) != digest_of(RICH)


# The chart ----


@pytest.fixture
def chart() -> object:
    pytest.importorskip("matplotlib")
    from tesuji.go.view.review_chart import ReviewChart

    judgements = reviewed(GAME, scripted(lambda board: 0.7 if stones_at(board, "A1") else 0.4))
    return ReviewChart(
        judgements=judgements, width=9, height=9, num_moves=4, title="A $1 (Black) - B (White)",
        subtitle="komi 6.5; result B+R", game="abc",
    )  # fmt: skip


def test_chart__shows_the_curve_and_names_the_worst_moves(chart) -> None:
    from tesuji.go.view.review_chart import draw_chart

    curve, losses = draw_chart(chart).axes
    (line, *_) = curve.lines
    assert list(line.get_xdata()) == [0, 1, 2, 3, 4]
    assert list(line.get_ydata()) == pytest.approx([40] * 5)
    assert [text.get_text() for text in curve.texts] == ["1 E5  −30", "3 G3  −30"]
    assert [round(bar.get_height()) for bar in losses.patches] == [30, 30, 0, 0]


def test_chart__leaves_a_gap_where_moves_were_not_judged(chart) -> None:
    from tesuji.go.view.review_chart import draw_chart

    part = [chart.judgements[0], chart.judgements[3]]
    curve, _ = draw_chart(msgspec.structs.replace(chart, judgements=part)).axes
    assert [list(line.get_xdata()) for line in curve.lines[:2]] == [[0, 1], [3, 4]]


def test_chart__is_a_png_that_knows_its_game(chart, tmp_path) -> None:
    from tesuji.go.view.review_chart import is_chart_of, save_chart

    save_chart(tmp_path / "a.png", chart)
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert is_chart_of(tmp_path / "a.png", "abc")
    assert not is_chart_of(tmp_path / "a.png", "other")
