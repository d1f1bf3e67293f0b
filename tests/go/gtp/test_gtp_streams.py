"""Analysis streams: what GUIs and the CGOS client read, and the details that bite them."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable

import pytest

from go.quick_engine import QuickEngine
from tesuji.go.engine import Analysis, Candidate, Engine, EngineConfig
from tesuji.go.gtp import GtpServer
from tesuji.go.gtp.reports import expected_score
from tesuji.go.rules.board import Board
from tesuji.go.rules.color import Color

STREAMS = (
    "cgos-genmove_analyze",
    "kata-analyze",
    "kata-genmove_analyze",
    "kata-search_analyze",
    "lz-analyze",
    "lz-genmove_analyze",
)
ANALYSES = ("kata-analyze", "lz-analyze")
MOVES = ("kata-genmove_analyze", "lz-genmove_analyze", "cgos-genmove_analyze", "kata-search_analyze")


def server(size: int = 5, **options: float) -> GtpServer:
    return GtpServer(QuickEngine(**options), Board(size, komi=7.5))  # type: ignore[arg-type]


def lines_of(gtp: GtpServer, command: str) -> list[str]:
    """The lines of a reply that has succeeded, without the first and the empty one."""
    reply = gtp.reply(command.encode()).decode()
    assert reply.startswith("=\n")
    assert reply.endswith("\n\n")
    assert "\n\n" not in reply[:-2]
    return reply[2:-2].splitlines()


def fields(line: str) -> dict[str, str]:
    """Keys and values of the first ``info``; ``pv`` has the rest."""
    head, _, line_of_moves = line.split(" info ")[0].removeprefix("info ").partition(" pv ")
    words = head.split()
    return dict(zip(words[::2], words[1::2], strict=True)) | {"pv": line_of_moves}


def test_streams__only_an_engine_that_analyses_has_them() -> None:
    class Passes:
        def genmove(self, board: Board, *_: object, **__: object) -> int:
            return board.pass_move

    assert set(STREAMS) <= set(server().commands)
    assert not set(STREAMS) & set(GtpServer(Passes(), Board(5)).commands)


def test_streams__a_bare_analyze_is_not_advertised() -> None:
    assert not {"analyze", "genmove_analyze"} & set(server().commands)


@pytest.mark.parametrize("command", STREAMS)
def test_streams__the_number_is_echoed(command: str) -> None:
    assert server().reply(f"17 {command} b".encode()).startswith(b"=17\n")


@pytest.mark.parametrize("command", STREAMS)
def test_streams__without_an_interval_one_report_comes_at_the_end(command: str) -> None:
    lines = lines_of(server(), f"{command} b")
    assert sum(not line.startswith("play ") for line in lines) == 1


@pytest.mark.parametrize("command", ANALYSES)
def test_analyze__with_an_interval_there_are_reports_on_the_way(command: str) -> None:
    assert len(lines_of(server(), f"{command} b 1")) == 2
    assert len(lines_of(server(), f"{command} interval 1")) == 2


def test_lz_analyze__numbers_are_whole_and_the_line_is_last() -> None:
    (line,) = lines_of(server(), "lz-analyze b")
    assert fields(line) == {
        "move": "A5", "visits": "2", "winrate": "7500", "prior": "10000",
        "lcb": str(round(10_000 * Candidate(0, 2, 0.75, []).lower_bound)), "order": "0", "pv": "A5 pass",
    }  # fmt: skip
    assert re.search(r" info move pass visits 1 winrate 3750 prior 2500 lcb \d+ order 1 pv pass$", line)


def test_kata_analyze__floats_always_have_a_point_and_the_line_is_last() -> None:
    (line,) = lines_of(server(), "kata-analyze w")
    found = fields(line)
    assert list(found) == [
        "move", "visits", "edgeVisits", "utility", "winrate", "scoreMean", "scoreLead", "lcb", "utilityLcb", "prior",
        "weight", "order", "pv",
    ]  # fmt: skip
    for name in ("utility", "winrate", "scoreMean", "scoreLead", "lcb", "utilityLcb", "prior", "weight"):
        assert re.fullmatch(r"-?\d+\.\d+", found[name]), name
    assert float(found["winrate"]) == 0.75
    assert float(found["utility"]) == 0.5
    assert float(found["scoreLead"]) == 7.5


@pytest.mark.parametrize("winrate", [0.0, 0.5, 1.0, 1e-9])
def test_kata_analyze__round_numbers_have_a_point_too(winrate: float) -> None:
    (line,) = lines_of(server(winrate=winrate), "kata-analyze b")
    assert "." in fields(line)["winrate"]
    assert "e" not in fields(line)["winrate"]


def test_kata_analyze__extras_come_only_when_asked_for() -> None:
    plain, asked = (lines_of(server(), f"kata-analyze b {extra}")[0] for extra in ("", "ownership true rootInfo true"))
    assert "ownership" not in plain
    assert "rootInfo" not in plain
    assert asked.startswith(plain)
    assert re.search(r"rootInfo visits \d+ utility 0\.5\d* winrate 0\.75\d* .* ownership( -?\d\.\d+){25}$", asked)


@pytest.mark.parametrize(("color", "sign"), [("b", 1.0), ("w", -1.0)])
def test_kata_analyze__ownership_begins_at_the_top_left_for_the_mover(color: str, sign: float) -> None:
    (line,) = lines_of(server(), f"kata-analyze {color} ownership true")
    owners = [float(word) for word in line.partition("ownership ")[2].split()]
    assert len(owners) == 25
    assert owners[0] == sign
    assert owners[-1] == -sign


def test_analyze__is_for_the_side_to_move_unless_told_otherwise() -> None:
    gtp = server()
    leads = [float(fields(lines_of(gtp, f"kata-analyze {color}")[0])["scoreLead"]) for color in ("", "b", "w")]
    gtp.reply(b"play b C3")
    leads.append(float(fields(lines_of(gtp, "kata-analyze")[0])["scoreLead"]))
    assert leads == [-7.5, -7.5, 7.5, 7.5]


def test_analyze__maxmoves_limits_the_report() -> None:
    gtp = server()
    assert lines_of(gtp, "lz-analyze b maxmoves 1")[0].count("info") == 1
    assert lines_of(gtp, "lz-analyze b minmoves 5")[0].count("info") == 2
    assert lines_of(gtp, "lz-analyze b maxmoves 0") == []


@pytest.mark.parametrize(
    ("option", "moves"),
    [
        ("avoid b A5 1", ["pass"]),
        ("avoid b A5,pass 50", []),
        ("avoid b A5 1 avoid b pass 1", []),
        ("avoid w A5 1", ["A5", "pass"]),
        ("allow b A5 1", ["A5"]),
        ("allow b A5 1 allow b pass 1", ["A5", "pass"]),
        ("allow w C3 1", ["A5", "pass"]),
    ],
)
def test_analyze__avoid_and_allow_choose_what_is_reported(option: str, moves: list[str]) -> None:
    text = " ".join(lines_of(server(), f"lz-analyze b {option}"))
    assert re.findall(r"info move (\S+)", text) == moves


@pytest.mark.parametrize(
    ("words", "reply"),
    [
        ("b 1 2", "? syntax error: '2' is not an option of this command"),
        ("b x", "? syntax error: 'x' is not an option of this command"),
        ("-5", "? syntax error: the interval is -5; it must be 0 or more centiseconds"),
        ("interval", "? syntax error: something is missing after interval"),
        ("interval soon", "? syntax error: 'soon' is not a whole number"),
        ("maxmoves -1", "? syntax error: maxmoves is -1; it must be 0 or more"),
        ("ownership maybe", "? syntax error: 'maybe' is neither true nor false"),
        ("avoid b A5", "? syntax error: something is missing after avoid"),
        ("avoid b A5 0", "? syntax error: avoid is to hold for 0 moves; write 1 or more"),
        ("avoid green A5 1", "? syntax error: 'green' is not a color: write black or white"),
        ("avoid b I5 1", "? invalid coordinates: 'I5' is not a vertex"),
        ("pvVisits true", "? cannot analyze: pvVisits is not available: visits along a line are not known"),
        ("movesOwnership true", "? cannot analyze: movesOwnership is not available: ownership is known for"),
    ],
)
@pytest.mark.parametrize("command", ["kata-analyze", "kata-genmove_analyze"])
def test_options__what_is_wrong_is_refused_before_anything_is_searched(command: str, words: str, reply: str) -> None:
    gtp = server()
    assert gtp.reply(f"{command} {words}".encode()).decode().startswith(reply)
    assert gtp.board == Board(5, komi=7.5)
    assert isinstance(gtp.engine, QuickEngine)
    assert gtp.engine.limits == []


def test_options__what_is_not_available_may_be_switched_off() -> None:
    assert lines_of(server(), "kata-analyze b pvVisits false movesOwnership false")


def test_options__leela_zero_knows_no_ownership() -> None:
    assert server().reply(b"lz-analyze b ownership true").startswith(b"? syntax error: 'ownership' is not an option")


# Moves ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", MOVES)
def test_genmove_analyze__ends_with_the_move_that_is_played(command: str) -> None:
    gtp = server()
    assert lines_of(gtp, f"{command} w 100")[-1] == "play A5"
    assert gtp.board.moves == ([] if command == "kata-search_analyze" else [(Color.WHITE, 0)])


@pytest.mark.parametrize("command", MOVES)
def test_genmove_analyze__resigns_and_plays_nothing(command: str) -> None:
    gtp = server(winrate=0.01)
    assert lines_of(gtp, f"{command} b")[-1] == "play resign"
    assert gtp.board.num_moves == 0


@pytest.mark.parametrize("command", MOVES)
def test_genmove_analyze__passes_at_once_when_the_game_is_over(command: str) -> None:
    gtp = server()
    for color in "bw":
        gtp.reply(f"play {color} pass".encode())
    assert lines_of(gtp, f"{command} b") == ["play pass"]


def test_genmove_analyze__does_not_choose_what_is_to_be_avoided() -> None:
    gtp = server()
    assert lines_of(gtp, "lz-genmove_analyze b avoid b A5 1")[-1] == "play pass"
    assert lines_of(gtp, "lz-genmove_analyze b allow b C3 1")[-1] == "play C3"


def test_genmove_analyze__keeps_to_the_clock() -> None:
    gtp = server()
    gtp.reply(b"time_settings 0 10 1")
    lines_of(gtp, "kata-genmove_analyze b")
    assert isinstance(gtp.engine, QuickEngine)
    (clock,) = gtp.engine.clocks
    assert clock is not None
    assert clock.most_s == 10


def test_cgos__one_object_with_everything_the_client_shows() -> None:
    gtp = server()
    found, move = lines_of(gtp, "cgos-genmove_analyze w")
    read = json.loads(found)
    assert move == "play A5"
    assert (read["visits"], read["winrate"], read["score"]) == (3, 0.75, 7.5)
    assert read["moves"][0] == {
        "move": "A5", "winrate": 0.75, "score": 7.5, "prior": 1.0, "visits": 2, "pv": "pass",
    }  # fmt: skip
    assert (len(read["ownership"]), read["ownership"][0], read["ownership"][-1]) == (25, "A", "+")


# The numbers ----------------------------------------------------------------------------------------------------------


def test_lower_bound__is_wilsons() -> None:
    z, p, n = 1.645, 0.6, 100
    solution = Candidate(0, n, p, []).lower_bound
    assert math.isclose(abs(p - solution), z * math.sqrt(solution * (1 - solution) / n))
    assert solution < p


@pytest.mark.parametrize("winrate", [0.0, 0.5, 1.0])
def test_lower_bound__grows_with_the_visits_and_never_exceeds_the_win_rate(winrate: float) -> None:
    bounds = [Candidate(0, visits, winrate, []).lower_bound for visits in (0, 1, 10, 100, 10**6)]
    assert bounds == sorted(bounds)
    assert all(0 <= bound <= winrate + 1e-12 for bound in bounds)


def test_expected_score__is_area_minus_komi_for_the_side_to_move() -> None:
    board = Board(5, komi=3.5)
    analysis: Analysis = QuickEngine().found(board, 1)
    analysis.ownership[:] = 1.0
    assert expected_score(board, analysis) == 21.5
    board.play("C3")
    assert expected_score(board, analysis) == -21.5


# The engine itself ----------------------------------------------------------------------------------------------------


@pytest.fixture
def real() -> Callable[[str], list[str]]:
    gtp = GtpServer(Engine(EngineConfig(simulations=50, seed=1)), Board(5))
    return lambda command: lines_of(gtp, command)


def test_engine__its_visits_and_lines_are_reported(real: Callable[[str], list[str]]) -> None:
    (line,) = real("kata-analyze b ownership true")
    visits = [int(word) for word in re.findall(r" visits (\d+)", line)]
    assert sum(visits) <= 50
    assert visits == sorted(visits, reverse=True)
    assert all(-1 <= float(word) <= 1 for word in line.partition("ownership ")[2].split())
    assert real("kata-genmove_analyze b")[-1] == f"play {fields(line)['move']}"


def test_engine__analyses_a_game_that_is_over(real: Callable[[str], list[str]]) -> None:
    gtp = GtpServer(Engine(EngineConfig(simulations=20, seed=1)), Board(5))
    for color in "bw":
        gtp.reply(f"play {color} pass".encode())
    assert lines_of(gtp, "lz-analyze b")
    assert gtp.board.is_over


@pytest.mark.parametrize("size", ["1", "1 2", "2", "25 1"])
def test_engine__analyses_the_smallest_boards(size: str) -> None:
    gtp = GtpServer(Engine(EngineConfig(simulations=20, seed=1)), Board(5))
    gtp.reply(f"boardsize {size}".encode())
    assert lines_of(gtp, "kata-analyze b ownership true")
    assert lines_of(gtp, "kata-genmove_analyze b")[-1].startswith("play ")
