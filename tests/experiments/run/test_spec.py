"""Specs: what is wrong is refused before the first game, with the line of the file."""

from __future__ import annotations

import textwrap
from pathlib import Path

import msgspec
import pytest

from experiments.fakes import ALICE, BOB, CAROL
from tesuji.experiments.records import Conditions, PlayerSpec
from tesuji.experiments.run.spec import MatchSpec, check, check_conditions, read_spec, spec_from, spec_json
from tesuji.experiments.run.spec_file import SpecError, SpecFile
from tesuji.experiments.run.workers import LocalWorkers
from tesuji.experiments.stats.elo import Sprt

GOOD = """\
format = "gauntlet"
champion = "weak"
games = 40
openings = "random:4"  # moves
seed = 7

[conditions]
size = 9
komi = 6.5
rules = "japanese"

[[players]]
name = "weak"
player = "tesuji:simulations=10"

[[players]]
name = "gnugo"
kind = "gtp"
command = "gnugo --mode gtp"
setup = [
  "level 3",
  "komi 6.5",
]
main_s = 60

[[players]]
player = "tesuji:simulations=100"
threads = 2
[players.settings]
exploration = 0.5

[anchors]
gnugo = 1800
"""


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "spec.toml"
    path.write_text(textwrap.dedent(text))
    return path


def refusal(tmp_path: Path, text: str) -> str:
    with pytest.raises(ValueError, match="spec.toml") as caught:
        read_spec(write(tmp_path, text))
    return str(caught.value)


# --- reading ----------------------------------------------------------------------------------------------------------


def test_read_spec__reads_everything(tmp_path: Path) -> None:
    spec, _ = read_spec(write(tmp_path, GOOD))
    assert spec == MatchSpec(
        players=(
            PlayerSpec(name="weak", kind="tesuji", settings={"simulations": 10}),
            PlayerSpec(name="gnugo", kind="gtp", command="gnugo --mode gtp", setup=("level 3", "komi 6.5"), main_s=60),
            PlayerSpec(
                name="tesuji:simulations=100",
                kind="tesuji",
                settings={"simulations": 100, "exploration": 0.5},
                threads=2,
            ),
        ),
        conditions=Conditions(size=9, komi=6.5, rules="japanese"),
        format="gauntlet",
        champion="weak",
        games=40,
        openings="random:4",
        seed=7,
        anchors={"gnugo": 1800},
    )


def test_read_spec__players_may_be_a_list_of_texts(tmp_path: Path) -> None:
    spec, _ = read_spec(write(tmp_path, 'players = ["tesuji:simulations=10", "gnugo-l1"]'))
    assert spec.names == ("tesuji:simulations=10", "gnugo-l1")


def test_spec_json__comes_back_and_does_not_depend_on_the_order_of_fields(tmp_path: Path) -> None:
    spec, _ = read_spec(write(tmp_path, GOOD))
    assert msgspec.json.decode(spec_json(spec), type=MatchSpec) == spec
    head, _, anchors = GOOD.partition("[anchors]")
    turned, _ = read_spec(
        write(
            tmp_path,
            head.replace("games = 40\n", "").replace("seed = 7", "seed = 7\ngames = 40") + "[anchors]" + anchors,
        )
    )
    assert spec_json(turned) == spec_json(spec)


def test_read_spec__a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_spec(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("games = 40", "gmaes = 40", 3, "gmaes is unknown; did you mean 'games'?"),
        ("games = 40", 'games = "many"', 3, "games: Expected int, got str"),
        ("games = 40", "games = -4", 3, "games is -4"),
        ("games = 40", "games = = 4", 3, "line 3"),
        ('format = "gauntlet"', 'format = "swiss"', 1, "format: Invalid enum value 'swiss'"),
        ('champion = "weak"', 'champion = "weka"', 2, "champion 'weka' is not a player"),
        ("seed = 7", "seed = -1", 5, "seed is -1"),
        ("size = 9", "size = 99", 8, "size is 99"),
        ("size = 9", "siez = 9", 8, "conditions.siez is unknown; did you mean 'size'?"),
        ("komi = 6.5\nrules", "komi = 6.3\nrules", 9, "komi 6.3 is not a multiple of 0.5"),
        ("rules = ", "rules = 3 # ", 10, "conditions.rules: Expected str, got int"),
        ('"japanese"', '"klingon"', 10, "no rule set is called 'klingon'"),
        ('name = "gnugo"', 'name = "weak"', 17, "two players are called 'weak'"),
        ('name = "gnugo"', 'name = ""', 17, "printable name"),
        ("simulations=10\"", "simulatoins=10\"", 14, "simulatoins"),
        ("main_s = 60", "mian_s = 60", 24, "players.1.mian_s is unknown; did you mean 'main_s'?"),
        ("main_s = 60", 'main_s = "long"', 24, "players.1.main_s: Expected float, got str"),
        ('  "komi 6.5",', "  6.5,", 22, "players.1.setup.1: Expected str, got float"),
        ("threads = 2", "threads = 0.5", 28, "players.2.threads: Expected int, got float"),
        ("gnugo = 1800", "gnu = 1800", 33, "anchor 'gnu' is not a player"),
        ("gnugo = 1800", 'gnugo = "high"', 32, "anchors: Expected float, got str"),
    ],
)  # fmt: skip
def test_read_spec__an_error_names_its_line(tmp_path: Path, old: str, new: str, line: int, words: str) -> None:
    assert GOOD.count(old) == 1
    said = refusal(tmp_path, GOOD.replace(old, new))
    assert words in said
    assert f"line {line}" in said


def test_read_spec__a_byte_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "spec.toml"
    path.write_bytes(b'openings = "\xff"')
    with pytest.raises(ValueError, match="byte 12 is not UTF-8"):
        read_spec(path)


def test_read_spec__players_are_needed(tmp_path: Path) -> None:
    assert "0 players" in refusal(tmp_path, "games = 4")
    assert "line 1: 1 players" in refusal(tmp_path, 'players = ["tesuji"]')
    assert "players is not a list" in refusal(tmp_path, "players = 4")
    assert "line 3" in refusal(tmp_path, 'players = [\n  "tesuji",\n  7,\n]')


# --- lines ------------------------------------------------------------------------------------------------------------


def test_line__is_found_in_nested_tables_arrays_and_after_long_texts() -> None:
    text = '''\
        a = """
        b = 1
        """
        "b" = [ # comment [
          [1, 2],
          { x = "]" },

          3,
        ]
        c.d = 1
        [[t]]
        x = 1
        [t.inner]
        y = 2
        [[t]]
        x = 3 # [u]
        [u."v w"]
        z = 4'''
    file = SpecFile("f", textwrap.dedent(text))
    places = {
        ("a",): 1, ("b",): 4, ("b", 0): 5, ("b", 1): 6, ("b", 1, "x"): 6, ("b", 2): 8, ("c", "d"): 10,
        ("t", 0): 11, ("t", 0, "x"): 12, ("t", 0, "inner", "y"): 14, ("t", 1): 15, ("t", 1, "x"): 16,
        ("u", "v w", "z"): 18, ("t", 1, "nothing"): 15, ("nothing",): 1,
    }  # fmt: skip
    assert {place: file.line(place) for place in places} == places


def test_naming_lines__leaves_other_errors_alone() -> None:
    with pytest.raises(KeyError), SpecFile("f", "a = 1").naming_lines():
        raise KeyError("a")
    with pytest.raises(ValueError, match="f, line 1: no"), SpecFile("f", "a = 1").naming_lines():
        raise SpecError(("a",), "no")


# --- values -----------------------------------------------------------------------------------------------------------


def test_games__default_to_100_and_with_a_test_to_20000() -> None:
    assert MatchSpec(players=(ALICE, BOB)).games == 100
    assert MatchSpec(players=(ALICE, BOB), sprt=Sprt(elo0=0, elo1=10)).games == 20_000
    assert MatchSpec(players=(ALICE, BOB), games=6).num_games == 6


def test_pairings__of_both_formats() -> None:
    def names(spec: MatchSpec) -> list[tuple[str, str]]:
        return [(one.name, other.name) for one, other in spec.pairings]

    everybody = MatchSpec(players=(ALICE, BOB, CAROL), games=4)
    assert names(everybody) == [("alice", "bob"), ("alice", "carol"), ("bob", "carol")]
    assert everybody.num_games == 12
    gauntlet = MatchSpec(players=(ALICE, BOB, CAROL), format="gauntlet", champion="bob")
    assert names(gauntlet) == [("bob", "alice"), ("bob", "carol")]
    assert MatchSpec(players=(ALICE, BOB, CAROL), format="gauntlet").champion == "alice"


def test_match_spec__what_makes_no_sense_is_refused() -> None:
    with pytest.raises(SpecError, match="an SPRT is about two players; there are 3"):
        MatchSpec(players=(ALICE, BOB, CAROL), sprt=Sprt(elo0=0, elo1=1))
    with pytest.raises(SpecError, match="has no champion"):
        MatchSpec(players=(ALICE, BOB), champion="alice")
    with pytest.raises(SpecError, match="sprt.elo2 is unknown"):
        spec_from({"players": ["tesuji", "gnugo-l1"], "sprt": {"elo0": 0, "elo2": 5}})
    with pytest.raises(SpecError, match="elo0 must be the smaller one"):
        spec_from({"players": ["tesuji", "gnugo-l1"], "sprt": {"elo0": 9, "elo1": 5}})


@pytest.mark.parametrize(
    ("conditions", "name"),
    [
        (Conditions(size=1), "size"),
        (Conditions(game="hex", size=99), "size"),
        (Conditions(game="connect4", size=9), "size"),
        (Conditions(game="hex", komi=0.5), "komi"),
        (Conditions(game="hex", handicap=2), "handicap"),
        (Conditions(komi=float("nan")), "komi"),
        (Conditions(size=9, handicap=10), "handicap"),
        (Conditions(size=5, handicap=2), "handicap"),
        (Conditions(rules="klingon"), "rules"),
        (Conditions(max_moves=-1), "max_moves"),
    ],
)
def test_check_conditions__names_the_value_that_is_wrong(conditions: Conditions, name: str) -> None:
    with pytest.raises(SpecError) as caught:
        check_conditions(conditions)
    assert caught.value.place == ("conditions", name)


# --- engines ----------------------------------------------------------------------------------------------------------


def test_check__says_what_players_call_themselves() -> None:
    spec = MatchSpec(players=(ALICE, BOB), conditions=Conditions(size=5))
    found = check(spec)
    assert list(found) == ["alice", "bob"]
    assert all(said.startswith("Tesuji") for said in found.values())
    with LocalWorkers(1) as workers:
        assert check(spec, workers) == found


def test_check__a_player_that_does_not_start_is_refused_with_its_line(tmp_path: Path) -> None:
    spec, file = read_spec(
        write(
            tmp_path,
            """\
            [[players]]
            player = "tesuji"
            [[players]]
            name = "ghost"
            player = "no-such-program-anywhere --gtp"
            """,
        )
    )
    with pytest.raises(ValueError, match="spec.toml, line 3: .*ghost"), file.naming_lines():
        check(spec)
