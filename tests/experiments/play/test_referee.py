"""The referee: every way to end a game is recorded with its reason, and nothing a player does gets out of it."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from experiments.rogue_engine import MANNERS
from tesuji.experiments.play import opinions, referee
from tesuji.experiments.play.game_text import game_text
from tesuji.experiments.play.opinions import GNUGO_VOTE, REFEREE, decide, gnugo_opinion, read_score
from tesuji.experiments.play.referee import play_game
from tesuji.experiments.players import Answer, Player, TimeLeft, gtp_player, parse_player
from tesuji.experiments.players.gtp_player import find_program
from tesuji.experiments.records import Conditions, GameRecord, GameTask, PlayerSpec, Reason
from tesuji.experiments.table import GoTable, Table, Verdict, lay_table
from tesuji.games import NATIVE_GAMES
from tesuji.go.records.sgf import load

ROGUE = Path(__file__).parents[1] / "rogue_engine.py"
GO9 = Conditions(size=9)
IMPATIENT_S = 0.8
QUICK = "tesuji:simulations=20,resign_below=0"
HAS_GNUGO = find_program("gnugo") != "gnugo"
needs_gnugo = pytest.mark.skipif(not HAS_GNUGO, reason="GNU Go is not installed (Debian: apt install gnugo)")


def rogue(manner: str, first_bad_move: int = 1, **fields: float) -> PlayerSpec:
    command = shlex.join([sys.executable, "-I", "-S", str(ROGUE), manner, str(first_bad_move)])
    return msgspec.structs.replace(parse_player(command, name=manner), move_s=30.0, **fields)


def task(
    first: PlayerSpec | str,
    second: PlayerSpec | str,
    conditions: Conditions = GO9,
    opening: str = "",
    seed: int = 1,
    cores: tuple[int, ...] = (),
) -> GameTask:
    specs = [parse_player(player) if isinstance(player, str) else player for player in (first, second)]
    return GameTask(
        index=4,
        pair=2,
        first=specs[0],
        second=specs[1],
        conditions=conditions,
        opening=tuple(opening.split()),
        opening_name="mine" if opening else "empty",
        seed=seed,
        cores=cores,
    )


@pytest.fixture
def no_gnugo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opinions, "find_program", lambda word: word)


# Games ----------------------------------------------------------------------------------------------------------------


def test_play_game__two_searches_play_a_game_that_repeats_itself() -> None:
    records = [play_game(task(QUICK, "other=tesuji:simulations=30,resign_below=0", seed=6)) for _ in range(2)]
    record = records[0]
    assert record.reason is Reason.SCORE
    assert record.winner in ("first", "second")
    assert (record.index, record.pair, record.seed, record.first, record.second) == (4, 2, 6, QUICK, "other")
    assert len(record.moves) > 20
    assert all(move.value is None or 0 <= move.value <= 1 for move in record.moves)
    assert sum(move.value is not None for move in record.moves) >= len(record.moves) - 1
    assert record.first_s > 0
    assert record.second_s > 0
    assert record.wall_s >= record.first_s + record.second_s
    assert record.cpu_s > 0
    assert record.versions == dict.fromkeys((QUICK, "other"), record.versions["other"])
    assert [move.vertex for move in records[1].moves] == [move.vertex for move in record.moves]
    assert records[1].score == record.score


@pytest.mark.parametrize("game", NATIVE_GAMES)
def test_play_game__other_games_are_played_too(game: str) -> None:
    conditions = Conditions(game=game, size=5 if NATIVE_GAMES[game].sizes else 0)
    record = play_game(task("tesuji:simulations=100", "uct=tesuji:simulations=100,preset=uct", conditions))
    assert record.reason is Reason.SCORE
    assert record.score == {"first": "B+", "second": "W+", "draw": "0"}[record.winner]
    assert " ".join(move.vertex for move in record.moves) in record.sgf.replace("\n", " ")
    assert all(move.value is not None for move in record.moves)


def test_play_game__survives_its_own_json() -> None:
    record = play_game(task("tesuji:simulations=5", "b=tesuji:simulations=5", Conditions(size=5)))
    assert msgspec.json.decode(msgspec.json.encode(record), type=GameRecord) == record


def test_play_game__the_sgf_tells_names_result_rules_opening_win_rates_and_seconds() -> None:
    conditions = Conditions(size=9, komi=5.5, rules="japanese", handicap=2)
    record = play_game(task("a=" + QUICK, "b=" + QUICK, conditions, opening="E5 D3"))
    game = load(record.sgf.encode())
    assert (game.black, game.white, game.komi, game.rules_name, game.handicap) == ("a", "b", 5.5, "Japanese", 2)
    assert (game.result, game.text("GN"), game.text("ON")) == (record.score, "game 4, pair 2", "mine")
    assert game.text("DT") == record.started_at[:10]
    vertices = [game.replay().vertex(move) for _, move in game.moves]
    assert vertices == ["E5", "D3", *(move.vertex for move in record.moves)]
    assert game.comments[1] == "opening mine, move 1 of 2"
    value = record.moves[0].value
    assert value is not None
    assert game.comments[3] == f"b: win rate {100 * value:.1f} %, {record.moves[0].seconds:.3f} s"
    assert "seed 1" in game.comments[0]


def test_game_text__without_win_rates_only_the_seconds_are_told() -> None:
    table = lay_table(GO9)
    record = play_game(task(rogue("honest"), rogue("honest")))
    for move in record.moves:
        table.play(move.vertex)
    text = game_text(
        task(rogue("honest"), rogue("honest")),
        table,
        record.moves,
        seats=[i % 2 for i in range(len(record.moves))],
        score="B+1",
        reason=Reason.SCORE,
    )
    assert load(text.encode()).comments[1] == f"honest: {record.moves[0].seconds:.3f} s"


def test_play_game__an_opening_is_played_and_told_to_both() -> None:
    record = play_game(task(rogue("honest"), rogue("honest"), opening="A9 B9 E5"))
    assert [move.vertex for move in record.moves[:3]] == ["C9", "D9", "E9"]
    assert "opening mine, move 3 of 3" in record.sgf


def test_play_game__after_a_handicap_white_begins() -> None:
    record = play_game(task(rogue("honest"), rogue("resigns"), Conditions(size=9, handicap=3)))
    assert (record.winner, record.score, len(record.moves)) == ("first", "B+R", 0)


def test_play_game__a_wrong_task_is_refused() -> None:
    with pytest.raises(ValueError, match=r"opening mine: move 2, 'E5', is illegal: E5 is occupied"):
        play_game(task(QUICK, QUICK, opening="E5 E5"))
    with pytest.raises(ValueError, match=r"opening mine: move 2, 'pass', ends the game"):
        play_game(task(QUICK, QUICK, opening="pass pass"))
    with pytest.raises(ValueError, match=r"size is 99"):
        play_game(task(QUICK, QUICK, Conditions(size=99)))
    with pytest.raises(ValueError, match=r"cores are \[100000\]; this process may use"):
        play_game(task(QUICK, QUICK, cores=(100000,)))


def test_play_game__after_the_move_limit_it_is_counted_as_it_stands() -> None:
    record = play_game(task(rogue("honest"), rogue("honest"), Conditions(size=9, max_moves=6), opening="E5 C3"))
    assert record.reason is Reason.MOVE_LIMIT
    assert record.winner in ("first", "second")
    assert len(record.moves) == 4
    assert record.detail == "counted as it stood after 6 moves"


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="cores can be chosen on Linux only")
def test_play_game__cores_are_chosen_for_the_game_and_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    before = os.sched_getaffinity(0)
    core = min(before)
    seen = []
    with scripted(monkeypatch, {"a": ["resign"], "b": []}, lambda: seen.append(os.sched_getaffinity(0))):
        play_game(task("a=tesuji", "b=tesuji", cores=(core,)))
    assert seen == [{core}]
    assert os.sched_getaffinity(0) == before


# Misbehaviour ---------------------------------------------------------------------------------------------------------

OUTCOMES = {
    "illegal": (Reason.ILLEGAL_MOVE, "illegal played 'Z99': 'Z99' is off the board"),
    "occupied": (Reason.ILLEGAL_MOVE, "occupied played 'A9': A9 is occupied (black, move 1)"),
    "nonsense": (Reason.ILLEGAL_MOVE, "nonsense played 'the upper right corner, I think': "),
    "empty-answer": (Reason.ILLEGAL_MOVE, "empty-answer played '': "),
    "wrong-size": (Reason.ILLEGAL_MOVE, "wrong-size played 'A19': 'A19' is off the board"),
    "resigns": (Reason.RESIGNATION, "resigns resigned"),
    "megabytes": (Reason.PROTOCOL, "megabytes answered 'genmove w' with more than 1048576 bytes"),
    "megalines": (Reason.PROTOCOL, "megalines answered 'genmove w' with more than 10000 lines"),
    "nul-bytes": (Reason.PROTOCOL, "more than 1048576 bytes"),
    "endless": (Reason.PROTOCOL, "which is not a GTP reply"),
    "wrong-id": (Reason.PROTOCOL, "instead of"),
    "no-id": (Reason.PROTOCOL, "with no number instead of"),
    "garbage": (Reason.PROTOCOL, "garbage answered 'genmove w' with 'Loading the network ..."),
    "early": (Reason.PROTOCOL, "pass' before it was asked 'play b "),
    "refuses": (Reason.PROTOCOL, "refuses refused 'genmove w': 'I would rather not'"),
    "refuses-play": (Reason.PROTOCOL, "refuses-play refused 'play b A9': 'I would rather not'"),
    "refuses-setup": (Reason.PROTOCOL, "refuses-setup refused 'boardsize 9': 'I would rather not'"),
    "crash": (Reason.CRASH, "crash ended with exit status 3 at 'genmove w'; its last words: 'rogue: assertion failed"),
    "crash-at-start": (Reason.CRASH, "crash-at-start ended with exit status 1"),
    "killed": (Reason.CRASH, "killed was ended by SIGKILL at 'genmove w'"),
    "closes-stdout": (Reason.CRASH, "closes-stdout closed its output at 'genmove w'"),
    "hang": (Reason.HANG, "hang gave no answer to 'genmove w' within 0.8 s"),
    "deaf": (Reason.HANG, "deaf gave no answer to 'genmove w' within 0.8 s"),
    "forks": (Reason.HANG, "forks gave no answer to 'genmove w' within 0.8 s"),
    "silent": (Reason.HANG, "silent gave no answer to 'name' within 0.8 s"),
    "no-newline": (Reason.HANG, "did not end its answer"),
    "one-newline": (Reason.HANG, "did not end its answer"),
    "trickle": (Reason.HANG, "did not end its answer"),
}
HARMLESS = ("honest", "blank-lines", "carriage-returns", "control-characters", "stderr-flood", "slow", "passes", "liar")


def test_outcomes__every_manner_of_the_rogue_has_one() -> None:
    assert set(OUTCOMES) | set(HARMLESS) == set(MANNERS)


@pytest.mark.parametrize("manner", OUTCOMES)
def test_play_game__a_rogue_loses_its_game_with_a_reason(manner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gtp_player, "START_S", IMPATIENT_S if manner == "silent" else 30.0)
    reason, detail = OUTCOMES[manner]
    bad = rogue(manner)
    if reason is Reason.HANG:
        bad = msgspec.structs.replace(bad, move_s=IMPATIENT_S)
    record = play_game(task(rogue("honest"), bad))
    assert (record.winner, record.reason) == ("first", reason), record.detail
    assert record.score == ("B+R" if reason is Reason.RESIGNATION else "B+F")
    assert detail in record.detail
    assert len(record.detail) <= 500
    assert record.detail.isprintable()
    assert load(record.sgf.encode()).result == record.score
    assert children() == []


@pytest.mark.parametrize("manner", ["blank-lines", "carriage-returns", "control-characters", "stderr-flood"])
def test_play_game__what_the_protocol_allows_is_played_to_the_end(manner: str) -> None:
    record = play_game(task(rogue(manner), rogue("honest"), Conditions(size=5)))
    assert record.reason is Reason.SCORE, record.detail
    assert record.cpu_s > 0
    assert children() == []


def test_play_game__a_crash_in_the_middle_keeps_the_moves() -> None:
    record = play_game(task(rogue("crash", 3), rogue("honest")))
    assert (record.winner, record.score, record.reason) == ("second", "W+F", Reason.CRASH)
    assert [move.vertex for move in record.moves] == ["A9", "B9", "C9", "D9"]
    assert record.versions == {"crash": "Rogue crash", "honest": "Rogue honest"}


def test_play_game__endless_passes_end_a_game_when_the_other_one_passes_too() -> None:
    record = play_game(task(rogue("passes"), rogue("honest"), Conditions(size=5)))
    assert (record.winner, record.reason) == ("second", Reason.SCORE)


def test_play_game__one_player_alone_cannot_start() -> None:
    missing = PlayerSpec(name="missing", kind="gtp", command="/no/such/engine")
    record = play_game(task(missing, QUICK))
    assert (record.winner, record.reason, record.score) == ("second", Reason.CRASH, "W+F")
    assert record.detail == "missing could not be started: '/no/such/engine': No such file or directory"


def test_play_game__a_game_at_which_both_fail_to_appear_is_void() -> None:
    missing = PlayerSpec(name="missing", kind="gtp", command="/no/such/engine")
    record = play_game(task(missing, rogue("crash-at-start")))
    assert (record.winner, record.score, record.reason) == ("none", "Void", Reason.VOID)
    assert "missing could not be started" in record.detail
    assert "crash-at-start ended with exit status 1" in record.detail


def children() -> list[str]:
    """The processes that this one has started and not seen the end of.

    Left out are the watchdog's shell and multiprocessing's tracker, which other tests in this process may have started.
    """
    mine = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    commands = [Path(f"/proc/{pid}/cmdline").read_bytes().decode() for pid in mine if Path(f"/proc/{pid}").exists()]
    others = ("sh\0-c", "resource_tracker")
    return [command for command in commands if command and not any(other in command for other in others)]


# Time -----------------------------------------------------------------------------------------------------------------


def test_play_game__a_clock_that_runs_out_loses() -> None:
    record = play_game(task(rogue("slow", main_s=0.2), rogue("honest")))
    assert (record.winner, record.score, record.reason) == ("second", "W+T", Reason.TIME)
    assert record.detail == "slow ran out of time: 0.20 s were left"
    assert len(record.moves) == 0


def test_play_game__a_hang_on_the_clock_is_lost_on_time() -> None:
    record = play_game(task(rogue("honest"), rogue("hang", 2, byoyomi_s=1, byoyomi_stones=2)))
    assert (record.winner, record.score, record.reason) == ("first", "B+T", Reason.TIME)
    assert record.detail.startswith("hang ran out of time: ")
    assert record.detail.endswith(" s for 1 moves were left")


def test_play_game__who_answers_after_its_time_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted(monkeypatch, {"a": ["E5"], "b": []}, lambda: time.sleep(0.3)):
        record = play_game(task("a=tesuji:main_s=0.1", "b=tesuji"))
    assert (record.winner, record.reason) == ("second", Reason.TIME)
    assert re.match(r"a took \d", record.detail)


def test_play_game__seconds_are_kept_for_each_player() -> None:
    record = play_game(task(rogue("slow"), rogue("resigns", 2), Conditions(size=5)))
    assert record.first_s >= 1.0
    assert record.first_s == pytest.approx(sum(move.seconds for move in record.moves[::2]), abs=0.1)
    assert all(move.seconds >= 0.5 for move in record.moves[::2])


# Players in this process ----------------------------------------------------------------------------------------------


class Scripted:
    """A player that says what it is told to; an exception is raised."""

    title, cpu_s = "Scripted 1", 0.0

    def __init__(self, answers: list[str | BaseException], on_choose: object = None) -> None:
        self.answers, self.on_choose = list(answers), on_choose

    def begin(self, table: Table) -> None:
        pass

    def observe(self, seat: int, vertex: str) -> None:
        pass

    def choose(self, seat: int, left: TimeLeft | None, timeout_s: float) -> Answer:  # noqa: ARG002
        if callable(self.on_choose):
            self.on_choose()
        answer = self.answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return Answer(answer)

    def final_score(self, timeout_s: float) -> str | None:  # noqa: ARG002
        return str(self.answers[0]) if self.answers else None

    def close(self) -> None:
        pass

    def __enter__(self) -> Scripted:
        return self

    def __exit__(self, *_: object) -> None:
        pass


@contextlib.contextmanager
def scripted(
    monkeypatch: pytest.MonkeyPatch, answers: dict[str, list[str | BaseException]], on_choose: object = None
) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setattr(referee, "open_player", lambda spec, *_: Scripted(answers[spec.name], on_choose))
        yield


def play_scripted(monkeypatch: pytest.MonkeyPatch, first: list[str | BaseException], second: list[str]) -> GameRecord:
    with scripted(monkeypatch, {"a": first, "b": list(second)}):
        return play_game(task("a=tesuji", "b=tesuji"))


def test_play_game__an_exception_of_our_own_player_is_our_fault_and_decides_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    record = play_scripted(monkeypatch, ["E5", RuntimeError("out of\nideas")], ["C3"])
    assert (record.winner, record.reason, record.score) == ("none", Reason.VOID, "Void")
    assert record.detail.startswith("a raised RuntimeError: out of ideas (a fault of Tesuji")


@pytest.mark.parametrize("trouble", [MemoryError("no more"), OSError("no more")])
def test_play_game__trouble_of_the_machine_is_nobodys_fault(
    monkeypatch: pytest.MonkeyPatch, trouble: BaseException
) -> None:
    record = play_scripted(monkeypatch, ["E5", trouble], ["C3"])
    assert (record.winner, record.reason, record.score) == ("none", Reason.VOID, "Void")
    assert record.detail == f"{type(trouble).__name__}: no more"


def test_play_game__settings_that_cannot_be_used_are_no_game() -> None:
    record = play_game(task("tesuji:preset=none-such", QUICK))
    assert (record.winner, record.reason) == ("none", Reason.VOID)
    assert "there is no preset 'none-such'" in record.detail


def test_play_game__ctrl_c_ends_the_programs_and_goes_on_to_the_caller() -> None:
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        play_game(task(rogue("honest"), rogue("hang")))
    assert children() == []


def test_play_game__ctrl_c_in_a_search_does_not_pass_for_a_move() -> None:
    before = signal.getsignal(signal.SIGINT)
    main, searcher = threading.get_ident(), sys.modules["tesuji.search.searcher"].__file__

    def interrupt() -> None:
        """As soon as a search runs, however fast or slow the machine is."""
        while not any(frame.filename == searcher for frame in traceback.extract_stack(sys._current_frames()[main])):
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        play_game(task("a=tesuji:seconds=20", "b=tesuji:seconds=20"))
    assert signal.getsignal(signal.SIGINT) is before


def test_play_game__works_in_a_thread() -> None:
    records: list[GameRecord] = []
    small = task("tesuji:simulations=5", "b=tesuji:simulations=5", Conditions(size=5))
    thread = threading.Thread(target=lambda: records.append(play_game(small)))
    thread.start()
    thread.join()
    assert records[0].reason in (Reason.SCORE, Reason.RESIGNATION)


# Opinions -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("B+3.5", Verdict("first", "B+3.5")),
        (" w+12 ", Verdict("second", "W+12")),
        ("0", Verdict("draw", "0")),
        ("Jigo", Verdict("draw", "0")),
        ("B+0", Verdict("draw", "0")),
        ("B+R", None),
        ("?", None),
        ("", None),
        ("B+" + "9" * 50, None),
    ],
)
def test_read_score__reads_what_gtp_writes(text: str, verdict: Verdict | None) -> None:
    assert read_score(text) == verdict


def won_by_black() -> GoTable:
    table = GoTable(Conditions(size=5))
    for vertex in ("C1", "pass", "C2", "pass", "C3", "pass", "C4", "pass", "C5", "pass", "pass"):
        table.play(vertex)
    return table


def opinion_of(*scores: str) -> list[tuple[str, Player]]:
    return [(name, Scripted([score] if score else [])) for name, score in zip("ab", scores, strict=False)]


@pytest.mark.usefixtures("no_gnugo")
def test_decide__who_is_not_asked_has_no_opinion() -> None:
    assert decide(won_by_black(), opinion_of("", "")) == (("first", "B+17.5"), {}, "")


@pytest.mark.usefixtures("no_gnugo")
def test_decide__agreement_on_the_winner_is_enough() -> None:
    decision = decide(won_by_black(), opinion_of("B+1.5", ""))
    assert decision == (("first", "B+17.5"), {REFEREE: "B+17.5", "a": "B+1.5"}, "")


@pytest.mark.usefixtures("no_gnugo")
def test_decide__between_equal_numbers_the_referee_decides() -> None:
    decision = decide(won_by_black(), opinion_of("W+1.5", ""))
    assert decision.verdict == ("first", "B+17.5")
    assert decision.detail == "opinions differ: referee B+17.5, a W+1.5; B+17.5 by majority"


@pytest.mark.usefixtures("no_gnugo")
def test_decide__two_players_who_agree_outvote_the_referee() -> None:
    decision = decide(won_by_black(), opinion_of("W+1.5", "W+2.5"))
    assert decision.verdict == ("second", "W+1.5")
    assert decision.opinions == {REFEREE: "B+17.5", "a": "W+1.5", "b": "W+2.5"}


@needs_gnugo
def test_decide__gnugo_is_asked_when_a_player_disagrees() -> None:
    decision = decide(won_by_black(), opinion_of("W+1.5", ""))
    assert decision.verdict == ("first", "B+17.5")
    assert decision.opinions == {REFEREE: "B+17.5", "a": "W+1.5", GNUGO_VOTE: "B+17.5"}


@needs_gnugo
def test_gnugo_opinion__counts_the_game_on_the_table() -> None:
    assert gnugo_opinion(won_by_black()) == ("first", "B+17.5")


@pytest.mark.usefixtures("no_gnugo")
def test_gnugo_opinion__there_is_none_without_gnugo() -> None:
    assert gnugo_opinion(won_by_black()) is None


@needs_gnugo
def test_play_game__a_liar_does_not_win_by_its_score() -> None:
    record = play_game(task(rogue("honest"), rogue("liar")))
    assert (record.winner, record.reason) == ("first", Reason.SCORE)
    assert record.opinions["liar"] == "W+100.5"
    assert record.opinions[GNUGO_VOTE].startswith("B+")
    assert "opinions differ" in record.detail


# GNU Go ---------------------------------------------------------------------------------------------------------------


@needs_gnugo
@pytest.mark.parametrize(
    "conditions",
    [
        Conditions(size=7),
        Conditions(size=7, rules="japanese", komi=0.5),
        Conditions(size=7, handicap=4, komi=0.5),
        Conditions(size=7, rules="new-zealand"),
        Conditions(size=7, rules="aga"),
    ],
)
def test_play_game__gnugo_plays_under_all_rules_and_counts_as_we_do(conditions: Conditions) -> None:
    record = play_game(task("gnugo-l0", "gnugo-l1", conditions))
    assert record.reason in (Reason.SCORE, Reason.RESIGNATION, Reason.MOVE_LIMIT), record.detail
    assert len(set(record.opinions.values())) <= 1, record.opinions
    assert record.versions == {"gnugo-l0": "GNU Go 3.8", "gnugo-l1": "GNU Go 3.8"}


@needs_gnugo
def test_play_game__gnugo_repeats_itself_with_the_same_seed() -> None:
    records = [play_game(task("gnugo-l0", "gnugo-l1", Conditions(size=7), seed=seed)) for seed in (5, 5)]
    assert records[0].moves
    assert [move.vertex for move in records[0].moves] == [move.vertex for move in records[1].moves]
