"""How the engine behaves at the table: when it passes, when it resigns, what it leaves alone, what it calls dead.

Every test is a picture and what may be played there, with few simulations: manners must not depend on strength.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from msgspec.structs import replace

from reference.vertices import points_at, vertices_at
from tesuji.go import Board, Color, Engine, EngineConfig
from tesuji.go.engine import manners
from tesuji.go.engine.manners import Manners
from tesuji.go.gtp import GtpServer
from tesuji.go.knowledge.life import judge

BLACK, WHITE = Color.BLACK, Color.WHITE
SEEDS = (1, 2, 3)

# Black has 28 points by area and 12 by territory, White 21 and 9; nothing is left.
FINISHED = """
    . . X X O . .
    . X . X O O .
    X . X X O . O
    . X . X O O .
    X . X X O . O
    . X . X O O .
    . . X X O . .
    """
WHITE_AHEAD, BLACK_AHEAD = 20.5, 0.5  # komi
# The same with one neutral point, E4.
WITH_A_DAME = """
    . . X X O . .
    . X . X O O .
    X . X X O . O
    . X . X . O .
    X . X X O . O
    . X . X O O .
    . . X X O . .
    """
BLACK_TERRITORY = "A7 B7 A6 C6 B5 A4 C4 B3 A2 C2 A1 B1"
WHITE_TERRITORY = "F7 G7 G6 F5 G4 F3 G2 F1 G1"
TERRITORY = {BLACK: BLACK_TERRITORY, WHITE: WHITE_TERRITORY}


def finished(picture: str, color: Color, *, rules: str, komi: float, has_passed: bool) -> Board:
    """The picture with `color` to move, after a pass of the opponent or not."""
    board = Board.from_text(picture, to_play=color.opponent if has_passed else color, rules=rules, komi=komi)
    if has_passed:
        board.play("pass")
    return board


def move_of(board: Board, seed: int, *, simulations: int = 300, resigns: bool = True) -> str:
    config = EngineConfig(simulations=simulations, seed=seed)
    move = Engine(config if resigns else replace(config, resign_below=0.0)).genmove(board)
    return move if isinstance(move, str) else board.vertex(move)


def komi_for(winner: Color) -> float:
    return BLACK_AHEAD if winner == BLACK else WHITE_AHEAD


# Passing ----


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rules", ["chinese", "japanese", "aga", "tromp-taylor", "new-zealand"])
@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_pass__answers_a_pass_when_ahead(color: Color, rules: str, seed: int) -> None:
    board = finished(FINISHED, color, rules=rules, komi=komi_for(color), has_passed=True)
    assert move_of(board, seed) == "pass"


# Black's C6 and White's E6 have one liberty, D7, and it is the same: who plays there captures the other, and the game.
MUTUAL_ATARI = """
    . O X . O X .
    O O X X O X X
    . O O O X X .
    O O O O X X X
    . O O O X . X
    O O . O X X X
    O O O O X X .
    """


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rules", ["chinese", "japanese"])
@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_pass__does_not_answer_a_pass_when_a_capture_decides(color: Color, rules: str, seed: int) -> None:
    """By area Black has 25 points with the capture and 19 without; -4.5 is komi in the middle."""
    board = finished(MUTUAL_ATARI, color, rules=rules, komi=-4.5, has_passed=True)
    assert move_of(board, seed) == "D7"


@pytest.mark.parametrize("seed", SEEDS)
def test_pass__does_not_answer_a_pass_in_the_opening_when_behind(seed: int) -> None:
    board = Board(9, komi=7.5)
    for move in ("E5", "C3", "pass"):
        board.play(move)
    board.komi = -20.0  # White is to move and far behind as the board stands, with the whole board left
    assert move_of(board, seed) not in ("pass", "resign")


# White's B6 and B5 are dead, but CGOS counts the board as it stands: with them on it Black loses by 7, without them it
# wins by 7.
DEAD_STONES_DECIDE = """
    . . . X O . .
    . O . X O O .
    . O . X O . O
    . . . X O O .
    X X X X O . O
    . X . X O O .
    . . X X O . .
    """


@pytest.mark.parametrize("seed", SEEDS)
def test_pass__under_tromp_taylor_rules_dead_stones_are_captured_first(seed: int) -> None:
    board = finished(DEAD_STONES_DECIDE, BLACK, rules="tromp-taylor", komi=0.5, has_passed=True)
    assert board.score().winner == WHITE
    assert move_of(board, seed) not in ("pass", "resign")


# Territory ----


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize(
    ("is_ahead", "has_passed"),
    [
        pytest.param(True, True, id="ahead-after-a-pass"),
        pytest.param(True, False, id="ahead"),
        pytest.param(False, True, id="behind-after-a-pass"),
        pytest.param(False, False, id="behind"),
    ],
)
def test_japanese__does_not_fill_its_own_territory(is_ahead: bool, has_passed: bool, color: Color, seed: int) -> None:
    komi = komi_for(color if is_ahead else color.opponent)
    board = finished(FINISHED, color, rules="japanese", komi=komi, has_passed=has_passed)
    assert move_of(board, seed, resigns=False) not in TERRITORY[color].split()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("is_ahead", [True, False], ids=["ahead", "behind"])
@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_japanese__plays_the_dame_or_passes_when_one_is_left(color: Color, is_ahead: bool, seed: int) -> None:
    komi = komi_for(color if is_ahead else color.opponent)
    board = finished(WITH_A_DAME, color, rules="japanese", komi=komi, has_passed=False)
    assert move_of(board, seed) in ("E4", "pass", *([] if is_ahead else ["resign"]))


# White can still push at D5, and Black can block there; everything else is settled.
ONE_MOVE_LEFT = """
    . . X X . O . . .
    . X . X . O O . .
    X . X . X O . O .
    . X . X X O O . .
    X . X . . . O O .
    . X . X X O . . O
    X . X . X O O O .
    . X . X . X O . O
    . . X X . X O O .
    """


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_japanese__plays_where_something_is_left_however_far_ahead(color: Color, seed: int) -> None:
    komi = -30.5 if color == BLACK else 50.5
    board = finished(ONE_MOVE_LEFT, color, rules="japanese", komi=komi, has_passed=False)
    own = "A9 B9 A8 C8 B7 A6 C6 B5 A4 C4 B3 A2 C2 A1 B1" if color == BLACK else "G9 H9 J9 H8 J8 G7 J7 H6 J6 J5"
    assert move_of(board, seed, resigns=False) not in own.split()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rules", ["chinese", "japanese", "new-zealand"])
@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_won__passes_unasked_where_nothing_is_left(color: Color, rules: str, seed: int) -> None:
    board = finished(FINISHED, color, rules=rules, komi=komi_for(color), has_passed=False)
    assert move_of(board, seed) == "pass"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_area__takes_the_last_neutral_point_before_it_passes(color: Color, seed: int) -> None:
    """Worth a point by area: with it either side wins by half of one, without it the other does."""
    board = finished(WITH_A_DAME, color, rules="chinese", komi=7.5, has_passed=False)
    assert move_of(board, seed) == "E4"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rules", ["japanese", "chinese"])
@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_won__does_not_fight_on_where_nothing_is_left(color: Color, rules: str, seed: int) -> None:
    """Ahead, on a finished board, without being asked: no invasion that cannot live."""
    board = finished(FINISHED, color, rules=rules, komi=komi_for(color), has_passed=False)
    assert move_of(board, seed) not in TERRITORY[color.opponent].split()


# Resigning ----


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rules", ["chinese", "japanese"])
def test_resign__when_everything_is_lost(rules: str, seed: int) -> None:
    picture = """
        . X . X . X .
        X X X X X X X
        . X . X . X X
        X X X X X X .
        X X . X X X X
        X X X X X . .
        . X X X . . O
        """
    board = finished(picture, WHITE, rules=rules, komi=6.5, has_passed=False)
    assert move_of(board, seed) == "resign"


@pytest.mark.parametrize("seed", SEEDS)
def test_resign__not_in_the_opening(seed: int) -> None:
    assert move_of(Board(9), seed) != "resign"


# Black's two halves in the middle have one eye each (E9, E1) and connect at E5, where White has just taken the ko. The
# straight four on the right (P6 to P9) lives only if White answers inside: a threat. Then Black takes back and joins.
KO_FOR_EVERYTHING = """
    O O O X . X O O O X X X O O .
    . O O X X X O . O X . X O O .
    O . O X X O O O O X X X O O .
    O O O X X O . O O X X X O O .
    . O O X . X O O O X X X O O O
    O O O O X O O O O X X X O O O
    O . O X X O . O O X X X O O O
    . O O X X X O O O X . X O O O
    O O O X . X O . O X X X O O O
    """


@pytest.mark.parametrize("seed", SEEDS)
def test_resign__not_when_a_ko_decides_and_there_is_a_threat(seed: int) -> None:
    """With the ko Black wins by 23, with the threat ignored by 33; without either it loses by 21."""
    board = Board.from_text(KO_FOR_EVERYTHING, to_play=WHITE, komi=-60.0)
    board.play("E5")
    assert vertices_at(board, [board.ko]) == ["F5"]
    assert move_of(board, seed, simulations=1000) in ("P7", "P8")


@pytest.mark.parametrize("stones", [2, 3, 4, 5, 6, 7, 8, 9])
@pytest.mark.parametrize("size", [13, 19])
def test_handicap__white_neither_resigns_nor_passes_at_the_beginning(size: int, stones: int) -> None:
    board = Board(size, komi=0.5)
    board.set_handicap(stones)
    assert move_of(board, seed=1, simulations=100) not in ("pass", "resign")


@pytest.mark.parametrize("stones", [2, 3, 4, 5, 9])
def test_handicap__on_a_small_board_white_fights_on(stones: int) -> None:
    board = Board(9, komi=0.5)
    board.set_handicap(stones)
    assert move_of(board, seed=1, simulations=200) not in ("pass", "resign")


@pytest.mark.parametrize("stones", [2, 9])
def test_handicap__black_plays_on_beside_its_stones(stones: int) -> None:
    board = Board(13, komi=0.5)
    board.set_handicap(stones)
    board.play("G7" if board.is_legal("G7") else "C3")
    assert move_of(board, seed=1, simulations=100) not in ("pass", "resign")


# What it calls dead, alive and in seki ----

# On top a seki without eyes (C8 against E8), below a prisoner in each territory (B2, F2).
SEKI_WITHOUT_EYES = """
    . O X . O X .
    O O X O O X X
    . O X . O X .
    O O X O O X X
    O O O X X X X
    . . O X . . X
    . X O X . O X
    . . O X . . X
    """
# On top a seki with an eye each (C7 against F7), below prisoners at C2 and H2.
SEKI_WITH_AN_EYE_EACH = """
    . O X X . O O O X .
    O O X . X O . O X X
    . O X X X O O O X .
    O O O O O X X X X X
    O O . . O X . . X X
    O O X . O X . O X X
    O O . . O X . . X X
    """
SEKIS = {
    "without eyes": (SEKI_WITHOUT_EYES, "C8 E8", "B2 F2"),
    "an eye each": (SEKI_WITH_AN_EYE_EACH, "C7 F7", "C2 H2"),
}


def answered(board: Board, command: str) -> set[str]:
    """The vertices that a GTP command lists."""
    reply = GtpServer(Engine(EngineConfig(simulations=10)), board).reply(command.encode()).decode()
    assert reply.startswith("=")
    return set(reply[1:].split())


@pytest.mark.parametrize("rules", ["chinese", "japanese"])
@pytest.mark.parametrize("to_play", [BLACK, WHITE])
@pytest.mark.parametrize("name", SEKIS)
def test_final_status_list__tells_seki_from_dead_and_alive(name: str, to_play: Color, rules: str) -> None:
    picture, in_seki, dead = SEKIS[name]
    board = Board.from_text(picture, to_play=to_play, rules=rules)
    seki = {vertex for first in points_at(board, in_seki) for vertex in vertices_at(board, board.chain(first).tolist())}
    assert answered(board, "final_status_list dead") == set(dead.split())
    assert answered(board, "final_status_list seki") == seki
    stones = {vertex for vertex in vertices_at(board, range(board.num_points)) if board.color_at(board.point(vertex))}
    assert answered(board, "final_status_list alive") == stones - seki - set(dead.split())


# What the search proposes, looked at once more -----------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["chinese", "japanese"])
def test_pass__is_not_answered_while_borders_are_open(rules: str) -> None:
    board = Board(9, rules=rules)
    for vertex in ("E5", "C3", "pass"):
        board.play(vertex)
    assert not Manners(board).passes_at_once()  # White is ahead by komi, and two stones stand on the board


@pytest.mark.parametrize("rules", ["chinese", "japanese"])
def test_pass__that_a_search_answers_with_is_not_played_while_borders_are_open(rules: str) -> None:
    board = Board(9, rules=rules)
    for vertex in ("E5", "C3", "pass"):
        board.play(vertex)
    owners = np.zeros((9, 9))
    found = proposal(board, {"pass": 280, "G7": 12, "D5": 8}, {"pass": 1.0, "G7": 0.55, "D5": 0.6})
    assert board.vertex(Manners(board).better(found, lambda: owners)) == "G7"
    lost = proposal(board, {"pass": 280, "G7": 12}, {"pass": 1.0, "G7": 0.1})  # a move would throw the game away
    assert board.vertex(Manners(board).better(lost, lambda: owners)) == "pass"


def proposal(board: Board, visits: dict[str, int], values: dict[str, float] | None = None) -> SimpleNamespace:
    """What a search could have found."""
    moves = np.array([board.point(vertex) for vertex in visits])
    worth = np.array([(values or {}).get(vertex, 0.5) for vertex in visits])
    return SimpleNamespace(moves=moves, visits=np.array(list(visits.values())), values=worth, best_move=int(moves[0]))


DECIDED = """
    . X . X O . O . O
    X X X X O O O O O
    . X . X O . O . O
    X X X X O O O O O
    . X . X O . O . O
    X X X X O O O O O
    . X . X O . O . O
    X X X X O O O O O
    . X . X . . O . O
"""


def test_japanese__a_won_count_is_not_given_away_in_settled_territory() -> None:
    board = Board.from_text(DECIDED, rules="japanese", komi=0.5, to_play=Color.WHITE)
    owners = np.where(np.arange(9) < 4, 1.0, -1.0) * np.ones((9, 1))
    for waste in ("F9", "A9"):  # in its own territory, and in Black's
        found = proposal(board, {waste: 500, "H9": 20})
        assert Manners(board).better(found, lambda: owners) == board.pass_move  # type: ignore[arg-type]


def test_lost__passes_only_where_no_move_could_matter() -> None:
    opened = DECIDED.replace("X X X X O O O O O\n    . X . X . . O", "X X X X . . O O O\n    . X . X . . O")
    board = Board.from_text(opened, rules="chinese", komi=-40.5, to_play=Color.WHITE)
    owners = np.where(np.arange(9) < 4, 1.0, -1.0) * np.ones((9, 1))
    found = proposal(board, {"pass": 400, "H9": 60, "E2": 30})
    assert Manners(board).better(found, lambda: owners) != board.pass_move  # type: ignore[arg-type]


@pytest.mark.parametrize("has_passed", [True, False], ids=["after-a-pass", "unasked"])
@pytest.mark.parametrize("is_ahead", [True, False], ids=["ahead", "behind"])
@pytest.mark.parametrize("rules", ["chinese", "japanese"])
def test_manners__a_position_is_judged_once_a_move(
    rules: str, is_ahead: bool, has_passed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[Board] = []

    def counting(board: Board, *rest: int) -> object:
        judged.append(board)
        return judge(board, *rest)

    monkeypatch.setattr(manners, "judge", counting)
    komi = komi_for(BLACK if is_ahead else WHITE)
    move_of(finished(WITH_A_DAME, BLACK, rules=rules, komi=komi, has_passed=has_passed), seed=1, resigns=False)
    assert len(judged) <= 1
