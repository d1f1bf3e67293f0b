"""Players: how they are written, what they become, and what is refused before a game begins."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import msgspec
import pytest

from tesuji.experiments.play.clock import LAG_S, Clock
from tesuji.experiments.players import TimeLeft, check_player, gtp_player, open_player, parse_player, player_seed
from tesuji.experiments.players.gtp_client import CrashError, EngineError
from tesuji.experiments.players.gtp_player import command_line, find_program
from tesuji.experiments.players.settings import SETTINGS, checked_settings, limits_of, parse_value
from tesuji.experiments.records import Conditions, PlayerSpec, Setting
from tesuji.experiments.table import lay_table, size_of, winner_of
from tesuji.go.engine.parameters import ENGINE_PARAMETERS, GO_ONLY
from tesuji.go.engine.presets import ENGINE_PRESETS
from tesuji.search import BAST, RAVE, UCB1, EpsilonGreedy, MinimumMSE, SearchConfig, UCB1Tuned, Widening
from tesuji.search.parameters import SEARCH_PARAMETERS, applied, nearest
from tesuji.search.presets import GAME_PRESETS, UCT, UCT_RAVE
from tesuji.words import GAME_NAMES

ROGUE = Path(__file__).parents[1] / "rogue_engine.py"
GO9 = Conditions(size=9)
HAS_GNUGO = find_program("gnugo") != "gnugo"
needs_gnugo = pytest.mark.skipif(not HAS_GNUGO, reason="GNU Go is not installed (Debian: apt install gnugo)")


def rogue(manner: str, first_bad_move: int = 1) -> str:
    return shlex.join([sys.executable, "-I", "-S", str(ROGUE), manner, str(first_bad_move)])


# Words ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("tesuji", PlayerSpec(name="tesuji", kind="tesuji")),
        (
            "tesuji:simulations=1000,preset=uct",
            PlayerSpec(
                name="tesuji:simulations=1000,preset=uct",
                kind="tesuji",
                settings={"simulations": 1000, "preset": "uct"},
            ),
        ),
        (
            "fast=tesuji:simulations=1e2,exploration=1,solver=true,threads=2",
            PlayerSpec(
                name="fast",
                kind="tesuji",
                settings={"simulations": 100, "exploration": 1.0, "solver": True},
                threads=2,
            ),
        ),
        ("gnugo-l10", PlayerSpec(name="gnugo-l10", kind="gtp", command="gnugo-l10")),
        ("weak=gnugo-l0:main_s=60", PlayerSpec(name="weak", kind="gtp", command="gnugo-l0", main_s=60)),
        (
            "/opt/go/pachi -t =5000 'threads=1'",
            PlayerSpec(name="pachi -t =5000 threads=1", kind="gtp", command="/opt/go/pachi -t =5000 'threads=1'"),
        ),
        (
            "p=gtp:main_s=300,byoyomi_s=30,byoyomi_stones=5,move_s=0.5 pachi -x",
            PlayerSpec(
                name="p", kind="gtp", command="pachi -x", main_s=300, byoyomi_s=30, byoyomi_stones=5, move_s=0.5
            ),
        ),
        (
            "katago gtp -model a=b",
            PlayerSpec(name="katago gtp -model a=b", kind="gtp", command="katago gtp -model a=b"),
        ),
    ],
)
def test_parse_player__reads_what_a_command_line_says(text: str, spec: PlayerSpec) -> None:
    assert parse_player(text) == spec
    assert parse_player(text, name="other") == msgspec.structs.replace(spec, name="other")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"a player is missing"),
        ("tesuji:simulatons=3", r"no setting 'simulatons'; did you mean simulations\? known are amaf, "),
        ("tesuji:color=red", r"no setting 'color'; known are|no setting 'color'; did you mean"),
        ("tesuji:simulations", r"'simulations' is not a setting; write name=value"),
        ("tesuji:simulations=many", r"simulations is 'many'; it must be a whole number"),
        ("tesuji:simulations=1.5", r"simulations is 1.5; it must be a whole number"),
        ("tesuji:solver=2", r"solver is 2; it must be true or false"),
        ("tesuji:preset=1", r"preset is 1; it must be a word"),
        ("tesuji:rave_k=true", r"rave_k is True; it must be a number"),
        ("tesuji:simulations=1,simulations=2", r"'simulations' is given twice"),
        ("tesuji:threads=-1", r"threads is -1; it must be a whole number, 0 or more"),
        ("tesuji:move_s=nan", r"move_s is nan"),
        ("tesjui:simulations=1", r"there is no player 'tesjui:simulations=1'; write tesuji"),
        ("gnugo", r"there is no player 'gnugo'"),
        ("gnugo-l11", r"'gnugo-l11' is not a level of GNU Go; write gnugo-l0 to gnugo-l10"),
        ("gnugo-l1:simulations=3", r"no setting 'simulations'; known are byoyomi_s, byoyomi_stones, main_s"),
        ("gtp:main_s=3", r"the command of the player is empty"),
        ("pachi 'x", r"cannot be split into words: No closing quotation"),
    ],
)
def test_parse_player__refuses_what_it_does_not_know(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_player(text)


def test_parse_player__a_long_command_makes_a_short_name() -> None:
    assert len(parse_player("engine " + "x" * 500).name) == 60


# Settings -------------------------------------------------------------------------------------------------------------


def test_parse_value__reads_switches_numbers_and_words() -> None:
    assert [parse_value(word) for word in ("true", "False", "12", "-0.5", "uct")] == [True, False, 12, -0.5, "uct"]


def test_nearest__names_the_known_and_the_close() -> None:
    assert nearest("uctt", ["uct", "rave"]) == "did you mean uct? known are rave, uct"


def test_limits_of__are_positive() -> None:
    assert limits_of({"simulations": 10}) == (10, None)
    assert limits_of({"seconds": 0.5}) == (None, 0.5)
    for settings in ({"simulations": 0}, {"seconds": 0.0}):
        with pytest.raises(ValueError, match=r"must"):
            limits_of(settings)


SAMPLES: dict[str, tuple[dict[str, Setting], SearchConfig]] = {
    "selection": ({"selection": "ucb1-tuned"}, SearchConfig(selection=UCB1Tuned())),
    "exploration": ({"exploration": 0.3}, SearchConfig(selection=UCB1(c=0.3))),
    "epsilon": (
        {"selection": "epsilon-greedy", "epsilon": 0.2},
        SearchConfig(selection=EpsilonGreedy(epsilon=0.2)),
    ),
    "smoothness": ({"selection": "bast", "smoothness": 0.4}, SearchConfig(selection=BAST(smoothness=0.4))),
    "first_play_urgency": ({"first_play_urgency": 1.1}, SearchConfig(first_play_urgency=1.1)),
    "amaf": ({"amaf": "minimum-mse"}, SearchConfig(amaf=MinimumMSE())),
    "rave_k": ({"amaf": "rave", "rave_k": 50.0}, SearchConfig(amaf=RAVE(k=50.0))),
    "rave_bias": ({"amaf": "minimum-mse", "rave_bias": 0.1}, SearchConfig(amaf=MinimumMSE(bias=0.1))),
    "rave_exploration": ({"amaf": "rave", "rave_exploration": 0.2}, SearchConfig(amaf=RAVE(c=0.2))),
    "widening": ({"widening": True}, SearchConfig(widening=Widening())),
    "widening_scale": ({"widening": True, "widening_scale": 2.0}, SearchConfig(widening=Widening(scale=2.0))),
    "widening_rate": ({"widening": True, "widening_rate": 0.5}, SearchConfig(widening=Widening(rate=0.5))),
    "widening_minimum": ({"widening": True, "widening_minimum": 4}, SearchConfig(widening=Widening(minimum=4))),
    "maturity": ({"maturity": 5}, SearchConfig(maturity=5)),
    "expansion": ({"expansion": "all-children"}, SearchConfig(expansion="all-children")),
    "graph": ({"graph": "dag"}, SearchConfig(graph="dag")),
    "solver": ({"solver": True}, SearchConfig(solver=True)),
    "final_move": ({"final_move": "best-value"}, SearchConfig(final_move="best-value")),
    "parallel": ({"parallel": "roots"}, SearchConfig(parallel="roots")),
    "memory_mb": ({"memory_mb": 64}, SearchConfig(memory_bytes=64 << 20)),
    "max_depth": ({"max_depth": 9}, SearchConfig(max_depth=9)),
    "final_limit": ({"final_limit": 0.2}, SearchConfig(final_limit=0.2)),
    "give_up_move": ({"give_up_move": 81}, SearchConfig(give_up_move=81)),
}


def test_settings__are_the_parameters_of_the_engine_and_a_preset() -> None:
    assert set(SETTINGS) == {"preset", *ENGINE_PARAMETERS} - {"threads", "seed"}
    assert set(SAMPLES) <= set(SEARCH_PARAMETERS) <= set(ENGINE_PARAMETERS)
    assert {"p_nakade", "resign_below", "prior_visits"} <= GO_ONLY
    assert not GO_ONLY & {*SAMPLES, "simulations", "seconds"}


@pytest.mark.parametrize("name", SAMPLES)
def test_applied__sets_the_field_that_the_table_names(name: str) -> None:
    settings, config = SAMPLES[name]
    assert applied(SearchConfig(), checked_settings(settings), SEARCH_PARAMETERS) == config


def test_applied__keeps_what_the_preset_has() -> None:
    changed = applied(UCT_RAVE, {"rave_k": 300.0}, SEARCH_PARAMETERS)
    assert changed == msgspec.structs.replace(UCT_RAVE, amaf=RAVE(k=300))
    assert applied(UCT_RAVE, {"amaf": "none", "exploration": 0.7, "maturity": 1}, SEARCH_PARAMETERS) == UCT
    assert applied(SearchConfig(widening=Widening()), {"widening": False}, SEARCH_PARAMETERS).widening is None


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rave_k": 300.0}, r"rave_k has no meaning here; add amaf=rave, or leave it out"),
        ({"epsilon": 0.1}, r"epsilon has no meaning here; add selection=epsilon-greedy"),
        ({"widening_rate": 0.1}, r"add widening=true"),
        ({"selection": "ucb2"}, r"selection is 'ucb2'; did you mean ucb1\?"),
        ({"exploration": -1.0}, r"c is -1.0; it must be"),
        ({"graph": "bush"}, r"graph is 'bush'; it must be one of tree, dag"),
        ({"memory_mb": 0}, r"memory_bytes is 0"),
        ({"graph": "shared-values", "parallel": "roots"}, r"graph 'shared-values' has one table"),
    ],
)
def test_applied__refuses_what_has_no_meaning(settings: dict[str, Setting], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        applied(SearchConfig(), settings, SEARCH_PARAMETERS)


def test_presets__every_game_has_the_three() -> None:
    for presets in (ENGINE_PRESETS, *GAME_PRESETS.values()):
        assert {"default", "uct", "uct-rave"} <= set(presets)


# Starting -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAME_NAMES)
def test_check_player__our_own_search_plays_every_game(game: str) -> None:
    assert check_player(parse_player("tesuji:simulations=10"), Conditions(game=game)).startswith("Tesuji ")


def test_check_player__returns_what_a_program_calls_itself() -> None:
    assert check_player(parse_player(rogue("honest")), GO9) == "Rogue honest"


@needs_gnugo
def test_check_player__gnugo_is_found_where_debian_puts_games(monkeypatch: pytest.MonkeyPatch) -> None:
    assert check_player(parse_player("gnugo-l1"), GO9) == "GNU Go 3.8"
    with pytest.raises(ValueError, match=r"cannot play here: it refused 'boardsize 25': 'unacceptable size'"):
        check_player(parse_player("gnugo-l1"), Conditions(size=25))


@pytest.mark.parametrize(
    ("player", "conditions", "message"),
    [
        ("/no/such/engine", GO9, r"cannot play here: it could not be started: '/no/such/engine': No such file"),
        ("rogue crash-at-start", GO9, r"cannot play here: it ended with exit status 1 .*'for you'"),
        ("rogue refuses-setup", GO9, r"cannot play here: it refused 'boardsize 9': 'I would rather not'"),
        ("/bin/echo hello", GO9, r"cannot play here: it .*('hello'|ended with exit status 0)"),
        ("rogue honest", Conditions(game="hex"), r"speaks GTP, which knows Go only and not hex"),
        ("tesuji:preset=uctt", GO9, r"there is no preset 'uctt'; did you mean uct\?"),
        ("tesuji:amaf=rave,rave_k=-1", GO9, r"k is -1.0; it must be a positive number"),
        ("tesuji:resign_below=2", GO9, r"resign_below is 2.0; it must lie in 0..1"),
        ("tesuji:resign_below=0.1", Conditions(game="hex"), r"resign_below is for Go; leave it out for hex"),
        ("tesuji:simulations=0", GO9, r"simulations is 0; it must lie in 1"),
        ("tesuji:seconds=0", GO9, r"seconds is 0.0; it must be above 0"),
        ("tesuji:threads=0", GO9, r"threads is 0; it must lie in 1..256"),
        ("tesuji", Conditions(size=26), r"size is 26; Go is played on 2 to 25 lines"),
        ("tesuji", Conditions(size=9, rules="chess"), r"no rule set is called 'chess'"),
        ("tesuji", Conditions(size=9, komi=6.3), r"komi 6.3 is not a multiple of 0.5"),
        ("tesuji", Conditions(size=9, handicap=1), r"1 handicap stones have no fixed places"),
        ("tesuji", Conditions(size=9, max_moves=-1), r"max_moves is -1"),
        ("tesuji", Conditions(game="hex", size=99), r"size is 99; Hex is played on 2 to 19 lines"),
        ("tesuji", Conditions(game="hex", komi=1), r"komi and handicap belong to Go"),
        ("tesuji", Conditions(game="tictactoe", size=3), r"tictactoe has one size only"),
        ("tesuji", Conditions(game="chess"), r"there is no game 'chess'"),  # type: ignore[arg-type]
    ],
)
def test_check_player__refuses_who_cannot_play(player: str, conditions: Conditions, message: str) -> None:
    text = rogue(player.removeprefix("rogue ")) if player.startswith("rogue ") else player
    with pytest.raises(ValueError, match=message):
        check_player(parse_player(text), conditions)


def test_check_player__a_program_that_never_answers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gtp_player, "START_S", 0.3)
    spec = msgspec.structs.replace(parse_player(rogue("silent")), move_s=0.3)
    with pytest.raises(ValueError, match=r"it gave no answer to 'name' within 0.3 s"):
        check_player(spec, GO9)


def test_check_player__setup_commands_must_be_accepted() -> None:
    spec = msgspec.structs.replace(parse_player(rogue("refuses-setup")), setup=("boardsize 7",))
    with pytest.raises(ValueError, match=r"refused 'boardsize 7'"):
        check_player(spec, GO9)
    spec = msgspec.structs.replace(parse_player("tesuji"), setup=("boardsize 7",))
    with pytest.raises(ValueError, match=r"takes settings, no command and no setup"):
        check_player(spec, GO9)


def test_open_player__a_program_that_does_not_start_is_an_engine_error() -> None:
    with pytest.raises(EngineError):
        open_player(PlayerSpec(name="x", kind="gtp", command="/no/such/engine"), GO9, 1)


def test_command_line__gnugo_is_told_rules_ko_suicide_and_seed() -> None:
    spec = parse_player("gnugo-l7")
    chinese = " ".join(command_line(spec, GO9, seed=41)[1:])
    assert chinese == "--mode gtp --quiet --level 7 --seed 42 --chinese-rules --positional-superko --forbid-suicide"
    assert command_line(spec, Conditions(rules="japanese"), 1)[-3:-1] == ["--japanese-rules", "--simple-ko"]
    assert command_line(spec, Conditions(rules="new-zealand"), 1)[-2:] == [
        "--situational-superko",
        "--allow-all-suicide",
    ]
    assert command_line(spec, Conditions(rules="aga"), 1)[-3] == "--chinese-rules"


def test_command_line__puts_the_game_into_a_command() -> None:
    spec = PlayerSpec(name="x", kind="gtp", command="/bin/e --seed={seed} -n '{size} {threads}' {other}", threads=3)
    assert command_line(spec, Conditions(), 5) == ["/bin/e", "--seed=5", "-n", "9 3", "{other}"]


def test_find_program__looks_on_the_path_and_beside_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/bin")
    assert find_program("sh") == "/bin/sh"
    assert find_program(Path(sys.executable).name) == sys.executable
    assert find_program("no-such-program") == "no-such-program"


def test_player_seed__differs_between_seats_and_games() -> None:
    assert len({player_seed(game, seat) for game in range(100) for seat in (0, 1)}) == 200
    assert player_seed(7, 1) == player_seed(7, 1)


# Playing --------------------------------------------------------------------------------------------------------------


def test_go_player__passes_its_opinion_on_and_repeats_itself() -> None:
    answers = []
    for _ in range(2):
        with open_player(parse_player("tesuji:simulations=50"), GO9, seed=3) as player:
            player.begin(lay_table(GO9))
            answers.append(player.choose(0, None, 60))
            assert player.final_score(1) is None
    assert answers[0] == answers[1]
    assert answers[0].value is not None
    assert 0 <= answers[0].value <= 1


def test_go_player__resigns_when_it_is_told_to() -> None:
    with open_player(parse_player("tesuji:simulations=150,resign_below=1"), GO9, seed=3) as player:
        player.begin(lay_table(GO9))
        assert player.choose(0, None, 60).vertex == "resign"


@pytest.mark.parametrize("game", ["go", "hex"])
def test_own_players__a_clock_is_limit_enough(game: str) -> None:
    """Half a minute for the whole game leaves a second a move; nobody waits for that here."""
    conditions = Conditions(game=game, size=5)
    with open_player(parse_player("tesuji:main_s=0.3"), conditions, seed=1) as player:
        table = lay_table(conditions)
        player.begin(table)
        table.play(player.choose(0, TimeLeft(0.3), 60).vertex)
        assert table.num_moves == 1


def test_search_player__follows_the_game() -> None:
    """Three in a row are there to be taken: whoever has not followed the moves does not see it."""
    conditions = Conditions(game="tictactoe")
    with open_player(parse_player("tesuji:simulations=200"), conditions, seed=1) as player:
        table = lay_table(conditions)
        table.play("a1")
        player.begin(table)
        for seat, vertex in ((1, "a3"), (0, "b1"), (1, "b3")):
            table.play(vertex)
            player.observe(seat, vertex)
        assert player.choose(0, None, 60) == ("c1", 1.0)


def test_gtp_player__crashes_are_told_apart_from_answers() -> None:
    with open_player(parse_player(rogue("crash", 2)), GO9, 1) as player:
        player.begin(lay_table(GO9))
        assert player.choose(0, None, 30) == ("A9", None)
        with pytest.raises(CrashError):
            player.choose(0, None, 30)


# Clocks and tables ----------------------------------------------------------------------------------------------------


def test_clock__main_time_then_periods() -> None:
    clock = Clock(PlayerSpec(name="x", kind="tesuji", main_s=10, byoyomi_s=5, byoyomi_stones=2))
    assert clock.left == TimeLeft(10, 0)
    assert clock.spend(4)
    assert clock.left == TimeLeft(6, 0)
    assert clock.most_s == 11 + LAG_S
    assert clock.spend(7)
    assert clock.left == TimeLeft(4, 1)
    assert clock.spend(4)
    assert clock.left == TimeLeft(5, 2)
    assert not clock.spend(5.2)


def test_clock__sudden_death_allows_for_the_way_of_a_move() -> None:
    clock = Clock(PlayerSpec(name="x", kind="tesuji", main_s=1))
    assert clock.spend(1 + LAG_S / 2)
    assert clock.left == TimeLeft(0, 0)
    assert not clock.spend(2 * LAG_S)


def test_clock__periods_only() -> None:
    clock = Clock(PlayerSpec(name="x", kind="tesuji", byoyomi_s=3))
    assert clock.left == TimeLeft(3, 1)
    assert clock.spend(3)
    assert clock.left == TimeLeft(3, 1)
    assert not clock.spend(3.2)


def test_clock__none_is_no_limit() -> None:
    clock = Clock(PlayerSpec(name="x", kind="tesuji"))
    assert clock.left is None
    assert clock.spend(1e9)


def test_table__sizes_and_winners_have_names() -> None:
    assert [size_of(Conditions(game=game)) for game in ("go", "hex", "connect4", "havannah")] == [9, 11, 0, 8]
    assert [winner_of(seat) for seat in (0, 1, None)] == ["first", "second", "draw"]


@pytest.mark.parametrize(
    ("game", "moves", "verdict"),
    [
        ("tictactoe", "a1 b1 a2 b2 a3", ("first", "B+")),
        ("tictactoe", "a1 b2 b1 c1 a3 a2 c2 b3 c3", ("draw", "0")),
        ("connect4", "1 2 1 2 1 2 3 2", ("second", "W+")),
        ("hex", "a1 b1 a2", ("first", "B+")),
        ("y", "a2 a1 b2", ("first", "B+")),
        ("gomoku", "a1 b1 a2 b2 a3 b3 a4 b4 a5", ("first", "B+")),
        ("havannah", "h1 a9 i1 b9 j1 c9 k1 d9 l1 e9 m1 f9 n1 g9 o1", ("first", "B+")),
        ("go", "E5 pass pass", ("first", "B+73.5")),
        ("go", "pass pass", ("second", "W+7.5")),
    ],
)
def test_table__knows_who_won(game: str, moves: str, verdict: tuple[str, str]) -> None:
    table = lay_table(Conditions(game=game, size=2 if game in ("hex", "y") else 0))
    for seat, move in enumerate(moves.split()):
        assert not table.is_over
        assert table.seat == seat % 2
        table.play(move)
    assert table.is_over
    assert table.verdict() == verdict
    assert table.history == [(i % 2, move) for i, move in enumerate(moves.split())]


@pytest.mark.parametrize(("game", "taken"), [("go", "E5"), ("hex", "e5"), ("tictactoe", "b2")])
def test_table__a_copy_goes_its_own_way_and_taken_points_are_refused(game: str, taken: str) -> None:
    table = lay_table(Conditions(game=game))
    copy = table.copy()
    table.play(taken)
    assert copy.num_moves == 0
    with pytest.raises(ValueError, match=r"is (taken|occupied)"):
        table.play(taken)
    assert len(table.continuations()) == len(copy.continuations()) - 1
